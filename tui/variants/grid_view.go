package variants

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/plot"
)

func (g *grid) title(room int) string {
	if g.bounds == nil {
		return "What if: ε over two knobs"
	}
	short := fmt.Sprintf("What if: %s over %s and %s", g.symbol(), g.x.Symbol, g.y.Symbol)
	named := short + " of “" + draw.Clean(g.entry) + "”"
	return kit.Widest(room, named+", by the best bound", named, short)
}

// isDrawn reports whether there is a map, whose places and knobs can be chosen.
func (g *grid) isDrawn(v *Screen) bool { return v.Refusal == nil && len(knobs(v.Doc)) >= 2 }

func (g *grid) write(v *Screen, out *kit.Writer, h int) {
	p := out.Pen
	switch {
	case v.Refusal != nil:
		out.Refusal(v.Shell)
		return
	case len(v.Doc.Scenario().Stack) == 0:
		out.Prose(p.Muted, "Nothing is released yet: 0 goes home, where a adds the first mechanism.")
		return
	case len(knobs(v.Doc)) < 2:
		out.Prose(p.Muted, "The selected entry has no two knobs to map: select another on home.")
		return
	case len(g.xs) == 0 || len(g.ys) == 0:
		out.Prose(p.Muted, "computing …")
		return
	}
	budget := g.budget()
	g.drawn = plot.Map{Budget: accounting.BudgetLimit(budget), X: g.cx, Y: g.cy}
	if g.limitsHarm() {
		g.drawn.Budget = budget
	}
	m, label := &g.drawn, 0
	for j := range g.bounds {
		line := make([]float64, len(g.xs))
		for i := range g.bounds[j] {
			b := g.bound(i, j) // what the text says of it
			if line[i] = b.Epsilon; b.Method == "" || !b.Finite() {
				line[i] = math.NaN()
			}
		}
		m.Rows = append(m.Rows, line)
		label = max(label, draw.Width(report.Short(g.ys[j])))
	}
	label = max(label, draw.Width(g.y.Symbol))
	w, n := max(len(g.xs), out.W-label-2-draw.Width(g.x.Symbol)), len(g.xs)
	g.left, g.wide, g.high = label+1, w, max(len(g.ys), h-4)
	_, here := m.Cell(0, g.cy, w, g.high)
	g.shown = min(g.high, max(1, h-3)) // on a low screen, around the cursor
	g.top = kit.Window(g.top, here, g.high, g.shown)
	lines := strings.Split(m.View(p, w, g.high), "\n")
	for i := g.top; i < g.top+g.shown; i++ {
		_, row := m.Place(0, i, w, g.high)
		name, ink := "", p.Muted
		if _, middle := m.Cell(0, row, w, g.high); i == middle && (row%2 == 0 || row == g.cy) {
			name = report.Short(g.valueAt(row))
		}
		if row == g.cy {
			ink = p.Accent
		}
		if i == g.top && name == "" { // the axis is named at its end, as the other is
			name, ink = g.y.Symbol, p.Text
		}
		out.Add(p.Line(out.W).Right(ink, name, label).Skip(1).Raw(lines[i], w))
	}
	axis, widest := p.Line(out.W), 0
	for _, x := range g.xs {
		widest = max(widest, draw.Width(report.Short(x)))
	}
	for i := 0; i < n; i += (widest+2)*n/w + 1 { // two cells apart, and all as far
		name := report.Short(g.xs[i])
		middle, _ := m.Cell(i, 0, w, g.high)
		if at := max(0, middle-(draw.Width(name)-1)/2); at+draw.Width(name) <= w {
			axis.FillTo(label+1+at).Put(p.Muted, name)
		}
	}
	out.Add(axis.FillTo(label+1+w).Put(p.Text, " "+g.x.Symbol))
	g.writeCost(out, budget)
	if budget > 0 {
		legend := p.Line(out.W)
		for _, marked := range []string{", the budget", ", budget", ""} { // the first with which all is told
			if legend = p.Line(out.W); g.writeBands(p, legend, budget, marked) {
				break
			}
		}
		out.Add(legend)
	}
}

// writeBands names the bands of the map, the last of those that fit marked; false if there is no room for all of them.
func (g *grid) writeBands(p *draw.Pen, l *draw.Line, budget float64, marked string) bool {
	l.Put(p.Muted, g.symbol())
	bands := plot.Bands(p.Glyphs)
	for i, s := range bands {
		words, last := " to "+report.FormatGiven(s.To*budget), i == len(bands)-1
		switch {
		case g.limitsHarm() && s.To > 1 && s.To*budget >= 1: // it is a probability
			words, last = " to 1", true
		case last:
			words = " more"
		case s.To == 1:
			words += marked
		}
		if l.Room() < 3+draw.Width(words) {
			return false
		}
		ink, sign := *s.Ink(p), string(s.Rune)
		if p.FineColours() && !p.Glyphs.ASCII {
			ink, sign = *g.drawn.Tint(p, i).Ink, "█"
		}
		l.Skip(2).Put(ink, sign).Put(p.Muted, words)
		if last {
			break
		}
	}
	return true
}

// writeCost says what the plan at the cursor costs: certified once that is known.
func (g *grid) writeCost(out *kit.Writer, budget float64) {
	p, b := out.Pen, g.bounds[g.cy][g.cx]
	line := p.Line(out.W).Put(p.Accent, p.Glyphs.Select+" ").
		Put(p.Text, fmt.Sprintf("%s %s, %s %s: ", g.x.Symbol, report.Short(g.xs[g.cx]), g.y.Symbol, report.Short(g.valueAt(g.cy))))
	closed, sure := b, g.certain.Known && g.certain.Of == g.currentPlace()
	if sure {
		b = g.certain.Answer
	}
	if b.Method == "" || !b.Finite() {
		words := "no bound"
		if b.Method == "" && !g.whole {
			words = "computing …"
		}
		out.Add(line.Put(p.Muted, words))
		return
	}
	ink, verdict := p.Strong, ""
	switch {
	case budget > 0 && g.fits(b) && len(g.made.Of.scenario.OpenSensitivities()) > 0:
		ink, verdict = p.Warn, ", fits ?"
	case budget > 0 && g.fits(b):
		ink, verdict = p.Winner, ", fits "+p.Glyphs.Tick
	case budget > 0:
		ink, verdict = p.Over, ", "+p.Glyphs.Over
	}
	cost, remark, quiet := g.symbol()+" "+report.Upper(b.Epsilon)+" by ", "", p.Muted
	verb := "costs"
	if g.limitsHarm() {
		verb = "has"
	}
	switch {
	case !sure:
		remark, quiet = "  certifying …", p.Stale
	case closed.Method != b.Method && closed.Finite():
		remark = p.Spell("  (" + report.Upper(closed.Epsilon) + " by " + closed.Method.Name() + ")")
	}
	whole := p.Spell("the whole " + verb + " " + cost + report.TheoremPhrase(b.Method) + verdict)
	line.Put(ink, kit.Widest(line.Room()-draw.Width(remark), whole, p.Spell(cost+b.Method.Name()+verdict)))
	out.Add(line.Put(quiet, kit.Widest(line.Room(), remark, "")))
}
