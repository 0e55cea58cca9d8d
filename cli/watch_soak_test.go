//go:build linux

package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios/disk"
)

// sizes are the numbers of entries that whole files have. A file cut at a line has
// fewer, is a scenario too, and costs less.
var sizes = []int{11, 13, 17, 19, 23, 29}

func planOf(entries int) string {
	return "version: 1\nname: w\nstack:\n" + strings.Repeat("  - {mechanism: pure, epsilon: 0.1}\n", entries)
}

func lineOf(entries int) string {
	return fmt.Sprintf("ε = %.3f at δ = 0 by basic", float64(entries)/10)
}

// rewriter writes a file in all the ways that programs do.
type rewriter struct {
	t      *testing.T
	random *rand.Rand
	path   string
	stall  bool // now and then stop in the middle for longer than a file must be quiet
}

// rewrite puts a plan of so many entries into the file, by a random way.
func (w *rewriter) rewrite(entries int) {
	text := planOf(entries)
	cut := 1 + w.random.IntN(entries-1)
	for slices.Contains(sizes, cut) {
		cut--
	}
	half := len(planOf(cut))
	switch w.random.IntN(5) {
	case 0: // in place, in one go
		w.must(os.WriteFile(w.path, []byte(text), 0o644))
	case 1: // in place, in two halves
		f, err := os.Create(w.path)
		w.must(err)
		_, err = f.WriteString(text[:half])
		w.must(err)
		if w.stall && w.random.IntN(10) == 0 {
			<-time.After(3 * disk.FollowDelay)
		}
		_, err = f.WriteString(text[half:])
		w.must(err)
		w.must(f.Close())
	case 2: // a new file renamed over it
		w.must(os.WriteFile(w.path+".swp", []byte(text), 0o644))
		w.must(os.Rename(w.path+".swp", w.path))
	case 3: // deleted and made again
		w.must(os.Remove(w.path))
		w.must(os.WriteFile(w.path, []byte(text), 0o644))
	case 4: // briefly wrong
		w.must(os.WriteFile(w.path, []byte(text+"  - {mechanism: pur"), 0o644))
		w.must(os.WriteFile(w.path, []byte(text), 0o644))
	}
}

func (w *rewriter) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

var stamped = regexp.MustCompile(`^\d\d:\d\d:\d\d  (ε = \S+ at δ = 0 by basic)(, (up|down) \S+|, unchanged)?$`)

// TestWatchSoak watches a file that is rewritten in bursts, for a while or for as long
// as SOAK says: every figure told is that of a whole file, after every burst the last
// one is told, and nothing grows. It ends as a user ends it, by ctrl+c.
func TestWatchSoak(t *testing.T) {
	defer goleak.VerifyNone(t)
	g := gauge.New(t, 10, "SOAK")
	w := &rewriter{t: t, random: rand.New(rand.NewPCG(3, 4)), path: filepath.Join(t.TempDir(), "plan.yaml"), stall: g.Long()}
	w.must(os.WriteFile(w.path, []byte(planOf(11)), 0o644))
	out, errs := make(lines, 10_000), make(lines, 10_000)
	status := make(chan int, 1)
	go func() { status <- Main([]string{"watch", w.path}, strings.NewReader(""), out, errs) }()
	told := 11
	w.expect(out, told)
	for burst := 0; g.Go(burst); burst++ {
		for range 20 {
			w.rewrite(sizes[w.random.IntN(len(sizes))])
		}
		last := told
		for last == told {
			last = sizes[w.random.IntN(len(sizes))]
		}
		w.rewrite(last)
		told = last
		w.expect(out, told)
		drainLines(errs)
	}
	w.must(syscall.Kill(os.Getpid(), syscall.SIGINT))
	if s := <-status; s != statusDone {
		t.Errorf("ended with status %d", s)
	}
	g.Judge()
}

// expect takes lines until the figure of a plan of so many entries comes; all others
// must be figures of whole plans too.
func (w *rewriter) expect(said lines, entries int) {
	w.t.Helper()
	for line := range said {
		m := stamped.FindStringSubmatch(line)
		if m == nil || !slices.ContainsFunc(sizes, func(n int) bool { return m[1] == lineOf(n) }) {
			w.t.Fatalf("no whole file costs %q", line)
		}
		if m[1] == lineOf(entries) {
			return
		}
	}
}

// drainLines drops what was said about files that were briefly wrong or gone.
func drainLines(said lines) {
	for {
		select {
		case <-said:
		default:
			return
		}
	}
}
