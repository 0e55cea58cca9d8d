package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"epsiloscope/internal/gauge"
)

// fate is what became of one release, as far as a branch has heard.
type fate struct {
	tenths           int
	begun, settled   time.Time
	committed, ended bool
}

// counts reports whether the release was made, or may have been.
func (f fate) counts() bool { return f.committed || !f.ended }

// hear adds what another branch knows. A commit outweighs a cancel.
func hear(mine, other map[string]fate) {
	for id, theirs := range other {
		if ours, known := mine[id]; !known || !ours.ended || theirs.committed && !ours.committed {
			mine[id] = theirs
		}
	}
}

// Three branches spend, settle and merge each other at random. Whatever came to a branch is
// charged there; where it is more than was promised, in the whole or in a window, the branch says so.
func TestMergesAtRandom(t *testing.T) {
	for seed := uint64(gauge.Cases(84, 60)); seed < 100; seed++ { // the 99th: what one cancelled and another released
		t.Run(fmt.Sprint(seed), func(t *testing.T) { mergeAtRandom(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func mergeAtRandom(t *testing.T, random *rand.Rand) {
	terms := basicTerms(1, 0)
	window := time.Duration(random.IntN(2)) * 72 * time.Hour
	if window > 0 {
		terms.Window = window.String()
	}
	first, clock := create(t, terms)
	second := branch(t, first)
	files := []*File{first, second, branch(t, second)}
	known := []map[string]fate{{}, {}, {}}
	for range 20 {
		clock.add(time.Duration(random.IntN(40)) * time.Hour)
		i := random.IntN(3)
		var open []string
		for id, f := range known[i] {
			if !f.ended && mustRead(t, files[i]).State(id) == Held {
				open = append(open, id)
			}
		}
		slices.SortFunc(open, func(a, b string) int { return known[i][a].begun.Compare(known[i][b].begun) })
		switch what := random.IntN(5); {
		case what < 2:
			tenths := 1 + random.IntN(3)
			id, _, err := files[i].Reserve(pureOf(t, fmt.Sprintf("0.%d", tenths)), nil, "", "")
			if refused := new(Refused); err != nil && !errors.As(err, &refused) {
				t.Fatal(err)
			} else if err == nil {
				known[i][id] = fate{tenths: tenths, begun: clock.now}
			}
		case what < 4 && len(open) > 0:
			id := open[random.IntN(len(open))]
			f, err := known[i][id], error(nil)
			f.ended, f.settled, f.committed = true, clock.now, random.IntN(3) > 0
			if f.committed {
				_, err = files[i].Commit(id, nil, "")
			} else {
				_, err = files[i].Cancel(id, "never started")
			}
			if err != nil {
				t.Fatal(err)
			}
			known[i][id] = f
		default:
			other := (i + 1 + random.IntN(2)) % 3
			_, _, err := files[i].Merge(mustRead(t, files[other]))
			if err != nil && strings.Contains(err.Error(), "Merge when the window holds less") {
				for _, id := range open { // what is held never leaves the window
					if _, err := files[i].Commit(id, nil, ""); err != nil {
						t.Fatal(err)
					}
					f := known[other][id]
					if !f.committed { // else it was made when that branch says so
						f = known[i][id]
						f.ended, f.settled, f.committed = true, clock.now, true
					}
					known[i][id] = f
				}
				clock.add(2 * window)
				_, _, err = files[i].Merge(mustRead(t, files[other]))
			}
			if err != nil {
				t.Fatalf("branch %d takes %d: %v", i, other, err)
			}
			hear(known[i], known[other])
		}
		holds(t, files[i], known[i], window, clock.now)
	}
}

// holds checks a branch against all that it has heard of.
func holds(t *testing.T, file *File, known map[string]fate, window time.Duration, now time.Time) {
	t.Helper()
	l, err := Verify(context.Background(), file.Path, "")
	if err != nil {
		t.Fatal(err)
	}
	at := func(when time.Time) (tenths int) {
		for f := range maps.Values(known) {
			if f.counts() && !f.begun.After(when) && (!f.ended || window == 0 || !f.settled.Before(when.Add(-window))) {
				tenths += f.tenths
			}
		}
		return tenths
	}
	s := l.Status(context.Background(), now)
	if charged, made := s.Budget.Int64()-s.Left.Int64(), int64(at(now))*1e14; charged < made {
		t.Fatalf("%d is charged, and %d may have been released: %v", charged, made, known)
	}
	for f := range maps.Values(known) {
		if f.counts() && at(f.begun) > 10 && l.Breach() == nil {
			t.Fatalf("%d tenths at %v, and no breach: %v", at(f.begun), f.begun, known)
		}
	}
}
