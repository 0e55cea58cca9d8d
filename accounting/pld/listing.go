package pld

import (
	"math"
	"slices"
	"sort"
)

// listing is the exact composition of releases that have few losses: every sum of
// losses with its probability. Put on a grid, an isolated loss can only be rounded
// down, by up to a step, whatever the sweep does; listed, it costs nothing. The rest of
// the stack is composed on a grid and averaged over the list.
//
// Sums too unlikely to matter are left out: P-mass of at most dropped in all, whatever
// the tilt, and tilted mass of at most thinned.
type listing struct {
	loss, p  []float64 // P-masses
	relative float64   // error of every mass
	dropped  float64
	thinned  float64
	log      float64 // Σ K·ln M(θ), the scale of thinned
	line     line    // of which it is, if of one
}

// maxListed bounds the length of a list beside a grid.
const maxListed = 2048

// maxListedAlone bounds it where there is no grid.
const maxListedAlone = 1 << 13

func emptyListing() listing { return listing{loss: []float64{0}, p: []float64{1}} }

// frugality says how much a list may leave out.
type frugality struct {
	theta float64
	p     float64 // P-mass
	thin  float64 // tilted mass, if the list is too long otherwise
	limit int
}

func (f frugality) over(n float64) frugality {
	f.p, f.thin = f.p/n, f.thin/n
	return f
}

// listed is one line as a list; ok is false if it is too long.
func (l line) listed(f frugality) (out listing, ok bool) {
	if l.upper.Key() != l.lower.Key() || l.upper.continuous() || l.count != math.Floor(l.count) || l.count > float64(f.limit) {
		return listing{}, false
	}
	atoms := l.upper.atoms()
	if len(atoms) == 0 {
		return listing{}, false
	}
	one := listing{relative: l.count * 16 * ulp, line: l}
	for _, a := range atoms {
		one.loss, one.p = append(one.loss, a.loss), append(one.p, a.p)
	}
	// The scale is that of the losses that matter: far out, a large tilt may weigh masses
	// of no account more than all others, which then would seem to weigh nothing.
	one.dropped = one.drop(f.over(l.count).p, func(i int) float64 { return one.p[i] })
	one.log = one.weight(f.theta) // of one release, until it is composed
	origin, step, lattice := latticeOf(l.upper)
	switch {
	case l.count == 1:
		one.trim(f)
	case lattice && len(atoms) > 2:
		ok = one.lattice(origin, step, l.count, f)
	default:
		ok = one.power(l.count, f)
	}
	return one, (ok || l.count == 1) && len(one.p) <= f.limit
}

// power lists every multiset of count losses; false if there are too many.
func (g *listing) power(count float64, f frugality) bool {
	size := func() float64 { return choose(count+float64(len(g.p))-1, float64(len(g.p))-1) }
	each := f.over(count)
	each.limit = math.MaxInt
	g.trim(each)
	if !(size() <= float64(4*f.limit)) {
		each.limit = 0
		g.trim(each)
	}
	n := len(g.p)
	if n == 0 || !(size() <= float64(4*f.limit)) || count > 900 { // C(count, k) leaves float64
		return false
	}
	var loss, mass []float64
	var place func(atom int, left, x, p float64)
	place = func(atom int, left, x, p float64) {
		if atom == n-1 {
			loss = append(loss, x+left*g.loss[atom])
			mass = append(mass, p*math.Pow(g.p[atom], left))
			return
		}
		c := 1.0 // C(left, k)·p^k
		for k := 0.0; k <= left; k++ {
			place(atom+1, left-k, x+k*g.loss[atom], p*c)
			c *= (left - k) / (k + 1) * g.p[atom]
		}
	}
	place(0, count, 0, 1)
	g.loss, g.p = loss, mass
	g.raised(count)
	g.trim(f)
	return true
}

// raised counts what is not listed of one release for count of them: at least one of
// the copies is not listed.
func (g *listing) raised(count float64) {
	g.dropped *= count
	g.thinned *= count
	g.log *= count
}

// choose is the binomial coefficient, or more than any list holds.
func choose(n, k float64) float64 {
	c := 1.0
	for i := 1.0; i <= math.Min(k, n-k); i++ {
		if c *= (n - math.Min(k, n-k) + i) / i; c > 1e12 {
			return c
		}
	}
	return c
}

