package kit

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report/chart"
)

// plainNames are the words of the screen for series that are no theorem.
var plainNames = map[string]string{
	"exact P(score as low)": "this score or lower",
	"r(α)":                  "Rényi r(α)",
}

// Dress gives the series of a chart the words of the bounds table and a look that
// is theirs in every chart.
func Dress(c chart.Chart) chart.Chart {
	c.Series = slices.DeleteFunc(slices.Clone(c.Series), func(s chart.Series) bool {
		m := accounting.Method(s.Name)
		return m == accounting.RDPClassic || m == accounting.ZCDPClassic
	})
	for i, s := range c.Series {
		if name, ok := plainNames[s.Name]; ok {
			c.Series[i].Name = name
		}
	}
	return crossingsInWords(c.Named())
}

// crossingsInWords moves what a crossing says ("K = 29: advanced beats basic") from
// its rule, where a low chart has no room for it, to the line below the chart.
func crossingsInWords(c chart.Chart) chart.Chart {
	c.Marks = slices.Clone(c.Marks)
	var notes []string
	for i, m := range c.Marks {
		if at, what, ok := strings.Cut(m.Label, ": "); ok && math.IsNaN(m.Y) {
			c.Marks[i].Label = at
			notes = append(notes, what+" from "+at+" on")
		}
	}
	c.Notes = append(notes, c.Notes...)
	return c
}

// EntryName is an entry in a title: its label, or what it is.
func EntryName(e *scenarios.Entry) string { return cmp.Or(e.Label, e.Spec().Title, e.Mechanism) }
