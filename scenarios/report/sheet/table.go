package sheet

import (
	"bufio"
	"fmt"
	"io"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

// Table writes the result for people: the answer first, then every bound side by
// side, then the stack and what there is to remark on it.
func Table(w io.Writer, r *scenarios.Result) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n", report.Heading(r))
	fmt.Fprintf(out, "%s\n", report.Answer(r))
	if verdict := report.Verdict(r); verdict != "" {
		fmt.Fprintf(out, "%s\n", verdict)
	}
	fmt.Fprintln(out)
	bounds, entries := gridOf(boundColumns, boundRows(r)), gridOf(stackColumns, r.Entries)
	if err := bounds.Write(out, ""); err != nil {
		return err
	}
	if len(r.Entries) > 0 {
		fmt.Fprintln(out)
		if err := entries.Write(out, ""); err != nil {
			return err
		}
	}
	writeLints(out, r)
	writeFilter(out, r)
	return out.Flush()
}

// stackColumns are the entries and what share of the cost each has.
var stackColumns = []column[scenarios.EntryResult]{
	{head: "#", align: Right, show: func(e scenarios.EntryResult) string { return fmt.Sprint(e.Index) },
		key: "index", value: func(e scenarios.EntryResult) any { return e.Index }},
	{head: "mechanism", show: func(e scenarios.EntryResult) string { return e.Mechanism },
		key: "mechanism", value: func(e scenarios.EntryResult) any { return e.Mechanism }},
	{head: "label", show: func(e scenarios.EntryResult) string { return report.Plain(e.Label) }},
	{head: "count", align: Right, show: func(e scenarios.EntryResult) string { return report.Short(e.Count) },
		key: "count", value: func(e scenarios.EntryResult) any { return e.Count }},
	{head: "share", align: Right, show: shareCell, key: "share", value: func(e scenarios.EntryResult) any { return e.Share }},
}

func shareCell(e scenarios.EntryResult) string {
	if e.Disabled {
		return "off"
	}
	return report.Percent(e.Share)
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
		fmt.Fprintf(w, "\nadaptive costs, by %s: %s\n", report.By(best), report.LowerFirst(t.Filter))
	}
}

func writeLints(w io.Writer, r *scenarios.Result) {
	if len(r.Lints) == 0 {
		return
	}
	fmt.Fprintln(w)
	for _, l := range r.Lints {
		fmt.Fprintf(w, "! %s: %s\n", l.Where(), report.Plain(l.Text))
	}
}
