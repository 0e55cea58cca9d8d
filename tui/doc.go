// Package tui is the explorer: a scenario on the screen, its stack and knobs on
// one side, what every theorem says of it on the other, one chart below.
//
// [Run] starts it. [App] is the only Bubble Tea model and only routes: dialogs see
// a key first, then the focused pane, then the tables of the screen, which also make
// the help, the command palette and docs/keys.md. The screens stand in packages below
// this one and are plain structs that draw exactly their rectangle. A screen knows the
// explorer by a [kit.Shell] alone. A new screen is one file and one line in screens.go.
//
// Nothing is computed in Update or View: package jobs runs the accountants as commands
// that can be cancelled and whose late answers are dropped.
//
// It may import every package but cli; package kit, of which screens are made, imports no feature.
package tui
