package scenarios

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/format"
)

// freeText is a choice without a list to choose from.
const freeText = mechanisms.Choice

// maxCount bounds counts and rounds.
const maxCount = 1e12

// scenarioFields are the fields of a scenario file in the order of a new one.
var scenarioFields = []format.Field[Scenario]{
	{Param: mechanisms.Param{Name: "version", Help: "version of the file format"},
		Missing: "is missing; must be 1", At: func(*Scenario) any { return format.Constant(Version) }},
	{Param: mechanisms.Param{Name: "name", Help: "what the scenario is called", Type: freeText},
		At: func(s *Scenario) any { return &s.Name }},
	{Param: mechanisms.Param{Name: "description", Help: "free text", Type: freeText}, Aside: true,
		At: func(s *Scenario) any { return &s.Description }},
	{Param: mechanisms.Param{Name: "unit", Help: "whose data one record is: person, person-month, household", Type: freeText},
		At: func(s *Scenario) any { return &s.Unit }},
	{Param: mechanisms.Param{Name: "adjacency", Help: "which data sets count as neighbours", Type: mechanisms.Choice,
		Choices: []string{string(mechanisms.AddRemove), string(mechanisms.Replace), string(mechanisms.ZeroOut)}, Default: mechanisms.ChoiceValue(string(mechanisms.AddRemove))},
		At: func(s *Scenario) any { return (*string)(&s.Adjacency) }},
	{Param: mechanisms.Param{Name: "budget", Help: "the total the stack should stay within"}, Example: "{epsilon: 1, delta: 1e-6}", Parts: []format.Field[Scenario]{
		{Param: mechanisms.Param{Name: "epsilon", Symbol: "ε", Help: "total privacy loss allowed", Optional: true,
			OpenMin: true, Max: math.Inf(1), Initial: mechanisms.NumberValue(1), Step: 1.1, Log: true},
			At: func(s *Scenario) any { return &s.Budget.Epsilon }},
		{Param: mechanisms.Param{Name: "delta", Symbol: "δ", Help: "total failure probability allowed",
			Max: 1, OpenMax: true, Initial: mechanisms.NumberValue(1e-6), Step: 10, Log: true},
			At: func(s *Scenario) any { return &s.Budget.Delta }},
	}},
	{Param: mechanisms.Param{Name: "alpha", Symbol: "α", Help: "Rényi order to show beside the best one", Optional: true, Default: mechanisms.ChoiceValue("auto"),
		Min: 1, OpenMin: true, Max: math.Inf(1), Initial: mechanisms.NumberValue(8), Step: 1.25, Log: true},
		At: func(s *Scenario) any { return &s.Alpha }},
	{Param: mechanisms.Param{Name: "rounds", Symbol: "K", Help: "how often the whole stack is run", Type: mechanisms.Whole,
		Min: 1, Max: maxCount, Default: mechanisms.WholeValue(1), Initial: mechanisms.WholeValue(1), Step: 1.25, Log: true},
		At: func(s *Scenario) any { return &s.Rounds }},
	{Param: mechanisms.Param{Name: "group", Symbol: "g", Help: "records one person may contribute", Type: mechanisms.Whole,
		Min: 1, Max: maxCount, Default: mechanisms.WholeValue(1), Initial: mechanisms.WholeValue(1), Step: 1},
		At: func(s *Scenario) any { return &s.Group }},
	{Param: mechanisms.Param{Name: "records", Symbol: "n", Help: "how many records the data has", Type: mechanisms.Whole, Optional: true,
		Min: 1, Max: 1e15, Initial: mechanisms.WholeValue(1000), Step: 1.25, Log: true},
		At: func(s *Scenario) any { return &s.Records }},
	{Param: mechanisms.Param{Name: "stack", Help: "the releases"},
		Missing: "is missing; must be a list of mechanisms", At: func(s *Scenario) any { return (*stack)(&s.Stack) }},
	{Param: mechanisms.Param{Name: "expect", Help: "figures the scenario must reproduce; validate checks them"},
		At: func(s *Scenario) any { return (*expectations)(&s.Expect) }},
}

