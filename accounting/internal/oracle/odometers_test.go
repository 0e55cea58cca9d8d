package oracle_test

import (
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/internal/oracle"
)

// reading is the purse of an attacker who buys what the filter allows and stops where the loss
// is larger than the odometer shows.
type reading struct {
	*market
	odometer adaptive.Odometer
	exact    bool // no release fails: the loss itself is bounded
	sum      adaptive.Cost
	left     int
}

func (r reading) Stop(p, q float64) float64 {
	shown := r.odometer.At(r.sum)
	switch {
	case !r.exact:
		return oracle.Excess(p, q, math.Exp(shown))
	case p > q*math.Exp(shown*(1+1e-12)):
		return p
	}
	return 0
}

func (r reading) Open(float64) (offers []oracle.Offer, after []oracle.Purse) {
	for _, w := range r.list {
		cost, err := r.filter.Price([]accounting.Entry{{Release: w.declared, Count: 1}})
		if err != nil || r.left == 0 {
			continue
		}
		next := r
		if next.sum, next.left = r.sum.Plus(cost), r.left-1; r.filter.Fits(next.sum) != nil {
			continue
		}
		for _, o := range w.ways() {
			offers, after = append(offers, o), append(after, next)
		}
	}
	return offers, after
}

// What an odometer shows holds at a time that depends on the outputs: the loss is above it with
// probability δ at most; where releases fail, no event is more likely than it allows.
func TestOdometersHold(t *testing.T) {
	near := map[string]int{}
	for n := range numbers / 40 {
		d := numbered(n)
		p := drawPromise(d)
		p.Odometer = one(d, "line", "mixture")
		f, err := adaptive.New(p)
		for err != nil {
			p = drawPromise(d)
			f, err = adaptive.New(p)
		}
		o, ok := f.Odometer()
		if !ok {
			continue
		}
		m := &market{filter: f, lift: math.Exp(p.Epsilon)}
		m.stock(d, p)
		exact := true
		for _, w := range m.list {
			exact = exact && len(w.shows.P) < 4
		}
		reached := oracle.Spend(reading{market: m, odometer: o, exact: exact, left: d.between(2, 4)})
		if reached > p.Delta*(1+1e-9)+1e-15 {
			t.Errorf("case %d: %s: the attacker is above it with probability %.12g\n%+v", n, o.Name, reached, p)
		}
		if near[o.Name] += 0; reached > p.Delta/10 {
			near[o.Name]++
		}
	}
	t.Logf("%d cases; the attacker reaches a tenth of δ in %v", numbers/40, near)
}
