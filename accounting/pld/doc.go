// Package pld is the numerical accountant: it composes the privacy losses of dominating pairs and
// returns an interval that certainly contains the tight ε. What comes in is a list of [pairs.Part], pairs with
// counts, and δ; what goes out is an [Interval]. Start with [Epsilon], or with [DeltaAt] for δ at some ε. What one
// release looks like is the subject of package pairs, what is asked of a composed list that of this package.
//
// # The algorithm
//
//  1. A pair: a [pairs.Pair] says how well an attacker can distinguish two neighbouring data sets by one release.
//     Constructors such as [pairs.Gaussian], [pairs.Laplace] and [pairs.Subsample] build the usual ones. A pair has
//     a [pairs.Loss] for each order of the neighbours, Remove and Add.
//  2. A loss: the distribution of L = ln dP/dQ with the output drawn from P. It is atoms and densities
//     (package loss), a closed curve, and what is known of its Rényi divergences. If the exact
//     loss is not known, two estimates enclose it: a pessimistic one and an optimistic one ([pairs.Estimate]).
//  3. Directions: the stack is read once for each order of the neighbours. Equal losses are folded and all
//     Gaussians become one ([pairs.Fold], direction.go). The larger ε of both directions counts.
//  4. Composition: the losses of independent releases add up. Four methods find the ε of the sum, tried in
//     this order until the interval is narrow enough or the direction cannot be the worse one (ask.go,
//     methods.go; the table of TestMethods says which stacks need which):
//     a closed form (no release, Gaussians only, one release);
//     every sum of losses, if that is asked for and they are few (package exact);
//     the spectrum, one Fourier sum in the complex plane, where almost every stack ends (package spectrum);
//     a bound by Rényi divergences, and the answer says so (renyi.go).
//  5. Both ends: the pessimistic estimates are composed for the upper end, the optimistic ones for the lower
//     end. If that interval is wide and closer estimates exist, they are composed too.
//
// # An example in numbers
//
// Randomized response with ε₀ = 1 tells the true bit with probability p = e/(1+e) = 0.7311. Its loss is
// +1 with probability 0.7311 and −1 with probability 0.2689, in both directions: [pairs.Pure](1).
//
// Two such releases have a loss of +2, 0 or −2, with the probabilities 0.7311² = 0.5344, 2·0.7311·0.2689 = 0.3932 and
// 0.2689² = 0.0723. δ at an ε is the sum over the losses above ε of their probability times 1 − e^{ε−loss}. At ε = 1
// only +2 counts: δ(1) = 0.5344·(1 − e^{−1}) = 0.3378. At ε = 2 nothing is left: two releases of pure ε₀ = 1 satisfy ε
// = 2 with δ = 0, as basic composition says.
//
// The accountant turns this around: for δ = 0.1 it solves 0.5344·(1 − e^{ε−2}) = 0.1, so
// ε = 2 + ln(1 − 0.1/0.5344) = 1.7928. A hundred releases have 101 sums, from −100 to +100, and ε = 83.5307 at
// δ = 10⁻⁶ in place of 100. With losses that are not on a lattice, such as those of DP-SGD, the sums are too many
// for a list: the spectrum needs none.
//
// The loss itself is read off the spectrum (tail.go). An [Accountant] in the context remembers losses and spectra.
//
// # Errors
//
// An approximation makes an interval wide, never wrong: each is bounded where it is made and charged to the end
// it could help. Wide intervals belong to pairs known between two estimates; to stacks of a few hundred to a few
// thousand releases next to their largest losses at a tiny δ, where no tilt suits and sums are too many; and to δ
// below 1e-305, or below 1e-250 if masses that leave float64 are more than δ. Such an answer says so in its note.
package pld
