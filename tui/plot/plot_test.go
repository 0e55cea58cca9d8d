package plot

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/theme"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

// styles of a theme on a renderer of its own, so that tests can run side by side.
func styles(t testing.TB, name string, profile termenv.Profile, ascii bool) *draw.Pen {
	t.Helper()
	th, ok := theme.ByName(name)
	if !ok {
		t.Fatalf("no theme %q", name)
	}
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	return draw.NewPen(th, r, ascii)
}

var unset = math.NaN()

// checkSize fails unless view is exactly h lines of exactly w columns.
func checkSize(t interface{ Fatalf(string, ...any) }, view string, w, h int) {
	if w <= 0 || h <= 0 {
		if view != "" {
			t.Fatalf("%dx%d: want nothing, got %q", w, h, view)
		}
		return
	}
	lines := strings.Split(view, "\n")
	if len(lines) != h {
		t.Fatalf("%dx%d: %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if n := lipgloss.Width(l); n != w || ansi.StringWidth(l) != w {
			t.Fatalf("%dx%d: line %d has %d columns: %q", w, h, i, n, l)
		}
	}
}

var oddValues = []float64{
	0, 1, -1, 1e300, -1e300, math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e-300,
	math.Inf(1), math.Inf(-1), math.NaN(), 1e-6, 3, 1e9,
}

func drawValue(t *rapid.T) float64 {
	if rapid.Bool().Draw(t, "odd") {
		return rapid.SampledFrom(oddValues).Draw(t, "value")
	}
	return rapid.Float64Range(-10, 1000).Draw(t, "value")
}

var oddTexts = []string{
	"", "ε", "basic", "number of queries K", "\x1b[31mred\x1b[0m", "a\nb\tc", "\u202eright to left", "漢字の名前",
	"e\u0301\u0302 combining", "👩‍👩‍👧 family", "🇩🇪 flag", strings.Repeat("long ", 300), "각", "\xff\xfe",
	"👍🏽 tone", "ᄀ", "\x07\x9b31m",
}

func drawChart(t *rapid.T) chart.Chart {
	text := rapid.SampledFrom(oddTexts)
	axis := func(name string) chart.Axis {
		return chart.Axis{Label: text.Draw(t, name), Log: rapid.Bool().Draw(t, name+" log"),
			Min: drawValue(t), Max: drawValue(t)}
	}
	c := chart.Chart{Title: text.Draw(t, "title"), X: axis("x"), Y: axis("y")}
	if rapid.Bool().Draw(t, "auto") {
		c.X.Min, c.X.Max, c.Y.Min, c.Y.Max = unset, unset, unset, unset
	}
	for range rapid.IntRange(0, 4).Draw(t, "series") {
		s := chart.Series{Name: text.Draw(t, "name"), Step: rapid.Bool().Draw(t, "step"), Faint: rapid.Bool().Draw(t, "faint"),
			Pair: rapid.Bool().Draw(t, "pair"), Area: rapid.Bool().Draw(t, "area"), Look: rapid.IntRange(0, 3).Draw(t, "look of series")}
		for range rapid.IntRange(0, 12).Draw(t, "points") {
			s.X = append(s.X, drawValue(t))
			s.Y = append(s.Y, drawValue(t))
		}
		if rapid.Bool().Draw(t, "constant") && len(s.Y) > 0 {
			for i := range s.Y {
				s.Y[i] = s.Y[0]
			}
		}
		if rapid.Bool().Draw(t, "uneven") && len(s.Y) > 0 {
			s.Y = s.Y[1:]
		}
		c.Series = append(c.Series, s)
	}
	for range rapid.IntRange(0, 3).Draw(t, "marks") {
		c.Marks = append(c.Marks, chart.Mark{X: drawValue(t), Y: drawValue(t), Label: text.Draw(t, "mark"),
			Alert: rapid.Bool().Draw(t, "alert")})
	}
	c.Rivals, c.Read, c.Focus = rapid.Bool().Draw(t, "rivals"), drawValue(t), math.Max(0, drawValue(t))
	if len(c.Series) > 1 && len(c.Marks) > 0 {
		c.Marks[0].Cross = [2]string{c.Series[0].Name, c.Series[1].Name}
	}
	if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
		for range rapid.IntRange(1, 30).Draw(t, "bars") {
			c.Bars = append(c.Bars, chart.Bar{Label: text.Draw(t, "bar"), Value: drawValue(t),
				Best: rapid.Bool().Draw(t, "best")})
		}
	}
	return c
}

