package accounting

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/renyi"
	"epsiloscope/accounting/special"
)

// Runs is the distribution of the number of runs, which stays secret, of which the best is kept:
// negative binomial, truncated below 1 (shape 0 is the logarithmic, shape 1 the geometric
// distribution), or Poisson.
type Runs struct {
	Mean    float64
	Shape   float64 // η > −1
	Poisson bool    // and no shape
}

func (n Runs) problem() string {
	switch {
	case !(n.Mean >= 1) || math.IsInf(n.Mean, 1):
		return "the mean number of runs must be at least 1 and finite: below 1 there is no proof"
	case !n.Poisson && (!(n.Shape > -1) || math.IsInf(n.Shape, 1)):
		return "the shape of the number of runs must be above −1 and finite"
	}
	return ""
}

// logInverse returns ln(1/γ), γ the parameter of the negative binomial distribution with that
// mean, η(1−γ)/(γ(1−γ^η)), rounded up.
func (n Runs) logInverse() float64 {
	if n.Mean == 1 {
		return 0
	}
	// Written with e^{−l}, as e^l overflows long before the mean does where η is near −1.
	mean := func(l float64) float64 {
		eta := math.Abs(n.Shape)
		if eta < 1e-17 { // as good as 0, where the quotient has its limit
			return math.Expm1(l) / l
		}
		return eta * math.Expm1(-l) / math.Expm1(-eta*l) * math.Exp(l*(1+math.Min(0, n.Shape)))
	}
	low, high := 0.0, 1.0
	for mean(high) < n.Mean {
		low, high = high, 2*high
	}
	_, high = special.Bisect(low, high, 0, func(l float64) bool { return mean(l) < n.Mean })
	return high * (1 + 1e-14)
}

// Gamma returns γ, rounded down.
func (n Runs) Gamma() float64 { return math.Exp(-n.logInverse()) }

// BestOf returns the best of a random number of runs of a release, of which nothing else is
// released (Papernot & Steinke 2022; Liu & Talwar 2019). It has a Rényi curve; where a run
// is pure ε-DP and the number negative binomial, it is (2+η)ε-DP. Of a fixed number of
// runs no such thing holds: they are all released, as far as is known.
func BestOf(r Release, runs Runs) Release {
	r = checkAnswers(r)
	name := "the best run of " + r.Name()
	if problem := runs.problem(); problem != "" {
		return NewUnsupported(name, problem)
	}
	b := &bestOf{inner: r, runs: runs, Release: NewUnsupported(name,
		"only a Rényi curve is known; another theorem needs runs of pure ε-DP, and their number not Poisson")}
	if epsilon, delta, err := r.Approximate(); err == nil && delta == 0 && !runs.Poisson &&
		finite((2+runs.Shape)*epsilon) {
		b.Release = pure{newKeyed(name, "unused"), (2 + runs.Shape) * epsilon}
	}
	b.constant = sync.OnceValues(b.leastConstant)
	b.best = sync.OnceValues(b.bestOrder)
	b.beyond = renyi.Rising(b.renyiBound)
	return b
}

type bestOf struct {
	Release  // what is known beside the curve: a pure ε, or nothing
	inner    Release
	runs     Runs
	constant func() (lambda, value float64)
	best     func() (alpha, value float64)
	beyond   renyi.Curve // above the best order
}

// bestOfKey begins the key of the best of several runs.
const bestOfKey = "best-of"

func (b *bestOf) Key() string { return fmt.Sprintf("%s(%v,%s)", bestOfKey, b.runs, KeyOf(b.inner)) }

func (*bestOf) ownKey() {}

// Pair returns the pair of the pure ε as upper estimate and that of one run as lower: it is
// attained if all runs have equal scores.
func (b *bestOf) Pair() (pairs.Pair, error) {
	upper, err := b.Release.Pair()
	if err != nil {
		return upper, err
	}
	const note = "the best of several runs is taken for any release of its pure ε; the lower end is that of one run"
	if one, err := pairOf(b.inner); err == nil {
		return pairs.Bracket(upper, one, note), nil
	}
	return pairs.UpperOnly(upper, note), nil
}

// Renyi returns the least of what the theorem says at the order and at larger ones, as
// divergences do not fall: near order 1 it says nothing of its own.
func (b *bestOf) Renyi(alpha float64) (float64, error) {
	if _, err := b.inner.Renyi(2); err != nil {
		return math.Inf(1), err
	}
	at, least := b.best()
	if alpha > at {
		least = b.beyond(alpha)
	}
	least = math.Min(least, curveOf(b.Release)(alpha))
	if math.IsInf(least, 1) && !math.IsInf(alpha, 1) {
		return least, errors.New(b.Name() + " has no finite Rényi divergence")
	}
	return least, nil
}

