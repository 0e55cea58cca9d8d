package reading

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/export"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// Review is the screen of a review: the points left, what is asked and why right, or below each other if the terminal
// is narrow.
type Review struct {
	kit.Base
	query jobs.Query[about, *review.Review]
	at    int
	top   int
	from  int // the first line of the explanation in sight
}

// NewReview returns the screen of the verdict and its points.
func NewReview(s *kit.Shell) *Review { return &Review{Base: kit.Base{Shell: s}} }

// Keys returns the keys that choose a point, answer it and copy it.
func (v *Review) Keys() kit.Table {
	return kit.NewTable("Review screen",
		kit.Action("review.up", "up k", "", "Previous point", kit.NoCmd(func() { v.move(-1) })),
		kit.Action("review.down", "down j", "", "Next point", kit.NoCmd(func() { v.move(+1) })),
		kit.Action("review.scroll-down", "J shift+down pgdown", "", "Scroll the explanation down", kit.NoCmd(func() { v.from += 3 })),
		kit.Action("review.scroll-up", "K shift+up pgup", "", "Scroll the explanation up", kit.NoCmd(func() { v.from -= 3 })),
		kit.Action("review.answer", "enter", "answer it", "Go to the field that answers the point", v.answer),
		kit.Action("review.copy", "c", "copy the question", "Copy the point, to be mailed to the author", v.copy))
}

func (v *Review) move(by int) {
	if r := v.currentReview(); r != nil {
		v.at, v.from = max(0, min(len(r.Points)-1, v.at+by)), 0
	}
}

// currentReview returns the review on the screen; nil before there is one.
func (v *Review) currentReview() *review.Review {
	if !v.query.Known || v.query.Err != nil || v.query.Of.doc != v.Doc {
		return nil
	}
	return v.query.Answer
}

// pointAtCursor returns the point under the cursor; false before there is one.
func (v *Review) pointAtCursor() (review.Point, bool) {
	r := v.currentReview()
	if r == nil || len(r.Points) == 0 {
		return review.Point{}, false
	}
	v.at = min(v.at, len(r.Points)-1)
	return r.Points[v.at], true
}

// Refresh starts the review if the final result is another than the one it is about.
func (v *Review) Refresh() tea.Cmd {
	if v.Pending || v.Result == nil {
		return nil
	}
	changed := v.Doc.Dirty()
	of := about{v.Doc, v.Doc.Scenario(), v.Result, changed} // saving it changes what it is compared with
	if v.query.Known && v.query.Of.doc != v.Doc {
		v.at, v.top, v.from = 0, 0, 0
	}
	return v.query.Ask(v.Jobs, jobs.PauseChart, of, func(ctx context.Context, tell func(*review.Review, error)) {
		tell(review.New(ctx, of.scenario, of.result, review.Options{Changed: changed}))
	})
}

// sayWhyNot says why there is no point yet.
func (v *Review) sayWhyNot() tea.Cmd {
	if v.Refusal != nil {
		return v.Complain(errors.New(v.RefusalText()))
	}
	return v.Say("still computing; try again in a moment")
}

func (v *Review) answer() tea.Cmd {
	p, ok := v.pointAtCursor()
	if !ok || v.Refusal != nil {
		return v.sayWhyNot()
	}
	rule, _ := scenarios.AnswerRuleOf(p.Name)
	question := rule.Question
	if !strings.HasPrefix(p.Field, "answers.") {
		question = ""
	}
	if err := dialogs.EditField(v.Shell, p.Field, question); err != nil {
		return v.Complain(err)
	}
	return nil
}

func (v *Review) copy() tea.Cmd {
	p, ok := v.pointAtCursor()
	if !ok || v.Refusal != nil {
		return v.sayWhyNot()
	}
	words := report.PointLine(p)
	if len(p.Answers) > 0 {
		words += "\nAnswer with: " + strings.Join(p.Answers, " | ")
	}
	return v.Copy(words+"\n", "the point")
}

// HandleMouse selects the point under the pointer; the wheel moves the selection.
func (v *Review) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	if by := kit.Wheel(m); by != 0 {
		v.move(by)
		return nil
	}
	list, _ := v.areas()
	row, r := y-headRows-2+v.top, v.currentReview()
	inside := x < list.w && y < headRows+list.h && row >= 0
	if kit.Click(m) && r != nil && inside && row < len(r.Points) {
		v.at, v.from = row, 0
	}
	return nil
}

