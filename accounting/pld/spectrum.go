package pld

import (
	"math"
	"math/cmplx"

	"epsiloscope/accounting/pld/fft"
)

// bins is a composed loss known through the few frequencies that matter. Many
// copies of a law are so smooth that of the N bins of their transform all but some
// dozens vanish: |φ|^K falls like e^{−Kω²s²/2}, and the window is only some tens of
// deviations long. Those few are summed directly from the masses of one release, the
// hockey-stick sum is taken in the frequency domain, where it is geometric, and no
// array of length N is ever made: the cost does not grow with K.
type bins struct {
	bins         []complex128 // φ_k^K, turned so that index 0 is the window's first point
	n            float64      // points of the window
	start, step  float64
	log          float64
	err          float64 // of each of the n points
	above, below float64
	relative     float64

	centre, deviation float64 // of the composed loss: where to look first
}

// maxFrequencies bounds the work; more are left to the FFT.
const maxFrequencies = 512

// spectral composes count copies by their few frequencies; ok is false where the
// spectrum is not provably short.
func (t tilted) spectral(count float64, w window) (bins, bool) {
	return t.spectralOn(count, w, math.Ceil((w.hi-w.lo)/t.step)+4)
}

// spectralOn does so on a window of n points.
func (t tilted) spectralOn(count float64, w window, n float64) (bins, bool) {
	if count < 64 || len(t.p) < 2 {
		return bins{}, false
	}
	middle := math.Round((t.mean - t.origin) / t.step)
	base := count * (t.origin + middle*t.step)
	first := math.Floor((w.lo-base)/t.step) - 1
	if !(n < 1e15 && math.Abs(first) < 1e15/maxFrequencies) {
		return bins{}, false
	}
	keep, rest, ok := t.bandwidth(count, n, middle)
	if !ok {
		return bins{}, false
	}
	s := bins{n: n, start: base + first*t.step, step: t.step, log: count * t.log, relative: count * t.relative}
	if count*(float64(t.index[len(t.index)-1])-middle) >= first+n {
		s.above = t.beyond(count, s.start+n*t.step, w.sUp, deepEnough)
	}
	if count*(float64(t.index[0])-middle) < first {
		s.below = t.beyond(count, s.start-t.step/2, w.sDown, deepEnough)
	}
	s.centre = count * t.mean
	s.deviation = math.Sqrt(count * t.variance())
	s.bins = t.frequencies(keep, n, middle)
	// Each sum has at most 64 + n/64 roundings in a row, each phase three per turn.
	eachErr := ulp * (float64(64+len(t.p)/64) + 3*float64(keep))
	sum := 0.0
	for k, b := range s.bins {
		size := math.Min(1, cmplx.Abs(b))
		arg := count * cmplx.Phase(b)
		turn := 2 * math.Pi * math.Mod(first*float64(k), n) / n
		s.bins[k] = cmplx.Rect(math.Exp(count*math.Log(size)), arg+turn)
		twice := 2.0
		if k == 0 {
			twice = 1
		}
		sum += twice * count * (eachErr + 8*ulp) * math.Exp((count-1)*math.Log(size))
	}
	s.err = 1.01*sum/n + rest
	return s, true
}

// frequencies are φ_k = Σ p̃_j e^{−2πik(j−middle)/n} for k ≤ keep, by powers of the
// phases of the points.
func (t tilted) frequencies(keep int, n, middle float64) []complex128 {
	turn := make([]complex128, len(t.p))
	phase := make([]complex128, len(t.p))
	for j, index := range t.index {
		sin, cos := math.Sincos(-2 * math.Pi * (float64(index) - middle) / n)
		turn[j] = complex(cos, sin)
		phase[j] = complex(t.p[j], 0)
	}
	bins := make([]complex128, keep+1)
	for k := range bins {
		var total complex128
		for from := 0; from < len(phase); from += 64 {
			to := min(from+64, len(phase))
			var re, im float64
			block, by := phase[from:to], turn[from:to]
			for j, z := range block {
				re += real(z)
				im += imag(z)
				block[j] = z * by[j]
			}
			total += complex(re, im)
		}
		bins[k] = total
	}
	return bins
}

