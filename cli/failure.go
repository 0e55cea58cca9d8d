package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/ledger"
	"epsiloscope/scenarios/disk"
	"epsiloscope/tui"
)

// The exit statuses other programs rely on.
const (
	statusDone = 0
	// a budget given with --check is exceeded, a plan finds nothing, an answer to an exercise is wrong
	statusExceeded = 1
	statusInput    = 2 // the input is wrong
	statusOther    = 3 // anything else
	statusBroken   = 4 // released, and the promise of a ledger is broken
)

// finish prints an error, one line a problem, and returns the status it stands for.
func (a *app) finish(err error) int {
	if err == nil {
		return statusDone
	}
	for line := range strings.Lines(plainText(err)) {
		fmt.Fprintf(a.stderr, "epsiloscope: %s\n", printable(strings.TrimRight(line, "\n")))
	}
	var f *failure
	var ended tui.Ended
	switch {
	case errors.As(err, &ended): // as shells tell it
		return 128 + int(ended.Signal)
	case errors.As(err, &f):
		return f.status
	}
	return statusOther
}

// plainText returns the text of an error, with what the system said about a file in the words of package disk.
func plainText(err error) string {
	text := err.Error()
	if said := new(fs.PathError); errors.As(err, &said) {
		name := said.Path
		if name == os.Stdout.Name() {
			name = "standard output"
		}
		text = strings.ReplaceAll(text, said.Error(), name+": "+disk.Reason(said))
	}
	return text
}

// failure is an error with the exit status it stands for.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// wrong returns an error in what the user gave.
func wrong(err error) error { return &failure{statusInput, err} }

// systemFailure returns an error that is not the user's.
func systemFailure(err error) error { return &failure{statusOther, err} }

// withExitStatus assigns an exit status to an error that has none: 1 for a ledger refusal, 3 for a failure of
// the system or of the program, 2 for everything that the user or the file got wrong.
func withExitStatus(err error) error {
	var refused *ledger.Refused
	var trouble *ledger.SystemError
	var known *failure
	switch {
	case accounting.FaultOf(err) != nil:
		return systemFailure(err)
	case err == nil || errors.As(err, &known) || errors.As(err, &trouble):
		return err
	case errors.As(err, &refused):
		return &failure{statusExceeded, err}
	}
	return wrong(err)
}

func wrongf(format string, args ...any) error { return wrong(fmt.Errorf(format, args...)) }

// writeWhole writes a whole file or leaves what is there, as saving does, and follows no link.
// A path that leads nowhere and a file that may not be replaced are the user's mistake, a full
// or protected disk is not.
func writeWhole(path string, data []byte, may func(target string, current []byte) error) error {
	err := disk.WriteNoFollow(disk.System{}, path, data, may)
	var fault *disk.PathFault
	var known *failure
	switch {
	case err == nil:
		return nil
	case errors.As(err, &fault), errors.As(err, &known), errors.Is(err, disk.ErrChanged),
		errors.Is(err, disk.ErrExists):
		return wrong(err)
	}
	return systemFailure(err)
}
