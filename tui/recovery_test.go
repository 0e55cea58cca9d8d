package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/store"
)

// backups returns the recovery files there are.
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
	isGone := func(f string) bool { return strings.HasPrefix(filepath.Base(f), "gone") }
	files := slices.DeleteFunc(backups(t, a.Store), isGone)
	if len(files) != 1 {
		t.Fatalf("%d recovery files", len(files))
	}
	gone := fmt.Sprintf("gone%d.yaml", len(backups(t, a.Store)))
	if err := os.Rename(files[0], filepath.Join(a.Store.At.Recovery, gone)); err != nil {
		t.Fatal(err)
	}
	return store.Open(a.Store.At)
}

// opened starts an explorer on a file, after a run that may have crashed.
func opened(t *testing.T, path string, st *store.Store) *App {
	t.Helper()
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return start(t, 120, 36, setup{scenario: s, path: path, store: store.Open(st.At)})
}

func TestCrashLeavesWorkToRecover(t *testing.T) {
	a, path := onDisk(t)
	press(a, "knob.up")
	if len(a.Store.ListRecoverable()) != 0 {
		t.Error("the running explorer offers its own work")
	}
	st := crash(t, a)
	other := filepath.Join(filepath.Dir(path), "other.yaml")
	if err := os.WriteFile(other, []byte(saved), 0o600); err != nil {
		t.Fatal(err)
	}
	if b := opened(t, other, st); len(b.Dialogs) > 0 || b.Status.Text != "" || b.lostNote() != "" {
		t.Errorf("another file is asked about it: %q", b.Status.Text)
	}
	b := opened(t, path, st)
	if len(b.Dialogs) > 0 || !strings.Contains(b.Status.Text, "o lists them first") {
		t.Fatalf("at the next start it says %q", b.Status.Text)
	}
	if press(b, "knob.up", "undo"); b.Doc.Scenario().Stack[0].Values["epsilon"].Number != 0.1 {
		t.Error("the line cannot be ignored")
	}
	press(b, "open")
	if !onScreen(b, "unsaved work of a run that ended") {
		t.Fatalf("it is not listed:\n%s", plainView(b))
	}
	exact(t, b, "recovery")
	press(b, "enter")
	if !b.Doc.Dirty() || b.Doc.Path != path || b.Doc.Scenario().Stack[0].Values["epsilon"].Number != 0.11 {
		t.Errorf("recovered %+v at %q", b.Doc.Scenario().Stack[0].Values, b.Doc.Path)
	}
	if len(a.Store.ListRecoverable()) != 0 {
		t.Error("the recovery file stays after recovering")
	}
	if c := opened(t, path, crash(t, b)); len(c.lost) != 1 {
		t.Error("a second crash, before any further change, lost what the first did not")
	}
	press(b, "save")
	if !onScreen(b, "is already there") { // nobody knows what happened to the file meanwhile
		t.Error("recovered work overwrote the file without asking")
	}
}

// Work that waits for the end of the tour is kept for the next start, also after a step of the
// tour was saved under a name.
func TestTourKeepsTheBackup(t *testing.T) {
	a, _ := onDisk(t)
	press(a, "knob.up")
	a.beginTour()
	name := filepath.Join(t.TempDir(), "step.yaml")
	drain(a, a.write(name, false, nil))
	if _, err := os.Stat(name); err != nil {
		t.Fatal(err)
	}
	if b := start(t, 120, 36, setup{store: crash(t, a)}); len(b.lost) != 1 {
		t.Error("the work is lost")
	}
}

