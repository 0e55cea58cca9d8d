package plot

import (
	"math"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/report/chart"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

func TestReadout(t *testing.T) {
	c := chart.Chart{
		X: chart.Axis{Log: true, Min: unset, Max: unset}, Y: chart.Axis{Log: true, Min: unset, Max: unset},
		Series: []chart.Series{
			{Name: "line", X: []float64{1, 10, 100}, Y: []float64{0.1, 1, 10}},
			{Name: "gap", X: []float64{1, 10, 100}, Y: []float64{1, math.NaN(), 3}},
			{Name: "short", X: []float64{1, 10}, Y: []float64{2, 5}},
		},
	}
	p := shown(t, c, 80, 20)
	if p.Readout() != nil {
		t.Error("a hidden crosshair reads something")
	}
	for _, want := range []struct {
		x      float64
		values []string
	}{
		{1, []string{"0.1", "1", "2"}},
		{10, []string{"1", "n/a", "5"}},
		{math.Sqrt(1000), []string{"3.162", "n/a", "n/a"}}, // straight on log axes
		{100, []string{"10", "3", "n/a"}},
		{1e9, []string{"10", "3", "n/a"}}, // kept in the picture
	} {
		p.SetCursor(want.x)
		for i, r := range p.Readout() {
			if r.Text != want.values[i] || r.Name != c.Series[i].Name {
				t.Errorf("at %g: %+v, want %s", want.x, r, want.values[i])
			}
		}
	}
}

// On a discrete chart the crosshair visits every point and nothing between.
func TestDiscreteCursorVisitsEveryPoint(t *testing.T) {
	for _, w := range []int{30, 80, 200} {
		p := shown(t, density(), w, 20)
		p.SetCursor(-12)
		for k := -12; k <= 12; k++ {
			if x := p.cursorX; !p.cursorOn || x != float64(k) {
				t.Fatalf("width %d: crosshair at %g, want %d", w, x, k)
			}
			p.MoveCursor(1)
		}
		p.MoveCursor(-1)
		if x := p.cursorX; x != 11 {
			t.Errorf("width %d: one back from the end is %g", w, x)
		}
	}
}

// Where the curves are upper bounds the crosshair stops only where they were computed,
// however it gets there: what is read off is a bound, not a line between two.
func TestUpperBoundsAreReadWhereComputed(t *testing.T) {
	c := growth()
	c.Y.Upper = true
	known := map[float64]bool{}
	for _, s := range c.Series {
		for _, x := range s.X {
			known[x] = true
		}
	}
	look := styles(t, "mono", termenv.Ascii, false)
	gauge.Check(t, gauge.Cases(25, 100), func(t *rapid.T) {
		p := New()
		p.SetPen(look)
		p.SetSize(rapid.IntRange(30, 200).Draw(t, "w"), 20)
		p.SetChart(c)
		for range rapid.IntRange(1, 8).Draw(t, "moves") {
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0:
				p.MoveCursor(rapid.IntRange(-10, 10).Draw(t, "by"))
			case 1:
				p.SetCursor(rapid.Float64Range(0.1, 1e5).Draw(t, "to"))
			case 2:
				p.CursorAt(rapid.IntRange(0, 200).Draw(t, "x"), 5)
			default:
				p.Zoom(+1)
			}
			if x := p.cursorX; p.cursorOn && !known[x] {
				t.Fatalf("the crosshair stands at %v, where nothing was computed", x)
			}
		}
	})
}

// Moving right always moves right, until the edge, and lands on data where it can.
func TestCursorMoves(t *testing.T) {
	p := shown(t, growth(), 100, 30)
	p.SetCursor(1)
	last := p.cursorX
	for i := 1; i < p.geo.pw; i++ {
		p.MoveCursor(1)
		x := p.cursorX
		if x <= last {
			t.Fatalf("step %d: from %g to %g", i, last, x)
		}
		last = x
	}
	if want := p.geo.x.Max; math.Abs(last-want) > 1e-9*want {
		t.Errorf("the last column is %g, want the end %g", last, want)
	}
}

