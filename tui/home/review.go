package home

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios/review"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// judge reviews the scenario once its result is final. What other answers cost is left to the screen of the review.
func (h *Home) judge() tea.Cmd {
	if h.Pending || h.Result == nil {
		return nil
	}
	s, r := h.Doc.Scenario(), h.Result
	of, changed := h.stateWith(0), h.Doc.Dirty()
	return h.review.Ask(h.Jobs, jobs.PauseLeft, of, func(ctx context.Context, tell func(*review.Review, error)) {
		tell(review.Quick(ctx, s, r, review.Options{Changed: changed}))
	})
}

// Review returns the review of the scenario on the screen; false until it is known.
func (h *Home) Review() (*review.Review, bool) {
	if !h.review.Fresh() || h.review.Err != nil || h.review.Of != h.stateWith(0) {
		return nil, false
	}
	return h.review.Answer, true
}

// ReviewLine returns the line below the header: the key of the screen, the verdict, how many points are wrong or asked,
// and what the first of them are if there is room.
func (h *Home) ReviewLine(w int) string {
	p := h.Pen
	l := p.Line(w).Skip(1)
	if key, n := h.Hints(w, kit.Hint("r", "review")); n > 0 {
		l.Raw(key, n)
	} else { // the key has another action
		l.Put(p.Muted, "review")
	}
	l.Put(p.Muted, ": ")
	r := h.review.Answer
	switch {
	case h.Refusal != nil:
		return l.Put(p.Over, "the scenario cannot be evaluated").String()
	case !h.Doc.Scenario().Releases():
		return l.Put(p.Muted, "nothing is released yet").String()
	case r == nil || h.review.Of.doc != h.Doc:
		return l.Put(p.Stale, "…").String()
	}
	_, fresh := h.Review()
	ink := func(of draw.Ink) draw.Ink {
		if !fresh {
			return p.Stale
		}
		return of
	}
	l.Put(ink(kit.VerdictInk(p, r.Verdict)), r.Verdict.Words())
	for _, sign := range []review.Sign{review.Wrong, review.Ask} {
		if n := r.Count(sign); n > 0 {
			l.Put(p.Muted, " · ").Put(ink(kit.SignInk(p, sign)), fmt.Sprintf("%s %d", kit.SignMark(p, sign), n))
		}
	}
	for _, q := range r.Questions() {
		says := string(q.Name)
		if other := sheet.OtherEpsilon(q); other != "" {
			says += " (ε = " + other + ")"
		}
		if text := report.Plain(q.Says); text != "" {
			says += ": " + text
		}
		if draw.Width(p.Spell(says))+3 > l.Room() {
			break
		}
		l.Put(p.Muted, "   "+says)
	}
	return l.String()
}
