package oracle

import (
	"math"
	"slices"
)

// Outcome is a thing an attacker may see: its probability under P and under Q, and
// its privacy loss ln(P/Q).
type Outcome struct{ Loss, P, Q float64 }

// LossDistribution lists the outcomes of one ordered pair of data sets. What it leaves of 1 lies
// at a loss of −∞; Infinite is the P-mass of outcomes that Q never shows.
type LossDistribution struct {
	Outcomes []Outcome
	Infinite float64
}

// Delta returns the hockey-stick curve Σ P·(1 − e^{ε−L})₊.
func (l LossDistribution) Delta(epsilon float64) float64 {
	sum := l.Infinite
	for _, o := range l.Outcomes {
		if o.Loss > epsilon {
			sum += o.P * -math.Expm1(epsilon-o.Loss)
		}
	}
	return sum
}

// DistributionOfMasses returns the loss distribution of two discrete distributions over the same outcomes.
func DistributionOfMasses(p, q []float64) (l LossDistribution) {
	for i := range p {
		switch {
		case p[i] == 0:
		case q[i] == 0:
			l.Infinite += p[i]
		default:
			l.Outcomes = append(l.Outcomes, Outcome{math.Log(p[i]) - math.Log(q[i]), p[i], q[i]})
		}
	}
	return l
}

// bins is the number of outcomes a composed distribution keeps.
const bins = 600

// Compose returns the distribution of both losses together. If that has too many outcomes, they are put
// into bins: with up false a bin is one outcome with the masses of its members,
// which an attacker could do too (the result lies below the truth); with up true
// its mass goes to the largest loss in it (above the truth).
func Compose(a, b LossDistribution, up bool) LossDistribution {
	infinite := a.Infinite + b.Infinite - a.Infinite*b.Infinite
	if len(a.Outcomes) == 0 || len(b.Outcomes) == 0 {
		return LossDistribution{nil, infinite}
	}
	if len(a.Outcomes)*len(b.Outcomes) <= bins {
		out := LossDistribution{Infinite: infinite}
		for _, x := range a.Outcomes {
			for _, y := range b.Outcomes {
				out.Outcomes = append(out.Outcomes, Outcome{x.Loss + y.Loss, x.P * y.P, x.Q * y.Q})
			}
		}
		return out.mergeEqualLosses()
	}
	low, high := a.smallestLoss()+b.smallestLoss(), a.largestLoss()+b.largestLoss()
	width := (high - low) / bins * (1 + 1e-12)
	p, q := make([]float64, bins+1), make([]float64, bins+1)
	top := make([]float64, bins+1)
	for i := range top {
		top[i] = math.Inf(-1)
	}
	for _, x := range a.Outcomes {
		for _, y := range b.Outcomes {
			loss := x.Loss + y.Loss
			i := int((loss - low) / width)
			p[i] += x.P * y.P
			q[i] += x.Q * y.Q
			top[i] = math.Max(top[i], loss)
		}
	}
	out := LossDistribution{Infinite: infinite}
	for i, mass := range p {
		switch {
		case mass == 0 || q[i] == 0: // below what float64 holds: left out
		case up:
			out.Outcomes = append(out.Outcomes, Outcome{top[i], mass, mass * math.Exp(-top[i])})
		default:
			out.Outcomes = append(out.Outcomes, Outcome{math.Log(mass) - math.Log(q[i]), mass, q[i]})
		}
	}
	return out
}

// mergeEqualLosses joins outcomes of equal loss.
func (l LossDistribution) mergeEqualLosses() LossDistribution {
	slices.SortFunc(l.Outcomes, func(a, b Outcome) int {
		switch {
		case a.Loss < b.Loss:
			return -1
		case a.Loss > b.Loss:
			return 1
		}
		return 0
	})
	out := l.Outcomes[:0]
	for _, o := range l.Outcomes {
		if n := len(out); n > 0 && o.Loss == out[n-1].Loss {
			out[n-1].P += o.P
			out[n-1].Q += o.Q
			continue
		}
		out = append(out, o)
	}
	l.Outcomes = out
	return l
}

func (l LossDistribution) smallestLoss() float64 {
	x := math.Inf(1)
	for _, o := range l.Outcomes {
		x = math.Min(x, o.Loss)
	}
	return x
}

func (l LossDistribution) largestLoss() float64 {
	x := math.Inf(-1)
	for _, o := range l.Outcomes {
		x = math.Max(x, o.Loss)
	}
	return x
}

// Power returns the loss distribution of count copies.
func (l LossDistribution) Power(count int, up bool) LossDistribution {
	out := LossDistribution{Outcomes: []Outcome{{0, 1, 1}}}
	for ; count > 0; count /= 2 {
		if count%2 == 1 {
			out = Compose(out, l, up)
		}
		if count > 1 {
			l = Compose(l, l, up)
		}
	}
	return out
}
