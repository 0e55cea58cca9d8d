//go:build !windows

package tui

// terminalName is where keys come from when standard input is a scenario.
const terminalName = "/dev/tty"
