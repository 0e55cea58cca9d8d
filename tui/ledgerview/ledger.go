// Package ledgerview is the screen on a ledger: what was promised, what is left and for how
// long, every record, and whether the scenario on the stack would be granted. It writes nothing but
// a new ledger, after a question.
package ledgerview

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/ledger"
	"epsiloscope/report"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/plot"
)

// Options are the settings that the screen needs beyond its shell.
type Options struct {
	Now  func() time.Time
	Live bool // follow the file
}

// page is shown instead of the records.
type page int

const (
	list page = iota
	record
	asking
	why
	blocks
	quoting
	opening
)

// Screen shows one ledger.
type Screen struct {
	kit.Base
	opt      Options
	path     string
	file     *sharedLedger
	job      jobs.Job
	failure  error  // why the file cannot be read now; what was read before stays
	waiting  string // for the lock of the file, in words; "" if not
	snapshot *snapshot

	input  textinput.Model
	typing bool
	found  []int // rows that match, newest first
	at     int   // among them
	top    int

	page      page
	text      kit.Scroll
	opened    int                         // the record on its page, as an index
	columns   jobs.Query[string, columns] // of the record with that hash
	asked     jobs.Query[ledgerQuery, *ledger.Answer]
	quoted    jobs.Query[source, *report.Statement]
	offer     jobs.Query[named, offered]
	draft     *draft // what is asked about if nothing is on the stack; nil if there is nothing
	single    bool   // one release is asked for, not the whole scenario
	entry     int    // the entry of which one release is asked for, from 1
	reads, by string // what the next question says of itself
	newBlocks string // what the question reads, if blocks that were never charged may be among it
	proofJob  jobs.Job

	plot  *plot.Plot
	chart kit.Cached
}

// New makes the screen, with no ledger open.
func New(s *kit.Shell, opt Options) *Screen {
	return &Screen{Base: kit.Base{Shell: s}, opt: opt, plot: plot.New(), input: kit.NewInput("")}
}

func (s *Screen) Keys() kit.Table {
	move := func(by int) func() tea.Cmd { return kit.NoCmd(func() { s.move(by) }) }
	turn := func(p page) func() tea.Cmd { return kit.NoCmd(func() { s.turn(p) }) }
	return kit.NewTable("Ledger screen",
		kit.Action("ledger.open-record", "enter", "open", "Open the record, with its stack in every column", s.enter),
		kit.Action("ledger.ask", "a", "ask", "Ask whether the scenario on the stack would be granted; nothing is written", s.Ask),
		kit.Action("ledger.filter", "/", "filter", "Filter the records by who and why", kit.NoCmd(func() { s.turn(list); s.typing = true })),
		kit.Action("ledger.blocks", "b", "blocks", "What every block has left, and who took how much", turn(blocks)),
		kit.Action("ledger.why", "w", "why", "Why this rule is a filter, and what may be quoted", turn(why)),
		kit.Action("ledger.statement", "E", "statement", "What may be quoted of the ledger; c copies it", turn(quoting)),
		kit.Action("ledger.copy", "c", "", "Copy the command that is shown, or the ledger's statement", s.copyPage),
		kit.Action("ledger.choose", "f", "file", "Choose another ledger", s.choose),
		kit.Action("ledger.new", "n", "new", "The ledger that grants the scenario on the stack, and how to open it", turn(opening)),
		kit.Action("ledger.verify", "v", "verify", "Replay every price and every decision", s.verify),
		kit.Action("ledger.new-block", "B", "", "Yes, the block that the question reads is a new one", kit.NoCmd(s.allowNewBlock)),
		kit.Action("ledger.one-release", "1", "", "Ask for one release, or again for the whole scenario", s.toggleSingle),
		kit.Action("ledger.entry-before", "left", "", "Ask for one release of the entry before", kit.NoCmd(func() { s.changeEntry(-1) })),
		kit.Action("ledger.entry-after", "right", "", "Ask for one release of the entry after", kit.NoCmd(func() { s.changeEntry(+1) })),
		kit.Action("ledger.name", "e", "", "Name the blocks that the question reads, and who asks", s.name),
		kit.Action("ledger.up", "up k", "", "Record above, or scroll up", move(-1)),
		kit.Action("ledger.down", "down j", "", "Record below, or scroll down", move(+1)),
		kit.Action("ledger.page-up", "pgup", "", "Page up", kit.NoCmd(func() { s.move(-s.step()) })),
		kit.Action("ledger.page-down", "pgdown space", "", "Page down", kit.NoCmd(func() { s.move(s.step()) })),
		kit.Action("ledger.home", "home", "", "Newest record, or the top", move(-1<<30)),
		kit.Action("ledger.end", "end", "", "Oldest record, or the end", move(+1<<30)),
	)
}

