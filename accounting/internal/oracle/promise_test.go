package oracle_test

import (
	"fmt"
	"math"

	"epsiloscope/accounting/internal/oracle"
)

// promise is what an entry states, as a test of outcomes: of the mechanism run on two
// data sets that the statement is about.
type promise struct {
	adjacency oracle.Adjacency
	also      bool                      // the number bounds absence too
	silent    bool                      // a zeroed record adds nothing and is not counted
	sums      int                       // how far the sums may move; 0 is not said by sums
	absent    int                       // how far where a record is absent, if that is a number of its own
	rising    bool                      // all of them the same way
	clipped   bool                      // sums of clipped vectors: a record alone moves them by that, changed by twice
	holds     func(p, q []float64) bool // of the logarithms of chances
}

// free reports whether nothing is said of a record that is not there: then the
// mechanism may show how many records it got, and which rows.
func (p promise) free() bool {
	return p.adjacency != oracle.AddRemove && !p.also && !p.silent && !p.clipped
}

// kept holds the mechanism against its own promise, on everything it may be run on. A
// world in which this fails proves nothing.
func (p promise) kept(q *oracle.Query, kinds, rows int) error {
	runs := map[string][]float64{}
	run := func(d oracle.Data) []float64 {
		key := fmt.Sprint(d)
		if runs[key] == nil {
			for _, m := range q.Run(d) {
				runs[key] = append(runs[key], m.LogFloat())
			}
		}
		return runs[key]
	}
	for _, d := range oracle.Universe(kinds, rows, p.adjacency == oracle.ZeroOut) {
		for i, r := range d {
			var about []oracle.Data
			absent := p.adjacency == oracle.AddRemove || p.also || p.clipped
			if absent {
				about = append(about, d.Without(i))
			}
			switch p.adjacency {
			case oracle.Replace:
				for kind := range kinds {
					about = append(about, d.With(i, kind))
				}
			case oracle.ZeroOut:
				about = append(about, d.With(i, oracle.Zero))
			}
			for j, other := range about {
				far := p.sums
				if gone := absent && j == 0; p.clipped && !gone {
					far = 2 * p.sums
				} else if p.absent > 0 && gone {
					far = p.absent
				}
				if p.sums > 0 && !p.near(q.Sums(d), q.Sums(other), far) {
					return fmt.Errorf("the sums of %v and %v are further apart than %d", d, other, far)
				}
				if p.holds != nil && !(p.holds(run(d), run(other)) && p.holds(run(other), run(d))) {
					return fmt.Errorf("%v and %v break the promise", d, other)
				}
			}
			if p.silent && r.Kind == oracle.Zero && fmt.Sprint(run(d)) != fmt.Sprint(run(d.Without(i))) {
				return fmt.Errorf("a zeroed record of %v counts", d)
			}
		}
	}
	return nil
}

func (p promise) near(a, b []int, far int) bool {
	up, down := false, false
	for i := range a {
		if a[i]-b[i] > far || b[i]-a[i] > far {
			return false
		}
		up, down = up || a[i] > b[i], down || a[i] < b[i]
	}
	return !(p.rising && up && down)
}

// The statements a number can make, each from its definition, up to rounding.

func atMost(epsilon, delta float64) func(p, q []float64) bool {
	return func(p, q []float64) bool {
		lost := 0.0
		for i := range p {
			lost += math.Max(0, math.Exp(p[i])-math.Exp(epsilon+q[i])*(1+1e-12))
		}
		return lost <= delta*(1+1e-9)
	}
}

func divergences(at map[float64]float64) func(p, q []float64) bool {
	return func(p, q []float64) bool {
		for alpha, bound := range at {
			sum := 0.0 // of q·(p/q)^α, relative to what is allowed
			for i := range p {
				if !math.IsInf(p[i], -1) {
					sum += math.Exp(alpha*p[i] + (1-alpha)*q[i] - (alpha-1)*bound)
				}
			}
			if !(sum <= 1+1e-9) {
				return false
			}
		}
		return true
	}
}
