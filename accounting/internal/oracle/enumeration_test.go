package oracle_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/scenarios"
)

// most is how many ends the tree of an attack may have.
const most = 20_000

// drawWorld draws a scenario and its world.
func drawWorld(t *rapid.T) *world {
	w := &world{
		replace: rapid.Bool().Draw(t, "replace"),
		group:   rapid.SampledFrom([]int{1, 1, 2, 2, 3}).Draw(t, "group"),
		rounds:  rapid.SampledFrom([]int{1, 1, 2}).Draw(t, "rounds"),
		kinds:   rapid.IntRange(2, 3).Draw(t, "kinds"),
	}
	fmt.Fprintf(&w.text, "version: 1\nadjacency: %s\ngroup: %d\nrounds: %d\nstack:\n", adjacency(setting{replace: w.replace}), w.group, w.rounds)
	for range rapid.IntRange(1, 2).Draw(t, "entries") {
		if size := w.size(); size*size*size > most {
			break
		}
		if rapid.Bool().Draw(t, "block") {
			w.drawBlock(t)
			continue
		}
		fields, l := w.drawLine(t, false)
		fmt.Fprintf(&w.text, "  - {%s, count: %d}\n", fields, l.count)
		w.steps = append(w.steps, step{line: l})
	}
	return w
}

// drawLine draws an entry, often enough repeated, as long as the attack stays small.
func (w *world) drawLine(t *rapid.T, block bool) (fields string, l line) {
	fields, list := w.drawMechanism(t, block)
	l = line{queries: list, count: rapid.SampledFrom([]int{1, 1, 2, 3, 9}).Draw(t, "count")}
	pair := oracle.Neighbours(w.kinds, w.group, w.replace)[0]
	outcomes := oracle.Size(l.stages(pair, nil)[:1])
	if l.count > 3 {
		l.fixed = true
		if l.count = 9; len(list[0].on(pair[0], nil)) > 3 {
			l.count = 2
		}
		l.queries = l.queries[:1]
	}
	for l.count > 1 && !l.fixed && math.Pow(float64(outcomes), float64(l.count*w.rounds)) > most/10 {
		l.count--
	}
	return fields, l
}

// drawBlock draws branches on disjoint parts.
func (w *world) drawBlock(t *rapid.T) {
	w.text.WriteString("  - parallel:\n")
	note("block", true)
	note("block, group", w.group > 1)
	note("block, replace", w.replace)
	var branches [][]line
	for range rapid.IntRange(2, w.kinds).Draw(t, "branches") {
		fields, l := w.drawLine(t, true)
		if l.count > 2 && !l.fixed {
			l.count = 1
		}
		if len(branches) > 0 || w.rounds > 1 {
			l.queries = l.queries[:1]
		}
		fmt.Fprintf(&w.text, "      - [{%s, count: %d}]\n", fields, l.count)
		branches = append(branches, []line{l})
	}
	w.steps = append(w.steps, step{branches: branches})
}

func (w *world) size() int {
	return oracle.Size(w.attack(oracle.Neighbours(w.kinds, w.group, w.replace)[0]))
}

// Every pair of data sets of a small world, every outcome, every choice of an attacker
// who reacts to what was seen: no valid bound promises less than the worst of them
// gives away.
func TestNoBoundIsBelowEnumeration(t *testing.T) {
	check(t, 0.05, func(t *rapid.T) {
		w := drawWorld(t)
		if w.size() > 20*most {
			t.Skip("too many outcomes")
		}
		delta := drawTarget(t)
		text := fmt.Sprintf("%sbudget: {delta: %v}\n", w.text.String(), delta)
		r := evaluated(t, text)
		attacks := w.attacks()
		reached := 0.0
		for _, b := range endangered(r.Bounds) {
			if b.Epsilon > 600 {
				continue // e^ε leaves float64, and no loss here is so large
			}
			reached = math.Max(reached, w.hold(t, b, attacks, text))
		}
		note("(an attack that reaches nine tenths of the promised δ)", reached > 0.9)
	})
}

func evaluated(t *rapid.T, text string) *scenarios.Result {
	s, err := scenarios.Parse("case.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{Precision: 1e-2})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

// endangered are the smallest valid bounds at each δ: what holds at their ε holds at
// the others'.
func endangered(bounds []accounting.Bound) (list []accounting.Bound) {
	least := map[float64]accounting.Bound{}
	for _, b := range bounds {
		if b.Status != accounting.Valid {
			continue
		}
		if have, ok := least[b.Delta]; !ok || b.Epsilon < have.Epsilon {
			least[b.Delta] = b
		}
	}
	for _, b := range bounds { // in their order, so that a failure can be replayed
		if have, ok := least[b.Delta]; ok && have.Method == b.Method {
			list = append(list, b)
		}
	}
	return list
}

// attacks are all pairs, both ways.
func (w *world) attacks() (list [][]oracle.Stage) {
	for _, pair := range oracle.Neighbours(w.kinds, w.group, w.replace) {
		stages := w.attack(pair)
		list = append(list, stages, oracle.Turned(stages))
	}
	return list
}

// hold fails where an attack reaches a larger δ than a bound states, and answers which
// share of it the worst one reaches.
func (w *world) hold(t *rapid.T, b accounting.Bound, attacks [][]oracle.Stage, text string) float64 {
	lift := math.Exp(b.Epsilon)
	worst, most := -1, 0.0
	for i, a := range attacks {
		if d := oracle.Search(a, lift); d > most {
			worst, most = i, d
		}
	}
	if worst < 0 || most < b.Delta*(1-1e-6) {
		return most / b.Delta
	}
	slack := 0.0
	if w.rough {
		slack = 1e-14
	}
	exact := oracle.Exactly(attacks[worst], oracle.R(b.Epsilon).Mul(oracle.R(1+1e-13)).Exp()).Float()
	if exact > b.Delta*(1+1e-12)+slack {
		t.Errorf("%s says ε = %.15g at δ = %g, but attack %d reaches δ = %.12g there\n%s", b.Method, b.Epsilon, b.Delta, worst, exact, text)
	}
	return most / b.Delta
}
