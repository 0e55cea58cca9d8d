package certify

import (
	"context"
	"math"
	"math/cmplx"

	"epsiloscope/accounting/pld/fft"
	"epsiloscope/certificate"
)

// margin returns the share of δ that a claim leaves for the rounding and truncation of a checker and for the error of
// the estimate, which grows with the number of releases.
func margin(releases float64) float64 { return 2e-6 + 1e-11*releases }

// estimate returns the ends that a check of the certificate will prove, in floating point; the lower one is 0 if there
// is none or it is not asked for. It returns +Inf if no finite ε can be proved.
func estimate(ctx context.Context, c *certificate.Certificate, withLower bool) (upper, lower float64) {
	delta, _ := rational(c.Delta).Float64()
	pairs, g := estimateReleases(c)
	releases := 0.0
	isDirected := false
	for _, p := range pairs {
		releases += p.count
		isDirected = isDirected || p.isSampled
	}
	for _, isAdd := range []bool{false, true} {
		if isAdd && !isDirected {
			break
		}
		var lists []estimatedList
		for _, p := range pairs {
			lists = append(lists, g.upperList(p, isAdd))
		}
		upper = math.Max(upper, solve(ctx, lists, g.step, delta*(1-margin(releases))))
	}
	if !withLower {
		return upper, 0
	}
	var lists []estimatedList
	for _, p := range pairs {
		if p.kind == "fixed_batch_gaussian" {
			return upper, 0
		}
		low, high := g.window(p, false)
		lists = append(lists, g.lowerList(g.corners(p, low, high), low-1, high+1, p.offset, p.count))
	}
	if lower = solve(ctx, lists, g.step, delta*(1+margin(releases))); math.IsInf(lower, 1) {
		lower = 0 // the checker proves no lower end if every ε is exceeded
	}
	return upper, math.Min(lower, upper)
}

// estimateReleases returns the releases of a certificate in floating point, and its lattice.
func estimateReleases(c *certificate.Certificate) (pairs []*estimatedPair, g checkerLattice) {
	number := func(text string) float64 { x, _ := rational(text).Float64(); return x }
	for _, r := range c.Releases {
		pairs = append(pairs, estimatePair(r))
	}
	return pairs, checkerLattice{number(c.Step), number(c.Cut), int(number(c.Tests))}
}

// moments returns, of the sum of all losses under e^(θ·loss), the logarithm of its mass, its mean and its variance.
func moments(lists []estimatedList, step, theta float64) (mass, mean, variance float64) {
	for _, l := range lists {
		top := l.offset + float64(l.low+len(l.masses)-1)*step
		s0, s1, s2 := 0.0, 0.0, 0.0
		for i, m := range l.masses {
			x := l.offset + float64(l.low+i)*step
			w := m * math.Exp(theta*(x-top))
			s0, s1, s2 = s0+w, s1+w*x, s2+w*x*x
		}
		mass += l.count * (math.Log(s0) + theta*top)
		mean += l.count * s1 / s0
		variance += l.count * math.Max(0, s2/s0-s1/s0*s1/s0)
	}
	return mass, mean, variance
}

