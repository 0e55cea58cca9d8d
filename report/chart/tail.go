package chart

import (
	"fmt"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/selection"
	"epsiloscope/report"
	"epsiloscope/report/curve"
)

// Tail is the chance of picking a candidate that is not the best against ε, exactly
// and by the theorem, for the entry's own scores.
var Tail = Kind{"utility-epsilon", "chance of a bad choice: against ε, exact beside the theorem", "entry", false, tail}

func tail(v *view) (Chart, error) {
	i, selection, err := selectionEntry(v)
	if err != nil {
		return Chart{}, err
	}
	second, ok := secondScore(selection)
	if !ok {
		return Chart{}, fmt.Errorf("entry %d: all candidates have the same score, so no choice is a bad one", i+1)
	}
	now := v.Stack[i].Values["epsilon"].Number
	n := min(v.points(), max(12, 2_000_000/len(selection.Items)))
	xs := curve.SortDistinct(append(curve.LogSpace(now/30, now*30, n), now))
	exact := Series{Name: "exact", X: xs}
	theorem := Series{Name: "theorem", X: xs, Upper: true}
	for _, epsilon := range untilDone(v, xs) {
		values := v.WithSensitivity(&v.Stack[i]).Values.Clone()
		values["epsilon"] = param.NumberValue(epsilon)
		chosen, err := selectionOf(v.Stack[i].Mechanism, values)
		if err != nil {
			return Chart{}, err
		}
		exact.Y = append(exact.Y, positiveOrGap(chosen.TailAt(second)))
		theorem.Y = append(theorem.Y, positiveOrGap(chosen.BoundAt(second)))
	}
	right := selection.TailAt(second)
	least, end := probabilityAxisEnd(right), unset
	for k := len(exact.Y) - 1; k > 0 && !(exact.Y[k] >= least || theorem.Y[k] >= least); k-- {
		end = xs[k] // nothing of the curves is above the axis from here on
	}
	return Chart{
		Title:  fmt.Sprintf("chance that entry %d picks a score %s or more below the best", i+1, report.Short(scoreGap(selection, second))),
		X:      Axis{Label: "ε", Log: true, Min: unset, Max: end},
		Y:      Axis{Label: "probability", Log: true, Min: least, Max: 1},
		Read:   now,
		Series: []Series{exact, theorem},
		Marks:  []Mark{{X: now, Y: right, Label: "now ε = " + report.Short(now)}},
		Notes:  []string{badChoice(selection, second)},
	}, nil
}

// badChoice words the probability of a score that is no better than the second.
func badChoice(s *selection.Distribution, second float64) string {
	return fmt.Sprintf("a score %s or more below the best: %s exactly, at most %s by the theorem",
		report.Short(scoreGap(s, second)), report.Nearest(s.TailAt(second)), report.Upper(s.BoundAt(second)))
}

// probabilityAxisEnd returns the lower end of an axis of probabilities: one in a million, or below the present value
// if that is smaller.
func probabilityAxisEnd(now float64) float64 {
	if now > 0 {
		return math.Min(1e-6, now/100)
	}
	return 1e-6
}

// positiveOrGap returns x, or a gap if x is not positive and so not on a logarithmic axis.
func positiveOrGap(x float64) float64 {
	if !(x > 0) {
		return unset
	}
	return x
}

func selectionOf(mechanism string, values param.Values) (*selection.Distribution, error) {
	m, err := mechanisms.New(mechanism, values)
	if err != nil {
		return nil, err
	}
	return m.(mechanisms.Selector).Selection()
}
