// Package reading has the screens of scrolled text: why the bounds differ, what the release
// means for a person, what may be quoted, what changed.
package reading

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/export"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// page is a screen of scrolled text: what it says of the scenario is worked out by a job
// whenever the result changes, and set anew for every width.
type page[A any] struct {
	kit.Reader
	name, title string // of its keys, and of its frame
	keys        []kit.Binding
	ask         any // a choice of the user's on which the work depends, comparable
	look        int // one on which only the looks do
	work        func(context.Context, about) (A, error)
	first       func() A      // what there is to say before the work is done; nil if nothing
	working     func() string // what the work computes, if it may take seconds; nil if a glance is enough
	write       func(out *kit.Writer, of about, says A)
	instead     func(*kit.Writer, error) // says what to do where there is no answer, below the reason; nil for nothing
	query       jobs.Query[about, A]

	list *list // what the scenario is held against, beside the text; nil if that is one thing only
	// picture writes what has a column of its own in a wide window, below asideTitle, and is elsewhere a part of the
	// text, which write places by calling inline; nil if there is none.
	picture    func(out *kit.Writer, of about, says A)
	asideTitle string
	aside      kit.Cached
}

// list is the choice of what a page is about: attacks, earlier scenarios.
type list struct {
	title string
	items func() []kit.Item
	at    int
	pick  func(at int) // may be nil
}

// turn goes to another item.
func (l *list) turn(by int) func() tea.Cmd {
	return kit.NoCmd(func() {
		n := len(l.items())
		l.choose((l.at + by + n) % n)
	})
}

func (l *list) choose(at int) {
	l.at = at
	l.pick(at)
}

// keys returns those that go through the list, what of it being one thing in a word.
func (l *list) keys(what string) []kit.Binding {
	return []kit.Binding{
		kit.Action("list.next", "tab right l", "next "+what, "Next "+what, l.turn(+1)),
		kit.Action("list.previous", "shift+tab left h", "", "Previous "+what, l.turn(-1)),
	}
}

// about names what the text is about. It changes only once a result is final, so that a knob in
// motion does not start the work again and again.
type about struct {
	doc      *document.Document
	scenario *scenarios.Scenario
	result   *scenarios.Result
	ask      any
}

func newPage[A any](s *kit.Shell, name, title string) *page[A] {
	return &page[A]{Reader: kit.Reader{Base: kit.Base{Shell: s}}, name: name, title: title}
}

// Keys returns its own and those that scroll.
func (p *page[A]) Keys() kit.Table {
	return kit.NewTable(p.name, append(p.keys[:len(p.keys):len(p.keys)], p.Text.Keys()...)...)
}

// Refresh starts the work if the final result is another than the text is about.
func (p *page[A]) Refresh() tea.Cmd {
	if p.Pending || p.Result == nil {
		return nil
	}
	of, first, work := about{p.Doc, p.Doc.Scenario(), p.Result, p.ask}, p.first, p.work
	return p.query.Ask(p.Jobs, jobs.PauseChart, of, func(ctx context.Context, tell func(A, error)) {
		if first != nil {
			tell(first(), nil)
		}
		tell(work(ctx, of))
	})
}

// chooser returns the list of the page.
func (p *page[A]) chooser() kit.Chooser {
	items := p.list.items()
	marked := slices.ContainsFunc(items, func(i kit.Item) bool { return i.Mark != "" })
	return kit.Chooser{Title: p.list.title, Items: items, At: p.list.at, Marked: marked}
}

// View draws the text in its frame with its keys below, beside the list if there is one.
func (p *page[A]) View(focused bool) []string {
	old := p.query.Of.scenario != p.Doc.Scenario() // what was said is about an earlier state
	look := p.Look(p.query.Serial, p.look, p.Pending, old)
	said := func(write func(*kit.Writer, about, A)) func(*kit.Writer) {
		return func(out *kit.Writer) {
			pen := out.Pen
			switch {
			case p.Refusal != nil:
				out.Refusal(p.Shell)
			case !p.query.Known || p.query.Of.doc != p.Doc: // or of another document
				what := ""
				if p.working != nil {
					what = p.working() + " "
				}
				out.Prose(pen.Muted, "computing "+what+"…")
			case p.query.Err != nil:
				out.Prose(pen.Warn, accounting.Sentence(p.query.Err.Error()))
				if p.instead != nil {
					p.instead(out, p.query.Err)
				}
			default:
				defer out.Old(old)()
				write(out, p.query.Of, p.query.Answer)
			}
		}
	}
	keys := slices.DeleteFunc(slices.Clone(p.keys), func(b kit.Binding) bool { // one item has no next
		return p.list != nil && b.Keys()[0] == "tab" && len(p.list.items()) < 2
	})
	keys = append(keys, kit.Hint("↑↓", "scroll"), kit.Hint("esc", "back"))
	w, h, list := p.W, p.H, kit.Chooser{}
	if p.list != nil {
		list = p.chooser()
		w, h = p.TextSize(list)
	}
	p.Text.FillPages(p.Shell, look, w, h, said(p.write))
	text := p.Text.Pages(p.Shell, draw.Frame{Title: p.title, Focus: focused}, w, h, p.Pending || p.query.Busy, keys...)
	if p.list == nil {
		return text
	}
	return p.DrawSplit(list, text, p.asideTitle, p.drawAside(look, said(p.picture)))
}

// drawAside returns the lines of the further column; none where there is no room for it.
func (p *page[A]) drawAside(look any, write func(*kit.Writer)) []string {
	w := p.AsideWidth()
	if w == 0 {
		return nil
	}
	return p.aside.Get(look, func() []string { return p.Prose(w, 112, write) })
}

// inline writes the picture into the text, unless it has a column of its own.
func (p *page[A]) inline(out *kit.Writer, of about, says A) {
	if p.AsideWidth() == 0 {
		p.picture(out, of, says)
		out.Gap()
	}
}

// HandleMouse chooses an item of the list, and scrolls the text.
func (p *page[A]) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	if p.list != nil {
		if at, ok := p.ClickedItem(p.chooser(), x, y, m); ok {
			p.list.choose(at)
			return nil
		}
	}
	return p.Reader.HandleMouse(x, y, m)
}

// Share gives the whole text, not only what is in sight, and what stands in the further column.
func (p *page[A]) Share() export.Subject {
	text := p.Text.All()
	if p.list != nil && p.AsideWidth() > 0 {
		text = append(append(text[:len(text):len(text)], ""), p.aside.Lines()...)
	}
	return export.Subject{Text: kit.Plain(text)}
}
