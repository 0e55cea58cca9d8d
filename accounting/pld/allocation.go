package pld

import (
	"math"
	"math/bits"
	"sort"

	"epsiloscope/accounting/special"
)

// Random allocation ("balls and bins"): every epoch each record goes to one of t
// batches, chosen evenly and afresh, and every batch is released with Gaussian noise
// of z clipping norms (Chua et al. 2024, "Balls-and-Bins sampling for DP-SGD"; Feldman
// & Shenfeld 2025). Of one epoch the pair is P = (1/t)·Σ N(e_i/z, I) against
// Q = N(0, I) in t dimensions.
//
// Under Q let X_i = exp(G_i/z − 1/(2z²)) with independent standard normal G_i, a
// lognormal variable of mean 1, and S = ΣX_i. The loss is ln(S/t), and
//
//	remove: δ(ε) = E[(S/t − e^ε)₊],    add: δ(ε) = E[(1 − e^ε·S/t)₊].
//
// Both are convex in every X_i. So a spread of X that keeps its mean, and a spread of
// any partial sum, gives a pair that dominates in both directions at every ε; a
// contraction that keeps the mean gives one that is dominated. S is built by doubling,
// each sum being put on a mesh again: spread onto the two ends of its cell (upper), or
// every cell contracted to its mean (lower). All terms are positive, so nothing cancels.
type allocation struct {
	t, z         float64
	upper, lower []partial
	deviates     []float64 // g at the ends of the cells of X
	cut          float64   // the last: X beyond exp(cut/z − 1/(2z²)) is taken for +∞ by the upper list
	sums         float64   // that S is built from, one after the other
	logs         []float64 // losses of the upper list
	lowEnds      []lowEnd
}

// partial is a value of a sum of X's and its Q-mass.
type partial struct{ x, q float64 }

// allocationTail is how many deviations of G the upper list reaches beyond the P-mean: its
// tail mass is 7e-31.
const allocationTail = 11.5

// cells is the number of cells of X, and about that of a sum. Each sum adds a variance that
// falls with the square of it: with this many ε is known to about 1e-3.
func (a *allocation) cells() int { return 700 + 20*int(a.sums) }

// roundoff bounds the relative error of a mass. A cell is filled row by row from positive
// terms, and there are at most as many rows, and terms in a row, as cells: each sum of
// copies adds that much to the errors of what it adds up, which is twice as much for twice as
// many copies. A mass of X is a difference of Φ over a hundredth, or more.
func (a *allocation) roundoff() float64 { return ulp * 2 * a.t * float64(2*a.cells()+500) }

// misplaced bounds the relative error of a value: one rounding by sum, and in the first cells
// the error of a mean.
func (a *allocation) misplaced() float64 { return ulp * (a.sums + 2000) }

// Where the numbers end: with less noise X is too large for them, and of more copies the
// round-off too much.
const (
	leastAllocationNoise = 0.1
	mostAllocated        = 1 << 30
)

// Allocation is the pair of one epoch of random allocation to t batches with noise
// multiplier z.
func Allocation(t, z float64) Pair {
	t = math.Floor(t) // fewer batches hide less
	if t <= 1 {
		return Gaussian(1 / z)
	}
	key := "allocation(" + number(t) + "," + number(z) + ")"
	return games.get(key, func() Pair {
		if z < leastAllocationNoise || t > mostAllocated {
			upper := Gaussian(1 / z)
			if z >= leastAllocationNoise {
				a := newAllocation(mostAllocated, z)
				upper = a.pair(key, a.upper, true)
			}
			return between(key, upper, largestCoordinate(key+"-", t, z, 1, 0), allocationNote)
		}
		a := newAllocation(t, z)
		return between(key, a.pair(key, a.upper, true), a.pair(key+"-", a.lower, false), "")
	})
}

const allocationNote = "with so little noise, or so many batches, the gain by allocation is not computed in full; the lower end is an attack on the largest coordinate"

func newAllocation(t, z float64) *allocation {
	a := &allocation{t: t, z: z, cut: 1/z + allocationTail}
	a.sums = float64(bits.Len64(uint64(t)) + bits.OnesCount64(uint64(t)) - 2)
	a.deviates = a.firstMesh()
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.lower = a.power(a.first(false), false)
	}()
	a.upper = a.power(a.first(true), true)
	<-done
	a.prepare()
	return a
}

