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
	if err := boundGrid(r).write(out, ""); err != nil {
		return err
	}
	if len(r.Entries) > 0 {
		fmt.Fprintln(out)
		if err := stackGrid(r).write(out, ""); err != nil {
			return err
		}
	}
	writeLints(out, r)
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
	s := fmt.Sprintf("ε = %s at δ = %s by %s", Upper(b.Epsilon), Short(b.Delta), b.Method.Name())
	if b.Method == accounting.Numerical && b.Lower > 0 {
		s += fmt.Sprintf(", certified %s – %s", Lower(b.Lower), Upper(b.Epsilon))
	}
	return s
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

func boundGrid(r *scenarios.Result) *grid {
	g := &grid{align: []align{left, left, decimal, right, decimal, right, left, left}}
	g.add("", "bound", "ε", "δ", "α", "slack", "budget", "")
	for i, b := range r.Bounds {
		star := ""
		if i == r.Best {
			star = "★"
		}
		g.add(star, string(b.Method), epsilonCell(b), deltaCell(b), alphaCell(b), slackCell(r, b), budgetCell(r, b), Plain(b.Note))
	}
	return g
}

func epsilonCell(b accounting.Bound) string {
	switch b.Status {
	case accounting.Valid:
		return Upper(b.Epsilon)
	case accounting.Approximate:
		return Figure(b.Epsilon)
	case accounting.Vacuous:
		return "∞"
	}
	return "n/a"
}

func deltaCell(b accounting.Bound) string {
	if !b.Finite() {
		return ""
	}
	return Short(b.Delta)
}

func alphaCell(b accounting.Bound) string {
	if !b.Finite() || !renyi(b.Method) || b.Alpha == 0 {
		return ""
	}
	return Figure(b.Alpha)
}

func slackCell(r *scenarios.Result, b accounting.Bound) string {
	slack := Slack(r, b)
	switch {
	case slack <= 0:
		return ""
	case slack < 1000:
		return fmt.Sprintf("%.2f×", slack)
	}
	return Short(slack) + "×"
}

func budgetCell(r *scenarios.Result, b accounting.Bound) string {
	switch {
	case b.Status == accounting.Approximate:
		return "≈"
	case r.Target.Epsilon <= 0 || b.Status != accounting.Valid:
		return ""
	case Fits(b, r.Target.Epsilon):
		return "✓"
	}
	return "over"
}

func stackGrid(r *scenarios.Result) *grid {
	g := &grid{align: []align{right, left, left, right, right}}
	g.add("#", "mechanism", "label", "count", "share")
	for _, e := range r.Entries {
		share := Percent(e.Share)
		if e.Disabled {
			share = "off"
		}
		g.add(fmt.Sprint(e.Index), e.Mechanism, Plain(e.Label), Short(e.Count), share)
	}
	return g
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
