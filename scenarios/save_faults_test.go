package scenarios

import (
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios/disk"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// saveCalls are what a save over an existing file asks of the disk. The first read
// and the second are the two looks at what is there.
var saveCalls = []string{"lock", "read", "may write", "create", "stat", "keep", "write", "sync", "close", "read", "rename", "sync folder"}

// version returns a whole file, longer or shorter by its number.
func version(n int) string {
	return fmt.Sprintf("version: 1\nname: plan %d\nstack:\n%s", n, strings.Repeat("  - {mechanism: laplace, epsilon: 0.1} # a comment\n", n%40))
}

// trials runs a property that many times, or as many as EPSILOSCOPE_CASES asks for
// if that is more.
func trials(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	if more, err := strconv.Atoi(os.Getenv("EPSILOSCOPE_CASES")); err == nil {
		n = max(n, more)
	}
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	t.Cleanup(func() { checks.Value.Set(before) })
	checks.Value.Set(strconv.Itoa(n))
	rapid.Check(t, property)
	t.Logf("%d saves; the file was whole every time", n)
}

// A save asks the disk for exactly these steps, in this order: what the trials below
// let fail.
func TestSaveCalls(t *testing.T) {
	p := place{dir: t.TempDir(), old: version(3), mode: 0o600, loaded: true}
	s := p.prepare(t)
	d := &faulty{fault: fault{}, written: map[string]*faultyFile{}}
	if err := s.save(d, p.path(), false); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.calls, saveCalls) {
		t.Errorf("the calls are %q", d.calls)
	}
}

// Whatever fails, at whichever call, whoever writes meanwhile, wherever the links
// lead: the file is the old one, the new one or the other writer's, whole, with its
// permissions; links stay links; nothing else is left behind; and who did not save is
// told.
func TestSaveOnAFaultyDisk(t *testing.T) {
	dir := t.TempDir()
	n := 0
	trials(t, gauge.Cases(150, 1000), func(rt *rapid.T) {
		n++
		p := drawPlace(rt, filepath.Join(dir, strconv.Itoa(n)))
		defer os.RemoveAll(p.dir)
		s := p.prepare(rt)
		s.Name = "fresh"
		fresh, err := s.Marshal()
		if err != nil {
			rt.Fatal(err)
		}
		force := rapid.Bool().Draw(rt, "force")
		other := rapid.SampledFrom(others).Draw(rt, "meanwhile")
		d := &faulty{fault: drawFault(rt), written: map[string]*faultyFile{}}
		if d.err == nil && !d.silent && !d.power {
			d.meanwhile = func() { other.do(rt, p) }
		} else {
			other = others[0]
		}
		p.judge(rt, outcome{d: d, other: other, force: force, fresh: string(fresh), err: s.save(d, p.path(), force)})
	})
}

func drawFault(t *rapid.T) fault {
	f := fault{call: rapid.SampledFrom(saveCalls).Draw(t, "call"), part: rapid.IntRange(0, 400).Draw(t, "part")}
	if f.call == "read" && rapid.Bool().Draw(t, "second look") {
		f.skip = 1
	}
	switch rapid.IntRange(0, 4).Draw(t, "fault") {
	case 0, 1:
		f.err = rapid.SampledFrom(diskErrors).Draw(t, "error")
	case 2:
		f.call, f.silent = "write", true
		if rapid.Bool().Draw(t, "says so") {
			f.silent, f.err = false, rapid.SampledFrom(diskErrors).Draw(t, "error")
		}
	case 3:
		f.power = true
	}
	return f
}

// outcome is a save that had a fault.
type outcome struct {
	d     *faulty
	other meanwhile
	force bool
	fresh string
	err   error
}

func (p place) judge(t *rapid.T, o outcome) {
	call, struck := o.d.call, o.d.struck
	if o.d.power && struck {
		o.d.cutPower(o.d.part)
	}
	told := fmt.Sprintf("link %q, mode %v, old %v, at %q somebody %s: told %v", p.link, p.mode, p.old != "", call, o.other.name, o.err)
	after, err := os.ReadFile(p.target())
	theirs := ""
	if o.d.meanwhile != nil && struck {
		theirs = o.other.text
	}
	moved, removed := struck && o.other.moves, struck && o.other.name == "removes it"
	switch text := string(after); {
	case moved: // another kind of thing is there now: see below
	case err != nil && (p.old == "" || removed):
	case err != nil:
		t.Fatalf("%s: %v", told, err)
	case text != o.fresh && text != p.old && (theirs == "" || text != theirs):
		t.Fatalf("%s: the file is neither old nor new: %.80q", told, text)
	case o.err != nil && text == o.fresh && !o.d.power:
		t.Fatalf("%s: a save that says it failed has changed the file", told)
	}
	p.judgeTelling(t, o, told, string(after))
	if info, err := os.Lstat(p.target()); err == nil && p.old != "" && theirs == "" && !moved && !removed &&
		info.Mode().Perm() != p.mode {
		t.Fatalf("%s: permissions are %v", told, info.Mode().Perm())
	}
	p.judgeLinks(t, told)
	if o.d.power && struck {
		p.judgeNextSave(t, told)
	}
	if left := p.litter(t); len(left) > 0 {
		t.Fatalf("%s: %v is left behind", told, left)
	}
}

// judgeTelling: who is told that it worked finds the new file, and another writer's
// work is never overwritten unless that was asked for, or nobody could have known.
func (p place) judgeTelling(t *rapid.T, o outcome, told, after string) {
	call, struck := o.d.call, o.d.struck
	// After the last look nothing can be done where the other does not lock.
	unseen := call == "rename" || call == "sync folder"
	switch {
	case !struck:
	case o.d.err != nil && call != "sync folder" || o.d.silent:
		if o.err == nil {
			t.Fatalf("%s: it says that it worked", told)
		}
	case o.other.text != "" && !unseen && !o.force:
		if !errors.Is(o.err, disk.ErrChanged) && !errors.Is(o.err, disk.ErrExists) || after != o.other.text {
			t.Fatalf("%s: another writer's work was in the way", told)
		}
	case o.other.moves && !unseen:
		if o.err == nil {
			t.Fatalf("%s: saved to where the path no longer leads", told)
		}
	}
	if o.err == nil && !(struck && unseen && o.other.name != others[0].name) && after != o.fresh {
		t.Fatalf("%s: the new file is not there: %.80q", told, after)
	}
	if o.err != nil && !o.d.power {
		if text := o.err.Error(); strings.Contains(text, ".tmp") || strings.Contains(text, "syscall") ||
			!strings.Contains(text, filepath.Base(p.path())) {
			t.Fatalf("not worded for a user: %q", text)
		}
	}
}

// judgeNextSave: after a power cut the file opens, and the next save clears up.
func (p place) judgeNextSave(t *rapid.T, told string) {
	s, err := Load(p.path())
	switch {
	case errors.Is(err, os.ErrNotExist) || p.old == "" && err != nil:
		s = New()
	case err != nil:
		t.Fatalf("%s: after the power cut: %v", told, err)
	}
	if err := s.save(&faulty{written: map[string]*faultyFile{}}, p.path(), false); err != nil {
		t.Fatalf("%s: the save after the power cut: %v", told, err)
	}
}
