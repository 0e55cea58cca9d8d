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
	"time"

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
	if last.Kind != KindTorn && len(last.Bytes) > 0 {
		t.Fatalf("%+v", last)
	}
	if _, err := Verify(context.Background(), f.Path, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Repair(); !errors.Is(err, ErrNotTorn) {
		t.Fatal(err)
	}
}

// Cut at every byte of a reserve's line: it is charged as soon as its stack can be read, and before that nothing is
// granted until it is decided what it was. Without its newline alone it stays as it is.
func TestTornAtEveryByte(t *testing.T) {
	f, _ := create(t, zcdp())
	id := mustReserve(t, f, gaussian(t))
	data, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	start := bytes.IndexByte(data, '\n') // the reserve stands on the second line
	charged := 0
	for end := start + 2; end < len(data)-1; end++ {
		writeFile(t, f.Path, data[:end])
		f := onAnotherMachine(t, f)
		l, err := f.Repair()
		if err != nil {
			t.Fatalf("cut at %d: %v", end, err)
		}
		last := l.Records[1]
		if string(last.Bytes) != string(data[start+1:end]) {
			t.Fatalf("cut at %d: the bytes are lost", end)
		}
		if end%7 > 0 {
			continue
		}
		if last.Cost != nil {
			charged++
			if l.State(id) != Held {
				t.Fatalf("cut at %d: %q", end, l.State(id))
			}
		} else {
			refusedWith(t, f, gaussian(t), "was cut, and may have reserved a release")
		}
		if _, err := f.Cancel(last.ID, "never started", false); err == nil {
			t.Fatalf("cut at %d: cancelled without force", end)
		}
		if _, err := f.Cancel(last.ID, "never started", true); err != nil {
			t.Fatalf("cut at %d: %v", end, err)
		}
		mustReserve(t, f, gaussian(t))
		if _, err := f.Verify(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if charged < 20 { // after the stack come the cost, the sum and two hashes
		t.Errorf("charged in %d cuts", charged)
	}
}

// A whole line that lost its newline stays as it is, whatever its kind: as nothing that could be read, a breach would
// be forgotten, and its release granted again.
func TestRepairOfWholeLines(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	first := mustReserve(t, f, pureOf(t, "0.6"))
	mustCancel(t, f, first)
	second := mustReserve(t, f, pureOf(t, "0.6"))
	if _, err := f.Commit(first, nil, ""); err != nil { // a breach
		t.Fatal(err)
	}
	if _, err := f.Commit(second, nil, ""); err != nil {
		t.Fatal(err)
	}
	whole, _ := os.ReadFile(f.Path)
	for end := 1; end <= len(whole); end++ {
		if whole[end-1] != '\n' {
			continue
		}
		writeFile(t, f.Path, whole[:end-1])
		if _, _, err := f.Reserve(pureOf(t, "0.6"), nil, "", ""); err == nil || !strings.Contains(err.Error(), "is whole and lacks its end") {
			t.Fatal(err)
		}
		if _, err := f.Repair(); err != nil {
			t.Fatal(err)
		}
		if after, _ := os.ReadFile(f.Path); !bytes.Equal(after, whole[:end]) {
			t.Fatalf("the line that ends at %d was changed:\n%s", end, after)
		}
	}
	if mustRead(t, f).Breach() == nil {
		t.Error("the breach is gone")
	}
}

// A line of a breach that was cut is a breach, and one of a torn record, a home or an unknown kind is decided by
// somebody.
func TestRepairOfOtherKinds(t *testing.T) {
	for kind, want := range map[string]string{
		"breach": "the promise was broken on line 2", "torn": "was cut, and may", "home": "was cut, and may", "commit": "", "cancel": "", "refuse": "",
	} {
		f, _ := create(t, basicTerms(1, 0))
		data, _ := os.ReadFile(f.Path)
		writeFile(t, f.Path, append(data, `{"v":1,"seq":1,"kind":"`+kind+`","id":"abc`...))
		l, err := f.Repair()
		if err != nil {
			t.Fatal(kind, err)
		}
		if got := l.blockedReason(start); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q", kind, got)
		}
		if _, err := f.Verify(context.Background()); err != nil {
			t.Error(kind, err)
		}
	}
}

// A commit of what was on a cut line breaks the promise: nobody knows what it cost.
func TestCommitOfACutLine(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	data, _ := os.ReadFile(f.Path)
	writeFile(t, f.Path, append(data, `{"v":1,"seq":1,"kind":"reserve","id":"abc","nonce":`...))
	l, err := f.Repair()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Statement(context.Background(), Period{}, start); err == nil {
		t.Error("a promise is stated")
	}
	if l, err = f.Commit(l.UndecidedRecord().ID, nil, ""); err != nil || l.Breach() == nil ||
		l.UndecidedRecord() != nil {
		t.Fatal(err)
	}
	if l, err = f.Verify(context.Background()); err != nil || l.Breach() == nil {
		t.Error(err)
	}
}

// Four releases within a minute whose writer dated them 30 days apart: no line may be ahead of the clock, and
// jumps are named where the writer's ledger was opened in the past.
func TestForgedTimes(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Window = "720h"
	f, clock := create(t, terms)
	for range 4 {
		mustCommit(t, f, pureOf(t, "0.9"))
		clock.add(30*24*time.Hour + time.Second)
	}
	forged := clock.now
	clock.now = start.Add(time.Minute)
	if _, err := f.Verify(context.Background()); err == nil || !strings.Contains(err.Error(), ":4: its time 2026-12-15T09:00:01Z is 719h59m1s ahead") {
		t.Error(err)
	}
	if _, _, err := f.Reserve(pureOf(t, "0.1"), nil, "", ""); err == nil || !strings.Contains(err.Error(), "ahead of this machine's clock") {
		t.Error(err)
	}
	if _, err := mustRead(t, f).Statement(context.Background(), Period{}, clock.now); err == nil {
		t.Error("a promise is stated")
	}
	clock.now = forged
	l, err := f.Verify(context.Background())
	if err != nil || len(l.TimeJumps()) != 3 || l.TimeJumps()[0] != "line 4 is dated 720h0m1s after the line before it" {
		t.Error(l.TimeJumps(), err)
	}
}

// A sync that fails acknowledges nothing. The line may be on disk all the same, and then
// it counts.
func TestSyncFails(t *testing.T) {
	f, _ := create(t, zcdp())
	id, _, err := f.failing(faulty{room: -1, sync: syscall.EIO}).Reserve(gaussian(t), nil, "", "")
	// it must be found again: commit and cancel ask for it
	if err == nil || len(id) != 8 || !strings.Contains(err.Error(), id) {
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
