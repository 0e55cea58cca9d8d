package ledger

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

// granted reserves a request and returns what a process keeps while its command runs.
func granted(t testing.TB, f *Stored, epsilon string) (id string, known *Ledger) {
	t.Helper()
	id, known, err := f.Reserve(pureOf(t, epsilon), nil, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return id, known
}

// A release that was made is charged, whatever happened to its reservation while the command ran.
func TestFinishChargesWhatWasReleased(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(t *testing.T, f *Stored, id string, before []byte)
		found     string
		spent     string
		breach    bool
	}{
		"nothing": {func(*testing.T, *Stored, string, []byte) {}, "", "700000000000000", false},
		"cancelled": {func(t *testing.T, f *Stored, id string, _ []byte) {
			mustCancel(t, f, id)
		}, "had been cancelled", "700000000000000", false},
		"cancelled, and granted again": {func(t *testing.T, f *Stored, id string, _ []byte) {
			mustCancel(t, f, id)
			mustReserve(t, f, pureOf(t, "0.7"))
		}, "had been cancelled", "700000000000000", true},
		"rolled back": {func(t *testing.T, f *Stored, id string, before []byte) {
			writeFile(t, f.Path, before)
		}, "rolled back to line 1; lines 2 to 2 were written again", "700000000000000", false},
		"rolled back, and granted again": {func(t *testing.T, f *Stored, id string, before []byte) {
			writeFile(t, f.Path, before)
			mustReserve(t, onAnotherMachine(t, f), pureOf(t, "0.7"))
		}, "no longer has the lines 2 to 2", "700000000000000", true},
		"rolled back, and granted something small": {func(t *testing.T, f *Stored, id string, before []byte) {
			writeFile(t, f.Path, before)
			mustReserve(t, onAnotherMachine(t, f), pureOf(t, "0.1"))
		}, "no longer has the lines 2 to 2", "700000000000000", false},
		"committed by hand": {func(t *testing.T, f *Stored, id string, _ []byte) {
			if _, err := f.Commit(id, nil, ""); err != nil {
				t.Fatal(err)
			}
		}, "committed already", "700000000000000", false},
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := create(t, basicTerms(1, 0))
			before, _ := os.ReadFile(f.Path)
			id, known := granted(t, f, "0.7")
			c.meanwhile(t, f, id, before)
			status := 0
			_, found, err := f.Finish(id, known, &status)
			if err != nil || !strings.Contains(found, c.found) || (found == "") != (c.found == "") {
				t.Errorf("found %q, %v", found, err)
			}
			l, err := Verify(context.Background(), f.Path, "")
			if err != nil {
				t.Fatal(err)
			}
			if s := l.Status(context.Background(), start); s.Spent.String() != c.spent ||
				(l.Breach() != nil) != c.breach {
				t.Errorf("spent %s, breach %v", s.Spent, l.Breach())
			}
		})
	}
}

// Four commands that each roll the file back have released four times, and it shows: heads that
// were printed stay in the chain, and the third is not granted.
func TestFinishAfterEveryRollback(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	before, _ := os.ReadFile(f.Path)
	released := 0
	for range 4 {
		id, known, err := f.Reserve(pureOf(t, "0.5"), nil, "", "")
		if err != nil {
			continue
		}
		released++
		writeFile(t, f.Path, before)
		status := 0
		l, _, err := f.Finish(id, known, &status)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.CheckHead(known.Head()); err != nil {
			t.Error(err)
		}
	}
	if released != 2 {
		t.Errorf("%d released", released)
	}
}

// A command that failed leaves its reservation held, a cancelled one again.
func TestFinishOfAFailure(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	id, known := granted(t, f, "0.7")
	mustCancel(t, f, id)
	l, found, err := f.Finish(id, known, nil)
	if err != nil || !strings.Contains(found, "charged again") {
		t.Fatal(found, err)
	}
	if s := l.Status(context.Background(), start); s.Held.String() != "700000000000000" {
		t.Errorf("held %s", s.Held)
	}
}

// A file that is gone, torn or another ledger is an error: nothing is said to be charged.
func TestFinishWithoutTheFile(t *testing.T) {
	other, _ := create(t, basicTerms(5, 0))
	foreign, _ := os.ReadFile(other.Path)
	for name, content := range map[string][]byte{"gone": nil, "another": foreign, "garbage": []byte("hello\n")} {
		f, _ := create(t, basicTerms(1, 0))
		id, known := granted(t, f, "0.7")
		if os.Remove(f.Path); content != nil {
			writeFile(t, f.Path, content)
		}
		if _, _, err := f.Finish(id, known, new(int)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Whether a command that was reserved for never opened the data, its own process may say, or somebody
// who gives a reason and knows what it means.
func TestCancelOfACommand(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	f.Command = true
	id, _ := granted(t, f, "0.6")
	if _, err := f.Cancel(id, "never read", false); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Error(err)
	}
	if _, _, err := f.Reserve(pureOf(t, "0.6"), nil, "", ""); err == nil {
		t.Error("granted beside a command that may run")
	}
	l, err := f.Cancel(id, "never read", true)
	if err != nil || !l.Records[len(l.Records)-1].Force {
		t.Fatal(err)
	}
	id, _ = granted(t, f, "0.6")
	if l, err = f.GiveBack(id); err != nil || l.State(id) != Cancelled {
		t.Error(err)
	}
	f.Command = false
	id, _ = granted(t, f, "0.6")
	if l, err = f.Cancel(id, "never read", true); err != nil || l.Records[len(l.Records)-1].Force {
		t.Error("force is noted where none was needed", err)
	}
}

// Who waits for a lock is told so, and gives up.
func TestPatience(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	held, err := openLocked(f.Path, os.O_RDWR, LockWait{})
	if err != nil {
		t.Fatal(err)
	}
	impatient := NewStored(&FileStore{Path: f.Path, Wait: LockWait{Limit: time.Millisecond}})
	if _, err := impatient.Read(); err == nil || !strings.Contains(err.Error(), "its lock is held by ") {
		t.Error(err)
	}
	held.Close()
	mustRead(t, f)
}

func mustCancel(t testing.TB, f *Stored, id string) {
	t.Helper()
	if _, err := f.Cancel(id, "never read", true); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A file that is byte for byte as this process left it is not replayed again when its command ends; one that was
// changed in the least is.
func TestFinishRecognizesItsFile(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	f.Command = true
	id, known, err := f.Reserve(pureOf(t, "0.6"), nil, "", "")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	if !known.hasBytes(data) {
		t.Error("its own file is not recognized")
	}
	for i := range data {
		other := bytes.Clone(data)
		if other[i] ^= 1; known.hasBytes(other) {
			t.Fatalf("byte %d changed, and the file is taken for the same", i)
		}
	}
	if known.hasBytes(data[:len(data)-1]) || known.hasBytes(append(bytes.Clone(data), '{')) {
		t.Error("another length, and the file is taken for the same")
	}
	l, found, err := f.Finish(id, known, new(int))
	if err != nil || found != "" || l != known || l.State(id) != Committed {
		t.Errorf("%v %q", err, found)
	}
	if _, err := Verify(t.Context(), f.Path, l.Head()); err != nil {
		t.Error(err)
	}
}