// Whatever the data, the text, the size and the keys pressed, the picture has
// exactly its size and nothing panics.
func TestViewIsExactlyItsSize(t *testing.T) {
	looks := []*draw.Pen{
		styles(t, "dark", termenv.TrueColor, false), styles(t, "light", termenv.ANSI, false),
		styles(t, "mono", termenv.Ascii, false), styles(t, "dark", termenv.Ascii, true),
	}
	rapid.Check(t, func(t *rapid.T) {
		p := New()
		p.SetPen(rapid.SampledFrom(looks).Draw(t, "look"))
		p.SetChart(drawChart(t))
		w, h := rapid.IntRange(-1, 130).Draw(t, "w"), rapid.IntRange(-1, 45).Draw(t, "h")
		p.SetSize(w, h)
		checkSize(t, p.View(), w, h)
		for range rapid.IntRange(0, 6).Draw(t, "keys") {
			switch rapid.IntRange(0, 6).Draw(t, "key") {
			case 0:
				p.Zoom(+1)
			case 1:
				p.Zoom(-1)
			case 2:
				p.SetPen(rapid.SampledFrom(looks).Draw(t, "look"))
			case 3:
				p.MoveCursor(rapid.IntRange(-20, 20).Draw(t, "by"))
			case 4:
				p.SetCursor(drawValue(t))
			case 5:
				p.CursorAt(rapid.IntRange(-2, 140).Draw(t, "cx"), rapid.IntRange(-2, 50).Draw(t, "cy"))
			case 6:
				p.SetChart(drawChart(t))
			}
			p.Readout()
			checkSize(t, p.View(), w, h)
		}
	})
}

// Every size from nothing to a very large screen.
func TestEverySize(t *testing.T) {
	p := New()
	p.SetPen(styles(t, "dark", termenv.TrueColor, false))
	for _, c := range []chart.Chart{growth(), utility()} {
		p.SetChart(c)
		for w := 0; w <= 300; w += gauge.Cases(4, 1) * (1 + w/12) {
			for h := 0; h <= 100; h += 1 + h/8 {
				p.SetSize(w, h)
				checkSize(t, p.View(), w, h)
				p.MoveCursor(1)
				checkSize(t, p.View(), w, h)
			}
		}
	}
}

