// Package store keeps what the explorer remembers between runs: its configuration,
// the recent files, unsaved work and a log. [Locate] says where, by the XDG base
// directory specification; a nil *[Store] remembers nothing.
package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"epsiloscope/internal/format"
	"epsiloscope/scenarios/disk"
)

// Locations are the files and folders the explorer uses.
type Locations struct {
	Config   string // config.yaml
	Recent   string // recent files, one a line
	Recovery string // folder of unsaved work
	Log      string // what went wrong inside
}

// Locate finds them: configuration under XDG_CONFIG_HOME, the rest under
// XDG_STATE_HOME, with the defaults of the specification on every system. Relative
// paths in these variables are ignored, as it asks. Without a home folder there is no default, and the path is "": a
// folder for temporary files is one in which every user can put a configuration.
func Locate(getenv func(string) string) Locations {
	home := cmp.Or(getenv("HOME"), getenv("USERPROFILE"))
	place := func(variable, otherwise, name string) string {
		d := getenv(variable)
		switch {
		case filepath.IsAbs(d):
		case filepath.IsAbs(home):
			d = filepath.Join(home, otherwise)
		default:
			return ""
		}
		return filepath.Join(d, "epsiloscope", name)
	}
	state := func(name string) string { return place("XDG_STATE_HOME", filepath.Join(".local", "state"), name) }
	return Locations{
		Config: place("XDG_CONFIG_HOME", ".config", "config.yaml"), Recent: state("recent"),
		Recovery: state("recovery"), Log: state("explorer.log"),
	}
}

// ErrNowhere is the error of keeping unsaved changes if there is no folder for them.
var ErrNowhere = errors.New("there is no folder for unsaved changes: HOME is not set")

// checkPrivate returns an error if a file, or the folder it is in, may be written by other users: they could choose
// keys for this one, or offer their own scenario as unsaved work. What does not exist is fine.
func checkPrivate(path string) error {
	for _, name := range []string{filepath.Dir(path), path} {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		if writableByOthers(info) {
			return fmt.Errorf("%s: other users can write it, so it is not read", name)
		}
	}
	return nil
}

// Config holds the settings for all runs; flags win over it.
type Config struct {
	Theme string `yaml:"theme"`
	ASCII bool   `yaml:"ascii"`
	Mouse *bool  `yaml:"mouse"`
	// Colours replaces colours of the theme by role; Keys gives a key the action of another.
	Colours map[string]string `yaml:"colours"`
	Keys    map[string]string `yaml:"keys"`
}

// Store reads and writes the files.
type Store struct {
	At Locations
	id string // of this run, and of no other before or after

	mu      sync.Mutex // over the backup
	claimed *os.File   // the lock on it; nil while there is none
	aside   int        // how many scenarios that were set aside are kept
}

// Open prepares a store; it touches nothing yet.
func Open(at Locations) *Store {
	return &Store{At: at, id: fmt.Sprintf("%d-%08x", os.Getpid(), rand.Uint32())}
}

// Config reads the configuration; without a file it is empty. What is wrong in the file is the error, and the fields
// that can be read hold.
func (s *Store) Config() (Config, error) {
	var c Config
	if s == nil {
		return c, nil
	}
	if s.At.Config == "" {
		return c, nil
	}
	if err := checkPrivate(s.At.Config); err != nil {
		return c, err
	}
	data, err := os.ReadFile(s.At.Config)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("%s: %s", s.At.Config, disk.Reason(err))
	}
	err = format.Unmarshal(s.At.Config, data, &c)
	if wrong, ok := errors.AsType[format.Errors](err); ok {
		for _, w := range wrong {
			if w.Field == "mouse" { // no word for off is not off
				c.Mouse = nil
			}
		}
	}
	return c, err
}

// maxRecent is the largest number of files that are remembered.
const maxRecent = 20

// Recent lists the files opened and saved last, newest first, that still exist.
func (s *Store) Recent() []string {
	if s == nil {
		return nil
	}
	data, err := os.ReadFile(s.At.Recent)
	if err != nil || checkPrivate(s.At.Recent) != nil {
		return nil
	}
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(data)), "\n"), func(p string) bool {
		info, err := os.Stat(p)
		return err != nil || info.IsDir()
	})
}

// Remember puts a file at the head of the recent ones.
func (s *Store) Remember(path string) error {
	abs, err := filepath.Abs(path)
	if s == nil || err != nil || s.At.Recent == "" || strings.ContainsAny(abs, "\r\n") {
		return err
	}
	list := append([]string{abs}, slices.DeleteFunc(s.Recent(), func(p string) bool { return p == abs })...)
	return write(s.At.Recent, []byte(strings.Join(list[:min(len(list), maxRecent)], "\n")+"\n"))
}

// Log notes what went wrong; failures to do so are ignored.
func (s *Store) Log(text string) {
	if s == nil || s.At.Log == "" || os.MkdirAll(filepath.Dir(s.At.Log), 0o700) != nil {
		return
	}
	f, err := os.OpenFile(s.At.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintf(f, "%s %s\n", time.Now().UTC().Format(time.RFC3339), text)
}

// write replaces a file as a whole. Unsaved work may hold scores of the data, so other users may
// not read it.
func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return disk.Write(disk.System{Private: true}, path, data, nil)
}