// The crosshair goes to the cell of the mouse, and nowhere if that is outside.
func TestCursorAt(t *testing.T) {
	p := shown(t, growth(), 100, 30)
	gauge.Check(t, gauge.Cases(25, 100), func(t *rapid.T) {
		cx, cy := rapid.IntRange(-3, 103).Draw(t, "x"), rapid.IntRange(-3, 33).Draw(t, "y")
		g := p.geo
		ok := p.CursorAt(cx, cy)
		if want := cx >= g.px && cx < g.px+g.pw && cy >= g.py && cy < g.py+g.ph; ok != want {
			t.Fatalf("cell %d,%d: inside = %t", cx, cy, ok)
		}
		if ok && (g.px+p.column() != cx || g.col(g.x.Fraction(p.cursorX)) != cx) {
			t.Fatalf("cell %d: the crosshair stands in %d at %g", cx, g.px+p.column(), p.cursorX)
		}
	})
}

func TestZoomKeepsThePlace(t *testing.T) {
	look := styles(t, "mono", termenv.Ascii, false)
	gauge.Check(t, gauge.Cases(25, 100), func(t *rapid.T) {
		p := New()
		p.SetPen(look)
		p.SetSize(100, 30)
		p.SetChart(growth())
		p.View()
		p.cursorToColumn(rapid.IntRange(0, p.geo.pw-1).Draw(t, "column"))
		for range rapid.IntRange(1, 8).Draw(t, "times") {
			x, col, edge := p.cursorX, p.geo.px+p.column(), p.geo.px
			p.Zoom(+1)
			p.View()
			moved := p.geo.col(p.geo.x.Fraction(x)) - col
			shift := p.geo.px - edge // the y axis shows other numbers now
			if d := moved - shift; d < -1-max(shift, -shift) || d > 1+max(shift, -shift) {
				t.Fatalf("%g moved by %d columns, its axis by %d", x, moved, shift)
			}
		}
		if !p.IsZoomed() {
			t.Fatal("not zoomed")
		}
		p.Zoom(-9)
		if p.IsZoomed() {
			t.Fatalf("zoomed out, but shows %g to %g of it", p.zoomFrom, p.zoomTo)
		}
	})
}

// The view changes with each input and with nothing else.
func TestCacheFollowsItsInputs(t *testing.T) {
	p := shown(t, growth(), 100, 30)
	c := growth()
	light := styles(t, "light", termenv.TrueColor, false)
	steps := []struct {
		name    string
		do      func()
		changes bool
	}{
		{"same size", func() { p.SetSize(100, 30) }, false},
		{"one point", func() { c.Series[0].Y[50] = 1e5; p.SetChart(c) }, true},
		{"size", func() { p.SetSize(90, 30) }, true},
		{"theme", func() { p.SetPen(light) }, true},
		{"same theme", func() { p.SetPen(light) }, false},
		{"ascii", func() { p.SetPen(styles(t, "light", termenv.TrueColor, true)) }, true},
		{"cursor", func() { p.MoveCursor(1) }, true},
		{"cursor moves", func() { p.MoveCursor(1) }, true},
		{"zoom", func() { p.Zoom(+1) }, true},
		{"zoom back", func() { p.Zoom(-1) }, true},
	}
	for _, s := range steps {
		before := p.View()
		s.do()
		if changed := p.View() != before; changed != s.changes {
			t.Errorf("%s: changed = %t", s.name, changed)
		}
	}
}

