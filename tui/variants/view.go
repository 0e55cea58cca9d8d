package variants

import (
	"fmt"
	"math"
	"strings"

	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

func (v *Screen) View(focused bool) []string {
	p := v.Pen
	inner, h := draw.Inner(v.W, v.H)
	out := kit.NewWriter(p, inner)
	title := "What if: pinned scenarios"
	switch {
	case v.maps:
		title = v.grid.title(v.W - 6)
		v.grid.write(v, out, h-1)
	case len(v.pins) == 0:
		out.Prose(p.Text, "Nothing is pinned yet. V pins the present scenario as A; change it, and the two stand here side by side.")
		out.Prose(p.Muted, "tab shows a map of ε over two knobs.")
		if v.Refusal == nil && v.shown.Known && v.Doc.Scenario().Releases() {
			out.Gap()
			v.table(out, h-1)
		}
	case !v.shown.Known:
		out.Prose(p.Muted, "computing …")
	default:
		v.table(out, h-1)
	}
	var list []kit.Binding
	switch {
	case v.maps && !v.grid.isDrawn(v):
		return v.DrawFrame(draw.Frame{Title: title, Focus: focused}, out.Lines,
			v.Foot(inner, kit.Hint("tab", "table, map"), kit.Hint("esc", "back")))
	case v.maps:
		list = append(list, kit.Hint("←→↑↓", "place"))
	case len(v.pins) > 1:
		list = append(list, kit.Hint("V", "pin"), kit.Hint("←→", "choose"))
	default:
		list = append(list, kit.Hint("V", "pin"))
	}
	for _, b := range v.Keys().Bindings {
		first := b.Keys()[0]
		ofPins := first == "tab" || len(v.pins) > 0 && first != "n" && first != "N"
		if v.maps && first != "backspace" || !v.maps && ofPins {
			list = append(list, b)
		}
	}
	if len(v.pins) == 0 && !v.maps {
		list = append(list, kit.Hint("esc", "back"))
	}
	foot := v.BusyFoot(inner, v.shown.Busy || v.grid.made.Busy || v.grid.certain.Busy || v.grid.border.Busy, list...)
	return v.DrawFrame(draw.Frame{Title: title, Focus: focused}, out.Lines, foot.String())
}

// minChartRows is the height from which the curves of the variants are worth their rows.
const minChartRows = 6

// table sets the variants side by side, each compared with the first.
func (v *Screen) table(out *kit.Writer, h int) {
	p := out.Pen
	defer out.Old(!v.shown.Fresh())()
	list, chart := v.shown.Answer.list, v.shown.Answer.chart
	first, name := list[0], 14
	for _, a := range first.accuracy {
		name = max(name, min(draw.Width(draw.Clean(a.What))+1, out.W/4))
	}
	column := min(34, (out.W-name)/max(1, len(list)))
	own := min(column, 13) // of the first, which is compared with nothing
	column = min(34, (out.W-name-own)/max(1, len(list)-1))
	row := func(label string, cell func(i int, s variant) (string, draw.Ink)) {
		l := p.Line(out.W).Left(p.Muted, label, name)
		for i, s := range list {
			words, ink := cell(i, s)
			if i == 0 {
				l.Left(ink, words, own)
			} else {
				l.Left(ink, words, column)
			}
		}
		out.Add(l)
	}
	row("", func(i int, s variant) (string, draw.Ink) {
		if i < len(v.pins) && i == v.at {
			return p.Glyphs.Select + " " + s.name, p.Accent
		}
		return "  " + s.name, p.Strong
	})
	row("ε", func(i int, s variant) (string, draw.Ink) {
		a, b := first.result.BestBound(), s.result.BestBound()
		if !b.Finite() {
			return "  n/a", p.Muted
		}
		words, ink := "  "+report.Upper(b.Epsilon), p.Strong
		if budget := s.scenario.Budget.Epsilon; budget > 0 {
			verdict, mark := kit.Verdict(p, b, budget, s.result.IsOpen())
			words, ink = words+" "+mark, verdict
		}
		if a.Finite() && i > 0 {
			words += relativeChange(a.Epsilon, b.Epsilon, column-draw.Width(words))
		}
		return words, ink
	})
	row("δ", func(_ int, s variant) (string, draw.Ink) {
		return "  " + report.FormatGiven(s.scenario.DeltaOfEpsilon()), p.Text
	})
	row("bound", func(_ int, s variant) (string, draw.Ink) {
		return "  " + s.result.BestBound().Method.Name(), p.Muted
	})
	for n, a := range first.accuracy {
		if a.Reason != "" || n >= 8 {
			continue
		}
		row(draw.Cut(draw.Clean(a.What), name-1), func(i int, s variant) (string, draw.Ink) {
			if n >= len(s.accuracy) || s.accuracy[n].Reason != "" || s.accuracy[n].What != a.What {
				return "  –", p.Muted
			}
			words := "  ±" + report.Upper(s.accuracy[n].Accuracy.Each)
			if i > 0 {
				words += relativeChange(a.Accuracy.Each, s.accuracy[n].Accuracy.Each, column-draw.Width(words))
			}
			return words, p.Text
		})
	}
	if len(list) > 1 {
		out.Gap()
	}
	for _, s := range list[1:] {
		changes(out, first, s)
	}
	if room := h - len(out.Lines) - 2; room >= minChartRows && len(chart.Series) > 0 {
		out.Gap()
		out.Add(p.Line(out.W).Put(p.Title, chart.Title))
		out.Lines = append(out.Lines, v.plot.Draw(p, out.W, room)...)
	}
}

// changes says in one line what differs from the first.
func changes(out *kit.Writer, a, b variant) {
	if a.result == nil || b.result == nil {
		return
	}
	var says []string
	entry := ""
	for _, c := range scenarios.NewVersus(a.scenario, b.scenario, a.result, b.result).Changes {
		switch {
		case c.Kind == scenarios.Added:
			says = append(says, "added "+report.ChangedEntry(c))
		case c.Kind == scenarios.Removed:
			says = append(says, "without "+report.ChangedEntry(c))
		default:
			where := ""
			if c.Entry != "" && c.Entry != entry {
				entry, where = c.Entry, "entry "+c.Entry+" "
			}
			from, to := report.ChangeValues(c)
			says = append(says, fmt.Sprintf("%s%s %s → %s", where, strings.ReplaceAll(c.Field, "_", " "), from, to))
		}
	}
	if len(says) == 0 {
		says = []string{"the same"}
	}
	if len(says) > 4 {
		says = append(says[:4], fmt.Sprintf("and %d more changes", len(says)-4))
	}
	out.Prose(out.Pen.Muted, a.name+" to "+b.name+": "+strings.Join(says, "; "))
}

// relativeChange returns how much less or more b is than a, " (24 % less)", as far as there is room for it.
func relativeChange(a, b float64, room int) string {
	r := b / a
	switch {
	case !(a > 0) || math.IsNaN(r) || math.IsInf(r, 0):
		return ""
	case math.Abs(r-1) < 5e-4:
		return kit.Widest(room, " (the same)", " (same)", "")
	case r >= 3:
		return kit.Widest(room, fmt.Sprintf(" (%.1f times)", r), fmt.Sprintf(" ×%.1f", r), "")
	case r > 1:
		return kit.Widest(room, " ("+report.Percent(r-1)+" more)", " +"+report.Percent(r-1), "")
	default:
		return kit.Widest(room, " ("+report.Percent(1-r)+" less)", " −"+report.Percent(1-r), "")
	}
}
