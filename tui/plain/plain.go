// Package plain is the explorer line by line, for screen readers and slow lines: it asks one question per line and
// answers in lines of text. Nothing is redrawn, and there are no boxes, colours or columns to be seen. What it asks
// about is the scenario that the explorer draws; every value comes from the packages that the explorer and the command
// line print.
package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
	"epsiloscope/tui/document"
	"epsiloscope/tui/store"
)

// Options holds the scenario that a session starts with, and its input and output.
type Options struct {
	Scenario *scenarios.Scenario
	In       io.Reader
	Out      io.Writer
	Echo     bool // write the answers too: for an input that does not show what is typed
	Store    *store.Store
}

// ErrUnsaved is the end of the input before changes were saved.
var ErrUnsaved = errors.New("the input ended, and the changes were not saved")

// errEnd is the end of the input, errQuit the answer quit, errCancel the answer cancel.
var (
	errEnd    = errors.New("the input ended")
	errQuit   = errors.New("quit")
	errCancel = errors.New("cancelled")
)

// session is a conversation about a scenario, from the first question to quit.
type session struct {
	context.Context
	Options
	lines *bufio.Scanner
	out   *bufio.Writer // Out until a question is asked; remembers that writing failed
	doc   *document.Document
	ev    *scenarios.Evaluator
}

// maxAnswer is the longest line that is read.
const maxAnswer = 1 << 20

// Run asks and answers until quit or until the input ends. Its error is [ErrUnsaved], or one of reading or writing.
func Run(ctx context.Context, o Options) error {
	s := &session{
		Context: ctx, Options: o, lines: bufio.NewScanner(o.In),
		doc: document.New(o.Scenario), ev: scenarios.NewEvaluator(),
	}
	s.lines.Buffer(nil, maxAnswer)
	s.doc.Path = o.Scenario.Path()
	s.out = bufio.NewWriter(o.Out)
	s.Out = s.out
	s.say("Epsiloscope, line by line. An empty answer takes the one in brackets; cancel leaves a question; help lists the commands.")
	if lost := len(s.Store.ListRecoverable()); lost > 0 {
		s.say("There is unsaved work of %s: answer recover.", numeral.Plural(lost, "earlier run", "earlier runs"))
	}
	err := s.show()
	for {
		failed := s.out.Flush()
		switch {
		case failed != nil:
			return failed
		case errors.Is(err, errQuit):
			return nil
		case errors.Is(err, errEnd) && s.doc.Dirty():
			return s.keepChanges()
		case errors.Is(err, errEnd):
			return s.lines.Err()
		case errors.Is(err, errCancel):
			s.say("Cancelled; nothing was changed.")
		case err != nil:
			s.complain(err)
		}
		err = s.next()
	}
}

// keepChanges writes the changes where the next start finds them, and returns an [ErrUnsaved] that says where.
func (s *session) keepChanges() error {
	data, err := s.doc.Scenario().Marshal()
	if err == nil && s.Store == nil {
		err = store.ErrNowhere
	}
	if err == nil {
		err = s.Store.Backup(s, s.doc.Path, data)
	}
	if err != nil {
		return fmt.Errorf("%w and are lost: %w", ErrUnsaved, err)
	}
	return fmt.Errorf("%w; they are kept in %s, and o lists them in the explorer", ErrUnsaved, s.Store.BackupFile())
}

// next asks what to do, and does it.
func (s *session) next() error {
	answer, err := s.ask("What next?", "show")
	if err != nil {
		return err
	}
	name, ok := match(answer, commandNames())
	if !ok {
		s.say("Not understood: %q is not a command, nor the beginning of one of them alone.%s Answer help for the list.", answer, nearest(answer, commandNames()))
		return nil
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(s)
		}
	}
	return nil
}

func (s *session) say(format string, args ...any) {
	fmt.Fprintln(s.Out, report.Plain(fmt.Sprintf(format, args...)))
}

// complain says what is wrong, one line per mistake.
func (s *session) complain(err error) {
	for line := range strings.Lines(err.Error()) {
		s.say("Not done: %s", strings.TrimRight(line, "\n"))
	}
}

