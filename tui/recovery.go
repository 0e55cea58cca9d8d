package tui

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/dialogs"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/store"
)

// backupPause is the time without a change after which a backup is written, so that a held key does not write one at
// every step. maxBackupDelay is the longest time that a change waits.
const (
	backupPause    = 500 * time.Millisecond
	maxBackupDelay = 2 * time.Second
)

// backup keeps unsaved work where the next start finds it after a crash, and forgets
// it once there is none.
func (a *App) backup() tea.Cmd {
	if a.Store == nil || a.tour != nil || a.backed == a.Doc.Version() {
		return nil
	}
	if !a.Doc.Dirty() {
		a.backed = a.Doc.Version()
		a.forget()
		return nil
	}
	pause := a.backupPause()
	if pause <= 0 && a.backupJob.Busy { // one that is due is not stopped by the next change
		return nil
	}
	a.backed = a.Doc.Version()
	keep := a.keeper()
	return a.Jobs.Start(&a.backupJob, pause, func(ctx context.Context, tell func(func())) {
		err := keep(ctx)
		tell(func() {
			if err != nil {
				a.Complain(fmt.Errorf("unsaved changes cannot be kept for the next start: %w", err))
			} else {
				a.waiting = time.Time{}
			}
		})
	})
}

// backupAside keeps what was set aside where the next start finds it after a crash.
func (a *App) backupAside() tea.Cmd {
	if a.Store == nil || a.tour != nil || slices.Equal(a.aside, a.asideBacked) {
		return nil
	}
	a.asideBacked = slices.Clone(a.aside)
	keep := a.asideKeeper()
	return a.Jobs.Start(&a.asideJob, 0, func(ctx context.Context, tell func(func())) {
		if err := keep(ctx); err != nil {
			tell(func() { a.Complain(fmt.Errorf("what was set aside cannot be kept for the next start: %w", err)) })
		}
	})
}

// asideKeeper writes what is set aside now to recovery files.
func (a *App) asideKeeper() func(context.Context) error {
	st, list := a.Store, make([]*scenarios.Scenario, len(a.aside))
	for i, d := range a.aside {
		list[i] = d.Scenario()
	}
	return func(ctx context.Context) error {
		texts := make([][]byte, len(list))
		for i, s := range list {
			var err error
			if texts[i], err = s.Marshal(); err != nil {
				return err
			}
		}
		return st.BackupAside(ctx, texts)
	}
}

// keeper writes what is on the screen now to the recovery file.
func (a *App) keeper() func(context.Context) error {
	s, path, bundled, st := a.Doc.Scenario(), a.Doc.Path, a.Doc.Bundle != "" && a.Doc.Path == "", a.Store
	return func(ctx context.Context) error {
		data, err := s.Marshal()
		switch {
		case err != nil:
			return err
		case bundled:
			return st.BackupLibrary(ctx, data)
		}
		return st.Backup(ctx, path, data)
	}
}

// backupPause returns how long the next backup waits for further changes.
func (a *App) backupPause() time.Duration {
	if a.waiting.IsZero() {
		a.waiting = a.opt.clock()
	}
	return min(backupPause, maxBackupDelay-a.opt.clock().Sub(a.waiting))
}

// keep writes unsaved work at once where the explorer ended without being asked to, and
// reports whether there was any.
func (a *App) keep() bool {
	if a.Store == nil || a.quiet || a.tour != nil {
		return false
	}
	a.asideJob.Stop()
	if err := a.asideKeeper()(context.Background()); err != nil {
		a.Store.Log("what was set aside is lost: " + err.Error())
	}
	if !a.Doc.Dirty() {
		return false
	}
	a.backupJob.Stop()
	err := a.keeper()(context.Background())
	if err != nil {
		a.Store.Log("unsaved work is lost: " + err.Error())
	}
	return err == nil
}

