package tui

import (
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// sight is a thing the explorer can show: the keys that lead there from the first
// screen, and a text that stands on it at 120×36, so that a key that leads elsewhere
// is noticed.
type sight struct {
	name string
	keys []string
	sees string
	set  setup
	// waiting: the answers to the last key have not come.
	waiting bool
	// profiled: the screen reads the certified profile, which a made-up accountant does not have.
	profiled bool
}

// sights returns all of them: every screen, chart, dialog and state of a pane.
func sights() []sight {
	all := []sight{
		{name: "home", sees: "What it costs"},
		{name: "home, bounds focused", keys: []string{"tab", "tab", "down"}, sees: "What it costs"},
		{name: "knobs focused", keys: []string{"tab", "down"}, sees: "Knobs"},
		{name: "marked", keys: []string{"stack.mark", "stack.mark"}, sees: "2 marked"},
		{name: "grouped", keys: []string{"stack.mark", "stack.mark", "stack.group"}, sees: "branches"},
		{name: "left out", keys: []string{"stack.on-off"}, sees: "off"},
		{name: "pinned", keys: []string{"knob.previous", "knob.previous", "knob.type", "8", "enter"}, sees: "pinned"},
		{name: "empty", keys: []string{"new", "ctrl+n"}, sees: "Nothing is released yet"},
		{name: "many entries", sees: "of 1000", set: setup{scenario: long(1000), accountant: &fake{}, charts: fakeCharts()}},
		{name: "refused", sees: "cannot be evaluated", set: setup{scenario: refused()}},
		{name: "without noise", sees: "cannot be evaluated", set: setup{scenario: noiseless()}},
		{name: "hostile names", sees: "certified", set: setup{scenario: hostile()}},
		{name: "ascii", sees: "Stack", set: setup{theme: "mono", noColor: true, ascii: true}},
		{name: "computing", keys: []string{"knob.up"}, sees: "computing", waiting: true},
		{name: "chart, computing", keys: []string{"chart.1", "chart.full", "knob.up"}, sees: "computing", waiting: true},
		{name: "why, computing", keys: []string{"screen.why", "knob.up"}, sees: "ε 0.11 of ", waiting: true},
	}
	for _, c := range chartViews() {
		all = append(all, sight{name: "chart " + c.name, keys: c.keys, sees: c.tab},
			sight{name: "chart " + c.name + " alone", keys: append(slices.Clone(c.keys), "f"), sees: c.tab})
	}
	return append(all, []sight{
		{name: "crosshair", keys: []string{"chart.1", "chart.full", "chart.full", "right", "right", "chart.zoom"}, sees: "basic"},
		{name: "audit", keys: []string{"screen.audit"}, sees: "What an attack shows", set: audited()},
		{name: "audit, counts", keys: []string{"screen.audit", "audit.enter-counts"}, sees: "Counts of an attack", set: audited()},
		{name: "why", keys: []string{"screen.why"}, sees: "Why"},
		{name: "why, scrolled", keys: []string{"screen.why", "end"}, sees: "Why"},
		{name: "plan", keys: []string{"screen.plan"}, sees: "Plan"},
		{name: "plan, divide", keys: []string{"screen.plan", "plan.next-view", "plan.lock", "down"}, sees: "locked"},
		{name: "plan, each entry", keys: []string{"screen.plan", "plan.next-view", "plan.next-view"}, sees: "Plan"},
		{name: "plan, typing", keys: []string{"screen.plan", "plan.error", "1", "0"}, sees: "enter apply"},
		{name: "person", keys: []string{"screen.person"}, sees: "What it means for a person"},
		{name: "person, typing", keys: []string{"screen.person", "person.suspicion", "1", "/"}, sees: "esc cancel"},
		{profiled: true, name: "statement", keys: []string{"screen.statement"}, sees: "What may be quoted"},
		{profiled: true, name: "statement, LaTeX", keys: []string{"screen.statement", "statement.next-format", "statement.next-format"}, sees: "What may be quoted: latex"},
		{profiled: true, name: "statement, JSON", keys: []string{"screen.statement", "statement.previous-format"}, sees: "What may be quoted: json"},
		{name: "differences", keys: []string{"knob.up", "screen.versus"}, sees: "iffer"},
		{name: "differences, choosing", keys: []string{"screen.versus", "versus.choose", "b", "o"}, sees: "enter compare"},
		{name: "others", keys: []string{"screen.others"}, sees: "too small", set: setup{scenario: shuffled()}},
		{name: "others, no training", keys: []string{"screen.others"}, sees: "compared on trainings only"},
		{name: "lectures", keys: []string{"screen.lectures"}, sees: "Lectures"},
		{name: "lectures, filtered", keys: []string{"screen.lectures", "lectures.filter", "n", "o", "i", "s", "e"}, sees: "noise"},
		{name: "proofs", keys: []string{"screen.proofs"}, sees: "Proof 1 of"},
		{name: "proofs, all of one", keys: []string{"screen.proofs", "proofs.next", "proofs.next", "proofs.all-steps"}, sees: "That is all of it"},
		{name: "exercises", keys: []string{"screen.exercises"}, sees: "Exercise 1 of"},
		{name: "exercises, hint", keys: []string{"screen.exercises", "exercises.hint"}, sees: "Hint:"},
		{name: "exercises, typing", keys: []string{"screen.exercises", "exercises.answer", "1", "/"}, sees: "esc leave the answer"},
		{name: "labs", keys: []string{"screen.labs"}, sees: "Labs"},
		{name: "labs, run", keys: []string{"screen.labs", "labs.run"}, sees: "Labs"},
		{name: "labs, typing", keys: []string{"screen.labs", "labs.switch", "labs.type", "1", "x"}, sees: "esc cancel"},
		{name: "ledger, none", keys: []string{"screen.ledger"}, sees: "None is open"},
		{name: "ledger, choosing", keys: []string{"screen.ledger", "ledger.choose", "x"}, sees: "type a path"},
		{name: "ledger", sees: "odometer", set: mobility()},
		{name: "ledger, scrolled", keys: []string{"end"}, sees: "promise made", set: mobility()},
		{name: "ledger, filtered", keys: []string{"ledger.filter", "a", "d", "s"}, sees: "27 in all", set: mobility()},
		{name: "ledger, record", keys: []string{"down", "enter"}, sees: "This record alone", set: mobility()},
		{name: "ledger, asked", keys: []string{"ledger.ask"}, sees: "The largest that fits", set: mobility()},
		{name: "ledger, why", keys: []string{"ledger.why"}, sees: "Why the zCDP filter is a filter", set: mobility()},
		{name: "ledger, blocks", keys: []string{"ledger.blocks"}, sees: "no blocks", set: mobility()},
		{name: "ledger, naming", keys: []string{"ledger.name", "x"}, sees: "Who asks", set: mobility()},
		{name: "help", keys: []string{"help"}, sees: "Keys"},
		{name: "help, scrolled", keys: []string{"help", "pgdown"}, sees: "esc"},
		{name: "what if, nothing pinned", keys: []string{"screen.variants"}, sees: "Nothing is pinned"},
		{name: "what if", keys: []string{"pin", "knob.up", "pin", "knob.up", "screen.variants"}, sees: "A to now"},
		{name: "what if, map", keys: []string{"screen.variants", "variants.switch", "right", "down"}, sees: ", the budget", set: setup{accountant: &fake{}}}, // of 325 places
		{name: "new plan", keys: []string{"new"}, sees: "What will be released?"},
		{name: "new plan, wrong", keys: []string{"new", "tab", "x"}, sees: "waiting for an answer"},
		{name: "new plan, built", keys: []string{"new", "m", "tab", "6", "0", "tab", "2", "5", "6", "tab", "p", "tab", "tab", "6", "0", "0", "0", "0"}, sees: "enter accept"},
		{name: "export", keys: []string{"export"}, sees: "write the chart as a picture"},
		{name: "export, no chart", keys: []string{"screen.why", "export"}, sees: "one HTML page"},
		{name: "palette", keys: []string{"commands"}, sees: "Commands"},
		{name: "palette, searching", keys: []string{"commands", "t", "h", "e", "m"}, sees: "heme"},
		{name: "tour", keys: []string{"commands", "t", "o", "u", "r", "enter"}, sees: "Tour 1/"},
		{name: "tour, later", keys: []string{"commands", "t", "o", "u", "r", "enter", ">", ">", ">"}, sees: "Tour 4/"},
		{name: "catalogue", keys: []string{"stack.add"}, sees: "Add"},
		{name: "catalogue, searching", keys: []string{"stack.add", "g", "a", "u"}, sees: "Gaussian"},
		{name: "catalogue, counted", keys: []string{"stack.add", "c", "1", "0"}, sees: "10"},
		{name: "form", keys: []string{"enter"}, sees: "esc"},
		{name: "form, wrong", keys: []string{"enter", "tab", "-", "1", "tab"}, sees: "esc"},
		{name: "form, candidates", keys: []string{"end", "enter", "end"}, sees: "esc"},
		{name: "target", keys: []string{"target.edit"}, sees: "Target"},
		{name: "target, typing", keys: []string{"target.edit", "l", "n", "("}, sees: "Target"},
		{name: "open", keys: []string{"open"}, sees: "Open"},
		{name: "open, searching", keys: []string{"open", "b", "o", "b"}, sees: "bob"},
		{name: "save as", keys: []string{"save-as"}, sees: "enter"},
		{name: "type", keys: []string{"knob.type", "l", "n", "("}, sees: "esc cancel"},
		{name: "confirm", keys: []string{"knob.up", "quit"}, sees: "Unsaved changes"},
	}...)
}

// mobility begins on a ledger of 51 lines, with a scenario that does not fit any more.
func mobility() setup {
	s, err := scenarios.Parse("trips", []byte("version: 1\nname: trips by hour\nunit: person-day\nbudget: {epsilon: 3, delta: 1e-6}\nstack:\n  - {mechanism: gaussian, sigma: 4, count: 12}\n"))
	if err != nil {
		panic(err)
	}
	return setup{ledger: "ledgerview/testdata/mobility.ledger", scenario: s}
}

// weak returns a scenario whose audit is planned in little time.
func weak() *scenarios.Scenario {
	s, err := scenarios.Parse("weak", []byte("version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 2}\n"))
	if err != nil {
		panic(err)
	}
	return s
}

// audited begins with such a scenario in the quick form.
func audited() setup {
	if gauge.All() {
		return setup{}
	}
	return setup{scenario: weak()}
}

// shuffled returns a training that other tools take for another.
func shuffled() *scenarios.Scenario {
	s, err := scenarios.LoadBundled("batches-shuffled")
	if err != nil {
		panic(err)
	}
	return s
}

// welcomed opens what a newcomer sees, with the real accountants.
func welcomed(t testing.TB, w, h int, s setup) *App {
	t.Helper()
	gauge.Sequential(t)
	if s.scenario == nil {
		var err error
		if s.scenario, err = scenarios.LoadBundled(welcome); err != nil {
			t.Fatal(err)
		}
		s.bundle = welcome
	}
	if s.accountant == nil {
		s.accountant = accountants()
	}
	if s.charts == nil {
		s.charts = rememberedCharts()
	}
	return start(t, w, h, s)
}

// open goes there.
func (s sight) open(t testing.TB, w, h int) *App {
	t.Helper()
	a := welcomed(t, w, h, s.set)
	for i, k := range s.keys {
		a.View() // as after every message: the crosshair goes where a chart was drawn
		if cmd := hit(a, k); !s.waiting || i < len(s.keys)-1 {
			drain(a, cmd)
		}
	}
	return a
}

// refused returns a scenario that cannot be evaluated.
func refused() *scenarios.Scenario {
	s := city()
	s.Stack[1].Mechanism = "no such mechanism"
	return s
}

// noiseless returns a scenario that is refused for a number. Its reason, unlike that of refused, does not list the
// catalogue.
func noiseless() *scenarios.Scenario {
	s := city()
	s.Stack[1].Values = param.Values{"sigma": param.NumberValue(0)}
	return s
}

// hostile returns a scenario whose every text is made to break a layout, as far as a file
// may hold it. (TestHostileTextStaysText tries what it may not.)
func hostile() *scenarios.Scenario {
	s := city()
	s.Name = "日本語の名前 gpj.exe"
	s.Unit = strings.Repeat("W", 200)
	s.Stack[0].Label = "👩‍👩‍👧‍👦🏳️‍🌈 e\u0301\u0302\u0303"
	s.Stack[1].Label = strings.Repeat("漢", 60)
	s.Stack[2].Label = "\u0301\u0301 ﷺ \u3000x"
	s.Stack[2].Values = param.Values{"epsilon": param.NumberValue(0.2), "candidates": param.CandidatesValue(
		param.Item{Name: "ﷺ日本\u200d", Value: 3}, param.Item{Name: strings.Repeat("x", 500), Value: 1})}
	return s
}
