package ledger

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// Status is a ledger at one time: what it promises, what may be quoted, and what is left in
// the block that binds.
type Status struct {
	Balance
	Epsilon       string // promised
	Delta         string
	Odometer      *float64 // the ε that may be quoted now; nil if there is none
	OdometerSense string   // in which it holds
	OdometerName  string   // the odometer
	FixedPlan     *float64 // the ε of a plan fixed in advance with the same releases: not quotable
	Records       int
	Fits          []Fit
	// Cancelled lists why reservations were given back, each reason once with how often.
	Cancelled []string
	Broken    string // where and why the promise was broken; "" if it was not
	// everything in the block; with nothing on its stack where it cannot stand in one scenario
	all *scenarios.Scenario
}

// Fit is a request made before and how many more of it would be granted.
type Fit struct {
	Text   string
	Copies *big.Int // nil if there is no end
	// Releases is the number of releases that would be granted of a request that does not fit as a whole, and Of the
	// number it has; nil if none or all would.
	Releases, Of *big.Int
}

// Status returns the state of the ledger for the block that has least left. FixedPlan is the best bound on everything
// in that block.
func (l *Ledger) Status(ctx context.Context, now time.Time) *Status {
	l.expire(now)
	block := l.fullestBlock()
	s := &Status{Balance: l.balance(block), Epsilon: l.Promise.Epsilon, Delta: l.Promise.Delta, Records: len(l.Records),
		Broken: l.BreachReason()}
	s.Odometer, s.OdometerName, s.OdometerSense = l.odometer(l.totals())
	if l.breach == nil && s.Odometer != nil && *s.Odometer > l.terms.Epsilon {
		s.OdometerSense += "; the promised ε is smaller, and holds as well"
	}
	var err error
	if s.all, err = l.SpentScenario(block); err == nil {
		s.FixedPlan = l.fixedPlan(ctx, s.all)
	} else {
		s.all = l.emptyScenario()
	}
	s.Fits, s.Cancelled = l.stillFits(now), l.cancellations()
	return s
}

// fullestBlock returns the block that has least left.
func (l *Ledger) fullestBlock() string {
	blocks := l.Blocks()
	if len(blocks) == 0 {
		return ""
	}
	return l.bindingBlock(blocks, adaptive.Cost{})
}

// totals returns the costs that the blocks' filters decide on, but for those that another covers; a single zero cost if
// nothing was charged.
func (l *Ledger) totals() []adaptive.Cost {
	if len(l.accounts) == 0 {
		return []adaptive.Cost{l.zero()}
	}
	var list []adaptive.Cost
	for _, block := range l.fullBlocks(slices.Collect(maps.Keys(l.accounts))) {
		list = append(list, l.total(block))
	}
	return list
}

// odometer returns the bound that may be quoted: the largest over all blocks, because the block
// that has least left need not be the one with the largest ε. A window has none: it forgets
// releases that still count for a person. After a breach only odometers hold that rely neither
// on the filter's limits nor on sequential releases.
func (l *Ledger) odometer(sums []adaptive.Cost) (epsilon *float64, name, sense string) {
	o, ok := l.Filter.Odometer()
	if !ok || l.Promise.window > 0 || l.breach != nil && (l.Promise.Filter == adaptive.Plan ||
		l.Promise.Filter == adaptive.Mixture) {
		return nil, "", ""
	}
	for _, sum := range sums {
		if l.breach != nil && sum.Failures.Sign() > 0 {
			return nil, "", ""
		}
		if u := o.At(sum); epsilon == nil || u > *epsilon {
			epsilon, sense = &u, o.Sense(sum)
		}
	}
	return epsilon, o.Name, sense
}

// maxKinds is the largest number of kinds of releases for which the numerical bound is computed.
const maxKinds = 200

func (l *Ledger) fixedPlan(ctx context.Context, all *scenarios.Scenario) *float64 {
	stack, err := scenarios.Stack(all)
	if err != nil {
		return nil
	}
	target := accounting.Target{Delta: all.Budget.Delta}
	bounds := accounting.ClosedForms(ctx, stack, target)
	if len(stack) <= maxKinds {
		bounds = accounting.Compare(ctx, stack, target)
	}
	best := accounting.Best(bounds)
	if best < 0 {
		return nil
	}
	return &bounds[best].Epsilon
}

// maxFits is the largest number of kinds of request that are priced again to say what still fits.
const maxFits = 50

// stillFits returns every kind of release that a fixed plan has and how many more of it would be granted. For
// another filter it returns the last different requests that were granted and how many more of each would
// be: to its analyst, where that one has a quota, and for the blocks of the last such request, which it names.
func (l *Ledger) stillFits(now time.Time) []Fit {
	if l.Promise.Plan != nil && l.Promise.Blocks == "" && len(l.Promise.Quotas) == 0 {
		return l.planKinds(now)
	}
	var list []Fit
	type asked struct {
		whose   string
		request requestKey
	}
	var seen []asked
	for i := len(l.Records) - 1; i > 0 && len(list) < maxFits && i > len(l.Records)-1000; i-- {
		r, whose := l.Records[i], ""
		if l.Promise.Quotas[r.By] != "" {
			whose = r.By + ": "
		}
		if r.Kind != KindReserve || slices.Contains(seen, asked{whose, r.key()}) {
			continue
		}
		seen = append(seen, asked{whose, r.key()})
		accounts, err := l.blocksOf(r.Blocks)
		if err != nil {
			continue
		}
		a := l.decide(&Answer{Cost: r.Cost.Cost, accounts: accounts, by: r.By}, now)
		entries, _ := l.Entries(r.Request)
		list = append(list, l.newFit(whose+l.Describe(r)+l.blocksInWords(r.Blocks), a, entries))
	}
	return list
}

