// Package variants answers "what if": plans that were pinned stand beside the present one, and
// a map shows ε over two knobs at once.
package variants

import (
	"context"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/tui/export"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/plot"
)

// letters name the pinned scenarios.
const letters = "ABC"

// variant is a column: a plan and what it costs.
type variant struct {
	name     string // "A", or "now"
	scenario *scenarios.Scenario
	result   *scenarios.Result
	accuracy []report.AccuracyRow
}

// Screen compares plans, and maps two knobs.
type Screen struct {
	kit.Base
	pins []*scenarios.Scenario
	at   int // the pinned one selected
	maps bool
	grid grid

	shown  jobs.Query[want, comparison]
	plot   *plot.Plot
	pinned int // grows with every change of the pins
}

// comparison is the plans side by side.
type comparison struct {
	list  []variant
	chart chart.Chart
}

// want names what the table is about.
type want struct {
	scenario *scenarios.Scenario
	pinned   int
}

// New returns the screen, with no scenario pinned.
func New(s *kit.Shell) *Screen {
	v := &Screen{Base: kit.Base{Shell: s}, plot: plot.New()}
	v.shown.Taken = func(c comparison) { v.plot.SetChart(c.chart) }
	v.grid.made.Taken = v.grid.take
	v.grid.certain.Taken = v.grid.takeCertain
	v.grid.border.Taken = v.grid.takeBorder
	return v
}

// Pin keeps the present plan as a variant; the fourth takes the place of the selected one.
func (v *Screen) Pin() tea.Cmd {
	if len(v.Doc.Scenario().Stack) == 0 {
		return v.Say("there is nothing to pin: the stack is empty")
	}
	says := "; change the scenario, v compares"
	if len(v.pins) < len(letters) {
		v.at = len(v.pins)
		v.pins = append(v.pins, nil)
	} else {
		says = ", in place of what was pinned there" + says
	}
	v.pins[v.at] = v.Doc.Scenario()
	v.pinned++
	return v.Say("pinned as " + letters[v.at:v.at+1] + says)
}

func (v *Screen) Keys() kit.Table {
	step := func(dx, dy int) func() tea.Cmd {
		return kit.NoCmd(func() {
			n := len(v.pins)
			switch {
			case v.maps:
				v.grid.move(dx, dy)
			case n > 0:
				v.at = (v.at + dx + dy + n) % n
			}
		})
	}
	return kit.NewTable("What-if screen",
		kit.Action("variants.switch", "tab", "table, map", "From the pinned scenarios to the map of two knobs and back", kit.NoCmd(func() { v.maps = !v.maps })),
		kit.Action("variants.apply", "enter", "apply", "Make the pinned scenario, or the place on the map, the present one", v.Try(v.apply)),
		kit.Action("variants.unpin", "backspace delete", "unpin", "Take the selected pin away", kit.NoCmd(v.unpin)),
		kit.Action("variants.left", "left h", "", "Pin or place to the left", step(-1, 0)),
		kit.Action("variants.right", "right l", "", "Pin or place to the right", step(+1, 0)),
		kit.Action("variants.up", "up k", "", "Place above", step(0, -1)),
		kit.Action("variants.down", "down j", "", "Place below", step(0, +1)),
		kit.Action("variants.knob-across", "n", "knob across", "Next knob across the map", kit.NoCmd(func() { v.grid.turn(v, true) })),
		kit.Action("variants.knob-up", "N", "knob up", "Next knob up the map", kit.NoCmd(func() { v.grid.turn(v, false) })),
	)
}

// HandleMouse takes the place of the map under a click.
func (v *Screen) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	if v.maps && m.Button == tea.MouseButtonLeft {
		v.grid.click(x-2, y-1) // within the frame and its padding
	}
	return nil
}

func (v *Screen) unpin() {
	if !v.maps && v.at < len(v.pins) {
		v.pins = append(v.pins[:v.at:v.at], v.pins[v.at+1:]...)
		v.at = max(0, min(v.at, len(v.pins)-1))
		v.pinned++
	}
}

func (v *Screen) apply() error {
	if v.maps {
		return v.grid.apply(v)
	}
	if v.at >= len(v.pins) {
		return errors.New("nothing is pinned yet: V pins the present scenario")
	}
	v.Doc.Replace(v.pins[v.at], "pinned scenario "+letters[v.at:v.at+1], false)
	v.Say("the present scenario is " + letters[v.at:v.at+1] + " again; u takes it back")
	return nil
}

// Refresh computes what the view needs.
func (v *Screen) Refresh() tea.Cmd {
	if v.maps {
		return v.grid.refresh(v)
	}
	now, account := want{v.Doc.Scenario(), v.pinned}, v.Accountant
	var list []variant
	for i, s := range v.pins {
		list = append(list, variant{name: letters[i : i+1], scenario: s})
	}
	list = append(list, variant{name: "now", scenario: now.scenario})
	return v.shown.Ask(v.Jobs, jobs.PauseChart, now, func(ctx context.Context, tell func(comparison, error)) {
		for i := range list {
			if r, err := account.Evaluate(ctx, list[i].scenario, scenarios.Options{}); err == nil {
				list[i].result, list[i].accuracy = r, report.AccuracyOf(list[i].scenario)
			}
		}
		tell(comparison{list: list}, nil)
		if c := curves(ctx, list); ctx.Err() == nil {
			tell(comparison{list, c}, nil)
		}
	})
}

// Share gives the curves of the variants, or the lines of equal ε on the map.
func (v *Screen) Share() export.Subject {
	now := v.Doc.Scenario() // what was computed of another is not taken along under its name
	if g := &v.grid; v.maps && g.made.Known && g.made.Of.scenario == now {
		if c := g.contours(); len(c.Series) > 0 {
			shown := func(context.Context) (chart.Chart, error) { return c, nil }
			return export.Subject{Title: c.Title, Stem: "map", Chart: shown}
		}
	}
	c := v.shown.Answer.chart
	if v.maps || len(c.Series) == 0 || v.shown.Of.scenario != now {
		return export.Subject{}
	}
	var names []string
	for _, s := range v.shown.Answer.list {
		names = append(names, s.name+": "+report.Plain(s.scenario.Name))
	}
	return export.Subject{Title: c.Title, Stem: "variants", Caption: strings.Join(names, " · "),
		Chart: func(context.Context) (chart.Chart, error) { return c, nil }}
}
