package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"

	"epsiloscope/teach/exercises"
	"epsiloscope/tui/store"
)

// ErrNoKeys says that there is a screen but no terminal to read keys from.
var ErrNoKeys = errors.New("there is no terminal to read keys from")

// Ended says that a signal ended the explorer. The screen is restored and unsaved work kept.
type Ended struct {
	Signal syscall.Signal
	Kept   bool // there was unsaved work
}

func (e Ended) Error() string {
	if e.Kept {
		return "ended by a signal (" + e.Signal.String() + "); the unsaved work is kept, and o lists it at the next start"
	}
	return "ended by a signal (" + e.Signal.String() + ")"
}

// ending are the signals that end the explorer in good order.
var ending = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT}

// Run shows the explorer until the user quits, the context ends or a signal does, which
// is [Ended]. An error from opening the scenario comes before anything is drawn.
func Run(ctx context.Context, opt Options) error {
	if opt.In == nil {
		opt.In = os.Stdin
	}
	if !term.IsTerminal(opt.In.Fd()) { // piped input has no keys
		name := "/dev/tty"
		if runtime.GOOS == "windows" {
			name = "CONIN$"
		}
		tty, err := os.Open(name)
		if err != nil {
			return ErrNoKeys
		}
		defer tty.Close()
		opt.In = tty
	}
	if opt.Out == nil {
		opt.Out = os.Stdout
	}
	if opt.Stdin == nil {
		opt.Stdin = os.Stdin
	}
	opt.store, opt.watch = store.Open(store.Locate(os.Getenv)), true
	if err := opt.configure(os.Getenv); err != nil {
		return err
	}
	doc, err := load(opt.Open, opt.Stdin)
	if opt.Ledger != "" {
		doc, err = draft(opt.Ledger)
	}
	if err == nil && opt.Exercises != "" {
		opt.questions, err = exercises.Load(opt.Exercises)
	}
	if err != nil {
		return err
	}
	a := newApp(ctx, opt, doc)
	defer a.Jobs.Close()
	switch {
	case opt.Tour:
		a.beginTour()
	case opt.Open == "" && len(a.Store.Recent()) == 0 && opt.notice == nil:
		a.Say(newcomer)
	}
	program := a.program(ctx, opt.In)
	received := quitOnSignals(program)
	_, err = program.Run()
	sig, kept := received(), a.keep()
	switch {
	case sig != nil:
		return Ended{sig.(syscall.Signal), kept}
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return fmt.Errorf("the explorer stopped: %w", err)
	}
	return nil
}

// newcomer are the first keys, for a user who has opened no file yet.
const newcomer = "New here? ctrl+n starts a scenario, :tour shows the ideas, ? the keys, q quits"

// quitOnSignals quits the program on a signal; the function it returns ends that and tells
// which one came, nil if none did.
func quitOnSignals(p *tea.Program) (received func() os.Signal) {
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	var got os.Signal
	signal.Notify(signals, ending...)
	go func() {
		defer close(ended)
		if sig, ok := <-signals; ok {
			got = sig
			p.Quit()
		}
	}()
	return func() os.Signal {
		signal.Stop(signals)
		close(signals)
		<-ended
		return got
	}
}

// program returns the explorer with a terminal around it.
func (a *App) program(ctx context.Context, in io.Reader) *tea.Program {
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(a.opt.Out), tea.WithAltScreen(), tea.WithReportFocus(),
		tea.WithoutSignalHandler(), // quitOnSignals tells which one came
	}
	if a.mouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	return tea.NewProgram(a, options...)
}
