package lecturesview

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting/numeral"
	"epsiloscope/teach/proofs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// Proofs walks through the proofs of the lectures, one step after the other, with the
// numbers of the document in each.
type Proofs struct {
	kit.Reader
	list  []proofs.Proof
	at    int // the proof
	steps int // how many of its steps are shown
	total int // how many it has, as it was drawn last
	large kit.Cached
}

// NewProofs returns the screen of the proofs, step by step.
func NewProofs(s *kit.Shell) *Proofs {
	return &Proofs{Reader: kit.Reader{Base: kit.Base{Shell: s}}, list: proofs.All(), steps: 1}
}

func (q *Proofs) Keys() kit.Table {
	return kit.NewTable("Proofs screen",
		kit.Action("proofs.next-step", "space enter right l", "next step", "Show the next step of the proof", kit.NoCmd(func() { q.step(+1) })),
		kit.Action("proofs.step-back", "left h backspace", "", "Take the last step away", kit.NoCmd(func() { q.step(-1) })),
		kit.Action("proofs.all-steps", "a end", "all", "Show every step", kit.NoCmd(func() { q.step(1 << 20) })),
		kit.Action("proofs.first-step", "home", "", "Back to the first step", kit.NoCmd(func() { q.step(-1 << 20) })),
		kit.Action("proofs.next", "tab", "next proof", "Next proof", kit.NoCmd(func() { q.turn(+1) })),
		kit.Action("proofs.previous", "shift+tab", "", "Previous proof", kit.NoCmd(func() { q.turn(-1) })),
		kit.Action("proofs.scroll-up", "up k", "", "Scroll up", q.Text.ScrollBy(-1)),
		kit.Action("proofs.scroll-down", "down j", "", "Scroll down", q.Text.ScrollBy(+1)),
		kit.Action("proofs.page-up", "pgup", "", "Page up", kit.NoCmd(func() { q.Text.PageUp() })),
		kit.Action("proofs.page-down", "pgdown", "", "Page down", kit.NoCmd(func() { q.Text.PageDown() })),
	)
}

// Choose shows a proof from its first step.
func (q *Proofs) Choose(name string) {
	if i := slices.IndexFunc(q.list, func(p proofs.Proof) bool { return p.Name == name }); i >= 0 {
		q.at, q.steps = i, 1
	}
}

func (q *Proofs) turn(by int) {
	q.at, q.steps = (q.at+by+len(q.list))%len(q.list), 1
}

func (q *Proofs) step(by int) {
	q.steps = max(1, min(len(q.walk().Steps), q.steps+by))
}

// walk returns the proof with the numbers of the document.
func (q *Proofs) walk() proofs.NumberedProof { return q.list[q.at].WithNumbers(q.Doc.Scenario()) }

func (q *Proofs) View(focused bool) []string {
	list := q.chooser()
	w, full := q.TextSize(list)
	inner, h := draw.Inner(w, full)
	if q.Text.Fill([...]any{inner, q.Themes, q.Doc.Version(), q.at, q.steps}, inner, h-1, func() []string {
		if q.Projector {
			return q.Project(kit.Measure, inner, h-1, q.writeLarge)
		}
		return q.Prose(inner, 112, q.write)
	}) {
		q.Text.GotoBottom() // where the newest step is
	}
	title := fmt.Sprintf("Proof %d of %d: %s", q.at+1, len(q.list), q.list[q.at].Title)
	keys := q.Keys().Bindings
	if q.steps >= q.total { // there is no other step to show
		keys = slices.DeleteFunc(keys, func(b kit.Binding) bool { return b.Keys()[0] == " " || b.Keys()[0] == "a" })
	}
	foot := q.Foot(inner, append(keys, kit.Hint("esc", "back"))...)
	text := q.Pen.Frame(draw.Frame{Title: title, Focus: focused}, q.Text.Lines(), w, full, foot)
	return q.DrawSplit(list, text, "The newest step", q.aside())
}

// aside shows the two numbers of the newest step large, where there is room for a further column.
func (q *Proofs) aside() []string {
	w := q.AsideWidth()
	if w == 0 {
		return nil
	}
	key := [...]any{w, q.Themes, q.Doc.Version(), q.at, q.steps}
	return q.large.Get(key, func() []string { return q.Prose(w, kit.Measure, q.writeLarge) })
}

// chooser lists the proofs.
func (q *Proofs) chooser() kit.Chooser {
	c := kit.Chooser{Title: "Proofs", At: q.at, Words: true}
	for _, p := range q.list {
		c.Items = append(c.Items, kit.Item{Text: p.Title})
	}
	return c
}

// HandleMouse chooses a proof of the list, and scrolls the text.
func (q *Proofs) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	if at, ok := q.ClickedItem(q.chooser(), x, y, m); ok {
		q.turn(at - q.at)
	} else {
		q.Text.Wheel(m)
	}
	return nil
}

// verdict shows whether a step holds, by its ink, its mark and in words.
func verdict(p *draw.Pen, s proofs.Step) (ink draw.Ink, mark, words string) {
	switch {
	case s.Holds():
		return p.Good, p.Glyphs.Tick, "it holds"
	case s.Slide:
		return p.Over, p.Glyphs.Cross, "the slide’s constants fail here"
	}
	return p.Over, p.Glyphs.Cross, "it does not hold"
}

// writeLarge sets out the newest step alone, its two numbers large.
func (q *Proofs) writeLarge(out *kit.Writer) {
	p, w := out.Pen, q.walk()
	q.total = len(w.Steps)
	q.steps = max(1, min(q.total, q.steps))
	s := w.Steps[q.steps-1]
	out.Prose(p.Muted, fmt.Sprintf("Step %d of %d, with the numbers of %s.", q.steps, len(w.Steps), w.Subject))
	out.Gap()
	out.Prose(p.Strong, s.Says)
	out.Gap()
	ink, mark, words := verdict(p, s)
	out.Prose(p.Text, s.Left.Formula+"  "+string(s.Relation)+"  "+s.Right.Formula)
	left, right := s.Values()
	out.Banner(ink, left, "")
	out.Prose(ink, string(s.Relation))
	out.Banner(ink, right, "")
	out.Gap()
	out.Prose(ink, mark+" "+words)
}

// write sets out the steps that are shown.
func (q *Proofs) write(out *kit.Writer) {
	p, w := out.Pen, q.walk()
	q.total = len(w.Steps)
	q.steps = max(1, min(q.total, q.steps))
	out.Prose(p.Muted, "With the numbers of "+w.Subject+".")
	for i, s := range w.Steps[:q.steps] {
		out.Gap()
		ink := p.Muted
		if i == q.steps-1 {
			ink = p.Strong
		}
		out.Prose(ink, fmt.Sprintf("%d. %s", i+1, s.Says))
		ink, mark, words := verdict(p, s)
		out.Inset(3, ink, mark+"  "+s.Claim())
		if s.Slide && !s.Holds() {
			out.Inset(6, ink, words)
		}
	}
	out.Gap()
	if left := len(w.Steps) - q.steps; left > 0 {
		out.Prose(p.Muted, numeral.Plural(left, "more step", "more steps"))
	} else {
		out.Prose(p.Muted, "That is all of it.")
	}
}
