// Package adaptive keeps a promise under fully adaptive composition.
//
// A composition theorem prices a plan that was fixed in advance. Where the cost, the
// kind or the number of the releases depends on earlier answers, two other tools are
// needed. A [Filter] is a total fixed in advance and a rule that refuses the release
// that would break it. An [Odometer] is a bound that holds at all times simultaneously, so
// that it may be quoted under adaptive stopping.
//
// Start with a [Promise] and [New]. A filter is a value: [Filter.Price] says what a
// request takes, [Filter.Fits] whether a sum of costs keeps the promise. All sums
// are whole numbers (see [Cost]): exact, in any order. [LargestFitting] says how often something fits.
//
// One condition is common to all: the cost of a release is fixed before it runs, and
// depends on earlier outputs only. Refusing then leaks nothing, as it looks at
// declared costs alone.
package adaptive

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"epsiloscope/accounting"
)

// A promise comes in; a filter goes out that prices requests and says whether a sum of prices fits.

// Kind names a filter.
type Kind string

// The filters.
const (
	Basic   Kind = "basic"
	ZCDP    Kind = "zcdp"
	GDP     Kind = "gdp"
	Mixture Kind = "mixture"
	Plan    Kind = "plan"
)

// makers lists the filters: the kind, the function that makes the filter of a promise, and the fields of a promise that
// this filter uses and not all others do.
var makers = []struct {
	kind   Kind
	build  func(Promise) (Filter, error)
	fields []string
}{
	{Basic, newBasic, nil},
	{ZCDP, newZCDP, []string{"odometer"}},
	{GDP, newGDP, []string{"odometer"}},
	{Mixture, newMixture, []string{"alpha", "orders"}},
	{Plan, newPlan, []string{"plan", "rungs"}},
}

// FiltersUsing returns the filters that use a field of Promise; nil if all do.
func FiltersUsing(field string) (kinds []Kind) {
	for _, m := range makers {
		if slices.Contains(m.fields, field) {
			kinds = append(kinds, m.kind)
		}
	}
	return kinds
}

// Filter is a promise and the rule that keeps it. It is a value: it never changes,
// and what has been spent is kept by its user.
type Filter interface {
	Describe() Description
	// Price returns the cost of a request. The error says why the filter cannot take it.
	Price(request []accounting.Entry) (Cost, error)
	// Fits is nil if a sum of costs, the next one included, keeps the promise. The
	// error says which limit it would break.
	Fits(sum Cost) error
	// Budget returns the whole budget and Spent the part of it that a sum uses, in multiples of 10^-[Description.Unit].
	Budget() *big.Int
	Spent(sum Cost) *big.Int
	// Odometer returns the bound that may be quoted under adaptive stopping; false if there is
	// none.
	Odometer() (Odometer, bool)
}

// Description describes a filter: its name, the quantity it adds up, its rule and what it needs.
type Description struct {
	Kind     Kind
	Title    string // "zCDP filter"
	Quantity string // what it adds up: "rho"
	Symbol   string // the same in a formula: "ρ"
	Unit     int    // amounts are whole multiples of 10^-Unit of it
	Rule     string // "continue while …, then the whole is …"
	Needs    string // of a release
	Source   string
	CiteKey  string
	// Exact says that amounts are sums of numbers as they were written, so that neither a
	// budget nor a cost that was recorded may be off by a last digit.
	Exact bool
	// Concurrent says that several releases may be in progress at once: the rule is
	// proven for concurrent releases.
	Concurrent bool
}

// Promise holds the parameters of a filter. All of them are fixed before the first release.
type Promise struct {
	Filter         Kind
	Epsilon, Delta float64
	// Failures is the part of Delta set aside for releases that state an (ε, δ) with
	// δ > 0: the sum of their δ stays within it. The basic filter has no use for it.
	Failures float64
	Alpha    float64   // mixture: the only order, or the planned one of several; 0 for none
	Orders   []float64 // mixture: Alpha alone if empty, [DefaultOrders] if both are
	Weights  []float64 // mixture: 0.9 for the planned order, the rest even, if empty
	Plan     []accounting.Entry
	Rungs    []float64 // plan: the ε of each nested part, the whole plan last; see [RungBounds]
	Odometer string    // "line" or "mixture" where sums of ρ or μ² are kept; "" is line
	// Budget is the [Filter.Budget] computed when the promise was made; nil to compute it. It
	// decides, so that a version that computes other last digits does not.
	Budget *big.Int
}

