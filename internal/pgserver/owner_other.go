//go:build !unix

package pgserver

import "os/exec"

func becomeOwner(*exec.Cmd) {}

func giveAway(string) error { return nil }
