package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/store"
)

// backups are the recovery files there are.
func backups(t *testing.T, st *store.Store) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(st.At.Recovery, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// crash makes a running explorer's backup that of a run nobody has.
func crash(t *testing.T, a *App) *store.Store {
	t.Helper()
	files := slices.DeleteFunc(backups(t, a.Store), func(f string) bool { return strings.HasPrefix(filepath.Base(f), "gone") })
	if len(files) != 1 {
		t.Fatalf("%d recovery files", len(files))
	}
	gone := fmt.Sprintf("gone%d.yaml", len(backups(t, a.Store)))
	if err := os.Rename(files[0], filepath.Join(a.Store.At.Recovery, gone)); err != nil {
		t.Fatal(err)
	}
	return store.Open(a.Store.At)
}

func TestCrashLeavesWorkToRecover(t *testing.T) {
	a, path := onDisk(t)
	press(a, "+")
	if len(a.Store.Lost()) != 0 {
		t.Error("the running explorer offers its own work")
	}
	b := start(t, 120, 36, setup{store: crash(t, a)})
	if !onScreen(b, "Unsaved work was found") {
		t.Fatalf("no question at the next start")
	}
	exact(t, b, "recovery")
	press(b, "r")
	if !b.Doc.Dirty() || b.Doc.Path != path || b.Doc.Scenario().Stack[0].Values["epsilon"].Number != 0.11 {
		t.Errorf("recovered %+v at %q", b.Doc.Scenario().Stack[0].Values, b.Doc.Path)
	}
	if len(a.Store.Lost()) != 0 {
		t.Error("the recovery file stays after recovering")
	}
	if c := start(t, 120, 36, setup{store: crash(t, b)}); !onScreen(c, "Unsaved work was found") {
		t.Error("a second crash, before any further change, lost what the first did not")
	}
	press(b, "s")
	if !onScreen(b, "is already there") { // nobody knows what happened to the file meanwhile
		t.Error("recovered work overwrote the file without asking")
	}
}

// Two explorers on one file crash: the work of both is offered, one after the other.
func TestTwoCrashesAreTwoOffers(t *testing.T) {
	a, path := onDisk(t)
	press(a, "+")
	st := crash(t, a)
	b := start(t, 120, 36, setup{scenario: a.Doc.Scenario().Clone(), path: path, store: store.Open(st.At)})
	press(b, "l", "+", "+")
	c := start(t, 120, 36, setup{store: crash(t, b)})
	press(c, "d")
	if !onScreen(c, "Unsaved work was found") {
		t.Fatal("the second run's work is not offered")
	}
	press(c, "r")
	if got := c.Doc.Scenario().Stack[0].Values["epsilon"].Number; got != 0.13 {
		t.Errorf("recovered ε = %v", got)
	}
}

// The first change of every document is kept, also where an earlier document had as
// many changes.
func TestBackupOfASecondDocument(t *testing.T) {
	a, path := onDisk(t)
	press(a, "+", "s")
	other := filepath.Join(filepath.Dir(path), "other.yaml")
	if err := os.WriteFile(other, []byte(saved), 0o600); err != nil {
		t.Fatal(err)
	}
	drain(a, a.read(other, ""))
	press(a, "+")
	if len(backups(t, a.Store)) != 1 {
		t.Error("the first change of the second document is not kept")
	}
}

// A change made while a save is under way is kept when the save has ended.
func TestBackupOfAChangeDuringASave(t *testing.T) {
	a, path := onDisk(t)
	press(a, "+")
	saving := a.write(path, false, nil)
	press(a, "+")
	drain(a, saving)
	if !a.Doc.Dirty() || len(backups(t, a.Store)) != 1 {
		t.Fatalf("dirty %v, %d recovery files", a.Doc.Dirty(), len(backups(t, a.Store)))
	}
	if text := read(t, backups(t, a.Store)[0]); !strings.Contains(text, "0.12") {
		t.Errorf("kept %q", text)
	}
	send(a, tea.FocusMsg{})
	if len(a.Dialogs) > 0 {
		t.Error("the explorer asks about its own save")
	}
}

// What was undone or saved needs no backup.
func TestNoBackupWithoutChanges(t *testing.T) {
	a, _ := onDisk(t)
	press(a, "+", "u")
	if n := len(backups(t, a.Store)); n != 0 {
		t.Errorf("%d recovery files after undoing the only change", n)
	}
	press(a, "+", "s")
	if n := len(backups(t, a.Store)); n != 0 {
		t.Errorf("%d recovery files after saving", n)
	}
}
