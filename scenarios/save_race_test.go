package scenarios

import (
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios/disk"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// A file that was replaced meanwhile, by an editor or another explorer, is never
// overwritten silently.
func TestSaveSeesAnotherWriter(t *testing.T) {
	path, mine := stored(t, version(3))
	theirs, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	theirs.Name = "theirs"
	if err := theirs.Save(path); err != nil {
		t.Fatal(err)
	}
	mine.Name = "mine"
	if err := mine.Save(path); !errors.Is(err, disk.ErrChanged) {
		t.Errorf("the second writer is told %v", err)
	}
	if text := contents(t, path); !strings.Contains(text, "theirs") {
		t.Errorf("their work is gone: %s", text)
	}
	alone(t, filepath.Dir(path), "plan.yaml")
}

// Several writers that read the same file and save at the same instant: one of them
// wins, the file is that one's, and all others are told.
func TestSaveAtTheSameInstant(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked here: whoever renames last wins")
	}
	path, _ := stored(t, version(3))
	rounds, writers := gauge.Cases(50, 100), 3
	for round := range rounds {
		told := make([]error, writers)
		var ready, done sync.WaitGroup
		ready.Add(writers)
		for w := range writers {
			s, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			s.Name = fmt.Sprintf("round %d by %d", round, w)
			done.Go(func() {
				ready.Done()
				ready.Wait()
				told[w] = s.save(&faulty{written: map[string]*faultyFile{}}, path, false)
			})
		}
		done.Wait()
		winner := -1
		for w, err := range told {
			switch {
			case err == nil && winner < 0:
				winner = w
			case err == nil:
				t.Fatalf("round %d: both %d and %d were told that they saved", round, winner, w)
			case !errors.Is(err, disk.ErrChanged):
				t.Fatalf("round %d: %d was told %v", round, w, err)
			}
		}
		if s, err := Load(path); err != nil || winner < 0 || s.Name != fmt.Sprintf("round %d by %d", round, winner) {
			t.Fatalf("round %d: %d won, %v", round, winner, err)
		}
	}
	alone(t, filepath.Dir(path), "plan.yaml")
	t.Logf("%d rounds of %d writers", rounds, writers)
}

// A new file is made by one writer alone, too.
func TestSaveNewFileAtTheSameInstant(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked here: whoever renames last wins")
	}
	dir := t.TempDir()
	for round := range 50 {
		path := filepath.Join(dir, fmt.Sprintf("new%d.yaml", round))
		var told [2]error
		var done sync.WaitGroup
		for w := range told {
			done.Go(func() { told[w] = New().save(&faulty{written: map[string]*faultyFile{}}, path, false) })
		}
		done.Wait()
		if (told[0] == nil) == (told[1] == nil) || !errors.Is(errors.Join(told[:]...), disk.ErrExists) {
			t.Fatalf("round %d: told %v", round, told)
		}
	}
}

// A link means the folder it really lies in: door/plan.yaml → ../real.yaml is beside
// what door points to, and nothing is written beside door.
func TestSaveThroughLinkedFolders(t *testing.T) {
	p := place{dir: t.TempDir(), link: "linked folders", old: version(2), mode: 0o600, loaded: true}
	s := p.prepare(t)
	s.Name = "saved"
	if err := s.Save(p.path()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(contents(t, p.target()), "saved") {
		t.Error("the file the link means was not written")
	}
	if _, err := os.Lstat(filepath.Join(p.dir, "real.yaml")); err == nil {
		t.Error("a file was written that nobody named")
	}
	up := filepath.Join(p.dir, "door") + "/../real.yaml" // as a user may type it
	s, err := Load(up)
	if err != nil {
		t.Fatal(err)
	}
	s.Name = "again"
	if err := s.Save(up); err != nil || !strings.Contains(contents(t, p.target()), "again") {
		t.Errorf("saving to what was just read: %v", err)
	}
}

// Names as long as the system allows can be saved too.
func TestSaveLongName(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 250)+".yaml")
	if err := os.WriteFile(path, []byte(version(1)), 0o600); err != nil {
		t.Skip("no such long names here")
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	s.Rounds = 3
	if err := s.Save(path); err != nil {
		t.Error(err)
	}
}
