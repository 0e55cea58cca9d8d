package variants

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/plot"
)

// columns and rows of the map, odd so that the present values are in the middle. Each place
// is an evaluation.
const columns, rows = 25, 13

// mapWidth is the relative width of the numerical intervals that only colour a place.
const mapWidth = 1e-2

// maxWait is the time after which a map is shown as it grows, from the present values outwards.
const maxWait = 300 * time.Millisecond

// reach is the extent of the map to both sides of the present values, as a factor.
const reach = 8

// grid is ε over two knobs of the selected entry, by the best bound: closed forms at first, then the numerical
// accountant too, first at the place of the cursor and where the budget ends.
type grid struct {
	across, up int // indexes into the knobs
	chosen     bool
	made       jobs.Query[gridWant, surface]
	surface        // the answer to it
	cx, cy     int // the cursor
	certain    jobs.Query[place, accounting.Bound]
	border     jobs.Query[gridWant, []certified]
	of         gridWant                    // what the map that is shown answers, whole or not
	sure       map[[2]int]accounting.Bound // the places that were certified, by column and row

	drawn            plot.Map // as it was drawn last, for the mouse
	left, wide, high int      // where
	top, shown       int      // the first line shown, and how many
}

// place is a place of a map.
type place struct {
	of   gridWant
	x, y int
}

func (g *grid) currentPlace() place { return place{g.made.Of, g.cx, g.cy} }

type gridWant struct {
	scenario   *scenarios.Scenario
	cursor     int
	across, up int
}

// knobs returns the knobs of the entry and the scenario that change the cost.
func knobs(d *document.Document) []document.Knob {
	var list []document.Knob
	for _, k := range d.Knobs(math.NaN()) {
		isBudget := k.Name == document.KnobBudget || k.Symbol == document.BudgetSymbol
		if !isBudget && k.Name != document.KnobAlpha && k.Value > 0 {
			list = append(list, k)
		}
	}
	return list
}

// turn takes the next knob for one side.
func (g *grid) turn(v *Screen, across bool) {
	n := len(knobs(v.Doc))
	if !v.maps || n < 2 {
		return
	}
	side, other := &g.across, g.up
	if !across {
		side, other = &g.up, g.across
	}
	if *side = (*side + 1) % n; *side == other {
		*side = (*side + 1) % n
	}
}

func (g *grid) move(dx, dy int) {
	g.cx, g.cy = max(0, min(len(g.xs)-1, g.cx+dx)), max(0, min(len(g.ys)-1, g.cy+dy))
}

// refresh evaluates every place of the map when the plan, the entry or a knob changed.
func (g *grid) refresh(v *Screen) tea.Cmd {
	list := knobs(v.Doc)
	if len(list) < 2 {
		return nil
	}
	if !g.chosen {
		g.across, g.up, g.chosen = 1, 0, true
		for i, k := range list {
			if k.Name == document.ParamBatch || k.Name == "sampling_rate" { // a training is run once: batch and noise are its knobs
				g.across = i
			}
		}
	}
	g.across, g.up = g.across%len(list), g.up%len(list)
	now, account := gridWant{v.Doc.Scenario(), v.Doc.Cursor(), g.across, g.up}, v.Accountant
	m := surface{x: list[g.across], y: list[g.up]}
	if row, ok := v.Doc.SelectedRow(); ok {
		m.entry = report.EntryName(*row.Entry)
	}
	cmd := g.made.Ask(v.Jobs, jobs.PauseLeft, now, func(ctx context.Context, tell func(surface, error)) {
		m.xs, m.ys = valuesAround(m.x, columns), valuesAround(m.y, rows)
		m.bounds = make([][]accounting.Bound, len(m.ys))
		for j := range m.bounds {
			m.bounds[j] = make([]accounting.Bound, len(m.xs))
		}
		told := time.Now()
		for _, j := range outwards(len(m.ys), m.middleRow()) {
			for _, i := range outwards(len(m.xs), nearest(m.xs, m.x.Value)) {
				s, err := m.plan(now, i, j)
				if err != nil {
					continue
				}
				r, err := account.Evaluate(ctx, s, scenarios.Options{ClosedFormsOnly: true})
				if ctx.Err() != nil {
					return
				}
				if err == nil { // what was told stays as it is
					m.bounds = slices.Clone(m.bounds)
					m.bounds[j] = slices.Clone(m.bounds[j])
					m.bounds[j][i] = limitedBound(r)
				}
				if time.Since(told) > maxWait {
					tell(m, nil)
					told = time.Now()
				}
			}
		}
		m.whole = true
		tell(m, nil)
	})
	return tea.Batch(cmd, g.certify(v), g.certifyBorder(v))
}

