package scenarios

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// freeText is a choice without a list to choose from.
const freeText = param.Choice

// maxCount bounds counts and rounds.
const maxCount = 1e12

// scenarioFields are the fields of a scenario file in the order of a new one.
func scenarioFields() []format.Field[Scenario] {
	return []format.Field[Scenario]{
		{Param: param.Param{Name: "version", Help: "version of the file format"},
			Missing: "is missing; must be 1", At: func(*Scenario) any { return format.Constant(Version) }},
		{Param: param.Param{Name: "name", Help: "what the scenario is called", Type: freeText},
			Aside: true, Listed: true, At: func(s *Scenario) any { return &s.Name }},
		{Param: param.Param{Name: "description", Help: "free text", Type: freeText}, Aside: true,
			At: func(s *Scenario) any { return &s.Description }},
		{Param: param.Param{Name: "unit", Help: "whose data one record is: person, person-month, household", Type: freeText},
			At: func(s *Scenario) any { return &s.Unit }},
		{Param: param.Param{Name: "adjacency", Help: "which data sets count as neighbours", Type: param.Choice,
			Choices: []string{string(mechanisms.AddRemove), string(mechanisms.Replace), string(mechanisms.ZeroOut)},
			Default: param.ChoiceValue(string(mechanisms.AddRemove))},
			At: func(s *Scenario) any { return adjacencyField{s} }},
		{Param: param.Param{Name: "budget", Help: "the total the stack should stay within"}, Example: "{epsilon: 1, delta: 1e-6}", Parts: []format.Field[Scenario]{
			{Param: param.Param{Name: "epsilon", Symbol: "ε", Help: "total privacy loss allowed", Optional: true,
				OpenMin: true, Max: math.Inf(1), Initial: param.NumberValue(1), Step: 1.1, Log: true},
				Aside: true, Listed: true, At: func(s *Scenario) any { return &s.Budget.Epsilon }},
			{Param: param.Param{Name: "delta", Symbol: "δ", Help: "total failure probability allowed",
				Max: 1, OpenMax: true, Initial: param.NumberValue(1e-6), Step: 10, Log: true},
				Aside: true, Listed: true, At: func(s *Scenario) any { return &s.Budget.Delta }},
			harmField("advantage", "largest membership advantage, TPR − FPR, instead of an ε", 0.2, func(h *HarmLimit) *float64 { return &h.Advantage }),
			harmField("tpr", "largest true-positive rate at the false-positive rate fpr, instead of an ε", 0.05, func(h *HarmLimit) *float64 { return &h.TPR }),
			harmField("fpr", "false-positive rate at which tpr is limited", 0.01, func(h *HarmLimit) *float64 { return &h.FPR }),
			harmField("reconstruction", "largest success of guessing a secret of the record, instead of an ε", 0.2, func(h *HarmLimit) *float64 { return &h.Reconstruction }),
			harmField("prior", "success of the best guess at the secret without the output", 0.1, func(h *HarmLimit) *float64 { return &h.Prior }),
		}},
		{Param: param.Param{Name: "alpha", Symbol: "α", Help: "Rényi order to show beside the best one", Optional: true, Default: param.ChoiceValue("auto"),
			Min: 1, OpenMin: true, Max: math.Inf(1), Initial: param.NumberValue(8), Step: 1.25, Log: true},
			Aside: true, Listed: true, At: func(s *Scenario) any { return &s.Alpha }},
		{Param: param.Param{Name: "rounds", Symbol: "K", Help: "how often the whole stack is run", Type: param.Whole,
			Min: 1, Max: maxCount, Default: param.WholeValue(1), Initial: param.WholeValue(1), Step: 1.25, Log: true},
			At: func(s *Scenario) any { return &s.Rounds }},
		{Param: param.Param{Name: "group", Symbol: "g", Help: "records one person may contribute", Type: param.Whole,
			Min: 1, Max: maxCount, Default: param.WholeValue(1), Initial: param.WholeValue(1), Step: 1},
			At: func(s *Scenario) any { return &s.Group }},
		{Param: param.Param{Name: "records", Symbol: "n", Help: "how many records the data has", Type: param.Whole, Optional: true,
			Min: 1, Max: 1e15, Initial: param.WholeValue(1000), Step: 1.25, Log: true},
			At: func(s *Scenario) any { return &s.Records }},
		{Param: param.Param{Name: "claim", Help: "what is claimed of the releases; a review judges it"},
			Example: "{epsilon: 1, delta: 1e-6, by: Bureau of Statistics}", Parts: claimFields()},
		{Param: param.Param{Name: "answers", Help: "answers to questions of a review; the first word decides, the rest is quoted"},
			Example: `{tuning: "none, fixed on public data"}`, Parts: answerFields()},
		{Param: param.Param{Name: "deployment", Help: "what a register of deployments asks; no field changes a bound"},
			Example: "{curator: Bureau of Statistics, published: 2026-11-17}", Parts: deploymentFields()},
		{Param: param.Param{Name: "stack", Help: "the releases"},
			Missing: "is missing; must be a list of mechanisms", At: func(s *Scenario) any { return (*stack)(&s.Stack) }},
		{Param: param.Param{Name: "expect", Help: "values the scenario must reproduce; validate checks them"},
			Aside: true, Listed: true, At: func(s *Scenario) any { return (*expectations)(&s.Expect) }},
	}
}

