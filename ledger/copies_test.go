package ledger

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// copyOf copies a ledger to another folder of the same machine, with its home file if it is asked for.
func copyOf(t testing.TB, f *Stored, home bool) *Stored {
	t.Helper()
	c, store := *f, *f.store.(*FileStore)
	store.Path = filepath.Join(t.TempDir(), "copy.ledger")
	c.Path, c.store = store.Path, &store
	for _, end := range []string{"", ".home"} {
		if data, err := os.ReadFile(f.Path + end); err != nil {
			t.Fatal(err)
		} else if end == "" || home {
			writeFile(t, c.Path+end, data)
		}
	}
	return &c
}

// A copy of a ledger is for reading: it neither grants nor gives back. What was released is recorded anywhere.
func TestCopyDoesNotGrant(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	id := mustReserve(t, f, pureOf(t, "0.1"))
	c := copyOf(t, f, false)
	var away *AwayError
	if _, _, err := c.Reserve(pureOf(t, "0.9"), nil, "", ""); !errors.As(err, &away) || away.Line != 1 {
		t.Error(err)
	}
	if _, err := c.Cancel(id, "never read", true); !errors.As(err, &away) {
		t.Error(err)
	}
	if a, err := mustRead(t, c).Ask(pureOf(t, "0.9"), nil, "", start); err != nil || !a.Fits {
		t.Error(a, err)
	}
	if _, err := c.Commit(id, nil, ""); err != nil {
		t.Error(err)
	}
	mustReserve(t, f, pureOf(t, "0.9"))
}

// Of two copies with the same home file the first that grants is the ledger. The other is refused on this machine, at
// the same time too; on a machine that has seen neither it is granted, which only a head kept elsewhere shows.
func TestCopyOfHomeAndAll(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	c := copyOf(t, f, true)
	granted := make(chan error, 2)
	for _, f := range []*Stored{f, c} {
		go func() {
			_, _, err := f.Reserve(pureOf(t, "0.9"), nil, "", "")
			granted <- err
		}()
	}
	one, two := <-granted, <-granted
	if one == nil {
		one = two
	}
	if one == nil || !strings.Contains(one.Error(), "this machine has seen line 2") {
		t.Fatal(one)
	}
	for _, f := range []*Stored{f, c} {
		if len(mustRead(t, f).Records) == 1 {
			mustReserve(t, onAnotherMachine(t, f), pureOf(t, "0.9"))
		}
	}
}

// A file that was put back to an older end grants nothing on a machine that has seen the newer one, even if another
// machine has gone on with it.
func TestCopyOfYesterday(t *testing.T) {
	f, _ := create(t, basicTerms(1, 0))
	yesterday, _ := os.ReadFile(f.Path)
	mustCommit(t, f, pureOf(t, "0.9"))
	writeFile(t, f.Path, yesterday)
	for range 2 {
		if _, _, err := f.Reserve(pureOf(t, "0.9"), nil, "", ""); err == nil || !strings.Contains(err.Error(), "rolled back to an older end") {
			t.Error(err)
		}
		mustReserve(t, onAnotherMachine(t, f), pureOf(t, "0.1"))
	}
}

// Two ledgers that were opened in the same second with the same promise are different ledgers.
func TestOpenedInOneSecond(t *testing.T) {
	a, _ := create(t, basicTerms(1, 0))
	b, _ := create(t, basicTerms(1, 0))
	if mustRead(t, a).Head() == mustRead(t, b).Head() {
		t.Error("they share a head")
	}
}