// entryFields are the fields of an entry in the order of a new one. Those of its
// mechanism, as the catalogue declares them, follow the label.
var entryFields = []format.Field[Entry]{
	{Param: mechanisms.Param{Name: "mechanism", Help: "the kind of release", Type: freeText}, Only: "mechanism",
		Missing: "is missing; must be the name of a mechanism, such as laplace, or use parallel",
		At:      func(e *Entry) any { return &e.Mechanism }},
	{Param: mechanisms.Param{Name: "label", Help: "what this release is", Type: freeText},
		At: func(e *Entry) any { return &e.Label }},
	{Param: mechanisms.Param{Name: "count", Symbol: "k", Help: "how often this release happens", Type: mechanisms.Whole,
		Min: 1, Max: maxCount, Default: mechanisms.WholeValue(1), Initial: mechanisms.WholeValue(1), Step: 1.25, Log: true},
		At: func(e *Entry) any { return &e.Count }},
	{Param: mechanisms.Param{Name: "sampling", Help: "Poisson sampling of the records before the release"},
		Only: "mechanism", Example: "{rate: 0.01}", Parts: []format.Field[Entry]{
			{Param: mechanisms.Param{Name: "rate", Symbol: "q", Help: "Poisson sampling rate: the chance that a record takes part",
				OpenMin: true, Max: 1, Default: mechanisms.NumberValue(1), Initial: mechanisms.NumberValue(0.01), Step: 1.25, Log: true},
				Missing: "is missing; must be greater than 0 and at most 1",
				At:      func(e *Entry) any { return &e.Sampling }},
		}},
	{Param: mechanisms.Param{Name: "also", Type: mechanisms.Choice, Optional: true, Choices: []string{string(mechanisms.AddRemove)},
		Help: "claims that the number, or one of its own, also bounds a record's presence against its absence"},
		Only: "mechanism", At: func(e *Entry) any { return (*format.Also)(&e.Also) }},
	{Param: mechanisms.Param{Name: "disabled", Help: "kept in the file, left out of the cost", Type: mechanisms.Flag},
		At: func(e *Entry) any { return &e.Disabled }},
	{Param: mechanisms.Param{Name: "moves", Type: mechanisms.Choice, Optional: true, Choices: []string{"never"},
		Help: "claims that it is public who is in which branch, so that a changed record stays in its own"},
		Only: "block", At: func(e *Entry) any { return &e.Moves }},
	{Param: mechanisms.Param{Name: "parallel", Help: "branches on disjoint parts of the data, each a stack"}, Only: "block",
		Missing: "is missing", At: func(e *Entry) any { return (*branches)(&e.Parallel) }},
}

// expectFields are the fields of a figure to reproduce.
var expectFields = []format.Field[Expectation]{
	{Param: mechanisms.Param{Name: "method", Help: "the column it stands in", Type: mechanisms.Choice, Choices: methods, Required: true},
		Missing: "is missing", At: func(e *Expectation) any { return (*string)(&e.Method) }},
	{Param: mechanisms.Param{Name: "epsilon", Help: "the figure", Max: math.Inf(1)},
		Missing: "is missing", At: func(e *Expectation) any { return &e.Epsilon }},
	{Param: mechanisms.Param{Name: "tolerance", Help: "relative", Max: math.Inf(1), Default: mechanisms.NumberValue(defaultTolerance)},
		At: func(e *Expectation) any { return &e.Tolerance }},
	{Param: mechanisms.Param{Name: "source", Help: "where the figure comes from", Type: freeText},
		At: func(e *Expectation) any { return &e.Source }},
}

// methods are the columns that an expectation may name.
var methods = func() (list []string) {
	for _, t := range accounting.Methods() {
		list = append(list, string(t.Method))
	}
	return list
}()
