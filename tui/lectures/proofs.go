package lectures

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios/lectures/proofs"
	"epsiloscope/scenarios/report"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// Proofs walks through the proofs of the lectures, one step after the other, with the
// numbers of the document in each.
type Proofs struct {
	kit.Base
	list  []proofs.Proof
	at    int // the proof
	steps int // of it that are shown
	view  viewport.Model
	text  kit.Cached[proofLook]
}

type proofLook struct{ w, theme, version, at, steps int }

// NewProofs makes the screen.
func NewProofs(s *kit.Shell) *Proofs {
	return &Proofs{Base: kit.Base{Shell: s}, list: proofs.All(), steps: 1, view: viewport.New(0, 0)}
}

func (q *Proofs) Keys() kit.Table {
	scroll := func(by int) func() tea.Cmd {
		return kit.Just(func() { q.view.SetYOffset(q.view.YOffset + by) })
	}
	return kit.NewTable("Proofs screen",
		kit.Bind("space enter right l", "next step", "Show the next step of the proof", kit.Just(func() { q.step(+1) })),
		kit.Bind("left h backspace", "", "Take the last step away", kit.Just(func() { q.step(-1) })),
		kit.Bind("a end", "all", "Show every step", kit.Just(func() { q.step(1 << 20) })),
		kit.Bind("home", "", "Back to the first step", kit.Just(func() { q.step(-1 << 20) })),
		kit.Bind("tab", "next proof", "Next proof", kit.Just(func() { q.turn(+1) })),
		kit.Bind("shift+tab", "", "Previous proof", kit.Just(func() { q.turn(-1) })),
		kit.Bind("up k", "", "Scroll up", scroll(-1)),
		kit.Bind("down j", "", "Scroll down", scroll(+1)),
		kit.Bind("pgup", "", "Page up", kit.Just(func() { q.view.PageUp() })),
		kit.Bind("pgdown", "", "Page down", kit.Just(func() { q.view.PageDown() })),
	)
}

func (q *Proofs) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) { return kit.Dispatch(msg, q.Keys()) }

func (q *Proofs) HandleMouse(_, _ int, m tea.MouseMsg) tea.Cmd {
	switch m.Button {
	case tea.MouseButtonWheelUp:
		q.view.SetYOffset(q.view.YOffset - 3)
	case tea.MouseButtonWheelDown:
		q.view.SetYOffset(q.view.YOffset + 3)
	}
	return nil
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

// walk is the proof with the numbers of the document.
func (q *Proofs) walk() proofs.Walk { return q.list[q.at].Walk(q.Doc.Scenario()) }

func (q *Proofs) View(focused bool) []string {
	p := q.Pen
	inner, h := draw.Inner(q.W, q.H)
	q.view.Width, q.view.Height = inner, max(0, h-1)
	fresh := false
	lines := q.text.Get(proofLook{inner, q.Themes, q.Doc.Version(), q.at, q.steps}, func() []string {
		fresh = true
		if q.Projector {
			return q.Project(kit.Measure, inner, h-1, q.writeLarge)
		}
		out := kit.NewWriter(p, min(inner, 112))
		q.write(out)
		return kit.Pad(out.Lines, inner)
	})
	if fresh {
		q.view.SetContent(strings.Join(lines, "\n"))
		q.view.GotoBottom() // where the newest step is
	}
	body := text.Box(strings.Split(q.view.View(), "\n"), inner, max(0, h-1))
	title := fmt.Sprintf("Proof %d of %d: %s", q.at+1, len(q.list), q.list[q.at].Title)
	return p.Frame(draw.Frame{Title: title, Focus: focused}, append(body, q.Foot(inner, append(q.Keys().Bindings, kit.Hint("esc", "back"))...)), q.W, q.H)
}

// writeLarge sets out the newest step alone, its two figures large.
func (q *Proofs) writeLarge(out *kit.Writer) {
	p, w := out.Pen, q.walk()
	q.steps = max(1, min(len(w.Steps), q.steps))
	s := w.Steps[q.steps-1]
	out.Prose(p.Muted, fmt.Sprintf("Step %d of %d, with the numbers of %s.", q.steps, len(w.Steps), w.On))
	out.Gap()
	out.Prose(p.Strong, s.Says)
	out.Gap()
	verdict, words := p.Good, p.Glyphs.Tick+" it holds"
	if !s.Holds() {
		verdict, words = p.Over, p.Glyphs.Cross+" it does not hold"
	}
	if s.Slide && !s.Holds() {
		words = p.Glyphs.Cross + " the slide’s constants fail here"
	}
	out.Prose(p.Text, s.Left.Formula+"  "+string(s.Relation)+"  "+s.Right.Formula)
	left, right := report.Figure(s.Left.Value), string(s.Relation)+" "+report.Figure(s.Right.Value)
	if _, w := p.Large(verdict, left+" "+right); w <= out.W {
		out.Banner(verdict, left+" "+right)
	} else {
		out.Banner(verdict, left)
		out.Gap()
		out.Banner(verdict, right)
	}
	out.Gap()
	out.Prose(verdict, words)
}

// write sets out the steps that are shown.
func (q *Proofs) write(out *kit.Writer) {
	p, w := out.Pen, q.walk()
	q.steps = max(1, min(len(w.Steps), q.steps))
	out.Prose(p.Muted, "With the numbers of "+w.On+".")
	for i, s := range w.Steps[:q.steps] {
		out.Gap()
		ink := p.Muted
		if i == q.steps-1 {
			ink = p.Strong
		}
		out.Prose(ink, fmt.Sprintf("%d. %s", i+1, s.Says))
		mark, verdict := p.Glyphs.Tick, p.Good
		if !s.Holds() {
			mark, verdict = p.Glyphs.Cross, p.Over
		}
		claim := fmt.Sprintf("%s  %s = %s  %s  %s = %s", mark, s.Left.Formula, report.Figure(s.Left.Value), s.Relation, s.Right.Formula, report.Figure(s.Right.Value))
		if s.Slide && !s.Holds() {
			claim += ": the slide’s constants fail here"
		}
		out.Inset(3, verdict, claim)
	}
	out.Gap()
	if left := len(w.Steps) - q.steps; left > 0 {
		out.Prose(p.Muted, fmt.Sprintf("%d more", left))
	} else {
		out.Prose(p.Muted, "That is all of it.")
	}
}