// headRows are the lines of the verdict above the two panes.
const headRows = 1

type size struct{ w, h int }

// areas returns the sizes of the list and of the explanation: side by side, or below each other if the screen is
// narrow.
func (v *Review) areas() (list, why size) {
	h := v.H - headRows
	if v.W >= 100 {
		left := v.W * 51 / 100
		return size{left, h}, size{v.W - left, h}
	}
	upper := max(6, min(h/2, h-8))
	return size{v.W, upper}, size{v.W, h - upper}
}

// View draws the verdict, the points and the selected one's explanation.
func (v *Review) View(focused bool) []string {
	p := v.Pen
	head := p.Line(v.W).Skip(1)
	r := v.currentReview()
	switch {
	case v.Refusal != nil:
		r = nil // it is about another state
		head.Put(p.Over, "the scenario cannot be evaluated")
	case v.query.Err != nil:
		head.Put(p.Over, "the scenario cannot be reviewed")
	case r == nil:
		head.Put(p.Muted, "computing …")
	default:
		head.Put(kit.VerdictInk(p, r.Verdict), r.Headline())
		if text := "   " + sheet.ReviewClaim(r); draw.Width(p.Spell(text)) <= head.Room() {
			head.Put(p.Muted, text)
		} else {
			head.Put(p.Muted, kit.Widest(head.Room(), "   "+r.Claim.String(), ""))
		}
	}
	list, why := v.areas()
	old := v.query.Of.scenario != v.Doc.Scenario()
	points := v.points(r, list, focused, old)
	explained := v.explanation(r, why, old)
	out := []string{head.String()}
	if list.w < v.W {
		return append(out, kit.JoinColumns(points, explained)...)
	}
	return append(append(out, points...), explained...)
}

// points draws the list of points and, if there is room, what is believed.
func (v *Review) points(r *review.Review, s size, focused, old bool) []string {
	p := v.Pen
	w, h := draw.Inner(s.w, s.h)
	out := kit.NewWriter(p, w)
	name, number := 17, 9
	if r != nil {
		if !slices.ContainsFunc(r.Points, func(q review.Point) bool { return sheet.OtherEpsilon(q) != "" }) {
			number = 0 // no other answer has an ε: what the file says has the room
		}
		sign := 0 // in ASCII some are words
		for _, s := range []review.Sign{review.OK, review.Ask, review.Wrong} {
			sign = max(sign, draw.Width(kit.SignMark(p, s))+1)
		}
		head := p.Line(w).Skip(2+sign).Left(p.Muted, "point", name)
		head.Left(p.Muted, "what the file says", max(0, w-2-sign-name-number))
		if number > 0 {
			head.Right(p.Muted, "ε if", number)
		}
		out.Add(head)
		rows := max(1, h-2)
		v.at = max(0, min(v.at, len(r.Points)-1))
		v.top = kit.Window(v.top, v.at, len(r.Points), rows)
		for i := v.top; i < min(len(r.Points), v.top+rows); i++ {
			q := r.Points[i]
			line, ink := p.Row(w, i == v.at)
			line.Left(kit.SignInk(p, q.Sign), kit.SignMark(p, q.Sign), sign).Left(ink, string(q.Name), name)
			line.Left(p.Muted, report.Plain(q.Says), max(0, w-line.Column()-number))
			line.Right(p.Text, sheet.OtherEpsilon(q), number)
			out.Add(line)
		}
		if h-1-len(out.Lines) > 3 {
			out.Gap()
			out.Heading(p.Title, "  believed, not checked")
			for _, text := range review.Assumptions() {
				if len(out.Lines)+len(p.Wrap(text, w-4)) < h-1 {
					out.Hang(4, p.Muted, text, func(l *draw.Line) { l.Skip(2).Put(p.Muted, "·") })
				}
			}
		}
	}
	if old {
		kit.Dim(p, out.Lines)
	}
	keys := []kit.Binding{kit.Hint("esc", "back")}
	if q, ok := v.pointAtCursor(); ok && r != nil {
		enter, c := "answer it", "copy the question"
		if q.Sign == review.OK { // nothing is asked
			enter, c = "change it", "copy the point"
		}
		keys = append([]kit.Binding{kit.Hint("↑↓", "point"), kit.Hint("enter", enter), kit.Hint("c", c)}, keys...)
	}
	hints, n := v.Hints(w, keys...)
	lines := out.Lines[:min(len(out.Lines), max(0, h-1))]
	return p.Frame(draw.Frame{Title: "Points", Focus: focused}, lines, s.w, s.h, p.Line(w).Raw(hints, n).String())
}

