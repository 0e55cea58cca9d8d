package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/mechanisms"
)

// Describe is an entry in a few words: "20 × Laplace (ε 0.1, Δ 1)". What stands at
// its default is left out, except a sensitivity.
func (e Entry) Describe() string {
	times := ""
	if e.Count != 1 {
		times = mechanisms.FormatNumber(e.Count) + " × "
	}
	if e.Parallel != nil {
		parts := make([]string, 0, len(e.Parallel))
		for i, branch := range e.Parallel {
			if i == 3 && len(e.Parallel) > 4 {
				parts = append(parts, fmt.Sprintf("%d more", len(e.Parallel)-i))
				break
			}
			parts = append(parts, describeBranch(branch))
		}
		how := "in parallel: "
		if e.Moves != "" {
			how = "in parallel, moves " + e.Moves + ": "
		}
		return times + how + strings.Join(parts, " | ")
	}
	spec, ok := mechanisms.SpecOf(e.Mechanism, e.Values)
	if !ok {
		return times + e.Mechanism
	}
	var fields []string
	for _, p := range spec.Params {
		v, given := e.Values[p.Name]
		if !given && p.Name != "sensitivity" {
			continue
		}
		if !given {
			v = p.Default
		}
		name := p.Symbol
		if name == "" {
			name = p.Name
		}
		fields = append(fields, strings.TrimSpace(name+" "+valueText(p, v)))
	}
	if e.Sampling != 1 {
		fields = append(fields, "sampled at q "+mechanisms.FormatNumber(e.Sampling))
	}
	if claim := alsoText(e.Also); claim != "" {
		fields = append(fields, "also "+claim)
	}
	if len(fields) == 0 {
		return times + spec.Title
	}
	return times + spec.Title + " (" + strings.Join(fields, ", ") + ")"
}

func describeBranch(branch []Entry) string {
	parts := make([]string, len(branch))
	for i, e := range branch {
		parts[i] = e.Describe()
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, " + ")
}

// valueText is a parameter's value for people.
func valueText(p mechanisms.Param, v mechanisms.Value) string {
	switch p.Type {
	case mechanisms.Choice:
		return v.Text
	case mechanisms.Flag:
		return strconv.FormatBool(v.Flag)
	case mechanisms.Scores, mechanisms.Points:
		items := make([]string, 0, len(v.Items))
		for i, item := range v.Items {
			if i == 6 && len(v.Items) > 7 {
				items = append(items, fmt.Sprintf("%d more", len(v.Items)-i))
				break
			}
			text := mechanisms.FormatNumber(item.Value)
			switch {
			case p.Type == mechanisms.Points:
				text = mechanisms.FormatNumber(item.Order) + ": " + text
			case item.Name != "":
				text = item.Name + ": " + text
			}
			items = append(items, text)
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return mechanisms.FormatNumber(v.Number)
}

// Releases reports whether the scenario releases anything: whether an entry is there
// that is not disabled, in a branch or outside.
func (s *Scenario) Releases() bool { return releases(s.Stack) }

func releases(stack []Entry) bool {
	return slices.ContainsFunc(stack, func(e Entry) bool {
		return !e.Disabled && (e.Parallel == nil || slices.ContainsFunc(e.Parallel, releases))
	})
}
