// Package early is imported for its side effect alone, and only by main
// and by the tests whose binary stands for it.
//
// Bubble Tea asks the terminal for its background colour while the program is
// being initialised, and waits up to five seconds for an answer, even where no
// screen will ever be drawn (--version, compare in a script). Telling Lip Gloss
// an answer first keeps it from asking.
//
// Go initialises packages whose dependencies are ready in the order of their
// import paths, so this package has to sort before
// github.com/charmbracelet/bubbletea: the module's plain name does that. A test in
// package cli holds it on a terminal that never replies.
package early

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
