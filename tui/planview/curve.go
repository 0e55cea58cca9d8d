package planview

import (
	"context"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/report/curve"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/export"
	"epsiloscope/tui/kit"
)

// curveSpan is the factor by which the curve reaches to both sides of the answer, and
// curvePoints on how many points. The stacks of more than curveStack entries have none:
// every point is an evaluation.
const (
	curveSpan   = 10
	curvePoints = 25
	curveDepth  = 30
	curveStack  = 200
	curveWidth  = 1e-2 // relative, of the numerical intervals: less than a row of dots
)

// curveRows are the lines that the curve needs at least, with its title and a gap, lowCurve those of a window that is
// too low for the gap, and curveCells the cells of each.
const curveRows, lowCurve, curveCells = 10, 9, 60

// besideCells are the cells from which on the curve stands beside the answers where it has no room below them, and
// besideGap those between the two.
const besideCells, besideGap = 156, 4

// newCurve returns ε, or the harm that the budget limits, against the unknown around the best answer, by every theorem,
// that of the answer among them: how much more the next step costs, and where each meets the budget. It has no series
// where there is nothing to draw.
func newCurve(
	ctx context.Context, account kit.Evaluator, s *scenarios.Scenario, q question, best plan.Result,
) chart.Chart {
	if len(s.Stack) > curveStack || !best.Feasible || !(best.Value > 0) || math.IsInf(best.Value, 0) {
		return chart.Chart{}
	}
	if x, err := numeral.Parse(report.PlanValue(best)); err == nil && x > 0 {
		best.Value = x // as it is written, and as a person would set it
	}
	unset, xs, symbol := math.NaN(), curveValues(q, best.Value), q.unknown(s).symbol
	c := chart.Chart{
		X:    chart.Axis{Label: symbol, Log: true, Min: xs[0], Max: xs[len(xs)-1]},
		Y:    chart.Axis{Label: "ε", Log: true, Upper: true},
		Read: best.Value, Rivals: true,
	}
	budget, harm := s.Budget.Epsilon, s.Budget.Harm
	if harm.Kind() != "" { // what the budget limits, by theorems through their (ε, δ) and by the certified curve
		budget, c.Y.Label = harm.Limit(), report.HarmName(harm)
	}
	c.MarkBudget(budget)
	for i, x := range xs {
		at, with := best, s.Clone()
		if at.Value = x; at.Apply(with) != nil {
			continue
		}
		opt := scenarios.Options{Precision: curveWidth}
		if x == best.Value { // the point that is read beside the answer
			opt.Precision = 0
		}
		r, err := account.Evaluate(ctx, with, opt)
		if ctx.Err() != nil {
			return chart.Chart{}
		}
		if err != nil {
			continue
		}
		for _, b := range r.Bounds {
			if !b.Finite() || b.Status != accounting.Valid {
				continue
			}
			k := slices.IndexFunc(c.Series, func(line chart.Series) bool { return line.Name == string(b.Method) })
			if k < 0 {
				k = len(c.Series)
				ys := slices.Repeat([]float64{unset}, len(xs))
				c.Series = append(c.Series, chart.Series{Name: string(b.Method), X: xs, Y: ys})
			}
			if c.Series[k].Y[i] = b.Epsilon; r.Harm != nil {
				c.Series[k].Y[i] = report.ImpliedHarm(r, b)
			}
		}
	}
	if least, ok := c.LeastBounds(); ok {
		if i := slices.Index(xs, best.Value); i >= 0 && !math.IsInf(least[i], 1) {
			c.Marks = append(c.Marks, chart.Mark{X: best.Value, Y: least[i], Answer: true,
				Label: symbol + " = " + report.PlanValue(best) + ": " + c.Y.Label + " = " + report.Upper(least[i])})
		}
	}
	return kit.Dress(cropToBudget(c, budget))
}

