package oracle_test

import (
	"math"
	"testing"

	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/internal/gauge"
)

// An attacker who chooses costs: first some coins, and then, by their outcome, one leak
// as large as the rule allows. These rules look like filters and are none.

// rule says whether a leak may follow the coins.
type rule func(leak oracle.Offer) bool

// leaking is the attacker's purse: coins to throw, then the choice of a leak. A leak's
// loss is what is missing to ε, and one of the extras besides.
type leaking struct {
	may     rule
	epsilon float64
	unit    float64 // of the leaks' chances
	extras  []float64
	coins   []oracle.Offer
	thrown  int
	done    bool
}

func (l leaking) Stop(p, q float64) float64 { return oracle.Excess(p, q, math.Exp(l.epsilon)) }

func (l leaking) Open(loss float64) (offers []oracle.Offer, after []oracle.Purse) {
	switch {
	case l.done:
		return nil, nil
	case l.thrown < len(l.coins):
		next := l
		next.thrown++
		return l.coins[l.thrown : l.thrown+1], []oracle.Purse{next}
	}
	end := l
	end.done = true
	for _, extra := range l.extras {
		t := l.epsilon - loss + extra
		eta := l.unit * oracle.Largest(func(x float64) bool {
			return l.may(oracle.Leak(t, l.unit*x))
		}, 60)
		offers, after = append(offers, oracle.Leak(t, eta)), append(after, end)
	}
	return offers, after
}

// natural composes what was really released so far, and refuses what has too large a δ.
func natural(coins []oracle.Offer, epsilon, delta float64) rule {
	thrown := oracle.Offer{P: []float64{1}, Q: []float64{1}}
	for _, o := range coins {
		thrown = oracle.Both(thrown, o)
	}
	return func(leak oracle.Offer) bool { return oracle.Both(thrown, leak).Delta(math.Exp(epsilon)) <= delta }
}

// anyOrder adds up Rényi divergences, and refuses what no order converts to ε.
func anyOrder(coins []oracle.Offer, epsilon, delta float64, orders ...float64) rule {
	left := make([]float64, len(orders))
	for i, alpha := range orders {
		left[i] = epsilon - math.Log1p(-1/alpha) + (math.Log(delta)+math.Log(alpha))/(alpha-1)
		for _, o := range coins {
			left[i] -= o.Renyi(alpha)
		}
	}
	return func(leak oracle.Offer) bool {
		for i, alpha := range orders {
			if left[i] >= 0 && leak.Renyi(alpha) <= left[i] {
				return true
			}
		}
		return false
	}
}

func coins(k int, epsilon float64) (list []oracle.Offer) {
	for range k {
		list = append(list, oracle.Coin(epsilon))
	}
	return list
}

// The figures are those of exact enumeration; that the phenomenon exists for f-DP is
// due to Tran, Räisä, Koskela & Honkela 2026 (arXiv 2602.06756).
func TestRulesThatAreNoFilters(t *testing.T) {
	const delta = 1e-6
	for _, c := range []struct {
		k    int
		want float64
	}{{1, 1.24473}, {4, 2.13857134349728}, {8, 3.16493609967667}} {
		first := coins(c.k, 1/float64(c.k))
		got := oracle.Spend(leaking{may: natural(first, 1, delta), epsilon: 1, unit: 0.01, coins: first,
			extras: []float64{2 / float64(c.k)}}) / delta
		if math.Abs(got/c.want-1) > 4e-6 || c.k > 1 && math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("%d coins: the attacker reaches %.15g of the promised δ, want %.15g", c.k, got, c.want)
		}
		if c.k > 4 {
			continue
		}
		extras := []float64{0.5, 1, 1.5, 2, 2.5, 3, 4}
		for i := range extras {
			extras[i] /= float64(c.k)
		}
		if free := oracle.Spend(leaking{may: natural(first, 1, delta), epsilon: 1, unit: 0.01, coins: first,
			extras: extras}) / delta; free < got*(1-1e-12) {
			t.Errorf("%d coins: with more to choose from it reaches %.15g, less than %.15g", c.k, free, got)
		}
	}
}

// By the number of coins that came up heads: leaks that pass at an order of their own.
func TestOrdersChosenAfterwards(t *testing.T) {
	const epsilon, delta = 4, 1e-5
	leaks := []struct{ order, loss, mass float64 }{
		{3.8184, 4.703662139, 8.263256851e-6}, {4.1623, 4.474768195, 1.637882755e-5}, {4.1623, 4.274768195, 3.082888549e-5},
		{6.0119, 3.981925754, 9.225378958e-5}, {200.5262, 3.604999355, 0.02639993016}}
	first := coins(4, 0.1)
	truth := 0.0
	for heads, l := range leaks {
		leak := oracle.Leak(l.loss, l.mass)
		if !anyOrder(first, epsilon+1e-7, delta, l.order)(leak) {
			t.Errorf("%d heads: the leak does not pass at order %g", heads, l.order)
		}
		c := oracle.Coin(0.1)
		ways := []float64{1, 4, 6, 4, 1}[heads]
		p := ways * math.Pow(c.P[0], float64(heads)) * math.Pow(c.P[1], float64(4-heads))
		q := ways * math.Pow(c.Q[0], float64(heads)) * math.Pow(c.Q[1], float64(4-heads))
		for i := range leak.P {
			truth += oracle.Excess(p*leak.P[i], q*leak.Q[i], math.Exp(epsilon))
		}
	}
	if math.Abs(truth/delta/1.79781817360814-1) > 1e-6 {
		t.Errorf("the listed leaks reach %.12g of the promised δ, want 1.79781817360814", truth/delta)
	}
	if !gauge.All() {
		return
	}
	// The attacker finds as much by itself.
	var orders []float64
	for x := 1.0; x < 5.4; x += 0.03 {
		orders = append(orders, 1+math.Exp(x))
	}
	var extras []float64
	for x := 0.005; x < 0.5; x *= 1.2 {
		extras = append(extras, x)
	}
	got := oracle.Spend(leaking{may: anyOrder(first, epsilon, delta, orders...), epsilon: epsilon, unit: 0.05,
		coins: first, extras: extras}) / delta
	if t.Logf("the attacker reaches %.9g of the promised δ", got); got < 1.797818 {
		t.Errorf("the attacker reaches %.9g of the promised δ, want at least 1.797818", got)
	}
}
