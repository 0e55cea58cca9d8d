package ledgerview

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting/numeral"
	"epsiloscope/ledger"
	"epsiloscope/report"
	"epsiloscope/report/share"
	"epsiloscope/scenarios"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// named is a scenario with what a shell calls it, and the ledger that is offered for it.
type named struct {
	scenario   *scenarios.Scenario
	name, file string
	saved      bool // a command that names it finds it as it is on the screen
}

// namedScenario returns the scenario on the screen by its file or its name in the library. One that is in neither
// has the name that saving suggests.
func (s *Screen) namedScenario() named {
	n := named{scenario: s.Doc.Scenario(), name: cmp.Or(s.Doc.Path, s.Doc.Bundle), saved: !s.Doc.Dirty()}
	if n.name == "" || s.Doc.Path == "" && !n.saved {
		n.name, n.saved = share.FileName(n.scenario.Name, "yaml"), false
		if s.Doc.Bundle != "" {
			n.name = s.Doc.Bundle + ".yaml"
		}
	}
	n.file = strings.TrimSuffix(n.name, filepath.Ext(n.name)) + ".ledger"
	return n
}

// offered is the ledger that grants a scenario, and whether a file of its name is there already: entering opens that
// one, and a command that makes another would be refused.
type offered struct {
	*ledger.Offer
	exists bool
}

// offering reports whether the ledger for the scenario on the screen is what is shown.
func (s *Screen) offering() bool {
	return s.page == opening || s.file == nil || s.snapshot == nil && s.failure != nil
}

// seekOffer finds the ledger that grants the scenario on the screen.
func (s *Screen) seekOffer() tea.Cmd {
	n := s.namedScenario()
	return s.offer.Ask(s.Jobs, jobs.PauseRefine, n, func(ctx context.Context, tell func(offered, error)) {
		o, err := ledger.OfferFor(ctx, n.scenario, n.name, n.file)
		_, missing := os.Stat(n.file)
		if ctx.Err() == nil {
			tell(offered{o, missing == nil}, err)
		}
	})
}

// writeOffer says which ledger grants the scenario on the screen, and the commands for it.
func (s *Screen) writeOffer(out *kit.Writer) {
	p, n := s.Pen, s.namedScenario()
	out.Prose(p.Title, "A ledger for “"+cmp.Or(draw.Clean(n.scenario.Name), "the scenario on the stack")+"”")
	o := s.offer.Answer
	switch {
	case !n.scenario.Releases():
		out.Prose(p.Text, "Nothing is on the stack yet, so there is nothing to grant.")
	case !s.offer.Fresh():
		out.Prose(p.Muted, "computing …")
	case o.exists:
		out.Prose(p.Text, draw.Clean(filepath.Base(n.file))+" is there already: enter opens it.")
		if s.offer.Err == nil && n.saved {
			out.Gap()
			out.Prose(p.Text, "This reserves the first release of the scenario in it, before the data are touched:")
			writeCommand(out, o.SpendCommand)
		}
	case s.offer.Err != nil:
		out.Prose(p.Over, p.Glyphs.Cross+" None would grant all of it: "+s.offer.Err.Error()+".")
		out.Prose(p.Text, s.offerRemedy(n.scenario))
	default:
		out.Prose(p.Good, fmt.Sprintf("%s It promises ε = %s at δ = %s and grants every release of the scenario, in any order%s.",
			p.Glyphs.Tick, o.Promise.ShownEpsilon(), o.Promise.Delta,
			map[bool]string{true: "; anything else is refused", false: ""}[o.Promise.Plan != nil]))
		out.Gap()
		first := "enter opens it here. The same in a shell:"
		if !n.saved {
			first = "The scenario " + s.unsavedText() + ": s saves it. Then enter opens the ledger here, or this does in a shell:"
		}
		out.Prose(p.Text, first)
		writeCommand(out, o.NewCommand)
		out.Gap()
		out.Prose(p.Text, "And this reserves its first release, before the data are touched:")
		writeCommand(out, o.SpendCommand)
	}
}

// unsavedText says what is missing of a scenario that is not saved: its file, or the last changes in that.
func (s *Screen) unsavedText() string {
	if s.Doc.Path != "" {
		return "has changes that are not in its file yet"
	}
	return "is not in a file yet"
}