// take shows a map that was made, with the cursor at the present values; more of the same map leaves it where it is.
func (g *grid) take(m surface) {
	if g.surface = m; g.of == g.made.Of {
		return
	}
	g.of, g.sure = g.made.Of, map[[2]int]accounting.Bound{}
	g.cx, g.cy = nearest(m.xs, m.x.Value), m.middleRow()
}

// takeCertain keeps what is certain of a place of the map, so that its colour agrees with the text.
func (g *grid) takeCertain(b accounting.Bound) {
	if at := g.certain.Of; at.of == g.made.Of {
		g.sure[[2]int{at.x, at.y}] = b
	}
}

// certify asks the numerical accountant too for the place of the cursor.
func (g *grid) certify(v *Screen) tea.Cmd {
	if !g.made.Fresh() {
		return nil
	}
	account, m, here := v.Accountant, g.surface, g.currentPlace()
	return g.certain.Ask(v.Jobs, jobs.PauseChart, here, func(ctx context.Context, tell func(accounting.Bound, error)) {
		s, err := m.plan(here.of, here.x, here.y)
		if err != nil {
			return // the place has no bound either
		}
		r, err := account.Evaluate(ctx, s, scenarios.Options{})
		if err != nil {
			return
		}
		if b := limitedBound(r); b.Finite() {
			tell(b, nil)
		}
	})
}

// certified is a place of the map with its best bound, the numerical one among them.
type certified struct {
	x, y  int
	bound accounting.Bound
}

// certifyBorder asks the numerical accountant for the places that exceed the budget by closed forms, in every
// column from the cheapest until one exceeds it in truth, and then for all others: the colours say everywhere what the
// text would.
func (g *grid) certifyBorder(v *Screen) tea.Cmd {
	if !g.made.Fresh() || !g.whole {
		return nil
	}
	budget, harm := g.budget(), g.limitsHarm()
	account, m, of := v.Accountant, g.surface, g.made.Of
	return g.border.Ask(v.Jobs, jobs.PauseLeft, of, func(ctx context.Context, tell func([]certified, error)) {
		var found []certified
		for x := range m.xs {
			var places []int
			if budget > 0 {
				places = m.rowsOverBudget(x, budget)
			}
			if harm { // through (ε, δ) nearly all are over: the curve is asked everywhere
				places = allRows(m)
			}
			for _, y := range places {
				s, err := m.plan(of, x, y)
				if err != nil {
					continue
				}
				r, err := account.Evaluate(ctx, s, scenarios.Options{})
				if ctx.Err() != nil {
					return
				}
				if err != nil {
					break
				}
				b := limitedBound(r)
				if !b.Finite() {
					break
				}
				found = append(slices.Clip(found), certified{x, y, b})
				tell(found, nil)
				if !harm && !report.Fits(b, budget) {
					break
				}
			}
		}
		for x := range m.xs {
			for _, y := range allRows(m) {
				if slices.ContainsFunc(found, func(c certified) bool { return c.x == x && c.y == y }) {
					continue
				}
				s, err := m.plan(of, x, y)
				if err != nil {
					continue
				}
				r, err := account.Evaluate(ctx, s, scenarios.Options{Precision: mapWidth})
				if ctx.Err() != nil {
					return
				}
				if err != nil {
					continue
				}
				if b := limitedBound(r); b.Finite() {
					found = append(slices.Clip(found), certified{x, y, b})
				}
			}
			tell(found, nil)
		}
	})
}

// takeBorder keeps what was certified along the border of the map.
func (g *grid) takeBorder(found []certified) {
	if g.border.Of == g.made.Of {
		for _, c := range found {
			g.sure[[2]int{c.x, c.y}] = c.bound
		}
	}
}

// bound returns what is known of a place: certified or, if that was not asked for, by closed forms.
func (g *grid) bound(column, row int) accounting.Bound {
	if b, ok := g.sure[[2]int{column, row}]; ok {
		return b
	}
	return g.bounds[row][column]
}

// click takes the place under the mouse; x and y count from the corner of the map.
func (g *grid) click(x, y int) {
	if x -= g.left; x >= 0 && y >= 0 && x < g.wide && y+g.top < g.high && y < g.shown {
		g.cx, g.cy = g.drawn.Place(x, y+g.top, g.wide, g.high)
	}
}

func (g *grid) apply(v *Screen) error {
	if !g.made.Fresh() || g.bounds[g.cy][g.cx].Method == "" {
		return errors.New("there is no scenario at this place yet")
	}
	s, err := g.plan(g.made.Of, g.cx, g.cy)
	if err != nil {
		return err
	}
	v.Doc.Replace(s, "a place on the map", false)
	v.Say("applied; u takes it back")
	return nil
}