// harmField declares a part of a budget in terms of harm: a probability strictly between 0 and 1.
func harmField(name, help string, initial float64, at func(*HarmLimit) *float64) format.Field[Scenario] {
	return format.Field[Scenario]{Param: param.Param{Name: name, Help: help, Optional: true,
		OpenMin: true, Max: 1, OpenMax: true, Initial: param.NumberValue(initial), Step: 1.1, Log: true},
		Aside: true, Listed: true, At: func(s *Scenario) any { return at(&s.Budget.Harm) }}
}

// entryFields are the fields of an entry in the order of a new one. Those of its
// mechanism, as the catalogue declares them, follow the label.
func entryFields() []format.Field[Entry] {
	return []format.Field[Entry]{
		{Param: param.Param{Name: "mechanism", Help: "the kind of release", Type: freeText}, Only: "mechanism",
			Missing: "is missing; must be the name of a mechanism, such as laplace, or use parallel",
			At:      func(e *Entry) any { return &e.Mechanism }},
		{Param: param.Param{Name: "label", Help: "what this release is", Type: freeText},
			Aside: true, Listed: true, At: func(e *Entry) any { return &e.Label }},
		{Param: param.Param{Name: "count", Symbol: "k", Help: "how often this release happens", Type: param.Whole,
			Min: 1, Max: maxCount, Default: param.WholeValue(1), Initial: param.WholeValue(1), Step: 1.25, Log: true},
			At: func(e *Entry) any { return &e.Count }},
		{Param: param.Param{Name: "sampling", Help: "Poisson sampling of the records before the release"},
			Only: "mechanism", Example: "{rate: 0.01}", Parts: []format.Field[Entry]{
				{Param: param.Param{Name: "rate", Symbol: "q", Help: "Poisson sampling rate: the chance that a record takes part",
					OpenMin: true, Max: 1, Default: param.NumberValue(1), Initial: param.NumberValue(0.01),
					Step: 1.25, Log: true},
					Missing: "is missing; must be greater than 0 and at most 1",
					At:      func(e *Entry) any { return &e.Sampling }},
			}},
		{Param: param.Param{Name: "also", Type: param.Choice, Optional: true, Choices: []string{string(mechanisms.AddRemove)},
			Help: "claims that the number, or one of its own, also holds under add-remove"},
			Only: "mechanism", At: func(e *Entry) any { return (*format.Also)(&e.Also) }},
		{Param: param.Param{Name: "weight", Symbol: "w", Optional: true, OpenMin: true, Max: 1e9, Initial: param.NumberValue(1), Step: 2, Log: true,
			Help: "how exact this release should be when a budget is divided: twice the weight, half the error; 1 if it is not given"},
			Only: "mechanism", Aside: true, Listed: true, At: func(e *Entry) any { return &e.Weight }},
		{Param: param.Param{Name: "typical", Optional: true, OpenMin: true, Max: 1e300, Initial: param.NumberValue(100), Step: 2, Log: true,
			Help: "typical size of the answer: a divided budget makes errors equal parts of it; as many times the sensitivity as elsewhere if it is not given"},
			Only: "mechanism", Aside: true, Listed: true, At: func(e *Entry) any { return &e.Typical }},
		{Param: param.Param{Name: "query", Help: "what is asked, as the releasing program computes it; the sensitivity follows from it"},
			Only: "mechanism", Example: "{kind: histogram, max_groups: 3, per_group: 5}", Parts: queryFields()},
		{Param: param.Param{Name: "disabled", Help: "kept in the file, left out of the cost", Type: param.Flag},
			At: func(e *Entry) any { return &e.Disabled }},
		{Param: param.Param{Name: "moves", Type: param.Choice, Optional: true, Choices: []string{"never"},
			Help: "claims that it is public who is in which branch, so that a changed record stays in its own"},
			Only: "block", At: func(e *Entry) any { return &e.Moves }},
		{Param: param.Param{Name: "max_branches", Type: param.Whole, Optional: true, Min: 1, Max: maxCount, Initial: param.WholeValue(2), Step: 1,
			Help: "how many branches the records of one person can be in; as many of the costliest are charged"},
			Only: "block", At: func(e *Entry) any { return &e.Branches }},
		{Param: param.Param{Name: "parallel", Help: "branches on disjoint parts of the data, each a stack"}, Only: "block",
			Missing: "is missing", At: func(e *Entry) any { return (*branches)(&e.Parallel) }},
	}
}

// expectFields are the fields of an expectation: a bound that the scenario must reproduce.
func expectFields() []format.Field[Expectation] {
	return []format.Field[Expectation]{
		{Param: param.Param{Name: "method", Help: "the method", Type: param.Choice, Choices: methods(), Required: true},
			Missing: "is missing", At: func(e *Expectation) any { return (*string)(&e.Method) }},
		{Param: param.Param{Name: "epsilon", Help: "the expected ε", Max: math.Inf(1)},
			Missing: "is missing", At: func(e *Expectation) any { return &e.Epsilon }},
		{Param: param.Param{Name: "tolerance", Help: "relative", Max: math.Inf(1), Default: param.NumberValue(defaultTolerance)},
			At: func(e *Expectation) any { return &e.Tolerance }},
		{Param: param.Param{Name: "source", Help: "where the value comes from", Type: freeText},
			At: func(e *Expectation) any { return &e.Source }},
	}
}

// methods are the methods that an expectation may name.
func methods() (list []string) {
	for _, t := range accounting.Methods() {
		list = append(list, string(t.Method))
	}
	return list
}
