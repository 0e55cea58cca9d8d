package dialogs

import (
	"context"
	"regexp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// adder is the searchable catalogue. A number after the name is how often the
// mechanism runs: "c 100" adds a hundred counts.
type adder struct {
	*kit.Shell
	pick *Picker
	job  jobs.Job
}

// Add lists the catalogue, with a few first words of people who do not think in
// mechanisms.
func Add(s *kit.Shell) {
	items := []Item{
		{Name: "counts", Title: "how many rows satisfy something; Laplace noise", Group: "laplace"},
		{Name: "average", Title: "sums and means of bounded values; Gaussian noise", Group: "gaussian"},
		{Name: "best of several", Title: "choose one of a list by a score", Group: "exponential"},
		{Name: "training", Title: "a model trained by noisy gradients", Group: "dp-sgd"},
		{Name: "tuning", Title: "the best of several training runs", Group: "select"},
	}
	for _, m := range mechanisms.Catalogue() {
		items = append(items, Item{Name: m.Title, Title: m.Summary, Group: m.Name})
	}
	d := &adder{Shell: s, pick: NewPicker(s, items)}
	d.pick.Query = func(s string) string { name, _ := splitCount(s); return name }
	s.Push(d)
}

var countSuffix = regexp.MustCompile(`^(.*?)[\s×]*([0-9][0-9.,_eE+]*)?$`)

// splitCount divides "c 100" into what is searched and how often it runs.
func splitCount(s string) (name string, count float64) {
	m := countSuffix.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil || m[2] == "" {
		return s, 0
	}
	n, err := mechanisms.ParseNumber(strings.ReplaceAll(m[2], ",", ""))
	if err != nil || n < 1 || n > 1e12 || n != float64(int64(n)) {
		return m[1], 0
	}
	return m[1], n
}

func (d *adder) HandleKey(msg tea.KeyMsg) tea.Cmd {
	if d.pick.Handle(msg) {
		return nil
	}
	d.Pop()
	it, ok := d.pick.chosen()
	if !ok || msg.String() != "enter" {
		return nil
	}
	_, count := splitCount(d.pick.Input.Value())
	return d.add(it.Group, it.Name, count)
}

// add puts a mechanism on the stack. Where a count was typed and there is a
// budget, its noise is chosen so that the whole stack fits.
func (d *adder) add(mechanism, recipe string, count float64) tea.Cmd {
	spec, ok := mechanisms.Lookup(mechanism)
	if !ok {
		return nil
	}
	e := scenarios.Entry{Mechanism: mechanism, Count: max(1, count), Sampling: 1, Values: spec.Initials()}
	if recipe == "counts" {
		e.Label = "counts"
	}
	d.Doc.Add(e)
	d.Knob = ""
	d.Say("added " + spec.Title + "; enter edits it")
	if count > 0 && d.Doc.Scenario().Budget.Epsilon > 0 {
		return d.fit(e)
	}
	return nil
}

// fit solves the main parameter of the entry just added for the budget.
func (d *adder) fit(e scenarios.Entry) tea.Cmd {
	solve := ""
	for _, name := range []string{"epsilon", "sigma"} {
		if e.Values.Has(name) {
			solve = name
		}
	}
	if solve == "" {
		return nil
	}
	s, version, account := d.Doc.Scenario(), d.Doc.Version(), d.Accountant
	req := plan.Request{Solve: solve, Entry: d.Doc.Entry(), Digits: report.PlanDigits}
	return d.Jobs.Start(&d.job, 0, func(ctx context.Context, emit func(tea.Msg)) {
		r, err := account.Plan(ctx, s, req)
		if ctx.Err() == nil {
			emit(jobs.Found(func() { d.planned(version, r, err) }))
		}
	})
}

// planned takes the solved noise, if nothing was changed meanwhile.
func (d *adder) planned(version int, r plan.Result, err error) {
	if version != d.Doc.Version() {
		return
	}
	if err != nil || !r.Feasible {
		d.Say("added; the budget leaves no room for it as the stack stands")
		return
	}
	wrong := report.PlanError(d.Doc.Scenario(), r)
	err = d.Doc.Edit("noise to fit the budget", func(e *scenarios.Entry) {
		v := e.Values.Clone()
		v[r.Solve] = mechanisms.NumberValue(r.Value)
		e.Values = v
	})
	if err != nil {
		d.Complain(err)
		return
	}
	each := map[string]string{"epsilon": "ε", "sigma": "σ"}[r.Solve] + " = " + report.Answered(r) + " each"
	if wrong > 0 {
		each += ", ±" + report.Upper(wrong) + " at 95 %"
	}
	d.Say(each + ", so that the stack fits its budget; u takes it back")
}

func (d *adder) View(w, h int) []string {
	w, h = min(w-2, 100), min(h-1, 26)
	inner, rows := draw.Inner(w, h)
	title := "Add a mechanism"
	if _, n := splitCount(d.pick.Input.Value()); n > 0 {
		title += " ×" + report.Short(n)
	}
	names, below := min(28, inner/2), 0
	for _, it := range d.pick.items {
		if text.Width(it.Title) > inner-names-3 { // the selected one is said in full below the list
			below = 1 + max(below-1, len(text.Wrap(it.Title, inner)))
		}
	}
	room := max(1, rows-1-below)
	out := kit.NewWriter(d.Pen, inner, text.Box(d.pick.lines(inner, room, names), inner, room)...)
	if it, ok := d.pick.chosen(); ok && below > 0 {
		out.Gap()
		out.Prose(d.Pen.Text, it.Title)
	}
	return d.Boxed(title, out.Lines, "search: a name, then how many (c 100)   enter add   esc cancel", w, h)
}
