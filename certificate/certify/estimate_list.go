package certify

import "math"

// estimatedList is a list of losses: P-mass masses[i] at loss offset + (low+i)·step, and infinite at +∞.
type estimatedList struct {
	low              int
	masses           []float64
	infinite, offset float64
	count            float64
}

// checkerLattice holds the lattice that a certificate chose for one release's list.
type checkerLattice struct {
	step, cut float64
	tests     int
}

// window returns the lattice indices between which all but a mass of cut lies, as a checker does.
func (g checkerLattice) window(p *estimatedPair, isAdd bool) (low, high int) {
	far := 55.0
	if p.m > 0 {
		far = 25
	}
	most := int(far / g.step)
	ends := [2]int{}
	for side, sign := range []int{-1, 1} {
		beyond := func(j int) float64 { return p.curve(isAdd != (sign < 0), math.Exp(float64(j)*g.step)) }
		from, to := 0, most
		for least := beyond(most) + g.cut; to-from > 1; {
			if mid := (from + to) / 2; beyond(mid) <= least {
				to = mid
			} else {
				from = mid
			}
		}
		ends[side] = sign * to
	}
	return ends[0], ends[1]
}

// upperList returns the list of the polygon through f at the lattice points: its P-masses are the changes of slope.
func (g checkerLattice) upperList(p *estimatedPair, isAdd bool) estimatedList {
	low, high := g.window(p, isAdd)
	masses := make([]float64, high-low+1)
	ratio := func(j int) float64 { return math.Exp(float64(j) * g.step) }
	grow := math.Expm1(g.step)
	f := make([]float64, high+1)
	for j := range f {
		f[j] = p.curve(isAdd, ratio(j))
	}
	slope := func(j int) float64 { // from lattice point j to the next, j ≥ 0
		if j >= high {
			return 0
		}
		return (f[j+1] - f[j]) / (ratio(j) * grow)
	}
	rest := make([]float64, -low+1) // f − (1 − x) at −j
	for j := range rest {
		rest[j] = p.excess(isAdd, ratio(-j))
	}
	restSlope := func(j int) float64 { // of f − (1 − x), from lattice point −j to the next, j > 0
		if j > -low {
			return rest[-low] / ratio(low) // the chord to f(0) = 1
		}
		return (rest[j-1] - rest[j]) / (ratio(-j) * grow)
	}
	total := f[high]
	for j := low; j <= high; j++ {
		var change float64
		switch {
		case j > 0:
			change = slope(j) - slope(j-1)
		case j == 0:
			change = slope(0) - (restSlope(1) - 1)
		default:
			change = restSlope(-j) - restSlope(-j+1)
		}
		masses[j-low] = math.Max(0, change*ratio(j))
		total += masses[j-low]
	}
	masses[-low] += 1 - total // round-off
	return estimatedList{low: low, masses: masses, infinite: f[high], count: p.count}
}

// corners returns points (Q(S), P(S)) of events on their upper hull, from the P-mass where Q has none to (1, 1).
func (g checkerLattice) corners(p *estimatedPair, low, high int) [][2]float64 {
	points := [][2]float64{}
	if p.isTable {
		for _, s := range p.sums {
			points = append(points, [2]float64{s[1], s[0]})
		}
	} else {
		add := func(x float64) {
			a, b := p.test(x)
			points = append(points, [2]float64{b, a})
		}
		atoms := []float64{}
		if p.eps > 0 { // just below and above its atoms
			for _, l := range []float64{p.eps * (1 - 1e-13), -p.eps * (1 - 1e-13), -p.eps * (1 + 1e-13)} {
				atoms = append(atoms, 1-p.q+p.q*math.Exp(l))
			}
		}
		for n := high * g.tests; n >= low*g.tests; n-- {
			if n%g.tests != 0 && max(n, -n) >= 128*g.tests {
				continue
			}
			x := math.Exp(float64(n) / float64(g.tests) * g.step)
			for len(atoms) > 0 && atoms[0] >= x {
				add(atoms[0])
				atoms = atoms[1:]
			}
			add(x)
		}
		for _, x := range atoms {
			add(x)
		}
	}
	list := [][2]float64{{0, p.infinite()}}
	for _, v := range points {
		if last := list[len(list)-1]; v[0] <= last[0] || v[0] >= 1 || v[1] <= last[1] {
			continue
		}
		for n := len(list); n > 1; n = len(list) {
			a, b := list[n-2], list[n-1]
			if (b[1]-a[1])*(v[0]-b[0]) > (v[1]-b[1])*(b[0]-a[0]) {
				break
			}
			list = list[:n-1]
		}
		list = append(list, v)
	}
	return append(list, [2]float64{1, 1})
}

// lowerList returns the list of a path below the corners with legs of the slopes e^(offset + j·step).
func (g checkerLattice) lowerList(v [][2]float64, low, high int, offset, count float64) estimatedList {
	const touching = 1 + 1e-12 // a leg that meets a corner passes below it
	at, i := v[0], 1
	masses := make([]float64, high-low+1)
	for j := high; j >= low; j-- {
		slope, first := math.Exp(offset+float64(j)*g.step), i
		for i < len(v) && at[1]+slope*(v[i][0]-at[0]) <= v[i][1]*touching {
			i++
		}
		if i == first {
			continue
		}
		from := v[i-1]
		end := from[0]
		if i < len(v) { // on, as far as the leg stays below the edge
			gap := from[1] - at[1] - slope*(from[0]-at[0])
			if steeper := slope - (v[i][1]-from[1])/(v[i][0]-from[0]); steeper > 0 && gap > 0 {
				end += math.Min(gap/steeper, v[i][0]-from[0])
			}
		}
		masses[j-low] = slope * (end - at[0])
		at = [2]float64{end, at[1] + masses[j-low]}
	}
	return estimatedList{low: low, masses: masses, infinite: v[0][1], offset: offset, count: count}
}

// meanLoss returns the mean loss of a lower list, with its missing mass at loss −3. The offset is chosen to maximise
// it.
func (l estimatedList) meanLoss(step float64) float64 {
	sum, missing := 0.0, 1.0
	for i, m := range l.masses {
		sum += m * (l.offset + float64(l.low+i)*step)
		missing -= m
	}
	return sum - 3*missing
}

// bestOffset returns the offset with the largest mean loss of the lower list.
func (g checkerLattice) bestOffset(p *estimatedPair) float64 {
	const first, halvings = 6, 6
	low, high := g.window(p, false)
	v := g.corners(p, low, high)
	mean := func(offset float64) float64 { return g.lowerList(v, low-1, high+1, offset, 1).meanLoss(g.step) }
	best, value := 0.0, mean(0)
	try := func(offset float64) {
		if m := mean(offset); m > value {
			best, value = offset, m
		}
	}
	for n := 1.0; n < first; n++ {
		try(g.step * n / first)
	}
	for around := g.step / (2 * first); around > g.step/(2*first)/math.Exp2(halvings); around /= 2 {
		centre := best
		try(centre + around)
		try(centre - around)
	}
	return best
}
