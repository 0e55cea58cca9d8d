package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/internal/document"
)

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
	checkFields(&c, s, &scenarioTable)
	return c.found
}

// checker collects problems by field.
type checker struct{ found []problem }

// add notes a problem, if there is one.
func (c *checker) add(field, text string) {
	if text != "" {
		c.found = append(c.found, problem{field, text})
	}
}

// checkFields checks what a table lists.
func checkFields[T any](c *checker, x *T, t *table[T]) {
	for _, f := range t.leaves {
		checkAt(c, f.Param, f.at(x), f.path)
	}
}

// within gives the problems found since before their place in a list. A path is built
// only where there is something to report: a stack may have ten thousand entries.
func (c *checker) within(before int, path string, i int) {
	for j := before; j < len(c.found); j++ {
		c.found[j].field = indexed(path, i) + "." + c.found[j].field
	}
}

// checkAt checks a field's value. A mechanism checks its parameters together.
func checkAt(c *checker, p mechanisms.Param, at any, path string) {
	switch at := at.(type) {
	case *string:
		c.add(path, checkWord(p, *at))
	case *float64:
		if *at != 0 || !p.Optional {
			c.add(path, p.CheckNumber(*at))
		}
	case *mechanisms.Also:
		c.also(path, *at)
	case *[]Entry:
		c.entries(path, *at)
	case *[][]Entry:
		for i, branch := range *at {
			if len(branch) > 0 {
				c.entries(indexed(path, i), branch)
			}
		}
	case *[]Expectation:
		for i := range *at {
			before := len(c.found)
			checkFields(c, &(*at)[i], &expectTable)
			c.within(before, path, i)
		}
	}
}

func checkWord(p mechanisms.Param, word string) string {
	if p.Choices == nil {
		return checkText(word, p.Name == "description")
	}
	if slices.Contains(p.Choices, word) || p.Optional && word == "" {
		return ""
	}
	return p.Allowed() + ", got " + strconv.Quote(word)
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
		e, before := &list[i], len(c.found)
		checkFields(c, e, e.table())
		if e.Parallel == nil {
			c.mechanism(e)
		}
		c.within(before, path, i)
	}
}

// counts checks the counts alone: one forgotten, and so 0, would be a release for
// free.
func (c *checker) counts(path string, list []Entry) {
	count := EntryField("count")
	for i := range list {
		e := &list[i]
		if text := count.CheckNumber(e.Count); text != "" {
			c.add(indexed(path, i)+".count", text)
		}
		for j, branch := range e.Parallel {
			c.counts(indexed(indexed(path, i)+".parallel", j), branch)
		}
	}
}

func (c *checker) mechanism(e *Entry) {
	spec, ok := mechanisms.SpecOf(e.Mechanism, e.Values)
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

// methods are the columns an expectation or a plan may name: all there are.
var methods = func() []string {
	var list []string
	for _, t := range accounting.Methods() {
		list = append(list, string(t.Method))
	}
	return list
}()

// indexed is a path with a number from 1: "stack[2]".
func indexed(path string, i int) string { return path + "[" + strconv.Itoa(i+1) + "]" }
