// Package spectrum composes privacy losses without discretising them. Every release's
// moment generating function M(z) = E_P[e^{zL}] is evaluated along one vertical line of the
// complex plane, the logarithms are added, and δ(ε) is read off one Fourier sum whose
// error terms are all explicit.
//
// # Inversion
//
// With S the composed loss, Λ(z) = Σ K·ln M(z) and ζ = θ + iω, θ > 0,
//
//	∫ e^{−ζx}(1 − e^{−x})₊ dx = 1/(ζ(ζ+1)),  so  δ(ε) = (1/2π) ∫ e^{Λ(ζ) − ζε}/(ζ(ζ+1)) dω.
//
// The trapezoidal rule with spacing 2π/T is, by Poisson's sum, exactly Σ_m e^{θmT}·δ(ε + mT):
// every alias is positive. The sum is an upper end as it stands; for the lower end the
// aliases are bounded and taken off. (δ(ε)e^{θε} is continuous, integrable and of bounded
// variation, so Poisson's sum holds at every ε.)
//
// # Smoothing
//
// One more Gaussian release, Z ~ N(h²/2, h²), makes the frequencies end: δ ≤ δ_{S+Z}, as
// (1−u)₊ is convex and E e^{−Z} = 1. The gap E(1 − e^{−x−Z})₊ − (1 − e^{−x})₊ is
// e^{−x/2}·r(|x|) with r(t) = φ(t/h)e^{−h²/8}[R(t/h − h/2) − R(t/h + h/2)], R = Φ(−·)/φ. R is convex and
// decreasing, so the bracket falls with t and r(t) ≤ r(0)e^{−t²/2h²}, r(0) = 2Φ(h/2) − 1. Hence
//
//	δ_{S+Z}(ε) − r(0)·E e^{−(S−ε)/2 − (S−ε)²/2h²} ≤ δ(ε) ≤ δ_{S+Z}(ε),
//
// and both sides are sums of the same terms with the kernels 1/(ζ(ζ+1)) and
// 1/(ζ(ζ+1)) − e^{h²/8}h√2π·r(0), damped by e^{h²ζ(ζ+1)/2}. What the stack has of plain Gaussian
// noise damps in the same way, and for nothing. Sums on a lattice have a periodic spectrum and
// need neither: see lattice.
//
// # Errors
//
// Charged are: aliasing, smoothing, the frequencies left out (bandwidth), the mass moved
// to +∞ (truncation), the rules (quadrature), and round-off. A charge that is not a number
// makes the end it belongs to vacuous.
package spectrum

import (
	"context"
	"math"
	"strconv"
	"sync"

	"epsiloscope/accounting/pld/loss"
)

// Line is one distinct loss of a stack and how often it occurs, a whole number. Losses with
// equal keys are equal; without keys nothing is remembered of them.
type Line struct {
	Loss  loss.Distribution
	Count float64
	Key   string
}

// Stack is what is composed, in one direction. Square is Σ μ² of its plain Gaussians. Cache
// may be nil.
type Stack struct {
	Lines  []Line
	Square float64
	Cache  *Cache
}

// keyed is the stack with a cache and keys: those it has, or some that last as long as it.
func (s Stack) keyed() Stack {
	for _, l := range s.Lines {
		if l.Key == "" || s.Cache == nil {
			s.Cache = nil
			break
		}
	}
	if s.Cache != nil {
		return s
	}
	lines := make([]Line, len(s.Lines))
	for i, l := range s.Lines {
		l.Key = "#" + strconv.Itoa(i)
		lines[i] = l
	}
	s.Lines, s.Cache = lines, new(Cache)
	return s
}

// truncated is a stack without its far ends.
type truncated struct {
	Stack
	ctx    context.Context // of the evaluation that this is part of
	known  []*outlined     // by line
	top    float64         // P-mass at +∞, truncation included
	failed float64         // without it
	// rare are losses beyond the lines', one part per line. With them the measure is that of
	// the composed loss where at least one release has such a loss: see [Stack.pass].
	rare []rareLoss
}

// outlined is a truncated loss, with a coarse rule and what that said so far.
type outlined struct {
	loss.Distribution
	key     string
	coarse  loss.Rule  // none where it is not needed
	reach   float64    // of the losses, +Inf if some mass is not finite
	kappa   [5]float64 // the second, third and fourth cumulant of the untilted loss
	mu      sync.Mutex
	at      map[float64]cumulants
	theta   float64 // of the patches
	patches []loss.Patch
}

