package variants

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/document"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/plot"
	"epsiloscope/tui/text"
)

// columns and rows of the map: each place is an evaluation.
const columns, rows = 24, 12

// reach is how far the map goes to both sides of what is set, as a factor.
const reach = 8

// grid is ε over two knobs of the selected entry, by the best closed-form bound.
type grid struct {
	across, up int // indexes into the knobs
	chosen     bool
	job        jobs.Job
	asked      gridWant
	drawn      gridWant
	xs, ys     []float64
	x, y       document.Knob
	bounds     [][]accounting.Bound // by row from the top; the zero bound where there is none
	cx, cy     int
}

type gridWant struct {
	scenario   *scenarios.Scenario
	cursor     int
	across, up int
}

func bestOf(r *scenarios.Result) (accounting.Bound, bool) {
	if r == nil || r.Best < 0 {
		return accounting.Bound{}, false
	}
	return r.Bounds[r.Best], true
}

// knobs are those of the entry and the scenario that change the cost.
func knobs(d *document.Document) []document.Knob {
	var list []document.Knob
	for _, k := range d.Knobs(math.NaN()) {
		if k.Name != document.KnobBudget && k.Name != document.KnobAlpha && k.Value > 0 {
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
			if k.Name == "sampling_rate" { // a training is run once: batch and noise are its knobs
				g.across = i
			}
		}
	}
	g.across, g.up = g.across%len(list), g.up%len(list)
	now := gridWant{v.Doc.Scenario(), v.Doc.Cursor(), g.across, g.up}
	if now == g.asked {
		return nil
	}
	g.asked = now
	x, y := list[g.across], list[g.up]
	xs, ys := around(x, columns), around(y, rows)
	account := v.Accountant
	return v.Jobs.Start(&g.job, jobs.PauseLeft, func(ctx context.Context, emit func(tea.Msg)) {
		bounds := make([][]accounting.Bound, len(ys))
		for j := range ys {
			bounds[j] = make([]accounting.Bound, len(xs))
			for i := range xs {
				s, err := at(now, x.Name, xs[i], y.Name, ys[len(ys)-1-j])
				if err != nil {
					continue
				}
				r, err := account.Evaluate(ctx, s, scenarios.Options{Closed: true})
				if ctx.Err() != nil {
					return
				}
				if err == nil {
					bounds[j][i], _ = bestOf(r)
				}
			}
		}
		emit(jobs.Found(func() {
			g.drawn, g.xs, g.ys, g.x, g.y, g.bounds = now, xs, ys, x, y, bounds
			g.cx, g.cy = nearest(xs, x.Value), len(ys)-1-nearest(ys, y.Value)
		}))
	})
}

// at is the plan with two knobs set.
func at(of gridWant, xName string, x float64, yName string, y float64) (*scenarios.Scenario, error) {
	d := document.New(of.scenario)
	d.Select(of.cursor)
	for name, value := range map[string]float64{xName: x, yName: y} {
		for _, k := range knobs(d) {
			if k.Name == name {
				if err := k.Put(value); err != nil {
					return nil, err
				}
			}
		}
	}
	return d.Scenario(), nil
}

// around are values of a knob to both sides of what is set, in even steps of its logarithm,
// with few digits; those it does not allow are left out.
func around(k document.Knob, n int) []float64 {
	var list []float64
	for i := range n {
		t := 2*float64(i)/float64(n-1) - 1
		x := kit.RoundTo(k.Value*math.Pow(reach, t), 3)
		if i == n/2 {
			x = k.Value
		}
		if problem := k.Param.CheckNumber(x); problem != "" {
			if x = math.Round(x); k.Param.CheckNumber(x) != "" {
				continue
			}
		}
		if m := len(list); m == 0 || x > list[m-1] {
			list = append(list, x)
		}
	}
	return list
}

func nearest(xs []float64, x float64) int {
	best := 0
	for i := range xs {
		if math.Abs(xs[i]-x) < math.Abs(xs[best]-x) {
			best = i
		}
	}
	return best
}

