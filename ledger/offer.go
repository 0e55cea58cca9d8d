package ledger

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

// Offer is a ledger that grants every release of a scenario, one by one and in any order, and the commands
// for it, each on one line for a shell.
type Offer struct {
	Promise      Promise
	Description  adaptive.Description
	NewCommand   string // opens the ledger
	SpendCommand string // reserves the first release
	ownEpsilon   bool   // it promises the plan's own ε
}

// offerOrder are the filters in the order in which they are offered. A fixed plan comes first: it costs what
// the scenario was priced at. The others are for scenarios without a numerical bound.
var offerOrder = []adaptive.Kind{adaptive.Plan, adaptive.ZCDP, adaptive.GDP, adaptive.Mixture, adaptive.Basic}

// OfferFor returns the ledger for a scenario, which is read from the scenario file or library name given
// and would be kept in the file given. It fails if no filter grants the whole scenario within its
// budget, with the reason of the first.
func OfferFor(ctx context.Context, s *scenarios.Scenario, name, file string) (*Offer, error) {
	switch {
	case s.Unit == "":
		return nil, errors.New("a ledger needs a unit, whose data one record is, and the scenario does not state one")
	case !(s.Budget.Delta > 0):
		return nil, errors.New("a ledger needs a δ above 0, and the scenario does not state one")
	}
	var first error
	for _, kind := range offerOrder {
		o, err := makeOffer(ctx, kind, s)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			o.writeCommands(s, name, file)
			return o, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// makeOffer returns the offer of one filter, without its commands, or why it does not grant the scenario.
func makeOffer(ctx context.Context, kind adaptive.Kind, s *scenarios.Scenario) (*Offer, error) {
	l := newLedger("")
	l.Open = Record{Unit: s.Unit, Adjacency: string(s.Adjacency)}
	if err := l.checkSubject(s); err != nil {
		return nil, err
	}
	o := &Offer{Promise: Promise{Filter: kind, Delta: numeral.Format(s.Budget.Delta),
		Epsilon: numeral.Format(s.Budget.Epsilon)}}
	if s.Budget.Epsilon == 0 && kind != adaptive.Plan {
		return nil, errors.New("the scenario states no budget")
	}
	filter, err := o.settleFilter(ctx, l, s)
	if err != nil {
		return nil, err
	}
	o.Description = filter.Describe()
	request, err := newRequest(s)
	if err != nil {
		return nil, err
	}
	entries, err := l.Entries(request)
	if err != nil {
		return nil, err
	}
	var sum adaptive.Cost
	for i, e := range entries { // one by one: each is rounded up
		cost, err := filter.Price([]accounting.Entry{{Release: e.Release, Count: 1}})
		if err != nil {
			return nil, err
		}
		count, _ := big.NewFloat(e.Count).Int(nil)
		if cost = cost.Times(count); i > 0 {
			cost = sum.Plus(cost)
		}
		sum = cost
	}
	return o, filter.Fits(sum)
}

// settleFilter returns the filter of the offer. A plan promises its own ε if that is within the budget, else the
// budget, if a finer computation shows that the plan meets it.
func (o *Offer) settleFilter(ctx context.Context, l *Ledger, s *scenarios.Scenario) (adaptive.Filter, error) {
	if o.Promise.Filter != adaptive.Plan {
		return l.settlePromise(ctx, &o.Promise, nil, 1)
	}
	own := o.Promise
	own.Epsilon = ""
	filter, err := l.settlePromise(ctx, &own, s, 1)
	if err != nil {
		return nil, err
	}
	if terms, err := own.terms(); err == nil && (s.Budget.Epsilon == 0 ||
		terms.Epsilon <= accounting.BudgetLimit(s.Budget.Epsilon)) {
		o.Promise, o.ownEpsilon = own, true
		return filter, nil
	}
	return l.settlePromise(ctx, &o.Promise, s, 1)
}

// Create opens the ledger that was offered for a scenario, in a file that must not exist yet: what NewCommand does.
// As there, a plan in which a review finds a fault is refused.
func (o *Offer) Create(ctx context.Context, s *scenarios.Scenario, file string) (*Ledger, error) {
	p := Promise{Filter: o.Promise.Filter, Delta: numeral.Format(s.Budget.Delta), Epsilon: o.Promise.Epsilon}
	epsilon := s.Budget.Epsilon
	var plan *scenarios.Scenario
	if p.Filter == adaptive.Plan {
		if plan = s; o.ownEpsilon {
			p.Epsilon, epsilon = "", 0
		}
		found, err := review.OfPromise(ctx, s, s.Unit, epsilon, s.Budget.Delta)
		if err != nil {
			return nil, err
		}
		if found != nil && found.Refuses() {
			return nil, fmt.Errorf("no ledger was opened. %s: %s", found.Claim, found.Headline())
		}
	} else if slices.Contains(adaptive.FiltersUsing("odometer"), p.Filter) {
		p.Odometer = "line"
	}
	open := Record{Data: DataName(file), Unit: s.Unit, Adjacency: string(s.Adjacency), Promise: &p}
	return NewFile(file).Create(ctx, open, plan, 1)
}

// writeCommands fills in the commands that open the ledger and spend from it, quoted for a shell.
func (o *Offer) writeCommands(s *scenarios.Scenario, name, file string) {
	name, file = numeral.Argument(name), numeral.Argument(file)
	if o.Promise.Filter == adaptive.Plan {
		o.NewCommand = fmt.Sprintf("epsiloscope ledger new %s --plan %s", file, name)
		if !o.ownEpsilon {
			o.NewCommand += " --epsilon " + o.Promise.Epsilon
		}
	} else {
		o.NewCommand = fmt.Sprintf("epsiloscope ledger new %s --filter %s --epsilon %s --delta %s --unit %s", file,
			o.Promise.Filter, o.Promise.Epsilon, o.Promise.Delta, numeral.Argument(s.Unit))
		if s.Adjacency != mechanisms.AddRemove {
			o.NewCommand += " --adjacency " + string(s.Adjacency)
		}
	}
	for i, e := range s.Stack {
		if !e.Disabled {
			o.SpendCommand = fmt.Sprintf("epsiloscope ledger spend %s %s --entry %d --count 1", file, name, i+1)
			return
		}
	}
}
