package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/disk"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/kit"
)

// pauseWatch is the interval at which the file is checked. Not every terminal reports that it
// regains the focus, so that alone is not enough.
const pauseWatch = 2 * time.Second

// pauseGone is the time for which a file must be missing before it counts as gone, and gone is its state
// then.
const (
	pauseGone = 500 * time.Millisecond
	gone      = "gone"
)

// watch checks the file at intervals.
func (a *App) watch() tea.Cmd {
	if !a.opt.watch {
		return nil
	}
	return a.Jobs.Do(func() (func() tea.Cmd, error) {
		if !a.Jobs.Wait(a.Jobs.Ctx, pauseWatch) {
			return nil, nil
		}
		return func() tea.Cmd { return tea.Batch(a.checkDisk(), a.watch()) }, nil
	})
}

// checkDisk reports whether another program wrote the file: at intervals, and when the
// terminal regains the focus, as an editor may just have been left. Each change is reported
// once.
func (a *App) checkDisk() tea.Cmd {
	doc, s, path, told, pool, ctx := a.Doc, a.Doc.Scenario(), a.Doc.Path, a.told, a.Jobs, a.Jobs.Ctx
	if path == "" || len(a.Dialogs) > 0 || a.saving {
		return nil
	}
	found := func(state string, fresh *scenarios.Scenario, err error) (func() tea.Cmd, error) {
		return func() tea.Cmd {
			if a.Doc != doc { // another was opened meanwhile
				return nil
			}
			return a.changedOnDisk(state, fresh, err)
		}, nil
	}
	return a.Jobs.Do(func() (func() tea.Cmd, error) {
		state := stateOf(path)
		if state == "" { // many programs write by putting a new file in the place of the old
			if told == gone || !pool.Wait(ctx, pauseGone) || stateOf(path) != "" {
				return nil, nil
			}
			return found(gone, nil, nil)
		}
		if state == told {
			return nil, nil
		}
		changed, err := s.ChangedOnDisk()
		if err != nil || !changed {
			if told == gone { // it is back as it was
				return found(state, nil, nil)
			}
			return nil, nil
		}
		fresh, err := scenarios.LoadSettled(ctx, path)
		if errors.Is(err, disk.ErrUnsettled) || ctx.Err() != nil {
			return nil, nil // the next look will find it finished
		}
		return found(state, fresh, err)
	})
}

// stateOf tells one state of a file from the next; "" if there is none.
func stateOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(path, info.Size(), info.ModTime().UnixNano())
}

// changedOnDisk takes over what the file holds now, asking first if that would lose changes.
// fresh is nil where the file is gone, or back as it was.
func (a *App) changedOnDisk(state string, fresh *scenarios.Scenario, err error) tea.Cmd {
	if len(a.Dialogs) > 0 || a.saving {
		return nil
	}
	a.told = state
	if state == gone {
		err = errors.New(filepath.Base(a.Doc.Path) + " is no longer on disk; s writes it again")
	}
	if err != nil {
		a.Complain(err)
	}
	if err != nil || fresh == nil {
		return nil
	}
	take := kit.NoCmd(func() { a.reread(fresh) })
	if !a.Doc.Dirty() {
		return take()
	}
	return dialogs.Interrupt(a.Shell, "Changed on disk",
		filepath.Base(a.Doc.Path)+" was changed by another program, and here too.",
		kit.Bind("r", "", "read the file again (u brings the changes made here back)", take),
		kit.Bind("esc", "", "keep what is on the screen; saving will ask again", kit.NoCmd(func() {})),
	)
}

// reload reads the file again on request.
func (a *App) reload() tea.Cmd {
	if a.tour != nil {
		return a.Say("the scenarios of the tour are not read from disk")
	}
	if a.Doc.Path == "" {
		return a.Say("this scenario has no file yet")
	}
	return a.confirmLoss("Reading the file again replaces them; u brings them back", a.forceReload)
}

func (a *App) forceReload() tea.Cmd {
	doc, path, ctx := a.Doc, a.Doc.Path, a.Jobs.Ctx
	return a.Jobs.Do(func() (func() tea.Cmd, error) {
		fresh, err := scenarios.LoadSettled(ctx, path)
		return kit.NoCmd(func() {
			if a.Doc == doc {
				a.reread(fresh)
			}
		}), err
	})
}

// reread takes over what the file holds now, as an edit that can be undone.
func (a *App) reread(fresh *scenarios.Scenario) {
	a.Doc.Replace(fresh, "read again from disk", true)
	a.Say("read again from disk; u brings back what was here")
}
