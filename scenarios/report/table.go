package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// Table writes the result for people: the answer first, then every bound side by
// side, then the stack and what there is to remark on it.
func Table(w io.Writer, r *scenarios.Result) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n", Heading(r))
	fmt.Fprintf(out, "%s\n", Answer(r))
	if verdict := Verdict(r); verdict != "" {
		fmt.Fprintf(out, "%s\n", verdict)
	}
	fmt.Fprintln(out)
	bounds, entries := gridOf(boundColumns, boundRows(r)), gridOf(stackColumns, r.Entries)
	if err := bounds.write(out, ""); err != nil {
		return err
	}
	if len(r.Entries) > 0 {
		fmt.Fprintln(out)
		if err := entries.write(out, ""); err != nil {
			return err
		}
	}
	writeLints(out, r)
	writeFilter(out, r)
	return out.Flush()
}

// Heading is the scenario in one line: its name, what it protects, how often.
func Heading(r *scenarios.Result) string {
	parts := []string{nameOf(r)}
	if unit := Plain(r.Unit); unit != "" {
		parts = append(parts, "unit: "+unit)
	}
	parts = append(parts, string(r.Adjacency))
	if r.Rounds != 1 {
		parts = append(parts, Short(r.Rounds)+" rounds")
	}
	return strings.Join(parts, " · ")
}

// nameOf is what a scenario is called, in print.
func nameOf(r *scenarios.Result) string {
	if name := Plain(r.Name); name != "" {
		return name
	}
	return "(no name)"
}

// Answer is the best bound in one line: the figure to quote.
func Answer(r *scenarios.Result) string {
	if r.Best < 0 {
		return "no theorem gives a finite ε here; the table says why"
	}
	b := r.Bounds[r.Best]
	s := fmt.Sprintf("ε = %s at δ = %s by %s", Upper(b.Epsilon), Short(b.Delta), By(b.Method))
	if b.Method == accounting.Numerical && b.Lower > 0 {
		s += fmt.Sprintf(", certified %s – %s", Lower(b.Lower), Upper(b.Epsilon))
	}
	return s
}

// By is a theorem after "by".
func By(m accounting.Method) string {
	if m == accounting.Numerical {
		return "the numerical accountant"
	}
	return m.Name()
}

// Verdict says whether the best bound fits the budget; "" without a budget.
func Verdict(r *scenarios.Result) string {
	budget := r.Target.Epsilon
	switch {
	case budget <= 0:
		return ""
	case r.Best < 0:
		return fmt.Sprintf("not known to fit the budget ε = %s", Short(budget))
	case Fits(r.Bounds[r.Best], budget):
		return fmt.Sprintf("fits the budget ε = %s", Short(budget))
	}
	return fmt.Sprintf("over the budget ε = %s by %s", Short(budget), Upper(r.Bounds[r.Best].Epsilon-budget))
}

// Fits reports whether a valid bound stays within the budget, as everything that
// asks this question does: see [accounting.Bound.Fits].
func Fits(b accounting.Bound, budget float64) bool { return b.Fits(budget) }

// Slack is how many times the certified lower end a bound is: how much of it is
// the theorem's own. It is 0 where there is no certified lower end.
func Slack(r *scenarios.Result, b accounting.Bound) float64 {
	if !b.Finite() {
		return 0
	}
	for _, n := range r.Bounds {
		if n.Method == accounting.Numerical && n.Status == accounting.Valid && n.Lower > 0 {
			return b.Epsilon / n.Lower
		}
	}
	return 0
}

// stackColumns are the entries and what share of the cost each has.
var stackColumns = []column[scenarios.EntryResult]{
	{head: "#", align: right, show: func(e scenarios.EntryResult) string { return fmt.Sprint(e.Index) },
		key: "index", value: func(e scenarios.EntryResult) any { return e.Index }},
	{head: "mechanism", show: func(e scenarios.EntryResult) string { return e.Mechanism },
		key: "mechanism", value: func(e scenarios.EntryResult) any { return e.Mechanism }},
	{head: "label", show: func(e scenarios.EntryResult) string { return Plain(e.Label) }},
	{head: "count", align: right, show: func(e scenarios.EntryResult) string { return Short(e.Count) },
		key: "count", value: func(e scenarios.EntryResult) any { return e.Count }},
	{head: "share", align: right, show: shareCell, key: "share", value: func(e scenarios.EntryResult) any { return e.Share }},
}

func shareCell(e scenarios.EntryResult) string {
	if e.Disabled {
		return "off"
	}
	return Percent(e.Share)
}

// writeFilter says of the bound to quote whether it survives costs that are chosen by
// looking at earlier answers; of a single release there is nothing to say.
func writeFilter(w io.Writer, r *scenarios.Result) {
	releases := 0.0
	for _, e := range r.Entries {
		if !e.Disabled {
			releases += e.Count * r.Rounds
		}
	}
	if r.Best < 0 || releases <= 1 {
		return
	}
	best := r.Bounds[r.Best].Method
	if t, ok := accounting.TheoremOf(best); ok {
		fmt.Fprintf(w, "\nadaptive costs, by %s: %s\n", By(best), lowerFirst(t.Filter))
	}
}

func writeLints(w io.Writer, r *scenarios.Result) {
	if len(r.Lints) == 0 {
		return
	}
	fmt.Fprintln(w)
	for _, l := range r.Lints {
		fmt.Fprintf(w, "! %s: %s\n", l.Where(), Plain(l.Text))
	}
}
