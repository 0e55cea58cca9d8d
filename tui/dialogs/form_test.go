package dialogs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/stand"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
)

// opened returns the form of one Laplace entry, with a shell around it and nothing else.
func opened(t *testing.T) (*kit.Shell, *form) {
	t.Helper()
	s := scenarios.New()
	s.Stack = []scenarios.Entry{
		{Mechanism: "laplace", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.1)}},
	}
	sh := stand.Shell(t, s)
	EditEntry(sh)
	return sh, sh.Dialogs[0].(*form)
}

func TestFormKeepsAlternativesInStep(t *testing.T) {
	sh, f := opened(t)
	typed := func(s string) {
		for _, r := range s {
			f.HandleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
	}
	if !f.field("scale").derived || f.field("scale").Value() != "10" {
		t.Errorf("scale %q beside ε 0.1", f.field("scale").Value())
	}
	typed("0.5")
	if got := f.field("scale").Value(); got != "2" {
		t.Errorf("scale %q beside ε 0.5", got)
	}
	f.HandleKey(tea.KeyMsg{Type: tea.KeyTab})
	typed("4")
	if !f.field("epsilon").derived || f.field("epsilon").Value() != "0.25" {
		t.Errorf("ε %q beside scale 4", f.field("epsilon").Value())
	}
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	v := sh.Doc.Scenario().Stack[0].Values
	if len(sh.Dialogs) != 0 || v.Has("epsilon") || v["scale"].Number != 4 {
		t.Errorf("entry has %v", v)
	}
	sh.Doc.Undo()
	if sh.Doc.Dirty() {
		t.Error("a form is one step of undo")
	}
}

// A field that was emptied is given instead of nothing.
func TestFormWithAnEmptiedField(t *testing.T) {
	_, f := opened(t)
	f.HandleKey(tea.KeyMsg{Type: tea.KeyBackspace})
	view := kit.Plain(f.View(100, 30))
	if strings.Contains(view, "instead") || f.field("scale").Value() != "" {
		t.Errorf("without an ε it says\n%s", view)
	}
	if f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter}); f.err == nil || !strings.Contains(f.err.Error(), "epsilon or scale") {
		t.Errorf("it says %v", f.err)
	}
}

// An optional number of an entry may be left empty, filled in and emptied again; one that must be given may not.
func TestFormTakesAnEmptyOptionalNumberForNone(t *testing.T) {
	for _, c := range []struct {
		was, want float64
		key       tea.KeyMsg
	}{
		{0, 0, tea.KeyMsg{Type: tea.KeyBackspace}},
		{0, 7, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'7'}}},
		{3, 3, tea.KeyMsg{Type: tea.KeyRight}},
		{3, 0, tea.KeyMsg{Type: tea.KeyBackspace}},
	} {
		e := scenarios.Entry{Mechanism: "laplace", Count: 1, Sampling: 1, Typical: c.was}
		typical := number(scenarios.EntryField("typical"), "typical", "", "typical size of the answer; empty if it is not known", e.Typical)
		f := &entryForm{form: &form{}, own: []*formField{typical}}
		typical.Fresh = true
		typical.Take(c.key)
		if problem, err := typical.check(), f.fillOwn(&e); problem != "" || err != nil || e.Typical != c.want {
			t.Errorf("from %v, after %v: %v, want %v (%s, %v)", c.was, c.key, e.Typical, c.want, problem, err)
		}
	}
	sh, f := opened(t)
	f.focus(slices.Index(f.fields, f.field("count")))
	f.HandleKey(tea.KeyMsg{Type: tea.KeyBackspace})
	if f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter}); f.err == nil || sh.Doc.Scenario().Stack[0].Count != 1 {
		t.Errorf("a count may be left out: %v", f.err)
	}
}

// The first choice of an optional field of an entry means "not set", whatever word the form has for that; of a field
// that must be given it is a value.
func TestFormTakesTheFirstChoiceForNone(t *testing.T) {
	right := tea.KeyMsg{Type: tea.KeyRight}
	e := scenarios.Entry{Parallel: [][]scenarios.Entry{{}}, Count: 1, Moves: "never"}
	p := scenarios.EntryField("moves")
	moves := choice(p.Name, p.Help, e.Moves, "not known", "never")
	f := &entryForm{form: &form{}, own: []*formField{moves}}
	for _, want := range []string{"never", "", "never"} {
		if err := f.fillOwn(&e); err != nil || e.Moves != want {
			t.Errorf("at %q moves is %q, not %q: %v", moves.Value(), e.Moves, want, err)
		}
		moves.Take(right)
	}
	if choice("count", "", "1", "1", "2").isUnset() {
		t.Error("the first choice of a field that is not optional is no value")
	}
}

