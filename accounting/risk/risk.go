// Package risk states a privacy guarantee in terms of harm: how well an attacker can tell
// whether a person is in the data, or guess what their record says.
//
// Every quantity is read off the privacy profile δ(ε) of a stack, in both directions and at
// every real ε. With P the distribution of the output with the person's record and Q without
// it, δ_remove(ε) = sup_S P(S) − e^ε·Q(S), and δ_add is the same with P and Q exchanged. The
// directions are [pld.WithRecord] and [pld.WithoutRecord].
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
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/pld/spectrum"
)

// Ends encloses a probability: Lower ≤ value ≤ Upper.
type Ends struct{ Lower, Upper float64 }

// Stack holds what is known of a stack of releases: every part of it bounds the same δ(ε), and the curve is their
// envelope.
type Stack struct {
	// Alternatives are lists of dominating pairs, each of which dominates the whole stack in both directions.
	Alternatives [][]pairs.Part
	// Guarantees are (ε, δ) that theorems prove for the whole stack, so in both directions.
	Guarantees []Approximate
	// Theorem returns an upper end of δ(ε), ε ≥ 0, that holds in both directions; nil if there is none. It is asked
	// only if the pairs leave δ wide.
	Theorem func(epsilon float64) float64
	// Gaussian is the μ of a stack of Gaussian noise alone, whose trade-off function is known exactly; else 0.
	Gaussian float64
	// Levels are the rates at which the curve is narrowest: those that a report states.
	Levels []float64
	// Negligible is a δ that counts as 0: where δ is certainly no larger, nothing closer is computed.
	Negligible float64
}

// Curve is the certified privacy profile of a stack: in each direction the envelope of what numerical composition and
// theorems prove. All values are read off one set of points, which is computed once and depends on the stack alone. So
// two questions never contradict each other, and no answer depends on what was asked before. It may be used by several
// goroutines.
type Curve struct {
	stack     Stack
	symmetric bool
	mu        sync.Mutex
	points    *points // nil until it is needed
}

// points holds what is known of δ: by direction, or once if both are the same. The curves are those of the stack's
// alternatives in each direction; later points share the compositions of earlier ones.
type points struct {
	sides  [2]side
	curves [2][]*pld.DirectedCurve
}

// side holds what is known of δ in one direction, by ascending ε.
type side struct{ epsilon, lower, upper []float64 }

const (
	// profileWidth is the relative width asked of the accountant. It speaks of ε; the accountant allows δ
	// 200 times as much, and most stacks come out far narrower at the same cost.
	profileWidth = 1e-5
	// summaryWidth is the width for the many points of a summary, which needs δ at larger ε.
	summaryWidth = 1e-4
	// wideShare is the relative width of δ from which on a theorem may improve on the pairs.
	wideShare = 1e-2
)

// New returns the curve of a stack of dominating pairs. Nothing is computed until a quantity is asked for.
func New(parts []pairs.Part) *Curve { return NewEnvelope(Stack{Alternatives: [][]pairs.Part{parts}}) }