// Two explorers on one file crash: the work of both is listed, and each is recovered by itself.
func TestTwoCrashesAreTwoOffers(t *testing.T) {
	a, path := onDisk(t)
	press(a, "knob.up")
	st := crash(t, a)
	b := start(t, 120, 36, setup{scenario: a.Doc.Scenario().Clone(), path: path, store: store.Open(st.At)})
	press(b, "knob.up", "knob.up")
	c := opened(t, path, crash(t, b))
	if len(c.lost) != 2 {
		t.Fatalf("the work of %d runs is found", len(c.lost))
	}
	press(c, "open", "enter")
	if got := c.Doc.Scenario().Stack[0].Values["epsilon"].Number; got != 0.11 || len(backups(t, c.Store)) != 2 {
		t.Errorf("recovered ε = %v, %d recovery files", got, len(backups(t, c.Store)))
	}
	press(c, "open", "enter", "d")
	if n := len(backups(t, c.Store)); n != 1 || len(c.lost) != 0 {
		t.Fatalf("%d recovery files are left, and %d offers", n, len(c.lost))
	}
	if got := c.Doc.Scenario().Stack[0].Values["epsilon"].Number; got != 0.13 {
		t.Errorf("recovered ε = %v", got)
	}
}

// The first change of every document is kept, also where an earlier document had as
// many changes.
func TestBackupOfASecondDocument(t *testing.T) {
	a, path := onDisk(t)
	press(a, "knob.up", "save")
	other := filepath.Join(filepath.Dir(path), "other.yaml")
	if err := os.WriteFile(other, []byte(saved), 0o600); err != nil {
		t.Fatal(err)
	}
	drain(a, a.read(other, "", nil))
	press(a, "knob.up")
	if len(backups(t, a.Store)) != 1 {
		t.Error("the first change of the second document is not kept")
	}
}

// A change made while a save is in progress is kept when the save has ended.
func TestBackupOfAChangeDuringASave(t *testing.T) {
	a, path := onDisk(t)
	press(a, "knob.up")
	saving := a.write(path, false, nil)
	press(a, "knob.up")
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
	press(a, "knob.up", "undo")
	if n := len(backups(t, a.Store)); n != 0 {
		t.Errorf("%d recovery files after undoing the only change", n)
	}
	press(a, "knob.up", "knob.down")
	if n := len(backups(t, a.Store)); n != 0 || a.Doc.Dirty() {
		t.Errorf("%d recovery files after turning the only change back", n)
	}
	press(a, "knob.up", "save")
	if n := len(backups(t, a.Store)); n != 0 {
		t.Errorf("%d recovery files after saving", n)
	}
}

// However fast the changes come, the first waits two seconds at most.
func TestBackupWaitsTwoSecondsAtMost(t *testing.T) {
	a, _ := onDisk(t)
	clock := time.Unix(0, 0)
	a.opt.clock = func() time.Time { return clock }
	var waited time.Duration
	for range 100 { // a change every tenth of a second, each putting the backup off
		pause := a.backupPause()
		if pause <= 0 {
			break
		}
		if pause > backupPause {
			t.Fatalf("a pause of %v", pause)
		}
		clock = clock.Add(100 * time.Millisecond)
		waited += 100 * time.Millisecond
	}
	if waited > maxBackupDelay {
		t.Errorf("the first change waited %v", waited)
	}
	press(a, "knob.up")
	if len(backups(t, a.Store)) != 1 || !a.waiting.IsZero() {
		t.Error("a backup that is due was not written, or is still waited for")
	}
}

// An end that nobody asked for keeps what was not saved; quitting does not.
func TestKeepOnTheWayOut(t *testing.T) {
	a, _ := onDisk(t)
	a.Doc.Change("budget", func(s *scenarios.Scenario) { s.Budget.Epsilon = 7 }) // no message, so no backup yet
	a.keep()
	if n := len(backups(t, a.Store)); n != 1 {
		t.Errorf("%d recovery files", n)
	}
	a.quit()
	press(a, "d")
	a.keep()
	if n := len(backups(t, a.Store)); n != 0 {
		t.Errorf("%d recovery files after quitting", n)
	}
}

// The line names what was lost, whatever of it has a name.
func TestLineNamesTheWork(t *testing.T) {
	for _, c := range [][3]string{
		{"Plan", "/f.yaml", "to “Plan” (/f.yaml):"}, {"", "/f.yaml", "to /f.yaml:"},
		{"Plan", "", "to “Plan”, which has no file yet:"}, {"", "", "to a scenario without a name and a file:"},
	} {
		a, _ := onDisk(t)
		s := scenarios.New()
		s.Name = c[0]
		a.Doc.Path, a.lost = c[1], []lostWork{{store.Lost{Path: c[1]}, s}}
		if !strings.Contains(a.lostNote(), c[2]) {
			t.Errorf("%q at %q: %q", c[0], c[1], a.lostNote())
		}
	}
}