// A form that is opened and left by Enter changes nothing: every field that entries have of their own opens with the
// value that is stored.
func TestFormKeepsEveryFieldOfAnEntry(t *testing.T) {
	kinds := map[string]scenarios.Entry{
		"mechanism": {Mechanism: "pure", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.1)}},
		"block": {Count: 1, Sampling: 1, Parallel: [][]scenarios.Entry{
			{{Mechanism: "pure", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.1)}}}}},
	}
	for kind, e := range kinds {
		formOf := func(e scenarios.Entry) (*kit.Shell, *entryForm) {
			s := scenarios.New()
			s.Adjacency, s.Stack = mechanisms.Replace, []scenarios.Entry{e}
			sh := stand.Shell(t, s)
			row, _ := sh.Doc.SelectedRow()
			f := &entryForm{form: &form{Shell: sh}, around: sh.Doc.ScenarioFor(row)}
			f.show(row.Entry)
			return sh, f
		}
		_, shown := formOf(e)
		for _, fl := range shown.own {
			name, sample := fl.param.Name, "z"
			switch {
			case name == fieldAbsence: // a part of the claim
				continue
			case fl.param.Type.Numeric():
				sample = fmt.Sprint(2 * fl.param.Initial.Number)
			case fl.Choices != nil:
				sample = fl.Choices[len(fl.Choices)-1]
			}
			stored := e
			if err := stored.Set(name, sample); err != nil {
				t.Fatalf("%s: %s=%s: %v; a field of the form has the name of its row in rows.go", kind, name, sample, err)
			}
			sh, _ := formOf(stored)
			before := sh.Doc.Scenario()
			EditEntry(sh)
			sh.Dialogs[0].HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
			if after := sh.Doc.Scenario(); len(sh.Dialogs) != 0 || !after.Equal(before) {
				t.Errorf("%s: %s=%s is changed by a form that is opened and left by Enter: %v; its field must open with the value of the entry",
					kind, name, sample, scenarios.Changes(before, after))
			}
		}
	}
}

// What is filled in for the target is stored, and a target that is opened and left by Enter changes nothing.
func TestTargetStoresEveryRow(t *testing.T) {
	open := func(s *scenarios.Scenario) (*kit.Shell, *form) {
		sh := stand.Shell(t, s)
		Target(sh, "budget")
		return sh, sh.Dialogs[0].(*form)
	}
	_, shown := open(scenarios.New())
	for i, row := range shown.fields {
		name := row.param.Name
		if name == fieldHarm { // it asks for more
			continue
		}
		before := scenarios.New()
		sh, f := open(before)
		fl := f.fields[i]
		switch {
		case fl.Choices != nil:
			fl.Pick(fl.Choices[(fl.Choice+1)%len(fl.Choices)])
		case fl.param.Type.Numeric():
			fl.Input.SetValue(numeral.Format(2 * fl.param.Initial.Number))
		default:
			fl.Input.SetValue("z")
		}
		filled := fl.Value()
		f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
		stored := sh.Doc.Scenario()
		if len(sh.Dialogs) != 0 || stored.Equal(before) {
			t.Errorf("%s: %q is not stored (%v); what puts it into the scenario belongs to store", name, filled, f.err)
			continue
		}
		sh, f = open(stored)
		if got := f.fields[i].Value(); got != filled {
			t.Errorf("%s opens with %q, and %q is stored", name, got, filled)
		}
		f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
		if after := sh.Doc.Scenario(); len(sh.Dialogs) != 0 || !after.Equal(stored) {
			t.Errorf("%s: a target that is opened and left by Enter changes %v (%v)", name, scenarios.Changes(stored, after), f.err)
		}
	}
}

// What is wrong is said of the field, also of one without a symbol.
func TestFormNamesTheField(t *testing.T) {
	sh, _ := opened(t)
	Target(sh, "group")
	f := sh.Dialogs[1].(*form)
	f.HandleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'x'}})
	if view := kit.Plain(f.View(100, 30)); !strings.Contains(view, "group is not a number") {
		t.Errorf("it says\n%s", view)
	}
	if f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter}); f.err == nil || !strings.HasPrefix(f.err.Error(), "nothing was applied: group is not a number") {
		t.Errorf("it says %v", f.err)
	}
}

// What was not edited stays as it is, also where a field cannot show it: a candidate may have a
// comma or a line end in its name.
func TestFormKeepsWhatItCannotShow(t *testing.T) {
	s := scenarios.New()
	s.Stack = []scenarios.Entry{{Mechanism: "exponential", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(0.1),
		"candidates": param.CandidatesValue(param.Item{Name: "old town, east", Value: 5}, param.Item{Name: "line\nend", Value: 3})}}}
	sh := stand.Shell(t, s)
	EditEntry(sh)
	f := sh.Dialogs[0].(*form)
	for _, r := range "0.5" {
		f.HandleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	v := sh.Doc.Scenario().Stack[0].Values
	if names := v["candidates"].Items; v["epsilon"].Number != 0.5 || names[0].Name != "old town, east" || names[1].Name != "line\nend" {
		t.Errorf("%v, %v", v, f.err)
	}
}

