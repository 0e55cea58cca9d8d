package pld

// strip is a measure on consecutive points of a lattice, as it is: neither tilted nor
// transformed. Strips are multiplied out, in time the product of their lengths, and
// nothing but positive terms is ever added: every mass keeps its digits, however small
// it is beside the others, and nothing is wrapped around. That is what a stack needs
// which no one tilt suits.
type strip struct {
	first    int // index of the first point
	p        []float64
	lost     float64 // mass that is on no point, or at +∞
	relative float64 // error of every mass
}

// unit is the measure of nothing: all mass at index 0.
func unit() strip { return strip{p: []float64{1}} }

// total is all mass.
func (a strip) total() float64 {
	sum := a.lost
	for _, p := range a.p {
		sum += p
	}
	return sum
}

// points is how many points have mass.
func (a strip) points() int {
	n := 0
	for _, p := range a.p {
		if p > 0 {
			n++
		}
	}
	return n
}

// fate is what happens to the thin ends of a strip.
type fate int

const (
	raised  fate = iota // the top goes to +∞, the bottom onto the lowest point left
	dropped             // both are left out
	charged             // both are left out and counted
)

// trim cuts the ends of a strip, at most the given mass on either side.
func (a strip) trim(spare float64, to fate) strip {
	lo, hi := 0, len(a.p)
	below, above := 0.0, 0.0
	for hi > 1 && above+a.p[hi-1] <= spare {
		hi--
		above += a.p[hi]
	}
	for lo < hi-1 && below+a.p[lo] <= spare {
		below += a.p[lo]
		lo++
	}
	a.first, a.p = a.first+lo, a.p[lo:hi]
	switch to {
	case raised:
		a.lost += above * (1 + 1e-9)
		a.p[0] += below * (1 + 1e-9)
	case charged:
		a.lost += (above + below) * (1 + 1e-9)
	}
	return a
}

// labour multiplies strips out until it has had enough.
type labour struct {
	spare float64 // mass that one release may lose at either end
	left  float64 // products it may still form; negative once it gave up
}

// times is the composition of two strips.
func (w *labour) times(a, b strip) strip {
	m, n := a.points(), b.points()
	if m > n {
		a, b, m, n = b, a, n, m
	}
	if w.left -= float64(m) * float64(len(b.p)); w.left < 0 {
		return unit()
	}
	out := strip{first: a.first + b.first, p: make([]float64, len(a.p)+len(b.p)-1)}
	out.lost = a.lost*b.total()*(1+1e-9) + b.lost*(a.total()-a.lost)*(1+1e-9)
	out.relative = a.relative + b.relative + float64(m+2)*ulp
	for i, p := range a.p {
		if p == 0 {
			continue
		}
		row := out.p[i : i+len(b.p)]
		for j, q := range b.p {
			row[j] += p * q
		}
	}
	return out
}

// power is the composition of count copies: one by one where a copy has few points, else
// by squaring.
func (w *labour) power(a strip, count float64, to fate) strip {
	out, done := unit(), 0.0
	multiply := func(b strip, copies float64) {
		done += copies
		out = w.times(out, b).trim(w.spare*done/8, to)
	}
	if float64(a.points())*count <= 4*float64(len(a.p)) {
		for done < count && w.left >= 0 {
			multiply(a, 1)
		}
		return out
	}
	for copies := 1.0; w.left >= 0; copies *= 2 {
		left := count - done // a multiple of copies
		if half := left / (2 * copies); half != float64(int64(half)) {
			multiply(a, copies)
		}
		if done >= count {
			break
		}
		a = w.times(a, a).trim(w.spare*copies/8, to)
	}
	return out
}