// New returns the filter of a promise.
func New(p Promise) (Filter, error) {
	if why, known := notFilters[string(p.Filter)]; known {
		return nil, fmt.Errorf("%s %s", p.Filter, why)
	}
	for _, m := range makers {
		if m.kind == p.Filter {
			if err := p.check(); err != nil {
				return nil, err
			}
			f, err := m.build(p)
			if err != nil {
				return nil, err
			}
			none, err := f.Price(nil)
			return checkedFilter{f, len(none.Parts)}, err
		}
	}
	return nil, fmt.Errorf("there is no filter called %q: it is one of %s", p.Filter, Names())
}

// Names lists the filters, separated by commas.
func Names() string {
	var names []string
	for _, m := range makers {
		names = append(names, string(m.kind))
	}
	return strings.Join(names, ", ")
}

func (p Promise) check() error {
	switch {
	case !(p.Epsilon >= 0) || p.Epsilon > 1e6:
		return fmt.Errorf("the promised ε must lie between 0 and 1e6, not be %g", p.Epsilon)
	case !(p.Delta >= 0 && p.Delta < 1):
		return fmt.Errorf("the promised δ must be at least 0 and below 1, not %g", p.Delta)
	case !(p.Failures >= 0 && p.Failures <= p.Delta):
		return fmt.Errorf("what is set aside for releases with a δ of their own must lie between 0 and the promised δ, not be %g", p.Failures)
	case p.Failures > 0 && (p.Filter == Basic || p.Filter == GDP || p.Filter == Plan):
		return fmt.Errorf("the %s filter sets no δ aside", p.Filter)
	case p.Delta == 0 && p.Filter != Basic:
		return fmt.Errorf("the %s filter needs a δ above 0; the basic one does not", p.Filter)
	case p.Failures == p.Delta && p.Filter != Basic && p.Filter != GDP && p.Filter != Plan:
		return fmt.Errorf("the whole δ is set aside for releases with a δ of their own; the %s filter needs a part of it", p.Filter)
	case len(p.Orders) > 100 || len(p.Rungs) > 1000:
		return fmt.Errorf("a mixture has at most 100 orders, a plan at most 1000 rungs")
	case p.Odometer != "" && p.Odometer != "line" && p.Odometer != "mixture":
		return fmt.Errorf("there is no odometer called %q: it is line or mixture", p.Odometer)
	}
	return nil
}

// budget returns the budget stated in the promise, or the one computed now if none is stated. It is an error if the
// stated one exceeds the computed one by more than rounding in another version explains.
func (p Promise) budget(amount float64, about Description) (*big.Int, error) {
	computed, err := roundDown(amount, about.Unit)
	if err != nil || p.Budget == nil {
		return computed, err
	}
	slack := new(big.Int)
	if !about.Exact { // another version may compute other last digits
		slack.Quo(computed, big.NewInt(1e9))
	}
	if p.Budget.Cmp(slack.Add(slack, computed)) > 0 {
		return nil, fmt.Errorf("the budget of %s is above what ε %g at δ %g allows, %s", Decimal(p.Budget, about.Unit), p.Epsilon, p.Delta, Decimal(computed, about.Unit))
	}
	return new(big.Int).Set(p.Budget), nil
}

// theoremDelta returns the δ for the theorem: the promised one without the part for stated failures.
func (p Promise) theoremDelta() float64 { return p.Delta - p.Failures }

// notFilters are rules that look like filters, or are no longer offered, with the end of a sentence that says why.
var notFilters = map[string]string{
	"numerical": "is no filter: composing the privacy loss distributions of the releases made so far is not a filter. With eight randomized responses and one release chosen by their outcome the true δ is 3.16 times the promised one. Use plan, which spends a fixed stack in any order at its numerical bound, or zcdp",
	"optimal":   "is no filter: with one randomized response and one release chosen by its outcome the true δ is 1.38 times the promised one. Use plan, which spends a fixed stack in any order, or zcdp",
	"rdp-free":  "is no filter: with the Rényi order chosen afterwards the true δ can be 1.80 times the promised one. Use mixture, which keeps one order that is fixed in advance, or several",
	"rdp":       "is a mixture of one Rényi order: use mixture with that α",
	"advanced":  "is not offered: zcdp or basic grants as much for every request. Open a new ledger with one of them",
}
