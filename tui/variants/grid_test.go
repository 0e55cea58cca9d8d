package variants

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/gauge"
	"epsiloscope/internal/stand"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
)

// What the map says of a place is not cut on a narrow screen.
func TestMapCutsNothing(t *testing.T) {
	v, _ := screen(t, "welcome")
	st := stand.New(t, v.Shell, v, 80, 21)
	v.maps = true
	st.Run(v.Refresh())
	st.Run(v.Refresh())
	for _, line := range strings.Split(st.View(), "\n") {
		says := strings.Contains(line, " by ") && !strings.Contains(line, "What if")
		if says && (strings.Contains(line, "…") || !strings.Contains(line, "by RDP)")) {
			t.Errorf("it says %q", line)
		}
	}
}

// Where the names of all bands have no room, that of the budget is shorter, and none is cut.
func TestMapNamesItsBandsWhole(t *testing.T) {
	v, st := screen(t, "welcome")
	v.maps = true
	st.Run(v.Refresh())
	for w, want := range map[int]string{80: "to 3, the budget", 60: "to 3, budget"} {
		st.Size(w, 18)
		if view := st.View(); !strings.Contains(view, want) || !strings.Contains(view, " more ") {
			t.Errorf("%d cells: no %q, or none of what is more:\n%s", w, want, view)
		}
	}
}

