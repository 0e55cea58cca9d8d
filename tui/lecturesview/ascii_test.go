package lecturesview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"epsiloscope/teach/exercises"
	"epsiloscope/teach/lectures"
	"epsiloscope/teach/proofs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/theme"
)

// In ASCII every sign of the lectures has a spelling: a question mark that was not in the
// text would stand for one that has none.
func TestLecturesCanBeSpelled(t *testing.T) {
	mono, _ := theme.ByName("mono")
	pen := draw.NewPen(mono, lipgloss.DefaultRenderer(), true)
	spelled := func(s string) {
		t.Helper()
		if got := pen.Spell(s); strings.Count(got, "?") != strings.Count(s, "?") {
			t.Errorf("%q is spelled %q", s, got)
		}
	}
	for _, d := range lectures.Decks() {
		spelled(d.Author + d.Title + d.Place)
		for _, topic := range d.Topics {
			spelled(topic.Slides + topic.Concept + topic.Slip + topic.Correction)
			for _, x := range topic.Statements {
				spelled(x.Says)
			}
		}
	}
	for _, p := range proofs.All() {
		walk := p.WithNumbers(nil)
		spelled(p.Title + walk.Subject)
		for _, s := range walk.Steps {
			spelled(s.Says + s.Left.Formula + string(s.Relation) + s.Right.Formula)
		}
	}
	for _, e := range exercises.Library() {
		spelled(e.Question + e.Hint)
	}
	for s, want := range map[string]string{"4e⁻⁵ ≤ 10⁻¹¹·ε²": "4e^-5 <= 10^-11*eps^2", "a · b": "a - b", "‖x − y‖₁": "||x - y||_1", "½ + γ": "1/2 + gamma"} {
		if got := pen.Spell(s); got != want {
			t.Errorf("%q is spelled %q, want %q", s, got, want)
		}
	}
}
