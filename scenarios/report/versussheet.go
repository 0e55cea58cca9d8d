package report

import (
	"fmt"
	"math"

	"epsiloscope/scenarios"
)

type jsonVersus struct {
	A       string          `json:"a"`
	B       string          `json:"b"`
	Changes []jsonChange    `json:"changes"`
	Bounds  []jsonVersusRow `json:"bounds"`
	Notes   []string        `json:"notes"`
}

type jsonChange struct {
	Kind  string `json:"kind"`
	Entry string `json:"entry"`
	What  string `json:"what"`
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}

type jsonVersusRow struct {
	Method     string   `json:"method"`
	A          record   `json:"a"`
	B          record   `json:"b"`
	Difference *float64 `json:"difference"`
}

// VersusSheet sets two scenarios side by side: first what the change costs, then
// what changed.
func VersusSheet(v *scenarios.Versus) *Sheet {
	s := &Sheet{Title: fmt.Sprintf("%s  →  %s", nameOf(v.A), nameOf(v.B)), Notes: v.Notes}
	s.Lines = []string{"a: " + Answer(v.A), "b: " + Answer(v.B)}
	if v.A.Best >= 0 && v.B.Best >= 0 {
		s.Lines = append(s.Lines, "b "+Dearer(v.A.Bounds[v.A.Best].Epsilon, v.B.Bounds[v.B.Best].Epsilon)+" by the best of each")
	}
	s.grid = grid{align: []align{left, decimal, decimal, decimal}}
	s.grid.add("bound", "ε of a", "ε of b", "difference")
	s.exact = [][]string{{"method", "epsilon_a", "epsilon_b", "difference"}}
	data := jsonVersus{A: v.A.Name, B: v.B.Name, Changes: []jsonChange{}, Bounds: []jsonVersusRow{}, Notes: append([]string{}, v.Notes...)}
	for _, r := range v.Rows {
		d := r.Difference()
		s.grid.add(string(r.Method), epsilonCell(r.A), epsilonCell(r.B), differenceCell(d))
		s.exact = append(s.exact, []string{string(r.Method), cell(finiteEpsilon(r.A)), cell(finiteEpsilon(r.B)), cell(d)})
		data.Bounds = append(data.Bounds, jsonVersusRow{string(r.Method), boundRecord(r.A), boundRecord(r.B), number(d)})
	}
	changed := &Sheet{Title: "what changed"}
	changed.grid = grid{align: []align{right, left, left, left, left}}
	changed.grid.add("entry", "what", "field", "a", "b")
	for _, c := range v.Changes {
		data.Changes = append(data.Changes, jsonChange{string(c.Kind), c.Entry, c.What, c.Field, c.From, c.To})
		changed.grid.add(c.Entry, Plain(c.What), changeField(c), Plain(c.From), Plain(c.To))
	}
	if len(v.Changes) == 0 {
		changed.Title, changed.grid.rows = "nothing changed", nil
	}
	s.more, s.data = []*Sheet{changed}, data
	return s
}

func changeField(c scenarios.Change) string {
	if c.Field == "" {
		return string(c.Kind)
	}
	return c.Field
}

// Dearer says in words how two ε compare.
func Dearer(a, b float64) string {
	switch d := b - a; {
	case math.Abs(d) <= 1e-9*math.Max(a, b):
		return "costs the same"
	case d > 0 && a > 0:
		return fmt.Sprintf("costs %s more, %s times as much", Upper(d), Short(b/a))
	case d > 0:
		return fmt.Sprintf("costs %s more", Upper(d))
	default:
		return fmt.Sprintf("costs %s less, %s of it", Lower(-d), Short(b/a))
	}
}

func differenceCell(d float64) string {
	switch {
	case math.IsNaN(d):
		return "–"
	case d > 0:
		return "+" + Upper(d)
	}
	return Figure(d)
}
