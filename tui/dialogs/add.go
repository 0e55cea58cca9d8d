package dialogs

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// Add lists the catalogue, preceded by tasks for people who do not think in mechanisms. A
// number after the name is how often the mechanism runs: "c 100" adds a hundred counts.
func Add(s *kit.Shell) {
	items := []Item{
		{Name: "counts", Title: "how many rows satisfy something; Laplace noise", Group: "laplace"},
		{Name: "average", Title: "sums and means of bounded values; Gaussian noise", Group: "gaussian"},
		{Name: "best of several", Title: "choose one of a list by a score", Group: "exponential"},
		{Name: "training", Title: "a model trained by noisy gradients", Group: "dp-sgd"},
		{Name: "tuning", Title: "the best of several training runs", Group: "select"},
	}
	for _, m := range mechanisms.Catalogue() {
		items = append(items, Item{Name: m.Title, Title: m.Summary, Group: m.Name, also: m.Name})
	}
	const title = "Add a mechanism"
	d := &picking{Picker: NewPicker(s, items), title: title, verb: "add", remark: "search: a name, then how many: counts 100", w: 114, h: 28}
	names := func(inner int) int { return min(28, inner/2) }
	count := func() float64 { _, n, _ := splitCount(d.Input.Value()); return n }
	d.Query = func(s string) string { name, _, _ := splitCount(s); return name }
	d.refused = func() error { _, _, err := splitCount(d.Input.Value()); return err }
	d.names = names
	d.moved = func() tea.Cmd {
		d.title = title
		switch {
		case d.refused() != nil:
			d.title += ": " + wholeCount
		case count() > 0:
			d.title += " ×" + report.Short(count())
		}
		return nil
	}
	d.lines = func(inner, _ int) (below int) { // what does not fit beside a name is said in full below
		for _, it := range items {
			if draw.Width(it.Title) > inner-names(inner)-3 {
				below = 1 + max(below-1, len(draw.Wrap(it.Title, inner)))
			}
		}
		return below
	}
	d.below = func(out *kit.Writer, _ int) {
		if it, ok := d.Selection(); ok {
			out.Prose(out.Pen.Text, it.Title)
		}
	}
	d.chosen = func(it Item) tea.Cmd { return d.add(it.Group, it.Name, count()) }
	s.Push(d)
}

var countSuffix = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.*?)[\s×]*([0-9][0-9.,_eE+]*)?$`)
})

// wholeCount says which counts there are.
const wholeCount = "the count must be a whole number from 1 to 1e12"

// splitCount divides "c 100" into what is searched and how often it runs: 0 where no count was typed. A number that is
// no count is an error.
func splitCount(s string) (name string, count float64, err error) {
	m := countSuffix().FindStringSubmatch(strings.TrimSpace(s))
	if m == nil || m[2] == "" {
		return s, 0, nil
	}
	n, err := numeral.Parse(strings.ReplaceAll(m[2], ",", ""))
	if err != nil || n < 1 || n > 1e12 || n != float64(int64(n)) {
		return m[1], 0, fmt.Errorf("%s; %s is none", wholeCount, numeral.Quote(m[2]))
	}
	return m[1], n, nil
}

// add puts a mechanism on the stack. Where a count was typed and there is a
// budget, its noise is chosen so that the whole stack fits.
func (d *picking) add(mechanism, recipe string, count float64) tea.Cmd {
	e, err := scenarios.NewEntry(mechanism)
	if err != nil {
		return nil
	}
	if e.Count = max(1, count); recipe == "counts" {
		e.Label = "counts"
	}
	trial := document.New(d.Doc.Scenario())
	trial.Select(d.Doc.Cursor())
	trial.Add(e)
	added := func(s *scenarios.Scenario) tea.Cmd {
		d.Doc.Replace(s, "add", false)
		d.Doc.Select(trial.Cursor())
		d.Knob = ""
		d.Say("added " + e.Spec().Title + "; enter edits it")
		switch {
		case count == 0 || !s.Budget.IsSet():
			return nil
		case len(s.OpenSensitivities()) > 0: // it would be fitted with a guess
			return d.Say("added " + e.Spec().Title + "; its noise is fitted to the budget once Δ is stated: enter edits it")
		}
		return d.fit(e)
	}
	settle := func(s *scenarios.Scenario) tea.Cmd { // Δ first: the noise that fits depends on it
		if AskSensitivity(d.Shell, s, false, added) {
			return nil
		}
		return added(s)
	}
	if _, err := scenarios.Stack(d.Doc.Scenario()); err == nil && OfferAdjacency(d.Shell, trial.Scenario(), settle) {
		return nil
	}
	return settle(trial.Scenario())
}

// fit solves the main parameter of the entry just added for the budget.
func (d *picking) fit(e scenarios.Entry) tea.Cmd {
	names := []string{"sigma", "epsilon"}
	i := slices.IndexFunc(names, e.Values.Has)
	if i < 0 {
		return nil
	}
	s, usual := d.Doc.Scenario(), e.Values[names[i]].Number
	req := plan.Request{Solve: names[i], Entry: d.Doc.Entry(), Digits: report.PlanDigits}
	return d.Jobs.Start(new(jobs.Job), 0, func(ctx context.Context, tell func(func())) {
		r, err := d.Accountant.Plan(ctx, s, req)
		if len(s.Stack) > 1 && err == nil && r.Feasible && muchNoisier(names[i], r.Value, usual) {
			return // the budget is full: it keeps its usual noise, and the message says by how much it is over
		}
		tell(func() { d.takePlan(s, r, err) })
	})
}

// muchNoisier reports whether a solved parameter makes more than ten times the noise of the usual one.
func muchNoisier(name string, solved, usual float64) bool {
	if name == "sigma" {
		return solved > 10*usual
	}
	return 10*solved < usual
}

// takePlan takes the solved noise, if nothing was changed meanwhile.
func (d *picking) takePlan(of *scenarios.Scenario, r plan.Result, err error) {
	if of != d.Doc.Scenario() {
		return
	}
	if err != nil || !r.Feasible {
		return // it keeps its usual noise, and the message says by how much the stack is over
	}
	wrong, s := report.PlanError(of, r), of.Clone()
	if err := r.Apply(s); err != nil {
		d.Complain(err)
		return
	}
	d.Doc.Replace(s, "noise to fit the budget", false)
	each := map[string]string{"epsilon": "ε", "sigma": "σ"}[r.Solve] + " = " + report.PlanValue(r) + " each"
	if wrong > 0 {
		each += ", ±" + report.Upper(wrong) + " at 95 %"
	}
	d.Say(each + ", so that the stack fits its budget; u takes it back")
}
