package loss

import (
	"context"
	"math"
)

// Cell is the part of a density with losses from Lo to Hi: bounds on its P-mass p, and on
// p − e^{Lo}·q with q its Q-mass, which is ∫P·(1 − e^{Lo−L}): how far its losses lie above Lo.
type Cell struct {
	Lo, Hi            float64
	PLow, PHigh       float64
	RiseLow, RiseHigh float64
	Moved             float64 // round-off of Lo and Hi
}

// Cells cuts a density into cells of losses, from the lowest loss up, each no wider than the
// width given for its lower end. A P-mass of at most tail may be left out at either end;
// below and above bound it. ok is false if there are more cells than most, or if the context
// has ended.
func (d *Density) Cells(
	ctx context.Context, widest func(loss float64) float64, tail float64, most int,
) (cells []Cell, below, above float64, ok bool) {
	lo, hi := d.reaches(tail)
	p, _, err, _ := d.massBound(hi, d.Hi)
	above = p + err
	p, _, err, _ = d.massBound(d.Lo, lo)
	below = p + err
	width := hi - lo
	for x := lo; x < hi; {
		from, numFrom, denFrom := d.lossAt(x), d.Num.pointAt(x), d.Den.pointAt(x)
		step := widest(from)
		if slope := numFrom.slope - denFrom.slope; slope > 0 {
			width = math.Min(2*width, step/slope)
		}
		least := 4 * unit * (math.Abs(x) + d.Sigma)
		if d.Lattice {
			least = 1
		}
		width = math.Max(width, least)
		next := math.Min(hi, d.snap(x+width))
		to := d.lossAt(next)
		for to-from > step && width > 2*least {
			width /= 2
			next = math.Min(hi, d.snap(x+width))
			to = d.lossAt(next)
		}
		if len(cells) >= most || len(cells)%512 == 0 && ctx.Err() != nil {
			return nil, 0, 0, false
		}
		cells = append(cells, d.cell(x, next, from, math.Max(from, to), numFrom.size+denFrom.size))
		x = next
	}
	return cells, below, above, true
}

func (d *Density) cell(a, b, lo, hi, size float64) Cell {
	c := Cell{Lo: lo, Hi: hi, Moved: 16 * unit * (size + math.Abs(hi) + math.Abs(lo))}
	p, q, perr, qerr := d.massBound(a, b)
	c.PLow, c.PHigh = math.Max(0, p-perr), p+perr
	c.RiseHigh = c.PHigh * -math.Expm1(lo-hi)
	if lo < 650 {
		lift := math.Exp(lo)
		rest := 8*unit*p*(1+math.Abs(lo)) + perr + lift*qerr
		c.RiseHigh = math.Max(0, math.Min(c.RiseHigh, p-lift*q+rest))
		c.RiseLow = math.Max(0, math.Min(c.RiseHigh, p-lift*q-rest))
	}
	return c
}
