package tui

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/home"
	"epsiloscope/tui/theme"
)

// A chart that does not apply says what it needs and how to leave it, and its own key leads back to
// what was shown before.
func TestAChartThatDoesNotApplyLeadsBack(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		for _, key := range []string{"5", "8"} {
			a := explorer(t, "dark", "laplace-count", size[0], size[1])
			press(a, "chart.4")
			if view := plainView(a); !strings.Contains(view, "■ on D") {
				t.Fatalf("no noise:\n%s", view)
			}
			press(a, key)
			for _, want := range []string{"It needs a choice among candidates", key + " back"} {
				if view := plainView(a); !strings.Contains(view, want) {
					t.Errorf("%v: no %q:\n%s", size, want, view)
				}
			}
			press(a, key)
			if view := plainView(a); !strings.Contains(view, "■ on D") {
				t.Errorf("%v: %s does not lead back:\n%s", size, key, view)
			}
		}
	}
}

// Whatever a key changes beside a full-screen chart is on the screen: the entry and the knobs.
func TestAFullChartShowsWhatKeysChange(t *testing.T) {
	a := explorer(t, "dark", "welcome", 120, 36)
	press(a, "chart.full")
	if view := plainView(a); !strings.Contains(view, "counts by district: ▸ ε 0.1") {
		t.Errorf("the entry and its knob are not shown:\n%s", view)
	}
	press(a, "down")
	if view := plainView(a); !strings.Contains(view, "totals by hour: ▸ σ 40") {
		t.Errorf("the selection moved unseen:\n%s", view)
	}
}

// The crossing of basic and advanced composition is seen at once, on linear axes from 0; & leads to logarithmic axes
// and back, % to the ratio to the best bound and back.
func TestTheCrossingIsSeenAtOnce(t *testing.T) {
	a := explorer(t, "dark", "adv-vs-basic-small", 120, 36)
	press(a, "chart.full")
	for _, step := range []struct{ key, want string }{
		{"", "& log"}, {"&", "& linear"}, {"&", "& log"}, {"%", "% ε"}, {"%", "% ε ÷ best"}, {"&", "& linear"}, {"%", "% ε"}, {"%", "& log"},
	} {
		if step.key != "" {
			press(a, step.key)
		}
		view := plainView(a)
		if !strings.Contains(view, step.want) || !strings.Contains(view, "◉") ||
			step.key == "" && !strings.Contains(view, ": advanced beats basic") {
			t.Errorf("after %q no %q, no ring or no words beside it:\n%s", step.key, step.want, view)
		}
	}
}

// The ratio to the best bound belongs to ε against a count: a Rényi curve divided by itself would be a flat line.
func TestTheRatioIsNotOfTheRenyiCurve(t *testing.T) {
	a := explorer(t, "dark", "adv-vs-basic-small", 120, 36)
	press(a, "chart.ratio", "chart.ratio", "chart.ratio", "chart.2")
	if view := plainView(a); strings.Contains(view, "÷ best ") || !strings.Contains(view, "best α") {
		t.Errorf("%s", view)
	}
}

// NO_COLOR leaves out colours and keeps bold, by which keys are told from their labels.
func TestNoColourKeepsBold(t *testing.T) {
	r := lipgloss.NewRenderer(nil)
	if boldOnly("dumb") != termenv.Ascii || boldOnly("") != termenv.Ascii {
		t.Error("a terminal without capabilities gets escape sequences")
	}
	r.SetColorProfile(boldOnly("xterm"))
	mono, _ := theme.ByName(theme.Mono)
	p := draw.NewPen(mono, r, false)
	if key, label := p.Key.Render("x"), p.Muted.Render("x"); key != "\x1b[1mx\x1b[0m" || label != "x" {
		t.Errorf("a key is %q, a label %q", key, label)
	}
	a := explorer(t, "dark", "welcome", 80, 24)
	a.opt.noColour, a.opt.renderer = true, r
	a.setTheme(mono)
	if press(a, "next-theme"); strings.Contains(a.View(), "\x1b[38") {
		t.Error("another theme brings colours back")
	}
}

// A chart has the heading of its kind in the explorer too, unless it is a view of a kind or shows several.
func TestChartsHaveTheHeadingOfTheirKind(t *testing.T) {
	for _, k := range home.ChartKinds() {
		if k.Name != "variance" && k.Name != "utility" && k.Title != k.Of.Heading() {
			t.Errorf("chart %s is called %q, and its kind %q", k.Key, k.Title, k.Of.Heading())
		}
	}
}

