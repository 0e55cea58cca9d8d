package format

import (
	"fmt"
	"slices"
	"strconv"

	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios/internal/document"
)

// Checker collects what is wrong with values, by field.
type Checker struct{ Found []Problem }

// Problem is a mistake without its place in a text.
type Problem struct{ Field, Text string }

// Add notes a problem, if there is one.
func (c *Checker) Add(field, text string) {
	if text != "" {
		c.Found = append(c.Found, Problem{field, text})
	}
}

// Item checks one item of a list and gives what is found its place. The path is built
// only where there is something to report: a stack may have ten thousand entries.
func (c *Checker) Item(path string, i int, check func()) {
	before := len(c.Found)
	check()
	for j := before; j < len(c.Found); j++ {
		c.Found[j].Field = Indexed(path, i) + "." + c.Found[j].Field
	}
}

// Errors are the problems of a file without places.
func (c *Checker) Errors(file string) error {
	var errs Errors
	for _, p := range c.Found {
		errs = append(errs, FieldError{File: file, Field: p.Field, Problem: p.Text})
	}
	return errs.Sorted()
}

func check(c *Checker, p param.Param, at any, path string) {
	switch at := at.(type) {
	case *string:
		c.Add(path, checkWord(p, *at))
	case *float64:
		if *at != 0 || !p.Optional {
			c.Add(path, p.CheckNumber(*at))
		}
	case Value:
		at.Check(c, path)
	}
}

func checkWord(p param.Param, word string) string {
	if p.Choices == nil {
		return checkText(word, p.Name == "description")
	}
	if slices.Contains(p.Choices, word) || p.Optional && word == "" {
		return ""
	}
	return p.Allowed() + ", got " + strconv.Quote(word) + p.Else
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

// Indexed is a path with a number from 1: "stack[2]".
func Indexed(path string, i int) string { return path + "[" + strconv.Itoa(i+1) + "]" }
