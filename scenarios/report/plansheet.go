package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

type jsonPlans struct {
	Solve       string          `json:"solve"`
	Entry       *int            `json:"entry"`
	Target      jsonTarget      `json:"target"`
	Plans       []jsonPlanRow   `json:"plans"`
	Best        string          `json:"best"` // "" if nothing is feasible
	Corollaries []jsonCorollary `json:"corollaries,omitempty"`
}

type jsonTarget struct {
	Epsilon *float64 `json:"epsilon"`
	Delta   *float64 `json:"delta"`
}

type jsonPlanRow struct {
	jsonPlan
	Error *float64 `json:"error"` // at 95 %, of one answer
	Waste *float64 `json:"waste"` // of what the best allows
}

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

// Plans sets the answers of every method side by side, with the error users would
// see, and the lectures' closed forms below if there are any.
func Plans(s *scenarios.Scenario, target scenarios.Budget, all []scenarios.PlanResult, table *scenarios.CorollaryTable) *Sheet {
	sheet := &Sheet{Title: "nothing to solve"}
	if len(all) == 0 {
		return sheet
	}
	first := all[0]
	where := ""
	if first.Entry > 0 {
		where = fmt.Sprintf(" of entry %d", first.Entry)
	}
	sheet.Title = fmt.Sprintf("%s%s for ε = %s at δ = %s, by every theorem", first.Solve, where, Short(target.Epsilon), Short(target.Delta))
	best := scenarios.BestPlan(all)
	sheet.grid = grid{align: []align{left, left, right, decimal, decimal, right, left}}
	sheet.grid.add("", "bound", first.Solve, "ε", "95 % error", "waste", "")
	sheet.exact = [][]string{{"method", "feasible", "value", "epsilon", "delta", "error", "waste", "note"}}
	data := jsonPlans{Solve: first.Solve, Target: jsonTarget{number(target.Epsilon), number(target.Delta)}}
	if first.Entry > 0 {
		data.Entry = &first.Entry
	}
	for i, p := range all {
		star, errorAt, waste := "", math.NaN(), math.NaN()
		row := jsonPlanRow{jsonPlan: planJSON(p)}
		if p.Feasible {
			errorAt, waste = PlanError(s, p), p.Waste(all[best])
			row.Error, row.Waste = number(errorAt), number(waste)
		}
		if i == best {
			star, data.Best = "★", string(p.Method)
		}
		data.Plans = append(data.Plans, row)
		if !p.Feasible {
			sheet.grid.add(star, string(p.Method), "–", "", "", "", Plain(p.Note))
			sheet.exact = append(sheet.exact, []string{string(p.Method), "false", "", "", "", "", "", p.Note})
			continue
		}
		sheet.grid.add(star, string(p.Method), Exact(p.Value), Upper(p.Achieved.Epsilon), dash(errorAt, Upper), Percent(waste), Plain(planNote(p)))
		sheet.exact = append(sheet.exact, []string{string(p.Method), "true", cell(p.Value), cell(p.Achieved.Epsilon), cell(p.Achieved.Delta), cell(errorAt), cell(waste), planNote(p)})
	}
	if table != nil {
		sheet.more = append(sheet.more, Corollaries(table))
		data.Corollaries = corollariesJSON(table)
	}
	sheet.data = data
	return sheet
}

func dash(x float64, write func(float64) string) string {
	if math.IsNaN(x) {
		return "–"
	}
	return write(x)
}

func planJSON(p scenarios.PlanResult) jsonPlan {
	j := jsonPlan{Solve: p.Solve, Method: string(p.Method), Feasible: p.Feasible, Note: planNote(p)}
	if p.Entry > 0 {
		j.Entry = &p.Entry
	}
	if p.Feasible {
		j.Value, j.Achieved.Epsilon, j.Achieved.Delta = number(p.Value), number(p.Achieved.Epsilon), number(p.Achieved.Delta)
	}
	return j
}