// Where the entry drawn is not the selected one, its name leaves room for that of the chart.
func TestTheChartKeepsItsNameBesideTheTabs(t *testing.T) {
	s, err := scenarios.LoadBundled(welcome)
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, 120, 36, setup{scenario: s, accountant: accountants(), charts: rememberedCharts()})
	titles := map[string]string{"chart.5": "Utility · favourite route", "chart.8": "Bad choice · favourite route"}
	for key, title := range titles {
		if press(a, key); !onScreen(a, title) {
			t.Errorf("%s is not called %q:\n%s", key, title, a.View())
		}
	}
}

// Where names of charts are shortened, only as many are as must be: "6 f" says nothing.
func TestTabsAreShortenedOneByOne(t *testing.T) {
	a := start(t, 80, 24, setup{theme: "mono", noColor: true, ascii: true})
	if press(a, "chart.6"); !onScreen(a, "6 trade 7 so far 8 bad 9 loss") {
		t.Errorf("names are shortened that have room:\n%s", a.View())
	}
}

// Without colours the advantage of an attacker is shaded too, and guessing stays a line.
func TestTheAdvantageIsShadedWithoutColours(t *testing.T) {
	for _, s := range []setup{{noColor: true}, {theme: "mono", noColor: true, ascii: true}} {
		bundled, err := scenarios.LoadBundled(welcome)
		if err != nil {
			t.Fatal(err)
		}
		s.scenario, s.accountant, s.charts = bundled, accountants(), rememberedCharts()
		a := start(t, 200, 55, s)
		press(a, "chart.6")
		if shade := a.Pen.Glyphs.Hatch[2]; !onScreen(a, strings.Repeat(string(shade), 2)) {
			t.Errorf("no %c:\n%s", shade, a.View())
		}
	}
}

// The library is headed by its groups: they are not said again at the end of every row, but where a search
// takes the headings away.
func TestTheLibrarySaysAGroupOnce(t *testing.T) {
	a := start(t, 80, 24, setup{})
	if press(a, "open"); !onScreen(a, "A hundred counts, where everything differs") {
		t.Errorf("a title is cut for its group:\n%s", a.View())
	}
	if press(a, "b", "o", "b"); !onScreen(a, "lectures") {
		t.Errorf("what was found does not say its group:\n%s", a.View())
	}
}

// A stack of one entry has the titles of its columns where a row is free.
func TestAShortStackHasTitles(t *testing.T) {
	s, err := scenarios.LoadBundled("coin-survey")
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, 120, 36, setup{scenario: s, accountant: accountants(), charts: rememberedCharts()})
	if !onScreen(a, "×K share") {
		t.Errorf("no titles above one entry and two blank rows:\n%s", a.View())
	}
}

// One number is rounded one way: the place at which the profile is read is the answer, as it is marked there.
func TestTheProfileIsReadAtTheAnswer(t *testing.T) {
	s, err := scenarios.LoadBundled(welcome)
	if err != nil {
		t.Fatal(err)
	}
	s.Stack[0].Values["epsilon"] = param.NumberValue(0.13)
	a := start(t, 120, 36, setup{scenario: s, accountant: accountants(), charts: rememberedCharts()})
	for key, words := range map[string]string{"chart.3": "δ at ε = 2.824", "chart.9": "at L = 2.824"} {
		if press(a, key); !onScreen(a, words) {
			t.Errorf("%s does not say %q:\n%s", key, words, a.View())
		}
	}
}

// Noise that has no other shape to compare with at equal variance has no view of it: its key does not draw the same
// again, and shows all other charts that share it.
func TestOneViewOfNoiseWithoutARival(t *testing.T) {
	for name, hasRival := range map[string]bool{"dp-sgd": false, "coin-survey": false, welcome: true} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		var sharing, views []string
		for _, k := range home.ChartKinds() {
			if k.Key != "4" {
				continue
			}
			sharing = append(sharing, k.Name)
			if k.Has == nil || k.Has(s, &s.Stack[0]) {
				views = append(views, k.Name)
			}
		}
		if slices.Contains(views, "variance") != hasRival {
			t.Errorf("%s: the views are %v", name, views)
		}
		a := start(t, 120, 36, setup{scenario: s, accountant: accountants(), charts: rememberedCharts()})
		seen := map[string]bool{}
		for range len(sharing) + 1 {
			press(a, "chart.4")
			seen[a.home.CurrentChart().Name] = true
			if offered := onScreen(a, "4 next view"); offered != (len(views) > 1) {
				t.Errorf("%s: another view is offered: %v", name, offered)
			}
		}
		if shown := slices.Sorted(maps.Keys(seen)); !slices.Equal(shown, slices.Sorted(slices.Values(views))) {
			t.Errorf("%s: the views %v, not %v", name, shown, views)
		}
	}
}