// newFit returns how often a request fits, or how many of its releases if it does not as a whole.
func (l *Ledger) newFit(text string, a *Answer, entries []accounting.Entry) Fit {
	f := Fit{Text: text, Copies: a.Largest}
	if a.Fits || len(entries) != 1 || entries[0].Count <= 1 {
		return f
	}
	if n, of := l.fittingReleases(entries, a); n != nil && n.Sign() > 0 && n.Cmp(of) < 0 {
		f.Releases, f.Of = n, of
	}
	return f
}

// blocksInWords names the blocks of a request, each of which has a budget of its own; "" if there are none.
func (l *Ledger) blocksInWords(blocks []string) string {
	switch n := len(blocks); n {
	case 0:
		return ""
	case 1:
		return ", " + l.Promise.Blocks + " " + blocks[0]
	default:
		return fmt.Sprintf(", %s %s and %d more", l.Promise.Blocks, blocks[0], n-1)
	}
}

// planKinds returns every kind of release of a fixed plan, in the order of its entries, and how many more of
// it would be granted.
func (l *Ledger) planKinds(now time.Time) (list []Fit) {
	plan, err := l.Promise.Plan.Scenario(l.Open.Adjacency, l.Open.Unit)
	if err != nil {
		return nil
	}
	var seen []string
	for i := range plan.Stack {
		one := *plan
		one.Rounds, one.Stack = 1, slices.Clone(plan.Stack[i:i+1])
		one.Stack[0].Count = 1
		entries, err := scenarios.Stack(&one)
		if err != nil {
			continue
		}
		cost, err := l.Filter.Price(entries)
		text := l.describe(&one)
		if err != nil || slices.Contains(seen, text) {
			continue
		}
		seen = append(seen, text)
		a := l.decide(&Answer{Cost: cost, accounts: []string{""}}, now)
		list = append(list, l.newFit(text, a, entries))
	}
	return list
}

// Describe says in words what a record asks for.
func (l *Ledger) Describe(r Record) string {
	s, err := r.Scenario(l.Open.Adjacency, l.Open.Unit)
	if err != nil || len(s.Stack) == 0 {
		return "nothing"
	}
	return l.describe(s)
}

func (l *Ledger) describe(s *scenarios.Scenario) string {
	text := s.Stack[0].Describe()
	if len(s.Stack) > 1 {
		text += fmt.Sprintf(" and %d more", len(s.Stack)-1)
	}
	if s.Records > 0 {
		text += fmt.Sprintf(", of %g records", s.Records)
	}
	if s.Rounds > 1 {
		text += fmt.Sprintf(", %g rounds", s.Rounds)
	}
	if s.Group > 1 {
		text += fmt.Sprintf(", for %g records of one person", s.Group)
	}
	return text
}

// Quote is an ε of a ledger, whether it may be quoted, and why.
type Quote struct {
	Name     string // "promise", "odometer" or "fixed plan"
	Epsilon  string // "" if there is none
	Words    string
	Quotable bool
}

// Quotes returns the promise, the odometer and the ε of a fixed plan, with what decides whether each may be quoted. A
// broken promise may not, and nothing else then holds.
func (p Promise) Quotes(s *Status, broken bool) []Quote {
	promise := Quote{"promise", p.ShownEpsilon(), "fixed before the first release", true}
	if p.Blocks != "" {
		promise.Words += ", for each " + p.Blocks
	}
	if p.Window != "" {
		promise.Words += ", within any " + p.WindowText()
	}
	if broken {
		promise.Words, promise.Quotable = "broken: a release did not fit", false
	}
	odometer := Quote{Name: "odometer"}
	switch {
	case s.Odometer != nil && *s.Odometer == 0:
		odometer.Words = "nothing was released yet"
		return []Quote{promise, odometer}
	case s.Odometer != nil:
		odometer = Quote{odometer.Name, report.Upper(*s.Odometer), s.OdometerSense + p.Scope() + " (odometer: " +
			s.OdometerName + ")", true}
	case p.Window != "":
		odometer.Words = "releases outside the window still count for the people in them"
	case broken:
		odometer.Words = "none holds after the promise was broken"
	default:
		odometer.Words = "the " + s.Filter.Title + " has none"
	}
	list := []Quote{promise, odometer}
	if s.FixedPlan != nil && *s.FixedPlan > 0 {
		list = append(list, Quote{"fixed plan", report.Upper(*s.FixedPlan), "may not be quoted: costs may depend on earlier answers", false})
	}
	return list
}