// solve returns the ε at which the composed lists have δ: 0 if it is less at every ε ≥ 0, +Inf if it is more at every
// ε. The lists are composed by one transform after weighting each loss with e^(θ·loss), θ such that the sum is near ε.
func solve(ctx context.Context, lists []estimatedList, step, delta float64) float64 {
	finite, infinite, largest := 0.0, 0.0, 0.0
	for i := range lists {
		l := &lists[i]
		for n := len(l.masses); n > 1 && l.masses[n-1] == 0; n-- {
			l.masses = l.masses[:n-1]
		}
		largest += l.count * (l.offset + float64(l.low+len(l.masses)-1)*step)
		sum := 0.0
		for _, m := range l.masses {
			sum += m
		}
		finite += l.count * math.Log(sum)
		infinite += l.count * math.Log1p(l.infinite/sum)
	}
	infinite = math.Exp(finite) * math.Expm1(infinite)
	if infinite >= delta {
		return math.Inf(1)
	}
	// The Chernoff bound e^(A(θ) − θA′(θ)) falls with θ; where it is δ, ε is near A′(θ).
	low, high := 0.0, 1.0
	excess := func(theta float64) bool {
		mass, mean, _ := moments(lists, step, theta)
		return mass-theta*mean > math.Log(delta-infinite)
	}
	for excess(high) {
		if _, mean, _ := moments(lists, step, high); largest-mean < step {
			break // ε is next to the largest loss
		}
		low, high = high, 2*high
	}
	for range 12 {
		if mid := (low + high) / 2; excess(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return compose(ctx, lists, step, high, largest).solve(delta - infinite)
}

// composition is a sum of losses near one value: weighted masses at base + i·step, each to be multiplied by
// e^(mass − θ·(loss − base)).
type composition struct {
	base, step, theta, mass float64
	weighted                []float64
}

// compose returns the sum of the lists' losses, which is at most largest.
func compose(ctx context.Context, lists []estimatedList, step, theta, largest float64) composition {
	mass, mean, variance := moments(lists, step, theta)
	deviation := math.Sqrt(variance) / step
	n := fft.Length(math.Max(64*deviation, 256))
	plan := fft.PlanForLength(ctx, n)
	product := make([]complex128, n/2+1)
	for k := range product {
		product[k] = 1
	}
	offset, first := 0.0, 0.0 // of the sum; its index where all lists are at their lowest
	for _, l := range lists {
		offset += l.count * l.offset
		first += l.count * float64(l.low)
		for k, b := range plan.Forward(ctx, l.weigh(step, theta, n)) {
			size, angle := cmplx.Polar(b)
			sin, cos := math.Sincos(math.Mod(l.count*angle, 2*math.Pi))
			product[k] *= complex(math.Pow(size, l.count), 0) * complex(cos, sin)
		}
	}
	even, odd := make([]float64, n), make([]float64, n)
	for k, b := range product {
		even[k], odd[k] = real(b), imag(b)
		if k > 0 && k < n/2 {
			even[n-k], odd[n-k] = real(b), -imag(b)
		}
	}
	cosines, sines := plan.Forward(ctx, even), plan.Forward(ctx, odd)
	centre := math.Round((mean-offset)/step) - float64(n/2)
	c := composition{base: offset + centre*step, step: step, theta: theta, weighted: make([]float64, n)}
	c.mass = mass - theta*c.base
	shift := int(math.Mod(centre-first, float64(n)))
	for i := range c.weighted {
		m := ((i+shift)%n + n) % n
		x := 0.0
		if m <= n/2 {
			x = real(cosines[m]) + imag(sines[m])
		} else {
			x = real(cosines[n-m]) - imag(sines[n-m])
		}
		if x > 0 && c.base+float64(i)*step < largest+step/2 { // beyond there is round-off only
			c.weighted[i] = x / float64(n)
		}
	}
	return c
}

// weigh returns the masses weighted by e^(θ·loss), scaled to 1 and folded to n points.
func (l estimatedList) weigh(step, theta float64, n int) []float64 {
	folded := make([]float64, n)
	sum, top := 0.0, float64(len(l.masses)-1)
	for i, m := range l.masses {
		w := m * math.Exp(theta*(float64(i)-top)*step)
		folded[i%n] += w
		sum += w
	}
	for i := range folded {
		folded[i] /= sum
	}
	return folded
}

// solve returns the least ε ≥ 0 whose finite losses have at most δ.
func (c composition) solve(delta float64) float64 {
	// δ(ε) = Σ P(loss)·(1 − e^(ε − loss)) over losses above ε, from the top down; discounted is Σ P(loss)·e^(here −
	// loss).
	plain, discounted := 0.0, 0.0
	for i := len(c.weighted) - 1; i >= 0; i-- {
		x := float64(i) * c.step
		p := c.weighted[i] * math.Exp(c.mass-c.theta*x)
		plain, discounted = plain+p, discounted*math.Exp(-c.step)+p
		if plain-discounted*math.Exp(-c.step) > delta {
			return math.Max(0, c.base+x+math.Log((plain-delta)/discounted))
		}
	}
	return math.Max(0, c.base)
}
