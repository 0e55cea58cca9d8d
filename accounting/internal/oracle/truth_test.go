package oracle_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// cases is the number of random cases the tests of this package look at together, numbers is that
// for those with numbered cases, which are dearer, and worlds for those that are enumerated.
// EPSILOSCOPE_CASES asks for more.
var cases, numbers, worlds = func() (int, int, []int) {
	if n, err := strconv.Atoi(os.Getenv("EPSILOSCOPE_CASES")); err == nil {
		return n, n, upTo(n / 8)
	}
	if gauge.All() {
		return 2000, 800, upTo(100)
	}
	return 400, 200, append(lightWorlds, 5, 7, 9, 10, 12, 18, 26, 27)
}()

// lightWorlds are the numbers of worlds of every adjacency, alone and for a group, which the program and the
// enumeration are soon done with.
var lightWorlds = []int{1, 8, 4, 22, 0, 11, 14, 13, 17, 15, 16}

// upTo returns the numbers below n.
func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// quick reports whether nobody asks for all cases, or for a number of them.
func quick() bool { return !gauge.All() && os.Getenv("EPSILOSCOPE_CASES") == "" }

// harmWorlds are the worlds of which harm is asked too, which is dearer: in the quick form one in n of the light ones.
func harmWorlds(n, all int) []int {
	if quick() {
		return gauge.Some(n, lightWorlds)
	}
	return upTo(max(gauge.Cases(5, all), numbers/500))
}

// perKind is how many cases of each kind the quick form looks at.
func perKind() int {
	if quick() {
		return 2
	}
	return math.MaxInt
}

// drawn counts what the cases of a test were made of: families, settings, corners.
var drawn map[string]int

// note counts a case as one of these where it is.
func note(what string, is bool) {
	if is {
		drawn[what]++
	}
}

// listCounts lists what was counted, by name: "gaussian 12, laplace 7".
func listCounts(counts map[string]int) string {
	var list []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s %d", what, counts[what]))
	}
	return strings.Join(list, ", ")
}

// check runs a property on its share of the cases.
func check(t *testing.T, share float64, property func(*rapid.T)) {
	t.Helper()
	n := int(math.Round(share * float64(cases)))
	drawn = map[string]int{}
	if err := flag.Set("rapid.checks", strconv.Itoa(n)); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, property)
	t.Logf("%d cases", n)
	t.Logf("among them: %s", listCounts(drawn))
}

// No valid bound may lie below what an attacker really gets: at the ε and δ it
// states, no attack has a larger δ.
func TestNoBoundIsBelowTheTruth(t *testing.T) {
	check(t, 0.05, func(t *rapid.T) {
		text, attacks := drawScenario(t)
		delta := drawTarget(t)
		text = fmt.Sprintf("%sbudget: {delta: %v}\n", text, delta)
		s, err := scenarios.Parse("case.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{Precision: 1e-2})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, b := range r.Bounds {
			if b.Status != accounting.Valid {
				continue
			}
			if b.Delta > delta*(1+1e-12) {
				t.Errorf("%s spends δ = %g of %g\n%s", b.Method, b.Delta, delta, text)
			}
			for i, a := range attacks {
				if d := attacked(a, b.Epsilon); d > b.Delta*(1+1e-9)+1e-19 {
					t.Errorf("%s says ε = %.12g at δ = %g, but attack %d reaches δ = %.9g there\n%s", b.Method, b.Epsilon, b.Delta, i, d, text)
				}
			}
		}
	})
}

// drawTarget returns where an attack can be told from its rounding, and at times beyond.
func drawTarget(t *rapid.T) float64 {
	if rapid.IntRange(0, 5).Draw(t, "corner") == 0 {
		delta := rapid.SampledFrom([]float64{1e-300, 0.5}).Draw(t, "δ")
		note(fmt.Sprint("δ = ", delta), true)
		return delta
	}
	return logDraw(t, "δ", 1e-14, 0.5)
}

// attacked returns the δ of an attack at ε, a hair above it for the sake of the oracle's
// own rounding: its losses are logarithms of differences.
func attacked(a view, epsilon float64) float64 {
	epsilon += 1e-9*epsilon + 1e-10
	return math.Max(a.remove.Delta(epsilon), a.add.Delta(epsilon))
}
