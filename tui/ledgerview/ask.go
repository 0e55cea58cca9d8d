package ledgerview

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/ledger"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// ledgerQuery is a request that the ledger is asked about.
type ledgerQuery struct {
	scenario  *scenarios.Scenario
	entry     int // one release of this entry; 0: the whole scenario
	head      string
	at        time.Time // when the summary was made, where a window makes the answer depend on the clock
	reads, by string
	newBlocks bool // some of what it reads may be blocks that were never charged
}

// Ask shows whether the whole scenario on the stack would be granted, as the command asks. Without a ledger it asks
// for one first.
func (s *Screen) Ask() tea.Cmd {
	if s.file == nil {
		return dialogs.ChooseFile(s.Shell, "Ask which ledger?", ".ledger", func(path string) tea.Cmd {
			open := s.Open(path)
			s.turn(asking)
			s.entry, s.single = s.Doc.Entry(), false
			return tea.Batch(open, s.Explorer.Show("ledger"))
		})
	}
	if s.page != asking {
		s.turn(asking)
		s.entry, s.single = s.Doc.Entry(), false
	}
	if s.snapshot != nil && s.snapshot.promise.Window != "" {
		s.asked.Forget() // some of what was spent may have left the window since
	}
	return tea.Batch(s.findDraft(), s.Explorer.Show("ledger"))
}

// Refresh asks again when the ledger or the scenario has changed since, or what a window holds may have.
func (s *Screen) Refresh() tea.Cmd {
	switch {
	case s.Doc != nil && s.offering() && s.Doc.Scenario().Releases():
		return s.seekOffer()
	case s.page == quoting && s.snapshot != nil:
		return s.state()
	case s.page != asking || s.snapshot == nil || s.Doc == nil:
		return nil
	}
	b, now := s.file, s.opt.Now
	about, entry, _ := s.request()
	if !about.Releases() {
		return nil
	}
	q := ledgerQuery{
		scenario: about, entry: entry, head: s.snapshot.head, reads: s.reads, by: s.by,
		newBlocks: s.reads != "" && s.newBlocks == s.reads,
	}
	if s.snapshot.summary != nil && s.snapshot.promise.Window != "" {
		q.at = s.snapshot.summary.at
	}
	return s.asked.Ask(s.Jobs, jobs.PauseChart, q, func(_ context.Context, tell func(*ledger.Answer, error)) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.held == nil {
			tell(nil, errUnread)
			return
		}
		b.held.NewBlocks = q.newBlocks
		if q.entry > 0 {
			about = about.OneEntry(q.entry, 1)
		}
		tell(b.held.Ask(about, b.held.BlocksIn(q.reads), q.by, now()))
	})
}

// name asks which blocks the question reads and who asks.
func (s *Screen) name() tea.Cmd {
	if s.snapshot == nil {
		return nil
	}
	who := func() tea.Cmd {
		return dialogs.Prompt{
			Title: "Who asks", Help: "whose quota it is charged to; empty for no quota",
			Done: func(words string) (tea.Cmd, error) {
				s.by, s.page = strings.TrimSpace(words), asking
				return nil, nil
			},
		}.Open(s.Shell, s.by)
	}
	if s.snapshot.promise.Blocks == "" {
		return who()
	}
	start := s.reads
	if st := s.snapshot.summary; start == "" && st != nil {
		start = st.status.Block
	}
	return dialogs.Prompt{
		Title: "What the request reads", Help: "every " + s.snapshot.promise.Blocks + " that it reads, with commas between them",
		Done: func(words string) (tea.Cmd, error) {
			s.reads, s.page = words, asking
			if len(s.snapshot.promise.Quotas) > 0 {
				return who(), nil
			}
			return nil, nil
		},
	}.Open(s.Shell, start)
}

// allowNewBlock answers the question whether a block that was never charged is a new one.
func (s *Screen) allowNewBlock() {
	if _, isNew := errors.AsType[*ledger.NewBlockError](s.asked.Err); isNew && s.page == asking {
		s.newBlocks = s.reads
	}
}

