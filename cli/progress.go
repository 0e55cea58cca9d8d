package cli

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/term"

	"epsiloscope/scenarios"
)

// progressDelay is the time that work may take before its progress is shown.
const progressDelay = time.Second

// progress holds what showProgress shows while a command computes.
type progress struct {
	what  string
	delay time.Duration
	stop  func()        // clears the line; nil while nothing is shown
	part  *atomic.Int64 // of the work that is done, in percent; 0 if it is not known
}

// share says how much of the work is done, if that is known.
func (p progress) share() string {
	if part := p.part.Load(); part > 0 {
		return fmt.Sprintf(", %d %%", part)
	}
	return ""
}

// showProgress says on standard error, if that is a terminal, that the program is computing and for how long, until the
// function it returns is called, which clears the line. Nothing is shown in a pipe or a log.
func (a *app) showProgress(what string) (done func()) {
	return a.showProgressEvery(progressDelay, what)
}

func (a *app) showProgressEvery(delay time.Duration, what string) (done func()) {
	a.progress = progress{what: what, delay: delay, part: new(atomic.Int64)}
	a.startProgress()
	return a.stopProgress
}

func (a *app) startProgress() {
	f, ok := a.stderr.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) || !canDraw() {
		return
	}
	shown := a.progress
	what, delay := shown.what, shown.delay
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
				line := fmt.Sprintf("%s: computing, %d s%s (ctrl-c stops it)", what, int(time.Since(start).Seconds()), shown.share())
				fmt.Fprintf(f, "\r%-*s", wide, line)
				wide = len(line)
			}
		}
	}()
	a.progress.stop = func() { close(end); <-ended }
}

func (a *app) stopProgress() {
	if a.progress.stop != nil {
		a.progress.stop()
		a.progress.stop = nil
	}
}

// load loads what the user named: a path, "-" or a bundled scenario. Whoever types a scenario by hand sees no progress
// meanwhile: the program waits and does not compute, and the time counts from the end of the input.
func (a *app) load(fileOrName string) (*scenarios.Scenario, error) {
	if fileOrName == "-" && a.progress.stop != nil {
		a.stopProgress()
		defer a.startProgress()
	}
	return scenarios.LoadNamed(fileOrName, a.stdin)
}

// tell prints a line on standard error, in the place of the progress that is shown there.
func (a *app) tell(format string, args ...any) {
	a.stopProgress()
	fmt.Fprintf(a.stderr, "%s\n", printable(fmt.Sprintf(format, args...)))
}