// value is X where the standard normal variable is g.
func (a *allocation) value(g float64) float64 { return math.Exp(g/a.z - 1/(2*a.z*a.z)) }

// firstMesh lists g's from far below the Q-mean to the cut, most of them where the mass under
// Q and P is.
func (a *allocation) firstMesh() []float64 {
	n := a.cells()
	var g []float64
	even := func(from, to float64, n int) {
		for i := range n {
			g = append(g, from+(to-from)*float64(i)/float64(n))
		}
	}
	even(-10, -5, n/14)
	even(-5, 1/a.z+7, n-2*(n/14))
	even(1/a.z+7, a.cut, n/14)
	return append(g, a.cut)
}

// normalBetween is Φ(b) − Φ(a) without cancellation in the tails.
func normalBetween(a, b float64) float64 {
	if a > 0 {
		a, b = -b, -a
	}
	return special.NormalCDF(b) - special.NormalCDF(a)
}

// first is X on its mesh. A cell has Q-mass m and first moment f, which is its mass
// under N(1/z, 1).
func (a *allocation) first(upper bool) []partial {
	g := a.deviates
	cells := make([]cell2, 0, len(g)+1)
	add := func(from, to float64, x0, x1 float64) {
		m, f := normalBetween(from, to), normalBetween(from-1/a.z, to-1/a.z)
		cells = append(cells, cell2{x0, x1, math.Max(0, x1*m-f), math.Max(0, f-x0*m)})
	}
	add(math.Inf(-1), g[0], 0, a.value(g[0]))
	for i := 1; i < len(g); i++ {
		add(g[i-1], g[i], a.value(g[i-1]), a.value(g[i]))
	}
	if upper {
		return spread(cells)
	}
	// Beyond the cut a contraction may put everything at its mean.
	last, end := len(g)-1, math.Inf(1)
	m, f := normalBetween(g[last], end), normalBetween(g[last]-1/a.z, end)
	list := contract(cells)
	if m > 0 {
		list = append(list, partial{f / m, m})
	}
	return list
}

// cell2 is a cell of the mesh with what fell into it: the sums of mass times the distance to
// either end, toRight·(x1−x0)⁻¹ being the share that a spread which keeps the mean puts on
// the right end.
type cell2 struct{ x0, x1, toLeft, toRight float64 }

// spread puts the mass of each cell on its two ends, keeping the mean.
func spread(cells []cell2) []partial {
	list := make([]partial, 0, len(cells)+1)
	put := func(x, q float64) {
		if q <= 0 {
			return
		}
		if n := len(list); n > 0 && list[n-1].x == x {
			list[n-1].q += q
			return
		}
		list = append(list, partial{x, q})
	}
	for _, c := range cells {
		width := c.x1 - c.x0
		put(c.x0, c.toLeft/width)
		put(c.x1, c.toRight/width)
	}
	return list
}

// contract puts the mass of each cell on its mean.
func contract(cells []cell2) []partial {
	list := make([]partial, 0, len(cells))
	for _, c := range cells {
		if all := c.toLeft + c.toRight; all > 0 {
			width := c.x1 - c.x0
			list = append(list, partial{math.Min(c.x0+width*(c.toRight/all), c.x1), all / width})
		}
	}
	return list
}

// power is the sum of t independent copies, by doubling.
func (a *allocation) power(x []partial, upper bool) []partial {
	var sum []partial
	have := 0.0
	for n, copies := uint64(a.t), 1.0; ; copies *= 2 {
		if n&1 == 1 {
			if sum == nil {
				sum, have = x, copies
			} else {
				have += copies
				sum = a.add(sum, x, have, upper)
			}
		}
		if n >>= 1; n == 0 {
			return sum
		}
		x = a.add(x, x, 2*copies, upper)
	}
}