func (s *Screen) writeAnswer(out *kit.Writer) {
	p, v := s.Pen, s.snapshot
	about, _, name := s.request()
	out.Prose(p.Strong, name)
	switch {
	case !about.Releases():
		out.Prose(p.Text, "Nothing is on the stack yet, so there is nothing to price.")
		out.Gap()
		l := p.Line(out.W).Put(p.Key, "0").Put(p.Muted, " goes home, ")
		l.Put(p.Key, "a").Put(p.Muted, " adds a mechanism there, ")
		out.Add(l.Put(p.Key, "F").Put(p.Muted, " asks again"))
		return
	case s.failure != nil: // what was answered was of the file before
		out.Prose(p.Over, p.Glyphs.Cross+" The file cannot be read as it is now, so nothing would be granted.")
		return
	case !s.asked.Known:
		out.Prose(p.Muted, "asking …")
		return
	case s.asked.Err != nil:
		out.Prose(p.Over, p.Glyphs.Cross+" "+s.asked.Err.Error())
		out.Gap()
		if _, isNew := errors.AsType[*ledger.NewBlockError](s.asked.Err); isNew {
			out.Add(p.Line(out.W).Put(p.Key, "B").Put(p.Muted, " yes, it is new"))
		}
		if v.promise.Blocks != "" {
			out.Add(p.Line(out.W).Put(p.Key, "e").Put(p.Muted, " names every "+v.promise.Blocks+" that it reads"))
		}
		return
	}
	a, of := s.asked.Answer, s.asked.Of
	defer out.Old(!s.asked.Fresh())() // what follows was said of another request
	switch {
	case !s.asked.Fresh():
		out.Prose(p.Stale, "asking again …")
	case a.Fits:
		out.Prose(p.Good, p.Glyphs.Tick+" It fits: it would be granted.")
	default:
		out.Prose(p.Over, p.Glyphs.Cross+" "+report.UpperFirst(a.Verdict()))
	}
	out.Gap()
	title := plainSymbol(v.about) + " of the " + v.about.Title
	if a.Block != "" {
		title += ", in the block that binds, " + a.Block
	}
	out.Prose(p.Title, title)
	out.Report(2, a.Lines())
	out.Gap()
	switch {
	case a.FittingReleases != nil:
		out.Prose(p.Text, fmt.Sprintf("The largest that fits: %s of its %s releases.", a.FittingReleases, a.TotalReleases))
	case s.severalEntries() && v.promise.Plan != nil: // listed below
	case a.Largest == nil:
		out.Prose(p.Text, "Any number of copies fits: it costs nothing.")
	case a.Fits:
		copies := " copies"
		if a.Largest.String() == "1" {
			copies = " copy"
		}
		out.Prose(p.Text, "The largest that fits: "+a.Largest.String()+copies+" of it.")
	}
	if of.reads != "" {
		out.Prose(p.Muted, "It reads "+of.reads+".")
	}
	if of.by != "" {
		out.Prose(p.Muted, "Asked by "+of.by+".")
	}
	if strings.TrimSpace(out.Lines[len(out.Lines)-1]) != "" { // something was said since
		out.Gap()
	}
	switch {
	case !a.Fits:
		out.Prose(p.Muted, "Nothing was written; epsiloscope ledger spend would refuse it, too.")
	case s.draft != nil || !s.namedScenario().saved:
		out.Prose(p.Muted, "Nothing was written. epsiloscope ledger spend reserves it before the data are touched.")
	default:
		out.Prose(p.Muted, "Nothing was written. This reserves it before the data are touched (c copies it):")
		writeCommand(out, s.spendCommand())
	}
	if s.severalEntries() && v.promise.Plan != nil && v.summary != nil {
		out.Gap()
		s.writeFits(out, "Fits as long as nothing else is granted", 1<<30)
	}
}