// A knob moved under the crosshair does not lose the place; another chart does.
func TestCursorSurvivesNewData(t *testing.T) {
	p := shown(t, growth(), 100, 30)
	p.SetCursor(100)
	p.Zoom(+1)
	c := growth()
	for i := range c.Series[0].Y {
		c.Series[0].Y[i] *= 1.1
	}
	p.SetChart(c)
	if !p.cursorOn || p.cursorX != 100 || !p.IsZoomed() {
		t.Errorf("cursor %g, %t, zoomed %t", p.cursorX, p.cursorOn, p.IsZoomed())
	}
	p.SetChart(density())
	if p.cursorOn || p.IsZoomed() {
		t.Error("another chart kept crosshair or zoom")
	}
}

// Without a crosshair the legend reads the curves off at the chart's own x, upper
// bounds rounded up; the crosshair takes its place.
func TestLegendAtRest(t *testing.T) {
	c := chart.Chart{
		X: chart.Axis{Label: "K", Log: true, Min: 1, Max: 100}, Y: chart.Axis{Label: "ε", Log: true, Min: math.NaN(),
			Max: math.NaN(), Upper: true},
		Series: []chart.Series{{Name: "basic", X: []float64{1, 100}, Y: []float64{2.00011, 200}},
			{Name: "RDP", X: []float64{1, 100}, Y: []float64{1.99991, 20}}},
		Read: 1,
	}
	p := New()
	p.SetPen(styles(t, "mono", termenv.Ascii, false))
	p.SetChart(c)
	p.SetSize(100, 14)
	rest := p.View()
	for _, want := range []string{"2.001", "2.000", "at K = 1\n"} {
		if !strings.Contains(rest, want) {
			t.Errorf("%q is not in\n%s", want, rest)
		}
	}
	p.SetCursor(100)
	if moved := p.View(); !strings.Contains(moved, "200.0") || strings.Contains(moved, "2.001") || strings.Contains(moved, "at K = 1\n") {
		t.Errorf("the crosshair does not take over:\n%s", moved)
	}
	p.SetSize(40, 14) // no room for values: no figure is cut
	if strings.Contains(p.View(), "2.00") {
		t.Errorf("a narrow plot has values:\n%s", p.View())
	}
}

// Names of curves that all leave the plot at the bottom stand in the order of the values beside them, and not in that
// of points far below.
func TestNamesBelowThePlotFollowTheirValues(t *testing.T) {
	c := chart.Chart{
		X: chart.Axis{Label: "ε", Min: 0, Max: 4}, Y: chart.Axis{Label: "δ", Log: true, Min: 1e-8, Max: 1, Upper: true},
		Series: []chart.Series{{Name: "numerical", X: []float64{0, 2}, Y: []float64{0.5, 1.2e-10}},
			{Name: "RDP", X: []float64{0, 3}, Y: []float64{0.6, 1.3e-10}}, {Name: "zCDP", X: []float64{0, 4}, Y: []float64{0.7, 1.1e-10}}},
		Read: 1, Rivals: true,
	}
	p := shown(t, c, 100, 20)
	var names []string
	for _, label := range p.labels {
		names = append(names, label.name)
	}
	if want := []string{"zCDP", "RDP", "numerical"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v:\n%s", names, want, p.View())
	}
}

// The line between two points of a convex curve runs above it: what a lower bound says there
// is what it says at the points, and no more.
func TestLowerBoundsAreNotReadHigher(t *testing.T) {
	c := chart.Chart{
		X: chart.Axis{Label: "false alarms", Min: 0, Max: 1}, Y: chart.Axis{Label: "misses", Min: 0, Max: 1, Lower: true},
		Series: []chart.Series{{Name: "gdp", X: []float64{0, 0.5, 1}, Y: []float64{1, 0.12349, 0}}},
	}
	p := shown(t, c, 80, 20)
	p.SetCursor(0.25)
	if r := p.Readout()[0]; r.X == 0.25 {
		t.Errorf("read between two points: %+v", r)
	}
	p.SetCursor(0.5)
	if r := p.Readout()[0]; r.Text != "0.1234" {
		t.Errorf("%v is read as %s", r.Y, r.Text)
	}
}
