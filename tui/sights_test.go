package tui

import (
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/stand"
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
		{name: "marked", keys: []string{" ", " "}, sees: "2 marked"},
		{name: "grouped", keys: []string{" ", " ", "g"}, sees: "branches"},
		{name: "left out", keys: []string{"i"}, sees: "off"},
		{name: "pinned", keys: []string{"N", "N", "=", "8", "enter"}, sees: "pinned"},
		{name: "empty", keys: []string{"ctrl+n", "ctrl+n"}, sees: "Nothing is released yet"},
		{name: "many entries", sees: "of 1000", set: setup{scenario: long(1000), accountant: &fake{}, charts: fakeCharts()}},
		{name: "refused", sees: "cannot be evaluated", set: setup{scenario: refused()}},
		{name: "without noise", sees: "cannot be evaluated", set: setup{scenario: noiseless()}},
		{name: "hostile names", sees: "certified", set: setup{scenario: hostile()}},
		{name: "ascii", sees: "Stack", set: setup{theme: "mono", noColor: true, ascii: true}},
		{name: "computing", keys: []string{"+"}, sees: "computing", waiting: true},
		{name: "chart, computing", keys: []string{"1", "f", "+"}, sees: "computing", waiting: true},
		{name: "why, computing", keys: []string{"w", "+"}, sees: "ε 0.11 of ", waiting: true},
	}
	for _, c := range chartViews() {
		all = append(all, sight{name: "chart " + c.name, keys: c.keys, sees: c.tab},
			sight{name: "chart " + c.name + " alone", keys: append(slices.Clone(c.keys), "f"), sees: c.tab})
	}
	return append(all, []sight{
		{name: "crosshair", keys: []string{"1", "f", "f", "right", "right", "z"}, sees: "basic"},
		{name: "audit", keys: []string{"!"}, sees: "What an attack shows", set: audited()},
		{name: "audit, counts", keys: []string{"!", "e"}, sees: "Counts of an attack", set: audited()},
		{name: "why", keys: []string{"w"}, sees: "Why"},
		{name: "why, scrolled", keys: []string{"w", "end"}, sees: "Why"},
		{name: "plan", keys: []string{"p"}, sees: "Plan"},
		{name: "plan, divide", keys: []string{"p", "tab", " ", "down"}, sees: "locked"},
		{name: "plan, each entry", keys: []string{"p", "tab", "tab"}, sees: "Plan"},
		{name: "plan, typing", keys: []string{"p", "r", "1", "0"}, sees: "enter apply"},
		{name: "person", keys: []string{"m"}, sees: "What it means for a person"},
		{name: "person, typing", keys: []string{"m", "r", "1", "/"}, sees: "esc cancel"},
		{profiled: true, name: "statement", keys: []string{"E"}, sees: "What may be quoted"},
		{profiled: true, name: "statement, LaTeX", keys: []string{"E", "f", "f"}, sees: "What may be quoted: latex"},
		{profiled: true, name: "statement, JSON", keys: []string{"E", "h"}, sees: "What may be quoted: json"},
		{name: "differences", keys: []string{"+", "D"}, sees: "iffer"},
		{name: "differences, choosing", keys: []string{"D", "c", "b", "o"}, sees: "enter compare"},
		{name: "others", keys: []string{"O"}, sees: "too small", set: setup{scenario: shuffled()}},
		{name: "others, no training", keys: []string{"O"}, sees: "compared on trainings only"},
		{name: "lectures", keys: []string{"L"}, sees: "Lectures"},
		{name: "lectures, filtered", keys: []string{"L", "/", "n", "o", "i", "s", "e"}, sees: "noise"},
		{name: "proofs", keys: []string{"Q"}, sees: "Proof 1 of"},
		{name: "proofs, all of one", keys: []string{"Q", "tab", "tab", "a"}, sees: "That is all of it"},
		{name: "exercises", keys: []string{"X"}, sees: "Exercise 1 of"},
		{name: "exercises, hint", keys: []string{"X", "h"}, sees: "Hint:"},
		{name: "exercises, typing", keys: []string{"X", "enter", "1", "/"}, sees: "esc leave the answer"},
		{name: "labs", keys: []string{"b"}, sees: "Labs"},
		{name: "labs, run", keys: []string{"b", "enter"}, sees: "Labs"},
		{name: "labs, typing", keys: []string{"b", "tab", "e", "1", "x"}, sees: "esc cancel"},
		{name: "ledger, none", keys: []string{"$"}, sees: "None is open"},
		{name: "ledger, choosing", keys: []string{"$", "f", "x"}, sees: "type a path"},
		{name: "ledger", sees: "odometer", set: mobility()},
		{name: "ledger, scrolled", keys: []string{"end"}, sees: "promise made", set: mobility()},
		{name: "ledger, filtered", keys: []string{"/", "a", "d", "s"}, sees: "27 in all", set: mobility()},
		{name: "ledger, record", keys: []string{"down", "enter"}, sees: "This record alone", set: mobility()},
		{name: "ledger, asked", keys: []string{"a"}, sees: "The largest that fits", set: mobility()},
		{name: "ledger, why", keys: []string{"w"}, sees: "Why the zCDP filter is a filter", set: mobility()},
		{name: "ledger, blocks", keys: []string{"b"}, sees: "no blocks", set: mobility()},
		{name: "ledger, naming", keys: []string{"e", "x"}, sees: "Who asks", set: mobility()},
		{name: "help", keys: []string{"?"}, sees: "Keys"},
		{name: "help, scrolled", keys: []string{"?", "pgdown"}, sees: "esc"},
		{name: "what if, nothing pinned", keys: []string{"v"}, sees: "Nothing is pinned"},
		{name: "what if", keys: []string{"V", "+", "V", "+", "v"}, sees: "A to now"},
		{name: "what if, map", keys: []string{"v", "tab", "right", "down"}, sees: ", the budget", set: setup{accountant: &fake{}}}, // of 325 places
		{name: "new plan", keys: []string{"ctrl+n"}, sees: "What will be released?"},
		{name: "new plan, wrong", keys: []string{"ctrl+n", "tab", "x"}, sees: "waiting for an answer"},
		{name: "new plan, built", keys: []string{"ctrl+n", "m", "tab", "6", "0", "tab", "2", "5", "6", "tab", "p", "tab", "tab", "6", "0", "0", "0", "0"}, sees: "enter accept"},
		{name: "export", keys: []string{"W"}, sees: "write the chart as a picture"},
		{name: "export, no chart", keys: []string{"w", "W"}, sees: "one HTML page"},
		{name: "palette", keys: []string{":"}, sees: "Commands"},
		{name: "palette, searching", keys: []string{":", "t", "h", "e", "m"}, sees: "heme"},
		{name: "tour", keys: []string{":", "t", "o", "u", "r", "enter"}, sees: "Tour 1/"},
		{name: "tour, later", keys: []string{":", "t", "o", "u", "r", "enter", ">", ">", ">"}, sees: "Tour 4/"},
		{name: "catalogue", keys: []string{"a"}, sees: "Add"},
		{name: "catalogue, searching", keys: []string{"a", "g", "a", "u"}, sees: "Gaussian"},
		{name: "catalogue, counted", keys: []string{"a", "c", "1", "0"}, sees: "10"},
		{name: "form", keys: []string{"enter"}, sees: "esc"},
		{name: "form, wrong", keys: []string{"enter", "tab", "-", "1", "tab"}, sees: "esc"},
		{name: "form, candidates", keys: []string{"end", "enter", "end"}, sees: "esc"},
		{name: "target", keys: []string{"t"}, sees: "Target"},
		{name: "target, typing", keys: []string{"t", "l", "n", "("}, sees: "Target"},
		{name: "open", keys: []string{"o"}, sees: "Open"},
		{name: "open, searching", keys: []string{"o", "b", "o", "b"}, sees: "bob"},
		{name: "save as", keys: []string{"S"}, sees: "enter"},
		{name: "type", keys: []string{"=", "l", "n", "("}, sees: "esc cancel"},
		{name: "confirm", keys: []string{"+", "q"}, sees: "Unsaved changes"},
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
		if _, cmd := a.Update(stand.Key(k)); !s.waiting || i < len(s.keys)-1 {
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
