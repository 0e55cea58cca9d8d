package kit

import (
	"epsiloscope/tui/text"
)

// Status is the last thing the explorer had to say. An error stays until another
// key has been pressed after it was drawn.
type Status struct {
	Text string
	Bad  bool
	age  int
}

// Say shows a message at the foot of the screen.
func (s *Shell) Say(words string) { s.Status = Status{Text: text.Clean(words)} }

// Complain shows an error there.
func (s *Shell) Complain(err error) {
	s.Status = Status{Text: text.Clean(err.Error()), Bad: true}
	s.lastError = s.Status
}

// RepeatError brings the last error back to the status line.
func (s *Shell) RepeatError() {
	if s.lastError.Text == "" {
		s.Say("there was no error")
		return
	}
	s.Status = s.lastError
}

// Seen lets a message go once a key follows it.
func (s *Status) Seen() {
	if s.age++; s.age > 1 {
		*s = Status{}
	}
}
