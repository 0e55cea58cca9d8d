package adaptive

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
)

// mixture keeps several Rényi orders at once. With sums R_j at orders α_j and weights
// w_j fixed in advance it continues while
//
//	sup over L > ε of (1 − e^{ε−L}) / Σ_j w_j e^{(α_j−1)(L−R_j)} ≤ δ.
//
// M = Σ_j w_j e^{(α_j−1)(L_n−R_j)} is a supermartingale of mean at most 1 at any
// stopping time, and (1−e^{ε−L})₊ ≤ δ·M at every point: taking means, the whole is
// (ε, δ)-DP. One order of weight 1 is the Rényi filter. The proof takes one release
// after the other; sessions that are interleaved are not covered.
type mixture struct {
	about           Description
	promise         Promise
	orders, weights []float64
	heaviest        int
	budget          *big.Int // of the heaviest order, had it only its own share of δ
	failures        *big.Int
	known           *sync.Map // what is spent, by the sums: it takes milliseconds to find
}

func newMixture(p Promise) (Filter, error) {
	orders, weights, err := p.orders()
	if err != nil {
		return nil, err
	}
	m := mixture{promise: p, orders: orders, weights: weights, known: new(sync.Map), about: Description{
		Kind: Mixture, Title: "mixture of orders", Quantity: "renyi", Symbol: "Σr(α)", Unit: unit,
		Rule:    "continue while sup over L > ε of (1 − e^(ε−L)) / Σ w e^((α−1)(L−Σr(α))) ≤ δ′ and Σδ ≤ δ″; then the whole is (ε, δ′+δ″)-DP",
		Needs:   "a Rényi divergence at the orders fixed in advance, finite at one of them, or an (ε, δ) of its own",
		Source:  "the mean of the supermartingales of Feldman & Zrnic 2021, with the conversion of Canonne, Kamath & Steinke 2020",
		CiteKey: "FeldmanZ21",
	}}
	if len(orders) == 1 { // concurrent composition is proven for every Rényi order
		m.about.Title, m.about.Concurrent = fmt.Sprintf("Rényi filter of order %g", orders[0]), p.Failures == 0
		m.about.Needs = fmt.Sprintf("a finite Rényi divergence of order %g, or an (ε, δ) of its own", orders[0])
		m.about.Rule = "continue while Σr(α) ≤ B(ε, δ′) at the order fixed in advance and Σδ ≤ δ″; then the whole is (ε, δ′+δ″)-DP"
		m.about.Source = "Feldman & Zrnic 2021; Lécuyer 2021; Canonne, Kamath & Steinke 2020, Proposition 12"
	}
	if !m.holds(make([]float64, len(orders))) {
		return nil, fmt.Errorf("nothing could ever be spent: at the orders %v a promise of ε %g at δ %g does not hold even for no release; use larger orders or promise more", orders, p.Epsilon, p.theoremDelta())
	}
	budgets := make([]float64, len(orders))
	for i := range orders {
		budgets[i] = accounting.RenyiFromDP(orders[i], p.Epsilon, p.theoremDelta()*weights[i])
	}
	if m.heaviest = floats.MaxIdx(weights); !(budgets[m.heaviest] > 0) {
		m.heaviest = floats.MaxIdx(budgets)
	}
	if m.budget, err = p.budget(math.Max(budgets[m.heaviest], 1e-15), m.about); err != nil { // at least one unit
		return nil, err
	}
	m.failures, err = roundDown(p.Failures, failureUnit)
	return m, err
}

func (m mixture) Describe() Description { return m.about }

func (m mixture) Budget() *big.Int { return new(big.Int).Set(m.budget) }

func (m mixture) Price(request []accounting.Entry) (Cost, error) {
	return priceAll(request, m.about, len(m.orders), func(r accounting.Release, i int) (x, delta float64, err error) {
		x, delta, err = divergence(r, m.orders[i])
		if err == nil && math.IsInf(x, 1) {
			x = unreachable // this order is lost; the others go on
		}
		return x, delta, err
	})
}

// unreachable stands for a divergence that is not finite: no budget contains it.
const unreachable = 1e9

