package variants

import (
	"math"

	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/chart"
)

// contours are the lines along which ε is the same, a map for a picture: one for each
// shade, the budget among them.
func (g *grid) contours() chart.Chart {
	budget := g.made.Of.scenario.Budget.Epsilon
	c := chart.Chart{Title: g.title(math.MaxInt), X: chart.Axis{Label: g.x.Symbol, Log: true, Min: g.xs[0], Max: g.xs[len(g.xs)-1]},
		Y:     chart.Axis{Label: g.y.Symbol, Log: true, Min: g.ys[0], Max: g.ys[len(g.ys)-1]},
		Marks: []chart.Mark{{X: g.x.Value, Y: g.y.Value, Label: "now"}}}
	for i, part := range []float64{0.25, 0.5, 1, 2, 4} {
		s := chart.Series{Name: "ε = " + report.Short(part*budget), Look: i + 1, X: g.xs}
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

// crossing is where a column of the map passes a value, between two places; NaN if it does
// not.
func (g *grid) crossing(x int, value float64) float64 {
	for j := 1; j < len(g.ys); j++ {
		above, below := g.bounds[j-1][x], g.bounds[j][x]
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
