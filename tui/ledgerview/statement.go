package ledgerview

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/ledger"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/report/sheet"
	"epsiloscope/tui/export"
	"epsiloscope/tui/kit"
)

// source identifies the ledger that a statement is about.
type source struct {
	path, head string
	at         time.Time // where a window makes it depend on the clock
}

// state starts the statement of what is shown.
func (s *Screen) state() tea.Cmd {
	b, now, of := s.file, s.opt.Now, source{path: s.path, head: s.snapshot.head}
	if s.snapshot.summary != nil && s.snapshot.promise.Window != "" {
		of.at = s.snapshot.summary.at
	}
	return s.quoted.Ask(s.Jobs, 0, of, func(ctx context.Context, tell func(*report.Statement, error)) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.held == nil {
			tell(nil, errUnread)
			return
		}
		tell(b.held.Statement(ctx, ledger.Period{}, now()))
	})
}

var errUnread = errors.New("the ledger cannot be read now")

func (s *Screen) writeStatement(out *kit.Writer) {
	switch {
	case s.failure != nil:
		out.Prose(s.Pen.Over, s.Pen.Glyphs.Cross+" "+errUnread.Error())
	case !s.hasStatement():
		out.Prose(s.Pen.Muted, "computing …")
	case s.quoted.Err != nil:
		out.Prose(s.Pen.Over, s.quoted.Err.Error())
	default:
		out.Statement(s.quoted.Answer)
	}
}

// hasStatement reports whether there is a statement of what is shown.
func (s *Screen) hasStatement() bool {
	return s.quoted.Known && s.quoted.Of.path == s.path && s.quoted.Of.head == s.snapshot.head
}

// statement returns its text; "" where none is on the screen.
func (s *Screen) statement() string {
	var b strings.Builder
	shown := s.page == quoting && s.failure == nil && s.hasStatement() && s.quoted.Err == nil
	if !shown || sheet.Statement(s.quoted.Answer).Write(&b, "text") != nil {
		return ""
	}
	return b.String()
}

func (s *Screen) copy() tea.Cmd {
	words := s.statement()
	if words == "" {
		return s.Say("E shows what may be quoted; c copies it there")
	}
	return s.Copy(words, "the statement of the ledger")
}

// Share gives the statement where that is shown, else the text of the screen; and what was left over time.
func (s *Screen) Share() export.Subject {
	if s.snapshot == nil || s.snapshot.summary == nil {
		return export.Subject{}
	}
	c := s.snapshot.summary.chart
	name := ledger.BaseName(s.path)
	return export.Subject{Title: "the ledger " + name, Text: s.statement(), File: ledger.DataName(s.path) + ".ledger",
		Caption: name + ", head " + s.snapshot.head[:16],
		Chart:   func(context.Context) (chart.Chart, error) { return c, nil }}
}
