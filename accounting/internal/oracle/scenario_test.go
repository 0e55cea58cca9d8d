package oracle_test

import (
	"fmt"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// String returns the scenario as a user would write it.
func (w *world) String() string { return w.text(entry.String, "    moves: never\n") }

func (w *world) text(line func(entry) string, never string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nadjacency: %s\ngroup: %d\nrounds: %d\nbudget: {delta: %v}\nstack:\n", w.adjacency, w.group, w.rounds, w.delta)
	for _, e := range w.entries {
		if e.branches == nil {
			fmt.Fprintf(&b, "  - %s\n", line(e))
			continue
		}
		b.WriteString("  - parallel:\n")
		for _, lines := range e.branches {
			var list []string
			for _, l := range lines {
				list = append(list, line(l))
			}
			fmt.Fprintf(&b, "      - [%s]\n", strings.Join(list, ", "))
		}
		if e.never {
			b.WriteString(never)
		}
	}
	return b.String()
}

func (e entry) String() string {
	also := ""
	switch {
	case e.number > 0:
		also = fmt.Sprintf(", also: {add-remove: %v}", e.number)
	case e.promise.also:
		also = ", also: add-remove"
	}
	return fmt.Sprintf("{%s, count: %d%s}", e.fields, e.count, also)
}

// scenario returns what the program is asked about.
func (w *world) scenario() (*scenarios.Scenario, error) {
	s, err := scenarios.Parse("case.yaml", []byte(
		w.text(func(e entry) string { return fmt.Sprintf("{%s, count: %d}", e.fields, e.count) }, "")))
	if err != nil {
		return nil, err
	}
	for i, e := range w.entries {
		e.claim(&s.Stack[i])
	}
	return s, nil
}

func (e entry) claim(to *scenarios.Entry) {
	to.Also = mechanisms.Also{AddRemove: e.promise.also, Number: e.number}
	if e.never {
		to.Moves = "never"
	}
	for b, lines := range e.branches {
		for i, l := range lines {
			l.claim(&to.Parallel[b][i])
		}
	}
}
