package oracle_test

import (
	"fmt"
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/internal/oracle"
)

// book is a plan spent as tickets: any unspent one next, for what it shows or for less,
// chosen by what was seen.
type book struct {
	filter  adaptive.Filter
	tickets []ware
	prices  []adaptive.Cost // of the tickets
	turned  bool            // the other order of neighbours, of all tickets
	sum     adaptive.Cost
	worth   func(sum adaptive.Cost, p, q float64) float64
}

func (b book) Stop(p, q float64) float64 { return b.worth(b.sum, p, q) }

func (b book) Open(float64) (offers []oracle.Offer, after []oracle.Purse) {
	for i, w := range b.tickets {
		next := b
		if next.sum = b.sum.Plus(b.prices[i]); b.filter.Fits(next.sum) != nil {
			continue
		}
		shows := w.shows
		if b.turned {
			shows = shows.Turned()
		}
		offers, after = append(offers, shows), append(after, next)
		if len(shows.P) > 2 { // thrown together: a ticket may be spent on less
			less := oracle.Offer{P: []float64{shows.P[0], 1 - shows.P[0]}, Q: []float64{shows.Q[0], 1 - shows.Q[0]}}
			offers, after = append(offers, less), append(after, next)
		}
	}
	return offers, after
}

// drawTickets draws releases with what the worst of them shows.
func drawTickets(d draw) (tickets []ware, plan []accounting.Entry) {
	left := 5
	for len(tickets) < 3 && left > 0 {
		e := d.log(0.05, 1.5)
		var w ware
		switch d.IntN(4) {
		case 0:
			delta := d.log(1e-7, 1e-5) // of which a book of them leaves some of δ
			w = ware{accounting.ApproximateDP(e, delta), oracle.Failing(e, delta)}
		case 1: // a sampled coin: the two orders of neighbours differ
			c, q := oracle.Coin(e), 0.05+0.9*d.Float64()
			w = ware{accounting.Subsample(accounting.PureDP(e), q), oracle.Offer{P: oracle.Mixed(c.P, c.Q, q), Q: c.Q}}
		case 2:
			w = ware{accounting.GaussianDP(e), cutNormal(e, d.log(0.1, 1))}
		default:
			w = ware{accounting.PureDP(e), oracle.Coin(e)}
		}
		count := d.between(1, min(left, 3))
		left -= count
		tickets, plan = append(tickets, w), append(plan, accounting.Entry{Release: w.declared, Count: float64(count)})
	}
	return tickets, plan
}

// Whatever is spent, in whatever order, stopping adaptively: a plan keeps to its bound,
// and a ladder to the sum over its rungs.
func TestBooksKeepTheirPromise(t *testing.T) {
	near, ladders := 0, 0
	for n := range numbers / 200 {
		d := numbered(n)
		tickets, plan := drawTickets(d)
		delta, rungs := d.log(1e-4, 0.2), one(d, 1, 2, 3)
		climbed, err := adaptive.RungBounds(t.Context(), plan, delta, rungs, 1e-3)
		if err != nil {
			t.Fatal(err)
		}
		bounds := adaptive.Rungs(climbed)
		p := adaptive.Promise{Filter: adaptive.Plan, Epsilon: bounds[rungs-1], Delta: delta, Plan: plan, Rungs: bounds}
		f, err := adaptive.New(p)
		if err != nil {
			t.Fatal(err)
		}
		at := func(adaptive.Cost) float64 { return p.Epsilon }
		if rungs > 1 {
			o, _ := f.Odometer()
			at = o.At
			ladders++
		}
		prices := make([]adaptive.Cost, len(tickets))
		for i, w := range tickets {
			if prices[i], err = f.Price([]accounting.Entry{{Release: w.declared, Count: 1}}); err != nil {
				t.Fatal(err)
			}
		}
		reached := 0.0
		for _, turned := range []bool{false, true} {
			reached = math.Max(reached, oracle.Spend(book{filter: f, tickets: tickets, prices: prices, turned: turned,
				worth: func(sum adaptive.Cost, p, q float64) float64 {
					return oracle.Excess(p, q, math.Exp(at(sum)))
				}}))
		}
		if reached > delta*(1+1e-9) {
			t.Errorf("book %d: the attacker reaches δ = %.12g of %g\n%v", n, reached, delta, describe(plan, bounds))
		}
		if reached > 0.9*delta {
			near++
		}
	}
	t.Logf("%d books, %d of them ladders; the attacker reaches nine tenths of δ in %d", numbers/200, ladders, near)
}

func describe(plan []accounting.Entry, rungs []float64) (text string) {
	for _, e := range plan {
		text += fmt.Sprintf("%g × %s, ", e.Count, e.Release.Key())
	}
	return text + fmt.Sprint("rungs ", rungs)
}
