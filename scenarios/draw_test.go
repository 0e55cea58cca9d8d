package scenarios

import (
	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/query"

	"pgregory.net/rapid"
)

// Random scenarios for the property tests of this package.

func drawText(t *rapid.T, name string) string {
	if rapid.Bool().Draw(t, name+" plain") {
		return rapid.StringMatching(`[a-z ]{0,12}`).Draw(t, name)
	}
	return rapid.StringOfN(rapid.RuneFrom([]rune(" :#-'\"\\{}[],&*!|>%@`?=~aZ09éε漢\u202e\ufeff\u00a0.")), 0, 12, -1).Draw(t, name)
}

func drawScenario(t *rapid.T) *Scenario {
	s := New()
	s.Name, s.Unit = drawText(t, "name"), drawText(t, "unit")
	s.Description = drawText(t, "description")
	if rapid.Bool().Draw(t, "lines") {
		s.Description += "\n" + drawText(t, "more") + "\n"
	}
	s.Adjacency = rapid.SampledFrom([]mechanisms.Adjacency{mechanisms.AddRemove, mechanisms.Replace,
		mechanisms.ZeroOut}).Draw(t, "adjacency")
	if rapid.Bool().Draw(t, "budget") {
		s.Budget = Budget{Epsilon: rapid.Float64Range(1e-3, 10).Draw(t, "ε"),
			Delta: rapid.Float64Range(0, 0.5).Draw(t, "δ")}
	}
	if rapid.Bool().Draw(t, "pinned") {
		s.Alpha = rapid.Float64Range(1.001, 1e6).Draw(t, "α")
	}
	s.Rounds = rapid.SampledFrom([]float64{1, 12, 1e12}).Draw(t, "rounds")
	s.Group = rapid.SampledFrom([]float64{1, 3}).Draw(t, "group")
	s.Records = rapid.SampledFrom([]float64{0, 1e15}).Draw(t, "records")
	s.Stack = drawStack(t, 2)
	for range rapid.IntRange(0, 2).Draw(t, "expectations") {
		s.Expect = append(s.Expect, Expectation{
			Method: accounting.Basic, Epsilon: rapid.Float64Range(0, 9).Draw(t, "figure"), Tolerance: 0.5,
			Source: drawText(t, "source"),
		})
	}
	return s
}

func drawStack(t *rapid.T, depth int) []Entry {
	var stack []Entry
	for range rapid.IntRange(0, 4).Draw(t, "entries") {
		stack = append(stack, drawEntry(t, depth))
	}
	return stack
}