// NewEnvelope returns the curve of all that is known of a stack.
func NewEnvelope(s Stack) *Curve {
	s.Alternatives, s.Guarantees, s.Levels = slices.Clone(s.Alternatives),
		slices.Clone(s.Guarantees), slices.Clone(s.Levels)
	symmetric := true
	for _, parts := range s.Alternatives {
		symmetric = symmetric && pairs.SymmetricStack(parts)
	}
	s.Levels = slices.DeleteFunc(s.Levels, func(x float64) bool { return !(x > 0 && x < 1) })
	slices.Sort(s.Levels)
	return &Curve{stack: s, symmetric: symmetric}
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

// computedPoints returns the points of the curve, computed at the first call.
func (c *Curve) computedPoints(ctx context.Context) (*points, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.points == nil {
		p, err := c.compute(ctx)
		if err != nil {
			return nil, err
		}
		c.points = p
	}
	return c.points, nil
}

// basePoints is the number of ε ≥ 0 from which the curve starts, in each direction. The accountant takes many points of
// one call at about the cost of one.
const basePoints = 97

// compute evaluates δ on a grid of ε ≥ 0 in each direction, and then closer to where the rates of the levels are
// attained.
func (c *Curve) compute(ctx context.Context) (*points, error) {
	high, end, err := c.span(ctx)
	if err != nil {
		return nil, err
	}
	grid := []float64{0}
	for _, parts := range c.stack.Alternatives {
		grid = append(grid, pairs.Corners(parts)...)
	}
	for _, g := range c.stack.Guarantees {
		if g.Epsilon <= end || g.Delta < endDelta { // else the pairs prove more at a smaller ε
			grid = append(grid, g.Epsilon)
		}
	}
	grid = slices.DeleteFunc(grid, func(e float64) bool { return !(e >= 0 && e <= farthest) })
	slices.Sort(grid)
	grid = slices.Compact(grid)
	var between []float64
	for i := 1; i < basePoints; i++ { // denser about 0, where profiles bend most
		t := float64(i) / (basePoints - 1)
		between = append(between, high*t*t)
	}
	grid = slices.Sorted(slices.Values(append(grid, apartFrom(grid, between)...)))
	p := c.emptyPoints()
	if err := c.extend(ctx, p, grid, grid, profileWidth); err != nil {
		return nil, err
	}
	return p, c.refine(ctx, p, c.stack.Levels, []pld.Direction{pld.WithRecord, pld.WithoutRecord})
}

// emptyPoints returns what is known of δ before anything was composed.
func (c *Curve) emptyPoints() *points {
	p := new(points)
	for way := range p.curves {
		for _, parts := range c.stack.Alternatives {
			p.curves[way] = append(p.curves[way], pld.NewDirectedCurve(parts, pld.Direction(way)))
		}
	}
	return p
}

// apartFrom returns the numbers that are not next to one of a sorted list: two lines through nearly the same point
// meet anywhere.
func apartFrom(list, numbers []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(numbers), func(e float64) bool {
		i := sort.SearchFloat64s(list, e)
		return i > 0 && nextTo(list[i-1], e) || i < len(list) && nextTo(list[i], e)
	})
}

// nextTo reports whether two ε are too close to each other for a line through both.
func nextTo(a, b float64) bool { return math.Abs(a-b) <= 1e-7*(1+math.Abs(b)) }

// extend evaluates δ at further ε, ascending, of any sign. Only ε ≥ 0 is evaluated: δ_add(ε) = 1 − e^ε +
// e^ε·δ_remove(−ε), so that the value of a direction at a negative ε follows from the other direction at −ε.
func (c *Curve) extend(ctx context.Context, p *points, remove, add []float64, width float64) error {
	asked := [2][]float64{}
	for way, list := range [2][]float64{remove, add} {
		for _, e := range list {
			to := c.sideOf(pld.Direction(way))
			if e < 0 {
				to = c.sideOf(1 - pld.Direction(way))
			}
			asked[to] = append(asked[to], math.Abs(e))
		}
	}
	for way, list := range asked {
		way := pld.Direction(way)
		slices.Sort(list)
		list = slices.DeleteFunc(slices.Compact(list), func(e float64) bool {
			return slices.Contains(p.sides[way].epsilon, e)
		})
		if len(list) == 0 {
			continue
		}
		ends, err := c.evaluate(ctx, p.curves[way], list, pld.Options{Width: width, Negligible: c.stack.Negligible})
		if err != nil {
			return err
		}
		for i, e := range list {
			err = errors.Join(err, p.insert(way, e, ends[i]), p.insert(c.sideOf(1-way), -e, mirror(e, ends[i])))
		}
		if err != nil {
			return c.nameStack(err)
		}
	}
	return c.nameStack(errors.Join(p.sides[0].settle(), p.sides[1].settle(), p.shareAdvantage()))
}

// nameStack returns an error with the stack in its text if two enclosures of one probability contradict each other.
func (c *Curve) nameStack(err error) error {
	if err == nil || len(c.stack.Alternatives) == 0 {
		return err
	}
	return pld.NameStack(err, c.stack.Alternatives[0])
}

