package chart

import (
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// looks gives every theorem one colour and mark in all charts, on the screen and in
// pictures, so that a curve keeps its look when another joins it.
var looks = map[accounting.Method]int{
	accounting.Basic: 1, accounting.Advanced: 2, accounting.Numerical: 3, accounting.RDP: 4,
	accounting.AdvancedKOV: 5, accounting.ZCDP: 6, accounting.Optimal: 7, accounting.GDP: 8,
	bestBound: 3, renyiTight: 4, renyiClassic: 8,
}

// The series that are no theorem by name but stand for one.
const (
	bestBound    = "best bound"
	renyiTight   = "ε(α)"
	renyiClassic = "ε(α) classic"
)

// LookOf returns the place of a theorem's colour among those of a theme, counted from 0: that of the theorem whose
// form it is, if it has none of its own.
func LookOf(m accounting.Method) int {
	if look, ok := looks[m]; ok {
		return look - 1
	}
	t, _ := accounting.TheoremOf(m)
	return max(looks[t.FormOf], 1) - 1
}

// WithLabels returns the chart with its theorems by their labels, each with its look; labels
// that are set already stay.
func (c Chart) WithLabels() Chart {
	c.Series = slices.Clone(c.Series)
	used := map[int]bool{}
	for _, s := range c.Series {
		used[looks[accounting.Method(s.Name)]] = true
	}
	for i, s := range c.Series {
		if s.Look > 0 {
			continue
		}
		m := accounting.Method(s.Name)
		look := looks[m]
		if m == accounting.RDPPinned { // optimal and GDP never apply to one stack
			look = 8
			if used[look] {
				look = 7
			}
		}
		c.Series[i].Look, c.Series[i].Name = look, m.Name()
		if s.Name == LowerEnd {
			c.Series[i].Name = "lower end"
		}
	}
	c.Marks = slices.Clone(c.Marks)
	for i, m := range c.Marks {
		for k, name := range m.Cross {
			c.Marks[i].Cross[k] = accounting.Method(name).Name()
		}
	}
	return c
}

// withoutForms returns a chart of rivals without the other forms of a theorem, as the explorer folds them, unless one
// of them is the best at the reading: a picture with ten curves shows none.
func (c Chart) withoutForms() Chart {
	if !c.Rivals {
		return c
	}
	best, least := "", math.Inf(1)
	for _, s := range c.Series {
		if i := slices.Index(s.X, c.Read); i >= 0 && !s.Rough && s.Y[i] < least {
			best, least = s.Name, s.Y[i]
		}
	}
	c.Series = slices.DeleteFunc(slices.Clone(c.Series), func(s Series) bool {
		return s.Name != best && slices.ContainsFunc(accounting.Methods(),
			func(t accounting.Theorem) bool { return t.FormOf != "" && string(t.Method) == s.Name })
	})
	return c
}

// ForExport returns the chart as a picture that is shown without its scenario: the caption names
// the unit, δ and the adjacency, the theorems have their usual names, and the title begins as a
// sentence does.
func (c Chart) ForExport(s *scenarios.Scenario) Chart {
	c, _ = c.withoutForms().FoundOnly().AboveGuessing()
	c = c.WithLabels()
	var parts []string
	if name := report.Plain(s.Name); name != "" {
		parts = append(parts, name)
	}
	if unit := report.Plain(s.Unit); unit != "" {
		parts = append(parts, "unit: "+unit)
	}
	parts = append(parts, report.NeighboursOf(s.Adjacency).Short)
	if s.Group > 1 {
		parts = append(parts, "groups of "+report.FormatGiven(s.Group))
	}
	if s.Rounds > 1 {
		parts = append(parts, report.FormatGiven(s.Rounds)+" rounds")
	}
	if s.Budget.Delta > 0 && c.Y.Label != "δ" {
		parts = append(parts, "δ = "+report.FormatGiven(s.Budget.Delta))
	}
	c.Title, c.Caption = report.UpperFirst(c.Title), strings.Join(parts, " · ")
	return c
}
