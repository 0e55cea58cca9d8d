package cli

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
)

// progressDelay is the time that work may take before its progress is shown.
const progressDelay = time.Second

// showProgress says on standard error, if that is a terminal, that the program is computing and for how long, until the function it
// returns is called, which clears the line. Nothing is shown in a pipe or a log.
func (a *app) showProgress(what string) (done func()) {
	return a.showProgressEvery(progressDelay, what)
}

func (a *app) showProgressEvery(delay time.Duration, what string) (done func()) {
	f, ok := a.stderr.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) || os.Getenv("TERM") == "dumb" {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		start, wide := time.Now(), 0
		tick := time.NewTicker(delay)
		defer tick.Stop()
		for {
			select {
			case <-end:
				if wide > 0 {
					fmt.Fprintf(f, "\r%s\r", strings.Repeat(" ", wide))
				}
				return
			case <-tick.C:
				line := fmt.Sprintf("%s: computing, %d s (ctrl-c stops it)", what, int(time.Since(start).Seconds()))
				wide = len(line)
				fmt.Fprintf(f, "\r%s", line)
			}
		}
	}()
	a.progress = sync.OnceFunc(func() { close(end); <-ended })
	return a.progress
}

// tell prints a line on standard error, in the place of the progress that is shown there.
func (a *app) tell(format string, args ...any) {
	if a.progress != nil {
		a.progress()
	}
	fmt.Fprintf(a.stderr, "%s\n", printable(fmt.Sprintf(format, args...)))
}