func TestItemsReadBack(t *testing.T) {
	named := param.Param{Type: param.Scores, Named: true}
	for _, c := range []struct {
		p           param.Param
		typed, want string
	}{
		{named, "dark: 500, old town: 4e2", "dark: 500, old town: 400"},
		{param.Param{Type: param.Points}, "2: 0.1, 8: 1/2", "2: 0.1, 8: 0.5"},
		{param.Param{Type: param.Scores}, "3, 5", "3, 5"},
	} {
		v, err := parseItems(c.typed, c.p)
		if got := valueText(c.p, v); err != nil || got != c.want {
			t.Errorf("%q, %v", got, err)
		}
	}
	for _, bad := range []string{"dark", "dark: x", "5"} {
		if _, err := parseItems(bad, named); err == nil {
			t.Errorf("%q was read as candidates", bad)
		}
	}
}

// A list that is longer than the line of its field is taken whole.
func TestFormKeepsLongLists(t *testing.T) {
	e, err := scenarios.NewEntry("exponential")
	if err != nil {
		t.Fatal(err)
	}
	var items []param.Item
	for i := range 300 {
		items = append(items, param.Item{Name: fmt.Sprintf("candidate %d", i), Value: float64(i)})
	}
	e.Values = e.Values.Clone()
	e.Values["candidates"] = param.CandidatesValue(items...)
	s := scenarios.New()
	s.Stack = []scenarios.Entry{e}
	sh := stand.Shell(t, s)
	EditEntry(sh)
	sh.Dialogs[0].HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	if got := sh.Doc.Scenario().Stack[0].Values["candidates"].Items; len(sh.Dialogs) != 0 || len(got) != len(items) {
		t.Errorf("%d of %d candidates are left", len(got), len(items))
	}
}

// The target leaves a description alone that was not edited: its lines and its length.
func TestTargetKeepsTheDescription(t *testing.T) {
	s := scenarios.New()
	s.Description = strings.Repeat("Counts by district, every week.\n", 100)
	sh := stand.Shell(t, s)
	Target(sh, "budget")
	sh.Dialogs[0].HandleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("3")})
	sh.Dialogs[0].HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	if got := sh.Doc.Scenario(); got.Budget.Epsilon != 3 || got.Description != s.Description {
		t.Errorf("budget %g, a description of %d letters instead of %d", got.Budget.Epsilon, len(got.Description), len(s.Description))
	}
}

// The form of a selection has the fields of what it runs, and changes with it.
func TestFormOfASelection(t *testing.T) {
	s := scenarios.New()
	e, err := scenarios.NewEntry("select")
	if err != nil {
		t.Fatal(err)
	}
	s.Stack = []scenarios.Entry{e}
	sh := stand.Shell(t, s)
	EditEntry(sh)
	f := sh.Dialogs[0].(*form)
	if f.field("of.noise_multiplier") == nil || f.field("of.rho") != nil || f.field("sampling") != nil {
		t.Error("not the fields of a training")
	}
	f.field("label").Input.SetValue("tuning")
	f.HandleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("z")})
	rho := f.field("of.rho")
	if rho == nil || rho.label() != "rho" || f.field("of.noise_multiplier") != nil {
		t.Fatal("not the fields of zCDP")
	}
	rho.Input.SetValue("1/20")
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	got := sh.Doc.Scenario().Stack[0]
	if len(sh.Dialogs) != 0 || got.Values["of.mechanism"].Text != "zcdp" || got.Values["of.rho"].Number != 0.05 || got.Label != "tuning" {
		t.Errorf("%v; entry has %+v", f.err, got)
	}
}

// A form was filled from one state of one document, and changes nothing else: neither what
// came in the meantime nor another document.
func TestFormIsOfWhatItWasOpenedOver(t *testing.T) {
	for name, open := range map[string]func(*kit.Shell){"entry": EditEntry, "target": func(sh *kit.Shell) { Target(sh, "budget") }} {
		sh, _ := opened(t)
		sh.Pop()
		open(sh)
		if err := sh.Doc.Edit("noise to fit the budget", func(e *scenarios.Entry) { e.Count = 7 }); err != nil {
			t.Fatal(err)
		}
		sh.Dialogs[0].HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
		if sh.Doc.Scenario().Stack[0].Count != 7 || len(sh.Dialogs) != 1 {
			t.Errorf("%s: the form brought back what was replaced: %v", name, sh.Doc.Scenario().Stack[0].Count)
		}
		other := scenarios.New()
		sh.Doc = document.New(other)
		sh.Dialogs[0].HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
		if len(sh.Doc.Scenario().Stack) > 0 {
			t.Errorf("%s: the form put one document into another", name)
		}
	}
}

// Letters of the form of a selection are those of its words.
func TestLettersOfASelection(t *testing.T) {
	e, err := scenarios.NewEntry("exponential")
	if err != nil {
		t.Fatal(err)
	}
	s := scenarios.New()
	s.Stack = []scenarios.Entry{e}
	sh := stand.Shell(t, s)
	EditEntry(sh)
	view := kit.Plain(sh.Dialogs[0].View(120, 36))
	for _, want := range []string{"c   candidates", "s   scores"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is not in the form:\n%s", want, view)
		}
	}
}
