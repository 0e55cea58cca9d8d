// Package early keeps the terminal from being asked questions before main runs.
//
// Bubble Tea asks the terminal for its background colour while the program is
// being initialised, and waits up to five seconds for an answer, even if no
// screen will be drawn (--version, compare in a script). It does not ask a
// terminal of the type "dumb". This package sets TERM to that before Bubble Tea
// is initialised, also if the variable was not set, and [Restore] gives it back as it was.
//
// The order is kept by imports and hardly by the module's name. Go initialises a package as
// soon as everything it imports is ready, the one with the smallest import path first.
// This package needs only syscall, while Bubble Tea also needs unique and weak, by
// way of net/netip. Their names sort after those of nearly all hosts: this
// package comes before Bubble Tea if its path sorts before "weak". It must import nothing else.
// A test in package cli runs the program under several module paths on a
// terminal that never replies.
//
// No way is known that does not depend on names. Bubble Tea waits only for what it imports, and all
// of that is initialised by path; a variable that is set before any initialisation cannot
// call a function; a replaced module is not allowed where a program is installed by its address. Version 2 of Bubble
// Tea asks nothing so early, and this package goes when ntcharts no longer imports version 1.
package early

import "syscall"

var term, wasSet = syscall.Getenv("TERM")

func init() { _ = syscall.Setenv("TERM", "dumb") }

// Restore gives TERM the value it had when the program was started, or takes it away if it had none. The program
// calls it first of all, before it reads its environment or starts another
// program.
func Restore() {
	now, _ := syscall.Getenv("TERM")
	switch {
	case now != "dumb": // changed since, as tests do
	case wasSet:
		_ = syscall.Setenv("TERM", term)
	default:
		_ = syscall.Unsetenv("TERM")
	}
}
