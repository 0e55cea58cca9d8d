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
	Moved             float64 // what round-off may have done to Lo and Hi
}

const unit = 0x1p-53

// Cells cuts a density into cells of losses, from the lowest loss up, each no wider than the
// width given for its lower end. At either end a P-mass of at most tail may be left out:
// below and above are bounds on it. ok is false if there are more cells than most, or if
// the context has ended.
func (d *Density) Cells(ctx context.Context, widest func(loss float64) float64, tail float64, most int) (cells []Cell, below, above float64, ok bool) {
	lo, hi := d.reaches(tail)
	p, _, err, _ := d.massBound(hi, d.Hi)
	above = p + err
	p, _, err, _ = d.massBound(d.Lo, lo)
	below = p + err
	width := hi - lo
	for x := lo; x < hi; {
		from, numFrom, denFrom := d.at(x), d.Num.at(x), d.Den.at(x)
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
		to := d.at(next)
		for to-from > step && width > 2*least {
			width /= 2
			next = math.Min(hi, d.snap(x+width))
			to = d.at(next)
		}
		if len(cells) >= most || len(cells)%512 == 0 && ctx.Err() != nil {
			return nil, 0, 0, false
		}
		cells = append(cells, d.cell(x, next, from, math.Max(from, to), numFrom.size+denFrom.size))
		x = next
	}
	return cells, below, above, true
}

// reaches is an interval of the coordinate that leaves out a P-mass of at most tail on
// either side.
func (d *Density) reaches(tail float64) (lo, hi float64) {
	if d.Sigma == 0 {
		return d.Lo, d.Hi
	}
	turned := Distribution{Densities: []Density{*d}}.Mirrored().Densities[0]
	turned.Num, turned.Den = turned.Den, turned.Num // its P-mass is that of d
	return -turned.quantile(tail), d.quantile(tail)
}

// Span is an interval of losses that leaves out a P-mass of about tail on either side.
func (d *Distribution) Span(tail float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, a := range d.Atoms {
		if math.Exp(a.LogP) > tail {
			lo, hi = math.Min(lo, a.Loss), math.Max(hi, a.Loss)
		}
	}
	for i := range d.Densities {
		e := &d.Densities[i]
		a, b := e.reaches(tail)
		lo, hi = math.Min(lo, e.at(a)), math.Max(hi, e.at(b))
	}
	return lo, hi
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

// massBound is the P- and the Q-mass on [a, b] with bounds on their round-off.
func (d *Density) massBound(a, b float64) (p, q, perr, qerr float64) {
	p, q = d.mass(a, b)
	if p+q == 0 {
		return p, q, 0, 0
	}
	return p, q, d.roundoff(d.Num, a, b), d.roundoff(d.Den, a, b)
}

// roundoff bounds that of [Density.integral]. A term in closed form is rounded in its
// logarithm, the sum of a few numbers; a normal one is a difference of two tails, each off
// by its hazard, at most |z| + 1, times what z is off by.
func (d *Density) roundoff(s Sum, a, b float64) float64 {
	total := 0.0
	for _, t := range s {
		if t.Weight == 0 {
			continue
		}
		rate := d.Slope + t.Rate
		log := math.Log(t.Weight) + t.Shift + d.LogScale
		size := 16 + math.Abs(math.Log(t.Weight)) + math.Abs(t.Shift) + math.Abs(d.LogScale)
		if d.Sigma == 0 {
			top := math.Max(rate*a, rate*b)
			one := math.Exp(log+top) * math.Min(b-a, 1/math.Abs(rate))
			total += one * unit * (size + 4*math.Abs(top))
			continue
		}
		bend := rate * rate * d.Sigma * d.Sigma / 2
		centre := rate * d.Sigma * d.Sigma
		near := math.Max(a-centre, math.Min(0, b-centre)) // the end whose tail is the larger
		if near < 0 {
			near = centre - b
		}
		z := math.Max(0, near) / d.Sigma
		far := z
		if d.Lattice { // the place of every node is rounded, up to where nothing is left, and its weight
			far, size = z+11, size+128
		}
		off := 4 * (far + 1) * (math.Abs(centre) + far*d.Sigma) / d.Sigma
		one := math.Exp(log+bend) * d.Sigma * math.Sqrt(2*math.Pi) * 0.5 * math.Erfc(z/math.Sqrt2)
		total += one * unit * (size + 4*bend + off)
	}
	return total
}
