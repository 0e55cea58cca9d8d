package scenarios

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var saveSteps = []string{"create", "permissions", "write", "write the rest", "sync", "close", "rename", "sync directory"}

// faultyWrite is one save of a small file over another, perhaps through a link, with a
// fault at one step.
type faultyWrite struct {
	step  string
	fault error
	link  bool
	mode  os.FileMode
	old   string // "" if there was no file
}

func (c faultyWrite) String() string {
	return fmt.Sprintf("%v at %q, link %v, mode %v, old %v", c.fault, c.step, c.link, c.mode, c.old != "")
}

func version(n int) string {
	return fmt.Sprintf("version: 1\nname: plan %d\nstack:\n%s", n, strings.Repeat("  - {mechanism: laplace, epsilon: 0.1} # a comment\n", n%40))
}

// Whatever fails, at whichever step: the file is the old one or the new one, whole,
// with its permissions; a link stays a link; nothing else is left behind.
func TestSaveUnderFaults(t *testing.T) {
	t.Cleanup(func() { reach = func(string) error { return nil } })
	faults := []error{syscall.ENOSPC, syscall.EACCES, syscall.EIO, syscall.EROFS, syscall.EDQUOT}
	trials := 0
	dir := t.TempDir()
	for round := range 7 {
		for _, step := range saveSteps {
			for _, fault := range faults {
				for _, link := range []bool{false, true} {
					for _, mode := range []os.FileMode{0o644, 0o600} {
						c := faultyWrite{step, fault, link, mode, version(round)}
						if round == 6 {
							c.old = ""
						}
						trials++
						c.run(t, filepath.Join(dir, fmt.Sprint(trials)), version(1000+trials))
					}
				}
			}
		}
	}
	if trials < 1000 {
		t.Fatalf("only %d trials", trials)
	}
	t.Logf("%d saves failed at one of %d steps; the file was whole every time", trials, len(saveSteps))
}

func (c faultyWrite) run(t *testing.T, dir, fresh string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "plan.yaml")
	target := path
	if c.link {
		target = filepath.Join(dir, "real.yaml")
		if err := os.Symlink("real.yaml", path); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Parse("", []byte(fresh))
	if err != nil {
		t.Fatal(err)
	}
	if c.old != "" {
		if err := os.WriteFile(target, []byte(c.old), c.mode); err != nil {
			t.Fatal(err)
		}
	}
	reach = func(step string) error {
		if step == c.step {
			return c.fault
		}
		return nil
	}
	saved := s.SaveForce(path)
	after, err := os.ReadFile(target)
	switch {
	case saved == nil:
		t.Errorf("%v: the save says it worked", c)
	case c.old == "" && errors.Is(err, os.ErrNotExist) && c.step != "sync directory":
	case err != nil:
		t.Errorf("%v: %v", c, err)
	case string(after) != c.old && string(after) != fresh:
		t.Errorf("%v: neither the old nor the new file: %.80q", c, after)
	case string(after) == fresh && c.step != "sync directory":
		t.Errorf("%v: a failed save changed the file", c)
	}
	if info, err := os.Stat(target); err == nil && c.old != "" && info.Mode().Perm() != c.mode {
		t.Errorf("%v: permissions are %v", c, info.Mode().Perm())
	}
	if info, err := os.Lstat(path); c.link && (err != nil || info.Mode()&os.ModeSymlink == 0) {
		t.Errorf("%v: the link is gone", c)
	}
	list, _ := os.ReadDir(dir)
	for _, f := range list {
		if f.Name() != "plan.yaml" && f.Name() != "real.yaml" {
			t.Errorf("%v: %s is left behind", c, f.Name())
		}
	}
}

// The process is killed outright at every step: what is on the disk is the old or the
// new file, whole.
func TestSaveKilledAtEveryStep(t *testing.T) {
	if step := os.Getenv("EPSILOSCOPE_KILL_AT"); step != "" {
		reach = func(s string) error {
			if s == step {
				p, _ := os.FindProcess(os.Getpid())
				_ = p.Kill()
				select {} // the signal is on its way
			}
			return nil
		}
		s, err := Parse("", []byte(version(39)))
		if err == nil {
			err = s.SaveForce(os.Getenv("EPSILOSCOPE_KILL_FILE"))
		}
		t.Fatal("not killed: ", err)
	}
	rounds := 2
	if os.Getenv("EPSILOSCOPE_LONG") != "" {
		rounds = 130 // 1,040 kills
	}
	kills := 0
	for range rounds {
		for _, step := range saveSteps {
			path := filepath.Join(t.TempDir(), "plan.yaml")
			if err := os.WriteFile(path, []byte(version(7)), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestSaveKilledAtEveryStep$")
			cmd.Env = append(os.Environ(), "EPSILOSCOPE_KILL_AT="+step, "EPSILOSCOPE_KILL_FILE="+path)
			if out, err := cmd.CombinedOutput(); err == nil || strings.Contains(string(out), "not killed") {
				t.Fatalf("%s: %v %s", step, err, out)
			}
			kills++
			after, err := os.ReadFile(path)
			if err != nil || string(after) != version(7) && string(after) != version(39) {
				t.Errorf("killed at %q: %v, %.80q", step, err, after)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("killed at %q: permissions %v", step, info.Mode())
			}
			if _, err := Load(path); err != nil {
				t.Errorf("killed at %q: %v", step, err)
			}
			// The next save is not in the way of what was left.
			s, _ := Load(path)
			if err := s.Save(path); err != nil {
				t.Errorf("after a kill at %q: %v", step, err)
			}
		}
	}
	t.Logf("%d kills", kills)
}

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
	if err := mine.Save(path); !errors.Is(err, ErrChanged) {
		t.Errorf("the second writer is told %v", err)
	}
	if text := contents(t, path); !strings.Contains(text, "theirs") {
		t.Errorf("their work is gone: %s", text)
	}
	alone(t, filepath.Dir(path), "plan.yaml")
}
