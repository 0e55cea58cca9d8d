package ledger

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Whoever waits for a lock hears of it after one second, once, and gives up at the limit. The clock is
// the test's: the second passes at once, and the limit once the notice was given.
func TestLockIsSaidToBeTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger")
	held, err := lockedfile.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	var asked []time.Duration
	var said []string
	second, limit := make(chan time.Time, 1), make(chan time.Time, 1)
	second <- time.Time{}
	p := LockWait{Limit: 7 * time.Second, Notice: func(text string) {
		said = append(said, text)
		limit <- time.Time{}
	}, after: func(d time.Duration) <-chan time.Time {
		if asked = append(asked, d); d == time.Second {
			return second
		}
		return limit
	}}
	_, err = p.lock(path, os.O_RDWR)
	if err == nil || !strings.Contains(err.Error(), "--wait") {
		t.Errorf("it did not give up: %v", err)
	}
	if len(said) != 1 || !strings.Contains(said[0], "waiting for its lock") || !strings.Contains(said[0], "giving up after 7s") {
		t.Errorf("it said %q", said)
	}
	if !slices.Equal(asked, []time.Duration{time.Second, 7 * time.Second}) {
		t.Errorf("it waited for %v", asked)
	}
}
