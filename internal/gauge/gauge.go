// Package gauge helps tests. It measures whether a program that is used for long keeps what it should give back:
// goroutines, memory, open files (start with [New]). It says how many cases a test looks at in its quick and its long
// form ([Cases], [Some], [Check]), and compares generated documents part by part ([CompareDocument]).
package gauge

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

func init() {
	// Tests make and drop many scenarios, prices and screens: with fewer collections, most packages take between three
	// and twelve percent less processor time. A Reading collects first, so it is the same.
	debug.SetGCPercent(400)
}

// T is the part of testing.T that a gauge needs.
type T interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Gauge reads at regular intervals while a test goes on, for a number of rounds or
// for a time.
type Gauge struct {
	t         T
	rounds    int
	duration  time.Duration // 0: count rounds
	intervals int
	began     time.Time
	taken     []Reading
}

// Reading holds the resources in use at one moment, after a garbage collection.
type Reading struct {
	Goroutines int
	Heap       uint64 // bytes in use
	Files      int    // open ones; 0 where the system does not tell
}

// intervals is the number of readings a gauge takes at most; the first quarter of them is the
// time in which caches and histories fill.
const intervals = 40

// New returns a gauge over the given number of rounds or, if the environment variable names a
// time such as 1h, over that time.
func New(t T, rounds int, variable string) *Gauge {
	g := &Gauge{t: t, rounds: rounds, intervals: min(intervals, rounds), began: time.Now()}
	if d, err := time.ParseDuration(os.Getenv(variable)); err == nil && d > 0 {
		g.duration, g.intervals = d, intervals
	}
	return g
}

// Long reports whether a time was asked for.
func (g *Gauge) Long() bool { return g.duration > 0 }

// Go reports whether to do another round, and takes a reading when one is due.
func (g *Gauge) Go(round int) bool {
	g.t.Helper()
	share := float64(round) / float64(g.rounds)
	if g.Long() {
		share = float64(time.Since(g.began)) / float64(g.duration)
	}
	if len(g.taken) < g.intervals && share*float64(g.intervals) >= float64(len(g.taken)+1) {
		g.read(round)
	}
	return share < 1
}

func (g *Gauge) read(round int) {
	g.t.Helper()
	r := Read()
	g.taken = append(g.taken, r)
	g.t.Logf("%8s %8d rounds %4d goroutines %7d KiB heap %3d files",
		time.Since(g.began).Round(time.Second), round, r.Goroutines, r.Heap>>10, r.Files)
}

// Read collects garbage and returns the goroutines, the heap and the open files that are left; files are counted
// on Linux only.
func Read() Reading {
	runtime.GC()
	runtime.GC() // what the first one's finalizers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r := Reading{Goroutines: runtime.NumGoroutine(), Heap: m.HeapAlloc}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		r.Files = len(open)
	}
	return r
}

// Judge compares the last quarter with the second one: the least reading of each. Where
// that has grown, it reads again for a while: computations under way end, however many a
// busy machine has left open, and what leaks stays.
func (g *Gauge) Judge() {
	g.t.Helper()
	problem := growth(g.taken)
	for try := 0; problem != "" && try < 100 && len(g.taken) >= 4; try++ {
		<-time.After(100 * time.Millisecond)
		late := g.taken[len(g.taken)-len(g.taken)/4:]
		for i, now := 0, Read(); i < len(late); i++ {
			late[i] = now
		}
		problem = growth(g.taken)
	}
	if problem != "" {
		g.t.Errorf("%s", problem)
	}
}

// growth says what grew from the second quarter of the readings to the last; "" if
// nothing did. A few goroutines or files more may be a computation under way, and memory
// may waver by a quarter and 2 MiB; what leaks passes that in any run long enough.
func growth(taken []Reading) string {
	n := len(taken) / 4
	if n == 0 {
		return "there are too few readings to compare"
	}
	early, late := taken[n:2*n], taken[len(taken)-n:]
	var grown []string
	compare := func(what string, of func(Reading) float64, most func(float64) float64) {
		a, b := minReading(early, of), minReading(late, of)
		if b > most(a) {
			grown = append(grown, fmt.Sprintf("%s grew from %.0f to %.0f", what, a, b))
		}
	}
	compare("goroutines", func(r Reading) float64 { return float64(r.Goroutines) }, func(x float64) float64 { return 1.25*x + 4 })
	compare("open files", func(r Reading) float64 { return float64(r.Files) }, func(x float64) float64 { return 1.25*x + 4 })
	compare("KiB of heap", func(r Reading) float64 { return float64(r.Heap >> 10) }, func(x float64) float64 {
		return 1.25*x + 2048
	})
	return strings.Join(grown, "; ")
}

func minReading(taken []Reading, of func(Reading) float64) float64 {
	low := math.Inf(1)
	for _, r := range taken {
		low = math.Min(low, of(r))
	}
	return low
}
