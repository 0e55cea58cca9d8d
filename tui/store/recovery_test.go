package store

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// sibling returns another run with the same files.
func sibling(s *Store) *Store { return Open(s.At) }

// died ends a run as the system ends one that is killed: its lock goes, its files stay.
func died(t *testing.T, s *Store) {
	t.Helper()
	if err := s.claimed.Close(); err != nil {
		t.Fatal(err)
	}
}

func backup(t *testing.T, s *Store, path, text string) {
	t.Helper()
	if err := s.Backup(context.Background(), path, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func TestLostWorkIsFoundOnceItsRunIsGone(t *testing.T) {
	run := open(t)
	backup(t, run, "/some/file.yaml", "version: 1\n")
	if got := run.ListRecoverable(); len(got) != 0 {
		t.Errorf("a run finds its own backup: %v", got)
	}
	next := sibling(run)
	if got := next.ListRecoverable(); len(got) != 0 {
		t.Errorf("the backup of a live run is offered: %v", got)
	}
	died(t, run)
	lost := next.ListRecoverable()
	if len(lost) != 1 || lost[0].Path != filepath.FromSlash("/some/file.yaml") || string(lost[0].Data) != "version: 1\n" {
		t.Fatalf("Lost = %+v", lost)
	}
	if err := lost[0].Discard(); err != nil || len(next.ListRecoverable()) != 0 {
		t.Errorf("still there after Discard: %v", err)
	}
	if err := lost[0].Discard(); err != nil {
		t.Errorf("somebody else was faster: %v", err)
	}
	if left, _ := os.ReadDir(run.At.Recovery); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// Only the user may read unsaved work, however often it is written.
func TestBackupIsNobodyElsesToRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	run := open(t)
	for _, text := range []string{"a\n", "b\n"} {
		backup(t, run, "", text)
		info, err := os.Stat(run.file(kept))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("after %q: %v, %v; want 0600", text, info.Mode(), err)
		}
	}
}

func TestForget(t *testing.T) {
	run := open(t)
	backup(t, run, "", "y")
	run.Forget()
	if left, _ := os.ReadDir(run.At.Recovery); len(left) != 0 {
		t.Errorf("still there after Forget: %v", left)
	}
	backup(t, run, "", "z") // the next change
	died(t, run)
	if got := sibling(run).ListRecoverable(); len(got) != 1 || string(got[0].Data) != "z" {
		t.Errorf("Lost = %v", got)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	other := sibling(run)
	if err := other.Backup(ended, "", []byte("late")); err != nil || len(sibling(run).ListRecoverable()) != 1 {
		t.Errorf("a backup that was given up is written: %v", err)
	}
}

// Runs on one file, even of one process number, keep their work apart.
func TestBackupsOfTwoRunsStayApart(t *testing.T) {
	a := open(t)
	b := sibling(a)
	backup(t, a, "/f.yaml", "a")
	backup(t, b, "/f.yaml", "b")
	backup(t, a, "/f.yaml", "a again")
	died(t, a)
	died(t, b)
	next := sibling(a)
	backup(t, next, "/f.yaml", "c")
	var got []string
	for _, l := range next.ListRecoverable() {
		got = append(got, string(l.Data))
	}
	if len(got) != 2 || !strings.Contains(strings.Join(got, ","), "a again") || !strings.Contains(strings.Join(got, ","), "b") {
		t.Errorf("Lost = %q", got)
	}
}

// The next start may be in another folder.
func TestBackupRemembersWhereItsFileIs(t *testing.T) {
	run := open(t)
	dir := t.TempDir()
	t.Chdir(dir)
	backup(t, run, "plan.yaml", "x")
	died(t, run)
	t.Chdir(t.TempDir())
	lost := sibling(run).ListRecoverable()
	if len(lost) != 1 || filepath.Base(lost[0].Path) != "plan.yaml" || !filepath.IsAbs(lost[0].Path) {
		t.Fatalf("Lost = %+v", lost)
	}
	if where, _ := filepath.EvalSymlinks(filepath.Dir(lost[0].Path)); where != real(t, dir) {
		t.Errorf("found in %s, was in %s", where, dir)
	}
	run2 := sibling(run)
	backup(t, run2, "two\nlines.yaml", "x") // would end the header
	died(t, run2)
	for _, l := range sibling(run).ListRecoverable() {
		if string(l.Data) != "x" || strings.Contains(l.Path, "lines") {
			t.Errorf("%+v", l)
		}
	}
}

func real(t *testing.T, dir string) string {
	t.Helper()
	d, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// In a process of its own that is killed outright, the lock ends with it.
func TestLostAfterAKill(t *testing.T) {
	if home := os.Getenv("EPSILOSCOPE_KILLED_HOME"); home != "" {
		s := Open(Locate(env(map[string]string{"HOME": home})))
		backup(t, s, "/f.yaml", "mine")
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		select {}
	}
	home := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestLostAfterAKill$")
	cmd.Env = append(os.Environ(), "EPSILOSCOPE_KILLED_HOME="+home)
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Fatalf("not killed: %s", out)
	}
	lost := Open(Locate(env(map[string]string{"HOME": home}))).ListRecoverable()
	if len(lost) != 1 || string(lost[0].Data) != "mine" {
		t.Errorf("Lost = %+v", lost)
	}
}

// Unsaved work may hold what the data say, such as the scores of candidates.
func TestUnsavedWorkIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions")
	}
	s := open(t)
	backup(t, s, "/a.yaml", "version: 1\n")
	if err := s.Remember("/a.yaml"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{s.file(kept), s.At.Recent} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
