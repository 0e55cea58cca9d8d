// Package risk states a privacy guarantee in terms of harm: how well an attacker can tell
// whether a person is in the data, or guess what their record says.
//
// Every quantity is read off the privacy profile δ(ε) of a stack, in both directions and at
// every real ε. With P the distribution of the output with the person's record and Q without
// it, δ_remove(ε) = sup_S P(S) − e^ε·Q(S), and δ_add is the same with P and Q exchanged.
//
//   - Membership advantage: sup(TPR − FPR) = δ(0), the same in both directions.
//   - True-positive rate at a false-positive rate α: inf over real ε of e^ε·α + δ_remove(ε).
//   - True-negative rate at a false-negative rate α: the same with δ_add.
//   - Bayes success at prior π: 1 − π + π·δ_remove(ln((1−π)/π)).
//   - Reconstruction at prior success κ: the true-positive rate at α = κ.
//   - (μ, δ₀): δ(ε) ≤ δ₀ + (1−δ₀)·δ_Gauss(μ, ε) for every ε (summary.go).
//
// Upper ends bound every attack on the stack; lower ends are reached by the optimal test
// between the dominating pairs. All of it assumes that the other records are fixed, or
// independent of this person's record: people who are always in the data together are a
// group, and the group's own profile applies.
//
// For example, one Gaussian release with μ = Δ/σ = 1 has the advantage 2Φ(½) − 1 = 0.3829, and
// at a false-positive rate of 1 % an attacker finds at most Φ(Φ⁻¹(0.01) + 1) = 9.24 % of the
// members:
//
//	curve := risk.New([]pairs.Part{{Pair: pairs.Gaussian(1), Count: 1}})
//	advantage, err := curve.Advantage(ctx)              // 0.38292
//	tpr, err := curve.TruePositiveRate(ctx, 0.01)       // 0.09236
package risk

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
)

// Ends encloses a probability: Lower ≤ value ≤ Upper.
type Ends struct{ Lower, Upper float64 }

// Curve is the certified privacy profile of a stack. It evaluates δ at the ε that a
// question needs and keeps them, so that every later answer may only become narrower. It may
// be used by several goroutines.
type Curve struct {
	parts     []pairs.Part
	symmetric bool
	opt       pld.Options
	effort    effort
	mu        sync.Mutex
	sides     [2]side
}

// side holds what is known of δ in one direction, by ascending ε.
type side struct{ epsilon, lower, upper []float64 }

// profileWidth is the relative width asked of the accountant. It speaks of ε; the accountant allows δ
// 200 times as much, and most stacks come out far narrower at the same cost. Asking for less
// makes few releases next to a failure probability expensive.
const profileWidth = 1e-5

// effort says how many ε a question may evaluate. Fewer make the ends wider, never wrong.
type effort struct{ first, rounds, summary int }

var fullEffort, quickEffort = effort{33, 14, 241}, effort{13, 1, 25}

// Quick returns the curve with fewer ε and a wider profile: its ends are certified, and often
// within a few percent. It is for values shown while a plan is being changed.
func (c *Curve) Quick() *Curve {
	q := New(c.parts)
	q.opt.Width, q.effort = 1e-3, quickEffort
	return q
}

// Releases returns how many releases the stack has.
func (c *Curve) Releases() (n float64) {
	for _, p := range c.parts {
		n += p.Count
	}
	return n
}

// New returns the curve of a stack. Nothing is computed until a quantity is asked for.
func New(parts []pairs.Part) *Curve {
	return &Curve{parts: slices.Clone(parts), symmetric: pairs.SymmetricStack(parts), opt: pld.Options{Width: profileWidth}, effort: fullEffort}
}

// Symmetric reports whether both directions of the curve are the same, so that the true-positive and
// the true-negative rate agree.
func (c *Curve) Symmetric() bool { return c.symmetric }

// sideOf returns the index of the side that holds a direction.
func (c *Curve) sideOf(way pld.Direction) pld.Direction {
	if c.symmetric {
		return pld.WithRecord
	}
	return way
}

// extend evaluates δ in a direction at further ε. By the mirror δ_add(ε) = 1 − e^ε +
// e^ε·δ_remove(−ε), what is known of one direction is used for the other as well.
func (c *Curve) extend(ctx context.Context, way pld.Direction, epsilons []float64) error {
	way = c.sideOf(way)
	s := &c.sides[way]
	c.mu.Lock()
	fresh := slices.DeleteFunc(slices.Clone(epsilons), func(e float64) bool { return slices.Contains(s.epsilon, e) })
	c.mu.Unlock()
	if len(fresh) == 0 {
		return nil
	}
	lower, upper, err := pld.DirectedProfile(ctx, c.parts, way, fresh, c.opt)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, e := range fresh {
		c.insert(way, e, lower[i], upper[i])
		l, u := mirror(e, lower[i], upper[i])
		c.insert(c.sideOf(1-way), -e, l, u)
	}
	return nil
}

// mirror returns the ends of δ at −ε in the other direction, given its ends at ε, rounded
// outward: H_a(Q‖P) = 1 − a + a·H_{1/a}(P‖Q) with a = e^{−ε}.
func mirror(epsilon, lower, upper float64) (float64, float64) {
	a := math.Exp(-epsilon)
	if math.IsInf(a, 1) || a == 0 {
		return 0, 1
	}
	// 1 − a(1−δ). Its round-off is a few units of 1 + a.
	pad := 16 * 0x1p-53 * (1 + a)
	return math.Max(0, 1-a*(1-lower)-pad), math.Min(1, 1-a*(1-upper)+pad)
}

