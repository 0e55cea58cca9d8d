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
	if w.left -= float64(len(a.p)) + float64(m)*float64(len(b.p)); w.left < 0 {
		return unit()
	}
	size := len(a.p) + len(b.p) - 1
	if m == 0 { // nothing is left of one of them
		size = 1
	}
	out := strip{first: a.first + b.first, p: make([]float64, size)}
	out.lost = a.lost*b.total()*(1+1e-9) + b.lost*(a.total()-a.lost)*(1+1e-9)
	out.relative = a.relative + b.relative + float64(m+2)*ulp
	if m == 0 {
		return out
	}
	i := 0
	for ; i+4 <= len(a.p); i += 4 {
		addRows(out.p[i:], b.p, a.p[i], a.p[i+1], a.p[i+2], a.p[i+3])
	}
	for ; i < len(a.p); i++ {
		addRow(out.p[i:], b.p, a.p[i])
	}
	return out
}

// addRow adds p times the row q.
func addRow(out, q []float64, p float64) {
	if p == 0 {
		return
	}
	out = out[:len(q)]
	for j, x := range q {
		out[j] += p * x
	}
}

// addRows adds four rows, each a point farther than the one before, in one pass: what is
// read and written of out is most of the work.
func addRows(out, q []float64, p0, p1, p2, p3 float64) {
	if p0 == 0 || p1 == 0 || p2 == 0 || p3 == 0 || len(q) < 4 {
		addRow(out, q, p0)
		addRow(out[1:], q, p1)
		addRow(out[2:], q, p2)
		addRow(out[3:], q, p3)
		return
	}
	out = out[:len(q)+3]
	x1, x2, x3 := 0.0, 0.0, 0.0 // the last three of the row
	for j, x := range q {
		out[j] += p0*x + p1*x1 + p2*x2 + p3*x3
		x1, x2, x3 = x, x1, x2
	}
	n := len(q)
	out[n] += p1*x1 + p2*x2 + p3*x3
	out[n+1] += p2*x1 + p3*x2
	out[n+2] += p3 * x1
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
