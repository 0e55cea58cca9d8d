package pld

import (
	"math"
	"math/cmplx"

	"epsiloscope/accounting/pld/fft"
)

// blend composes shares through the few frequencies that matter, as spectrum does for
// copies of one law: so many different releases are as smooth as so many equal ones, and
// neither the length of the window nor a transform per line is paid for. ok is false
// where the spectrum is not provably short.
func blend(shares []*share, step float64, w window) (bins, bool) {
	n := math.Ceil((w.hi-w.lo)/step) + 4
	if !(n < 1e12) {
		return bins{}, false
	}
	keep, rest, ok := bandwidthOf(shares, n)
	if !ok {
		return bins{}, false
	}
	origin, noise := 0.0, 0.0
	s := bins{n: n, step: step, bins: make([]complex128, keep+1)}
	for k := range s.bins {
		s.bins[k] = 1
	}
	least, most := 0.0, 0.0
	each, scale, variance := 0.0, 1.0, 0.0
	for _, sh := range shares {
		origin += sh.origin
		s.log += sh.log
		s.relative += sh.relative
		s.centre += sh.mean
		noise += 1.01 * sh.noise
		least += float64(sh.index[0])
		most += float64(sh.index[len(sh.index)-1])
		all := sh.withNoise()
		for k, b := range all.frequencies(keep, n, 0) {
			s.bins[k] *= b
		}
		// Each sum has at most 64 + len/64 roundings in a row, each phase three per turn.
		each += ulp * (float64(72+len(all.p)/64) + 3*float64(keep))
		scale *= math.Max(1, sh.total+sh.noise)
		variance += sh.variance()
	}
	first := math.Floor((w.lo-origin)/step) - 1
	if !(math.Abs(first) < 1e12) {
		return bins{}, false
	}
	s.start = origin + first*step
	s.deviation = math.Sqrt(variance)
	for k := range s.bins {
		turn := 2 * math.Pi * math.Mod(first*float64(k), n) / n
		s.bins[k] *= cmplx.Rect(1, turn)
	}
	s.err = 1.01*float64(2*keep+1)/n*each*scale + rest
	// Chernoff's bound holds for the masses proper; what stands for round-off may lie
	// anywhere.
	s.above, s.below = noise, noise
	if most >= first+n {
		s.above += math.Exp(outsideAll(shares, s.start+n*step, w.sUp))
	}
	if least < first {
		s.below += math.Exp(outsideAll(shares, s.start-step/2, w.sDown))
	}
	return s, true
}

// withNoise is a share with what stands for round-off among its masses.
func (sh *share) withNoise() tilted {
	t := tilted{masses: masses{index: sh.index, p: sh.p}}
	for i, p := range sh.extra {
		if p > 0 {
			t.index, t.p = append(t.index[:len(t.index):len(t.index)], i), append(t.p[:len(t.p):len(t.p)], p)
		}
	}
	return t
}

// blendMesh is the number of frequencies in one turn at which all shares are looked at.
const blendMesh = 1 << 12

// bandwidthOf is the number of frequencies to keep and a bound on what all others can
// add to one point: tilted.bandwidth for a product. On a mesh of frequencies every share
// is sampled; between two of them |φ|² is at most the larger neighbour plus E₂Δ²/8, with
// E₂ = Σ p p′(x−x′)² a bound on its second derivative. Near 0, where the mesh is too coarse,
// |φ|² ≤ S² − ω²E₂/2 + ω⁴E₄/24, decreasing up to ω* = √(6E₂/E₄).
func bandwidthOf(shares []*share, n float64) (keep int, rest float64, ok bool) {
	const depth = 33.0
	const delta = 2 * math.Pi / blendMesh
	bound, product := make([]float64, blendMesh/2), make([]float64, blendMesh/2)
	for m := range product {
		product[m] = 1
	}
	from := len(bound)
	var s0, e2, e4 []float64
	x := make([]float64, blendMesh)
	for i, sh := range shares {
		clear(x)
		middle := math.Round((sh.mean - sh.origin) / sh.step)
		var m0, m1, m2, m3, m4 float64
		for j, index := range sh.index {
			// At these frequencies the index counts modulo the mesh only.
			x[index&(blendMesh-1)] += sh.p[j]
			y, p := float64(index)-middle, sh.p[j]
			m0, m1, m2, m3, m4 = m0+p, m1+p*y, m2+p*y*y, m3+p*y*y*y, m4+p*y*y*y*y
		}
		spread := 2 * (m0*m2 - m1*m1)
		s0 = append(s0, m0*(1+1e-9)+sh.noise)
		e2 = append(e2, spread*(1-1e-9))
		e4 = append(e4, 2*(m0*m4-4*m1*m3+3*m2*m2)*(1+1e-9))
		bins := fft.For(blendMesh).Forward(x)
		between := spread*delta*delta/8 + 1e-12
		last := real(bins[0])*real(bins[0]) + imag(bins[0])*imag(bins[0])
		for m := range product {
			next := real(bins[m+1])*real(bins[m+1]) + imag(bins[m+1])*imag(bins[m+1])
			product[m] *= math.Min(math.Sqrt(math.Max(last, next)+between)+sh.noise, s0[i])
			last = next
		}
		if i%16 < 15 && i+1 < len(shares) { // a factor is at least 1e-6: no underflow in 16
			continue
		}
		for m := range product {
			bound[m] += math.Log(product[m])
			product[m] = 1
		}
		for from = len(bound); from > 0 && bound[from-1] <= -depth-1; from-- {
		}
		if float64(from)*n/blendMesh < 64 { // enough; what is left multiplies by a little more than 1
			break
		}
	}
	more := 0.0
	for _, sh := range shares[len(s0):] {
		more += math.Log(sh.total*(1+1e-9) + sh.noise)
	}
	if from == len(bound) || more > 1 {
		return 0, 0, false
	}
	cut := float64(from) * delta
	inner := func(w float64) float64 {
		sum := more
		for i, s := range s0 {
			if e2[i] > 0 && cut*cut*e4[i] <= 6*e2[i] {
				sum += 0.5 * math.Log(math.Max(1e-12, s*s-w*w*e2[i]/2+w*w*w*w*e4[i]/24))
			} else {
				sum += math.Log(s)
			}
		}
		return sum
	}
	if inner(cut) <= -depth-1 {
		lo, hi := 0.0, cut
		for i := 0; i < 30; i++ {
			if mid := (lo + hi) / 2; inner(mid) <= -depth-1 {
				hi = mid
			} else {
				lo = mid
			}
		}
		cut = hi
	}
	kept := math.Ceil(cut * n / (2 * math.Pi))
	if kept > maxFrequencies || kept >= n/2 {
		return 0, 0, false
	}
	return int(kept), math.Exp(-depth + 0.1), true
}