// growth returns ε against K for four methods, after the textbook forms: Kε₀ (basic),
// √(2K ln 1/δ) ε₀ + Kε₀(e^ε₀−1) (Dwork–Rothblum–Vadhan 2010), and two shapes below.
func growth() chart.Chart {
	c := chart.Chart{
		Title: "ε against K", Read: 1, Rivals: true,
		X: chart.Axis{Label: "K", Log: true, Min: unset, Max: unset},
		Y: chart.Axis{Label: "ε", Log: true, Min: unset, Max: unset},
		Marks: []chart.Mark{
			{X: unset, Y: 6, Label: "budget 6", Alert: true},
			{X: 28, Y: unset, Label: "K 28: advanced passes basic"},
		},
	}
	e0, l := 0.1, math.Log(1e6)
	forms := []struct {
		name string
		f    func(k float64) float64
	}{
		{"basic", func(k float64) float64 { return k * e0 }},
		{"advanced", func(k float64) float64 { return math.Sqrt(2*k*l)*e0 + k*e0*math.Expm1(e0) }},
		{"RDP", func(k float64) float64 { return math.Sqrt(2*k*l)*e0*0.8 + k*e0*e0/2 }},
		{"numerical", func(k float64) float64 { return math.Min(k*e0, math.Sqrt(2*k*l)*e0*0.7+k*e0*e0/2) }},
	}
	for _, form := range forms {
		s := chart.Series{Name: form.name, Look: []int{1, 2, 4, 3}[len(c.Series)]}
		for i := range 200 {
			k := math.Pow(10, 3.5*float64(i)/199)
			s.X, s.Y = append(s.X, k), append(s.Y, form.f(k))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func utility() chart.Chart {
	c := chart.Chart{
		Title: "who wins", Y: chart.Axis{Label: "probability", Min: unset, Max: unset},
		X:     chart.Axis{Min: unset, Max: unset},
		Marks: []chart.Mark{{X: unset, Y: 0.25, Label: "uniform"}},
	}
	for i, v := range []float64{0.62, 0.21, 0.1, 0.05, 0.015, 0.004} {
		c.Bars = append(c.Bars, chart.Bar{Label: fmt.Sprintf("candidate %c", 'A'+i), Value: v, Best: i == 0})
	}
	return c
}

// density returns a discrete distribution on D and on D′.
func density() chart.Chart {
	c := chart.Chart{Title: "noise", X: chart.Axis{Label: "released count", Min: unset, Max: unset},
		Y: chart.Axis{Label: "probability", Min: unset, Max: unset}}
	for d, name := range []string{"on D", "on D′"} {
		s := chart.Series{Name: name, Step: true, Pair: true}
		for k := -12; k <= 12; k++ {
			s.X = append(s.X, float64(k))
			s.Y = append(s.Y, math.Exp(-math.Abs(float64(k-d))*0.4)*math.Tanh(0.2))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// An ASCII terminal with colours gets nothing but ASCII.
func TestASCIIIsASCII(t *testing.T) {
	pen := styles(t, "dark", termenv.TrueColor, true)
	for _, c := range []chart.Chart{growth(), density(), utility()} {
		p := New()
		p.SetPen(pen)
		p.SetChart(c)
		p.SetSize(80, 24)
		for _, r := range ansi.Strip(p.View()) {
			if r > '~' {
				t.Fatalf("%q in\n%s", r, p.View())
			}
		}
	}
}

// In a narrow square the title of the x axis loses what stands in brackets before a word of it is cut.
func TestTitleOfANarrowSquare(t *testing.T) {
	c := chart.Chart{Title: "errors", Square: true, X: chart.Axis{Label: "type I error (false-positive rate)", Max: 1}, Y: chart.Axis{Label: "misses", Max: 1},
		Series: []chart.Series{{Name: "guessing", X: []float64{0, 1}, Y: []float64{1, 0}}}}
	p := New()
	p.SetPen(styles(t, "mono", termenv.Ascii, false))
	p.SetChart(c)
	whole, short := 0, 0
	for h := 8; h < 50; h++ {
		p.SetSize(100, h)
		switch view := p.View(); {
		case strings.Contains(view, c.X.Label):
			whole++
		case strings.Contains(view, "type I error"):
			short++
			fallthrough
		default:
			if strings.Contains(view, "(false") || strings.Contains(view, "…") {
				t.Errorf("at %d rows the title is cut:\n%s", h, view)
			}
		}
	}
	if whole == 0 || short == 0 {
		t.Errorf("whole %d times, short %d times", whole, short)
	}
}

// Curves that end at one height, as those of an attacker's errors do: the name of one that shares a line stands below
// its owner's all the same, not below all lines.
func TestSharedNamesStandBelowTheirOwner(t *testing.T) {
	c := chart.Chart{Title: "errors", Rivals: true, Winner: "best", X: chart.Axis{Label: "x", Max: 2},
		Y: chart.Axis{Label: "y", Max: 100}}
	for name, top := range map[string]float64{"best": 40, "near": 40.1, "far": 90, "near far": 90.1} {
		c.Series = append(c.Series, chart.Series{Name: name, X: []float64{0, 1, 2}, Y: []float64{0, top, 0}})
	}
	slices.SortFunc(c.Series, func(a, b chart.Series) int { return strings.Compare(a.Name, b.Name) })
	p := New()
	p.SetPen(styles(t, "mono", termenv.Ascii, false))
	p.SetChart(c)
	p.SetSize(100, 20)
	p.View()
	for k, e := range p.labels {
		if owner := p.ranks.Owner[e.series]; owner != e.series && (k == 0 ||
			p.ranks.Owner[p.labels[k-1].series] != owner) {
			t.Errorf("%s does not stand below its owner:\n%s", e.name, p.View())
		}
	}
	if n := len(p.labels); n != 4 {
		t.Errorf("%d names", n)
	}
}

// The ticks of a linear axis stand evenly, each in the middle of a row, where its value lies to a hundredth of a dot;
// no curve is cut.
func TestTicksStandInTheMiddleOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &geometry{ph: rapid.IntRange(6, 40).Draw(t, "rows")}
		low := rapid.SampledFrom([]float64{0, -1, 0.3, 0.95}).Draw(t, "lower end, as a share")
		high := math.Exp(rapid.Float64Range(-5, 12).Draw(t, "ln of the highest"))
		y := scale.New(low*high, high, false)
		var ticks []scale.Tick
		if g.y, ticks = g.evenTicks(y); len(ticks) < 2 {
			return
		}
		dots, apart := float64(4*g.ph-1), 0.0
		for i, tick := range ticks {
			at := g.y.Fraction(tick.Value) * dots
			if row := (at - 1.5) / 4; math.Abs(row-math.Round(row)) > 0.0025 {
				t.Fatalf("%s lies at dot %v, not in the middle of a row", tick.Label, at)
			}
			if step := at - g.y.Fraction(ticks[max(i-1, 0)].Value)*dots; i == 1 {
				apart = step
			} else if i > 1 && math.Abs(step-apart) > 1e-6*apart {
				t.Fatalf("ticks %v and %v dots apart", apart, step)
			}
		}
		if top, foot := g.y.Fraction(y.Max)*dots, g.y.Fraction(y.Min)*dots; top > dots+0.5 || foot < -0.5 {
			t.Fatalf("what is drawn reaches from dot %v to %v of %v", foot, top, dots)
		}
		if by := (g.y.Max - g.y.Min) / (y.Max - y.Min); by > maxStretch {
			t.Fatalf("the axis is %v times as long as what it shows", by)
		}
	})
}
