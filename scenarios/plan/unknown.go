package plan

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// unknown is what a plan solves for: where it stands in a scenario, what it may be
// and which way it drives the cost.
type unknown struct {
	solve  string
	entry  int    // from 1; 0 for the whole scenario
	field  string // of the entry
	low    float64
	high   float64
	start  float64 // where to begin looking
	whole  bool
	rises  bool // a larger value costs more: look for the largest that fits
	digits int  // significant digits of what is put in
	// custom puts a value in where no one field is the unknown.
	custom func(s *scenarios.Scenario, x float64) (*scenarios.Scenario, error)
}

// newUnknown finds the entry and the field a request is about.
func newUnknown(s *scenarios.Scenario, req Request) (*unknown, error) {
	u := &unknown{solve: req.Solve, digits: req.digits()}
	most := scenarios.EntryField("count").Max
	switch req.Solve {
	case "rounds":
		u.low, u.high, u.start, u.whole, u.rises = 1, most, s.Rounds, true, true
		return u, nil
	case "scale":
		u.low, u.high, u.start = 1e-9, 1e9, 1
		return u, nil
	case "delta":
		u.low, u.high, u.start = 1e-300, math.Nextafter(1, 0), max(s.Budget.Delta, 1e-12)
		return u, nil
	case "count":
		u.low, u.high, u.whole, u.rises = 1, most, true, true
	case "steps":
		u.low, u.high, u.whole, u.rises = 1, most, true, true
	case "epsilon":
		u.low, u.high, u.rises = 1e-12, 1e6, true
	case "sigma":
		u.low, u.high = 1e-9, 1e12
	case "n":
		u.low, u.high, u.whole = 1, most, true
	case "max_batch":
		u.low, u.whole = 1, true
	default:
		return nil, fmt.Errorf("cannot solve for %q; one of %s can be solved for", req.Solve, strings.Join(Solvable, ", "))
	}
	if err := u.choose(s, req.Entry); err != nil {
		return nil, err
	}
	e := &s.Stack[u.entry-1]
	if u.solve == "max_batch" {
		return u, u.cutting(s, e)
	}
	u.start = e.Values[u.field].Number
	if u.field == "count" {
		u.start = e.Count
	}
	if !(u.start >= u.low && u.start <= u.high) {
		u.start = 1
	}
	return u, nil
}

// choose settles the entry: the one named, else the only one that states the
// field, else the only one that could.
func (u *unknown) choose(s *scenarios.Scenario, n int) error {
	if n != 0 {
		if n < 1 || n > len(s.Stack) {
			return fmt.Errorf("there is no entry %d; the stack has %s", n, numeral.Plural(len(s.Stack), "entry", "entries"))
		}
		field, ok := u.fieldOf(&s.Stack[n-1])
		if !ok {
			return fmt.Errorf("entry %d has no %s", n, u.solve)
		}
		u.entry, u.field = n, field
		return nil
	}
	var could, states []int
	for i := range s.Stack {
		e := &s.Stack[i]
		field, ok := u.fieldOf(e)
		if !ok || e.Disabled {
			continue
		}
		could = append(could, i)
		if e.Values.Has(field) {
			states = append(states, i)
		}
	}
	if len(states) == 1 {
		could = states
	}
	switch len(could) {
	case 0:
		return fmt.Errorf("no entry of the stack has %s", u.solve)
	case 1:
		u.entry = could[0] + 1
		u.field, _ = u.fieldOf(&s.Stack[could[0]])
		return nil
	}
	return fmt.Errorf("%d entries have %s; say which with --entry N", len(could), u.solve)
}

// fieldOf is what the unknown is called in an entry.
func (u *unknown) fieldOf(e *scenarios.Entry) (string, bool) {
	if u.solve == "count" {
		return "count", true
	}
	if e.Parallel != nil {
		return "", false
	}
	spec := e.Spec()
	p, has := spec.Param(u.solve)
	for i := 0; !has && i < len(spec.Params); i++ {
		p = spec.Params[i]
		has = p.Alias == u.solve
	}
	return p.Name, has
}

func (u *unknown) what() string {
	if u.solve == "scale" {
		return "factor on the noise"
	}
	if u.solve == "delta" {
		return "δ below 1"
	}
	return u.solve
}

// with is the scenario at a value of the unknown; the original is not touched.
func (u *unknown) with(s *scenarios.Scenario, x float64) (*scenarios.Scenario, error) {
	if u.custom != nil {
		return u.custom(s, x)
	}
	c := *s
	switch u.solve {
	case "rounds":
		c.Rounds = x
		return &c, nil
	case "delta":
		c.Budget.Delta = x
		return &c, nil
	case "scale":
		stack, err := scaleNoise(s.Stack, x, noisier(u.digits))
		c.Stack = stack
		return &c, err
	}
	c.Stack = append([]scenarios.Entry(nil), s.Stack...)
	e := &c.Stack[u.entry-1]
	e.Disabled = false
	if u.field == "count" {
		e.Count = x
		return &c, nil
	}
	return &c, e.SetNumber(u.field, x)
}

// scaleNoise multiplies all noise by a factor, as [mechanisms.ScaleNoise] says.
func scaleNoise(stack []scenarios.Entry, factor float64, round rounding) ([]scenarios.Entry, error) {
	return scenarios.Map(stack, func(e *scenarios.Entry) error { return scaleEntry(e, factor, round) })
}

// rounding shortens a number that noise was scaled to.
type rounding func(p param.Param, x float64) float64

// noisier rounds to the given digits, towards more noise.
func noisier(digits int) rounding {
	return func(p param.Param, x float64) float64 {
		if p.Noise > 0 {
			return numeral.RoundUp(x, digits)
		}
		return numeral.RoundDown(x, digits)
	}
}

// quieter rounds towards less noise.
func quieter(digits int) rounding {
	return func(p param.Param, x float64) float64 {
		p.Noise = -p.Noise
		return noisier(digits)(p, x)
	}
}

// scaleEntry multiplies the noise of one entry; no rounding keeps every digit.
func scaleEntry(e *scenarios.Entry, factor float64, round rounding) error {
	field, x, ok, err := mechanisms.ScaleNoise(e.Mechanism, e.Values, factor)
	if err != nil || !ok {
		return err
	}
	if spec := e.Spec(); round != nil {
		p, _ := spec.Param(field)
		x = round(p, x)
	}
	return e.SetNumber(field, x)
}

// round takes a real-valued answer to the digits asked for, towards the cheap side:
// nobody wants more, and trials that differ by less need not be evaluated twice.
func (u *unknown) round(x float64) float64 {
	if u.whole {
		return x
	}
	y := numeral.RoundUp(x, u.digits)
	if u.rises {
		y = numeral.RoundDown(x, u.digits)
	}
	return math.Min(math.Max(y, u.low), u.high)
}
