package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"epsiloscope/accounting"
)

// A panic in the accountant ends a command with status 3, its text and how to report it: it is neither the
// user's mistake (2) nor a budget that is exceeded (1).
func TestInternalErrorsHaveStatusThree(t *testing.T) {
	fault := accounting.Recover(func() error { panic("index out of range [7]") })
	for _, err := range []error{fault, fmt.Errorf("plan.yaml: %w", fault), errors.Join(errors.New("other"), fault)} {
		var stderr bytes.Buffer
		a := &app{stderr: &stderr}
		if status := a.finish(withExitStatus(err)); status != statusOther {
			t.Errorf("status %d", status)
		}
		for _, words := range []string{"internal error: index out of range [7]", "please report it", "--version"} {
			if !strings.Contains(stderr.String(), words) {
				t.Errorf("%q is missing in %q", words, stderr.String())
			}
		}
	}
}
