//go:build !windows

package tui

// terminalName is where keys come from when standard input is none.
const terminalName = "/dev/tty"