// ask asks one question on one line, and returns the answer or, if that is empty, the present value. The answer cancel
// is the error errCancel, which leaves whatever asked.
func (s *session) ask(question, present string) (string, error) {
	fmt.Fprintf(s.Out, "%s [%s]: ", report.Plain(question), report.Plain(present))
	if err := s.out.Flush(); err != nil {
		return "", err
	}
	if !s.lines.Scan() {
		fmt.Fprintln(s.Out)
		return "", errEnd
	}
	answer := strings.TrimSpace(s.lines.Text())
	if s.Echo {
		fmt.Fprintln(s.Out, report.Plain(answer))
	}
	switch answer {
	case "":
		return present, nil
	case "cancel":
		return "", errCancel
	}
	return answer, nil
}

// choose asks until the answer is one of the words, or the beginning of exactly one.
func (s *session) choose(question string, words []string, present string) (string, error) {
	for {
		answer, err := s.ask(question+" "+strings.Join(words, ", ")+"?", present)
		if err != nil {
			return "", err
		}
		if word, ok := match(answer, words); ok {
			return word, nil
		}
		s.say("Not understood: %q is none of these words, nor the beginning of one of them alone.%s", answer, nearest(answer, words))
	}
}

func nearest(answer string, words []string) string {
	if near := param.Nearest(answer, words); near != "" {
		return " Did you mean " + near + "?"
	}
	return ""
}

// match returns the word that an answer stands for: itself, or the only one that begins with it.
func match(answer string, words []string) (string, bool) {
	answer = strings.ToLower(answer)
	if slices.Contains(words, answer) {
		return answer, true
	}
	begin := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.HasPrefix(w, answer) })
	if answer == "" || len(begin) != 1 {
		return "", false
	}
	return begin[0], true
}

// confirm asks a question that is answered by yes or, if nothing is typed, no.
func (s *session) confirm(question string) (bool, error) {
	answer, err := s.choose(question, []string{"yes", "no"}, "no")
	return answer == "yes", err
}

// commit makes a changed copy the scenario, if it is a valid one, and says what it costs.
func (s *session) commit(changed *scenarios.Scenario, what string) error {
	if err := changed.Validate(); err != nil {
		return err
	}
	r, err := s.ev.Evaluate(s, changed, scenarios.Options{})
	if err != nil {
		return err
	}
	s.doc.Replace(changed, what, false)
	s.answer(r)
	return nil
}

// evaluate returns what the scenario costs.
func (s *session) evaluate() (*scenarios.Result, error) {
	return s.ev.Evaluate(s, s.doc.Scenario(), scenarios.Options{})
}

// answer says the bound to quote, and whether it fits the budget.
func (s *session) answer(r *scenarios.Result) {
	s.say("The whole costs %s.", report.Answer(r))
	if verdict := report.Verdict(r); verdict != "" {
		s.say("Budget: %s.", verdict)
	}
	if found, err := review.Quick(s, s.doc.Scenario(), r, review.Options{Changed: s.doc.Dirty()}); err == nil {
		s.say("Review: %s.", found.Headline())
		for _, p := range found.Questions() {
			s.say("%s, %s: %s", map[review.Sign]string{review.Ask: "Question", review.Wrong: "Wrong"}[p.Sign], p.Name, report.PointText(p))
		}
	}
	for _, n := range r.Notes {
		s.say("Note on %s: %s", n.Subject(), n.Text)
	}
}

// boundLine returns one bound as a sentence.
func boundLine(b accounting.Bound, best bool) string {
	switch {
	case b.Status == accounting.Unproven:
		return fmt.Sprintf("%s: about %s, an approximation and not a bound.", b.Method.Name(), report.Upper(b.Epsilon))
	case !b.Finite():
		return fmt.Sprintf("%s: does not apply. %s", b.Method.Name(), b.Note)
	case best:
		return fmt.Sprintf("%s: ε at most %s at δ = %s, the smallest proven bound.", b.Method.Name(), report.Upper(b.Epsilon), report.FormatGiven(b.Delta))
	}
	return fmt.Sprintf("%s: ε at most %s at δ = %s.", b.Method.Name(), report.Upper(b.Epsilon), report.FormatGiven(b.Delta))
}
