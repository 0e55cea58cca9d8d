package spectrum

import (
	"math"
	"math/cmplx"
)

// lattice is the lattice on which the sums of a stack lie: offset + step·n, n whole. A step of 0
// means that there is none.
//
// φ of such a stack has the period 2π/step. With a window of N steps the Fourier sum over all
// frequencies is a sum over N of them, with the kernel 1/(ζ(ζ+1)) added up over all ζ +
// 2πij/step. Let p be the least point of the lattice that is not below ε, y = p − ε and x =
// e^{−ζ·step}. By Poisson's sum that kernel is step·Σ_{n≥0} xⁿ(1 − e^{−y−n·step}), in units of
// e^{−ζp}: it is d + (1 − e^{−y})·b with
//
//	d = step·x(1 − e^{−step})/((1−x)(1 − x·e^{−step})),  b = step/(1 − x·e^{−step}),
//
// the first for δ(p), the second for how δ rises from p down to ε. The aliases are the same as
// without a lattice; there is neither smoothing nor a frequency beyond the last.
//
// Float64 losses lie only near a lattice. Let S be the composed loss and S* that of the losses
// moved onto it: |S − S*| ≤ moved. So δ(ε) lies between δ*(ε + moved) and δ*(ε − moved), and E
// e^{ζS*} differs from E e^{ζS} by at most (e^{|ζ|·moved} − 1)·e^{Λ(θ)}: both are charged.
type lattice struct {
	step, offset float64
	size         float64 // Σ K·|offset| of the lines
	moved        float64
}

// noGap is the largest relative distance of two losses that count as one.
const noGap = 1e-12

// lattice returns the lattice of a truncated stack if its step is at least `least`.
func (s *truncated) lattice(least float64) (out lattice) {
	if s.square > 0 || s.apart {
		return out
	}
	step, widest := 0.0, 0.0
	for _, l := range s.lines {
		if len(l.Densities) > 0 || len(l.Atoms) == 0 {
			return out
		}
		first := l.Atoms[0].Loss
		for _, a := range l.Atoms {
			gap := math.Abs(a.Loss - first)
			widest = math.Max(widest, gap)
			none := noGap * (math.Abs(a.Loss) + math.Abs(first))
			for gap > none { // Euclid
				step, gap = gap, math.Abs(math.Remainder(step, gap))
			}
			if step > 0 && !(step >= least) {
				return out
			}
		}
		out.offset += l.count * first
		out.size += l.count * math.Abs(first)
	}
	if step == 0 {
		return out
	}
	step = widest / math.Round(widest/step)
	for _, l := range s.lines {
		first, most := l.Atoms[0].Loss, 0.0
		for _, a := range l.Atoms {
			off := math.Abs(math.Remainder(a.Loss-first, step))
			most = math.Max(most, off+care*unit*(math.Abs(a.Loss)+math.Abs(first)))
		}
		out.moved += l.count * most * (1 + 1e-9)
	}
	out.step = step
	return out
}

// oneMinusExp returns 1 − e^{−t·step} for t = θ + iω.
func (l *lattice) oneMinusExp(theta, omega float64) complex128 {
	r := math.Exp(-theta * l.step)
	sin, cos := math.Sincos(omega * l.step / 2)
	return complex(-math.Expm1(-theta*l.step)+r*2*sin*sin, r*2*sin*cos)
}

// kernels returns d and b at ω.
func (l *lattice) kernels(theta, omega float64) (d, b complex128) {
	b = complex(l.step, 0) / l.oneMinusExp(theta+1, omega)
	turn := cmplx.Rect(math.Exp(-theta*l.step), -omega*l.step)
	return b * turn * complex(-math.Expm1(-l.step), 0) / l.oneMinusExp(theta, omega), b
}

// kernelSize bounds |d + (1 − e^{−y})·b| at ω and up to half a period, 0 ≤ y ≤ step: both of
// |1−x| and |1 − x·e^{−step}| grow up to there.
func (l *lattice) kernelSize(theta, omega float64) float64 {
	beyond := cmplx.Abs(l.oneMinusExp(theta+1, omega))
	return l.step * -math.Expm1(-l.step) / beyond * (1 + 1/cmplx.Abs(l.oneMinusExp(theta, omega))) * (1 + 1e-9)
}

// point returns the point p for ε, and bounds of y. Where it is not known on which side of ε a point
// lies it is taken, as δ(p − y) ≥ δ(p) + (1 − e^{−y})·b for y < 0, too: δ is convex in e^ε.
func (l *lattice) point(epsilon float64) (p, least, most float64) {
	known := l.moved + 2*care*unit*(l.size+math.Abs(epsilon)+l.step)
	p = l.offset + l.step*math.Ceil((epsilon-known-l.offset)/l.step)
	return p, p - epsilon - known, p - epsilon + known
}

// charge bounds Σ|kernel|·(error of the term). The errors are those of losses moved onto the lattice,
// and of a rounded spacing, by which ω is off by care·unit·ω at most and F by that times the
// deviation. With |ζ|·moved < 1e-7 that is c₀ + c₁ω at most. As |1−x| ≥ ω·step/π up to
// half a period, a kernel is at most 2π²/ω²; Σ 1/k² < 1.65, and Σ 1/k ≤ 1 + ln of how many
// they are in half a period.
func (l *lattice) charge(theta, deviation, spacing, half float64) float64 {
	still, rising := 1.01*theta*l.moved, 1.01*l.moved+care*unit*deviation
	per := 4 * math.Pi * math.Pi / spacing
	return still*(l.kernelSize(theta, 0)+1.65*per/spacing) + rising*per*(1+math.Log(half))
}
