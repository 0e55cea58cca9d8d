package pld

import "math"

// piece is a part of a law within one cell of a lattice, and how it is raised to the ends
// of the cell so that its P-mass and its Q-mass are kept: bounds on the P-mass that stays
// at the lower end and on that which rises, and how far above the lower end, in [from, to],
// its losses lie.
type piece struct {
	cell                                 int
	stayLow, stayHigh, riseLow, riseHigh float64
	from, to                             float64
}

// lattice is where all releases of a direction are put.
type lattice struct{ origin, step float64 }

func (g lattice) at(index int) float64 { return g.origin + float64(index)*g.step }

func (g lattice) cell(x float64) int { return int(math.Floor((x - g.origin) / g.step)) }

// pieces cuts the losses of a law from lo to hi; what lies outside is left out.
func (g lattice) pieces(l law, lo, hi float64) []piece {
	var out []piece
	if l.continuous() {
		from, to := g.cell(lo), int(math.Ceil((hi-g.origin)/g.step))
		before := l.tails(g.at(from))
		for k := from; k < to; k++ {
			for i := 0; i < subCells; i++ {
				a, b := float64(i)*g.step/subCells, float64(i+1)*g.step/subCells
				after := l.tails(g.at(k) + b)
				out = g.slab(out, between(before, after), k, a, b)
				before = after
			}
		}
	}
	for _, a := range l.atoms() {
		if a.loss < lo || a.loss > hi || a.p == 0 {
			continue
		}
		k := g.cell(a.loss)
		x := math.Min(g.step, math.Max(0, a.loss-g.at(k)))
		up := split(0, x, g.step)
		out = append(out, piece{k, a.p * (1 - up), a.p * (1 - up), a.p * up, a.p * up, x, x})
	}
	return out
}

// slab adds the continuous mass between two losses of a cell. What rises is known from the
// P-mass and the Q-mass, and from where it lies.
func (g lattice) slab(out []piece, s slab, cell int, from, to float64) []piece {
	if s.p+s.errP <= 0 {
		return out
	}
	least, most := math.Max(0, s.p-s.errP), s.p+s.errP
	x := piece{cell: cell, from: from, to: to}
	x.riseLow, x.riseHigh = least*split(0, from, g.step), most*split(0, to, g.step)
	if a := g.at(cell); a < 650 {
		fall, lift := -math.Expm1(-g.step), math.Exp(a)
		d, err := s.p-lift*s.q, s.errP+lift*s.errQ+4*ulp*s.p
		x.riseLow = math.Max(x.riseLow, (d-err)/fall)
		x.riseHigh = math.Min(x.riseHigh, (d+err)/fall)
	}
	x.riseHigh = math.Max(x.riseLow, x.riseHigh)
	x.stayLow, x.stayHigh = math.Max(0, least-x.riseHigh), math.Max(0, most-x.riseLow)
	return append(out, x)
}

// raisedFrom is the law on the lattice, every mass rounded down.
func raisedFrom(pieces []piece) strip {
	return gatherPieces(pieces, func(x piece) (stay, rise float64) { return x.stayLow, x.riseLow })
}

// weighed is the law on the lattice, every mass rounded up and times e^{λJ}, with J by
// how much it was raised.
func (g lattice) weighed(pieces []piece, lambda float64) strip {
	return gatherPieces(pieces, func(x piece) (stay, rise float64) {
		near := x.from // where λJ is largest
		if lambda < 0 {
			near = x.to
		}
		return x.stayHigh * math.Exp(-lambda*near), x.riseHigh * math.Exp(lambda*(g.step-near))
	})
}

func gatherPieces(pieces []piece, masses func(piece) (stay, rise float64)) strip {
	first, last := math.MaxInt, math.MinInt
	for _, x := range pieces {
		first, last = min(first, x.cell), max(last, x.cell+1)
	}
	out := strip{first: first, p: make([]float64, last-first+1), relative: 64 * ulp}
	for _, x := range pieces {
		stay, rise := masses(x)
		out.p[x.cell-first] += stay
		out.p[x.cell-first+1] += rise
	}
	return out
}

// variance is that of J, about, under the law tilted by e^{θL}.
func (g lattice) variance(pieces []piece, theta float64) float64 {
	most := math.Inf(-1)
	for _, x := range pieces {
		most = math.Max(most, theta*g.at(x.cell))
	}
	var all, sum float64
	for _, x := range pieces {
		w, mid := math.Exp(theta*g.at(x.cell)-most), (x.from+x.to)/2
		all += w * (x.stayHigh + x.riseHigh)
		sum += w * (x.stayHigh*mid*mid + x.riseHigh*(g.step-mid)*(g.step-mid))
	}
	return sum / all
}
