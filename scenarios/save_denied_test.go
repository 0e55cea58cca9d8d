//go:build linux

package scenarios

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// nobody runs what follows with the file permissions of an ordinary user, also where
// the tests run as the superuser, whom permissions do not bind.
func nobody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	const user = 65534
	runtime.LockOSThread() // the identity is the thread's
	defer runtime.UnlockOSThread()
	if err := syscall.Setfsuid(user); err != nil {
		t.Skip("cannot become another user: ", err)
	}
	defer syscall.Setfsuid(0)
	do()
}

// openFolder returns a temporary folder that everybody may use. A test's own lies in one
// that is its user's alone.
func openFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What the system itself forbids is refused in words; the old file stays, and nothing
// is left.
func TestSaveDenied(t *testing.T) {
	for _, c := range []struct {
		name      string
		dir, file fs.FileMode
		want      string
	}{
		{"read-only folder", 0o555, 0o666, "permission denied"},
		{"read-only file", 0o777, 0o444, "permission denied"},
		{"unreadable file", 0o777, 0o000, "permission denied"},
		{"writable by all", 0o777, 0o666, ""},
		{"folder that cannot be listed", 0o333, 0o666, ""},
	} {
		dir := filepath.Join(openFolder(t), "d")
		path := filepath.Join(dir, "plan.yaml")
		os.Mkdir(dir, 0o700)
		if err := os.WriteFile(path, []byte(version(4)), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		os.Chmod(path, c.file)
		os.Chmod(dir, c.dir)
		s.Name = "fresh"
		nobody(t, func() { err = s.Save(path) })
		os.Chmod(dir, 0o700)
		os.Chmod(path, 0o600)
		text := contents(t, path)
		switch {
		case c.want == "" && (err != nil || !strings.Contains(text, "fresh")):
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want) || text != version(4)):
			t.Errorf("%s: told %v", c.name, err)
		}
		alone(t, dir, "plan.yaml")
	}
}

// The superuser who saves somebody's file does not take it away from them.
func TestSaveKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only the superuser can give files away")
	}
	path, s := stored(t, version(4))
	if err := os.Chown(path, 1234, 5678); err != nil {
		t.Skip(err)
	}
	s.Name = "fresh"
	if err := s.Save(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if owner := info.Sys().(*syscall.Stat_t); owner.Uid != 1234 || owner.Gid != 5678 || info.Mode().Perm() != 0o640 {
		t.Errorf("owner %d:%d, permissions %v", owner.Uid, owner.Gid, info.Mode())
	}
}

// What a group was allowed is not allowed to another group.
func TestSaveKeepsOthersOut(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs files of another user")
	}
	path := filepath.Join(openFolder(t), "plan.yaml")
	if err := os.WriteFile(path, []byte(version(4)), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	os.Chown(path, 65534, 5678)
	os.Chmod(path, 0o660)
	s.Name = "fresh"
	nobody(t, func() { err = s.Save(path) })
	if err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat(path)
	if owner := info.Sys().(*syscall.Stat_t); owner.Gid != 5678 && info.Mode().Perm() != 0o600 {
		t.Errorf("group %d is allowed %v", owner.Gid, info.Mode())
	}
}