// add is the sum of two independent partial sums on the mesh for k copies of X.
func (a *allocation) add(u, v []partial, k float64, upper bool) []partial {
	mesh := a.mesh(u[0].x+v[0].x, u[len(u)-1].x+v[len(v)-1].x, k)
	cells := make([]cell2, len(mesh)-1)
	for i := range cells {
		cells[i] = cell2{x0: mesh[i], x1: mesh[i+1]}
	}
	same, start := &u[0] == &v[0], 0
	for i, p := range u {
		row := v
		if same { // all others twice
			row = v[i:]
		}
		for start < len(cells)-1 && p.x+row[0].x > cells[start].x1 {
			start++
		}
		at := start
		x0, x1 := cells[at].x0, cells[at].x1
		var toLeft, toRight float64
		for j, r := range row {
			s, q := p.x+r.x, p.q*r.q
			if same && j > 0 {
				q *= 2
			}
			if s > x1 && at < len(cells)-1 {
				cells[at].toLeft += toLeft
				cells[at].toRight += toRight
				toLeft, toRight = 0, 0
				for at++; s > cells[at].x1 && at < len(cells)-1; at++ {
				}
				x0, x1 = cells[at].x0, cells[at].x1
			}
			toLeft += q * (x1 - s)
			toRight += q * (s - x0)
		}
		cells[at].toLeft += toLeft
		cells[at].toRight += toRight
	}
	if upper {
		return spread(cells)
	}
	return contract(cells)
}

// mesh are the ends of the cells of a sum of k copies. Every mesh gives bounds; it decides how
// close they are, and it has points of three kinds. In the bulk, with mean k and variance
// k(e^{1/z²} − 1), they are dense, and beyond it farther apart in proportion to the distance.
// Where one X is large and makes the sum, they are the ends of its cells, moved by the mean of
// all others: so what was put on the ends stays on them. The rest lies far apart.
func (a *allocation) mesh(lo, hi, k float64) []float64 {
	deviation := math.Sqrt(math.Log1p(math.Expm1(1/(a.z*a.z)) / k))
	middle := math.Log(k)
	points := []float64{lo, hi}
	even := func(from, to float64, n int, x func(float64) float64) {
		for i := range n {
			points = append(points, x(from+(to-from)*float64(i)/float64(n)))
		}
	}
	n := a.cells()
	bulk := func(u float64) float64 { return math.Exp(middle + deviation*math.Sinh(u)) }
	even(-math.Asinh(9), math.Asinh(math.Max(9, 2/deviation)), n*3/4, bulk)
	even(math.Log(math.Max(lo, k*a.value(a.deviates[0]))), middle, n/10, math.Exp)
	even(math.Log(k-1+a.value(a.cut)), math.Log(hi), n/10, math.Exp)
	for _, g := range a.deviates {
		if x := a.value(g); x > k*deviation {
			points = append(points, k-1+x)
		}
	}
	sort.Float64s(points)
	mesh := points[:1]
	for _, x := range points[1:] {
		if last := mesh[len(mesh)-1]; x > last*(1+1e-9) && (x < hi || last < hi) {
			mesh = append(mesh, math.Min(x, hi))
		}
	}
	if len(mesh) == 1 {
		mesh = append(mesh, mesh[0]*(1+1e-9))
	}
	return mesh
}

// pair is the list as the two directions of a pair, its masses moved to the side that
// keeps it above or below.
func (a *allocation) pair(key string, list []partial, upper bool) Pair {
	pad, shift, top, topAdd := -a.roundoff(), -a.misplaced(), 0.0, 0.0
	if upper {
		p, q := special.NormalCDF(1/a.z-a.cut), special.NormalCDF(-a.cut)
		pad, shift = -pad, -shift
		top = 1 - (1-p)*math.Pow(1-q, a.t-1)
		if top < 2*(p+(a.t-1)*q) {
			top = p + (a.t-1)*q // the sum, where 1 − Π has no digits left
		}
		topAdd = a.t * q
	}
	var remove, add []atom
	for _, s := range list {
		ratio := s.x / a.t
		if ratio == 0 {
			topAdd += s.q
			continue
		}
		loss := math.Log(ratio)
		remove = append(remove, atom{loss + shift, s.q * ratio, s.q * ratio * math.Exp(-loss-shift)})
		add = append(add, atom{-loss + shift, s.q, s.q * math.Exp(loss-shift)})
	}
	r := estimate(key, remove, top, pad)
	d := estimate(key+"′", add, topAdd, pad)
	if upper {
		r.bound, d.bound = a.renyiRemove, a.renyiAdd
		r.covers, d.covers = true, true
	}
	return Pair{Remove: known(r), Add: known(d)}
}
