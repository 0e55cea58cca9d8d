package oracle_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/scenarios"
)

// most is the number of ends the tree of an attack may have.
const most = 20_000

// Every pair of data sets of a small world, every outcome, every choice of an attacker
// who reacts to what was seen: no valid bound promises less than the worst of them
// gives away. Worlds have numbers: EPSILOSCOPE_WORLDS=237:238 looks at one again.
func TestNoBoundIsBelowEnumeration(t *testing.T) {
	list := worlds
	if text := os.Getenv("EPSILOSCOPE_WORLDS"); text != "" {
		var from, to int
		if _, err := fmt.Sscanf(text, "%d:%d", &from, &to); err != nil {
			t.Fatal(err)
		}
		list = upTo(to)[from:]
	}
	made := map[string]int{}
	for _, n := range list {
		w := drawWorld(numbered(n))
		if w.size() > 20*most {
			made["(too many outcomes)"]++
			continue
		}
		for _, fault := range w.faults() {
			t.Errorf("world %d: %s\n%s", n, fault, w)
		}
		for what, times := range w.made {
			made[what] += times
		}
	}
	t.Logf("%d cases", len(list))
	t.Logf("among them: %s", listCounts(made))
}

// faults returns what is wrong with the program's figures in this world, or with the world.
func (w *world) faults() (list []string) {
	fault := func(format string, a ...any) { list = append(list, fmt.Sprintf(format, a...)) }
	for _, e := range w.every() {
		for _, q := range e.queries {
			if err := e.promise.kept(q, w.kinds, w.group+len(w.others)); err != nil {
				fault("the oracle's own mechanism does not keep to %s: %v", e, err)
			}
		}
	}
	r, err := w.evaluated()
	switch {
	case err != nil && w.mayBeRefused():
		w.note("(refused)")
		return list
	case err != nil:
		fault("refused: %v", err)
		return list
	}
	attacks := w.attacks()
	for _, b := range endangered(r.Bounds) {
		if b.Epsilon > 600 {
			continue // e^ε leaves float64, and no loss here is so large
		}
		share, found := w.beaten(b, attacks)
		w.reached = math.Max(w.reached, share)
		if found != "" {
			fault("%s", found)
		}
	}
	if w.reached > 0.9 {
		w.note("(an attack that reaches nine tenths of the promised δ)")
	}
	return list
}

// every returns the entries, those of branches too.
func (w *world) every() (list []entry) {
	for _, e := range w.entries {
		list = append(list, e)
		for _, lines := range e.branches {
			list = append(list, lines...)
		}
	}
	return list
}

// mayBeRefused is where a record may leave a branch of which nothing is said about its
// absence.
func (w *world) mayBeRefused() bool {
	for _, e := range w.entries {
		for _, lines := range e.branches {
			for _, l := range lines {
				if l.promise.free() && !e.never {
					return true
				}
			}
		}
	}
	return false
}

func (w *world) evaluated() (*scenarios.Result, error) {
	s, err := w.scenario()
	if err != nil {
		return nil, err
	}
	return scenarios.Evaluate(context.Background(), s, scenarios.Options{Precision: 1e-2})
}

// endangered returns the smallest valid bounds at each δ: what holds at their ε holds at
// the others'.
func endangered(bounds []accounting.Bound) []accounting.Bound {
	least := map[float64]accounting.Bound{}
	for _, b := range bounds {
		if b.Status != accounting.Valid {
			continue
		}
		if have, ok := least[b.Delta]; !ok || b.Epsilon < have.Epsilon {
			least[b.Delta] = b
		}
	}
	return slices.SortedFunc(maps.Values(least), func(a, b accounting.Bound) int {
		return cmp.Compare(a.Delta, b.Delta)
	})
}

// attacks returns all pairs, both ways.
func (w *world) attacks() (list [][]oracle.Stage) {
	for _, pair := range w.pairs() {
		stages := w.attack(pair)
		list = append(list, stages, oracle.Turned(stages))
	}
	return list
}

// beaten says which attack reaches a larger δ than a bound states, and which share of
// it the worst one reaches.
func (w *world) beaten(b accounting.Bound, attacks [][]oracle.Stage) (share float64, found string) {
	lift := math.Exp(b.Epsilon)
	worst, most := -1, 0.0
	for i, a := range attacks {
		if d := oracle.Search(a, lift); d > most {
			worst, most = i, d
		}
	}
	if b.Delta > 0 {
		share = most / b.Delta
	}
	if worst < 0 || most < b.Delta*(1-1e-6) {
		return share, ""
	}
	slack := 0.0
	if w.rough {
		slack = 1e-14
	}
	exact := oracle.Exactly(attacks[worst], oracle.R(b.Epsilon).Mul(oracle.R(1+1e-13)).Exp()).Float()
	if exact > b.Delta*(1+1e-12)+slack {
		found = fmt.Sprintf("%s says ε = %.15g at δ = %g, but on %v an attack reaches δ = %.12g there, and that δ only at ε = %.6g",
			b.Method, b.Epsilon, b.Delta, w.pairs()[worst/2], exact, reaches(attacks[worst], b))
	}
	return share, found
}

// reaches returns the ε at which an attack has a bound's δ, from below.
func reaches(attack []oracle.Stage, b accounting.Bound) float64 {
	low, high := b.Epsilon, b.Epsilon+40
	for range 40 {
		if x := (low + high) / 2; oracle.Search(attack, math.Exp(x)) > b.Delta*(1+1e-9)+1e-14 {
			low = x
		} else {
			high = x
		}
	}
	return low
}
