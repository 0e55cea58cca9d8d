package variants

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
)

// surface is a map that was computed.
type surface struct {
	xs, ys []float64
	x, y   document.Knob
	entry  string               // whose knobs they are
	bounds [][]accounting.Bound // by row from the top; the zero bound where there is none
	whole  bool                 // every place was evaluated
}

// outwards returns the indexes below n, those nearest to a middle first.
func outwards(n, middle int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(i, j int) int { return max(i-middle, middle-i) - max(j-middle, middle-j) })
	return list
}

// valueAt returns the value of the knob up the map in a row from the top.
func (s surface) valueAt(row int) float64 { return s.ys[len(s.ys)-1-row] }

// middleRow returns the row, from the top, of the present value of the knob up the map.
func (s surface) middleRow() int { return len(s.ys) - 1 - nearest(s.ys, s.y.Value) }

// plan returns the plan at a place.
func (s surface) plan(of gridWant, column, row int) (*scenarios.Scenario, error) {
	d := document.New(of.scenario)
	d.Select(of.cursor)
	first, then := s.x, s.y
	first.Value, then.Value = s.xs[column], s.valueAt(row)
	if then.Name == document.ParamBatch { // the steps follow the batch, so they are set after it
		first, then = then, first
	}
	for _, want := range []document.Knob{first, then} {
		list := knobs(d)
		i := slices.IndexFunc(list, func(k document.Knob) bool { return k.Name == want.Name })
		if i < 0 {
			return nil, errors.New("there is no " + want.Symbol + " to set")
		}
		if err := list[i].Put(want.Value); err != nil {
			return nil, err
		}
	}
	return d.Scenario(), nil
}

// rowsOverBudget returns the rows of a column whose bound exceeds the budget, the least first.
func (s surface) rowsOverBudget(column int, budget float64) []int {
	var list []int
	for row := range s.bounds {
		if b := s.bounds[row][column]; b.Method != "" && b.Finite() && !report.Fits(b, budget) {
			list = append(list, row)
		}
	}
	byEpsilon := func(i, j int) int { return cmp.Compare(s.bounds[i][column].Epsilon, s.bounds[j][column].Epsilon) }
	slices.SortFunc(list, byEpsilon)
	return list
}

// valuesAround returns values of a knob to both sides of the present one, in even steps of its
// logarithm, with few digits; those it does not allow are left out.
func valuesAround(k document.Knob, n int) []float64 {
	var list []float64
	for i := range n {
		t := 2*float64(i)/float64(n-1) - 1
		x := numeral.Round(k.Value*math.Pow(reach, t), 3)
		if i == n/2 {
			x = k.Value
		}
		if problem := k.Param.CheckNumber(x); problem != "" {
			if x = math.Round(x); k.Param.CheckNumber(x) != "" {
				continue
			}
		}
		if m := len(list); m == 0 || x > list[m-1] {
			list = append(list, x)
		}
	}
	return list
}

func nearest(xs []float64, x float64) int {
	best := 0
	for i := range xs {
		if math.Abs(xs[i]-x) < math.Abs(xs[best]-x) {
			best = i
		}
	}
	return best
}

// contours returns the lines along which ε is the same, a map for a picture: one for each
// shade, the budget among them.
func (g *grid) contours() chart.Chart {
	budget := g.budget()
	c := chart.Chart{
		Title: g.title(math.MaxInt),
		X:     chart.Axis{Label: g.x.Symbol, Log: true, Min: g.xs[0], Max: g.xs[len(g.xs)-1]},
		Y:     chart.Axis{Label: g.y.Symbol, Log: true, Min: g.ys[0], Max: g.ys[len(g.ys)-1]},
		Marks: []chart.Mark{{X: g.x.Value, Y: g.y.Value, Label: "now"}},
	}
	for i, part := range []float64{0.25, 0.5, 1, 2, 4} {
		s := chart.Series{Name: g.symbol() + " = " + report.FormatGiven(part*budget), Look: i + 1, X: g.xs}
		if part == 1 {
			s.Name += ", the budget"
		}
		any := false
		for x := range g.xs {
			y := g.crossing(x, part*budget)
			any = any || !math.IsNaN(y)
			s.Y = append(s.Y, y)
		}
		if any {
			c.Series = append(c.Series, s)
		}
	}
	if budget <= 0 || len(g.xs) < 2 || len(g.ys) < 2 {
		c.Series = nil
	}
	c.Notes = []string{"between the places computed the lines are drawn straight"}
	return c
}

// crossing returns where a column of the map passes a value, between two places; NaN if it does
// not.
func (g *grid) crossing(x int, value float64) float64 {
	for j := 1; j < len(g.ys); j++ {
		above, below := g.bound(x, j-1), g.bound(x, j)
		if !above.Finite() || !below.Finite() || above.Method == "" || below.Method == "" {
			continue
		}
		lo, hi := math.Log(below.Epsilon), math.Log(above.Epsilon)
		if t := (math.Log(value) - lo) / (hi - lo); hi != lo && t >= 0 && t <= 1 {
			n := len(g.ys)
			return math.Exp(math.Log(g.ys[n-1-j])*(1-t) + math.Log(g.ys[n-j])*t)
		}
	}
	return math.NaN()
}

// curves returns ε by the best bound, the numerical one among them, for every variant: against the releases of the
// entry, or against rounds if a variant has several entries.
func curves(ctx context.Context, list []variant) chart.Chart {
	opt := chart.Options{Points: 24, MaxK: 1000, Numerical: true, Precision: 1e-2}
	for _, v := range list {
		opt.Rounds = opt.Rounds || len(v.scenario.Stack) != 1
	}
	c := chart.Chart{Y: chart.Axis{Label: "ε", Min: 0, Max: math.NaN(), Upper: true}, Rivals: true}
	for i, v := range list {
		k, err := chart.EpsilonK.Build(ctx, v.scenario, opt)
		least, ok := k.LeastBounds()
		if err != nil || !ok {
			continue
		}
		s := chart.Series{Name: v.name, Look: i + 1, X: k.Series[0].X, Y: least}
		if v.name == "now" {
			s.Look = len(letters) + 1
		}
		c.Series = append(c.Series, s)
		c.Title, c.X, c.Read, c.Focus = k.Title+", by the best bound", k.X, k.Read, math.Max(c.Focus, k.Focus)
	}
	for _, s := range c.Series {
		if at := slices.Index(s.X, c.Read); s.Name == "now" && at >= 0 && scale.Finite(s.Y[at]) {
			now := chart.Mark{X: c.Read, Y: s.Y[at], Label: "now: ε = " + report.Upper(s.Y[at]), Answer: true}
			c.Marks = append(c.Marks, now)
		}
	}
	c.MarkBudget(list[len(list)-1].scenario.Budget.Epsilon)
	return c
}
