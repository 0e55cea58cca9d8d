package report

import (
	"fmt"
	"math"

	"epsiloscope/scenarios/lectures"
)

type jsonCorollary struct {
	Name    string   `json:"name"`
	Formula string   `json:"formula"`
	Source  string   `json:"source"`
	Method  string   `json:"method"`
	Value   *float64 `json:"value"`
	Proven  bool     `json:"proven"`
	Epsilon *float64 `json:"epsilon"`
	Least   *float64 `json:"epsilon_least"`
	Allowed *float64 `json:"allowed"`
	Waste   *float64 `json:"waste"`
	Note    string   `json:"note"`
}

// Corollaries sets the closed forms of lectures beside what their theorems allow.
func Corollaries(t *lectures.CorollaryTable) *Sheet {
	s := &Sheet{Title: fmt.Sprintf("closed forms of the lectures for %s equal releases", Short(t.Count))}
	s.grid = grid{align: []align{left, left, right, right, decimal, right}}
	s.grid.add("", "formula", t.Field, "theorem allows", "really costs", "gives away")
	for _, c := range t.Rows {
		mark := "✓"
		if c.Cost > t.Target.Epsilon*(1+1e-9) {
			mark = "✗"
		}
		s.grid.add(mark, c.Formula, Fraction(c.Value), dashZero(c.Allowed), Upper(c.Cost), wasteCell(c.Waste))
		s.Notes = append(s.Notes, Plain(corollaryNote(t, c)))
	}
	return s
}

// corollaryNote says where the form comes from and what it is worth.
func corollaryNote(t *lectures.CorollaryTable, c lectures.Corollary) string {
	text := c.Formula + ": " + c.Name + " (" + c.Source + ")"
	if c.Note != "" {
		text += "; " + c.Note
	}
	if c.Cost > t.Target.Epsilon*(1+1e-9) && c.Least <= t.Target.Epsilon {
		text += fmt.Sprintf("; safe after all, by %s: %s", c.By, Upper(c.Least))
	}
	return text
}

func dashZero(x float64) string {
	if x == 0 {
		return "–"
	}
	return Fraction(x)
}

func wasteCell(w float64) string {
	switch {
	case math.Abs(w) < 5e-4:
		return "nothing"
	case w < 0:
		return "over by " + Percent(-w)
	}
	return Percent(w)
}

// Fraction writes a small number as people quote it, 1/812.3, and others as [Short].
func Fraction(x float64) string {
	if x > 0 && x < 0.05 {
		return "1/" + Short(1/x)
	}
	return Short(x)
}

func corollariesJSON(t *lectures.CorollaryTable) []jsonCorollary {
	var list []jsonCorollary
	for _, c := range t.Rows {
		list = append(list, jsonCorollary{c.Name, c.Formula, c.Source, string(c.Theorem), number(c.Value), c.Proven,
			number(c.Cost), number(c.Least), number(c.Allowed), number(c.Waste), c.Note})
	}
	return list
}
