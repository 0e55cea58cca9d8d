package ledger

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

// faulty is a locked file on a bad disk.
type faulty struct {
	handle
	room     int // bytes that can still be written; −1 for no end
	sync     error
	truncate error
}

func (f *faulty) Write(p []byte) (int, error) {
	if f.room < 0 || len(p) <= f.room {
		return f.handle.Write(p)
	}
	n, _ := f.handle.Write(p[:f.room])
	return n, syscall.ENOSPC
}

func (f *faulty) WriteAt(p []byte, at int64) (int, error) {
	if f.room < 0 || len(p) <= f.room {
		return f.handle.WriteAt(p, at)
	}
	n, _ := f.handle.WriteAt(p[:f.room], at)
	return n, syscall.ENOSPC
}

func (f *faulty) Sync() error {
	if f.sync != nil {
		return f.sync
	}
	return f.handle.Sync()
}

func (f *faulty) Truncate(size int64) error {
	if f.truncate != nil {
		return f.truncate
	}
	return f.handle.Truncate(size)
}

func (f *Stored) failing(bad faulty) *Stored {
	return f.opening(func(path string, flag int) (handle, error) {
		h, err := openLocked(path, flag, LockWait{})
		if err != nil {
			return nil, err
		}
		bad.handle = h
		return &bad, nil
	})
}

// opening returns the ledger with another way to open its file.
func (f *Stored) opening(open func(path string, flag int) (handle, error)) *Stored {
	c, store := *f, *f.store.(*FileStore)
	store.open = open
	c.store = &store
	return &c
}

// The disk is full after n bytes of a line: nothing is granted, and the ledger is as it
// was. Where it cannot even be cut back the torn line is named, repaired and, if a cost
// stands in it, charged.
func TestFullDisk(t *testing.T) {
	f, _ := create(t, zcdp())
	mustReserve(t, f, gaussian(t))
	before, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		if err := os.WriteFile(f.Path, before, 0o600); err != nil {
			rt.Fatal(err)
		}
		bad := faulty{room: rapid.IntRange(0, 400).Draw(rt, "room")}
		if rapid.Bool().Draw(rt, "stuck") {
			bad.truncate = syscall.EIO
		}
		id, _, err := f.failing(bad).Reserve(gaussian(t), nil, "stats-team", "weekly table 4")
		var trouble *SystemError
		if err != nil && (!errors.As(err, &trouble) || id != "") {
			rt.Fatalf("id %q, %v", id, err)
		}
		after, _ := os.ReadFile(f.Path)
		switch {
		case err == nil:
			if l := mustRead(t, f); l.State(id) != Held {
				rt.Fatal("acknowledged and not there")
			}
		case bad.truncate == nil || bad.room == 0:
			if string(after) != string(before) {
				rt.Fatal("refused, and the file has changed")
			}
		default:
			repaired(rt, f, len(after)-len(before))
		}
	})
}

// repaired repairs a torn line of n bytes, on a full disk first, and looks what is left.
func repaired(t *rapid.T, f *Stored, n int) {
	_, err := Read(f.Path)
	var bad *BadLine
	if !errors.As(err, &bad) || !bad.Torn || bad.Line != 3 {
		t.Fatalf("%d bytes of a line: %v", n, err)
	}
	if _, _, err := f.Reserve(nil, nil, "", ""); !errors.As(err, &bad) {
		t.Fatalf("granted on a torn ledger: %v", err)
	}
	if _, err := f.failing(faulty{room: n / 2}).Repair(); err == nil {
		t.Fatal("repaired on a full disk")
	}
	l, err := f.Repair()
	if err != nil {
		t.Fatal(err)
	}
	last := l.Records[len(l.Records)-1]
	if last.Kind != KindTorn {
		t.Fatalf("%+v", last)
	}
	if _, err := Verify(context.Background(), f.Path, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Repair(); !errors.Is(err, ErrNotTorn) {
		t.Fatal(err)
	}
}

// Cut at every byte of a reserve's line: it is charged as soon as its cost can be read.
func TestTornAtEveryByte(t *testing.T) {
	f, _ := create(t, zcdp())
	id := mustReserve(t, f, gaussian(t))
	data, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	start := bytes.IndexByte(data, '\n') // the reserve stands on the second line
	charged := 0
	for end := start + 2; end < len(data); end++ {
		if err := os.WriteFile(f.Path, data[:end], 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := f.Repair()
		if err != nil {
			t.Fatalf("cut at %d: %v", end, err)
		}
		last := l.Records[1]
		if string(last.Bytes) != string(data[start+1:end]) {
			t.Fatalf("cut at %d: the bytes are lost", end)
		}
		if state := l.State(id); (last.Cost != nil) != (state == Held) {
			t.Fatalf("cut at %d: %q", end, state)
		}
		if last.Cost != nil {
			charged++
			if _, err := onAnotherMachine(t, f).Cancel(id, "never started", true); err != nil {
				t.Fatalf("cut at %d: %v", end, err)
			}
		}
	}
	if charged < 150 { // after the cost come the sum and two hashes
		t.Errorf("charged in %d of %d cuts", charged, len(data)-start-2)
	}
}

// A sync that fails acknowledges nothing. The line may be on disk all the same, and then
// it counts.
func TestSyncFails(t *testing.T) {
	f, _ := create(t, zcdp())
	id, _, err := f.failing(faulty{room: -1, sync: syscall.EIO}).Reserve(gaussian(t), nil, "", "")
	if err == nil || len(id) != 8 || !strings.Contains(err.Error(), id) { // it must be found again: commit and cancel ask for it
		t.Fatalf("id %q, %v", id, err)
	}
	if s := mustRead(t, f).Status(context.Background(), start); s.Held.String() != "3750000000000" {
		t.Errorf("held %s", s.Held)
	}
}

// Four writers at once get exactly as many as fit, and the sum is exact.
func TestFourWriters(t *testing.T) {
	f, _ := create(t, zcdp())
	s := gaussian(t)
	var granted [4]int
	var wait sync.WaitGroup
	for i := range granted {
		wait.Go(func() {
			for {
				_, _, err := f.Reserve(s, nil, "writer", "")
				var refused *Refused
				switch {
				case errors.As(err, &refused):
					return
				case err != nil:
					t.Error(err)
					return
				}
				granted[i]++
			}
		})
	}
	wait.Wait()
	if sum := granted[0] + granted[1] + granted[2] + granted[3]; sum != 49 {
		t.Errorf("granted %v", granted)
	}
	l, err := Verify(context.Background(), f.Path, "")
	if err != nil {
		t.Fatal(err)
	}
	if s := l.Status(context.Background(), start); s.Held.String() != "183750000000000" {
		t.Errorf("held %s", s.Held)
	}
}

// Where a file cannot be locked nothing is granted.
func TestCannotLock(t *testing.T) {
	f, _ := create(t, zcdp())
	c := f.opening(func(string, int) (handle, error) { return nil, systemErrorf("%s: it cannot be locked here", f.Path) })
	if _, _, err := c.Reserve(gaussian(t), nil, "", ""); err == nil {
		t.Error("granted without a lock")
	}
	dir := t.TempDir()
	if _, err := Read(dir); err == nil {
		t.Error("a folder is read")
	}
	if _, err := Read(dir + "/none"); err == nil {
		t.Error("nothing is read")
	}
}
