package cli

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"text/tabwriter"

	"epsiloscope/mechanisms/labs"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/chart"
)

// labSteps writes what each step of the algorithm saw, did and left.
func (a *app) labSteps(out *labs.Outcome, format string) error {
	q := out.Sequence
	if len(q.Steps) == 0 {
		return wrongf("--steps: %s has no steps of its own; its charts show the whole run", out.Lab)
	}
	head := append([]string{"step"}, q.Columns...)
	switch format {
	case asCSV:
		w := csv.NewWriter(a.stdout)
		rows := [][]string{append(head, "says")}
		for i, s := range q.Steps {
			row := []string{strconv.Itoa(i + 1)}
			for _, v := range s.Values {
				row = append(row, stepFigure(v, func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }))
			}
			rows = append(rows, append(row, report.Plain(s.Says)))
		}
		return w.WriteAll(rows)
	case asTable:
	default:
		return wrongf("--steps: a table or csv, not %s", format)
	}
	w := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	for _, h := range head {
		fmt.Fprint(w, h, "\t")
	}
	fmt.Fprintln(w)
	for i, s := range q.Steps {
		fmt.Fprint(w, i+1, "\t")
		for _, v := range s.Values {
			fmt.Fprint(w, stepFigure(v, func(v float64) string { return chart.LabFigure(v, false) }), "\t")
		}
		mark := "  "
		if s.Marked {
			mark = "  * "
		}
		fmt.Fprintln(w, mark+report.Plain(s.Says))
	}
	return w.Flush()
}

// stepFigure writes a value, and nothing where there is none.
func stepFigure(v float64, write func(float64) string) string {
	if math.IsNaN(v) {
		return ""
	}
	return write(v)
}
