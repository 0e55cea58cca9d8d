package dialogs

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/internal/stand"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/query"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
)

// The form asks what is released, shows Δ with its reason, keeps what was typed for another kind, and writes the query
// into the entry. A Δ that is typed counts instead.
func TestFormAsksForTheQuery(t *testing.T) {
	sh, f := opened(t)
	if f.fields[0].param.Name != fieldAsked || f.fields[f.at].param.Name != "epsilon" {
		t.Fatalf("the form starts with %s, at %s", f.fields[0].param.Name, f.fields[f.at].param.Name)
	}
	fill := func(name, text string) {
		f.focus(slices.Index(f.fields, f.field(name)))
		for _, r := range text {
			f.HandleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
	}
	pick := func(kind string) {
		f.focus(0)
		for range 10 {
			if f.fields[0].Value() == kind {
				return
			}
			f.HandleKey(tea.KeyMsg{Type: tea.KeyRight})
		}
		t.Fatalf("%s cannot be chosen", kind)
	}
	pick(query.Histogram)
	fill("query.max_groups", "3")
	fill("query.per_group", "5")
	if fl := f.field("sensitivity"); !fl.derived || fl.Value() != "15" || f.field("scale").Value() != "150" {
		t.Errorf("Δ %q, scale %q", fl.Value(), f.field("scale").Value())
	}
	if text := kit.Plain(f.View(100, 40)); !strings.Contains(text, "Δ₁ = 15: up to 3 groups of 5, one person added or removed") ||
		!strings.Contains(text, "so the noise must") {
		t.Errorf("the form says\n%s", text)
	}
	pick(query.Sums)
	if f.field("query.max_groups").Value() != "3" {
		t.Error("the number of groups is lost with the kind")
	}
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	if len(sh.Dialogs) != 1 || f.err == nil || !strings.Contains(f.err.Error(), "clip") || f.fields[f.at].param.Name != "query.clip" {
		t.Fatalf("sums without a clip: %v at %s", f.err, f.fields[f.at].param.Name)
	}
	fill("query.clip", "[-1, 2]")
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	e := sh.Doc.Scenario().Stack[0]
	want := query.Query{
		Kind: query.Sums, Clip: query.Clip{Form: query.ClipRange, Low: -1, High: 2}, MaxGroups: 3, PerGroup: 5,
	}
	if len(sh.Dialogs) != 0 || e.Query != want || e.Values.Has("sensitivity") {
		t.Errorf("the entry asks %+v with %v; %v", e.Query, e.Values, f.err)
	}
	EditEntry(sh)
	f = sh.Dialogs[0].(*form)
	fill("sensitivity", "31")
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	if e := sh.Doc.Scenario().Stack[0]; e.Values["sensitivity"].Number != 31 || e.Query != want {
		t.Errorf("typed: %v, %+v", e.Values, e.Query)
	}
	EditEntry(sh)
	f = sh.Dialogs[0].(*form)
	if fl := f.field("sensitivity"); fl.derived || fl.Value() != "31" {
		t.Errorf("a stated Δ is shown as %q", fl.Value())
	}
	pick(unasked)
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	if e := sh.Doc.Scenario().Stack[0]; e.Query.IsSet() {
		t.Errorf("no longer asked: %+v", e.Query)
	}
}

// Under replace a Δ that follows from a query changes by itself: nothing is asked, and scores with a query are no
// longer monotone.
func TestSwitchingToReplaceDerivesDelta(t *testing.T) {
	s := scenarios.New()
	histogram := query.Query{Kind: query.Histogram, MaxGroups: 3, PerGroup: 5}
	s.Stack = []scenarios.Entry{
		{Mechanism: "laplace", Count: 1, Sampling: 1, Query: histogram, Values: param.Values{"scale": param.NumberValue(100)}},
		{Mechanism: "exponential", Count: 1, Sampling: 1, Query: histogram, Values: param.Values{"epsilon": param.NumberValue(1), "monotone": param.FlagValue(true)}},
	}
	sh := stand.Shell(t, s)
	Target(sh, "adjacency")
	f := sh.Dialogs[0].(*form)
	f.field("adjacency").Pick(string(mechanisms.Replace))
	f.HandleKey(tea.KeyMsg{Type: tea.KeyEnter})
	now := sh.Doc.Scenario()
	if len(sh.Dialogs) != 0 || now.Adjacency != mechanisms.Replace || now.Stack[1].Values["monotone"].Flag {
		t.Fatalf("%d dialogs, %s, %v, %v", len(sh.Dialogs), now.Adjacency, now.Stack[1].Values, f.err)
	}
	if d, err := now.Sensitivity(&now.Stack[0]); err != nil || d.Value != 30 {
		t.Errorf("%+v, %v", d, err)
	}
	if err := now.Validate(); err != nil {
		t.Error(err)
	}
}