func drawEntry(t *rapid.T, depth int) Entry {
	e := Entry{Count: rapid.SampledFrom([]float64{1, 7, 1e12}).Draw(t, "count"), Sampling: 1, Label: drawText(t, "label")}
	e.Disabled = rapid.IntRange(0, 5).Draw(t, "disabled") == 0
	if depth > 0 && rapid.IntRange(0, 4).Draw(t, "block") == 0 {
		e.Parallel = [][]Entry{}
		for range rapid.IntRange(0, 3).Draw(t, "branches") {
			e.Parallel = append(e.Parallel, drawStack(t, depth-1))
		}
		e.Moves = rapid.SampledFrom([]string{"", "never"}).Draw(t, "moves")
		return e
	}
	spec := rapid.SampledFrom(mechanisms.Catalogue()).Draw(t, "mechanism")
	e.Mechanism, e.Values = spec.Name, spec.Initials()
	for _, p := range spec.Params {
		switch {
		case p.Type == param.Scores && !p.Required && rapid.Bool().Draw(t, p.Name):
			_, rivals := spec.Choice(p.Name)
			for _, r := range rivals {
				delete(e.Values, r)
			}
			e.Values[p.Name] = drawScores(t, p)
		case p.Name == "epsilon" && e.Values.Has("epsilon"):
			initial := e.Values["epsilon"]
			e.Values["epsilon"] = param.NumberValue(rapid.Float64Range(0.01, 0.9).Draw(t, "ε"))
			if _, err := mechanisms.New(spec.Name, e.Values); err != nil { // another parameter limits it
				e.Values["epsilon"] = initial
			}
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "sampled") == 0 {
		e.Sampling = rapid.Float64Range(0.01, 1).Draw(t, "rate")
	}
	claims := []mechanisms.Also{{}, {}, {AddRemove: true}}
	// It must be clear which number another would stand beside, and of geometric noise
	// the other is a whole multiple.
	if e.Values.Has("epsilon") && len(e.Values) == 1 && e.Mechanism != "geometric" || e.Mechanism == "zcdp" {
		claims = append(claims, mechanisms.Also{AddRemove: true, Number: 0.3})
	}
	e.Also = rapid.SampledFrom(claims).Draw(t, "also")
	if spec.Norm != "" && e.Also.Number == 0 && rapid.Bool().Draw(t, "asked") {
		e.Query = drawQuery(t, spec)
	}
	return e
}

// drawQuery draws a query that is right under every adjacency and beside a group.
func drawQuery(t *rapid.T, spec mechanisms.Spec) query.Query {
	kinds := []string{query.Count, query.People, query.Histogram, query.PeopleByGroup, query.Sum, query.Sums}
	if spec.Norm == mechanisms.L2 && spec.Name == "gaussian" {
		kinds = append(kinds, query.Vector)
	}
	q := query.Query{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	switch q.Kind {
	case query.Sum, query.Sums:
		low := float64(rapid.IntRange(-5, 5).Draw(t, "low"))
		q.Clip = query.Clip{Form: query.ClipRange, Low: low, High: low + float64(rapid.IntRange(1, 9).Draw(t, "width"))}
		q.Values = query.WholeValues
	case query.Vector:
		q.Clip = query.Clip{Form: query.ClipNorm, High: rapid.Float64Range(0.1, 10).Draw(t, "norm")}
	}
	if q.ByGroup() && rapid.Bool().Draw(t, "few groups") {
		q.Of = float64(rapid.IntRange(1, 3).Draw(t, "of"))
	}
	return q
}

func drawScores(t *rapid.T, p param.Param) param.Value {
	v := param.Value{Type: param.Scores}
	for _, score := range rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), 1, 4).Draw(t, "scores") {
		item := param.Item{Value: score}
		if p.Named {
			item.Name = "n" + drawText(t, "candidate") + string(rune('a'+len(v.Items)))
		}
		v.Items = append(v.Items, item)
	}
	return v
}

// drawEdit changes a scenario in one of the ways an editor can.
func drawEdit(t *rapid.T, s *Scenario) {
	pick := func() int { return rapid.IntRange(0, len(s.Stack)-1).Draw(t, "entry") }
	switch rapid.IntRange(0, 6).Draw(t, "edit") {
	case 0:
		s.Stack = append(s.Stack, drawEntry(t, 1))
	case 1:
		if len(s.Stack) > 0 {
			i := pick()
			s.Stack = append(append([]Entry{}, s.Stack[:i]...), s.Stack[i+1:]...)
		}
	case 2:
		if len(s.Stack) > 0 {
			i, j := pick(), pick()
			s.Stack[i], s.Stack[j] = s.Stack[j], s.Stack[i]
		}
	case 3:
		if len(s.Stack) > 0 {
			i := pick()
			s.Stack[i].Label, s.Stack[i].Count = drawText(t, "label"), 3
		}
	case 4:
		if len(s.Stack) > 0 {
			i := pick()
			source := s.Stack[i].source
			s.Stack[i] = drawEntry(t, 1)
			s.Stack[i].source = source
		}
	case 5:
		s.Unit, s.Rounds = drawText(t, "unit"), 4
	case 6:
		if len(s.Stack) > 1 {
			s.Stack = append([]Entry{{Count: 1, Sampling: 1, Parallel: [][]Entry{s.Stack[:1], s.Stack[1:2]}}},
				s.Stack[2:]...)
		}
	}
}
