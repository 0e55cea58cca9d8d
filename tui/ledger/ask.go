package ledger

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/ledger"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// question is what was asked of the ledger; another one is asked anew.
type question struct {
	scenario  *scenarios.Scenario
	head      string
	reads, by string
}

// reply is what it said.
type reply struct {
	question
	answer *ledger.Answer
	err    error
}

// Ask shows whether the scenario on the stack would be granted. Without a ledger it asks
// for one first.
func (s *Screen) Ask() tea.Cmd {
	if s.book == nil {
		return dialogs.ChooseFile(s.Shell, "Ask which ledger?", ".ledger", func(path string) tea.Cmd {
			open := s.Open(path)
			s.turn(asking)
			return tea.Batch(open, s.opt.Show())
		})
	}
	if s.page != asking {
		s.turn(asking)
	}
	return s.opt.Show()
}

// askAgain asks what is not answered yet.
func (s *Screen) askAgain() tea.Cmd {
	q := question{s.Doc.Scenario(), s.sight.head, s.reads, s.by}
	if q == s.asked {
		return nil
	}
	s.asked = q
	b, now := s.book, s.opt.Now
	var reads []string
	for _, name := range strings.Split(q.reads, ",") {
		if name = strings.TrimSpace(name); name != "" {
			reads = append(reads, name)
		}
	}
	return s.Jobs.Start(&s.askJob, jobs.PauseChart, func(_ context.Context, tell func(func())) {
		r := reply{question: q}
		b.with(func(l *ledger.Ledger) {
			if l == nil {
				r.err = fmt.Errorf("the ledger cannot be read now")
				return
			}
			r.answer, r.err = l.Ask(q.scenario, reads, q.by, now())
		})
		tell(func() { s.answer = r; s.turned++ })
	})
}

// name asks which blocks the question reads and who asks.
func (s *Screen) name() tea.Cmd {
	if s.sight == nil {
		return nil
	}
	who := func() tea.Cmd {
		return dialogs.Prompt{
			Title: "Who asks", Help: "whose quota it is charged to; empty for nobody",
			Done: func(words string) (tea.Cmd, error) { s.by = strings.TrimSpace(words); s.page = asking; return nil, nil },
		}.Open(s.Shell, s.by)
	}
	if s.sight.promise.Blocks == "" {
		return who()
	}
	start := s.reads
	if start == "" && s.sight.stock != nil {
		start = s.sight.stock.status.Block
	}
	return dialogs.Prompt{
		Title: "What the request reads", Help: "every " + s.sight.promise.Blocks + " that it reads, with commas between them",
		Done: func(words string) (tea.Cmd, error) {
			s.reads, s.page = words, asking
			if len(s.sight.promise.Quotas) > 0 {
				return who(), nil
			}
			return nil, nil
		},
	}.Open(s.Shell, start)
}

func (s *Screen) writeAnswer(out *kit.Writer) {
	p, v := s.Pen, s.sight
	name := s.Doc.Scenario().Name
	if name == "" {
		name = "the scenario on the stack"
	}
	out.Prose(p.Strong, name)
	r := s.answer
	switch {
	case len(s.Doc.Scenario().Stack) == 0:
		out.Prose(p.Text, "Nothing is on the stack yet, so there is nothing to price.")
		out.Gap()
		out.Add(p.Line(out.W).Put(p.Key, "0").Put(p.Muted, " goes home, ").Put(p.Key, "a").Put(p.Muted, " adds a mechanism there, ").Put(p.Key, "F").Put(p.Muted, " asks again"))
		return
	case r.scenario == nil:
		out.Prose(p.Muted, "asking …")
		return
	case r.err != nil:
		out.Prose(p.Over, p.Glyphs.Cross+" "+r.err.Error())
		out.Gap()
		if v.promise.Blocks != "" {
			out.Add(p.Line(out.W).Put(p.Key, "e").Put(p.Muted, " names every "+v.promise.Blocks+" that it reads"))
		}
		return
	}
	a, unit := r.answer, v.about.Unit
	switch {
	case r.question != s.asked:
		out.Prose(p.Stale, "asking again …")
	case a.Fits:
		out.Prose(p.Good, p.Glyphs.Tick+" It fits: it would be granted.")
	default:
		out.Prose(p.Over, p.Glyphs.Cross+" It does not fit: "+a.Refusal)
	}
	out.Gap()
	title := plainSymbol(v.about) + " of the " + v.about.Title
	if a.Block != "" {
		title += ", in the block that binds, " + a.Block
	}
	out.Prose(p.Title, title)
	asked := "no price"
	if a.Asked != nil {
		asked = upper(a.Asked, unit)
	}
	for _, row := range [][2]string{
		{"budget", lower(a.Budget, unit)}, {"spent", upper(a.Spent, unit)}, {"held", upper(a.Held, unit)},
		{"asked", asked}, {"left", lower(a.Left, unit)},
	} {
		out.Add(p.Line(out.W).Skip(2).Left(p.Text, row[0], 11).Put(p.Strong, row[1]))
	}
	out.Gap()
	switch {
	case a.Part != nil:
		out.Prose(p.Text, fmt.Sprintf("The largest that fits: %s of its %s releases.", a.Part, a.Of))
	case a.Largest == nil:
		out.Prose(p.Text, "Any number of copies fits: it costs nothing.")
	case a.Fits:
		out.Prose(p.Text, fmt.Sprintf("The largest that fits: %s copies of it.", a.Largest))
	}
	if r.reads != "" {
		out.Prose(p.Muted, "It reads "+r.reads+".")
	}
	if r.by != "" {
		out.Prose(p.Muted, "Asked by "+r.by+".")
	}
	out.Gap()
	out.Prose(p.Muted, "Nothing was written. epsiloscope ledger spend reserves it before the data are touched.")
}
