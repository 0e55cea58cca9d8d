package scenarios

import (
	"epsiloscope/scenarios/disk"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stored writes a file and loads it.
func stored(t *testing.T, text string) (string, *Scenario) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plan.yaml")
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, s
}

func contents(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// alone fails if anything but the named files is left in a directory.
func alone(t *testing.T, dir string, names ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range list {
		if i >= len(names) || f.Name() != names[i] {
			t.Errorf("%s is left behind", f.Name())
		}
	}
}

func TestSaveKeepsWhatDidNotChange(t *testing.T) {
	path, s := stored(t, commented)
	s.Stack[0].Count = 21
	if err := s.Save(path); err != nil {
		t.Fatal(err)
	}
	if got, want := contents(t, path), strings.Replace(commented, "count: 20", "count: 21", 1); got != want {
		t.Errorf("got\n%s", got)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v", info.Mode())
	}
	alone(t, filepath.Dir(path), "plan.yaml")

	// A second save starts from the text of the first.
	s.Stack[1].Values["sigma"] = s.Stack[0].Values["epsilon"]
	if err := s.Save(path); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, path); !strings.Contains(got, "sigma: 0.1     # from the pilot") || !strings.Contains(got, "count: 21") {
		t.Errorf("got\n%s", got)
	}
}

func TestSaveNoticesAnotherWriter(t *testing.T) {
	path, s := stored(t, commented)
	history := s.Clone() // as an undo history holds it
	if err := os.WriteFile(path, []byte(commented+"# mine\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if changed, err := s.ChangedOnDisk(); !changed || err != nil {
		t.Errorf("changed %v, %v", changed, err)
	}
	s.Rounds = 2
	if err := s.Save(path); !errors.Is(err, disk.ErrChanged) {
		t.Fatalf("got %v", err)
	}
	if got := contents(t, path); got != commented+"# mine\n" {
		t.Errorf("the other writer's text is gone:\n%s", got)
	}
	if err := s.SaveForce(path); err != nil {
		t.Fatal(err)
	}
	if changed, _ := s.ChangedOnDisk(); changed {
		t.Error("what was just saved has not changed")
	}
	if err := history.Save(path); err != nil {
		t.Errorf("a clone knows what its sibling saved: %v", err)
	}
	if got := contents(t, path); got != commented {
		t.Errorf("got\n%s", got)
	}
}

func TestSaveAs(t *testing.T) {
	path, s := stored(t, commented)
	other := filepath.Join(filepath.Dir(path), "other.yaml")
	if err := os.WriteFile(other, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Save(other); !errors.Is(err, disk.ErrExists) {
		t.Errorf("got %v", err)
	}
	fresh := filepath.Join(filepath.Dir(path), "fresh.yaml")
	if err := s.Save(fresh); err != nil {
		t.Fatal(err)
	}
	if s.Path() != fresh || contents(t, fresh) != commented {
		t.Errorf("saved as %s", s.Path())
	}
	if err := New().Save(filepath.Join(path, "below")); err == nil {
		t.Error("a file is no directory")
	}
	if err := New().Save(filepath.Dir(path)); err == nil || !strings.HasSuffix(err.Error(), ": is not a regular file") {
		t.Errorf("got %v", err)
	}
	alone(t, filepath.Dir(path), "fresh.yaml", "other.yaml", "plan.yaml")
}

func TestSaveFollowsLinks(t *testing.T) {
	path, s := stored(t, commented)
	link := filepath.Join(t.TempDir(), "link.yaml")
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no symbolic links here")
	}
	s.Rounds = 7
	if err := s.Save(link); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if !strings.Contains(contents(t, path), "rounds: 7") {
		t.Error("the target was not written")
	}
	dangling := filepath.Join(t.TempDir(), "dangling.yaml")
	target := filepath.Join(filepath.Dir(path), "new.yaml")
	if err := os.Symlink(target, dangling); err != nil {
		t.Fatal(err)
	}
	if err := New().Save(dangling); err != nil || !strings.HasPrefix(contents(t, target), "version: 1") {
		t.Errorf("got %v", err)
	}
	circle := filepath.Join(t.TempDir(), "circle")
	if err := os.Symlink(circle, circle); err != nil {
		t.Fatal(err)
	}
	if err := New().Save(circle); err == nil || !strings.Contains(err.Error(), "circles") {
		t.Errorf("got %v", err)
	}
}

func TestSaveFailureLeavesTheOldFile(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Log("permissions do not bind the superuser; only the invalid scenario is tried")
	}
	path, s := stored(t, commented)
	s.Rounds = -1
	if err := s.Save(path); err == nil {
		t.Error("an invalid scenario was saved")
	}
	if contents(t, path) != commented {
		t.Error("the old file changed")
	}
	s.Rounds = 2
	dir := filepath.Dir(path)
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	err := s.Save(path)
	os.Chmod(dir, 0o700)
	if err == nil && os.Geteuid() != 0 {
		t.Error("saved into a directory that cannot be written")
	}
	if err != nil && contents(t, path) != commented {
		t.Error("the old file changed")
	}
	alone(t, dir, "plan.yaml")
}