// renyiBound returns the theorem's bound at an order above 1: for a negative binomial number
// r(α) + (1+η)·c + ln E[K]/(α−1), with c from [bestOf.leastConstant]; for a Poisson number
// r(α) + m·δ + ln(m)/(α−1), a run being (ln(1+1/(α−1)), δ)-DP.
func (b *bestOf) renyiBound(alpha float64) float64 {
	r, err := b.inner.Renyi(alpha)
	if err != nil || math.IsInf(alpha, 1) {
		return math.Inf(1)
	}
	total := r + special.Log(b.runs.Mean)/(alpha-1)
	if !b.runs.Poisson {
		_, constant := b.constant()
		return total + (1+b.runs.Shape)*constant
	}
	delta, err := b.inner.Profile(math.Log1p(1 / (alpha - 1)))
	if err != nil {
		return math.Inf(1)
	}
	return total + b.runs.Mean*delta
}

// leastConstant returns the least of (1−1/λ)·r(λ) + ln(1/γ)/λ over the orders λ ≥ 1, and that order.
// Every order gives a bound, so a search can only be loose.
func (b *bestOf) leastConstant() (lambda, value float64) {
	log := b.runs.logInverse()
	found := special.Minimise(func(u float64) float64 {
		lambda := math.Exp(u)
		r, err := b.inner.Renyi(lambda)
		if err != nil || math.IsInf(r, 1) {
			return math.Inf(1)
		}
		return (1-1/lambda)*r + log/lambda
	}, 0, 16, 100)
	if log <= found.Value {
		return 1, log
	}
	return math.Exp(found.At), found.Value
}

// bestOrder returns the order of the least bound, and that bound.
func (b *bestOf) bestOrder() (alpha, value float64) {
	found := special.Minimise(func(u float64) float64 { return b.renyiBound(1 + math.Exp(u)) }, -9, 16, 100)
	return 1 + math.Exp(found.At), found.Value
}

// bestRuns returns the inputs of every entry that keeps the best of several runs. If there are
// several such entries, each input has the number of its selection.
func bestRuns(entries []Entry, alpha float64) (list []Quantity) {
	var runs [][]Quantity
	for _, e := range entries {
		if b, ok := unwrapAs[*bestOf](e.Release); ok {
			runs = append(runs, b.inputs(alpha))
		}
	}
	for i, run := range runs {
		for _, q := range run {
			if len(runs) > 1 {
				q.Selection, q.Meaning = i+1, fmt.Sprintf("%s; selection #%d", q.Meaning, i+1)
			}
			list = append(list, q)
		}
	}
	return list
}

// inputs returns the quantities that the divergence at an order is computed from; [bestRunSteps]
// puts them together.
func (b *bestOf) inputs(alpha float64) []Quantity {
	order, _ := b.best()
	order = math.Max(order, alpha)
	if !(b.renyiBound(order) < curveOf(b.Release)(alpha)) {
		epsilon, _, _ := b.Approximate()
		return []Quantity{quantity("(2+η)·ε₁", epsilon, "pure ε of the best run, ε₁ being that of one run")}
	}
	r, _ := b.inner.Renyi(order)
	list := []Quantity{
		quantity("m", b.runs.Mean, "runs on average, of which the best is kept"),
		quantity("α₁", order, "order at which the best run is bounded, α or above").as(Intermediate),
		quantity("r₁(α₁)", r, "Rényi divergence of one run at that order").as(Intermediate),
	}
	if b.runs.Poisson {
		delta, _ := b.inner.Profile(math.Log1p(1 / (order - 1)))
		return append(list, quantity("δ₁", delta, "δ of one run at ε = ln(1 + 1/(α₁−1))"))
	}
	lambda, _ := b.constant()
	at, _ := b.inner.Renyi(lambda)
	return append(list,
		quantity("η", b.runs.Shape, "shape of the number of runs"),
		quantity("γ", b.runs.Gamma(), "parameter of the number of runs with that mean and shape"),
		quantity("λ", lambda, "order of the term that does not depend on α").as(Intermediate),
		quantity("r₁(λ)", at, "Rényi divergence of one run at order λ").as(Intermediate))
}

// bestRunSteps writes out the divergence of each best run; there is nothing to write where its
// pure ε is smaller.
func bestRunSteps(b Bound) (lines []string) {
	for _, q := range b.Inputs {
		if q.Symbol != "m" {
			continue
		}
		in := inputsOf(b.Inputs, q.Selection)
		name := "best run (Papernot & Steinke 2022)"
		if q.Selection > 0 {
			name = fmt.Sprintf("best run #%d (Papernot & Steinke 2022)", q.Selection)
		}
		m, r, order := q.Value, in["r₁(α₁)"], in["α₁"]
		more := special.Log(m) / (order - 1)
		if in.has("δ₁") {
			runs := m * in["δ₁"]
			sum := numeral.Sum(r+runs+more, r, runs, more)
			lines = append(lines, name+": r₁(α₁) + m·δ₁ + ln(m)/(α₁−1) = "+sum)
			continue
		}
		lambda, factor := in["λ"], 1+in["η"]
		first, second := (1-1/lambda)*in["r₁(λ)"], -special.Log(in["γ"])/lambda
		constant := numeral.Sum(first+second, first, second)
		sum := numeral.Sum(r+factor*(first+second)+more, r, factor*(first+second), more)
		lines = append(lines,
			"(1−1/λ)·r₁(λ) + ln(1/γ)/λ = "+constant,
			name+": r₁(α₁) + (1+η)·that + ln(m)/(α₁−1) = "+sum)
	}
	return lines
}
