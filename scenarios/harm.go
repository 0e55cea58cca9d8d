package scenarios

import (
	"context"
	"errors"
	"math"
	"sync"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/risk"
	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
)

// HarmLimit is a budget in terms of what an attacker can do. At most one of Advantage, TPR with FPR
// and Reconstruction with Prior is given; the others are 0.
type HarmLimit struct {
	Advantage             float64 // TPR − FPR of any membership test
	TPR, FPR              float64 // true-positive rate allowed at this false-positive rate
	Reconstruction, Prior float64 // success of guessing a secret with the output, and without it
}

// The kinds of harm that a budget may limit, by the name of their field.
const (
	HarmAdvantage      = "advantage"
	HarmTPR            = "tpr"
	HarmReconstruction = "reconstruction"
)

// harmDelta is the δ of the theorems that need one, if the budget is a harm and gives none.
const harmDelta = 1e-6

// Kind returns the name of the field that is limited; "" if none is.
func (h HarmLimit) Kind() string {
	switch {
	case h.Advantage > 0:
		return HarmAdvantage
	case h.TPR > 0:
		return HarmTPR
	case h.Reconstruction > 0:
		return HarmReconstruction
	}
	return ""
}

// Words returns what is limited, as a sentence names it.
func (h HarmLimit) Words() string {
	switch h.Kind() {
	case HarmTPR:
		return "the true-positive rate of a membership test whose false-positive rate is " + numeral.Format(h.FPR)
	case HarmReconstruction:
		return "the chance of guessing a secret that is guessed with probability " + numeral.Format(h.Prior) + " without the output"
	}
	return "the membership advantage"
}

// Field returns a pointer to the limit of a kind of harm; for an unknown kind, that of the advantage.
func (h *HarmLimit) Field(kind string) *float64 {
	switch kind {
	case HarmTPR:
		return &h.TPR
	case HarmReconstruction:
		return &h.Reconstruction
	}
	return &h.Advantage
}

// Limit returns the largest probability that the budget allows.
func (h HarmLimit) Limit() float64 { return h.Advantage + h.TPR + h.Reconstruction }

// HarmOf returns the harm that an (ε, δ) guarantee by itself allows, rounded up; 1 if the bound is not a valid
// and finite one.
func (h HarmLimit) HarmOf(b accounting.Bound) float64 {
	if b.Status != accounting.Valid || !b.Finite() {
		return 1
	}
	guarantee := risk.Approximate{Epsilon: b.Epsilon, Delta: b.Delta}
	switch h.Kind() {
	case HarmAdvantage:
		return guarantee.Advantage()
	case HarmTPR:
		return guarantee.TruePositiveRate(h.FPR)
	case HarmReconstruction:
		return guarantee.TruePositiveRate(h.Prior)
	}
	return 1
}

// levels returns the rates at which the profile of a stack is asked for.
func (h HarmLimit) levels() (rates []float64) {
	for _, x := range []float64{h.FPR, h.Prior} {
		if x > 0 {
			rates = append(rates, x)
		}
	}
	return rates
}

// Measure returns certified ends of the harm of a stack.
func (h HarmLimit) Measure(ctx context.Context, harm *accounting.Profile) (risk.Ends, error) {
	switch h.Kind() {
	case HarmTPR:
		return harm.TruePositiveRate(ctx, h.FPR)
	case HarmReconstruction:
		return harm.Reconstruction(ctx, h.Prior)
	}
	return harm.Advantage(ctx)
}

// Check returns an error if the parts of a budget do not fit together: several limits, or one of two rates without the
// other. It does not check the range of each number.
func (b Budget) Check() error {
	var c format.Checker
	b.check(&c)
	return c.Errors("")
}

// check reports to c what [Budget.Check] finds.
func (b Budget) check(c *format.Checker) {
	h := b.Harm
	given := 0
	for _, x := range []float64{b.Epsilon, h.Advantage, h.TPR, h.Reconstruction} {
		if x != 0 {
			given++
		}
	}
	if given > 1 {
		c.Add("budget", "limits several things; give one of epsilon, advantage, tpr with fpr, reconstruction with prior")
	}
	beside := func(main, other string, x, level float64, guessing string) {
		switch {
		case x != 0 && level == 0:
			c.Add("budget."+other, "is missing; must be greater than 0 and less than 1, beside "+main)
		case x == 0 && level != 0:
			c.Add("budget."+main, "is missing; "+other+" says nothing without it")
		case x != 0 && !(x > level):
			c.Add("budget."+main, "must be greater than "+other+": "+guessing)
		}
	}
	beside("tpr", "fpr", h.TPR, h.FPR, "a test that accuses at random finds as many members as it accuses others")
	beside("reconstruction", "prior", h.Reconstruction, h.Prior, "a guess without the output succeeds as often")
}

