package scenarios

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/format"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// Set changes one field by path and text: "1.count" and "50" for the first entry
// of the stack, "4.1.2.epsilon" and "1/800" for the second entry of the first
// branch of the parallel block in the fourth, "rounds", "delta" or "budget.delta"
// for the scenario itself. Setting one of two alternatives removes the other. The
// scenario is unchanged if there is an error.
//
// Set judges the field alone. Fields that stand only together, those of a claim or of
// a limit on harm, are set one after the other, in any order; [Scenario.Validate]
// refuses the scenario until all are there.
func (s *Scenario) Set(path, text string) error {
	field := path
	var err error
	if path == "" || path[0] < '0' || path[0] > '9' {
		err = s.setTop(path, text)
	} else {
		var e *Entry
		if e, field, err = s.entryAt(path); err == nil {
			err = e.Set(field, text)
		}
	}
	if p, ok := err.(*param.Error); ok && p.Param == field {
		err = errors.New(p.Problem) // the path already names the field
	}
	if err != nil {
		return fmt.Errorf("%s: %w", format.MakePrintable(path), err)
	}
	return nil
}

// entryAt follows the numbers of a path to an entry and gives the rest of it.
func (s *Scenario) entryAt(path string) (*Entry, string, error) {
	list, what, rest := s.Stack, "the stack", path
	for {
		head, tail, dotted := strings.Cut(rest, ".")
		n, err := strconv.Atoi(head)
		if err != nil || !dotted || head != strconv.Itoa(n) {
			return nil, "", errors.New("expected the number of an entry and a field, such as 1.count")
		}
		if n < 1 || n > len(list) {
			return nil, "", fmt.Errorf("there is no entry %d; %s has %s", n, what, numeral.Plural(len(list), "entry", "entries"))
		}
		e := &list[n-1]
		if tail == "" || tail[0] < '0' || tail[0] > '9' {
			return e, tail, nil
		}
		if e.Parallel == nil {
			return nil, "", fmt.Errorf("entry %d is not a parallel block", n)
		}
		head, rest, _ = strings.Cut(tail, ".")
		b, err := strconv.Atoi(head)
		if err != nil || b < 1 || b > len(e.Parallel) || head != strconv.Itoa(b) {
			return nil, "", fmt.Errorf("there is no branch %s; the block has %s", format.MakePrintable(head), numeral.Plural(len(e.Parallel), "branch", "branches"))
		}
		list, what = e.Parallel[b-1], "the branch"
	}
}

// Set changes one field of an entry by name and text.
func (e *Entry) Set(name, text string) error {
	f, known := e.table().Find(name)
	switch {
	case known && name == "mechanism":
		return e.setMechanism(text)
	case name == "query" && e.Parallel == nil && e.Spec().Norm != "":
		return e.setQuery(text)
	case known && name != "parallel":
		return f.Set(e, name, text)
	case known:
		return errors.New("branches are not set as a whole; a field inside is written BLOCK.BRANCH.ENTRY.FIELD, as in 4.1.2.epsilon")
	}
	if problem := e.unknownFieldProblem(name); problem != "" {
		return errors.New(problem)
	}
	return &param.Error{Param: "mechanism", Problem: mechanisms.UnknownMechanism(e.Mechanism)}
}

// setTop changes a field of the scenario itself; a part of a mapping may be called by
// its own name.
func (s *Scenario) setTop(name, text string) error {
	var known []string
	leaves := scenarioTable().Leaves
	for i := range leaves {
		f := &leaves[i]
		if !f.Single(s) {
			continue
		}
		if f.Path == name || f.Name == name {
			return f.Set(s, name, text)
		}
		known = append(known, f.Name)
	}
	return errors.New(format.UnknownName("unknown field", name, known) + " (an entry's field is written 1.count)")
}

// FirstImplicit returns the path of the first parameter that differs from before and is not in paths, one that
// Set filled in; "" if there is none. [Entry.Set] completes an entry for a form, which shows it; without a form
// that would be a guess.
func (s *Scenario) FirstImplicit(before *Scenario, paths []string) string {
	return firstImplicit("", s.Stack, before.Stack, paths)
}

func firstImplicit(prefix string, stack, before []Entry, paths []string) string {
	for i := range stack {
		at := fmt.Sprintf("%s%d.", prefix, i+1)
		for _, name := range slices.Sorted(maps.Keys(stack[i].Values)) {
			if !slices.Contains(paths, at+name) && !reflect.DeepEqual(stack[i].Values[name], before[i].Values[name]) {
				return at + name
			}
		}
		for b, branch := range stack[i].Parallel {
			if path := firstImplicit(fmt.Sprintf("%s%d.", at, b+1), branch, before[i].Parallel[b], paths); path != "" {
				return path
			}
		}
	}
	return ""
}