// lattice lists the sums of count losses of a lattice, by repeated convolution of
// positive masses.
func (g *listing) lattice(origin, step, count float64, f frugality) bool {
	each := f.over(count)
	each.limit = math.MaxInt
	g.trim(each)
	index := func(x float64) int { return int(math.Round((x - origin) / step)) }
	first := index(g.loss[0])
	span := index(g.loss[len(g.loss)-1]) - first
	if size := float64(span) * count; size > float64(8*f.limit) || size*count*float64(span) > 4e6 {
		return false
	}
	mass := []float64{1}
	for k := 0.0; k < count; k++ {
		next := make([]float64, len(mass)+span)
		for j, p := range g.p {
			at := index(g.loss[j]) - first
			for i, q := range mass {
				next[i+at] += p * q
			}
		}
		mass = next
	}
	g.relative += count * float64(len(g.p)) * 2 * ulp
	g.loss, g.p = nil, nil
	for i, p := range mass {
		g.loss = append(g.loss, count*origin+(count*float64(first)+float64(i))*step)
		g.p = append(g.p, p)
	}
	g.raised(count)
	g.trim(f)
	return true
}

// times is the composition of two lists.
func (g listing) times(h listing, f frugality) listing {
	out := listing{
		log: g.log + h.log, relative: g.relative + h.relative + 2*ulp,
		dropped: g.dropped + h.dropped, thinned: g.thinned + h.thinned,
	}
	for i, x := range g.loss {
		for j, y := range h.loss {
			out.loss, out.p = append(out.loss, x+y), append(out.p, g.p[i]*h.p[j])
		}
	}
	out.trim(f)
	return out
}

// trim drops the smallest masses, and, if the list is still too long, the smallest
// tilted masses.
func (g *listing) trim(f frugality) {
	// Products below the range of float64 are gone: fewer than 1e7, less than 1e-300 each.
	g.dropped += 1e-293
	g.dropped += g.drop(f.p, func(i int) float64 { return g.p[i] })
	if len(g.p) > f.limit && f.thin > 0 {
		g.thinned += g.drop(f.thin, func(i int) float64 {
			return math.Max(1e-300, math.Exp(math.Log(g.p[i])+f.theta*g.loss[i]-g.log))
		})
	}
}

// weight is ln Σ p·e^{θ·loss}.
func (g *listing) weight(theta float64) float64 {
	top, terms := math.Inf(-1), 0.0
	for i, p := range g.p {
		top = math.Max(top, math.Log(p)+theta*g.loss[i])
	}
	for i, p := range g.p {
		terms += math.Exp(math.Log(p) + theta*g.loss[i] - top)
	}
	return top + math.Log(terms)
}

// drop leaves out sums of at most the given weight in all, smallest first, and returns
// an upper bound on it.
func (g *listing) drop(spare float64, weight func(int) float64) float64 {
	weights := make([]float64, len(g.p))
	sorted := make([]float64, len(g.p))
	for i := range weights {
		weights[i] = weight(i)
	}
	copy(sorted, weights)
	sort.Float64s(sorted)
	sum, cut := 0.0, -1.0
	for _, w := range sorted[:len(sorted)-1] {
		if sum += w; sum > spare {
			break
		}
		cut = w
	}
	var loss, p []float64
	gone := 0.0
	for i, w := range weights {
		if w <= cut && gone+w <= 2*spare {
			gone += w
			continue
		}
		loss, p = append(loss, g.loss[i]), append(p, g.p[i])
	}
	g.loss, g.p = loss, p
	return gone * (1 + 1e-9)
}

// list takes the lines with few losses out of a stack: all, if one list can hold them;
// else as many as a shorter one holds.
func (d direction) list(f frugality) (listing, direction) {
	if f = f.over(float64(2 * len(d.lines))); !slices.ContainsFunc(d.lines, func(l line) bool { return l.upper.continuous() }) {
		f.limit = maxListedAlone
		if g, rest := d.listWithin(f); len(rest.lines) == 0 && len(d.lines) > 0 {
			return g, rest
		}
	}
	f.limit = maxListed
	return d.listWithin(f)
}

func (d direction) listWithin(f frugality) (listing, direction) {
	var lists []listing
	rest := direction{name: d.name, note: d.note, cut: d.cut}
	for _, l := range d.lines {
		if len(d.lines) == 1 && l.above.bend == 0 { // one lattice is its own grid
			rest.lines = append(rest.lines, l)
		} else if g, ok := l.listed(f); ok {
			lists = append(lists, g)
		} else {
			rest.lines = append(rest.lines, l)
		}
	}
	sort.SliceStable(lists, func(i, j int) bool { return len(lists[i].p) < len(lists[j].p) })
	all := emptyListing()
	for _, g := range lists {
		if len(all.p)*len(g.p) <= 4*f.limit {
			if next := all.times(g, f); len(next.p) <= f.limit {
				all = next
				continue
			}
		}
		rest.lines = append(rest.lines, g.line)
	}
	return all, rest
}
