package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
	"epsiloscope/tui/home"
)

// Charts in ASCII have no other signs, neither in their curves nor beside them, as they are and divided by the best
// bound.
func TestChartsInASCII(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range sizes[:gauge.Cases(1, 2)] {
		a := start(t, size[0], size[1], setup{
			scenario: s, ascii: true, accountant: accountants(), charts: rememberedCharts(),
		})
		for _, kind := range home.ChartKinds() {
			for range 2 {
				press(a, kind.Key, "chart.ratio")
				view := ansi.Strip(a.View())
				if i := strings.IndexFunc(view, func(r rune) bool { return r > 126 }); i >= 0 {
					t.Errorf("%d×%d, chart %s: %q\n%s", size[0], size[1], kind.Key, []rune(view[i:])[0], view)
				}
			}
		}
	}
}
