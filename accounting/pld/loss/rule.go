package loss

import (
	"context"
	"math"
)

// Node is a point of a rule: a loss and ln of its P-weight, and bounds on the round-off of
// either, in units of 2^{−53}.
type Node struct{ Loss, LogW, LossErr, LogErr float64 }

// Tilt is a tilt at which a rule has to be good, on a vertical line of the complex plane: ζ = Theta + iω,
// |ω| ≤ Bandwidth. LogScale is about ln M(Theta). The error may be about Tolerance·e^{LogScale}.
type Tilt struct{ Theta, Bandwidth, LogScale, Tolerance float64 }

// Rule stands for a distribution. With w and ℓ its weights and losses, and
//
//	S(ζ, ℓ) = e^{ζℓ} − 1 + ζ(e^{−ℓ} − 1),
//
// its moment generating function is 1 + Σ w·S(ζ, ℓ) − Top + ζ(Bottom − Top). That of the
// distribution is the same with an integral in place of the sum, as the finite part has
// P-mass 1 − Top and Q-mass 1 − Bottom. S is of second order in ℓ, so nothing cancels.
// At tilt j the two differ by at most Err[j]·e^{LogScale of that tilt}.
type Rule struct {
	Nodes       []Node
	Top, Bottom float64
	Slack       float64
	Err         []float64
}

// maxNodes bounds a rule; beyond it nothing is certified.
const maxNodes = 1 << 17

// Rule builds a rule that is good at all the given tilts at once. Once the context has ended
// it certifies nothing.
func (d *Distribution) Rule(ctx context.Context, tilts []Tilt) Rule {
	return d.RuleWithin(ctx, tilts, maxNodes)
}

// RuleWithin returns a quadrature rule for the tilts with at most `most` nodes; if they do not
// suffice, nothing is certified and the errors are infinite.
func (d *Distribution) RuleWithin(ctx context.Context, tilts []Tilt, most int) Rule {
	out := Rule{Top: d.Top, Bottom: d.Bottom, Slack: d.Slack, Err: make([]float64, len(tilts))}
	out.Nodes = make([]Node, 0, len(d.Atoms)+32*len(d.Densities))
	for _, a := range d.Atoms {
		out.Nodes = append(out.Nodes, Node{a.Loss, a.LogP, math.Abs(a.Loss), 2 + math.Abs(a.LogP) + d.Rounded})
	}
	share := 1 / float64(max(1, len(d.Densities)))
	for i := range d.Densities {
		d.Densities[i].rule(ctx, &out, tilts, share, most)
	}
	return out
}

// rule adds the panels of one density: 32 Gauss–Legendre points each, on a lattice 16, halved until the
// error at every tilt is small enough. Panels that hardly matter are charged instead.
func (d *Density) rule(ctx context.Context, out *Rule, tilts []Tilt, share float64, most int) {
	lo, hi := d.domain(out, tilts, share)
	if !(hi > lo) {
		return
	}
	width := math.Min(hi-lo, d.natural())
	errs := make([]float64, len(tilts))
	limit := share / 64
	tries := 0 // panels that hardly matter take time, too
	for x := lo; x < hi; {
		if d.Lattice {
			width = math.Max(1, math.Round(width))
		}
		if tries++; len(out.Nodes) > most || tries > most || ctx.Err() != nil {
			for j := range out.Err {
				out.Err[j] = math.Inf(1)
			}
			return
		}
		last := x+width >= hi-1e-12*width
		if last {
			width = hi - x
		}
		c, r := x+width/2, width/2
		if d.negligible(c, r, tilts, errs, limit) {
			d.charge(out, errs)
			if last {
				break
			}
			x += width
			width *= 2
			continue
		}
		worst := d.panelErrors(c, r, tilts, errs)
		if worst > limit && width > 1e-13*(math.Abs(x)+width) {
			width /= 2
			continue
		}
		d.charge(out, errs)
		d.panel(out, c, r)
		if last {
			break
		}
		x += width
		if worst < 1e-4*limit {
			width *= 1.6
		}
	}
}

func (d *Density) charge(out *Rule, errs []float64) {
	for j, e := range errs {
		out.Err[j] += e * (1 + 1e-9)
	}
}

// natural returns the width of the first panel.
func (d *Density) natural() float64 {
	num, den := d.Num.extremes(), d.Den.extremes()
	w := math.Max(num.most-num.least, den.most-den.least)
	width := math.Inf(1)
	if d.Sigma > 0 {
		width = d.Sigma
	}
	if w > 0 {
		width = math.Min(width, 2/w)
	}
	if math.IsInf(width, 1) {
		return d.Hi - d.Lo
	}
	return width
}

// panel adds the nodes of [c−r, c+r].
func (d *Density) panel(out *Rule, c, r float64) {
	rounding := 20.0 // of a weight and its logarithm
	if rule := d.ruleOf(r); rule != nil {
		rounding += rule.rounding
	}
	d.visitNodes(c, r, func(x, weight float64) {
		num, den := d.Num.pointAt(x), d.Den.pointAt(x)
		base, _ := d.base(x)
		factor := math.Log(weight)
		sized := math.Abs(d.LogScale) + math.Abs(d.Slope*x) + math.Abs(factor) + rounding
		if d.Sigma > 0 {
			sized += 2 * x / d.Sigma * (x / d.Sigma)
		}
		rate := math.Abs(num.slope) + math.Abs(den.slope) // the place of a node is rounded too
		out.Nodes = append(out.Nodes, Node{
			Loss:    num.log - den.log,
			LogW:    base + num.log + factor,
			LossErr: num.size + den.size + rate*(math.Abs(x)+r),
			LogErr:  sized + num.size + math.Abs(num.log) + rate*(math.Abs(x)+r),
		})
	})
}