// bandwidth is the number of frequencies to keep and a bound on what all others can
// add to one point, (2/n)·Σ|φ_k|^K.
//
// With X, Y independent copies of the index, |φ(ω)|² = E cos ω(X−Y), hence
// |φ|² ≤ 1 − vω² + ω⁴m₄/24 with v the variance and m₄ = E(X−Y)⁴: that serves up to
// ω* = √(12v/m₄), where it is least. Beyond, |φ|² is sampled; between samples Δ apart it
// is at most the larger neighbour plus 2v·Δ²/8, as its second derivative is at most
// 2v. Only the bulk is sampled: the rest adds at most its mass to |φ|.
func (t tilted) bandwidth(count, n, middle float64) (keep int, rest float64, ok bool) {
	var m1, m2, m3, m4 float64
	for j, index := range t.index {
		x := float64(index) - middle
		m1 += t.p[j] * x
		m2 += t.p[j] * x * x
		m3 += t.p[j] * x * x * x
		m4 += t.p[j] * x * x * x * x
	}
	v := m2 - m1*m1
	fourth := 2 * (m4 - 4*m1*m3 + 6*m1*m1*m2 - 3*m1*m1*m1*m1 + 3*v*v) * (1 + 1e-9)
	if !(v > 0) || !(fourth > 0) {
		return 0, 0, false
	}
	const depth = 46.0 // e^{−46} = 1e-20
	inner := func(w float64) float64 {
		return 0.5 * count * math.Log1p(math.Max(-0.999999, -v*w*w*(1-1e-9)+w*w*w*w*fourth/24))
	}
	limit := math.Min(math.Pi, math.Sqrt(12*v/fourth))
	cut := limit
	if inner(limit) > -depth {
		return 0, 0, false
	}
	for lo, i := 0.0, 0; i < 40; i++ {
		if mid := (lo + cut) / 2; inner(mid) < -depth {
			cut = mid
		} else {
			lo = mid
		}
	}
	kept := math.Ceil(cut * n / (2 * math.Pi))
	if kept > maxFrequencies || kept >= n/2 {
		return 0, 0, false
	}
	if limit < math.Pi && !t.fades(count, depth-4, limit, v*v/fourth) {
		return 0, 0, false
	}
	return int(kept), math.Exp(-depth + 4.1), true
}

// fades reports whether |φ(ω)|^count ≤ e^{−depth} for every ω in [from, π].
func (t tilted) fades(count, depth, from, share float64) bool {
	lo, hi, thin := t.bulk(0.05 * share)
	size := fft.Length(4 * float64(t.index[hi]-t.index[lo]+1))
	if size > 1<<15 {
		return false
	}
	x := make([]float64, size)
	var m0, m1, m2 float64
	for j := lo; j <= hi; j++ {
		i := float64(t.index[j] - t.index[lo])
		x[t.index[j]-t.index[lo]] += t.p[j]
		m0, m1, m2 = m0+t.p[j], m1+t.p[j]*i, m2+t.p[j]*i*i
	}
	spread := m2 - m1*m1/m0
	delta := 2 * math.Pi / float64(size)
	worst := 0.0
	for m, b := range fft.For(size).Forward(x) {
		if float64(m+1)*delta >= from {
			worst = math.Max(worst, real(b)*real(b)+imag(b)*imag(b))
		}
	}
	worst += spread*delta*delta/4 + 1e-12
	return count*math.Log(math.Sqrt(worst)+thin) <= -depth
}

// bulk cuts thin tails, at most the given tilted mass in all.
func (t tilted) bulk(spare float64) (lo, hi int, thin float64) {
	lo, hi = 0, len(t.p)-1
	left, right := 0.0, 0.0
	for lo < hi && left+t.p[lo] <= spare/2 {
		left += t.p[lo]
		lo++
	}
	for hi > lo && right+t.p[hi] <= spare/2 {
		right += t.p[hi]
		hi--
	}
	return lo, hi, left + right
}

