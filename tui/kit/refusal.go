package kit

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"epsiloscope/internal/format"
	"epsiloscope/report"
	"epsiloscope/tui/draw"
)

// entryField matches the place of a mistake in an entry of the stack, as a file names it.
var entryField = regexp.MustCompile(`^stack\[(\d+)\](?:\.(\w+))?$`)

// RefusalText returns why the scenario cannot be evaluated, with entries named as the screens name them: a mistake that
// was made here has no file in which "stack[2]" could be looked up.
func (s *Shell) RefusalText() string {
	var mistakes format.Errors
	if !errors.As(s.Refusal, &mistakes) {
		return s.Refusal.Error()
	}
	stack := s.Doc.Scenario().Stack
	lines := make([]string, len(mistakes))
	for i, m := range mistakes {
		lines[i] = m.Error()
		at := entryField.FindStringSubmatch(m.Field)
		if at == nil {
			continue
		}
		if n, err := strconv.Atoi(at[1]); err == nil && n >= 1 && n <= len(stack) {
			where := fmt.Sprintf("entry %d (“%s”)", n, draw.Clean(report.EntryName(stack[n-1])))
			if at[2] != "" {
				where += ", " + strings.ReplaceAll(at[2], "_", " ")
			}
			lines[i] = where + ": " + m.Problem
		}
	}
	return strings.Join(lines, "\n")
}

// Refusal writes why the scenario cannot be evaluated, and where that can be changed.
func (w *Writer) Refusal(s *Shell) {
	w.Prose(w.Pen.Over, "This stack cannot be evaluated as it stands:")
	w.Prose(w.Pen.Text, s.RefusalText())
	w.Gap()
	w.Prose(w.Pen.Muted, "0 goes home, where the stack can be changed.")
}