// cropToBudget cuts the picture below a small part of the budget.
func cropToBudget(c chart.Chart, budget float64) chart.Chart {
	lo := math.Inf(1)
	for _, s := range c.Series {
		for _, y := range s.Y {
			if y > 0 {
				lo = math.Min(lo, y)
			}
		}
	}
	if lo < budget/curveDepth {
		c.Y.Min, c.Y.Max = budget/curveDepth, math.NaN()
	}
	return c
}

// curveValues returns the values of the unknown the curve is computed at, the answer among
// them; whole ones where only these mean anything.
func curveValues(q question, at float64) []float64 {
	xs := curve.LogSpace(at/curveSpan, at*curveSpan, curvePoints)
	for i, x := range xs {
		if unknowns[q.solve].whole {
			xs[i] = math.Max(1, math.Round(x))
		}
	}
	xs[curvePoints/2] = at
	return curve.SortDistinct(xs)
}

// writeCurve draws the curve of the question below the answers or, if there is no room for it on h lines, beside them
// from the given line on.
func (p *Screen) writeCurve(out *kit.Writer, inner, from, h int) {
	q, _ := p.currentQuestion()
	least, rows := curveRows, h-len(out.Lines)
	if p.tight {
		least = lowCurve
	}
	now := p.solve.Answer
	if now.drawn.question != q || len(now.curve.Series) == 0 || inner < curveCells {
		return
	}
	switch {
	case rows >= least:
		p.gap(out)
		out.Lines = append(out.Lines, p.curveLines(q, inner, h-len(out.Lines))...)
	case inner >= besideCells && h-from >= lowCurve:
		left, right := out.W+besideGap, inner-out.W-besideGap
		curve := append(make([]string, from), p.curveLines(q, right, h-from)...)
		out.Lines = kit.JoinColumns(draw.Box(out.Lines, left, h), draw.Box(curve, right, h))
	}
}

// curveLines returns the curve of the question with its title, on lines of w cells.
func (p *Screen) curveLines(q question, w, h int) []string {
	p.plotCurve(q)
	pen, s := p.Pen, p.Doc.Scenario()
	title := pen.Spell(draw.Clean(p.solve.Answer.curve.Y.Label + " of the whole against "))
	unknown := strings.Replace(q.unknown(s).words, "how many", "the number of", 1)
	title += q.withEntry(pen, s, unknown, w-draw.Width(title))
	return append([]string{pen.Line(w).Put(pen.Title, title).String()}, p.plot.Draw(pen, w, h-1)...)
}

// lowCurveLines returns how many lines a low window keeps for the curve, whose answers are then scrolled: none where
// there is no curve, nor is one computed, or it has room beside them, and none where the closed forms need them. The
// sentence about what is given away has one of them.
func (p *Screen) lowCurveLines(q question, inner int) int {
	now := p.solve.Answer
	drawn := now.drawn.question == q && len(now.curve.Series) > 0
	if !p.tight || inner < curveCells || inner >= besideCells || now.forms != nil || !drawn && !p.solve.Busy {
		return 0
	}
	return lowCurve + 1
}

// plotted names the picture in the plot: the curve of a question, as the answer or until there is one.
type plotted struct {
	of     solveWant
	serial int
	old    bool
}

// plotCurve gives the plot its curve. That of another stack has neither a best bound nor an answer on it.
func (p *Screen) plotCurve(q question) {
	now := p.solve.Answer
	next := plotted{now.drawn, p.solve.Serial, now.drawn != (solveWant{p.Doc.Scenario(), q})}
	if next == p.plotted {
		return
	}
	p.plotted = next
	c := now.curve
	if next.old {
		c = c.WithoutAnswer()
		c.Pending = true
	}
	p.plot.SetChart(c)
}

// Share gives the curve around the answer where there is one.
func (p *Screen) Share() export.Subject {
	c, of := p.solve.Answer.curve, p.solve.Answer.drawn
	if p.view != solveView || len(c.Series) == 0 || of != p.solve.Asked || of.scenario != p.Doc.Scenario() {
		return export.Subject{}
	}
	shown := func(context.Context) (chart.Chart, error) { return c, nil }
	return export.Subject{Title: c.Y.Label + " of the whole against " + c.X.Label, Chart: shown}
}