func (c *Curve) insert(way pld.Direction, epsilon, lower, upper float64) {
	s := &c.sides[way]
	i := sort.SearchFloat64s(s.epsilon, epsilon)
	if i < len(s.epsilon) && s.epsilon[i] == epsilon {
		s.lower[i], s.upper[i] = math.Max(s.lower[i], lower), math.Min(s.upper[i], upper)
		return
	}
	s.epsilon = slices.Insert(s.epsilon, i, epsilon)
	s.lower = slices.Insert(s.lower, i, lower)
	s.upper = slices.Insert(s.upper, i, upper)
}

// snapshot returns a copy of what is known of a direction.
func (c *Curve) snapshot(way pld.Direction) side {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sides[c.sideOf(way)]
	return side{slices.Clone(s.epsilon), slices.Clone(s.lower), slices.Clone(s.upper)}
}

// Delta returns certified ends of δ(ε) in one direction, for any real ε.
func (c *Curve) Delta(ctx context.Context, way pld.Direction, epsilon float64) (Ends, error) {
	if math.IsNaN(epsilon) {
		return Ends{0, 1}, fmt.Errorf("δ is asked for at an ε that is not a number")
	}
	if err := c.extend(ctx, way, []float64{epsilon}); err != nil {
		return Ends{0, 1}, err
	}
	s := c.snapshot(way)
	i := sort.SearchFloat64s(s.epsilon, epsilon)
	return Ends{s.lower[i], s.upper[i]}, nil
}

// Deltas returns certified ends of δ in one direction at several ε, evaluated together.
func (c *Curve) Deltas(ctx context.Context, way pld.Direction, epsilons []float64) ([]Ends, error) {
	if slices.ContainsFunc(epsilons, math.IsNaN) {
		return nil, fmt.Errorf("δ is asked for at an ε that is not a number")
	}
	if err := c.extend(ctx, way, epsilons); err != nil {
		return nil, err
	}
	s, out := c.snapshot(way), make([]Ends, len(epsilons))
	for k, e := range epsilons {
		i := sort.SearchFloat64s(s.epsilon, e)
		out[k] = Ends{s.lower[i], s.upper[i]}
	}
	return out, nil
}

// Advantage returns certified ends of the membership advantage sup(TPR − FPR), which is δ(0).
func (c *Curve) Advantage(ctx context.Context) (Ends, error) {
	return c.Delta(ctx, pld.WithRecord, 0)
}

// TruePositiveRate returns certified ends of the largest share of members that a test can
// find if it accuses at most the share fpr of the others.
func (c *Curve) TruePositiveRate(ctx context.Context, fpr float64) (Ends, error) {
	return c.power(ctx, pld.WithRecord, fpr, "the false-positive rate")
}

// TrueNegativeRate returns certified ends of the largest share of the others that a test can
// clear if it clears at most the share fnr of the members.
func (c *Curve) TrueNegativeRate(ctx context.Context, fnr float64) (Ends, error) {
	return c.power(ctx, pld.WithoutRecord, fnr, "the false-negative rate")
}

// Reconstruction returns certified ends of the success of an attacker who guesses a secret of the
// record and would succeed with probability prior without the output. The prior must be the success of
// the best fixed guess: the largest mass that any one guess covers, not an average.
func (c *Curve) Reconstruction(ctx context.Context, prior float64) (Ends, error) {
	return c.power(ctx, pld.WithRecord, prior, "the prior success")
}

// BayesSuccess returns certified ends of the probability that the best guess about membership is
// right if a share prior of the candidates are members. Without the output it is
// max(prior, 1 − prior).
func (c *Curve) BayesSuccess(ctx context.Context, prior float64) (Ends, error) {
	all, err := c.BayesSuccesses(ctx, []float64{prior})
	if err != nil {
		return Ends{0, 1}, err
	}
	return all[0], nil
}

// BayesSuccesses returns [Curve.BayesSuccess] at several priors, evaluated together.
func (c *Curve) BayesSuccesses(ctx context.Context, priors []float64) ([]Ends, error) {
	epsilons, out := make([]float64, len(priors)), make([]Ends, len(priors))
	for i, prior := range priors {
		if !(prior > 0 && prior < 1) {
			return nil, openInterval("the prior", prior)
		}
		epsilons[i] = math.Log((1 - prior) / prior)
	}
	deltas, err := c.Deltas(ctx, pld.WithRecord, epsilons)
	if err != nil {
		return nil, err
	}
	for i, d := range deltas {
		out[i] = bayesSuccess(priors[i], d)
	}
	return out, nil
}

// bayesSuccess returns 1 − π + π·δ(ln((1−π)/π)), rounded outward.
func bayesSuccess(prior float64, d Ends) Ends {
	pad := 16 * 0x1p-53 // round-off of the sum, and of ε, at which δ has a slope of at most 1
	baseline := math.Max(prior, 1-prior)
	lower := math.Max(baseline, 1-prior+prior*d.Lower-pad)
	return Ends{lower, math.Max(lower, math.Min(1, 1-prior+prior*d.Upper+pad))}
}

func openInterval(what string, x float64) error {
	return fmt.Errorf("%s must lie strictly between 0 and 1, got %g", what, x)
}