// shareAdvantage gives both directions the ends of δ(0) that hold in either: it is the same in both, and points at
// negative ε may have narrowed it in one.
func (p *points) shareAdvantage() error {
	with, without := &p.sides[pld.WithRecord], &p.sides[pld.WithoutRecord]
	i, known := slices.BinarySearch(with.epsilon, 0)
	j, both := slices.BinarySearch(without.epsilon, 0)
	if !known || !both { // one of them is left out where both are the same
		return nil
	}
	ofWith, ofWithout := Ends{with.lower[i], with.upper[i]}, Ends{without.lower[j], without.upper[j]}
	return errors.Join(p.insert(pld.WithRecord, 0, ofWithout), p.insert(pld.WithoutRecord, 0, ofWith),
		with.settle(), without.settle())
}

// evaluate returns the envelope of everything known of δ in a direction, with the curves of that direction, at some
// ε ≥ 0, ascending.
func (c *Curve) evaluate(ctx context.Context, curves []*pld.DirectedCurve, epsilons []float64,
	options pld.Options) ([]Ends, error) {
	ends := make([]Ends, len(epsilons))
	for i, e := range epsilons {
		ends[i].Upper = 1
		for _, g := range c.stack.Guarantees {
			ends[i].Upper = math.Min(ends[i].Upper, g.delta(e))
		}
	}
	for _, curve := range curves {
		lower, upper, err := curve.Profile(ctx, epsilons, options)
		if err != nil {
			return nil, err
		}
		for i := range ends {
			if ends[i], err = meet(ends[i], Ends{lower[i], upper[i]}); err != nil {
				return nil, c.nameStack(err)
			}
		}
	}
	for i, e := range epsilons {
		if c.stack.Theorem == nil || ends[i].Upper-ends[i].Lower <= wideShare*ends[i].Upper {
			continue
		}
		var err error
		if ends[i], err = meet(ends[i], Ends{0, c.stack.Theorem(e)}); err != nil {
			return nil, c.nameStack(err)
		}
	}
	return ends, nil
}

// meet returns the ends that two enclosures of one probability prove together. Enclosures that exclude each other by
// more than rounding are an error: one of them is wrong.
func meet(a, b Ends) (Ends, error) {
	const nothing = 1e-250 // below which a probability counts as 0
	lower, upper, err := spectrum.Meet([2]float64{a.Lower, a.Upper}, [2]float64{b.Lower, b.Upper}, nothing)
	return Ends{lower, upper}, err
}

// mirror returns the ends of δ at −ε in the other direction, given its ends at ε, rounded
// outward: H_a(Q‖P) = 1 − a + a·H_{1/a}(P‖Q) with a = e^{−ε}.
func mirror(epsilon float64, e Ends) Ends {
	a := math.Exp(-epsilon)
	if epsilon == 0 || math.IsInf(a, 1) || a == 0 {
		if epsilon == 0 { // the advantage is the same in both directions
			return e
		}
		return Ends{0, 1}
	}
	// 1 − a(1−δ). Its round-off is a few units of 1 + a.
	pad := 16 * 0x1p-53 * (1 + a)
	return Ends{math.Max(0, 1-a*(1-e.Lower)-pad), math.Min(1, 1-a*(1-e.Upper)+pad)}
}

// insert adds the ends of δ at an ε; both ends of two values at one ε hold.
func (p *points) insert(way pld.Direction, epsilon float64, e Ends) error {
	s := &p.sides[way]
	if epsilon == 0 {
		epsilon = 0 // not −0
	}
	i := sort.SearchFloat64s(s.epsilon, epsilon)
	if i < len(s.epsilon) && s.epsilon[i] == epsilon {
		both, err := meet(Ends{s.lower[i], s.upper[i]}, e)
		s.lower[i], s.upper[i] = both.Lower, both.Upper
		return err
	}
	s.epsilon = slices.Insert(s.epsilon, i, epsilon)
	s.lower = slices.Insert(s.lower, i, e.Lower)
	s.upper = slices.Insert(s.upper, i, e.Upper)
	return nil
}

// settle uses that δ does not increase: an upper end holds for every larger ε, a lower end for every smaller one.
func (s *side) settle() error {
	for i := 1; i < len(s.epsilon); i++ {
		s.upper[i] = math.Min(s.upper[i], s.upper[i-1])
	}
	for i := len(s.epsilon) - 2; i >= 0; i-- {
		s.lower[i] = math.Max(s.lower[i], s.lower[i+1])
	}
	for i := range s.epsilon {
		both, err := meet(Ends{s.lower[i], 1}, Ends{0, s.upper[i]})
		if err != nil {
			return err
		}
		s.lower[i], s.upper[i] = both.Lower, both.Upper
	}
	return nil
}

