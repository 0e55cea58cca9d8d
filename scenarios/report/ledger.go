package report

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// Ledger is ε so far after every entry of the stack, by the methods asked for
// (else basic and the best of all), with the budget as a line. A long stack is
// sampled at about as many entries as there are points.
func Ledger(ctx context.Context, s *scenarios.Scenario, opt ChartOptions) (Chart, error) {
	c := Chart{
		Title: "ε so far, entry by entry",
		X:     Axis{Label: "entry", Min: 0, Max: float64(len(s.Stack))},
		Y:     Axis{Label: "ε", Min: 0, Max: unset, Upper: true},
	}
	after := []float64{0}
	step := math.Max(1, math.Ceil(float64(len(s.Stack))/float64(opt.points())))
	for i := step; i < float64(len(s.Stack)); i += step {
		after = append(after, i)
	}
	if n := len(s.Stack); n > 0 {
		after = append(after, float64(n))
	}
	best, byMethod := gaps(len(after)), map[accounting.Method][]float64{}
	target, evaluator := opt.target(s), scenarios.NewEvaluator()
	for i, n := range after {
		if err := ctx.Err(); err != nil {
			return Chart{}, err
		}
		part := *s
		part.Stack = s.Stack[:int(n)]
		stack, err := evaluator.Stack(&part, scenarios.Options{})
		if err != nil {
			return Chart{}, err
		}
		bounds := accounting.Closed(stack, target)
		if opt.Numerical {
			bounds = append(bounds, accounting.Evaluate(ctx, accounting.Numerical, stack, target))
		}
		for _, b := range bounds {
			if !b.Finite() {
				continue
			}
			if byMethod[b.Method] == nil {
				byMethod[b.Method] = gaps(len(after))
			}
			byMethod[b.Method][i] = b.Epsilon
		}
		if j := accounting.Best(bounds); j >= 0 {
			best[i] = bounds[j].Epsilon
		}
	}
	methods := opt.Methods
	if len(methods) == 0 {
		methods = []accounting.Method{accounting.Basic}
	}
	for _, m := range methods {
		if y := byMethod[m]; y != nil {
			c.Series = append(c.Series, Series{Name: string(m), X: after, Y: y, Step: true, Faint: len(opt.Methods) == 0})
		}
	}
	if len(opt.Methods) == 0 {
		c.Series = append(c.Series, Series{Name: "best bound", X: after, Y: best, Step: true})
	}
	if budget := s.Budget.Epsilon; budget > 0 {
		c.Marks = append(c.Marks, Mark{X: unset, Y: budget, Label: "budget " + Short(budget), Alert: true})
		for i, y := range best {
			if y > accounting.Ceiling(budget) {
				c.Notes = append(c.Notes, fmt.Sprintf("the budget is passed at entry %s", Short(after[i])))
				break
			}
		}
		c.Y.Max = ledgerTop(best, budget)
		if last := byMethod[accounting.Basic]; len(opt.Methods) == 0 && last != nil && last[len(last)-1] > c.Y.Max {
			c.Notes = append(c.Notes, fmt.Sprintf("basic leaves the picture: it ends at ε = %s", Upper(last[len(last)-1])))
		}
	}
	return c, nil
}

// ledgerTop is where the ε axis ends: the budget and the best bound fill half of it
// at least, however loose the others are.
func ledgerTop(best []float64, budget float64) float64 {
	top := budget
	for _, y := range best {
		if y > top && !math.IsInf(y, 1) {
			top = y
		}
	}
	return 2 * top
}
