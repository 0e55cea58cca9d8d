package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"time"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/scenarios"
)

// Status is a ledger at one time: what it promises, what is spent, what may be quoted.
// All amounts are in the filter's quantity and of the block that binds.
type Status struct {
	Filter   adaptive.About
	Epsilon  string // promised
	Delta    string
	Block    string
	Budget   *big.Int
	Spent    *big.Int
	Held     *big.Int
	Left     *big.Int
	Odometer *float64 // the ε that may be quoted now; nil if there is none
	Sense    string   // in which it holds
	Named    string   // the odometer
	Plan     *float64 // the ε of a plan fixed in advance with the same releases: not quotable
	Records  int
	Head     string
	Fits     []Fit
}

// Fit is a request made before and how many more of it would be granted.
type Fit struct {
	Text   string
	Copies *big.Int // nil if there is no end
}

// Status takes stock. The plan's figure is the best bound on everything in the block.
func (l *Ledger) Status(ctx context.Context, now time.Time) *Status {
	l.expire(now)
	block := l.fullest()
	s := &Status{Filter: l.Filter.About(), Epsilon: l.Promise.Epsilon, Delta: l.Promise.Delta, Block: block, Records: len(l.Records), Head: l.Head()}
	s.Budget, s.Spent, s.Held, s.Left = l.balance(block)
	s.Odometer, s.Named, s.Sense = l.odometer(l.total(block))
	if promised, err := strconv.ParseFloat(s.Epsilon, 64); err == nil && l.breach == nil && s.Odometer != nil && *s.Odometer > promised {
		s.Sense += "; the promised ε is smaller, and holds as well"
	}
	if all, err := l.Everything(block, time.Time{}, time.Time{}); err == nil {
		s.Plan = l.fixedPlan(ctx, all)
	}
	s.Fits = l.stillFits(now)
	return s
}

// fullest is the block that has least left.
func (l *Ledger) fullest() string {
	blocks := l.Blocks()
	if len(blocks) == 0 {
		return ""
	}
	return l.binding(blocks)
}

// odometer is what may be quoted of a sum. A window has none: it forgets releases that
// still count for a person. After a breach only odometers hold that do not rely on the
// filter's limits.
func (l *Ledger) odometer(sum adaptive.Cost) (figure *float64, name, sense string) {
	o, ok := l.Filter.Odometer()
	if !ok || l.Promise.window > 0 || l.breach != nil && (l.Promise.Filter == adaptive.Plan || sum.Failures.Sign() > 0) {
		return nil, "", ""
	}
	u := o.At(sum)
	return &u, o.Name, o.Sense(sum)
}

// maxKinds is how many kinds of releases the numerical column is asked about.
const maxKinds = 200

func (l *Ledger) fixedPlan(ctx context.Context, all *scenarios.Scenario) *float64 {
	stack, err := l.evaluator.Stack(all, scenarios.Options{})
	if err != nil {
		return nil
	}
	target := accounting.Target{Delta: all.Budget.Delta}
	bounds := accounting.Closed(stack, target)
	if len(stack) <= maxKinds {
		bounds = accounting.Compare(ctx, stack, target)
	}
	best := accounting.Best(bounds)
	if best < 0 {
		return nil
	}
	return &bounds[best].Epsilon
}

// stillFits are the last different requests that were granted and how many more of
// each would be.
func (l *Ledger) stillFits(now time.Time) []Fit {
	var list []Fit
	var seen []string
	for i := len(l.Records) - 1; i > 0 && len(list) < 5 && i > len(l.Records)-1000; i-- {
		r := l.Records[i]
		if r.Kind != KindReserve || slices.Contains(seen, string(r.Stack)+string(r.Rounds)) {
			continue
		}
		seen = append(seen, string(r.Stack)+string(r.Rounds))
		accounts, err := l.blocksOf(r.Blocks)
		if err != nil {
			continue
		}
		a := l.decide(&Answer{Cost: r.Cost.Cost, accounts: accounts}, now)
		list = append(list, Fit{l.Describe(r), a.Largest})
	}
	return list
}

// Describe says in words what a record asks for.
func (l *Ledger) Describe(r Record) string {
	s, err := r.Scenario(l.Open.Adjacency, l.Open.Unit)
	if err != nil || len(s.Stack) == 0 {
		return "nothing"
	}
	text := s.Stack[0].Describe()
	if len(s.Stack) > 1 {
		text += fmt.Sprintf(" and %d more", len(s.Stack)-1)
	}
	if s.Rounds > 1 {
		text += fmt.Sprintf(", %g rounds", s.Rounds)
	}
	return text
}

// MarshalJSON is the form that other programs rely on.
func (s *Status) MarshalJSON() ([]byte, error) {
	type fit struct {
		Request string       `json:"request"`
		Copies  *json.Number `json:"copies"`
	}
	fits := []fit{}
	for _, f := range s.Fits {
		fits = append(fits, fit{f.Text, count(f.Copies)})
	}
	type promise struct {
		Epsilon json.Number `json:"epsilon"`
		Delta   json.Number `json:"delta"`
	}
	return json.Marshal(struct {
		blockState
		Left      json.Number `json:"left"`
		Promise   promise     `json:"promise"`
		Records   int         `json:"records"`
		Head      string      `json:"head"`
		Odometer  *float64    `json:"odometer"`
		Plan      *float64    `json:"plan"`
		StillFits []fit       `json:"still_fits"`
	}{
		blockStateOf(s.Filter, s.Block, s.Budget, s.Spent, s.Held), decimal(s.Left, s.Filter.Unit),
		promise{json.Number(s.Epsilon), json.Number(s.Delta)}, s.Records, s.Head, s.Odometer, s.Plan, fits,
	})
}

// blockState is what status and an answer say of a block, for other programs.
type blockState struct {
	Filter   adaptive.Kind `json:"filter"`
	Quantity string        `json:"quantity"`
	Block    string        `json:"block,omitempty"`
	Budget   json.Number   `json:"budget"`
	Spent    json.Number   `json:"spent"`
	Held     json.Number   `json:"held"`
}

func blockStateOf(about adaptive.About, block string, budget, spent, held *big.Int) blockState {
	return blockState{about.Kind, about.Quantity, block, decimal(budget, about.Unit), decimal(spent, about.Unit), decimal(held, about.Unit)}
}

func decimal(amount *big.Int, unit int) json.Number {
	return json.Number(adaptive.Decimal(amount, unit))
}

// count is a number of copies, null where there is no end to them.
func count(n *big.Int) *json.Number {
	if n == nil {
		return nil
	}
	text := json.Number(n.String())
	return &text
}

// JSON is the answer in the form that other programs rely on.
func (a *Answer) JSON(l *Ledger) ([]byte, error) {
	about := l.Filter.About()
	var asked *json.Number
	if a.Asked != nil {
		n := decimal(a.Asked, about.Unit)
		asked = &n
	}
	return json.Marshal(struct {
		Fits bool `json:"fits"`
		blockState
		Asked   *json.Number `json:"asked"`
		Left    json.Number  `json:"left"`
		Largest *json.Number `json:"largest"`
		Reason  string       `json:"reason,omitempty"`
		Head    string       `json:"head"`
	}{
		a.Fits, blockStateOf(about, a.Block, a.Budget, a.Spent, a.Held),
		asked, decimal(a.Left, about.Unit), count(a.Largest), a.Refusal, l.Head(),
	})
}
