package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/internal/stand"
	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
	"epsiloscope/tui/store"
)

const saved = "# keep this comment\nversion: 1\nname: Saved\nbudget: {epsilon: 2, delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.1, count: 3}\n"

// onDisk opens a file in a fresh folder.
func onDisk(t *testing.T) (*App, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(path, []byte(saved), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	st := store.Open(store.Locate(func(k string) string { return map[string]string{"HOME": home}[k] }))
	return start(t, 120, 36, setup{scenario: s, path: path, store: st}), path
}

func onScreen(a *App, text string) bool { return strings.Contains(ansi.Strip(a.View()), text) }

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSaveKeepsCommentsThroughUndo(t *testing.T) {
	a, path := onDisk(t)
	press(a, "knob.up", "knob.up", "save")
	if got := read(t, path); !strings.Contains(got, "0.12") || !strings.Contains(got, "keep this comment") {
		t.Errorf("saved %q", got)
	}
	if a.Doc.Dirty() || !onScreen(a, "saved") {
		t.Error("still marked unsaved")
	}
	press(a, "undo", "save") // the state before the save, saved over it
	if got := read(t, path); !strings.Contains(got, "0.11") || !strings.Contains(got, "keep this comment") || len(a.Dialogs) > 0 {
		t.Errorf("after undo saved %q", got)
	}
}

func TestSaveAsksWhenTheFileChanged(t *testing.T) {
	a, path := onDisk(t)
	press(a, "knob.up")
	other := strings.Replace(saved, "name: Saved", "name: Theirs", 1)
	if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	press(a, "save")
	if !onScreen(a, "Changed on disk") || read(t, path) != other {
		t.Fatal("somebody else's work was overwritten, or nobody asked")
	}
	exact(t, a, "question")
	if shown := ansi.Strip(a.View()); strings.Contains(shown, "brings t…") || !strings.Contains(shown, "them back)") {
		t.Errorf("an answer is cut:\n%s", shown)
	}
	press(a, "r", "enter")
	if a.Doc.Scenario().Name != "Theirs" || a.Doc.Dirty() {
		t.Errorf("r did not read the file again: %q", a.Doc.Scenario().Name)
	}
	press(a, "undo") // as the question promised
	if got := a.Doc.Scenario(); got.Name != "Saved" || got.Stack[0].Values["epsilon"].Number != 0.11 {
		t.Errorf("u did not bring back what was here: %q, %v", got.Name, got.Stack[0].Values)
	}
}

// What is still under way when another scenario is opened is about the one before: it changes
// neither the other's content nor its file.
func TestLateAnswersFindTheirDocument(t *testing.T) {
	for what, begin := range map[string]func(a *App, path string) tea.Cmd{
		"a save": func(a *App, _ string) tea.Cmd {
			press(a, "knob.up")
			return a.saveThen(nil)
		},
		"a save that is refused": func(a *App, path string) tea.Cmd {
			press(a, "knob.up")
			os.WriteFile(path, []byte(saved+"# theirs\n"), 0o600)
			return a.saveThen(nil)
		},
		"a file that is read": func(a *App, path string) tea.Cmd { return a.read(path, "", nil) },
		"a look at the file": func(a *App, path string) tea.Cmd {
			os.WriteFile(path, []byte(strings.Replace(saved, "count: 3", "count: 30", 1)), 0o600)
			return a.checkDisk()
		},
		"a plan for a new entry": func(a *App, _ string) tea.Cmd {
			press(a, "stack.add")
			typed(a, "c 100")
			_, cmd := a.Update(stand.Key("enter"))
			return cmd
		},
	} {
		a, path := onDisk(t)
		late := begin(a, path)
		other := document.New(city())
		before := other.Scenario()
		a.adopt(other)
		drain(a, late)
		if a.Doc != other || other.Scenario() != before || other.Path != "" || len(a.Dialogs) > 0 {
			t.Errorf("%s: the other scenario is changed, or asked about: %q at %q", what, other.Scenario().Name, other.Path)
		}
	}
}

// A plan that was pinned in one file and applied in another belongs to the other: it is saved
// there without a question, and the first stays what it is.
func TestPinGoesWithTheDocument(t *testing.T) {
	a, path := onDisk(t)
	press(a, "pin")
	other := filepath.Join(filepath.Dir(path), "other.yaml")
	words := "# the other\nversion: 1\nname: Other\nbudget: {epsilon: 2, delta: 1e-6}\nstack:\n  - {mechanism: pure, epsilon: 0.1}\n"
	if err := os.WriteFile(other, []byte(words), 0o600); err != nil {
		t.Fatal(err)
	}
	drain(a, a.read(other, "", nil))
	press(a, "screen.variants", "enter", "save")
	if len(a.Dialogs) > 0 || a.hasUnsavedWork() || a.Doc.Scenario().Path() != other {
		t.Fatalf("it asks, or says %q of %s:\n%s", a.Status.Text, a.Doc.Scenario().Path(), plainView(a))
	}
	first, _ := os.ReadFile(path)
	now, err := os.ReadFile(other)
	if string(first) != saved || err != nil ||
		!strings.HasPrefix(string(now), "# the other") || strings.Contains(string(now), "pure") {
		t.Errorf("the first file is\n%s\nand the other\n%s", first, now)
	}
}

// What is undone after the first save belongs to the file, too.
func TestUndoAfterTheFirstSave(t *testing.T) {
	t.Chdir(t.TempDir())
	a := start(t, 80, 24, setup{scenario: scenarios.New()})
	press(a, "stack.add", "enter", "stack.copy", "save")
	press(a, "enter", "undo", "save")
	if s, err := scenarios.Load(a.Doc.Path); err != nil || len(a.Dialogs) > 0 || len(s.Stack) != 1 {
		t.Errorf("%v, %d dialogs, %q", err, len(a.Dialogs), a.Status.Text)
	}
}

// An edit made while another scenario is being read is not lost unasked.
func TestOpeningAsksAboutLateEdits(t *testing.T) {
	a, path := onDisk(t)
	late := a.read(path, "", nil)
	press(a, "knob.up")
	drain(a, late)
	if !onScreen(a, "Unsaved changes") || !a.Doc.Dirty() {
		t.Error("the edit is gone, and nobody asked")
	}
}

func TestFocusTakesOverAFileChangedElsewhere(t *testing.T) {
	a, path := onDisk(t)
	os.WriteFile(path, []byte(strings.Replace(saved, "count: 3", "count: 30", 1)), 0o600)
	send(a, tea.FocusMsg{})
	if got := a.Doc.Scenario().Stack[0].Count; got != 30 {
		t.Errorf("count %v after the file changed", got)
	}
	press(a, "knob.up") // now both change
	os.WriteFile(path, []byte(strings.Replace(saved, "count: 3", "count: 300", 1)), 0o600)
	send(a, tea.FocusMsg{})
	if !onScreen(a, "Changed on disk") {
		t.Fatal("nobody asked although both changed")
	}
	press(a, "esc")
	if got := a.Doc.Scenario().Stack[0].Count; got != 30 {
		t.Errorf("keep lost the screen: count %v", got)
	}
	send(a, tea.FocusMsg{})
	if len(a.Dialogs) > 0 {
		t.Error("asked twice about the same change")
	}
}

func TestSaveAsDoesNotOverwriteUnasked(t *testing.T) {
	a, path := onDisk(t)
	there := filepath.Join(filepath.Dir(path), "there.yaml")
	os.WriteFile(there, []byte("mine"), 0o600)
	press(a, "save-as")
	for range len(path) {
		press(a, "backspace")
	}
	typed(a, there)
	press(a, "enter")
	if !onScreen(a, "is already there") || read(t, there) != "mine" {
		t.Fatal("overwrote another file")
	}
	if press(a, "o"); read(t, there) != "mine" { // it was typed to open a file
		t.Error("the key typed next overwrote another file")
	}
	press(a, "enter")
	if read(t, there) == "mine" || a.Doc.Path != there {
		t.Error("o did not overwrite")
	}
}

func TestQuittingLeavesNoRecoveryFile(t *testing.T) {
	a, _ := onDisk(t)
	press(a, "knob.up", "quit", "d")
	if files, _ := os.ReadDir(a.Store.At.Recovery); len(files) != 0 || !a.quiet {
		t.Errorf("%d recovery files after quitting on purpose", len(files))
	}
}

func TestOpenShowsFilesAndWhatTheyCost(t *testing.T) {
	a, path := onDisk(t)
	t.Chdir(filepath.Dir(path))
	press(a, "open")
	typed(a, "s.yaml")
	if !onScreen(a, "Saved") || !onScreen(a, "ε =") {
		t.Errorf("no preview:\n%s", ansi.Strip(a.View()))
	}
	press(a, "enter")
	if a.Doc.Path != "s.yaml" || a.Doc.Scenario().Name != "Saved" {
		t.Errorf("opened %q", a.Doc.Path)
	}
	press(a, "open")
	typed(a, "nowhere.yaml")
	press(a, "enter")
	if !a.Status.Bad || len(a.Dialogs) > 0 {
		t.Errorf("a file that is not there: %+v", a.Status)
	}
}

// A file that is deleted meanwhile is news once, and saving writes it again.
func TestTheFileIsGone(t *testing.T) {
	a, path := onDisk(t)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	send(a, tea.FocusMsg{})
	if !onScreen(a, "s.yaml is no longer on disk") {
		t.Error(ansi.Strip(a.View()))
	}
	press(a, "down", "down")
	send(a, tea.FocusMsg{})
	if onScreen(a, "no longer on disk") {
		t.Error("told twice")
	}
	press(a, "quit")
	if !onScreen(a, "Unsaved changes") {
		t.Error("quitting would lose it unasked")
	}
	press(a, "esc", "save")
	if !strings.Contains(read(t, path), "laplace") || !onScreen(a, "saved") || onScreen(a, "unsaved") {
		t.Error("not written again")
	}
	os.Remove(path)
	send(a, tea.FocusMsg{})
	os.WriteFile(path, []byte(saved), 0o600) // somebody puts it back
	send(a, tea.FocusMsg{})
	if onScreen(a, "unsaved") {
		t.Error("it is back, but called unsaved")
	}
}

// The name that is suggested gives way to the first letter typed, as in every form; an arrow keeps it.
func TestSuggestedNameIsReplaced(t *testing.T) {
	t.Chdir(t.TempDir())
	a := start(t, 80, 24, setup{})
	press(a, "save-as", "m", "i", "n", "e", "enter")
	if a.Doc.Path != "mine.yaml" {
		t.Errorf("saved as %s", a.Doc.Path)
	}
	press(a, "save-as", "end", "x", "enter")
	if a.Doc.Path != "mine.yamlx" {
		t.Errorf("saved as %s", a.Doc.Path)
	}
}

// A folder typed as the name takes the name suggested; one that is not there is told before
// the question goes.
func TestSaveInAFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("sub", 0o755); err != nil {
		t.Fatal(err)
	}
	a := start(t, 120, 36, setup{})
	press(a, "save-as", "ctrl+u")
	typed(a, "nowhere/plan")
	press(a, "enter")
	if view := ansi.Strip(a.View()); !strings.Contains(view, "there is no folder nowhere") || !strings.Contains(view, "esc cancel") {
		t.Errorf("the question is gone, or does not say why:\n%s", view)
	}
	press(a, "ctrl+u")
	typed(a, "sub/")
	press(a, "enter")
	if _, err := os.Stat(filepath.Join("sub", "city-open-data.yaml")); err != nil {
		t.Errorf("%v; it says %q", err, a.Status.Text)
	}
}

// A ledger among the files opens on its own screen, and changes to the scenario stay.
func TestOpenALedger(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "knob.up", "open")
	typed(a, "ledgerview/testdata/mobility.ledger")
	press(a, "enter")
	if view := plainView(a); !strings.Contains(view, "promise ε 3 at δ 1e-6") || !a.hasUnsavedWork() || a.Status.Bad {
		t.Errorf("%s\n%s", a.Status.Text, view)
	}
}
