package start

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/internal/stand"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
)

// blank is the screen behind the dialog.
type blank struct{ kit.Base }

func (b *blank) View(bool) []string { return make([]string, b.H) }

// asked is a dialog that stands, with what came of it.
type asked struct {
	*stand.Stand
	d     *Dialog
	took  *scenarios.Scenario
	empty bool
}

func open(t *testing.T) *asked {
	sh := stand.Shell(t, scenarios.New())
	a := &asked{}
	take := func(s *scenarios.Scenario) tea.Cmd { a.took = s; return nil }
	a.d = New(sh, take, func() tea.Cmd { a.empty = true; return nil })
	a.Stand = stand.New(t, sh, &blank{kit.Base{Shell: sh}}, 120, 36)
	a.Run(a.d.Open())
	return a
}

// sees returns the dialog as it stands at a size.
func (a *asked) sees(w, h int) string { return ansi.Strip(strings.Join(a.d.View(w, h), "\n")) }

// Each kind has its own questions and leads to its own mechanism.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		kind      string
		asks      string
		not       string
		keys      []string // after the letter of the kind
		mechanism string
		adjacency mechanisms.Adjacency
	}{
		{"c", "Counts one person is in?", "How many epochs?", []string{"tab", "tab", "tab", "tab", "5", "0", "0", "0"}, "laplace", mechanisms.AddRemove},
		{"t", "Most one person adds?", "How many epochs?", []string{"tab", "tab", "tab", "8", "tab", "5", "0", "0", "0"}, "laplace", mechanisms.AddRemove},
		{"o", "Among how many options?", "How exact", []string{"tab", "tab", "4", "tab", "5", "0", "0", "0"}, "exponential", mechanisms.AddRemove},
		{"s", "How many answers?", "How exact", []string{"tab", "tab", "2", "tab", "5", "0", "0", "0"}, "randomized-response", mechanisms.Replace},
		{"m", "How many epochs?", "How exact", []string{"tab", "2", "tab", "2", "5", "6", "tab", "p", "tab", "2", "tab", "6", "0", "0", "0", "0"}, "dp-sgd", mechanisms.AddRemove},
	} {
		a := open(t)
		a.Press(c.kind)
		if view := a.sees(120, 36); !strings.Contains(view, c.asks) || strings.Contains(view, c.not) {
			t.Errorf("%s asks:\n%s", c.kind, view)
		}
		if a.Press(c.keys...); !strings.Contains(a.sees(120, 36), "enter accept") {
			t.Errorf("%s: there is no plan:\n%s", c.kind, a.sees(120, 36))
		}
		a.Press("enter")
		if a.took == nil || len(a.took.Stack) != 1 || a.took.Adjacency != c.adjacency {
			t.Errorf("%s leads to %+v", c.kind, a.took)
			continue
		}
		if got := a.took.Stack[0].Mechanism; got != c.mechanism {
			t.Errorf("%s leads to %s", c.kind, got)
		}
	}
}

// Shuffled batches are not supported if people come and go: that answer is set with them, which is said, and back
// without them.
func TestShuffledBatchesSetTheAdjacency(t *testing.T) {
	a := open(t)
	a.Press("m", "tab", "2", "tab", "2", "5", "6", "tab", "s")
	if got := a.d.whole["adjacency"].Value(); got != comings[2] || !strings.Contains(a.sees(120, 36), "Shuffled batches are not supported") {
		t.Errorf("%q:\n%s", got, a.sees(120, 36))
	}
	a.Press("p")
	if got := a.d.whole["adjacency"].Value(); got != comings[0] || strings.Contains(a.sees(120, 36), "Shuffled batches are not supported") {
		t.Errorf("%q:\n%s", got, a.sees(120, 36))
	}
}

// Another key gives the release another mechanism where more than one serves.
func TestMechanismIsChosen(t *testing.T) {
	a := open(t)
	a.Press("tab", "tab", "tab", "tab", "5", "0", "0", "0")
	before := a.d.plan.Scenario.Stack[0].Mechanism
	other := a.d.otherMechanism()
	if !strings.Contains(a.sees(120, 36), "ctrl+t "+other) {
		t.Errorf("%s is not offered:\n%s", other, a.sees(120, 36))
	}
	if a.Press("ctrl+t"); a.d.plan.Scenario.Stack[0].Mechanism != other || other == before {
		t.Errorf("%s instead of %s gives %s", other, before, a.d.plan.Scenario.Stack[0].Mechanism)
	}
}

// What cannot be taken is said beside its question, and enter goes there instead of accepting anything.
func TestWrongAnswer(t *testing.T) {
	a := open(t)
	a.Press("tab", "x")
	if view := a.sees(120, 36); !strings.Contains(view, "How often? The answer ") || strings.Contains(view, "enter accept") {
		t.Errorf("%s", view)
	}
	if a.Press("down", "enter"); a.took != nil || questions[a.d.at].name != "times" {
		t.Errorf("enter goes to %q and takes %v", questions[a.d.at].name, a.took)
	}
}

// Releases are added and dropped; leaving keeps the answers, clearing takes them back, and the empty plan needs none.
func TestReleasesAndLeaving(t *testing.T) {
	a := open(t)
	a.Press("t", "ctrl+a", "o")
	if kinds := []string{a.d.releases[0].kind(), a.d.releases[1].kind()}; !slices.Equal(kinds, []string{"totals", "a choice"}) {
		t.Errorf("%q", kinds)
	}
	if a.Press("ctrl+x"); len(a.d.releases) != 1 {
		t.Errorf("%d releases", len(a.d.releases))
	}
	a.Press("esc")
	if len(a.d.Dialogs) != 0 || !strings.Contains(a.d.Status.Text, "kept") {
		t.Errorf("%d dialogs, %q", len(a.d.Dialogs), a.d.Status.Text)
	}
	a.Run(a.d.Open())
	if a.d.releases[0].kind() != "totals" {
		t.Errorf("what was answered is %q", a.d.releases[0].kind())
	}
	if a.Press("ctrl+x"); a.d.releases[0].kind() != "counts" || a.d.edited {
		t.Errorf("cleared it is %q", a.d.releases[0].kind())
	}
	if a.Press("ctrl+n"); !a.empty || len(a.d.Dialogs) != 0 {
		t.Error("there is no way to an empty plan")
	}
}
