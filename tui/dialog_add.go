package tui

import (
	"context"
	"regexp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// adder is the searchable catalogue. A number after the name is how often the
// mechanism runs: "c 100" adds a hundred counts.
type adder struct {
	a    *App
	pick *picker
}

// openAdd lists the catalogue, with a few first words of people who do not think in
// mechanisms.
func (a *App) openAdd() tea.Cmd {
	items := []pickItem{
		{name: "counts", title: "how many rows satisfy something; Laplace noise", group: "laplace"},
		{name: "average", title: "sums and means of bounded values; Gaussian noise", group: "gaussian"},
		{name: "best of several", title: "choose one of a list by a score", group: "exponential"},
		{name: "training", title: "a model trained by noisy gradients", group: "dp-sgd"},
	}
	for _, s := range mechanisms.Catalogue() {
		items = append(items, pickItem{name: s.Title, title: s.Summary, group: s.Name})
	}
	d := &adder{a, newPicker(a, items)}
	d.pick.query = func(s string) string { name, _ := splitCount(s); return name }
	a.push(d)
	return nil
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
	if d.pick.handle(msg) {
		return nil
	}
	d.a.pop()
	it, ok := d.pick.chosen()
	if !ok || msg.String() != "enter" {
		return nil
	}
	_, count := splitCount(d.pick.input.Value())
	return d.a.add(it.group, it.name, count)
}

// add puts a mechanism on the stack. Where a count was typed and there is a
// budget, its noise is chosen so that the whole stack fits.
func (a *App) add(mechanism, recipe string, count float64) tea.Cmd {
	spec, ok := mechanisms.Lookup(mechanism)
	if !ok {
		return nil
	}
	e := scenarios.Entry{Mechanism: mechanism, Count: max(1, count), Sampling: 1, Values: spec.Initials()}
	if recipe == "counts" {
		e.Label = "counts"
	}
	a.doc.Add(e)
	a.knob = ""
	a.say("added " + spec.Title + "; enter edits it")
	if count > 0 && a.doc.Scenario().Budget.Epsilon > 0 {
		return a.fit(e)
	}
	return nil
}

// fit solves the main parameter of the entry just added for the budget.
func (a *App) fit(e scenarios.Entry) tea.Cmd {
	solve := ""
	for _, name := range []string{"epsilon", "sigma"} {
		if e.Values.Has(name) {
			solve = name
		}
	}
	if solve == "" {
		return nil
	}
	s, version, account := a.doc.Scenario(), a.doc.Version(), a.account
	req := scenarios.PlanRequest{Solve: solve, Entry: a.entryIndex()}
	return a.pool.start(&a.planJob, 0, func(ctx context.Context, emit func(tea.Msg)) {
		r, err := account.Plan(ctx, s, req)
		if ctx.Err() == nil {
			emit(plannedMsg{version, r, err})
		}
	})
}

// planned takes the solved noise, if nothing was changed meanwhile.
func (a *App) planned(msg plannedMsg) tea.Cmd {
	if msg.version != a.doc.Version() {
		return nil
	}
	if msg.err != nil || !msg.result.Feasible {
		a.say("added; the budget leaves no room for it as the stack stands")
		return nil
	}
	r := msg.result
	wrong := report.PlanError(a.doc.Scenario(), r)
	err := a.doc.Edit("noise to fit the budget", func(e *scenarios.Entry) {
		v := e.Values.Clone()
		v[r.Solve] = mechanisms.NumberValue(r.Value)
		e.Values = v
	})
	if err != nil {
		a.complain(err)
		return nil
	}
	each := map[string]string{"epsilon": "ε", "sigma": "σ"}[r.Solve] + " = " + short(r.Value) + " each"
	if wrong > 0 {
		each += ", ±" + report.Upper(wrong) + " at 95 %"
	}
	a.say(each + ", so that the stack fits its budget; u takes it back")
	return nil
}

func (d *adder) View(w, h int) []string {
	w, h = min(w-2, 100), min(h-1, 26)
	inner, rows := draw.Inner(w, h)
	title := "Add a mechanism"
	if _, n := splitCount(d.pick.input.Value()); n > 0 {
		title += " ×" + short(n)
	}
	names, below := min(28, inner/2), 0
	for _, it := range d.pick.items {
		if text.Width(it.title) > inner-names-3 { // the selected one is said in full below the list
			below = 1 + max(below-1, len(text.Wrap(it.title, inner)))
		}
	}
	room := max(1, rows-1-below)
	out := writer{d.a.pen, inner, text.Box(d.pick.lines(inner, room, names), inner, room)}
	if it, ok := d.pick.chosen(); ok && below > 0 {
		out.gap()
		out.prose(d.a.pen.Text, it.title)
	}
	return d.a.boxed(title, out.lines, "search: a name, then how many (c 100)   enter add   esc cancel", w, h)
}
