package adaptive

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"epsiloscope/accounting"
)

// Prices are float64, and their last digits are noise: (1/40)²/2 comes out a little
// above 0.0003125. priceMargin is taken off before a price is rounded up, and
// budgetMargin, which is larger, off the budget: what is promised stays promised, and
// round prices stay round.
const (
	priceMargin  = 1e-14
	budgetMargin = 1e-12
)

// linear is a filter that adds up one quantity, and the δ of releases that state one.
type linear struct {
	about    Description
	budget   *big.Int
	failures *big.Int
	// price returns the cost of one release. It is computed unless it is as stated: an (ε, δ),
	// all of whose δ count.
	price    func(accounting.Release) (x, delta float64, err error)
	written  bool
	odometer Odometer
}

// newLinear fills in what the promise decides. The budget is rounded down.
func newLinear(p Promise, budget float64, l linear) (_ Filter, err error) {
	l.about.Kind, l.about.Unit = p.Filter, unit
	failures := p.Failures
	if l.written {
		failures = p.Delta
	} else {
		budget *= 1 - budgetMargin
	}
	if l.budget, err = p.budget(max(0, budget), l.about); err != nil {
		return nil, err
	}
	if l.budget.Sign() == 0 { // not one unit
		return nil, fmt.Errorf("nothing could ever be spent: a promise of ε %g at δ %g leaves the %s no budget", p.Epsilon, p.theoremDelta(), l.about.Title)
	}
	l.failures, err = roundDown(failures, failureUnit)
	return l, err
}

func (l linear) Describe() Description { return l.about }

func (l linear) Budget() *big.Int { return new(big.Int).Set(l.budget) }

func (l linear) Spent(sum Cost) *big.Int { return new(big.Int).Set(sum.part(0)) }

func (l linear) Price(request []accounting.Entry) (Cost, error) {
	var quotients Cost // of the releases whose exact ε is known: their sum is rounded once
	if l.written {
		var err error
		if request, quotients, err = priceQuotients(request); err != nil {
			return Cost{}, err
		}
	}
	cost, err := priceAll(request, l.about, 1, func(r accounting.Release, _ int) (x, delta float64, err error) {
		x, delta, err = l.price(r)
		if l.written {
			return roundUpLongDecimal(x), delta, err
		}
		x *= 1 - priceMargin
		return x, delta, err
	})
	if err != nil {
		return Cost{}, err
	}
	return cost.Plus(quotients), nil
}

// priceQuotients adds up what the releases of a request cost whose ε is an exact quotient, rounded up once: three times
// a third is 1. It returns the others too.
func priceQuotients(request []accounting.Entry) (others []accounting.Entry, cost Cost, err error) {
	if request, err = accounting.CheckStack(request); err != nil {
		return nil, Cost{}, err
	}
	cost = newCost(1)
	for _, e := range request {
		exact, ok := accounting.ExactEpsilon(e.Release)
		if !ok {
			others = append(others, e)
			continue
		}
		n, err := roundUp(e.Count, 0)
		if err != nil {
			return nil, Cost{}, err
		}
		cost = cost.Plus(exactCost(exact).Times(n))
	}
	return others, cost, nil
}

// exactCost returns an amount, rounded up to a whole number of units, with what rounding has added.
func exactCost(amount *big.Rat) Cost {
	units := new(big.Rat).Mul(amount, new(big.Rat).SetInt(power(unit)))
	return newCost(1).withRounding(units.Neg(units)) // a sum of 0 from which so much was taken as was added to it
}

// roundUpLongDecimal returns a number as it is if people may have written it, and rounds it up if it
// has more digits: then it was computed, as a sensitivity divided by a scale is, and may lie
// below the exact value by its last digits.
func roundUpLongDecimal(x float64) float64 {
	if accounting.MayBeWritten(x) {
		return x
	}
	return math.Nextafter(math.Nextafter(x, math.Inf(1)), math.Inf(1))
}

// priceAll adds up what each release takes of each part, and its δ.
func priceAll(request []accounting.Entry, about Description, parts int,
	of func(r accounting.Release, i int) (x, delta float64, err error)) (Cost, error) {
	cost := newCost(parts)
	request, err := accounting.CheckStack(request)
	if err != nil {
		return Cost{}, err
	}
	for _, e := range request {
		for i := range parts {
			x, delta, err := of(e.Release, i)
			if err == nil {
				err = charge(cost.Parts[i], x, unit, e.Count)
			}
			if err == nil && i == 0 {
				err = charge(cost.Failures, delta, failureUnit, e.Count)
			}
			if err != nil {
				return Cost{}, unsupportedError(e.Release, about, err)
			}
		}
	}
	return cost, nil
}

// unsupportedError says which release a filter cannot price, why, and what the filter needs.
func unsupportedError(r accounting.Release, about Description, reason error) error {
	return fmt.Errorf("the %s cannot take %s: %w. It needs %s", about.Title, r.Name(), reason, about.Needs)
}

func (l linear) Fits(sum Cost) error {
	if sum.part(0).Cmp(l.budget) > 0 {
		would, budget := distinctAmounts(sum.part(0), l.budget, unit)
		return fmt.Errorf("%s would come to %s, above the budget of %s", l.about.Symbol, would, budget)
	}
	return failuresFit(sum, l.failures)
}

// distinctAmounts writes an amount and the smaller limit that it exceeds for people, in full if a unit of the last
// digit shown is more than the excess.
func distinctAmounts(amount, limit *big.Int, digits int) (above, below string) {
	above, below = Upper(amount, digits), Lower(limit, digits)
	shown, _ := new(big.Rat).SetString(above)
	twice := new(big.Int).Lsh(amount, 1)
	if most := new(big.Rat).SetFrac(twice.Sub(twice, limit), power(digits)); shown.Cmp(most) > 0 {
		above, below = Decimal(amount, digits), Decimal(limit, digits)
	}
	return above, below
}

func failuresFit(sum Cost, limit *big.Int) error {
	switch {
	case sum.failures().Cmp(limit) <= 0:
		return nil
	case limit.Sign() == 0:
		return fmt.Errorf("it has a δ of its own, and nothing of the promised δ is set aside for such releases")
	}
	return fmt.Errorf("the releases' own δ would come to %s, above the %s set aside for them",
		scientific(Upper(sum.failures(), failureUnit)), scientific(Lower(limit, failureUnit)))
}

// scientific writes a δ short: 1.5e-07.
func scientific(decimal string) string {
	x, _ := strconv.ParseFloat(decimal, 64)
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func (l linear) Odometer() (Odometer, bool) { return l.odometer, true }
