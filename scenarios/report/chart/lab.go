package chart

import (
	"fmt"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/labs"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/curve"
)

// labChart is a lab's plot as a chart: what the command line writes as SVG and PNG
// and the explorer draws.
func labChart(p labs.Plot) Chart {
	c := Chart{
		Title: p.Title,
		X:     Axis{Label: p.XLabel, Log: p.XLog, Min: unset, Max: unset},
		Y:     Axis{Label: p.YLabel, Log: p.YLog, Min: unset, Max: unset, Upper: p.YLabel == "ε" || p.YLabel == "δ"},
	}
	for _, s := range p.Series {
		x := s.X
		if x == nil {
			x = curve.LineSpace(0, float64(len(s.Y)-1), len(s.Y))
		}
		c.Series = append(c.Series, Series{Name: s.Name, X: x, Y: s.Y, Step: s.Steps})
	}
	for _, b := range p.Bars {
		c.Bars = append(c.Bars, Bar{Label: b.Label, Value: b.Value, Best: b.Best})
	}
	for _, l := range p.Lines {
		c.Marks = append(c.Marks, Mark{X: l.X, Y: l.Y, Label: l.Label})
	}
	return c
}

// LabCharts are all charts of one run.
func LabCharts(out *labs.Outcome) []Chart {
	var list []Chart
	for _, p := range out.Plots {
		list = append(list, labChart(p))
	}
	return list
}

// LabEntries are the mechanisms of a run as entries of a stack.
func LabEntries(out *labs.Outcome) []scenarios.Entry {
	var stack []scenarios.Entry
	for _, item := range out.Stack {
		stack = append(stack, scenarios.Entry{
			Mechanism: item.Mechanism, Label: item.Label, Count: math.Max(1, item.Count), Sampling: 1, Values: item.Values.Clone(),
		})
	}
	return stack
}

// labDelta is the δ at which a run's cost is read where the lab has none of its own.
const labDelta = 1e-6

// LabScenario is what a run cost, as a scenario: its mechanisms, at the lab's δ.
func LabScenario(out *labs.Outcome) *scenarios.Scenario {
	s := scenarios.New()
	s.Name = out.Lab
	if lab, ok := labs.Lookup(out.Lab); ok {
		s.Name, s.Description = lab.Title, lab.Summary
	}
	s.Budget.Delta = labDelta
	if d, ok := out.Values["delta"]; ok && d.Number > 0 {
		s.Budget.Delta = d.Number
	}
	s.Stack = LabEntries(out)
	if _, err := scenarios.Stack(s); err != nil { // training and sums over time in which nobody comes or goes
		s.Adjacency = mechanisms.ZeroOut
	}
	return s
}

// LabRun is one run of a lab and what its mechanisms cost.
type LabRun struct {
	*labs.Outcome
	Cost *scenarios.Result
}

func (r LabRun) lab() labs.Lab {
	lab, _ := labs.Lookup(r.Lab)
	return lab
}

// settings are the parameters of the run in one line: "ε = 0.5 · K = 1000 · seed 1".
func (r LabRun) settings() string {
	text := ""
	for _, p := range r.lab().Params {
		text += fmt.Sprintf("%s = %s · ", p.Name, LabValue(r.Values[p.Name]))
	}
	return text + fmt.Sprintf("seed %d", r.Seed)
}

// LabValue writes a parameter of a lab for people.
func LabValue(v param.Value) string {
	switch v.Type {
	case param.Choice:
		return v.Text
	case param.Flag:
		if v.Flag {
			return "yes"
		}
		return "no"
	}
	return report.Short(v.Number)
}

// LabFigure writes a figure of a run: what is counted as the whole number it is,
// what is measured in four digits, a cost rounded up.
func LabFigure(x float64, cost bool) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e6 {
		return report.Short(x)
	}
	if cost {
		return report.Upper(x)
	}
	return report.Figure(x)
}
