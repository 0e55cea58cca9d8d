package gauge

import (
	"fmt"
	"strings"
	"testing"
)

func readings(of func(i int) Reading) []Reading {
	taken := make([]Reading, intervals)
	for i := range taken {
		taken[i] = of(i)
	}
	return taken
}

// What leaks is found, what fills up and stays is not, nor is a single peak.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		name, want string
		taken      []Reading
	}{
		{"steady", "", readings(func(int) Reading { return Reading{9, 5 << 20, 12} })},
		{"filling up", "", readings(func(i int) Reading { return Reading{9, uint64(min(i, 8)) << 20, 12} })},
		{"one peak", "", readings(func(i int) Reading { return Reading{9 + 50*(i/(intervals-1)), 5 << 20, 12} })},
		{"computations under way most of the time", "", readings(func(i int) Reading { return Reading{9 + i*min(1, i%4), 5 << 20, 12} })},
		{"a goroutine a reading beside computations", "goroutines", readings(func(i int) Reading { return Reading{9 + i + 10*(i%3), 5 << 20, 12} })},
		{"a goroutine a reading", "goroutines", readings(func(i int) Reading { return Reading{9 + i, 5 << 20, 12} })},
		{"a file in two readings", "open files", readings(func(i int) Reading { return Reading{9, 5 << 20, 12 + i/2} })},
		{"half a MiB a reading", "heap", readings(func(i int) Reading { return Reading{9, 5<<20 + uint64(i)<<19, 12} })},
		{"too short", "too few", make([]Reading, 3)},
	} {
		if got := growth(c.taken); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// A gauge over rounds ends with them, and has taken every reading.
func TestGo(t *testing.T) {
	for _, rounds := range []int{7, 100} {
		g := New(t, rounds, "NO_SUCH_VARIABLE")
		n := 0
		for g.Go(n) {
			n++
		}
		if n != rounds || len(g.taken) != min(rounds, intervals) || g.Long() {
			t.Errorf("%d rounds, %d readings", n, len(g.taken))
		}
	}
}

type judged struct {
	*testing.T
	problem string
}

func (j *judged) Errorf(format string, args ...any) { j.problem = fmt.Sprintf(format, args...) }

// Goroutines that end after the last reading are no leak.
func TestJudgeWaits(t *testing.T) {
	j, release := &judged{T: t}, make(chan struct{})
	g := New(j, intervals, "NO_SUCH_VARIABLE")
	for n := 0; g.Go(n); n++ {
		if n == intervals/2 {
			for range 100 {
				go func() { <-release }()
			}
		}
	}
	if growth(g.taken) == "" {
		t.Error("a hundred goroutines were not seen")
	}
	close(release)
	if g.Judge(); j.problem != "" {
		t.Error(j.problem)
	}
}