func (m mixture) Fits(sum Cost) error {
	if !m.holds(sum.floats(len(m.orders))) {
		i := m.heaviest
		return fmt.Errorf("the sums at the orders %v would no longer give ε %g at δ %g (at order %g: %s)",
			m.orders, m.promise.Epsilon, m.promise.theoremDelta(), m.orders[i], Upper(sum.part(i), unit))
	}
	return failuresFit(sum, m.failures)
}

func (m mixture) holds(sums []float64) bool { return m.excess(sums) <= 0 }

// excess returns by how much ln δ of the sums exceeds the promise, with a margin for rounding.
func (m mixture) excess(sums []float64) float64 {
	margin := budgetMargin * (1 + slices.Max(m.orders)*(1+m.promise.Epsilon))
	return logMixtureDelta(m.orders, m.weights, sums,
		m.promise.Epsilon) + margin - special.Log(m.promise.theoremDelta())
}

// logMixtureDelta returns ln of the δ at ε that the sums give. The objective is concave in
// L, and its maximum lies between ln(1 + 1/(α−1)) for the largest and the smallest order.
func logMixtureDelta(orders, weights, sums []float64, epsilon float64) float64 {
	shares := logs(weights)
	objective := func(above float64) float64 { // L = ε + above
		return special.Log(-math.Expm1(-above)) - logMixture(orders, shares, sums, epsilon+above)
	}
	low, high := math.Log1p(1/(slices.Max(orders)-1)), math.Log1p(1/(slices.Min(orders)-1))
	const golden = 0.6180339887498949
	a, b := high-golden*(high-low), low+golden*(high-low)
	fa, fb := objective(a), objective(b)
	for range 80 {
		if fa > fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = objective(a)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = objective(b)
		}
	}
	return math.Max(math.Max(fa, fb), math.Max(objective(low), objective(high)))
}

// logMixture returns ln Σ w e^{(α−1)(L−R)}, of the logarithms of the weights.
func logMixture(orders, logWeights, sums []float64, loss float64) float64 {
	var few [16]float64 // on the stack: this is called a million times for a ledger with blocks
	terms := append(few[:0], make([]float64, len(orders))...)
	for i, alpha := range orders {
		terms[i] = logWeights[i] + (alpha-1)*(loss-sums[i])
	}
	return floats.LogSumExp(terms)
}

func logs(list []float64) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = special.Log(x)
	}
	return out
}

// Spent returns how far the sums have gone on the way from 0, through themselves, to the edge of
// what is allowed, in the units of the heaviest order. It grows evenly along equal releases.
func (m mixture) Spent(sum Cost) *big.Int {
	sums := sum.floats(len(m.orders))
	if slices.Max(sums) == 0 {
		return new(big.Int)
	}
	key := fmt.Sprint(sums)
	spent, ok := m.known.Load(key)
	if !ok {
		spent = m.spent(sums)
		m.known.Store(key, spent)
	}
	return new(big.Int).Set(spent.(*big.Int))
}

func (m mixture) spent(sums []float64) *big.Int {
	scaled := make([]float64, len(sums))
	excess := func(x float64) float64 { // above 0 if the sums times x do not fit
		for i := range sums {
			scaled[i] = x * sums[i]
		}
		return m.excess(scaled)
	}
	low, high := 0.0, 1.0 // the largest factor that still fits lies between
	for excess(high) <= 0 && high < 1e30 {
		low, high = high, 2*high
	}
	if _, low = special.BracketRoot(excess, high, low, 0x1p-50); math.IsInf(low, 1) {
		low = 0 // not even nothing fits
	}
	whole := new(big.Float).SetInt(m.budget)
	spent, _ := whole.Quo(whole, big.NewFloat(math.Max(low, math.SmallestNonzeroFloat64))).Int(nil)
	if m.holds(sums) && spent.Cmp(m.budget) > 0 {
		return m.Budget()
	}
	return spent
}

func (m mixture) Odometer() (Odometer, bool) {
	return ordersOdometer(m.orders, m.weights, m.promise), true
}