// What the map says of a place is what an evaluation there says, and enter goes there.
func TestMapTellsTheTruth(t *testing.T) {
	v, st := screen(t, "dpsgd-tfprivacy")
	v.maps = true
	st.Run(v.Refresh())
	g := &v.grid
	if g.x.Name != "batch" || g.y.Name != "noise_multiplier" || len(g.bounds) != len(g.ys) {
		t.Fatalf("%s, %s, %d rows", g.x.Name, g.y.Name, len(g.bounds))
	}
	st.Press("right", "right", "down", "down")
	st.Run(g.certify(v)) // TestMapAgreesWithTheText asks for all places
	told := g.certain.Answer
	view := st.View()
	if told.Epsilon > g.bounds[g.cy][g.cx].Epsilon {
		t.Errorf("certified %v, by closed forms %v", told.Epsilon, g.bounds[g.cy][g.cx].Epsilon)
	}
	cost := "the whole costs ε " + report.Upper(told.Epsilon) + " by " + report.TheoremPhrase(told.Method)
	if !strings.Contains(view, cost) || !strings.Contains(view, ", the budget") {
		t.Errorf("no %s in\n%s", report.Upper(told.Epsilon), view)
	}
	batch, z := g.xs[g.cx], g.ys[len(g.ys)-1-g.cy]
	st.Press("enter")
	e := v.Doc.Scenario().Stack[0]
	if e.Values["batch"].Number != batch || e.Values["noise_multiplier"].Number != z {
		t.Errorf("%v, want B %v and z %v", e.Values, batch, z)
	}
	r, err := scenarios.Evaluate(t.Context(), v.Doc.Scenario(), scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var found accounting.Bound
	for _, b := range r.Bounds {
		if b.Method == told.Method {
			found = b
		}
	}
	if found.Epsilon != told.Epsilon {
		t.Errorf("the map says %v, an evaluation %v", told.Epsilon, found.Epsilon)
	}
}

// A place has the values that the map writes beside it, whichever knobs are chosen. The steps
// of a training follow its batch when that is turned, which must not move them off their row.
func TestPlacesHaveTheirValues(t *testing.T) {
	for _, name := range []string{"dpsgd-tfprivacy", "dp-sgd", "batches-truncated", "hyperparameter-trials", "welcome"} {
		v, _ := screen(t, name)
		list, want := knobs(v.Doc), gridWant{scenario: v.Doc.Scenario()}
		for i, x := range list {
			for j, y := range list {
				m := surface{x: x, y: y, xs: valuesAround(x, columns), ys: valuesAround(y, rows)}
				s, err := m.plan(want, 3, 4)
				if i == j || err != nil { // there is no such plan
					continue
				}
				for _, k := range knobs(document.New(s)) {
					if k.Name == x.Name && k.Value != m.xs[3] || k.Name == y.Name && k.Value != m.valueAt(4) {
						t.Errorf("%s: %s is %v at the place %v, %v of %s and %s", name, k.Name, k.Value, m.xs[3], m.valueAt(4), x.Name, y.Name)
					}
				}
			}
		}
	}
}

// The cursor stands on the line of its value.
func TestCursorIsBesideItsValue(t *testing.T) {
	v, st := screen(t, "welcome")
	v.maps = true
	st.Run(v.Refresh())
	for h := 18; h < 60; h += gauge.Cases(6, 1) {
		st.Size(200, h)
		for v.grid.cy = range rows {
			value := " " + report.Short(v.grid.valueAt(v.grid.cy)) + " "
			for _, line := range strings.Split(st.View(), "\n") {
				if strings.Contains(line, "●") && !strings.Contains(line, value) {
					t.Errorf("%d rows, at %s: %s", h, value, line)
				}
			}
		}
	}
}

// On the lowest screen the map gives way to its axis and to what the place costs.
func TestLowMapSaysWhatItCosts(t *testing.T) {
	v, st := screen(t, "welcome")
	v.maps = true
	st.Run(v.Refresh())
	st.Size(60, 16)
	for range rows {
		view := st.View()
		for _, want := range []string{"●", "to 1.5", " K", "▸ K "} {
			if !strings.Contains(view, want) {
				t.Fatalf("no %q at row %d:\n%s", want, v.grid.cy, view)
			}
		}
		for y, line := range strings.Split(view, "\n") {
			if at := strings.Index(line, "●"); at >= 0 {
				was := v.grid.cy
				click := tea.MouseMsg{Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
				v.HandleMouse(draw.Width(line[:at]), y, click)
				if v.grid.cy != was {
					t.Errorf("a click on row %d takes row %d", was, v.grid.cy)
				}
			}
		}
		st.Press("up")
		st.Run(v.Refresh())
	}
}

// A click takes the place under it, and the middle of every place has the band of its own bound.
func TestMapTakesTheMouse(t *testing.T) {
	v, st := screen(t, "welcome")
	v.maps = true
	st.Run(v.Refresh())
	lines, checked := strings.Split(st.View(), "\n"), 0
	for x := range v.grid.xs {
		for y := range v.grid.ys {
			cx, cy := v.grid.drawn.Cell(x, y, v.grid.wide, v.grid.high)
			cx, cy = cx+v.grid.left+2, cy-v.grid.top+1
			v.HandleMouse(cx, cy, tea.MouseMsg{Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			if v.grid.cx != x || v.grid.cy != y {
				t.Fatalf("a click on place %d, %d takes %d, %d", x, y, v.grid.cx, v.grid.cy)
			}
			sign := []rune(lines[cy])[cx]
			if band := strings.IndexRune("·░▒▓█", sign); band >= 0 { // no label
				checked++
				if over := v.grid.bound(x, y).Epsilon > 3; over != strings.ContainsRune("▓█", sign) {
					t.Errorf("place %d, %d with ε = %g has %c", x, y, v.grid.bound(x, y).Epsilon, sign)
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("%d places checked", checked)
	}
}

// The lines of the picture pass between a place below their ε and one above.
func TestContours(t *testing.T) {
	v, st := screen(t, "welcome")
	v.maps = true
	st.Run(v.Refresh())
	c, g := v.grid.contours(), &v.grid
	if len(c.Series) < 3 {
		t.Fatalf("%d lines", len(c.Series))
	}
	for _, s := range c.Series {
		_, level, _ := strings.Cut(strings.TrimSuffix(s.Name, ", the budget"), " = ")
		value, err := numeral.Parse(level)
		if err != nil {
			t.Fatal(err)
		}
		for x, y := range s.Y {
			if math.IsNaN(y) {
				continue
			}
			for j := 1; j < len(g.ys); j++ {
				if g.ys[j-1] < y && y < g.ys[j] {
					lo, hi := g.bounds[len(g.ys)-j][x].Epsilon, g.bounds[len(g.ys)-1-j][x].Epsilon
					if lo > value || hi < value {
						t.Errorf("%s at %v: between %v and %v", s.Name, g.xs[x], lo, hi)
					}
				}
			}
		}
	}
}

// Every place has the colour of what the text would say of it: where closed forms exceed the budget and the
// numerical accountant does not, the place fits.
func TestMapAgreesWithTheText(t *testing.T) {
	v, st := screen(t, "welcome")
	v.maps = true
	st.Run(v.Refresh())
	st.Run(v.Refresh())
	g, budget, flipped := &v.grid, v.Doc.Scenario().Budget.Epsilon, 0
	for x := 1; x < len(g.xs); x += 6 {
		for y := range g.ys {
			closed, told := g.bounds[y][x], g.bound(x, y)
			if closed.Epsilon < 0.8*budget || closed.Epsilon > 1.6*budget {
				continue
			}
			s, err := g.plan(g.made.Of, x, y)
			if err != nil {
				t.Fatal(err)
			}
			r, err := scenarios.Evaluate(t.Context(), s, scenarios.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if report.Fits(told, budget) != report.Fits(r.BestBound(), budget) {
				t.Errorf("K %v, ε %v: the map says %v, an evaluation %v", g.xs[x], g.valueAt(y), told.Epsilon, r.BestBound().Epsilon)
			}
			if report.Fits(closed, budget) != report.Fits(told, budget) {
				flipped++
			}
		}
	}
	if flipped == 0 {
		t.Error("no place was certified to fit")
	}
}

// The map of a budget that limits a harm shows that harm, by the certified curve: at the present values it is what an
// evaluation says.
func TestMapOfAHarm(t *testing.T) {
	v, st := screen(t, "meta-urls-harm")
	v.maps = true
	st.Run(v.Refresh())
	st.Run(v.Refresh())
	r, err := scenarios.Evaluate(t.Context(), v.Doc.Scenario(), scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, view := &v.grid, st.View()
	if told := g.certain.Answer; told.Epsilon != r.Harm.LeastUpper(r.Bounds) || g.budget() != 0.03 || !g.fits(told) {
		t.Errorf("%v of %v, want %v", told, g.budget(), r.Harm)
	}
	for _, want := range []string{"TPR at FPR 0.01", "the whole has TPR at FPR 0.01 0.02591 by the numerical", ", the budget"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is missing in\n%s", want, view)
		}
	}
	for _, k := range knobs(v.Doc) {
		if k.Symbol == document.BudgetSymbol {
			t.Error("the budget is a knob of the map")
		}
	}
}

// Where there is nothing to map the screen says why and offers no place; the colours of a harm end at 1.
func TestMapWithoutPlaces(t *testing.T) {
	v, st := screen(t, "welcome")
	v.maps = true
	v.Doc = document.New(scenarios.New())
	if view := st.View(); !strings.Contains(view, "a adds the first mechanism") || strings.Contains(view, "place") {
		t.Errorf("of an empty stack:\n%s", view)
	}
	rates, err := scenarios.Parse("", []byte("version: 1\nbudget: {tpr: 0.8, fpr: 0.01, delta: 1e-5}\nstack: [{mechanism: gaussian, sigma: 0.3}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	v, st = screenOf(t, rates)
	v.maps = true
	st.Run(v.Refresh())
	if view := st.View(); !strings.Contains(view, " to 0.8, the budget") || !strings.Contains(view, " to 1 ") || strings.Contains(view, "1.6") {
		t.Errorf("a rate above 1:\n%s", view)
	}
	v.Refusal = errors.New("σ must be above 0")
	if view := st.View(); !strings.Contains(view, "σ must be above 0") || strings.Contains(view, "apply") {
		t.Errorf("refused:\n%s", view)
	}
}

// A map that takes long is shown as it grows, the present values first: what comes later leaves the cursor and what was
// certified where they are.
func TestMapGrows(t *testing.T) {
	if got := outwards(5, 1); !slices.Equal(got, []int{1, 0, 2, 3, 4}) {
		t.Errorf("from the second of five: %v", got)
	}
	m := surface{xs: []float64{1, 2, 4}, ys: []float64{1, 3, 9}, x: document.Knob{Value: 2}, y: document.Knob{Value: 9}}
	g := grid{}
	g.made.Of = gridWant{scenario: &scenarios.Scenario{}}
	if g.take(m); g.cx != 1 || g.cy != 0 {
		t.Errorf("the cursor is at %d, %d", g.cx, g.cy)
	}
	g.move(+1, +1)
	g.sure[[2]int{2, 1}] = accounting.Bound{Epsilon: 1}
	m.whole = true
	if g.take(m); g.cx != 2 || g.cy != 1 || len(g.sure) != 1 || !g.whole {
		t.Errorf("more of the map moved the cursor to %d, %d and left %d certain places", g.cx, g.cy, len(g.sure))
	}
}
