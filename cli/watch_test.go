package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"epsiloscope/scenarios/disk"
)

const pureStack = "version: 1\nname: w\nbudget: {epsilon: 1}\nstack: [{mechanism: pure, epsilon: 0.1, count: COUNT}]\n"

// writeCount puts a whole new file in the place of the old one, as editors do.
func writeCount(t *testing.T, path, count string) {
	t.Helper()
	swap := path + ".swp"
	if err := os.WriteFile(swap, []byte(strings.Replace(pureStack, "COUNT", count, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(swap, path); err != nil {
		t.Fatal(err)
	}
}

// lines takes what is written a line at a time; it never makes the writer wait.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- strings.TrimSuffix(string(p), "\n")
	return len(p), nil
}

// startWatch watches a file and returns what it says, line by line, and how to end.
func startWatch(t *testing.T, path string, saves <-chan struct{}) (out, errs lines, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	if saves == nil {
		var err error
		if saves, err = disk.Follow(ctx, path); err != nil {
			t.Skipf("files cannot be watched here: %v", err)
		}
	}
	out, errs = make(lines, 100), make(lines, 100)
	w := watch{
		app: &app{stdout: out, stderr: errs}, path: path, target: &targetFlags{},
		now: func() time.Time { return time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC) },
	}
	done := make(chan error, 1)
	go func() { done <- w.run(ctx, saves) }()
	return out, errs, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func nextLine(t *testing.T, said lines, want string) {
	t.Helper()
	if got := <-said; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// One line a change; a save that changes nothing that counts is passed over, and a
// mistake does not end the watch.
func TestWatch(t *testing.T) {
	defer goleak.VerifyNone(t)
	path := filepath.Join(t.TempDir(), "plan.yaml")
	writeCount(t, path, "5")
	saves := make(chan struct{})
	out, errs, end := startWatch(t, path, saves)
	nextLine(t, out, "03:04:05  ε = 0.5000 at δ = 0 by basic; fits the budget ε = 1")
	writeCount(t, path, "20")
	saves <- struct{}{}
	nextLine(t, out, "03:04:05  ε = 2.000 at δ = 0 by basic, up 1.500; over the budget ε = 1 by 1.000")
	writeCount(t, path, "20.0")
	saves <- struct{}{}
	writeCount(t, path, "0.5, sigma: 3")
	saves <- struct{}{}
	nextLine(t, errs, "03:04:05  "+path+":4:48: stack[1].count: must be at least 1 and at most 1e12, got 0.5 (and 1 more)")
	writeCount(t, path, "10")
	saves <- struct{}{}
	nextLine(t, out, "03:04:05  ε = 1.000 at δ = 0 by basic, down 1.000; fits the budget ε = 1")
	end()
}

// Editors write a new file and rename it over the old one, again and again.
func TestWatchSurvivesRenames(t *testing.T) {
	defer goleak.VerifyNone(t)
	path := filepath.Join(t.TempDir(), "plan.yaml")
	writeCount(t, path, "1")
	out, _, end := startWatch(t, path, nil)
	nextLine(t, out, "03:04:05  ε = 0.1000 at δ = 0 by basic; fits the budget ε = 1")
	for _, c := range []struct{ count, figure string }{{"2", "0.2000"}, {"3", "0.3000"}} {
		writeCount(t, path, c.count)
		nextLine(t, out, "03:04:05  ε = "+c.figure+" at δ = 0 by basic, up 0.1000; fits the budget ε = 1")
	}
	end()
}
