package report

import (
	"fmt"
	"math"
	"strconv"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

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
			v.Number = mechanisms.RoundNumber(v.Number, 4)
			c.Values[name] = v
		case mechanisms.Scores:
			delete(c.Values, name)
		}
	}
	return c.Describe()
}

// EntryName is an entry's label, or what it is.
func EntryName(e scenarios.Entry) string {
	if label := Plain(e.Label); label != "" {
		return label
	}
	return Plain(shortEntry(e))
}