// writeCommand writes a command whole. Where it is too long for a line it goes on below, broken at blanks alone: a name
// that was cut at a hyphen could not be selected.
func writeCommand(out *kit.Writer, command string) {
	const inset, further = 2, 4
	p := out.Pen
	room := out.W - inset
	line := ""
	put := func() { out.Add(p.Line(out.W).Skip(out.W-room).Put(p.Strong, line)) }
	for word := range strings.SplitSeq(draw.Clean(command), " ") {
		switch {
		case line == "":
			line = word
		case draw.Width(line)+1+draw.Width(word) <= room:
			line += " " + word
		default:
			put()
			line, room = word, out.W-further
		}
		for draw.Width(line) > room { // one word longer than a line
			rest := line
			for draw.Width(line) > room {
				_, n := utf8.DecodeLastRuneInString(line)
				line = line[:len(line)-n]
			}
			put()
			line, room = rest[len(line):], out.W-further
		}
	}
	put()
}

// offerRemedy says what to do where no ledger grants the scenario.
func (s *Screen) offerRemedy(sc *scenarios.Scenario) string {
	if sc.Unit == "" || !(sc.Budget.Delta > 0) {
		return "t states the unit and δ."
	}
	if r := s.Result; r != nil && sc.Budget.Epsilon > 0 && !report.Fits(r.BestBound(), sc.Budget.Epsilon) {
		return "p shows what would make the scenario fit its budget."
	}
	return "0 goes home, where the stack can be changed."
}

// offerKeys returns the keys of the page.
func (s *Screen) offerKeys() []kit.Binding {
	var keys []kit.Binding
	n, known := s.namedScenario(), s.offer.Fresh() && s.offer.Err == nil && s.Doc.Scenario().Releases()
	switch {
	case s.offer.Fresh() && s.offer.Answer.exists:
		keys = append(keys, kit.Hint("enter", "open it"))
		if known && n.saved {
			keys = append(keys, kit.Hint("c", "copy the command"))
		}
	case known && n.saved:
		keys = append(keys, kit.Hint("enter", "open it"), kit.Hint("c", "copy the command"))
	case known:
		keys = append(keys, kit.Hint("s", "save the scenario"))
	}
	return append(keys, kit.Hint("f", "choose a ledger"))
}

// copyOffer copies the command that opens the ledger or, if there is one, that reserves in it.
func (s *Screen) copyOffer() tea.Cmd {
	n := s.namedScenario()
	switch {
	case !s.offer.Fresh() && n.scenario.Releases():
		return s.Say("still computing; try again in a moment")
	case !s.offer.Fresh() || s.offer.Err != nil:
		return s.Say("there is no ledger to offer for what is on the stack")
	case !n.saved:
		return s.Say("the command reads the scenario from its file: s saves it first")
	}
	if s.offer.Answer.exists {
		return s.Copy(s.offer.Answer.SpendCommand, "the command that reserves the first release")
	}
	return s.Copy(s.offer.Answer.NewCommand, "the command that opens the ledger")
}

// openOfferedLedger opens the ledger that is offered, and makes it first if there is none of that name. It asks before
// it writes.
func (s *Screen) openOfferedLedger() tea.Cmd {
	n := s.namedScenario()
	if _, err := os.Stat(n.file); err == nil {
		return s.Open(n.file)
	}
	switch {
	case !n.scenario.Releases():
		return s.Say("nothing is on the stack yet, so there is nothing to grant")
	case !s.offer.Fresh():
		return s.Say("still computing; try again in a moment")
	case s.offer.Err != nil:
		return s.Say("there is no ledger to offer for what is on the stack")
	case !n.saved:
		return s.Say("the scenario " + s.unsavedText() + ": s saves it, then enter opens the ledger")
	}
	offer := s.offer.Answer.Offer
	return dialogs.Ask(s.Shell, "Open a ledger?", "It writes "+n.file+", which promises ε = "+offer.Promise.ShownEpsilon()+" at δ = "+offer.Promise.Delta+
		". The promise cannot be changed later. The command on the page does the same.",
		kit.Bind("y", "", "open it", func() tea.Cmd { return s.createLedger(offer, n) }),
		kit.Bind("esc", "", "not now", kit.NoCmd(func() {})))
}

// createLedger makes the ledger that was offered, and opens it.
func (s *Screen) createLedger(offer *ledger.Offer, n named) tea.Cmd {
	if s.namedScenario() != n {
		return s.Complain(dialogs.ErrMeanwhile)
	}
	ctx := s.Jobs.Ctx
	return s.Jobs.Do(func() (func() tea.Cmd, error) {
		if _, err := offer.Create(ctx, n.scenario, n.file); err != nil {
			return nil, err
		}
		return func() tea.Cmd {
			s.Say("opened " + filepath.Base(n.file) + "; a asks whether a scenario fits")
			return s.Open(n.file)
		}, nil
	})
}

