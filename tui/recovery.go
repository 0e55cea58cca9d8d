package tui

import (
	"context"
	"fmt"
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
	s, path, st := a.Doc.Scenario(), a.Doc.Path, a.Store
	return func(ctx context.Context) error {
		data, err := s.Marshal()
		if err == nil {
			err = st.Backup(ctx, path, data)
		}
		return err
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

// greet offers the first work that an earlier run could not save and that can be read.
func (a *App) greet() tea.Cmd {
	st := a.Store
	return a.Jobs.Do(func() (func() tea.Cmd, error) {
		for _, lost := range st.ListRecoverable() {
			s, err := scenarios.Parse(lost.File, lost.Data)
			if err == nil {
				return kit.NoCmd(func() { a.offer(lost, s) }), nil
			}
			st.Log("unreadable recovery file: " + err.Error()) // of no use to a user
		}
		return nil, nil
	})
}

// offer asks what to do with it.
func (a *App) offer(lost store.Lost, s *scenarios.Scenario) {
	dialogs.Ask(a.Shell, "Unsaved work was found",
		"The explorer did not exit cleanly last time. It kept your changes to "+lostName(s.Name, lost.Path)+".",
		kit.Bind("r", "", "recover them", func() tea.Cmd { return a.recover(lost, s) }),
		kit.Bind("d", "", "discard them", kit.NoCmd(func() {
			dialogs.Ask(a.Shell, "Discard unsaved work", "The changes to "+lostName(s.Name, lost.Path)+" will be gone for good.",
				kit.Bind("y", "", "discard them", func() tea.Cmd {
					return a.Jobs.Do(func() (func() tea.Cmd, error) { return a.greet, lost.Discard() }) // and asks about the next
				}),
				kit.Bind("esc", "", "keep them", kit.NoCmd(func() { a.offer(lost, s) })),
			)
		})),
		kit.Bind("esc", "", "ask again later", kit.NoCmd(func() {})),
	)
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

// recover shows the work as unsaved. Saving it over its file asks first, because the file may
// have changed meanwhile. The old backup is removed when there is a new one: a second crash must
// not lose what the first one did not.
func (a *App) recover(lost store.Lost, s *scenarios.Scenario) tea.Cmd {
	d := document.Recover(s)
	d.Path = lost.Path
	a.adopt(d)
	a.Say("recovered; it is not saved yet")
	st, ctx := a.Store, a.Jobs.Ctx
	return a.Jobs.Do(func() (func() tea.Cmd, error) {
		if err := st.Backup(ctx, lost.Path, lost.Data); err != nil {
			return nil, err
		}
		return nil, lost.Discard()
	})
}
