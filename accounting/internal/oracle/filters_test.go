package oracle_test

import (
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/internal/oracle"
)

// ware is a release as it is declared to a filter, and what it shows.
type ware struct {
	declared accounting.Release
	shows    oracle.Offer
}

// ways returns both orders of the data sets, where they differ.
func (w ware) ways() []oracle.Offer {
	if len(w.shows.P) != 2 || w.shows.P[0] == w.shows.Q[1] {
		return []oracle.Offer{w.shows}
	}
	return []oracle.Offer{w.shows, w.shows.Turned()}
}

// market is a filter and what an attacker may buy from it: some releases from a list,
// chosen by what was seen, and then one of any size that still fits.
type market struct {
	filter adaptive.Filter
	lift   float64
	list   []ware
	sizes  []func(loss, x float64) ware // by size, from 0 to 1
}

// buying is an attacker's purse: how many from the list are still to come, and the
// sum of the costs so far.
type buying struct {
	*market
	sum  adaptive.Cost
	left int
	done bool
}

func (b buying) Stop(p, q float64) float64 { return oracle.Excess(p, q, b.lift) }

// after returns the purse once a release is paid for; false if the filter refuses it.
func (b buying) after(w ware) (buying, bool) {
	cost, err := b.filter.Price([]accounting.Entry{{Release: w.declared, Count: 1}})
	if err != nil {
		return b, false
	}
	b.sum = b.sum.Plus(cost)
	return b, b.filter.Fits(b.sum) == nil
}

func (b buying) Open(loss float64) (offers []oracle.Offer, after []oracle.Purse) {
	take := func(w ware, next buying) {
		for _, o := range w.ways() {
			offers, after = append(offers, o), append(after, next)
		}
	}
	if b.left > 0 {
		for _, w := range b.list {
			if next, ok := b.after(w); ok {
				next.left--
				take(w, next)
			}
		}
	}
	if b.done || b.left > 0 {
		return offers, after
	}
	for _, size := range b.sizes {
		x := oracle.Largest(func(x float64) bool { _, ok := b.after(size(loss, x)); return ok }, 28)
		if next, ok := b.after(size(loss, x)); ok && x > 0 {
			next.done = true
			take(size(loss, x), next)
		}
	}
	return offers, after
}

// No filter that is offered lets through more than it promises, whatever an attacker
// pays for.
func TestFiltersKeepTheirPromise(t *testing.T) {
	near, played := map[adaptive.Kind]int{}, map[adaptive.Kind]int{}
	for n := range max(15, numbers/20) {
		d := numbered(n)
		p := drawPromise(d)
		f, err := adaptive.New(p)
		for err != nil { // a promise of which nothing could be spent
			p = drawPromise(d)
			f, err = adaptive.New(p)
		}
		if played[p.Filter] == perKind() {
			continue
		}
		played[p.Filter]++
		m := &market{filter: f, lift: math.Exp(p.Epsilon)}
		m.stock(d, p)
		reached := oracle.Spend(buying{market: m, left: d.between(1, 3)})
		if reached > p.Delta*(1+1e-9)+1e-15 {
			t.Errorf("case %d: %s: the attacker reaches δ = %.12g\n%+v", n, f.Describe().Title, reached, p)
		}
		if near[p.Filter] += 0; reached > p.Delta/2 {
			near[p.Filter]++
		}
	}
	t.Logf("%v cases; the attacker reaches half of the promised δ in %v", played, near)
}

func drawPromise(d draw) adaptive.Promise {
	p := adaptive.Promise{
		Filter:  one(d, adaptive.Basic, adaptive.ZCDP, adaptive.GDP, adaptive.Mixture),
		Epsilon: d.log(0.1, 4), Delta: d.log(1e-9, 0.2), Alpha: 1 + d.log(0.3, 60),
	}
	switch p.Filter {
	case adaptive.Basic:
		p.Alpha = 0
		if d.IntN(4) == 0 {
			p.Delta = 0
		}
	case adaptive.GDP:
		p.Alpha = 0
	case adaptive.Mixture:
		if p.Orders = []float64{p.Alpha}; d.IntN(2) == 0 { // else one order
			p.Orders = []float64{2, 4, 8, 16}
			if p.Alpha = 0; d.IntN(2) == 0 {
				p.Alpha = one(d, p.Orders...)
			}
		}
		fallthrough
	default:
		if p.Filter != adaptive.Mixture {
			p.Alpha = 0
		}
		if d.IntN(2) == 0 {
			p.Failures = p.Delta * d.Float64()
		}
	}
	return p
}

