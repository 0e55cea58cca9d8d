package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/internal/stand"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/tui/home"
	"epsiloscope/tui/layout"
)

var sizes = [][2]int{{80, 24}, {120, 36}, {200, 55}}

// looks are the three ways a screen is drawn: two backgrounds, and no colour.
var looks = map[string]setup{"dark": {theme: "dark"}, "light": {theme: "light"}, "no-color": {theme: "mono", noColor: true}}

// Home with each chart, byte by byte, as the real accountants fill them. What is compared is what
// is shown: four digits, and curves to half a dot, neither of which depends on the machine's last
// bits. They are compared without colour at three sizes, in colour once per chart, and on a light background
// once: it says the same in the same places as on a dark one.
func TestGoldenScreens(t *testing.T) {
	views := append([]chartView{{name: "home"}}, chartViews()...)
	for _, size := range sizes {
		for i, c := range views {
			show := func(t *testing.T, look string) string {
				a := welcomed(t, size[0], size[1], picture(looks[look]))
				press(a, c.keys...)
				return settled(t, a)
			}
			place := fmt.Sprintf("%dx%d-%s", size[0], size[1], c.name)
			if i > 0 {
				place = fmt.Sprintf("%dx%d-chart%s", size[0], size[1], c.name)
			}
			t.Run("no-color-"+place, func(t *testing.T) { golden.RequireEqual(t, []byte(show(t, "no-color"))) })
			if size == sizes[1] || gauge.All() {
				dark, light := show(t, "dark"), show(t, "light")
				if ansi.Strip(dark) != ansi.Strip(light) {
					t.Errorf("%s: on a dark background it says\n%s\nand on a light one\n%s", place, ansi.Strip(dark), ansi.Strip(light))
				}
				if size == sizes[1] {
					t.Run("dark-"+place, func(t *testing.T) { golden.RequireEqual(t, []byte(dark)) })
				}
				if size == sizes[1] && i == 0 {
					t.Run("light-"+place, func(t *testing.T) { golden.RequireEqual(t, []byte(light)) })
				}
			}
		}
	}
}

// picture returns a setup whose screens show the theorems of this list alone, so that one more
// changes one golden file, that of [TestGoldenASCII], and not all of them.
func picture(s setup) setup {
	s.accountant, s.charts = framed{accountants()}, slices.Clone(rememberedCharts())
	for i, k := range s.charts {
		s.charts[i].Build = func(ctx context.Context, ask home.ChartAsk) (chart.Chart, error) {
			c, err := k.Build(ctx, ask)
			other := func(s chart.Series) bool { return !isPictured(accounting.Method(s.Name)) }
			c.Series = slices.DeleteFunc(slices.Clone(c.Series), other)
			return c, err
		}
	}
	return s
}

var picturedTheorems = []accounting.Method{
	accounting.Basic, accounting.Advanced, accounting.AdvancedKOV, accounting.Optimal,
	accounting.RDP, accounting.RDPPinned, accounting.RDPClassic,
	accounting.ZCDP, accounting.ZCDPClassic, accounting.GDP, accounting.Numerical,
}

// isPictured reports whether golden files show a theorem; what is no theorem is always shown.
func isPictured(m accounting.Method) bool {
	_, theorem := accounting.TheoremOf(m)
	return !theorem || slices.Contains(picturedTheorems, m)
}

// framed are the real accountants without the theorems that golden files do not show.
type framed struct{ *stand.Remembered }

func (f framed) Evaluate(ctx context.Context, s *scenarios.Scenario, opt scenarios.Options) (*scenarios.Result, error) {
	r, err := f.Remembered.Evaluate(ctx, s, opt)
	return pictured(r), err
}

func (f framed) Refine(
	ctx context.Context, s *scenarios.Scenario, opt scenarios.Options, yield func(*scenarios.Result) bool,
) error {
	return f.Remembered.Refine(ctx, s, opt, func(r *scenarios.Result) bool { return yield(pictured(r)) })
}

func pictured(r *scenarios.Result) *scenarios.Result {
	if r == nil {
		return nil
	}
	some := *r
	other := func(b accounting.Bound) bool { return !isPictured(b.Method) }
	some.Bounds = slices.DeleteFunc(slices.Clone(r.Bounds), other)
	some.Best = accounting.Best(some.Bounds)
	return &some
}

// settled returns the view of an explorer that waits for nothing any more.
func settled(t *testing.T, a *App) string {
	t.Helper()
	if _, fresh, _ := a.home.NewestChart(); a.Pending || !fresh && a.home.Lay.Slots[layout.Chart].Visible() {
		t.Fatal("answers are outstanding")
	}
	return a.View()
}

// The dialogs and screens over home, once each. (The list of files to open is the
// library's own affair; the labs have their own.)
func TestGoldenSights(t *testing.T) {
	names := []string{
		"home, bounds focused", "marked", "grouped", "left out", "pinned", "empty", "without noise", "hostile names", "crosshair",
		"chart 1 alone", "why", "plan", "plan, divide", "person", "statement", "differences", "help", "palette", "tour",
		"catalogue, counted", "form", "form, wrong", "target", "save as", "type", "confirm",
	}
	for _, s := range sights() {
		if !slices.Contains(names, s.name) {
			continue
		}
		s.set = picture(s.set)
		s.set.theme, s.set.noColor = "mono", true
		t.Run(strings.ReplaceAll(s.name, ", ", "-"), func(t *testing.T) {
			golden.RequireEqual(t, []byte(settled(t, s.open(t, 120, 36))))
		})
	}
}

// The screen of a review at two sizes: the points and the explanation below each other, and side by side.
func TestGoldenReview(t *testing.T) {
	for _, size := range sizes[:2] {
		for _, name := range []string{welcome, "training-plan"} { // the second has another ε for another answer
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				set := picture(looks["no-color"])
				s, err := scenarios.LoadBundled(name)
				if err != nil {
					t.Fatal(err)
				}
				set.scenario, set.bundle = s, name
				a := welcomed(t, size[0], size[1], set)
				press(a, "screen.review")
				golden.RequireEqual(t, []byte(settled(t, a)))
			})
		}
	}
}

// The screen on a ledger at three sizes as text, once in colour, and its pages once each.
func TestGoldenLedger(t *testing.T) {
	for _, size := range sizes {
		for _, look := range []string{"no-color", "dark"} {
			if look == "dark" && size != sizes[1] {
				continue
			}
			t.Run(fmt.Sprintf("%s-%dx%d", look, size[0], size[1]), func(t *testing.T) {
				m := mobility()
				m.theme, m.noColor = looks[look].theme, looks[look].noColor
				golden.RequireEqual(t, []byte(settled(t, welcomed(t, size[0], size[1], m))))
			})
		}
	}
	for _, s := range sights() {
		if !strings.HasPrefix(s.name, "ledger, ") {
			continue
		}
		s.set = picture(s.set)
		s.set.theme, s.set.noColor = "mono", true
		t.Run(strings.TrimPrefix(s.name, "ledger, "), func(t *testing.T) {
			golden.RequireEqual(t, []byte(settled(t, s.open(t, 120, 36))))
		})
	}
}

// Home in ASCII, with every theorem there is.
func TestGoldenASCII(t *testing.T) {
	a := welcomed(t, 120, 36, setup{theme: "mono", noColor: true, ascii: true})
	view := settled(t, a)
	for i, r := range view {
		if r >= 0x80 {
			t.Errorf("%q at byte %d: ASCII was asked for", r, i)
			break
		}
	}
	golden.RequireEqual(t, []byte(view))
}
