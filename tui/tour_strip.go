package tui

import (
	"fmt"

	"epsiloscope/tui/layout"
	"epsiloscope/tui/text"
)

// tourRows is the height of the strip: the same for every step, so that nothing
// jumps on the way.
func (a *App) tourRows() int {
	if a.tour == nil || a.w < layout.MinWidth {
		return 0
	}
	idea, try := 0, 0
	for _, s := range tourSteps {
		idea = max(idea, len(text.Wrap(s.idea, a.tourWidth())))
		try = max(try, len(text.Wrap(a.tryText(s), a.tourWidth())))
	}
	return 1 + idea + try
}

func (a *App) tourWidth() int { return max(10, a.w-4) }

// tourStrip draws the step above the footer: where one is and the keys, what to
// see, what to press.
func (a *App) tourStrip() []string {
	rows := a.lay.Notice.H
	if a.tour == nil || rows == 0 {
		return nil
	}
	p, step := a.pen, tourSteps[a.tour.at]
	keys := p.Line(a.w)
	for _, b := range a.tourTable(a.screen == 0).Bindings {
		words := b.Foot
		if b.Keys[0] == ">" && a.tour.at == len(tourSteps)-1 {
			words = "finish"
		}
		if b.Keys[0] == "<" && a.tour.at == 0 {
			continue
		}
		if keys.At() > 0 {
			keys.Skip(2)
		}
		keys.Put(p.Key, b.Keys[0]).Put(p.Muted, " "+words)
	}
	if a.screen != 0 {
		keys.Skip(2).Put(p.Key, "esc").Put(p.Muted, " home")
	}
	head := p.Line(a.w).Skip(1).Put(p.Accent, fmt.Sprintf("%s Tour %d/%d  ", p.Glyphs.Select, a.tour.at+1, len(tourSteps))).Put(p.Title, step.title)
	right := keys.At()
	out := []string{head.To(a.w-right-1).Raw(keys.Unfilled(), right).String()}
	for _, l := range text.Wrap(step.idea, a.tourWidth()) {
		out = append(out, p.Line(a.w).Skip(3).Put(p.Text, l).String())
	}
	for _, l := range text.Wrap(a.tryText(step), a.tourWidth()) {
		out = append(out, p.Line(a.w).Skip(3).Put(p.Strong, l).String())
	}
	return text.Box(out, a.w, rows)
}