func (g *grid) apply(v *Screen) error {
	if g.bounds == nil || g.drawn != g.asked || g.bounds[g.cy][g.cx].Method == "" {
		return errors.New("there is no plan at this place yet")
	}
	s, err := at(g.drawn, g.x.Name, g.xs[g.cx], g.y.Name, g.ys[len(g.ys)-1-g.cy])
	if err != nil {
		return err
	}
	v.Doc.Replace(s, "a place on the map", false)
	v.Say("applied; u takes it back")
	return nil
}

func (g *grid) title() string {
	if g.bounds == nil {
		return "What if: ε over two knobs"
	}
	return fmt.Sprintf("What if: ε over %s and %s, by the best closed-form bound", g.x.Symbol, g.y.Symbol)
}

func (g *grid) write(v *Screen, out *kit.Writer, h int) {
	p := out.Pen
	switch {
	case len(knobs(v.Doc)) < 2:
		out.Prose(p.Muted, "The selected entry has no two knobs to map: select another on home.")
		return
	case g.bounds == nil || len(g.xs) == 0 || len(g.ys) == 0:
		out.Prose(p.Muted, "computing …")
		return
	}
	budget := g.drawn.scenario.Budget.Epsilon
	m := plot.Map{Budget: budget, X: g.cx, Y: g.cy}
	label := 0
	for j := range g.bounds {
		line := make([]float64, len(g.xs))
		for i, b := range g.bounds[j] {
			if line[i] = b.Epsilon; b.Method == "" || !b.Finite() {
				line[i] = math.NaN()
			}
		}
		m.Rows = append(m.Rows, line)
		label = max(label, text.Width(report.Short(g.ys[j])))
	}
	deep := max(1, (h-4)/len(g.ys))
	wide := max(1, min(6, (out.W-label-2)/len(g.xs)))
	lines := strings.Split(m.View(*p.Styles, wide, deep), "\n")
	for i, l := range lines {
		name := ""
		if i%deep == 0 && (i/deep%2 == 0 || i/deep == g.cy) {
			name = report.Short(g.ys[len(g.ys)-1-i/deep])
		}
		ink := p.Muted
		if i/deep == g.cy {
			ink = p.Accent
		}
		out.Add(p.Line(out.W).Right(ink, name, label).Skip(1).Raw(l, wide*len(g.xs)))
	}
	axis := p.Line(out.W).Skip(label + 1)
	for i := 0; i < len(g.xs); i++ {
		name := report.Short(g.xs[i])
		if at := label + 1 + i*wide; axis.At() <= at && axis.At()+text.Width(name) < label+1+wide*len(g.xs)+8 {
			axis.To(at).Put(p.Muted, name).Skip(2)
		}
	}
	out.Add(axis.Put(p.Text, " "+g.x.Symbol))
	b := g.bounds[g.cy][g.cx]
	words := fmt.Sprintf("%s %s, %s %s: ", g.x.Symbol, report.Short(g.xs[g.cx]), g.y.Symbol, report.Short(g.ys[len(g.ys)-1-g.cy]))
	line := p.Line(out.W).Put(p.Accent, p.Glyphs.Select+" ").Put(p.Text, words)
	switch {
	case b.Method == "" || !b.Finite():
		line.Put(p.Muted, "no bound")
	case budget <= 0:
		line.Put(p.Strong, "ε "+report.Upper(b.Epsilon)+" by "+b.Method.Name())
	case report.Fits(b, budget):
		line.Put(p.Winner, "ε "+report.Upper(b.Epsilon)+" by "+b.Method.Name()+", fits "+p.Glyphs.Tick)
	default:
		line.Put(p.Over, "ε "+report.Upper(b.Epsilon)+" by "+b.Method.Name()+", "+p.Glyphs.Over)
	}
	out.Add(line)
	if budget > 0 {
		legend := p.Line(out.W).Put(p.Muted, "ε")
		shades := plot.Shades(p.Glyphs)
		for i, s := range shades {
			words := " to " + report.Short(s.To*budget)
			if i == len(shades)-1 {
				words = " more"
			}
			legend.Put(p.Text, "  "+string(s.Rune)).Put(p.Muted, words)
		}
		out.Add(legend.Put(p.Text, "  "+string(plot.Border(p.Glyphs))).Put(p.Muted, " the budget ends"))
	}
}
