package tour

import (
	"strings"
	"testing"

	"epsiloscope/tui/text"
)

// stage is an explorer that has every screen.
type stage struct{ Stage }

func (stage) Key(string) string { return "x" }

var everyScreen = &Tour{stage: stage{}}

// The texts are short enough for the strip to leave the screen its room, and every
// symbol they use has been explained at that step or before.
func TestTourTexts(t *testing.T) {
	explained := ""
	for _, s := range Steps {
		if n := len(text.Wrap(s.Idea, 56)); n > 2 {
			t.Errorf("%s: the idea takes %d lines of 56", s.Title, n)
		}
		for _, try := range []string{s.Try, everyScreen.tryText(s)} {
			if w := text.Width(try); w > 76 {
				t.Errorf("%s: what to press takes %d cells", s.Title, w)
			}
		}
		explained += s.Idea + s.Try
		for _, symbol := range []string{"ε", "δ", "α", "ρ"} {
			if strings.Contains(s.Idea+s.Try, symbol) && !strings.Contains(explained, map[string]string{
				"ε": "ε is its price", "δ": "δ is the chance", "α": "α says how much", "ρ": "one number for all α: ρ"}[symbol]) {
				t.Errorf("%s: %s has not been explained yet", s.Title, symbol)
			}
		}
	}
}
