package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

// What the system says about a file is told by the file's name and the reason, not by the call that failed.
func TestPlainText(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: os.Stdout.Name(), Err: syscall.ENOSPC}
	for _, c := range []struct {
		err  error
		want string
	}{
		{full, "standard output: no space left on device"},
		{errors.Join(errors.New("over the budget"), full), "over the budget\nstandard output: no space left on device"},
		{fmt.Errorf("x.yaml: %w", &fs.PathError{Op: "open", Path: "my plan.yaml", Err: syscall.EACCES}), "x.yaml: my plan.yaml: permission denied"},
		{errors.New("as it is"), "as it is"},
	} {
		if got := plainText(c.err); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
