package tour

import (
	"fmt"

	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/text"
)

// Rows is the height of the strip on a screen of a width: the same for every step, so
// that nothing jumps on the way.
func (t *Tour) Rows(w int) int {
	if t == nil || w < layout.MinWidth {
		return 0
	}
	idea, try := 0, 0
	for _, s := range Steps {
		idea = max(idea, len(t.Pen.Wrap(s.Idea, proseWidth(w))))
		try = max(try, len(t.Pen.Wrap(t.tryText(s), proseWidth(w))))
	}
	return 1 + idea + try
}

func proseWidth(w int) int { return max(10, w-4) }

// Strip draws the step in rows of a width above the footer: where one is and the keys,
// what to see, what to press.
func (t *Tour) Strip(w, rows int, home bool) []string {
	if t == nil || rows == 0 {
		return nil
	}
	p, step := t.Pen, Steps[t.at]
	var list []kit.Binding
	for _, b := range t.Table(home).Bindings {
		switch first := b.Keys()[0]; {
		case first == "<" && t.at == 0:
			continue
		case first == ">" && t.at == len(Steps)-1:
			b.SetHelp(first, "finish")
		}
		list = append(list, b)
	}
	if !home {
		list = append(list, kit.Hint("esc", "home"))
	}
	keys, right := t.Hints(w, list...)
	head := p.Line(w).Skip(1).Put(p.Accent, fmt.Sprintf("%s Tour %d/%d  ", p.Glyphs.Select, t.at+1, len(Steps))).Put(p.Title, step.Title)
	out := []string{head.To(w-right-1).Raw(keys, right).String()}
	for _, l := range p.Wrap(step.Idea, proseWidth(w)) {
		out = append(out, p.Line(w).Skip(3).Put(p.Text, l).String())
	}
	for _, l := range p.Wrap(t.tryText(step), proseWidth(w)) {
		out = append(out, p.Line(w).Skip(3).Put(p.Strong, l).String())
	}
	return text.Box(out, w, rows)
}