// PlanError is the 95 % error of the entry a plan changes, with the plan's answer
// put in; NaN where it has none.
func PlanError(s *scenarios.Scenario, p scenarios.PlanResult) float64 {
	if !p.Feasible || p.Entry < 1 || p.Entry > len(s.Stack) {
		return math.NaN()
	}
	one := *s
	one.Stack = append([]scenarios.Entry(nil), s.Stack...)
	if err := one.Apply(p); err != nil {
		return math.NaN()
	}
	a, err := one.Stack[p.Entry-1].Accuracy(one.Rounds)
	if err != nil {
		return math.NaN()
	}
	return a.Each
}

// Corollaries sets the closed forms of lectures beside what their theorems allow.
func Corollaries(t *scenarios.CorollaryTable) *Sheet {
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
func corollaryNote(t *scenarios.CorollaryTable, c scenarios.Corollary) string {
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

func corollariesJSON(t *scenarios.CorollaryTable) []jsonCorollary {
	var list []jsonCorollary
	for _, c := range t.Rows {
		list = append(list, jsonCorollary{c.Name, c.Formula, c.Source, string(c.Theorem), number(c.Value), c.Proven,
			number(c.Cost), number(c.Least), number(c.Allowed), number(c.Waste), c.Note})
	}
	return list
}

// Splits shows a budget divided anew: every entry before and after.
func Splits(before *scenarios.Scenario, r scenarios.RebalanceResult, locked []int) *Sheet {
	s := &Sheet{Title: "the budget divided anew", Lines: []string{"proportions: " + r.Rule}}
	type jsonSplit struct {
		Entry  int      `json:"entry"`
		Before string   `json:"before"`
		After  string   `json:"after"`
		Error  *float64 `json:"error"`
		Locked bool     `json:"locked"`
	}
	data := struct {
		jsonPlan
		Rule    string      `json:"rule"`
		Entries []jsonSplit `json:"entries"`
	}{jsonPlan: planJSON(r.PlanResult), Rule: r.Rule}
	if !r.Feasible {
		s.Lines = append(s.Lines, "not feasible: "+Plain(r.Note))
		s.data = data
		s.exact = [][]string{{"entry", "before", "after", "error", "locked"}}
		return s
	}
	s.Lines = append(s.Lines, fmt.Sprintf("ε = %s at δ = %s by %s", Upper(r.Achieved.Epsilon), Short(r.Achieved.Delta), r.Method))
	s.grid = grid{align: []align{right, left, left, decimal, left}}
	s.grid.add("#", "before", "after", "95 % error", "")
	s.exact = [][]string{{"entry", "before", "after", "error", "locked"}}
	for i, e := range r.Scenario.Stack {
		fixed, errorAt := "", math.NaN()
		for _, n := range locked {
			if n == i+1 {
				fixed = "locked"
			}
		}
		if a, err := e.Accuracy(r.Scenario.Rounds); err == nil {
			errorAt = a.Each
		}
		was, now := Plain(shortEntry(before.Stack[i])), Plain(shortEntry(e))
		s.grid.add(strconv.Itoa(i+1), was, now, dash(errorAt, Upper), fixed)
		s.exact = append(s.exact, []string{strconv.Itoa(i + 1), was, Plain(e.Describe()), cell(errorAt), strconv.FormatBool(fixed != "")})
		data.Entries = append(data.Entries, jsonSplit{i + 1, before.Stack[i].Describe(), e.Describe(), number(errorAt), fixed != ""})
	}
	s.data = data
	return s
}

// shortEntry is an entry for the screen: numbers rounded, scores left out.
func shortEntry(e scenarios.Entry) string {
	c := e.Clone()
	for name, v := range c.Values {
		switch v.Type {
		case mechanisms.Number:
			v.Number = roundTo(v.Number, 4)
			c.Values[name] = v
		case mechanisms.Scores:
			delete(c.Values, name)
		}
	}
	return c.Describe()
}

// Answered writes a plan's answer for people, rounded to the side on which it still
// meets the budget.
func Answered(p scenarios.PlanResult) string {
	switch {
	case p.Value == math.Trunc(p.Value):
		return Short(p.Value)
	case p.More():
		return Lower(p.Value)
	}
	return Upper(p.Value)
}

// WhyNot is the reason of a plan without an answer, without the question.
func WhyNot(p scenarios.PlanResult) string {
	if _, reason, ok := strings.Cut(Plain(p.Note), ": "); ok {
		return reason
	}
	return Plain(p.Note)
}
