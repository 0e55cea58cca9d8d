package tui

import (
	"epsiloscope/tui/text"
)

// status is the last thing the explorer had to say. An error stays until another
// key has been pressed after it was drawn.
type status struct {
	text string
	bad  bool
	age  int
}

// say shows a message at the foot of the screen.
func (s *Shell) say(words string) { s.status = status{text: text.Clean(words)} }

// complain shows an error there.
func (s *Shell) complain(err error) {
	s.status = status{text: text.Clean(err.Error()), bad: true}
	s.lastError = s.status
}

// repeatError brings the last error back to the status line.
func (s *Shell) repeatError() {
	if s.lastError.text == "" {
		s.say("there was no error")
		return
	}
	s.status = s.lastError
}

// seen lets a message go once a key follows it.
func (s *status) seen() {
	if s.age++; s.age > 1 {
		*s = status{}
	}
}
