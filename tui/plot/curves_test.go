package plot

import (
	"math"
	"slices"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/report/chart"
	"epsiloscope/report/scale"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

func shown(t testing.TB, c chart.Chart, w, h int) *Plot {
	p := New()
	p.SetPen(styles(t, "dark", termenv.TrueColor, false))
	p.SetChart(c)
	p.SetSize(w, h)
	p.View()
	return p
}

// A reader finds values by their ticks, so a constant curve at a tick's value must
// run along that tick's row, and a spike at a tick's value stand on its column.
func TestCurvesMeetTheirTicks(t *testing.T) {
	for _, log := range []bool{false, true} {
		probe := growth()
		probe.X.Log, probe.Y.Log, probe.Marks = log, log, nil
		p := shown(t, probe, 90, 27)
		for _, tick := range p.geo.y.Ticks(6) {
			c := probe
			c.X.Min, c.X.Max, c.Y.Min, c.Y.Max = p.geo.x.Min, p.geo.x.Max, p.geo.y.Min, p.geo.y.Max
			// the axis may grow
			c.Series = []chart.Series{{Name: "flat", X: []float64{c.X.Min, 2 * c.X.Max},
				Y: []float64{tick.Value, tick.Value}}}
			q := shown(t, c, 90, 27)
			row := q.geo.row(q.geo.y.Fraction(tick.Value))
			for x := q.geo.px; x < q.geo.px+q.geo.pw; x++ {
				if q.cellAt(x, row).on != curveLayer {
					t.Fatalf("log %t: no curve at %g in column %d, row %d", log, tick.Value, x, row)
				}
			}
			labelled := strings.Split(ansi.Strip(q.View()), "\n")[row]
			if !strings.HasPrefix(strings.TrimSpace(labelled), tick.Label+" ") && tickShown(q, tick.Label) {
				t.Errorf("log %t: row of %s reads %q", log, tick.Label, labelled)
			}
		}
	}
}

func tickShown(p *Plot, label string) bool {
	for _, k := range p.geo.yTicks {
		if k.label == label {
			return true
		}
	}
	return false
}

// Where curves share a cell none of them loses a dot: the cell has the dots of all, in the colour
// of the most important of them.
func TestSharedCellsKeepAllDots(t *testing.T) {
	c := growth()
	c.Marks, c.Rivals = nil, false // of rivals the lesser give way instead
	all := shown(t, c, 100, 30)
	shared := 0
	dots := make([]rune, len(all.cells))
	rank := make([]int, len(all.cells))
	for z, i := range all.ranks.Order {
		one := growth()
		one.Marks, one.Rivals = nil, false
		for k := range one.Series {
			if k != i { // the same scales and names, without its points
				one.Series[k].X, one.Series[k].Y = one.Series[k].X[:0], one.Series[k].Y[:0]
			}
		}
		one.X.Min, one.X.Max, one.Y.Min, one.Y.Max = all.geo.x.Min, all.geo.x.Max, all.geo.y.Min, all.geo.y.Max
		alone := shown(t, one, 100, 30)
		alone.ranks = all.ranks // it is drawn as wide as among the others, and left out in the same columns
		alone.reset()
		alone.drawLines()
		for at, cell := range alone.cells {
			if cell.on != curveLayer {
				continue
			}
			if dots[at] == 0 {
				rank[at] = z
			} else {
				shared++
			}
			dots[at] |= cell.r
		}
	}
	for at, want := range dots {
		got := all.cells[at]
		if x, y := at%100, at/100; !all.geo.contains(x, y) {
			continue
		}
		if want == 0 && got.on == curveLayer || want != 0 && (got.r != want ||
			ownerOf(all, got) != all.ranks.Order[rank[at]]) {
			t.Fatalf("cell %d,%d is %q in the colour of %d, want %q in that of %d", at%100, at/100, got.r, ownerOf(all, got), want, all.ranks.Order[rank[at]])
		}
	}
	if shared < 5 {
		t.Fatalf("only %d cells are shared: nothing was tested", shared)
	}
}

// ownerOf returns the series in whose colour a cell is.
func ownerOf(p *Plot, c cell) int {
	for i := range p.chart.Series {
		if p.ink(i) == c.ink {
			return i
		}
	}
	return -1
}

// Where curves cross the later one is on top, and a faint one never.
func TestFaintSeriesAreBelow(t *testing.T) {
	line := func(name string, faint bool) chart.Series {
		return chart.Series{Name: name, X: []float64{0, 1}, Y: []float64{0, 1}, Faint: faint}
	}
	for want, faint := range [][3]bool{0: {false, true, true}, 1: {false, false, true}, 2: {true, true, false}} {
		p := shown(t, chart.Chart{Series: []chart.Series{line("a", faint[0]), line("b", faint[1]),
			line("c", faint[2])}}, 60, 20)
		p.View()
		x, y := p.geo.col(p.geo.x.Fraction(0.31)), p.geo.row(p.geo.y.Fraction(0.31))
		if got := ownerOf(p, p.cellAt(x, y)); got != want {
			t.Errorf("faint %v: series %d is on top, want %d", faint, got, want)
		}
	}
}

// Labels of marks never cover a curve, and are never cut by the frame.
func TestMarkLabelsCoverNothing(t *testing.T) {
	look := styles(t, "dark", termenv.TrueColor, false)
	gauge.Check(t, gauge.Cases(25, 100), func(t *rapid.T) {
		c := growth()
		c.Marks = nil
		for i := range rapid.IntRange(1, 4).Draw(t, "marks") {
			m := chart.Mark{X: math.NaN(), Y: math.NaN(), Label: "mark number " + string(rune('A'+i))}
			if rapid.Bool().Draw(t, "vertical") {
				m.X = rapid.Float64Range(1, 3000).Draw(t, "x")
			} else {
				m.Y = rapid.Float64Range(0.05, 300).Draw(t, "y")
			}
			c.Marks = append(c.Marks, m)
		}
		w, h := rapid.IntRange(24, 130).Draw(t, "w"), rapid.IntRange(8, 40).Draw(t, "h")
		named := New()
		named.SetPen(look)
		named.SetSize(w, h)
		named.SetChart(c)
		bare := New()
		bare.SetPen(look)
		bare.SetSize(w, h)
		nameless := c
		nameless.Marks = append([]chart.Mark(nil), c.Marks...)
		for i := range nameless.Marks {
			nameless.Marks[i].Label = ""
		}
		bare.SetChart(nameless)
		view := ansi.Strip(named.View())
		bare.View()
		for i, cell := range bare.cells {
			if cell.on >= curveLayer && named.cells[i] != cell {
				t.Fatalf("a label covers cell %d,%d:\n%s", i%w, i/w, view)
			}
		}
		for _, line := range strings.Split(view, "\n") {
			if i := strings.Index(line, "mark"); i >= 0 && !strings.Contains(line[i:], "mark number ") {
				t.Fatalf("a label was cut:\n%s", view)
			}
		}
	})
}

func TestLonePointIsSeen(t *testing.T) {
	nan := math.NaN()
	p := shown(t, chart.Chart{Series: []chart.Series{{Name: "a", X: []float64{1, 2, 3}, Y: []float64{nan, 5, nan}}}},
		50, 12)
	if view := ansi.Strip(p.View()); !strings.Contains(view, "●") {
		t.Errorf("a single point left no mark:\n%s", view)
	}
}

// Text from a file cannot send anything to the terminal.
func TestHostileText(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\x1b[31mred\u202e\u0007\x9b0m" + strings.Repeat("é", 10000)
	c := growth()
	c.Title, c.X.Label, c.Y.Label, c.Series[0].Name, c.Marks[0].Label = evil, evil, evil, evil, evil
	c.Notes = []string{evil}
	b := utility()
	b.Bars[0].Label, b.Y.Label, b.Marks[0].Label = evil, evil, evil
	for _, chart := range []chart.Chart{c, b} {
		p := New()
		p.SetPen(styles(t, "mono", termenv.Ascii, false))
		p.SetChart(chart)
		p.SetSize(90, 20)
		p.MoveCursor(0)
		view := p.View()
		checkSize(t, view, 90, 20)
		for _, r := range view {
			if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e {
				t.Fatalf("control character %U in the view", r)
			}
		}
	}
}

// On a linear axis equal steps are equally wide and, where there is a choice, equally high;
// of a logarithmic one the decades are equally high.
func TestTicksStandEvenly(t *testing.T) {
	even := func(ticks []placedTick) bool {
		for i := 2; i < len(ticks); i++ {
			if ticks[i].cell-ticks[i-1].cell != ticks[1].cell-ticks[0].cell {
				return false
			}
		}
		return true
	}
	for _, top := range []float64{1, 2.376, 3, 6, 14.76, 73, 1e5} {
		c := chart.Chart{Series: []chart.Series{{Name: "a", X: []float64{0, top}, Y: []float64{0, top}}, {Name: "b"}}}
		for w := 40; w < 200; w += gauge.Cases(7, 1) {
			p := shown(t, c, w, 20)
			if len(p.geo.xTicks) < 2 || !even(p.geo.xTicks) {
				t.Errorf("0 to %g on %d columns: %v", top, w, p.geo.xTicks)
			}
			if last := p.geo.col(p.geo.x.Fraction(top)); last > p.geo.px+p.geo.pw || 10*(last-p.geo.px) < 8*p.geo.pw {
				t.Errorf("0 to %g on %d columns ends at %d of %d", top, w, last-p.geo.px, p.geo.pw)
			}
		}
		for h := 8; h < 60; h += gauge.Cases(5, 1) {
			if p := shown(t, c, 100, h); len(p.geo.yTicks) < 2 || !even(p.geo.yTicks) {
				t.Errorf("0 to %g on %d rows: %v", top, h, p.geo.yTicks)
			}
		}
	}
}

// Names on an axis give way before they go.
func TestNamesOnTheAxisAreCut(t *testing.T) {
	c := chart.Chart{X: chart.Axis{Max: 3, Names: []string{"counts by dis.", "totals by hour", "favourite rou."}},
		Series: []chart.Series{{Name: "ε", X: []float64{0, 1, 2, 3}, Y: []float64{0, 1, 2, 3}, Step: true}}}
	for w, want := range map[int]string{100: "counts by dis.", 44: "coun..is.", 34: "co..s."} {
		p := shown(t, c, w, 12)
		if len(p.geo.xTicks) != 3 || p.geo.xTicks[0].label != want {
			t.Errorf("%d columns: %v, want %q first", w, p.geo.xTicks, want)
		}
	}
}

// The best of rivals is on top and two dots wide, wherever it stands in the list.
func TestTheBestLiesOnTop(t *testing.T) {
	for best := range 3 {
		c := chart.Chart{Y: chart.Axis{Label: "ε", Upper: true}, Read: 1, Rivals: true}
		for i := range 3 {
			s := chart.Series{Name: string(rune('a' + i)), Look: i + 3, X: []float64{0, 1, 2}, Y: []float64{2, 2, 1}}
			if i == best {
				s.Y = []float64{1, 1.9, 3} // it crosses the others
			}
			c.Series = append(c.Series, s)
		}
		p := shown(t, c, 80, 20)
		if p.ranks.Best != best {
			t.Errorf("the best is %d, want %d", p.ranks.Best, best)
		}
		cells := 0
		for _, cell := range p.cells {
			if cell.on == curveLayer && cell.ink == p.look(best).Bold {
				cells++
			}
		}
		if cells < p.geo.pw {
			t.Errorf("the best has %d of %d columns", cells, p.geo.pw)
		}
	}
}

// One hopeless bound does not set the scale: it leaves the picture with an arrow and its value.
// Zooming out shows all of it, and zooming in leads back.
func TestHopelessBoundsLeaveThePicture(t *testing.T) {
	xs := []float64{1, 10, 100, 1000}
	c := chart.Chart{X: chart.Axis{Label: "K", Log: true}, Y: chart.Axis{Label: "ε", Log: true, Upper: true}, Read: 10,
		Rivals: true, Focus: 100,
		Series: []chart.Series{{Name: "basic", Look: 1, X: xs, Y: []float64{1, 1e3, 1e5, 1e7}},
			{Name: "RDP", X: xs, Y: []float64{1, 2, 3, 4}}}}
	p := shown(t, c, 90, 20)
	if top := p.geo.y.Max; top > 20 {
		t.Errorf("the scale ends at %g, the best at 3", top)
	}
	if view := ansi.Strip(p.View()); !strings.Contains(view, "↑ basic") || !strings.Contains(view, "1000") {
		t.Errorf("no arrow and value in\n%s", view)
	}
	if p.Zoom(-1); p.geo.x.Max == 1000 || !p.Whole() {
		t.Error("not drawn anew")
	}
	p.View()
	if p.geo.x.Max != 1000 || p.geo.y.Max < 1e7 {
		t.Errorf("the whole ends at %g and %g", p.geo.x.Max, p.geo.y.Max)
	}
	p.Zoom(+1)
	if p.View(); p.geo.x.Max != 100 {
		t.Errorf("back at %g", p.geo.x.Max)
	}
}

// A curve that is computed later has its name from the start, and no other name moves when it
// comes.
func TestALateCurveMovesNoLabel(t *testing.T) {
	late, known := growth(), growth()
	n := len(late.Series) - 1
	late.Series[n].Y = slices.Repeat([]float64{math.NaN()}, len(late.Series[n].X))
	for _, size := range [][2]int{{76, 20}, {116, 30}, {196, 50}} {
		before, after := shown(t, late, size[0], size[1]), shown(t, known, size[0], size[1])
		for k, e := range before.labels {
			if after.labels[k].series != e.series || after.labels[k].row != e.row {
				t.Errorf("%v: %q moved from row %d", size, e.name, e.row)
			}
		}
	}
}

// Two densities are areas: each has its own colour where the other has nothing, and what they
// share has a third.
func TestPairsAreAreas(t *testing.T) {
	c := density()
	for i := range c.Series {
		c.Series[i].Pair = true
	}
	p := shown(t, c, 90, 24)
	grounds := map[any]int{}
	for _, cell := range p.cells {
		if cell.on == areaLayer && cell.behind != nil {
			grounds[cell.behind]++
		}
	}
	if p.look(0).Fill == p.look(1).Fill || grounds[p.look(0).Fill.Ground] == 0 || grounds[p.look(1).Fill.Ground] == 0 ||
		grounds[p.pen.Both.Ground] < 50 {
		t.Errorf("cells by colour: %v", grounds)
	}
}

// The advantage over guessing is shaded where it is two rows high somewhere, and not at all in a plot so low that only
// some cells of it are free of the curves.
func TestALowShadeIsLeftOut(t *testing.T) {
	c := chart.Chart{X: chart.Axis{Min: 0, Max: 1}, Y: chart.Axis{Min: 0, Max: 1, Lower: true}, Rivals: true, Read: 0.5,
		Series: []chart.Series{{Name: "numerical", X: []float64{0, 0.5, 1}, Y: []float64{1, 0.4, 0}},
			{Name: "guessing", X: []float64{0, 1}, Y: []float64{1, 0}, Faint: true, Shade: true}}}
	for height, shaded := range map[int]bool{12: false, 40: true} {
		cells := 0
		for _, cell := range shown(t, c, 90, height).cells {
			if cell.behind != nil {
				cells++
			}
		}
		if shaded != (cells > 20) || !shaded && cells > 0 {
			t.Errorf("%d cells are shaded in %d rows", cells, height)
		}
	}
}

// What fits a budget is tinted up to it, to an eighth of a row. Only in the row where the tint ends does a cell of a
// curve have one ground, that of most of the cell.
func TestTintEndsAtTheBudget(tb *testing.T) {
	gauge.Check(tb, gauge.Cases(25, 100), func(t *rapid.T) {
		c := growth()
		c.Y.Log = rapid.Bool().Draw(t, "log")
		budget := rapid.Float64Range(0.3, 20).Draw(t, "budget")
		c.Marks = []chart.Mark{{X: math.NaN(), Y: budget, Label: "budget", Alert: true}}
		p := shown(tb, c, rapid.IntRange(40, 160).Draw(t, "w"), rapid.IntRange(9, 40).Draw(t, "h"))
		if p.tintedMark(p.geo.y) < 0 || p.geo.ph < 4 {
			return
		}
		g := &p.geo
		if !(budget < g.y.Max) {
			t.Fatalf("the budget %g is outside the axis from %g to %g", budget, g.y.Min, g.y.Max)
		}
		end := (1 - g.y.Fraction(budget)) * float64(4*g.ph-1)
		for y := range g.ph {
			for x := range g.pw {
				cell := p.cellAt(g.px+x, g.py+y)
				eighths := math.Round(2 * (float64(4*y) + 3.5 - end)) // of the row that are tinted
				switch tinted := cell.behind != nil; {
				case cell.on == textLayer:
				case eighths <= 0 && tinted || eighths >= 8 && !tinted:
					t.Fatalf("row %d, column %d: tinted %t, where the budget ends at dot %.2f", y, x, tinted, end)
				case eighths > 0 && eighths < 8 && cell.on == tintLayer && cell.r != '▁'+rune(eighths)-1 &&
					(cell.r != ' ' || !tinted || eighths < 4):
					t.Fatalf("row %d, column %d: %q, where %v eighths are tinted", y, x, cell.r, eighths)
				}
			}
		}
	})
}

// Where a chart has no axes the tint of a budget fills whole rows, so that a curve along its edge does not cut it; a
// budget below half a row has none, or a curve above it would stand on the tint.
func TestTintFillsRowsWithoutAxes(tb *testing.T) {
	for _, budget := range []float64{0.3, 1, 5, 12} {
		c := growth()
		c.Y.Log = false
		c.Marks = []chart.Mark{{X: math.NaN(), Y: budget, Label: "budget", Alert: true}}
		p := shown(tb, c, 70, 4)
		if p.geo.axes || p.tintedMark(p.geo.y) < 0 {
			tb.Fatal("this test needs a tint without axes")
		}
		for y := p.geo.py; y < p.geo.py+p.geo.ph; y++ {
			first := p.cellAt(p.geo.px, y).behind
			for x := p.geo.px; x < p.geo.px+p.geo.pw; x++ {
				if c := p.cellAt(x, y); c.on != textLayer && c.behind != first {
					tb.Fatalf("budget %g: in row %d the tint changes at column %d", budget, y, x)
				}
			}
		}
		last := p.cellAt(p.geo.px, p.geo.py+p.geo.ph-1)
		rows := (p.geo.y.Fraction(budget)*float64(4*p.geo.ph-1) + 0.5) / 4
		if (last.behind != nil) != (rows >= 0.5) {
			tb.Errorf("budget %g, at %.3f rows: tinted %t", budget, rows, last.behind != nil)
		}
	}
}

// Without a tint an axis with a budget is the same as with one, and the budget's rule stands beside no tick but its
// own, within a row of the budget's end.
func TestBudgetHasTheSameAxisWithoutColours(tb *testing.T) {
	ascii := map[string]bool{"NO_COLOR": false, "ASCII": true}
	gauge.Check(tb, gauge.Cases(25, 100), func(t *rapid.T) {
		c := growth()
		c.Y.Log = rapid.Bool().Draw(t, "log")
		budget := rapid.Float64Range(0.3, 20).Draw(t, "budget")
		if rapid.Bool().Draw(t, "round") {
			budget = math.Ceil(budget)
		}
		c.Marks = []chart.Mark{{X: math.NaN(), Y: budget, Label: "budget", Alert: true}}
		w, h := rapid.IntRange(40, 160).Draw(t, "w"), rapid.IntRange(9, 40).Draw(t, "h")
		tinted := shown(tb, c, w, h)
		if tinted.tintedMark(tinted.geo.y) < 0 {
			return
		}
		for name, ascii := range ascii {
			p := New()
			p.SetPen(styles(tb, "mono", termenv.Ascii, ascii))
			p.SetChart(c)
			p.SetSize(w, h)
			p.View()
			g := &p.geo
			if g.ph != tinted.geo.ph { // the legend has other signs and may need another row
				continue
			}
			other := &tinted.geo
			if g.y.Min != other.y.Min || g.y.Max != other.y.Max || !slices.Equal(g.yTicks, other.yTicks) {
				t.Fatalf("%s: ticks %v, in colour %v", name, g.yTicks, other.yTicks)
			}
			row := g.ruleRow(c.Marks[0])
			if end := g.row(scale.ClampToAxis(g.y.Fraction(budget))); max(row-end, end-row) > 1 {
				t.Fatalf("%s: the rule stands on row %d, the budget ends on row %d", name, row, end)
			}
			for _, tick := range g.yTicks {
				if tick.cell == row && tick.value != budget {
					t.Fatalf("%s: the budget %g stands beside %s:\n%s", name, budget, tick.label, p.View())
				}
			}
		}
	})
}

// Where areas are drawn in characters, the legend shows the very character.
func TestAreasAreNamedByTheirHatching(t *testing.T) {
	c := chart.Chart{
		X: chart.Axis{Label: "L", Min: 0, Max: 10}, Y: chart.Axis{Label: "density", Log: true, Min: 1e-3, Max: 1},
		Series: []chart.Series{
			{Name: "on D", X: []float64{0, 10}, Y: []float64{1, 0.002}},
			{Name: "beyond", X: []float64{5, 10}, Y: []float64{0.5, 0.1}, Area: true},
		},
	}
	for _, ascii := range []bool{false, true} {
		p := New()
		p.SetPen(styles(t, "mono", termenv.Ascii, ascii))
		p.SetChart(c)
		p.SetSize(100, 20)
		sign := string(p.pen.Glyphs.Hatch[3])
		if view := ansi.Strip(p.View()); !strings.Contains(view, sign+" beyond") || strings.Count(view, sign) < 20 {
			t.Errorf("ASCII %t: %q is not both in the picture and before the name:\n%s", ascii, sign, view)
		}
	}
	p := New() // in colour, the area has that of its name
	p.SetPen(styles(t, "dark", termenv.TrueColor, true))
	p.SetChart(c)
	p.SetSize(100, 20)
	if lost, _ := p.pen.Lost.Ink.Sequences(); strings.Count(p.View(), lost+"%") < 5 {
		t.Errorf("the area has another colour than its name:\n%q", p.View())
	}
}

// A logarithmic axis grows by less than three rows for the budget to end between two: a low one that went down by a row
// left the upper half of the picture empty.
func TestAxisGrowsLittleForABudget(tb *testing.T) {
	gauge.Check(tb, gauge.Cases(25, 100), func(t *rapid.T) {
		top := math.Pow(10, rapid.Float64Range(0.5, 4).Draw(t, "decades"))
		budget := math.Pow(top, rapid.Float64Range(0.02, 0.98).Draw(t, "budget"))
		c := chart.Chart{X: chart.Axis{Label: "K", Log: true}, Y: chart.Axis{Label: "ε", Log: true, Upper: true},
			Series: []chart.Series{{Name: "basic", X: []float64{1, 10, 100}, Y: []float64{1, math.Sqrt(top), top}}}}
		c.MarkBudget(budget)
		p := shown(tb, c, 100, rapid.IntRange(14, 50).Draw(t, "h"))
		g, fit := &p.geo, scale.FitY(c, p.geo.x)
		if rows := (math.Log(g.y.Max/g.y.Min)/math.Log(fit.Max/fit.Min) - 1) * float64(g.ph); rows > 3 {
			t.Errorf("%v to %v, where %v to %v would do: %.1f rows", g.y.Min, g.y.Max, fit.Min, fit.Max, rows)
		}
	})
}

// In a chart of few rows a low budget does not push the curves to the floor: the axis reaches little beyond what it
// holds.
func TestLowBudgetLeavesCurvesTheirRows(t *testing.T) {
	for _, budget := range []float64{1, 2, 3, 5, 8} {
		for h := 8; h < 30; h++ {
			p := New()
			p.SetPen(styles(t, "dark", termenv.TrueColor, false))
			p.SetSize(116, h)
			c := chart.Chart{X: chart.Axis{Label: "α"}, Y: chart.Axis{Label: "ε", Min: 0, Max: 12},
				Series: []chart.Series{{Name: "ε(α)", X: []float64{1, 2, 3}, Y: []float64{12, 3, 4}}}, Rivals: true}
			c.MarkBudget(budget)
			p.SetChart(c)
			if top := p.geo.y.Max; top > 1.4*12 {
				t.Errorf("budget %g in %d rows: an axis to 12 ends at %g", budget, h, top)
			}
		}
	}
}

// Where a label is wider than the plot, words are left out and the number stays whole.
func TestNarrowLabelsKeepTheirNumber(t *testing.T) {
	c := chart.Chart{X: chart.Axis{Label: "x", Max: 1}, Y: chart.Axis{Label: "y", Max: 1}, Square: true,
		Series: []chart.Series{{Name: "numerical", X: []float64{0, 1}, Y: []float64{1, 0}}},
		Marks:  []chart.Mark{{X: 0.5, Y: 0.5, Label: "largest advantage 0.1134", Answer: true}}}
	p := shown(t, c, 98, 17)
	if view := ansi.Strip(p.View()); p.geo.pw-2 >= len(c.Marks[0].Label) || !strings.Contains(view, "advantage 0.1134") {
		t.Errorf("in %d columns:\n%s", p.geo.pw, view)
	}
}

// An area is named by what it is filled with and a curve by its own sign, also if both fall below the axis.
func TestSignsBelowTheAxis(t *testing.T) {
	c := chart.Chart{
		X: chart.Axis{Label: "L", Min: 0, Max: 10}, Y: chart.Axis{Label: "density", Log: true, Min: 1e-3, Max: 1},
		Series: []chart.Series{
			{Name: "on D", X: []float64{0, 10}, Y: []float64{1, 1e-6}},
			{Name: "beyond", X: []float64{5, 10}, Y: []float64{0.5, 1e-6}, Area: true},
		},
	}
	for _, ascii := range []bool{false, true} {
		p := New()
		p.SetPen(styles(t, "mono", termenv.Ascii, ascii))
		p.SetChart(c)
		p.SetSize(100, 20)
		p.View()
		for _, e := range p.labels {
			if got, want := p.endSign(e), p.sign(e.series); got != want {
				t.Errorf("ASCII %t: %s has the sign %q, want %q", ascii, e.name, got, want)
			}
		}
	}
}