// HarmResult is the harm that a budget limits, as the profile of the stack certifies it.
type HarmResult struct {
	Limit     HarmLimit
	Certified risk.Ends // the lower end is that of guessing if the numerical accountant has no part in it
	Note      string    // why it has none; "" if it has
}

// Fits reports whether the harm is certainly within the budget, by the certified curve or by the (ε, δ)
// of any valid bound.
func (h *HarmResult) Fits(bounds []accounting.Bound) bool {
	return h.LeastUpper(bounds) <= h.Limit.Limit()
}

// LeastUpper returns the least upper end of the harm: that of the certified curve, or of the (ε,
// δ) of any valid bound.
func (h *HarmResult) LeastUpper(bounds []accounting.Bound) float64 {
	least := h.Certified.Upper
	if least == 1 { // the profile is not computed yet
		for _, b := range bounds {
			least = math.Min(least, h.Limit.HarmOf(b))
		}
	}
	return least
}

// addHarm computes the harm that the budget limits, if it limits one. The error is the context's, or an internal
// one.
func (ev *Evaluator) addHarm(ctx context.Context, s *Scenario, r *Result) error {
	if s.Budget.Harm.Kind() == "" {
		return nil
	}
	out := &HarmResult{Limit: s.Budget.Harm, Certified: risk.Ends{Lower: 0, Upper: 1}}
	ctx = ev.Context(ctx)
	profile, err := r.Profile(ctx)
	if err == nil {
		if out.Certified, err = out.Limit.Measure(ctx, profile); err == nil {
			err = profile.LowerEndError()
		}
	}
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	if fault := accounting.FaultOf(err); fault != nil {
		return fault
	}
	if err != nil {
		out.Note = err.Error()
	}
	r.Harm = out
	return nil
}

// profileCell holds the profile of a result, made when it is first asked for.
type profileCell struct {
	mu      sync.Mutex
	made    *accounting.Profile
	stack   []accounting.Entry
	levels  []float64
	replace bool
}

// Profile returns the certified profile of the whole stack, never above any bound of the result. Whatever states a harm
// of the scenario reads it here, so that all pages state the same. The error is the context's, or an internal one.
func (r *Result) Profile(ctx context.Context) (*accounting.Profile, error) {
	c := r.profile
	if c == nil {
		return nil, errors.New("the scenario has not been evaluated")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made == nil {
		made, err := accounting.NewProfile(ctx, c.stack, r.Bounds, c.levels, c.replace)
		if err != nil {
			return nil, err
		}
		c.made = made
	}
	return c.made, nil
}

// Advantage returns certified ends of the membership advantage of the whole stack. It takes one point of the profile
// instead of all, unless theorems alone answer. The error is the context's, or an internal one.
func (r *Result) Advantage(ctx context.Context) (risk.Ends, error) {
	if r.profile == nil {
		return risk.Ends{Lower: 0, Upper: 1}, errors.New("the scenario has not been evaluated")
	}
	ends, err := accounting.Advantage(ctx, r.profile.stack)
	if err == nil || ctx.Err() != nil || accounting.FaultOf(err) != nil {
		return ends, err
	}
	profile, err := r.Profile(ctx)
	if err != nil {
		return ends, err
	}
	return profile.Advantage(ctx)
}

// renewProfile forgets the profile, as the bounds have changed.
func (r *Result) renewProfile(s *Scenario, c *pricedStack) {
	r.profile = &profileCell{stack: c.stack, levels: s.Budget.Harm.levels(), replace: s.Adjacency == mechanisms.Replace}
}

// Profile evaluates the scenario and returns the certified profile of its whole stack.
func (ev *Evaluator) Profile(ctx context.Context, s *Scenario) (*accounting.Profile, error) {
	return ev.Price(s).Profile(ctx, s.Runs())
}