// explanation draws what is asked of the selected point, and what another answer costs.
func (v *Review) explanation(r *review.Review, s size, old bool) []string {
	p := v.Pen
	w, h := draw.Inner(s.w, s.h)
	out := kit.NewWriter(p, w)
	title := "What it says"
	q, ok := v.pointAtCursor()
	switch {
	case v.Refusal != nil:
		title = "What is wrong"
		out.Refusal(v.Shell)
	case v.query.Err != nil:
		title = "What is wrong"
		out.Prose(p.Text, v.query.Err.Error())
	case ok && r != nil:
		title = map[review.Sign]string{review.OK: "What it says", review.Ask: "Why this is asked", review.Wrong: "What is wrong"}[q.Sign]
		out.Prose(p.Text, report.Plain(q.Text))
		v.otherTable(out, r, q)
		if len(q.Answers) > 0 {
			out.Gap()
			out.Prose(p.Muted, "Answer in the file, one of:")
			for _, a := range q.Answers {
				out.Inset(2, p.Key, a)
			}
		}
		if file := r.File; h-len(out.Lines) > 2 && file != "" {
			out.Gap()
			out.Prose(p.Muted, "file "+file[:8]+"…")
		}
	}
	if old {
		kit.Dim(p, out.Lines)
	}
	rows := h
	var foot []string
	if len(out.Lines) > h { // the last line has the keys
		rows = max(1, h-1)
	}
	v.from = max(0, min(v.from, len(out.Lines)-rows))
	last := min(v.from+rows, len(out.Lines))
	if rows < h {
		at := fmt.Sprintf("%d–%d of %d lines", v.from+1, last, len(out.Lines))
		foot = []string{v.BusyFoot(w, false, kit.Hint("J K", "scroll")).FillTo(w-draw.Width(at)).Put(p.Muted, at).String()}
	}
	return p.Frame(draw.Frame{Title: title}, out.Lines[v.from:last], s.w, s.h, foot...)
}

// otherTable sets the ε of the answer that is priced beside that of another answer.
func (v *Review) otherTable(out *kit.Writer, r *review.Review, q review.Point) {
	p, o := out.Pen, q.Other
	if o == nil {
		return
	}
	out.Gap()
	if !o.IsKnown() {
		out.Prose(p.Muted, "If it were otherwise ("+o.Answer+"): "+o.Note)
		return
	}
	name := max(12, min(24, out.W-42)) // so that the two columns do not touch
	column := min(20, (out.W-name-2)/2)
	row := func(what, a, b string, ink draw.Ink) {
		first := p.Text
		if what == "" {
			first = ink
		}
		out.Add(p.Line(out.W).Skip(2).Left(p.Text, what, name).Right(first, a, column).Skip(1).Right(ink, b, column-1))
	}
	ink := p.Text
	if r.Claim.Epsilon > 0 && o.Epsilon > r.Claim.Epsilon {
		ink = p.Over
	}
	row("", "as stated", "otherwise", p.Muted)
	row(string(q.Name), o.Now, o.Answer, p.Text)
	row("ε", report.Upper(o.Before), report.Upper(o.Epsilon), ink)
	if o.Note != "" {
		out.Inset(2, p.Muted, o.Note)
	}
}

// Share gives the review as text.
func (v *Review) Share() export.Subject {
	var b strings.Builder
	if r := v.currentReview(); r != nil {
		if err := sheet.Review(r, "", true).Write(&b, "table"); err == nil {
			return export.Subject{Text: b.String()}
		}
	}
	return export.Subject{Text: kit.Plain(v.View(true))}
}
