package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/scenarios"
	"epsiloscope/tui/store"
)

// twins returns two explorers on one file, with one home.
func twins(t *testing.T) (a, b *App, path string) {
	t.Helper()
	a, path = onDisk(t)
	return a, reopened(t, a, path), path
}

func reopened(t *testing.T, a *App, path string) *App {
	t.Helper()
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return start(t, 120, 36, setup{scenario: s, path: path, store: store.Open(a.Store.At)})
}

// One saves, the other has changes: it is asked, whichever way it learns of it, and
// the file stays until it has answered.
func TestTwinsAsk(t *testing.T) {
	a, b, path := twins(t)
	press(b, "knob.down")
	press(a, "knob.up", "save")
	first := read(t, path)
	press(b, "save")
	if !onScreen(b, "Changed on disk") || read(t, path) != first {
		t.Fatalf("b overwrote what a saved, or was not asked")
	}
	press(b, "esc")
	send(b, tea.FocusMsg{})
	if !onScreen(b, "was changed by another program, and here too") || !b.Doc.Dirty() || read(t, path) != first {
		t.Fatalf("b does not learn that a saved")
	}
	press(b, "esc", "save") // keep, then save: asks again
	if !onScreen(b, "Changed on disk") || read(t, path) != first {
		t.Fatalf("keeping what is on the screen was taken for leave to overwrite")
	}
	press(b, "o", "enter")
	if !strings.Contains(read(t, path), "0.09") || b.Doc.Dirty() {
		t.Error("asked to overwrite, b did not")
	}
	press(a, "knob.up", "save")
	if !onScreen(a, "Changed on disk") {
		t.Error("a was not asked in its turn")
	}
}

// Both save at the same instant, again and again: one wins, the file is that one's,
// whole, and the other is asked.
func TestTwinsSaveAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked here: whoever renames last wins")
	}
	a, b, path := twins(t)
	for round := range 40 {
		press(a, "knob.up")
		press(b, "knob.down", "knob.down")
		saves := []tea.Cmd{a.saveThen(nil), b.saveThen(nil)}
		msgs := make([]tea.Msg, 2)
		var together sync.WaitGroup
		for i, save := range saves {
			together.Go(func() { msgs[i] = save() })
		}
		together.Wait()
		winners := 0
		for i, x := range []*App{a, b} {
			send(x, msgs[i])
			won := !x.Doc.Dirty()
			if won {
				winners++
				if want, err := x.Doc.Scenario().Marshal(); err != nil || read(t, path) != string(want) {
					t.Fatalf("round %d: the file is not the winner's: %v", round, err)
				}
			}
			if asked := onScreen(x, "Changed on disk"); asked == won {
				t.Fatalf("round %d: explorer %d won: %v, was asked: %v", round, i, won, asked)
			}
		}
		if winners != 1 {
			t.Fatalf("round %d: %d winners", round, winners)
		}
		a, b = reopened(t, a, path), reopened(t, b, path)
	}
}

// Their recovery files are two.
func TestTwinsKeepTheirBackupsApart(t *testing.T) {
	a, b, _ := twins(t)
	press(a, "knob.up")
	press(b, "knob.down")
	texts := ""
	files := backups(t, a.Store)
	for _, f := range files {
		texts += read(t, f)
	}
	if len(files) != 2 || !strings.Contains(texts, "0.11") || !strings.Contains(texts, "0.09") {
		t.Errorf("%d recovery files: %s", len(files), texts)
	}
	press(a, "save")
	if left := backups(t, b.Store); len(left) != 1 || !strings.Contains(read(t, left[0]), "0.09") {
		t.Errorf("saving in one explorer touched the other's backup: %v", left)
	}
}

// Whatever a scenario is called, the explorer proposes a plain file name for it, and
// writes nowhere but where it was told to.
func TestProposedNamesAreFileNames(t *testing.T) {
	for _, name := range []string{"../../etc/passwd", "/abs", `C:\x`, "..", "a\x00b", "\x1b[2J", "CON", strings.Repeat("n/", 400), "～/ø", ""} {
		s := city()
		s.Name = name
		a := start(t, 120, 36, setup{scenario: s})
		got := fileName(a.Doc)
		if got != filepath.Base(got) || strings.HasPrefix(got, ".") || len(got) > 60 || strings.ContainsAny(got, "/\\:\x00\x1b") {
			t.Errorf("%q becomes %q", name, got)
		}
	}
}

// Saving and its backups write the file that was named, the explorer's own files, and
// nothing else.
func TestSavingWritesOnlyWhatWasNamed(t *testing.T) {
	root := t.TempDir()
	home, work := filepath.Join(root, "home"), filepath.Join(root, "work")
	for _, d := range []string{home, filepath.Join(work, "sub")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(work)
	st := store.Open(store.Locate(func(k string) string { return map[string]string{"HOME": home}[k] }))
	s := city()
	s.Name = "../../escape"
	a := start(t, 120, 36, setup{scenario: s, store: st})
	press(a, "knob.up", "save-as")
	for range 60 {
		press(a, "backspace")
	}
	typed(a, "sub/plan")
	press(a, "enter", "+", "save", "+")
	var files []string
	filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(root, name)
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	})
	for _, f := range files {
		if f != "work/sub/plan.yaml" && !strings.HasPrefix(f, "home/.local/state/epsiloscope/") {
			t.Errorf("%s was written", f)
		}
	}
	if got := fmt.Sprint(files); !strings.Contains(got, "work/sub/plan.yaml") {
		t.Errorf("only %s", got)
	}
}
