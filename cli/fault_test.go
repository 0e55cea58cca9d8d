package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
)

// A panic in the accountant ends a command with status 3, its text and how to report it: it is neither the
// user's mistake (2) nor a budget that is exceeded (1).
func TestInternalErrorsHaveStatusThree(t *testing.T) {
	fault := accounting.Recover(context.Background(), func(context.Context) error { panic("index out of range [7]") })
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

// Whatever command asks the accountant, its fault is the command's: with its text, how to report it, and status 3, and
// no result that was worked out without it.
func TestFaultsFailEveryCommand(t *testing.T) {
	for _, args := range []string{
		"compare dpsgd-abadi", "compare dpsgd-abadi -o json", "compare dpsgd-abadi welcome", "curve dpsgd-abadi profile", "curve dpsgd-abadi epochs", "curve welcome tradeoff",
		"curve welcome loss", "lab composition", "lab stopping-early", "plan dpsgd-abadi --solve sigma", "plan welcome --solve delta --epsilon 1",
		"plan dpsgd-abadi --solve sigma --advantage 0.1", "person welcome", "statement dpsgd-abadi", "explain dpsgd-abadi", "compare welcome --advantage 0.5", "audit --plan dpsgd-abadi",
	} {
		var stdout, stderr bytes.Buffer
		a := &app{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr}
		broken := &gauge.Broken{Context: context.Background()}
		status := a.execute(broken, strings.Fields(args))
		if status != statusOther || !strings.Contains(stderr.String(), "internal error: "+gauge.BrokenText) ||
			!strings.Contains(stderr.String(), "please report it") {
			t.Errorf("%s: status %d, broken %d times, %s", args, status, broken.Times.Load(), stderr.String())
		}
		if stdout.Len() > 0 {
			t.Errorf("%s prints %.300s", args, stdout.String())
		}
	}
}
