package interop

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Nothing imported gets cheaper. A random record of each kind is changed at random: a
// token, an item of a list, a line is dropped, repeated, renamed, moved, emptied, spelt
// otherwise or given another type. What comes of it must be refused; or cost at least
// what the record says without the releases that were taken out with nothing put in
// their place, and without exactly what a note gives up. EPSILOSCOPE_CASES is the
// number of changes per kind.
func TestChangedRecords(t *testing.T) {
	kinds := map[string]int{} // of each format
	for _, k := range recordKinds {
		kinds[k.reader]++
	}
	for _, k := range recordKinds {
		cases := gauge.Cases(50, 300) / kinds[k.reader]
		if n, err := strconv.Atoi(os.Getenv("EPSILOSCOPE_CASES")); err == nil {
			cases = n
		}
		t.Run(k.name, func(t *testing.T) {
			count := map[string]int{}
			for _, seed := range k.kept {
				k.changed(t, seed, count)
			}
			for seed := range uint64(cases) {
				k.changed(t, seed, count)
				if done := int(seed) + 1; done%10_000 == 0 || done == cases {
					t.Logf("%d changes: %d refused, %d no cheaper, %d cheaper by what was taken out, %d by what a note gives up, %d other numbers",
						done, count["refused"], count["same"], count["less"], count["note"], count["other"])
				}
			}
			if count["refused"] < cases/4 || count["same"] < cases/50 {
				t.Errorf("the changes do not try both sides: %v", count)
			}
		})
	}
}

// changed makes the change of one seed and judges what is imported.
func (k recordKind) changed(t *testing.T, seed uint64, count map[string]int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 15))
	before := k.draw(r)
	c := before.change(r)
	was, err := Import(k.reader, []byte(before.text))
	if err != nil || seed < 1000 && !noCheaper(was.Scenario, before.scenario) {
		t.Fatalf("%s, seed %d: the record itself is refused or cheaper: %v\n%s", k.name, seed, err, before.text)
	}
	rec, err := Import(k.reader, []byte(c.after))
	if err != nil {
		count["refused"]++
		return
	}
	fresh := slices.DeleteFunc(slices.Clone(rec.Remarks), func(note string) bool {
		return slices.Contains(was.Remarks, note)
	})
	if c.strict != "" {
		if !named(fresh, c.strict) && !(noCheaper(rec.Scenario, before.scenario) &&
			!noCheaper(before.scenario, rec.Scenario)) {
			t.Errorf("%s, seed %d: %q passed without a word (new notes: %q)\n--- before\n%s\n--- after\n%s", k.name, seed, c.strict, fresh, before.text, c.after)
		}
		count["same"]++
		return
	}
	for _, verdict := range []struct {
		is   string
		said func() *scenarios.Scenario
	}{
		{"same", func() *scenarios.Scenario { return before.scenario }},
		{"other", func() *scenarios.Scenario { return before.again(c) }},
		{"less", func() *scenarios.Scenario { return before.without(before.again(c), c) }},
		{"note", func() *scenarios.Scenario { return before.forgiven(before.without(before.again(c), c), c, fresh) }},
	} {
		if said := verdict.said(); said.Validate() == nil && noCheaper(rec.Scenario, said) && k.deltaKept(rec, fresh) {
			count[verdict.is]++
			return
		}
	}
	t.Errorf("%s, seed %d: cheaper than what it says (new notes: %q); if the text says just this now, again (excuse_test.go) must read it\n"+
		"--- before\n%s\n--- after\n%s", k.name, seed, fresh, before.text, c.after)
}

// named tells whether a note names a part of the text.
func named(notes []string, text string) bool {
	for _, word := range namedWord.FindAllString(text, -1) {
		if strings.Contains(strings.Join(notes, "\n"), word) {
			return true
		}
	}
	return false
}

var namedWord = regexp.MustCompile(`\w{2,}|'|\d`)

// deltaKept tells whether ε is asked for at a δ no larger, or a note gives δ up.
func (k recordKind) deltaKept(rec *Record, fresh []string) bool {
	notes := strings.Join(fresh, "\n")
	return rec.Scenario.Budget.Delta <= cmp.Or(k.delta, 1e-5) || strings.Contains(notes, "the record keeps no δ; 1e-5 was put in its place") ||
		strings.Contains(notes, "which became the total δ")
}

// noCheaper compares what is read with what is said: the neighbours are the same, and
// the best closed bound, which is monotone in every release, is no smaller at any δ.
func noCheaper(read, said *scenarios.Scenario) bool {
	if read.Adjacency != said.Adjacency {
		return false
	}
	if dominates(releases(read), releases(said)) {
		return true
	}
	// At the smaller δ what fails outright with a stated δ has no finite ε. What has no
	// price under the neighbours that the format assumes has one under replace.
	for _, neighbours := range []mechanisms.Adjacency{said.Adjacency, mechanisms.Replace} {
		priced := false
		for _, delta := range []float64{1e-6, 1e-10} {
			cost := price(said, neighbours, delta)
			if price(read, neighbours, delta) < cost*(1-1e-9) {
				return false
			}
			priced = priced || cost < noPrice
		}
		if priced {
			break
		}
	}
	return true
}

// releases returns how often a scenario makes each release, however it is written.
func releases(s *scenarios.Scenario) map[string]float64 {
	times := map[string]float64{}
	for _, e := range s.Stack {
		count := e.Count * s.Rounds
		m, err := mechanisms.New(e.Mechanism, e.Values)
		of := ""
		switch run := m.(type) {
		case mechanisms.DPSGD:
			if run.Steps > 0 {
				count *= run.Steps
				run.Steps = 1
				m = run
			}
		case mechanisms.Select:
			of = fmt.Sprintf(" of %T", run.Of)
		}
		times[fmt.Sprintf("%T%s %.10v %v at rate %v", m, of, m, err, e.Sampling)] += count
	}
	return times
}

// dominates tells whether every release is made at least as often: then no figure is
// smaller, and none has to be computed.
func dominates(read, said map[string]float64) bool {
	for release, times := range said {
		if read[release] < times {
			return false
		}
	}
	return true
}

var prices = map[string]float64{}

const noPrice = 1e300

// pricing remembers the releases of the last scenarios, which are priced at several δ.
var pricing = scenarios.NewEvaluator()

func price(s *scenarios.Scenario, neighbours mechanisms.Adjacency, delta float64) float64 {
	key := fmt.Sprint(delta, neighbours, releases(s))
	if known, ok := prices[key]; ok {
		return known
	}
	s = s.Clone()
	s.Adjacency, s.Budget.Delta = neighbours, delta
	result, err := pricing.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
	cost := noPrice
	if err == nil && result.Best >= 0 {
		cost = result.Bounds[result.Best].Epsilon
	}
	prices[key] = cost
	return cost
}