// OnShow looks again for the ledger that is offered: its file may have been made since.
func (s *Screen) OnShow() tea.Cmd {
	s.offer.Forget()
	return nil
}

func (s *Screen) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	key := msg.String()
	switch {
	case s.typing && (key == "enter" || key == "esc"):
		s.typing = false
		if key == "esc" {
			s.setFilter("")
		}
		return nil, true
	case s.typing && (key == "up" || key == "down" || key == "pgup" || key == "pgdown"):
	case s.typing:
		s.input, _ = s.input.Update(kit.CleanKey(msg))
		s.search()
		return nil, true
	case key == "esc" && s.page != list: // the page goes before the screen does
		s.turn(list)
		return nil, true
	case key == "esc" && s.input.Value() != "":
		s.setFilter("")
		return nil, true
	}
	return nil, false
}

// TypingKeys returns the keys that are no letters of the filter while it is typed.
func (s *Screen) TypingKeys() []kit.Binding {
	if !s.typing {
		return nil
	}
	return []kit.Binding{kit.Hint("enter", "keep the filter"), kit.Hint("↑↓", "record"), kit.Hint("esc", "show all")}
}

// enter opens the record under the cursor, or the ledger that is offered.
func (s *Screen) enter() tea.Cmd {
	if s.offering() {
		return s.openOfferedLedger()
	}
	return s.openRecord()
}

// choose lets another ledger be opened.
func (s *Screen) choose() tea.Cmd {
	return dialogs.ChooseFile(s.Shell, "Open a ledger", ".ledger", s.Open)
}

// turn shows a page instead of the records, or the records again.
func (s *Screen) turn(p page) {
	if p == s.page {
		p = list
	}
	if p == opening {
		s.offer.Forget() // the file may have been made since
	}
	s.page = p
	s.text.GotoTop()
}

// setFilter searches who and why for words.
func (s *Screen) setFilter(words string) {
	s.input.SetValue(words)
	s.search()
}

// search finds the rows that the filter leaves, newest first.
func (s *Screen) search() {
	s.found = s.found[:0]
	if s.snapshot == nil {
		return
	}
	words := strings.ToLower(strings.TrimSpace(s.input.Value()))
	for i, k := range slices.Backward(s.snapshot.rows) {
		if r := &s.snapshot.records[k]; words == "" || strings.Contains(strings.ToLower(r.By+" "+r.Why), words) {
			s.found = append(s.found, i)
		}
	}
	s.at = max(0, min(s.at, len(s.found)-1))
}

// selectedRecord returns the record under the cursor, as an index into all of them.
func (s *Screen) selectedRecord() (int, bool) {
	if s.snapshot == nil || s.at >= len(s.found) {
		return 0, false
	}
	return s.snapshot.rows[s.found[s.at]], true
}

func (s *Screen) move(by int) {
	if s.page != list {
		s.text.SetYOffset(s.text.YOffset + by)
		return
	}
	s.at = max(0, min(s.at+by, len(s.found)-1))
}

// step returns one line less than a page.
func (s *Screen) step() int {
	if s.page != list {
		return max(1, s.text.Height-1)
	}
	return max(1, s.tableRows()-1)
}

func (s *Screen) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	s.move(3 * kit.Wheel(m))
	if kit.Click(m) && s.page == list {
		at := s.layout()
		k := s.top + y - at.head - at.upper - 2
		if x < at.left && k >= s.top && k < min(len(s.found), s.top+s.tableRows()) {
			if k == s.at {
				return s.openRecord()
			}
			s.at = k
		}
	}
	return nil
}
