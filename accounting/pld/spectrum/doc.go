// Package spectrum composes privacy losses without discretising them. What comes in is a [Stack] of
// losses with counts, in one direction; what goes out is an interval that contains the
// tight ε at a δ, or δ at an ε. Start with [Stack.Epsilon].
//
// # The algorithm
//
//  1. Truncate: losses of next to no P-mass are moved to +∞, and their mass is added to δ (stack.go).
//  2. Plan: coarse rules choose a tilt θ, a window T, a smoothing h and a bandwidth, an [Inversion]
//     (outline.go, plan.go, window.go). A bad choice makes the interval wide, never wrong.
//  3. Evaluate: each loss L of a release has the moment generating function M(z) = E_P[e^{zL}]. It is
//     computed at the frequencies ζ = θ + 2πik/T, each with a proven error: the loss is replaced by a
//     certified rule and tilted (cumulants.go, tilted.go), frequencies are evaluated in blocks and kept
//     in a [Cache] (block.go, nufft.go).
//  4. Multiply: the losses of releases add up, so their functions are multiplied: F(ζ) = Π M(ζ)^K
//     (spectrum.go, walk.go). The work does not depend on K.
//  5. Sum: one Fourier sum of F gives δ at any ε, with an upper and a lower end (delta.go).
//  6. Solve: each end is inverted for ε. If the interval is too wide, a better plan follows that
//     corrects the largest error (pass.go, epsilon.go).
//
// If no one tilt suits, rare losses have a spectrum of their own (apart.go, rare.go). Curves, quantiles
// and densities come from the same spectra (profile.go, loss.go).
//
// # An example in numbers
//
// Two randomized responses of ε₀ = 1 are composed, and δ is sought at ε = 1. One release has the loss +1
// with probability p = e/(1+e) = 0.7311 and −1 otherwise. So M(z) = 0.7311·e^z + 0.2689·e^{−z}.
//
// The plan is θ = 1, T = 8, h = 0.5. On the real axis M(1) = 2.0862. The table has a row for each
// frequency ω = 2πk/8: |M(1+iω)|² damped by the smoothing, and the term of the sum.
//
//	k   ω        |F|      term     sum so far
//	0   0.0000   5.5882   0.1285   0.1285
//	1   0.7854   4.7060   0.1581   0.2866
//	2   1.5708   3.3633   0.0576   0.3442
//	3   2.3562   2.5396   0.0078   0.3521
//	4   3.1416   1.6273  −0.0057   0.3464
//	5   3.9270   0.7396  −0.0037   0.3427
//	6   4.7124   0.2852  −0.0007   0.3420
//	7   5.4978   0.1162   0.0001   0.3421
//	8   6.2832   0.0402   0.0001   0.3422
//
// Later terms are below 0.0001. The sum, 0.3422, is the upper end of δ(1). It counts the aliases, of which the
// largest is e^{−8}·δ(−7) = 0.0003, and what the smoothing adds. The lower end is the same sum with the
// smaller kernel, 0.3162, minus the aliases: 0.3159. The truth lies between: with probability p² = 0.5344 both
// losses are +1, so δ(1) = 0.5344·(1 − e^{1−2}) = 0.3378. The plan that the package chooses for this stack puts
// the ε of that δ into an interval around 1 that is narrower than 10⁻⁶.
//
// # The inversion formula
//
// With S the composed loss, Λ(z) = Σ K·ln M(z) and ζ = θ + iω, θ > 0,
//
//	∫ e^{−ζx}(1 − e^{−x})₊ dx = 1/(ζ(ζ+1)),  so  δ(ε) = (1/2π) ∫ e^{Λ(ζ) − ζε}/(ζ(ζ+1)) dω.
//
// The trapezoidal rule with spacing 2π/T is, by Poisson's sum, exactly Σ_m e^{θmT}·δ(ε + mT):
// no alias is negative. The sum is an upper end as it stands; for the lower end the
// aliases are bounded and subtracted. (δ(ε)e^{θε} is continuous, integrable and of bounded
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
// noise damps in the same way, at no cost. Sums on a lattice have a periodic spectrum and
// need neither: see lattice.go.
//
// # Errors
//
// Charged are: aliasing, smoothing, the frequencies left out (bandwidth), the mass moved
// to +∞ (truncation), the rules (quadrature), and round-off. A charge that is not a number
// makes the end it belongs to vacuous.
package spectrum
