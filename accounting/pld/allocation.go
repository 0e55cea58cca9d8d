package pld

import (
	"math"
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
	cut          float64 // X beyond exp(cut/z − 1/(2z²)) is taken for +∞ by the upper list
}

// partial is a value of a sum of X's and its Q-mass.
type partial struct{ x, q float64 }

const (
	// allocationCells is the number of mesh cells of a partial sum. The error in ε falls
	// with its square; the time grows with it.
	allocationCells = 1600
	// allocationTail is how many deviations of G the upper list reaches beyond the
	// P-mean: its tail mass is 7e-31.
	allocationTail = 11.5
	// allocationRoundoff bounds the relative error of a mass: about sixty roundings of
	// positive terms, and differences of Φ over cells that are not thin.
	allocationRoundoff = 1e-12
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
		a := newAllocation(t, z)
		upper, lower := a.pair(key, a.upper, true), a.pair(key+"-", a.lower, false)
		return twoFaced(key, upper, lower, "")
	})
}

func newAllocation(t, z float64) *allocation {
	a := &allocation{t: t, z: z, cut: 1/z + allocationTail}
	edges := a.firstMesh()
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.lower = a.power(a.first(edges, false), false)
	}()
	a.upper = a.power(a.first(edges, true), true)
	<-done
	return a
}

// value is X where the standard normal variable is g.
func (a *allocation) value(g float64) float64 { return math.Exp(g/a.z - 1/(2*a.z*a.z)) }

// firstMesh lists g's, evenly spaced from far below the Q-mean to the cut.
func (a *allocation) firstMesh() []float64 {
	g := make([]float64, allocationCells+1)
	lo := -10.0
	for i := range g {
		g[i] = lo + (a.cut-lo)*float64(i)/allocationCells
	}
	return g
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
func (a *allocation) first(g []float64, upper bool) []partial {
	cells := make([]cell2, 0, len(g)+1)
	add := func(from, to float64, x0, x1 float64) {
		m, f := normalBetween(from, to), normalBetween(from-1/a.z, to-1/a.z)
		cells = append(cells, cell2{x0, x1, math.Max(0, x1*m-f), math.Max(0, f-x0*m), m})
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

// cell2 is a cell of the mesh with what fell into it: its mass m, and the sums of mass
// times the distance to either end, toRight·(x1−x0)⁻¹ being the share that a spread
// which keeps the mean puts on the right end.
type cell2 struct{ x0, x1, toLeft, toRight, m float64 }

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
		if c.m > 0 {
			x := c.x0 + c.toRight/c.m
			list = append(list, partial{math.Min(math.Max(x, c.x0), c.x1), c.m})
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
	same := &u[0] == &v[0]
	for i, p := range u {
		from, twice := 0, 1.0
		if same {
			from, twice = i, 2
		}
		at := sort.SearchFloat64s(mesh, p.x+v[from].x)
		at = min(max(at-1, 0), len(cells)-1)
		c := &cells[at]
		for j := from; j < len(v); j++ {
			s, q := p.x+v[j].x, twice*p.q*v[j].q
			if same && j == i {
				q /= 2
			}
			for s > c.x1 && at < len(cells)-1 {
				at++
				c = &cells[at]
			}
			c.m += q
			c.toRight += q * (s - c.x0)
			c.toLeft += q * (c.x1 - s)
		}
	}
	if upper {
		return spread(cells)
	}
	return contract(cells)
}

// mesh has a quarter of its points evenly spaced in ln x over the whole range, the others
// over the bulk of a sum of k copies, whose mean is k and whose variance is k(e^{1/z²} − 1).
func (a *allocation) mesh(lo, hi, k float64) []float64 {
	least := math.Max(lo, k*math.Exp(-40/a.z-40))
	deviation := math.Sqrt(math.Log1p(math.Expm1(1/(a.z*a.z)) / k))
	from, to := math.Log(least), math.Log(hi)
	bulkFrom, bulkTo := math.Max(from, math.Log(k)-8*deviation), math.Min(to, math.Log(k)+9*deviation)
	points := make([]float64, 0, allocationCells+3)
	if lo < least {
		points = append(points, lo)
	}
	points = append(points, least, hi)
	const coarse, fine = allocationCells / 2, allocationCells / 2
	for i := 1; i < coarse; i++ {
		points = append(points, math.Exp(from+(to-from)*float64(i)/coarse))
	}
	for i := 0; i <= fine && bulkTo > bulkFrom; i++ {
		points = append(points, math.Exp(bulkFrom+(bulkTo-bulkFrom)*float64(i)/fine))
	}
	sort.Float64s(points)
	kept := points[:1]
	for _, x := range points[1:] {
		if x > kept[len(kept)-1]*(1+1e-9) && x <= hi || x == hi && kept[len(kept)-1] < hi {
			kept = append(kept, x)
		}
	}
	if len(kept) == 1 {
		kept = append(kept, kept[0]*(1+1e-9))
	}
	return kept
}

// pair is the list as the two directions of a pair, its masses moved to the side that
// keeps it above or below.
func (a *allocation) pair(key string, list []partial, upper bool) Pair {
	pad, top, topAdd := -allocationRoundoff, 0.0, 0.0
	if upper {
		p, q := special.NormalCDF(1/a.z-a.cut), special.NormalCDF(-a.cut)
		pad = allocationRoundoff
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
		remove = append(remove, atom{loss + pad, s.q * ratio, s.q * ratio * math.Exp(-loss-pad)})
		add = append(add, atom{-loss + pad, s.q, s.q * math.Exp(loss-pad)})
	}
	r := estimate(key, remove, top, pad)
	d := estimate(key+"′", add, topAdd, pad)
	if upper {
		r.bound, d.bound = a.renyiRemove, a.renyiAdd
		r.covers, d.covers = true, true
	}
	return Pair{Remove: r, Add: d}
}
