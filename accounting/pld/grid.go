package pld

import "math"

// grid says where a law is to be cut.
type grid struct {
	origin, step float64
	from, to     int
	cuts         []int // indices, increasing, from … to
}

// maxCells is into how many cells one release is cut at most. A step so fine is asked
// for where a tilt belongs to far larger losses than this law has; a coarser one is
// as valid, and wider.
const maxCells = 1 << 17

// layGrid chooses the lattice for a law: its own, if it has one that is coarse enough;
// else one through its extreme atoms. Cells grow where the tilted mass beyond is so
// small that their width does not matter.
func layGrid(l law, o outline, c cumulants, theta, step, miss, logTail float64) grid {
	var mean, deviation float64
	if l.continuous() {
		mean, deviation = moments(l)
	}
	lo, hi := horizon(l, mean, deviation, logTail)
	if l.continuous() { // others have as many cells as losses, whatever the step
		step = math.Max(step, (hi-lo)/maxCells)
	}
	g := grid{origin: 0, step: step}
	spanLo, spanHi := l.span()
	switch origin, own, lattice := latticeOf(l); {
	case lattice:
		g.origin, g.step = origin, own*math.Max(1, math.Floor(step/own))
	case o.scattered:
		if origin, fine, ok := o.align(theta, c, step, miss); ok {
			g.origin, g.step = origin, fine
		} else {
			g.origin, g.step = spanLo, math.Max(math.Min(step, miss), (hi-lo)/maxLength)
		}
	case !math.IsInf(spanLo, 0) && !math.IsInf(spanHi, 0) && spanHi > spanLo:
		g.origin = spanLo
		// An even number of cells: the sweep likes to use every second point, and then
		// ends on one.
		g.step = (spanHi - spanLo) / (2 * math.Ceil((spanHi-spanLo)/(2*step)))
	case len(l.atoms()) > 0:
		g.origin = l.atoms()[0].loss
	case !math.IsInf(spanLo, 0):
		g.origin = spanLo
	}
	g.from = int(math.Floor((lo-g.origin)/g.step + gridTolerance))
	g.to = int(math.Ceil((hi-g.origin)/g.step - gridTolerance))
	if g.to <= g.from {
		g.to = g.from + 1
	}
	if l.continuous() {
		g.stretch(o, c, theta)
	} else {
		g.around(l.atoms())
	}
	return g
}

// around lists the cuts next to point masses; between them there is nothing to cut.
func (g *grid) around(atoms []atom) {
	g.cuts = []int{g.from}
	cut := func(j int) {
		if j > g.cuts[len(g.cuts)-1] && j <= g.to {
			g.cuts = append(g.cuts, j)
		}
	}
	for _, a := range atoms {
		j := gridIndex(a.loss, g.origin, g.step)
		if j < float64(g.from) || j > float64(g.to) {
			continue
		}
		cut(int(j))
		if a.loss > g.at(int(j)) {
			cut(int(j) + 1)
		}
	}
	cut(g.to)
}

// stretch lists the cuts: every index near the tilted mean, every second, fourth, …
// where the tilted mass beyond has fallen to a hundredth, a four-hundredth, … so that
// the variance a cell adds stays small in all.
func (g *grid) stretch(o outline, c cumulants, theta float64) {
	centre := int(math.Round((c.mean - g.origin) / g.step))
	centre = min(max(centre, g.from), g.to)
	walk := func(end, sign int) []int {
		beyond := o.beyond(theta, c, float64(sign))
		var out []int
		width, limit := 1, 0.01/4
		for at, since := centre, 0; at != end; {
			if since++; since >= 4 { // ask again every few cells
				since = 0
				// Moving a mass up by w multiplies its tilted weight by up to e^{θw}.
				if beyond(g.at(at))*math.Exp(theta*g.step*float64(2*width)) < limit {
					width, limit = 2*width, limit/4
				}
			}
			next := at + sign*width
			if sign*(next-end) > 0 {
				next = end
			}
			out = append(out, next)
			at = next
		}
		return out
	}
	left, right := walk(g.from, -1), walk(g.to, 1)
	g.cuts = make([]int, 0, len(left)+len(right)+1)
	for i := len(left) - 1; i >= 0; i-- {
		g.cuts = append(g.cuts, left[i])
	}
	g.cuts = append(append(g.cuts, centre), right...)
}

func (g grid) at(index int) float64 { return g.origin + float64(index)*g.step }
