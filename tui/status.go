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
func (a *App) say(s string) { a.status = status{text: text.Clean(s)} }

// complain shows an error there.
func (a *App) complain(err error) {
	a.status = status{text: text.Clean(err.Error()), bad: true}
	a.lastError = a.status
}

// repeatError brings the last error back to the status line.
func (a *App) repeatError() {
	if a.lastError.text == "" {
		a.say("there was no error")
		return
	}
	a.status = a.lastError
}

// seen lets a message go once a key follows it.
func (s *status) seen() {
	if s.age++; s.age > 1 {
		*s = status{}
	}
}
