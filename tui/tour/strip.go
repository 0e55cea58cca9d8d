package tour

import (
	"fmt"

	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/text"
)

// Rows is the height of the strip on a screen w cells wide, the same for every step, so that
// nothing jumps.
func (t *Tour) Rows(w int) int {
	if t == nil || w < layout.MinWidth {
		return 0
	}
	idea, try := 0, 0
	for _, s := range Steps {
		idea = max(idea, len(t.Pen.Wrap(s.Idea, w-4)))
		try = max(try, len(t.Pen.Wrap(t.tryText(s), w-4)))
	}
	return 1 + idea + try
}

// Strip draws the step above the footer: its number and the keys, what to see, what to press.
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
	out := kit.NewWriter(p, w-1, head.To(w-right-1).Raw(keys, right).String())
	out.Inset(3, p.Text, step.Idea)
	out.Inset(3, p.Strong, t.tryText(step))
	return text.Box(out.Lines, w, rows)
}
