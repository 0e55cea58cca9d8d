package oracle_test

import (
	"math"

	"epsiloscope/accounting/internal/oracle"
)

// maker builds the mechanisms of one entry: what each kind of record adds, what they
// show besides, and the noise over the sums that occur.
type maker struct {
	draw
	promise
	kinds, rows int
	rate        float64
}

// window returns where contributions to one sum may lie. Where something is said of
// absence they hold 0; else they may lie anywhere, as only their width is stated.
func (m maker) window(width int) (low, high, zero int) {
	switch {
	case m.clipped:
		return -width, width, 0
	case m.adjacency == oracle.AddRemove, m.adjacency == oracle.ZeroOut && m.silent:
		if m.rising {
			return 0, width, 0
		}
		return -width, width, 0
	case m.absent > 0:
		low = one(m.draw, -m.absent, m.absent-width)
		return low, low + width, 0
	case m.also:
		low = -m.between(0, width)
		return low, low + width, low + m.between(0, width)
	}
	base := one(m.draw, 0, -width, 3*width, 3*width, -4*width)
	if m.rows == 1 && m.IntN(2) == 0 {
		base = 10 * width
	}
	if m.adjacency == oracle.ZeroOut {
		return base - width, base + width, base
	}
	return base, base + width, 0
}

// query puts noise on some sums of width Δ each. Extreme ones have the ends of the
// window in turn: of two such, with turn 0 and 1, each has the kinds of record change
// their roles.
func (m maker) query(sums, width int, noise func(low, high int) oracle.Kernel, extreme bool, turn int) *oracle.Query {
	contribution := make([][]int, sums)
	zeroed := make([]int, sums)
	for s := range contribution {
		low, high, zero := m.window(width)
		zeroed[s] = zero
		contribution[s] = make([]int, m.kinds)
		for kind := range m.kinds {
			switch {
			case extreme && (kind+s+turn)%2 == 0:
				contribution[s][kind] = high
			case extreme:
				contribution[s][kind] = low
			default:
				contribution[s][kind] = m.between(low, high)
			}
		}
	}
	turning := m.free() && m.IntN(4) == 0 // upside down where an odd number was drawn
	q := &oracle.Query{Rate: m.rate, Sums: func(d oracle.Data) []int {
		out := make([]int, sums)
		for s := range out {
			for _, r := range d {
				if r.Kind == oracle.Zero {
					out[s] += zeroed[s]
				} else {
					out[s] += contribution[s][r.Kind]
				}
			}
			if turning && len(d)%2 == 1 {
				out[s] = -out[s]
			}
		}
		return out
	}}
	low, high := 0, 0
	for _, d := range oracle.Universe(m.kinds, m.rows, m.adjacency == oracle.ZeroOut) {
		low, high = min(low, q.Sums(d)[0]), max(high, q.Sums(d)[0])
	}
	q.Noise = noise(low, high)
	m.show(q)
	return q
}

// show lets a mechanism whose number says nothing of absence show who was drawn.
func (m maker) show(q *oracle.Query) {
	if !m.free() {
		return
	}
	switch m.IntN(3) {
	case 0:
		q.Shows, q.Shown = m.rows+1, func(d oracle.Data) int { return len(d) }
	case 1:
		q.Shows, q.Shown = 1<<m.rows, func(d oracle.Data) (rows int) {
			for _, r := range d {
				rows |= 1 << r.Row
			}
			return rows
		}
	}
}

// additive returns two or three releases of one sum to choose from.
func (m maker) additive(width int, kernels ...func(low, high int) oracle.Kernel) (list []*oracle.Query) {
	for i := range max(len(kernels), m.between(1, 3)) {
		list = append(list, m.query(1, width, kernels[i%len(kernels)], i < 2, i))
	}
	return list
}

// reports returns the answers of randomized response, one a row where rows are public.
func (m maker) reports(epsilon float64, categories int) *oracle.Query {
	if m.adjacency == oracle.AddRemove { // somebody who stays away sends an answer all the same
		return m.query(1, 1, func(int, int) oracle.Kernel {
			return oracle.ResponseKernel(epsilon, categories)
		}, true, 0)
	}
	return &oracle.Query{Rate: m.rate, Noise: oracle.ReportsKernel(epsilon, categories),
		Sums: func(d oracle.Data) []int {
			out := make([]int, m.rows)
			for _, r := range d {
				out[r.Row] = 1 + max(0, r.Kind)%categories
			}
			return out
		}}
}

// selections pick among three kinds of candidates, some of them many and tied where the
// kernel knows of copies.
func (m maker) selections(epsilon float64,
	kernel func(rate float64, copies []float64, base []int) oracle.Kernel) (list []*oracle.Query) {
	if !m.rising {
		epsilon /= 2
	}
	for i := range m.between(1, 3) {
		var copies []float64
		var base []int
		for range 3 {
			copies = append(copies, math.Round(m.log(1, 1000)))
			base = append(base, m.between(0, 3))
		}
		list = append(list, m.query(3, 1, func(int, int) oracle.Kernel {
			return kernel(epsilon, copies, base)
		}, i == 0, i))
	}
	return list
}
