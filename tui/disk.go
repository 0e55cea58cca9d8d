package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/store"
)

// pauseWatch is how often the file is looked at. Not every terminal tells when it
// gets the focus back, so that alone would not do.
const pauseWatch = 2 * time.Second

// pauseGone is how long a file must be missing to be gone, and gone what the user was
// told of it then.
const (
	pauseGone = 500 * time.Millisecond
	gone      = "gone"
)

// watch looks at the file again and again.
func (a *App) watch() tea.Cmd {
	if !a.opt.watch {
		return nil
	}
	ctx := a.Jobs.Ctx
	return a.Jobs.Command(func() tea.Msg {
		if !jobs.Sleep(ctx, pauseWatch) {
			return nil
		}
		return watchMsg{}
	})
}

// checkDisk looks whether the file was written by somebody else: now and then, and
// when the terminal gets the focus back, as an editor has just been left then. The
// same change is told once.
func (a *App) checkDisk() tea.Cmd {
	s, path, told, ctx, again := a.Doc.Scenario(), a.Doc.Path, a.told, a.Jobs.Ctx, pauseGone
	if path == "" || len(a.Dialogs) > 0 || a.saving {
		return nil
	}
	return a.Jobs.Command(func() tea.Msg {
		state := stateOf(path)
		if state == "" { // many programs write by putting a new file in the place of the old
			if told == gone || !jobs.Sleep(ctx, again) || stateOf(path) != "" {
				return nil
			}
			return diskMsg{state: gone}
		}
		if state == told {
			return nil
		}
		changed, err := s.ChangedOnDisk()
		if err != nil || !changed {
			if told == gone { // it is back as it was
				return diskMsg{state: state}
			}
			return nil
		}
		fresh, err := scenarios.LoadSettled(ctx, path)
		if errors.Is(err, scenarios.ErrUnsettled) || ctx.Err() != nil {
			return nil // the next look will find it finished
		}
		return diskMsg{fresh, state, err}
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

// changedOnDisk takes the new file over, asking if that would lose changes.
func (a *App) changedOnDisk(msg diskMsg) tea.Cmd {
	if len(a.Dialogs) > 0 || a.saving {
		return nil
	}
	a.told = msg.state
	if msg.scenario == nil && msg.err == nil && msg.state != gone {
		return nil
	}
	if msg.state == gone {
		a.Complain(errors.New(filepath.Base(a.Doc.Path) + " is no longer on disk; s writes it again"))
		return nil
	}
	if msg.err != nil {
		a.Complain(msg.err)
		return nil
	}
	take := func() tea.Cmd {
		a.Doc.Replace(msg.scenario, "read again from disk", true)
		a.Say("read again from disk; u brings back what was here")
		return nil
	}
	if !a.Doc.Dirty() {
		return take()
	}
	dialogs.Ask(a.Shell, "Changed on disk",
		filepath.Base(a.Doc.Path)+" was changed by another program, and here too.",
		dialogs.Reply("r", "read the file again (u brings the changes made here back)", take),
		dialogs.Reply("k", "keep what is on the screen; saving will ask again", nil),
	)
	return nil
}

// reload reads the file again on request.
func (a *App) reload() tea.Cmd {
	if a.tour != nil {
		a.Say("the scenarios of the tour are not read from disk")
		return nil
	}
	if a.Doc.Path == "" {
		a.Say("this scenario has no file yet")
		return nil
	}
	return a.guarded("Reading the file again", a.forceReload)
}

func (a *App) forceReload() tea.Cmd {
	path, ctx := a.Doc.Path, a.Jobs.Ctx
	return a.Jobs.Command(func() tea.Msg {
		s, err := scenarios.LoadSettled(ctx, path)
		return openedMsg{scenario: s, path: path, err: err}
	})
}

// pauseBackup keeps a held key from writing a file at every step.
const pauseBackup = 500 * time.Millisecond

// backup keeps unsaved work where the next start finds it after a crash, and forgets
// it once there is none.
func (a *App) backup() tea.Cmd {
	if a.Store == nil || a.tour != nil || a.backed == a.Doc.Version() {
		return nil
	}
	a.backed = a.Doc.Version()
	if !a.Doc.Dirty() {
		a.forget()
		return nil
	}
	s, path, st := a.Doc.Scenario(), a.Doc.Path, a.Store
	return a.Jobs.Start(&a.backupJob, pauseBackup, func(ctx context.Context, emit func(tea.Msg)) {
		data, err := s.Marshal()
		if err == nil {
			err = st.Backup(ctx, path, data)
		}
		if err != nil {
			emit(jobs.Fail(err))
		}
	})
}

// forget drops the backup, and one that is just being made.
func (a *App) forget() {
	a.backupJob.Stop()
	a.Store.Forget()
}

// greet looks for work an earlier run could not save.
func (a *App) greet() tea.Cmd {
	st := a.Store
	if st == nil {
		return nil
	}
	return a.Jobs.Command(func() tea.Msg { return lostWork(st) })
}

// lostWork is the first that can be read; nil if there is none.
func lostWork(st *store.Store) tea.Msg {
	for _, lost := range st.Lost() {
		s, err := scenarios.Parse(lost.File, lost.Data)
		if err != nil { // nothing a user could do with it
			st.Log("unreadable recovery file: " + err.Error())
			continue
		}
		return lostMsg{lost, s}
	}
	return nil
}

// offer asks what to do with it.
func (a *App) offer(msg lostMsg) {
	name := msg.scenario.Name
	if msg.lost.Path != "" {
		name += " (" + msg.lost.Path + ")"
	}
	dialogs.Ask(a.Shell, "Unsaved work was found",
		"The explorer did not end by itself last time. It kept your changes to "+name+".",
		dialogs.Reply("r", "recover them", func() tea.Cmd { return a.recover(msg) }),
		dialogs.Reply("d", "discard them for good", func() tea.Cmd { return a.discard(msg) }),
		dialogs.Reply("l", "ask again later", nil),
	)
}

// recover shows the work as unsaved. Saving it over its file asks first: nobody
// knows what happened to the file meanwhile. The old backup goes when there is a new
// one: a second crash must not lose what the first one did not.
func (a *App) recover(msg lostMsg) tea.Cmd {
	d := document.Recovered(msg.scenario)
	d.Path = msg.lost.Path
	a.adopt(d)
	a.Say("recovered; it is not saved yet")
	st, ctx := a.Store, a.Jobs.Ctx
	return a.Jobs.Command(func() tea.Msg {
		if err := st.Backup(ctx, msg.lost.Path, msg.lost.Data); err != nil {
			return jobs.Fail(err)
		}
		if err := msg.lost.Discard(); err != nil {
			return jobs.Fail(err)
		}
		return nil
	})
}

// discard gives it up, and asks about the next there is.
func (a *App) discard(msg lostMsg) tea.Cmd {
	st := a.Store
	return a.Jobs.Command(func() tea.Msg {
		if err := msg.lost.Discard(); err != nil {
			return jobs.Fail(err)
		}
		return lostWork(st)
	})
}
