package tui_test

import (
	"bytes"
	"fmt"
	"strings"

	"epsiloscope/cli"
	"epsiloscope/tui"
)

// The command line stands above the explorer, so only this package can import both.
func init() {
	tui.RunCommand = func(command string) (string, error) {
		var out, problems bytes.Buffer
		if status := cli.Main(strings.Fields(command)[1:], strings.NewReader(""), &out, &problems); status != 0 {
			return "", fmt.Errorf("%s: status %d: %s", command, status, problems.String())
		}
		return out.String(), nil
	}
}