// One step on the demo and a closed terminal: no start says anything of it, and the list to open from begins with the
// user's own files.
func TestBundledScenarioIsNeverRecoveredUnasked(t *testing.T) {
	folder := t.TempDir()
	st := store.Open(store.Locate(func(k string) string {
		return map[string]string{"XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}[k]
	}))
	s, err := scenarios.LoadBundled(welcome)
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, 120, 36, setup{scenario: s, bundle: welcome, store: st})
	press(a, "knob.up")
	gone := crash(t, a)
	for _, bundle := range []string{welcome, ""} {
		b := start(t, 120, 36, setup{scenario: s.Clone(), bundle: bundle, store: store.Open(gone.At)})
		if len(b.Dialogs) > 0 || strings.Contains(b.Status.Text, "lists them") || len(b.lost) != 1 {
			t.Errorf("on %q: %q", bundle, b.Status.Text)
		}
	}
	path := filepath.Join(folder, "mine.yaml")
	if err := os.WriteFile(path, []byte(saved), 0o600); err != nil {
		t.Fatal(err)
	}
	b := opened(t, path, store.Open(gone.At))
	if err := b.Store.Remember(path); err != nil {
		t.Fatal(err)
	}
	if press(b, "open", "enter"); b.Doc.Path != path || b.Doc.Dirty() {
		t.Errorf("o and enter opened %q, dirty %t", b.Doc.Path, b.Doc.Dirty())
	}
	list := b.lostItems(true)
	if len(list) != 1 {
		t.Fatalf("%d are listed", len(list))
	}
	if drain(b, b.recover(list[0])); !b.Doc.Dirty() || b.Doc.Scenario().Stack[0].Values["epsilon"].Number != 0.11 {
		t.Errorf("recovered %+v", b.Doc.Scenario().Stack[0].Values)
	}
}