// copy returns points that can be added to.
func (p *points) copy() *points {
	out := new(points)
	for way, s := range p.sides {
		out.sides[way] = side{slices.Clone(s.epsilon), slices.Clone(s.lower), slices.Clone(s.upper)}
		for _, curve := range p.curves[way] {
			out.curves[way] = append(out.curves[way], curve.Clone())
		}
	}
	return out
}

// Delta returns certified ends of δ(ε) in one direction, for any real ε.
func (c *Curve) Delta(ctx context.Context, way pld.Direction, epsilon float64) (Ends, error) {
	all, err := c.Deltas(ctx, way, []float64{epsilon})
	if err != nil {
		return Ends{0, 1}, err
	}
	return all[0], nil
}

// Deltas returns certified ends of δ in one direction at several ε, evaluated together.
func (c *Curve) Deltas(ctx context.Context, way pld.Direction, epsilons []float64) ([]Ends, error) {
	if slices.ContainsFunc(epsilons, math.IsNaN) {
		return nil, fmt.Errorf("δ is asked for at an ε that is not a number")
	}
	p, err := c.computedPoints(ctx)
	if err != nil {
		return nil, err
	}
	p = p.copy()
	fresh := slices.Sorted(slices.Values(epsilons))
	lists := [2][]float64{}
	lists[way] = slices.DeleteFunc(fresh, func(e float64) bool {
		return slices.Contains(p.sides[c.sideOf(way)].epsilon, e)
	})
	if err := c.extend(ctx, p, lists[0], lists[1], profileWidth); err != nil {
		return nil, err
	}
	s, out := p.sides[c.sideOf(way)], make([]Ends, len(epsilons))
	for k, e := range epsilons {
		i := sort.SearchFloat64s(s.epsilon, e)
		out[k] = Ends{s.lower[i], s.upper[i]}
	}
	return out, nil
}

// DeltaAlone returns certified ends of δ(ε), ε ≥ 0, in one direction from everything known of the stack at this ε
// alone, at a relative width asked of the accountant: for a search, which needs no other point of the curve.
func (c *Curve) DeltaAlone(ctx context.Context, way pld.Direction, epsilon, width float64) (Ends, error) {
	if !(epsilon >= 0) {
		return Ends{0, 1}, fmt.Errorf("ε must be at least 0, got %g", epsilon)
	}
	all, err := c.evaluate(ctx, c.emptyPoints().curves[way], []float64{epsilon}, pld.Options{Width: width})
	if err != nil {
		return Ends{0, 1}, err
	}
	return all[0], nil
}

// UpperPoints returns the ε of the curve's points and upper ends of δ there, in the worse direction at each.
func (c *Curve) UpperPoints(ctx context.Context) (epsilons, upper []float64, err error) {
	p, err := c.computedPoints(ctx)
	if err != nil {
		return nil, nil, err
	}
	remove, add := p.sides[c.sideOf(pld.WithRecord)], p.sides[c.sideOf(pld.WithoutRecord)]
	for i, e := range remove.epsilon {
		j, found := slices.BinarySearch(add.epsilon, e)
		if !found && j > 0 {
			j-- // δ does not increase
		}
		if j < len(add.epsilon) && add.epsilon[j] <= e {
			epsilons, upper = append(epsilons, e), append(upper, math.Max(remove.upper[i], add.upper[j]))
		}
	}
	return epsilons, upper, nil
}

// Advantage returns certified ends of the membership advantage sup(TPR − FPR), which is δ(0).
func (c *Curve) Advantage(ctx context.Context) (Ends, error) {
	p, err := c.computedPoints(ctx)
	if err != nil {
		return Ends{0, 1}, err
	}
	s := p.sides[pld.WithRecord]
	i := sort.SearchFloat64s(s.epsilon, 0)
	return Ends{s.lower[i], s.upper[i]}, nil
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