// spendCommand returns the command that reserves what is asked for: the whole scenario, or one release of an entry.
func (s *Screen) spendCommand() string {
	n := s.namedScenario()
	command := fmt.Sprintf("epsiloscope ledger spend %s %s", numeral.Argument(s.path), numeral.Argument(n.name))
	if s.single {
		command += fmt.Sprintf(" --entry %d --count 1", s.entry)
	}
	if s.reads != "" {
		for _, block := range strings.Split(s.reads, ",") {
			command += " --block " + numeral.Argument(strings.TrimSpace(block))
		}
	}
	if s.by != "" {
		command += " --by " + numeral.Argument(s.by)
	}
	return command
}

// copyPage copies what the page that is shown is about: a command, or the statement.
func (s *Screen) copyPage() tea.Cmd {
	switch {
	case s.offering():
		return s.copyOffer()
	case s.page != asking || s.snapshot == nil:
		return s.copy()
	case s.draft != nil || !s.namedScenario().saved:
		return s.Say("the command reads the scenario from its file: open it, or s saves it first")
	}
	return s.Copy(s.spendCommand(), "the command that reserves it")
}

// draft is the request that is asked about if nothing is on the stack.
type draft struct {
	scenario *scenarios.Scenario
	name     string
}

// findDraft finds what to ask about if nothing is on the stack: the plan that the ledger holds, else the
// scenario file that was used last.
func (s *Screen) findDraft() tea.Cmd {
	s.draft = nil
	if s.Doc.Scenario().Releases() || s.snapshot == nil {
		return nil
	}
	if plan := s.snapshot.promise.Plan; plan != nil {
		if sc, err := plan.Scenario(s.snapshot.open.Adjacency, s.snapshot.open.Unit); err == nil {
			s.draft = &draft{sc, "the plan of this ledger"}
		}
		return nil
	}
	recent := s.Store.Recent
	return s.Jobs.Do(func() (func() tea.Cmd, error) {
		for _, path := range recent() {
			if sc, err := scenarios.Load(path); err == nil && sc.Releases() {
				return kit.NoCmd(func() { s.draft = &draft{sc, cmp.Or(sc.Name, filepath.Base(path)) + ", the scenario used last"} }), nil
			}
		}
		return nil, nil
	})
}

// subject returns the scenario that is asked about and its name.
func (s *Screen) subject() (*scenarios.Scenario, string) {
	sc := s.Doc.Scenario()
	if s.draft != nil && !sc.Releases() {
		return s.draft.scenario, s.draft.name
	}
	return sc, cmp.Or(sc.Name, "the scenario on the stack")
}

// request returns the scenario that is asked about, the entry of which one release is asked for (0: all of the
// scenario), and what is asked for in words.
func (s *Screen) request() (sc *scenarios.Scenario, entry int, name string) {
	sc, name = s.subject()
	switch {
	case s.snapshot == nil || !sc.Releases():
		return sc, 0, name
	case !s.single:
		return sc, 0, "Every release of " + name
	}
	s.changeEntry(0)
	words := "One release of "
	if len(sc.Stack) > 1 {
		words = fmt.Sprintf("One release of entry %d, %s, of ", s.entry, kit.EntryName(&sc.Stack[s.entry-1]))
	}
	return sc, s.entry, words + name
}

// changeEntry chooses another entry of the stack to ask for, the next one that is enabled; by 0 it keeps the one
// chosen, if it is.
func (s *Screen) changeEntry(by int) {
	sc, _ := s.subject()
	n := len(sc.Stack)
	if !sc.Releases() {
		return
	}
	for s.entry = (max(1, min(s.entry, n))-1+by+n)%n + 1; sc.Stack[s.entry-1].Disabled; {
		s.entry = (s.entry-1+cmp.Or(by, 1)+n)%n + 1
	}
}

// severalEntries reports whether one release of another entry can be asked for.
func (s *Screen) severalEntries() bool {
	sc, _ := s.subject()
	return s.snapshot != nil && s.single && len(sc.Stack) > 1
}

// toggleSingle asks for one release of an entry, or again for the whole scenario.
func (s *Screen) toggleSingle() tea.Cmd {
	if s.page != asking {
		return nil
	}
	s.single = !s.single
	return nil
}
