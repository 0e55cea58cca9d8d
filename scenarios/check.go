package scenarios

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

// The numbers of a scenario that belong to no mechanism, declared like those that do.
var (
	budgetEpsilon = mechanisms.Param{Name: "epsilon", Symbol: "ε", Help: "total privacy loss allowed",
		OpenMin: true, Max: math.Inf(1), Initial: mechanisms.NumberValue(1), Step: 1.1, Log: true}
	budgetDelta = mechanisms.Param{Name: "delta", Symbol: "δ", Help: "total failure probability allowed",
		Max: 1, OpenMax: true, Initial: mechanisms.NumberValue(1e-6), Step: 10, Log: true}
	pinnedAlpha = mechanisms.Param{Name: "alpha", Symbol: "α", Help: "Rényi order to show beside the best one",
		Min: 1, OpenMin: true, Max: math.Inf(1), Initial: mechanisms.NumberValue(8), Step: 1.25, Log: true}
	rounds = mechanisms.Param{Name: "rounds", Symbol: "K", Help: "how often the whole stack is run", Type: mechanisms.Whole,
		Min: 1, Max: maxCount, Initial: mechanisms.WholeValue(1), Step: 1.25, Log: true}
	group = mechanisms.Param{Name: "group", Symbol: "g", Help: "records one person may contribute", Type: mechanisms.Whole,
		Min: 1, Max: maxCount, Initial: mechanisms.WholeValue(1), Step: 1}
	records = mechanisms.Param{Name: "records", Symbol: "n", Help: "how many records the data has", Type: mechanisms.Whole,
		Min: 1, Max: 1e15, Initial: mechanisms.WholeValue(1000), Step: 1.25, Log: true}
	entryCount = mechanisms.Param{Name: "count", Symbol: "k", Help: "how often this release happens", Type: mechanisms.Whole,
		Min: 1, Max: maxCount, Default: mechanisms.WholeValue(1), Initial: mechanisms.WholeValue(1), Step: 1.25, Log: true}
	samplingRate = mechanisms.Param{Name: "sampling", Symbol: "q", Help: "Poisson sampling rate: the chance that a record takes part",
		OpenMin: true, Max: 1, Default: mechanisms.NumberValue(1), Initial: mechanisms.NumberValue(0.01), Step: 1.25, Log: true}
)

// maxCount bounds counts and rounds.
const maxCount = 1e12

// problem is a mistake without its place.
type problem struct{ field, problem string }

// Validate checks a scenario changed in memory by the rules of the file format.
func (s *Scenario) Validate() error {
	var errs Errors
	for _, p := range s.problems() {
		errs = append(errs, FieldError{File: s.Path(), Field: p.field, Problem: p.problem})
	}
	return errs.sorted()
}

func (s *Scenario) problems() []problem {
	var c checker
	c.text("name", s.Name, false)
	c.text("description", s.Description, true)
	c.text("unit", s.Unit, false)
	if s.Adjacency != mechanisms.AddRemove && s.Adjacency != mechanisms.Replace && s.Adjacency != mechanisms.ZeroOut {
		c.add("adjacency", "must be add-remove or replace, got "+strconv.Quote(string(s.Adjacency)))
	}
	if s.Budget.Epsilon != 0 {
		c.number("budget.epsilon", budgetEpsilon, s.Budget.Epsilon)
	}
	c.number("budget.delta", budgetDelta, s.Budget.Delta)
	if s.Alpha != 0 {
		c.number("alpha", pinnedAlpha, s.Alpha)
	}
	c.number("rounds", rounds, s.Rounds)
	c.number("group", group, s.Group)
	if s.Records != 0 {
		c.number("records", records, s.Records)
	}
	c.entries("stack", s.Stack)
	for i, e := range s.Expect {
		c.expectation(indexed("expect", i), e)
	}
	return c.found
}

// checker collects problems by field.
type checker struct{ found []problem }

func (c *checker) add(field, text string) { c.found = append(c.found, problem{field, text}) }

func (c *checker) number(field string, p mechanisms.Param, x float64) {
	if text := p.CheckNumber(x); text != "" {
		c.add(field, text)
	}
}

func (c *checker) text(field, value string, lines bool) {
	if text := checkText(value, lines); text != "" {
		c.add(field, text)
	}
}

// checkText refuses control characters; only a description may hold line ends.
func checkText(value string, lines bool) string {
	for _, r := range value {
		if document.IsControl(r) && !(lines && (r == '\n' || r == '\t')) {
			return fmt.Sprintf("control character U+%04X is not allowed", r)
		}
	}
	return ""
}

func (c *checker) entries(path string, list []Entry) {
	for i := range list {
		c.entry(path, i, &list[i])
	}
}

// entry builds a path only where there is something to report: a stack may have
// ten thousand entries.
func (c *checker) entry(path string, i int, e *Entry) {
	before := len(c.found)
	c.text("label", e.Label, false)
	c.number("count", entryCount, e.Count)
	if e.Parallel != nil {
		for j, branch := range e.Parallel {
			if len(branch) > 0 {
				c.entries(indexed("parallel", j), branch)
			}
		}
	} else {
		c.number("sampling.rate", samplingRate, e.Sampling)
		c.mechanism(e)
	}
	for j := before; j < len(c.found); j++ {
		c.found[j].field = indexed(path, i) + "." + c.found[j].field
	}
}

// counts checks the counts alone: one forgotten, and so 0, would be a release for
// free.
func (c *checker) counts(path string, list []Entry) {
	for i := range list {
		e := &list[i]
		if text := entryCount.CheckNumber(e.Count); text != "" {
			c.add(indexed(path, i)+".count", text)
		}
		for j, branch := range e.Parallel {
			c.counts(indexed(indexed(path, i)+".parallel", j), branch)
		}
	}
}

func (c *checker) mechanism(e *Entry) {
	spec, ok := mechanisms.Lookup(e.Mechanism)
	if !ok {
		c.add("mechanism", mechanisms.UnknownMechanism(e.Mechanism))
		return
	}
	found := mechanisms.Check(spec, e.Values)
	for _, p := range found {
		c.add(p.Param, p.Problem)
	}
	if len(found) > 0 {
		return
	}
	if _, err := spec.Build(e.Values); err != nil {
		var p *mechanisms.ParamError
		if errors.As(err, &p) {
			c.add(p.Param, p.Problem)
		} else {
			c.add("mechanism", err.Error())
		}
	}
}

func (c *checker) expectation(path string, e Expectation) {
	if !slices.Contains(methods, e.Method) {
		c.add(path+".method", "must be one of "+knownMethods()+", got "+strconv.Quote(string(e.Method)))
	}
	nonnegative := mechanisms.Param{Max: math.Inf(1)}
	c.number(path+".epsilon", nonnegative, e.Epsilon)
	c.number(path+".tolerance", nonnegative, e.Tolerance)
	c.text(path+".source", e.Source, false)
}

// methods are the columns an expectation or a plan may name: all there are.
var methods = func() []accounting.Method {
	var list []accounting.Method
	for _, t := range accounting.Methods() {
		list = append(list, t.Method)
	}
	return list
}()

// knownMethods lists them for a message.
func knownMethods() string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = string(m)
	}
	return strings.Join(names, ", ")
}

// indexed is a path with a number from 1: "stack[2]".
func indexed(path string, i int) string { return path + "[" + strconv.Itoa(i+1) + "]" }
