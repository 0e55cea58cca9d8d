package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func env(values map[string]string) func(string) string {
	return func(k string) string { return values[k] }
}

func TestLocate(t *testing.T) {
	at := Locate(env(map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "relative"}))
	if at.Config != filepath.FromSlash("/c/epsiloscope/config.yaml") || at.Recent != filepath.FromSlash("/h/.local/state/epsiloscope/recent") {
		t.Errorf("%+v", at)
	}
}

func open(t *testing.T) *Store {
	t.Helper()
	return Open(Locate(env(map[string]string{"HOME": t.TempDir()})))
}

func TestConfig(t *testing.T) {
	s := open(t)
	if c, err := s.Config(); err != nil || !reflect.DeepEqual(c, Config{}) {
		t.Errorf("without a file: %v, %v", c, err)
	}
	if err := write(s.At.Config, []byte("theme: light\nascii: true\nmouse: false\ncolours: {accent: \"#ff8800\"}\nkeys: {ctrl+d: x}\n")); err != nil {
		t.Fatal(err)
	}
	c, err := s.Config()
	read := err == nil && c.Theme == "light" && c.ASCII && c.Mouse != nil && !*c.Mouse
	if !read || c.Colours["accent"] != "#ff8800" || c.Keys["ctrl+d"] != "x" {
		t.Errorf("%+v, %v", c, err)
	}
	if err := write(s.At.Config, []byte("thema: light\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Config(); err == nil || err.Error() != s.At.Config+":1:1: thema: unknown field; did you mean theme?" {
		t.Errorf("a misspelt field: %v", err)
	}
	s.At.Config = filepath.Dir(s.At.Config)
	if _, err := s.Config(); err == nil || strings.Count(err.Error(), s.At.Config) != 1 {
		t.Errorf("a folder in its place: %v", err)
	}
}

func TestRecentIsNewestFirstWithoutWhatIsGone(t *testing.T) {
	s := open(t)
	dir := t.TempDir()
	var names []string
	for _, n := range []string{"a", "b", "c"} {
		p := filepath.Join(dir, n)
		os.WriteFile(p, nil, 0o600)
		names = append(names, p)
		if err := s.Remember(p); err != nil {
			t.Fatal(err)
		}
	}
	s.Remember(names[0])
	os.Remove(names[1])
	if got := s.Recent(); !slices.Equal(got, []string{names[0], names[2]}) {
		t.Errorf("Recent = %v", got)
	}
}

func TestNilStoreRemembersNothing(t *testing.T) {
	var s *Store
	s.Log("x")
	s.Forget()
	if s.Recent() != nil || s.ListRecoverable() != nil ||
		s.Backup(context.Background(), "", nil) != nil || s.Remember("x") != nil {
		t.Error("a nil store did something")
	}
}

func ExampleLocate() {
	at := Locate(func(k string) string { return map[string]string{"HOME": "/home/ada"}[k] })
	fmt.Println(filepath.ToSlash(at.Config))
	// Output: /home/ada/.config/epsiloscope/config.yaml
}

// Without a home folder there is no default place: a folder for temporary files is anybody's, and a stranger's
// configuration or unsaved work would be taken for the user's own.
func TestNoHomeIsNoPlace(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	strangers := filepath.Join(os.TempDir(), ".config", "epsiloscope", "config.yaml")
	if err := write(strangers, []byte("theme: light\n")); err != nil {
		t.Fatal(err)
	}
	for _, values := range []map[string]string{{}, {"HOME": ""}, {"HOME": "relative"}} {
		s := Open(Locate(env(values)))
		if s.At != (Locations{}) {
			t.Errorf("%v: %+v", values, s.At)
		}
		if c, err := s.Config(); err != nil || c.Theme != "" {
			t.Errorf("%v: %+v, %v", values, c, err)
		}
		if err := s.Backup(context.Background(), "", []byte("x")); !errors.Is(err, ErrNowhere) {
			t.Errorf("%v: unsaved work was kept: %v", values, err)
		}
		if err := s.Remember("a.yaml"); err != nil || len(s.Recent())+len(s.ListRecoverable()) > 0 {
			t.Errorf("%v: %v", values, err)
		}
		s.Log("nothing")
		s.Forget()
	}
}

// What other users can write is not read: neither the configuration nor unsaved work nor the list of files.
func TestOthersWritingIsNotRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	s := open(t)
	backup(t, s, "", "version: 1\n")
	died(t, s)
	if err := write(s.At.Config, []byte("theme: light\n")); err != nil {
		t.Fatal(err)
	}
	if next := sibling(s); len(next.ListRecoverable()) != 1 {
		t.Fatal("nothing to recover")
	}
	for _, folder := range []string{s.At.Recovery, filepath.Dir(s.At.Config)} {
		if err := os.Chmod(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	next := sibling(s)
	if c, err := next.Config(); err == nil || c.Theme != "" || !strings.Contains(err.Error(), "other users can write it") {
		t.Errorf("%+v, %v", c, err)
	}
	if lost := next.ListRecoverable(); len(lost) > 0 {
		t.Errorf("a stranger's file is offered: %v", lost)
	}
	if err := next.Backup(context.Background(), "", []byte("x")); err == nil {
		t.Error("unsaved work was put where other users can change it")
	}
}