func outline(d loss.Distribution, key string) (*outlined, int) {
	o := &outlined{Distribution: d, key: key}
	coarse := d.Coarse()
	var m [5]float64
	for _, n := range coarse.Nodes {
		o.reach = math.Max(o.reach, math.Abs(n.Loss))
		for k, p := 0, math.Exp(n.LogW); k < len(m); k, p = k+1, p*n.Loss {
			m[k] += p
		}
	}
	o.kappa = [5]float64{2: m[2] - m[1]*m[1], 3: m[3] - 3*m[1]*m[2], 4: m[4] - 3*m[2]*m[2]}
	if d.Top > 0 || d.Bottom > 0 {
		o.reach = math.Inf(1)
	}
	bytes := 16*len(d.Atoms) + 1<<10
	if !o.small(usualTilt) {
		o.coarse = coarse
		bytes += 32*len(coarse.Nodes) + 8<<10 // and what it says at many tilts
	}
	return o, bytes
}

// usualTilt is up to where a loss is small if its coarse rule is not to be kept: of many small
// losses the rules would take most of the memory.
const usualTilt = 40

// small reports whether the losses are small at a tilt: a series in θ is right to a hundredth.
func (o *outlined) small(theta float64) bool { return o.reach*(1+theta) < 0.5 }

// cumulants are those of the coarse rule: they steer only. Of small losses they are a series in
// θ, the linear term such that ln M(−1) = 0.
func (o *outlined) cumulants(theta float64) cumulants {
	if o.small(theta) {
		k, t := o.kappa, theta
		return cumulants{
			log:      k[2]*t*(t+1)/2 + k[3]*t*(t*t-1)/6 + k[4]*t*(t*t*t+1)/24,
			mean:     k[2]*(t+0.5) + k[3]*(3*t*t-1)/6 + k[4]*(4*t*t*t+1)/24,
			variance: k[2] + k[3]*t + k[4]*t*t/2,
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	c, ok := o.at[theta]
	if !ok {
		if len(o.at)%256 == 0 {
			o.at = map[float64]cumulants{}
		}
		if len(o.coarse.Nodes) == 0 {
			o.coarse = o.Coarse()
		}
		c = cumulantsOf(context.Background(), o.coarse, theta)
		o.at[theta] = c
	}
	return c
}

// spread are the patches of the loss.
func (o *outlined) spread(theta float64) []loss.Patch {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.theta != theta {
		o.theta, o.patches = theta, o.Spread(theta)
	}
	return o.patches
}

// truncate moves at most tail of P-mass per release to +∞. The tail is rounded, so that a
// stack with a few releases more has the same losses. Once the context has ended nothing is
// known of the rest, and no number of it is one.
func (s Stack) truncate(ctx context.Context, tail float64) truncated {
	s = s.keyed()
	tail = rounded(tail, 1)
	out := truncated{ctx: ctx, Stack: s, known: make([]*outlined, len(s.Lines))}
	out.Lines = make([]Line, len(s.Lines))
	var all, own float64
	for i, l := range s.Lines {
		if ctx.Err() != nil {
			return truncated{ctx: ctx, top: math.NaN()}
		}
		o := kept(ctx, s.Cache, key{l.Key, keyTruncated, [6]float64{tail}}, func() (*outlined, int) {
			return outline(l.Loss.Truncate(tail), l.Key+"|"+strconv.FormatFloat(tail, 'x', -1, 64))
		})
		out.known[i] = o
		out.Lines[i] = Line{o.Distribution, l.Count, o.key}
		all += l.Count * math.Log1p(-math.Min(1, o.Top*(1+1e-9)))
		own += l.Count * math.Log1p(-math.Min(1, (l.Loss.Top-l.Loss.Feared)*(1-1e-12)))
	}
	out.top, out.failed = -math.Expm1(all), -math.Expm1(own)
	return out
}

// rounded is the largest power of 2^{1/n} that is not above x, to the last place.
func rounded(x float64, n float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return x
	}
	return math.Exp2(math.Floor(math.Log2(x)*n) / n)
}

// releases is Σ K.
func (s Stack) releases() float64 {
	total := 0.0
	for _, l := range s.Lines {
		total += l.Count
	}
	return total
}

// outline are the cumulants of the composed loss by the coarse rules: they steer only.
func (s *truncated) outline(theta float64) (log, mean, variance float64) {
	log, mean, variance = s.Square*theta*(theta+1)/2, s.Square*(theta+0.5), s.Square
	for i, l := range s.Lines {
		if s.ctx.Err() != nil {
			return math.NaN(), math.NaN(), math.NaN()
		}
		c := s.known[i].cumulants(theta)
		log += l.Count * c.log
		mean += l.Count * c.mean
		variance += l.Count * c.variance
	}
	if s.rare != nil {
		return s.outlineRare(theta, log, mean, variance)
	}
	return log, mean, variance
}
