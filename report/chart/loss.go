package chart

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/report"
)

// Loss is the distribution of the privacy loss of the whole stack: the density of
// L = ln(P[output on D]/P[output on D′]) when the output is drawn on D and when it is
// drawn on D′, with ε and the part of δ that each loss beyond it makes up. It is an
// illustration: ε itself comes from the accountants.
var Loss = Kind{"loss", "privacy loss on D and on D′: with δ beyond ε (an illustration)", "numerical", true, loss}

func loss(v *view) (Chart, error) {
	stack, err := v.releases()
	if err != nil {
		return Chart{}, err
	}
	l, err := lossOf(v, stack)
	if err != nil {
		return Chart{}, err
	}
	marked := v.lossEpsilon(stack, withFinePrecision(v.target()))
	at := marked.Epsilon
	if math.IsInf(at, 1) {
		return Chart{}, fmt.Errorf("no theorem gives a finite ε here, so there is no loss to mark it in")
	}
	least := leastOfInterest(v.Budget.Delta)
	end := 1.15 * at
	if rare := bestClosedForm(v, stack, accounting.Target{Delta: least}).Epsilon; !math.IsInf(rare, 1) {
		end = math.Max(end, rare) // hardly ever exceeded
	}
	shown, err := strconv.ParseFloat(report.Upper(at), 64) // the values below are those at the ε that is shown
	if err != nil {
		shown = at
	}
	if c, ok := l.stems(at); ok {
		c.Notes, err = l.notes(v, shown, marked.Method)
		return c, err
	}
	here, there, beyond, err := l.curves(v, end, shown, least, 4*v.points())
	if err != nil {
		return Chart{}, err
	}
	notes, err := l.notes(v, shown, marked.Method)
	if err != nil {
		return Chart{}, err
	}
	return Chart{
		Title:  "privacy loss on D and on D′",
		X:      Axis{Label: "privacy loss L", Min: -end, Max: end, Upper: true},
		Y:      Axis{Label: "density", Log: true, Min: math.Max(least, smallestPositive(here, there, beyond)/10), Max: unset},
		Series: []Series{here, there, beyond},
		Marks:  []Mark{Vertical(at, "ε = "+report.Upper(at))},
		Notes:  notes,
		Read:   at,
	}, nil
}

// maxStems is the largest number of values of a loss that are drawn one by one, and maxNamedStems of those whose
// probabilities are written beside them.
const maxStems, maxNamedStems = 40, 6

// stems returns the chart of a loss that takes few values, each with its mass: a density between them would show
// losses that do not occur.
func (l *lossSum) stems(at float64) (Chart, bool) {
	masses := pairs.Masses(l.parts, l.direction.LossOf, maxStems)
	if len(masses) < 2 {
		return Chart{}, false
	}
	here := Series{Name: "on D", Stems: true, Step: true, Look: 1}
	there := Series{Name: "on D′", Stems: true, Step: true, Broken: true, Look: 2}
	c := Chart{
		Title: "privacy loss on D and on D′",
		X:     Axis{Label: "privacy loss L", Upper: true}, Y: Axis{Label: "probability", Min: 0, Max: unset},
		Marks: []Mark{Vertical(at, "ε = "+report.Upper(at))}, Read: at,
	}
	far := at
	for _, m := range masses {
		here.X, here.Y = append(here.X, m.Loss), append(here.Y, m.Here)
		there.X, there.Y = append(there.X, m.Loss), append(there.Y, m.There)
		far = math.Max(far, math.Abs(m.Loss))
		if m.Here >= m.There && len(masses) <= maxNamedStems {
			c.Marks = append(c.Marks, Mark{X: m.Loss, Y: m.Here, Label: report.Nearest(m.Here) + " on D"})
		} else if len(masses) <= maxNamedStems {
			c.Marks = append(c.Marks, Mark{X: m.Loss, Y: m.There, Label: report.Nearest(m.There) + " on D′"})
		}
	}
	c.X.Min, c.X.Max = -1.15*far, 1.15*far
	c.Series = []Series{here, there}
	return c, true
}

// smallestPositive returns the smallest positive value of curves, at most 1.
func smallestPositive(curves ...Series) float64 {
	low := 1.0
	for _, s := range curves {
		for _, y := range s.Y {
			if y > 0 {
				low = math.Min(low, y)
			}
		}
	}
	return low
}

// lossEpsilon returns the bound to mark: the numerical one if it is asked for, else the smallest
// closed one.
func (v *view) lossEpsilon(stack []accounting.Entry, target accounting.Target) accounting.Bound {
	if v.Numerical {
		if b := accounting.Evaluate(v, accounting.Numerical, stack, target); b.Status == accounting.Valid {
			return b
		}
	}
	return bestClosedForm(v, stack, target)
}

// bestClosedForm returns the smallest closed bound, of an infinite ε if there is none.
func bestClosedForm(ctx context.Context, stack []accounting.Entry, target accounting.Target) accounting.Bound {
	bounds := accounting.ClosedForms(ctx, stack, target)
	if i := accounting.Best(bounds); i >= 0 {
		return bounds[i]
	}
	return accounting.Bound{Epsilon: math.Inf(1)}
}