// forget drops the backup, and one that is just being made.
func (a *App) forget() {
	a.backupJob.Stop()
	a.waiting = time.Time{}
	a.Store.Forget()
}

// lostWork is unsaved work of a run that did not exit cleanly, as it can be read.
type lostWork struct {
	store.Lost
	scenario *scenarios.Scenario
}

// The groups of the open dialog that list such work: on the user's own scenarios before all else, on bundled ones,
// which are there to be tried, after the files.
const (
	groupLost        = "unsaved"
	groupLostBundled = "unsaved, library"
)

// findLostWork finds the work that earlier runs could not save and that can be read. It is listed where scenarios are
// opened; a line says so if some of it is on what stands on the screen.
func (a *App) findLostWork() tea.Cmd {
	st := a.Store
	return a.Jobs.Do(func() (func() tea.Cmd, error) {
		var found []lostWork
		for _, lost := range st.ListRecoverable() {
			s, err := scenarios.Parse(lost.File, lost.Data)
			if err != nil {
				st.Log("unreadable recovery file: " + err.Error()) // of no use to a user
				continue
			}
			found = append(found, lostWork{lost, s})
		}
		return kit.NoCmd(func() {
			a.lost = found
			if note := a.lostNote(); note != "" && !a.Status.Bad {
				a.Say(note)
			}
		}), nil
	})
}

// lostNote says that there is unsaved work on the file on the screen, or, if none is open, on a scenario without one;
// "" if there is none. Changes to a bundled scenario are nobody's to miss.
func (a *App) lostNote() string {
	path := a.Doc.Path
	if path != "" {
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
	}
	for _, x := range a.lost {
		if !x.Library && x.Path == path && (path != "" || a.opt.Open == "") {
			return "a run that ended without saving kept changes to " + lostName(x.scenario.Name, x.Path) + ": o lists them first"
		}
	}
	return ""
}

// lostItems lists such work for the open dialog.
func (a *App) lostItems(library bool) (list []dialogs.Item) {
	group, head := groupLost, "unsaved work of a run that ended"
	if library {
		group, head = groupLostBundled, "library scenarios, changed in a run that ended"
	}
	for _, x := range a.lost {
		if x.Library == library {
			name := "(no file)"
			if x.Path != "" {
				name = filepath.Base(x.Path)
			}
			if library {
				name = x.scenario.Name
			}
			list = append(list, dialogs.Item{
				Name: name, Title: x.scenario.Name, Group: group, Head: head, Scenario: x.scenario,
			})
		}
	}
	return list
}

// lostName returns what the work was on: the scenario, its file, or neither.
func lostName(name, path string) string {
	switch {
	case name != "" && path != "":
		return "“" + name + "” (" + path + ")"
	case path != "":
		return path
	case name != "":
		return "“" + name + "”, which has no file yet"
	}
	return "a scenario without a name and a file"
}

// recover shows the work of an item as unsaved. Saving it over its file asks first, because the file may
// have changed meanwhile. The old backup is removed when there is a new one: a second crash must
// not lose what the first one did not.
func (a *App) recover(it dialogs.Item) tea.Cmd {
	i := slices.IndexFunc(a.lost, func(x lostWork) bool { return x.scenario == it.Scenario })
	if i < 0 {
		return nil
	}
	lost := a.lost[i]
	return a.confirmLoss("Opening another loses them", func() tea.Cmd {
		a.lost = slices.DeleteFunc(a.lost, func(x lostWork) bool { return x.File == lost.File })
		d := document.Recover(lost.scenario)
		d.Path = lost.Path
		a.replaceDoc(d)
		a.sayWithAsideNote("recovered; it is not saved yet")
		st, ctx := a.Store, a.Jobs.Ctx
		return a.Jobs.Do(func() (func() tea.Cmd, error) {
			if err := st.Backup(ctx, lost.Path, lost.Data); err != nil {
				return nil, err
			}
			return nil, lost.Discard()
		})
	})
}