// stock fills the list with releases of which a few fit, and the sizes.
func (m *market) stock(d draw, p adaptive.Promise) {
	coin := func(_, x float64) ware { return ware{accounting.PureDP(8 * x), oracle.Coin(8 * x)} }
	noise := func(edge float64) func(_, x float64) ware {
		return func(_, x float64) ware { return ware{accounting.GaussianDP(8 * x), cutNormal(8*x, edge)} }
	}
	leak := func(extra float64) func(loss, x float64) ware {
		return func(loss, x float64) ware {
			shows := oracle.Leak(math.Max(0.01, p.Epsilon-loss+extra), x/2)
			return ware{declare(p, m.filter, shows), shows}
		}
	}
	failing := func(share float64) func(_, x float64) ware {
		return func(_, x float64) ware {
			delta := math.Min(0.9, share*math.Max(p.Failures,
				p.Delta*float64(map[bool]int{true: 1}[p.Filter == adaptive.Basic])))
			return ware{accounting.ApproximateDP(8*x, delta), oracle.Failing(8*x, delta)}
		}
	}
	switch p.Filter {
	case adaptive.GDP:
		m.sizes = append(m.sizes, noise(0), noise(d.log(0.1, 3)))
	case adaptive.Basic:
		m.sizes = append(m.sizes, coin)
	default:
		order := 1 + d.log(0.3, 30)
		if p.Filter == adaptive.Mixture {
			order = one(d, p.Orders...)
		}
		m.sizes = append(m.sizes, coin, leak(d.log(0.01, 1)), leak(math.Log1p(1/(order-1))), noise(d.log(0.1, 3)))
	}
	if p.Failures > 0 || p.Filter == adaptive.Basic && p.Delta > 0 {
		m.sizes = append(m.sizes, failing(1), failing(0.3))
	}
	whole := buying{market: m}
	for range 2 {
		size := one(d, m.sizes...)
		x := oracle.Largest(func(x float64) bool { _, ok := whole.after(size(0, x)); return ok }, 40)
		m.list = append(m.list, size(0, x*(0.2+0.7*d.Float64())))
	}
}

// declare returns the number a filter wants of a release of which all is known.
func declare(p adaptive.Promise, f adaptive.Filter, shows oracle.Offer) accounting.Release {
	if p.Filter == adaptive.ZCDP {
		rho := 0.0
		for _, alpha := range []float64{1.0001, 1.05, 1.2, 1.5, 2, 3, 4, 6, 8, 12, 20, 40, 80, 200, 1000} {
			rho = math.Max(rho, shows.Renyi(alpha)/alpha)
		}
		return accounting.ConcentratedDP(0, rho*1.2) // more than the largest between the orders
	}
	var points []accounting.RenyiPoint
	for _, alpha := range p.Orders {
		points = append(points, accounting.RenyiPoint{Alpha: alpha, Value: shows.Renyi(alpha)})
	}
	return accounting.RenyiPoints(points)
}

// cutNormal returns Gaussian noise of which is said on which side of two edges it lies.
func cutNormal(mu, edge float64) oracle.Offer {
	tail := func(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }
	at := func(m float64) []float64 {
		return []float64{tail(edge + mu/2 - m), tail(edge - mu/2 + m), 1 - tail(edge+mu/2-m) - tail(edge-mu/2+m)}
	}
	p, q := at(mu), at(0)
	if p[2] <= 0 || q[2] <= 0 {
		return oracle.Offer{P: []float64{p[0], 1 - p[0]}, Q: []float64{q[0], 1 - q[0]}}
	}
	return oracle.Offer{P: p, Q: q}
}