// at is the hockey-stick sum at ε without the error terms, and what one unit of error
// in every point adds to it; both relative to e^{log − θε}.
func (s bins) at(theta, epsilon float64) (sum, unit float64) {
	j := math.Max(0, math.Floor((epsilon-s.start)/s.step)+1) // first point above ε
	gap := s.start + j*s.step - epsilon
	left := s.n - j
	if left <= 0 {
		return 0, 0
	}
	lead, fall := math.Exp(-theta*gap), math.Exp(-gap)
	for k, b := range s.bins {
		w := 2 * math.Pi * float64(k) / s.n
		a := geometric(theta*s.step, w, left) - complex(fall, 0)*geometric((theta+1)*s.step, w, left)
		turn := 2 * math.Pi * math.Mod(float64(k)*j, s.n) / s.n
		sin, cos := math.Sincos(turn)
		term := real(b*complex(cos, sin)*a) * lead
		if k == 0 {
			unit = real(a) * lead
			sum += term
		} else {
			sum += 2 * term
		}
	}
	return sum / s.n, unit
}

// geometric is Σ_{i<left} e^{i(−x+iw)}.
func geometric(x, w, left float64) complex128 {
	sin := math.Sin(w)
	half := math.Sin(w / 2)
	shrink := math.Exp(-x)
	one := complex(-math.Expm1(-x)+shrink*2*half*half, -shrink*sin) // 1 − e^{−x+iw}
	top := complex(1, 0)
	if x*left < 60 {
		ts, tc := math.Sincos(math.Mod(w*left, 2*math.Pi))
		top -= complex(math.Exp(-x*left)*tc, math.Exp(-x*left)*ts)
	}
	return top / one
}

// curve is δ(ε) with the errors added (upper) or taken away, without mass at +∞.
func (s bins) curve(theta, epsilon float64, upper bool) float64 {
	sum, unit := s.at(theta, epsilon)
	scale := math.Exp(s.log - theta*epsilon)
	slack := s.relative + 1e-10
	if upper {
		return (sum+s.err*unit)*scale*(1+slack) + math.Exp(s.log-theta*math.Max(epsilon, s.start+s.n*s.step))*s.above
	}
	return math.Max(0, (sum-s.err*unit-(s.above+s.below)/(1+theta))*scale*(1-slack))
}

// logWeight is ln of all mass weighted by e^{θS}, the errors added.
func (s bins) logWeight(float64) float64 {
	return s.log + math.Log(real(s.bins[0])+s.n*s.err+s.above+s.below) + 1e-9
}

func (s bins) errors(theta, epsilon float64) (wrap, roundoff float64) {
	_, unit := s.at(theta, epsilon)
	scale := math.Exp(s.log - theta*epsilon)
	return scale * (s.above + s.below) / (1 + theta), scale * (s.err*unit + s.relative)
}

// root finds an ε certified for δ, as composed.root does. ln δ is all but linear in ε,
// with slope about −θ, so a few secant steps from the centre of the window reach it;
// then a small step to the safe side, which is checked.
func (s bins) root(theta, delta, extra float64, upper bool) (epsilon float64, ok bool) {
	goal := delta - extra
	if !upper && goal <= 0 {
		return math.Inf(1), true
	}
	if !(goal > 0) {
		return math.Inf(1), false
	}
	logGoal := math.Log(goal)
	f := func(e float64) float64 { return math.Log(s.curve(theta, e, upper)) - logGoal }
	lowest, highest := s.start, s.start+(s.n-2)*s.step
	x, slope := s.centre, -theta
	y := f(x)
	for i := 0; i < 40 && !(math.Abs(y) < 1e-11); i++ {
		if math.IsNaN(y) || math.IsInf(y, 0) { // swamped by the error terms: go up
			x += s.deviation / 2
			y = f(x)
			continue
		}
		next := math.Min(highest, math.Max(lowest, x-math.Max(-2, math.Min(2, y/(slope*s.deviation)))*s.deviation))
		if next == x {
			break
		}
		yNext := f(next)
		if d := (yNext - y) / (next - x); d < 0 && !math.IsInf(d, 0) {
			slope = d
		}
		x, y = next, yNext
	}
	side := 1.0
	if !upper {
		side = -1
	}
	for bump := 1e-12 * (1 + math.Abs(x)); bump < s.n*s.step; bump *= 8 {
		if e := x + side*bump; side*f(e) <= 0 {
			return e, true
		}
	}
	if upper {
		return math.Inf(1), false
	}
	return 0, false
}

// variance of the tilted loss of one release.
func (t tilted) variance() float64 {
	sum := 0.0
	for i, x := range t.losses {
		sum += t.p[i] * (x - t.mean) * (x - t.mean)
	}
	return sum
}