// A field of the configuration that is not understood is told by its name, without a word of the program's insides, and
// the others hold.
func TestConfigurationWithAMistake(t *testing.T) {
	for text, want := range map[string]struct {
		says string
		held bool // the theme that stands in the same file
	}{
		"theme: [":                     {"nothing of the configuration holds", false},
		"theme: nosuch\n":              {`theme: there is no theme "nosuch"`, false},
		"thema: light\ntheme: light\n": {"thema", true},
		"thema: light\nmouse: maybe\ntheme: light\n":             {"config.yaml:2:", true},
		"theme: light\nmouse: maybe\n":                           {"mouse", true},
		"theme: light\nascii: [1]\n":                             {"ascii", true},
		"theme: light\ncolours: {best: 12}\n":                    {"colours", true},
		"theme: light\nkeys: {esc: stack.drop, f5: stack.add}\n": {"keys: esc always keeps its meaning", true},
	} {
		home := t.TempDir()
		opt := Options{store: store.Open(store.Locate(func(k string) string { return map[string]string{"HOME": home}[k] }))}
		if err := os.MkdirAll(filepath.Dir(opt.store.At.Config), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(opt.store.At.Config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := opt.configure(func(string) string { return "" }); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if held := opt.Theme == "light"; held != want.held || opt.NoMouse {
			t.Errorf("%q: theme %q, no mouse %t", text, opt.Theme, opt.NoMouse)
		}
		a := newApp(t.Context(), opt, document.New(scenarios.New()))
		says := a.Status.Text
		if !a.Status.Bad || !strings.Contains(says, "config.yaml") || !strings.Contains(says, want.says) {
			t.Errorf("%q: the screen says %q", text, says)
		}
		for _, inside := range []string{"map[", "string", "bool", "interface", "struct", "%!", "[auto"} {
			if strings.Contains(says, inside) {
				t.Errorf("%q: the screen says %q", text, says)
			}
		}
		if strings.Contains(text, "f5") && a.Keymap["f5"] != "stack.add" {
			t.Errorf("%q: the other key does not hold: %v", text, a.Keymap)
		}
		if strings.Count(says, opt.store.At.Config) != 1 {
			t.Errorf("%q: the path stands more than once: %q", text, says)
		}
		a.Jobs.Close()
	}
}

// After a suspension the mouse is on again, if it was.
func TestMouseComesBackAfterASuspension(t *testing.T) {
	a := start(t, 120, 36, setup{})
	on := fmt.Sprintf("%T", tea.EnableMouseCellMotion())
	for _, want := range []bool{true, false} {
		a.mouse = want
		got := a.mouseAgain()
		if (got != nil) != want || got != nil && fmt.Sprintf("%T", got()) != on {
			t.Errorf("mouse on: %t, told again: %t", want, got != nil)
		}
	}
}

// Changes to library scenarios that were set aside survive a crash, and are gone after an ordered end.
func TestCrashKeepsWhatWasSetAside(t *testing.T) {
	folder := t.TempDir()
	st := store.Open(store.Locate(func(k string) string {
		return map[string]string{"XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}[k]
	}))
	s, err := scenarios.LoadBundled(welcome)
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, 120, 36, setup{scenario: s, bundle: welcome, store: st})
	press(a, "knob.up", "open")
	typed(a, "bob")
	press(a, "enter")
	if len(a.aside) != 1 || len(backups(t, st)) != 1 {
		t.Fatalf("%d set aside, %d recovery files", len(a.aside), len(backups(t, st)))
	}
	if again := store.Open(st.At); len(again.ListRecoverable()) != 0 {
		t.Error("another explorer offers the work of one that runs")
	}
	b := start(t, 120, 36, setup{store: crash(t, a)})
	drain(b, b.recover(b.lostItems(true)[0]))
	if !b.Doc.Dirty() || b.Doc.Scenario().Stack[0].Values["epsilon"].Number != 0.11 {
		t.Errorf("recovered %+v", b.Doc.Scenario().Stack[0].Values)
	}
	c := start(t, 120, 36, setup{scenario: s, bundle: welcome, store: store.Open(st.At)})
	press(c, "knob.up", "open")
	typed(c, "bob")
	press(c, "enter")
	before := len(backups(t, st))
	if press(c, "quit", "d"); len(backups(t, st)) != before-1 {
		t.Errorf("%d recovery files before the end, %d after", before, len(backups(t, st)))
	}
}

// Adding a mechanism that has no price under the adjacency of the scenario offers the adjacency with it, and
// u takes both back at once.
func TestAddOffersTheAdjacency(t *testing.T) {
	a := start(t, 120, 36, setup{accountant: accountants()})
	rows, adjacency := len(a.Doc.Rows()), a.Doc.Scenario().Adjacency
	press(a, "stack.add")
	typed(a, "matrix")
	press(a, "enter")
	if len(a.Doc.Rows()) != rows || !onScreen(a, "Change the adjacency with it?") {
		t.Fatalf("it does not ask:\n%s", plainView(a))
	}
	if press(a, "z", "enter"); len(a.Doc.Rows()) != rows+1 || a.Doc.Scenario().Adjacency != "zero-out" || a.Refusal != nil {
		t.Errorf("%d rows, %s, %v", len(a.Doc.Rows()), a.Doc.Scenario().Adjacency, a.Refusal)
	}
	if row, _ := a.Doc.SelectedRow(); row.Entry.Mechanism != "matrix" {
		t.Errorf("%s is selected", row.Entry.Mechanism)
	}
	if press(a, "undo"); len(a.Doc.Rows()) != rows || a.Doc.Scenario().Adjacency != adjacency {
		t.Errorf("after undo %d rows, %s", len(a.Doc.Rows()), a.Doc.Scenario().Adjacency)
	}
	press(a, "stack.add")
	typed(a, "matrix")
	if press(a, "enter", "esc"); len(a.Doc.Rows()) != rows || a.Doc.Scenario().Adjacency != adjacency {
		t.Error("esc does not leave both as they are")
	}
}
