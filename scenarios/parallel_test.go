package scenarios

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// A person's records may be spread over the branches of a block. Whatever the
// spreading, the block must not be cheaper than what the branches then cost together,
// which the certified lower end of that stack says from below.
func TestRecordsSpreadOverBranches(t *testing.T) {
	kinds := []string{
		"mechanism: laplace, epsilon: %.3g", "mechanism: gaussian, sigma: %.3g", "mechanism: geometric, epsilon: %.3g",
		"mechanism: pure, epsilon: %.3g", "mechanism: approximate, epsilon: %.3g, delta: 0.01",
		"mechanism: gaussian, sigma: %.3g, sampling: {rate: 0.3}",
	}
	if gauge.All() { // its curve is dear
		kinds = append(kinds, "mechanism: laplace, epsilon: %.3g, sampling: {rate: 0.3}")
	}
	ev := NewEvaluator()
	gauge.Check(t, gauge.Cases(6, 30), func(t *rapid.T) {
		group := rapid.IntRange(2, 4).Draw(t, "group")
		var branches []string
		for range rapid.IntRange(2, 3).Draw(t, "branches") {
			size := math.Exp(rapid.Float64Range(-2, 1).Draw(t, "size"))
			entry := fmt.Sprintf(rapid.SampledFrom(kinds).Draw(t, "kind"), size)
			branches = append(branches, fmt.Sprintf("[{%s, count: %d}]", entry, rapid.IntRange(1, 3).Draw(t, "count")))
		}
		delta := math.Pow(10, -float64(rapid.IntRange(1, 8).Draw(t, "digits")))
		block := parsed(t, "stack:\n  - parallel:\n      - "+strings.Join(branches, "\n      - ")+"\n", group, delta)
		result, err := ev.Evaluate(context.Background(), block, Options{})
		if err != nil {
			t.Fatal(err)
		}
		spread := spreadStack(t, ev, block, group)
		truth := accounting.Evaluate(context.Background(), accounting.Numerical, spread,
			accounting.Target{Delta: delta})
		for _, b := range result.Bounds {
			if b.Status == accounting.Valid && b.Epsilon < truth.Lower*(1-1e-9) {
				t.Fatalf("%s says %v for the block, the records spread cost at least %v", b.Method, b.Epsilon, truth.Lower)
			}
		}
	})
}

func parsed(t *rapid.T, stack string, group int, delta float64) *Scenario {
	s, err := Parse("spread.yaml", []byte(fmt.Sprintf("version: 1\nname: spread\nbudget: {epsilon: 1, delta: %g}\ngroup: %d\n%s", delta, group, stack)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// spreadStack draws where the person's records are and lists what the branches cost.
// Of a bare promise, the lower end is attained for one record: three steps of ε-DP are
// less than any 3ε-DP. So of such a branch one record is taken to matter.
func spreadStack(t *rapid.T, ev *Evaluator, block *Scenario, left int) (stack []accounting.Entry) {
	branches := block.Stack[0].Parallel
	for i, branch := range branches {
		records := left
		if i < len(branches)-1 {
			records = rapid.IntRange(0, left).Draw(t, "records")
		}
		left -= records
		if records == 0 {
			continue
		}
		alone := *block
		alone.Group = float64(records)
		if kind := branch[0].Mechanism; kind == "pure" || kind == "approximate" {
			alone.Group = 1
		}
		for j := range branch {
			p := priceEntry(&alone, &branch[j])
			if p.err != nil {
				t.Fatal(p.err)
			}
			stack = append(stack, accounting.Times(p.entries, branch[j].Count)...)
		}
	}
	return stack
}

// tuned is an entry that keeps the best of some runs.
const tuned = "{mechanism: select, of: {mechanism: gaussian, sigma: 3.1622776601683795}, runs: {distribution: negative-binomial, mean: 10, shape: 5}}"

// Of the best of several runs only an upper bound is known, part of which every record pays
// that is in a branch of its own. Eight of them in eight branches are bounded by eight times
// the curve for one, and the block must not be cheaper: all of them in one branch would be,
// 23.2 against 27.3.
func TestBestRunsSpreadOverBranches(t *testing.T) {
	rdp := func(group int, stack string) float64 {
		s, err := Parse("b.yaml", fmt.Appendf(nil, "version: 1\nname: b\nbudget: {epsilon: 1, delta: 1e-6}\ngroup: %d\nstack:\n%s", group, stack))
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewEvaluator().Bound(context.Background(), s, accounting.RDP, 0)
		if err != nil || b.Status != accounting.Valid {
			t.Fatal(b, err)
		}
		return b.Epsilon
	}
	spread := rdp(1, strings.Repeat("  - "+tuned+"\n", 8))
	if block := rdp(8, "  - parallel:\n"+strings.Repeat("      - ["+tuned+"]\n", 8)); block < spread {
		t.Errorf("the block costs %v, the records spread over it %v", block, spread)
	}
}

// Where one branch covers the others the block keeps the tight price of that branch;
// where curves cross it is priced as steps of the whole block, and says so.
func TestGroupsInBlocks(t *testing.T) {
	for _, c := range []struct {
		name, branches string
		ordered        bool
	}{
		{"one mechanism", "[{mechanism: laplace, epsilon: 0.5}]\n      - [{mechanism: laplace, epsilon: 0.2}]", true},
		{"fewer of it", "[{mechanism: laplace, epsilon: 0.5, count: 10}]\n      - [{mechanism: laplace, epsilon: 0.4, count: 9}]", true},
		{"more of a smaller one", "[{mechanism: laplace, epsilon: 0.5}]\n      - [{mechanism: laplace, epsilon: 0.4, count: 9}]", false},
		{"curves that cross", "[{mechanism: laplace, epsilon: 0.5}]\n      - [{mechanism: gaussian, sigma: 2}]", false},
		{"one best run", "[" + tuned + "]\n      - [{mechanism: gaussian, sigma: 3}]", false},
		{"one best run, and nothing", "[" + tuned + "]\n      - []", true},
		{"one best run, alone", "[" + tuned + "]", true},
		{"two best runs", "[" + tuned + "]\n      - [" + tuned + "]", false},
		{"two best runs, one in a block", "[" + tuned + "]\n      - [" + tuned + ", {parallel: [[" + tuned + "], [{mechanism: gaussian, sigma: 3}]]}]", false},
	} {
		s, err := Parse("b.yaml", []byte("version: 1\nname: b\nbudget: {epsilon: 1, delta: 1e-6}\ngroup: 3\nstack:\n  - parallel:\n      - "+c.branches+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		p := priceEntry(s, &s.Stack[0])
		if p.err != nil {
			t.Fatal(p.err)
		}
		said := slices.Contains(p.notes, mechanisms.NoteGroup)
		if said == c.ordered {
			t.Errorf("%s: general group bound used: %v", c.name, said)
		}
	}
}

// A branch has some of the records, nobody says how many. Half of 10,000 in each of two
// branches make a batch of 100 a rate of 1/50, not 1/100. Truncated batches at a rate of
// 1/100, cut to 200, cost 10.0 for 20,000 records and 1.1 for a million (z 1, 1,000 steps,
// δ 1e-5), so the number for all of them bounds nothing.
func TestBatchOfBranch(t *testing.T) {
	const text = "version: 1\nunit: person\nrecords: 10000\nbudget: {delta: 1e-5}\nstack:\n  - parallel:\n      - [{mechanism: laplace, epsilon: 0.01}, {mechanism: %s}]\n      - [{mechanism: laplace, epsilon: 0.02}]\n"
	for entry, field := range map[string]string{
		"dp-sgd, noise_multiplier: 1, steps: 2, batch: 100":                                                                    "batch",
		"dp-sgd, noise_multiplier: 1, steps: 2, batch: 100, records: 5000":                                                     "",
		"dp-sgd, noise_multiplier: 1, steps: 2, sampling_rate: 0.02":                                                           "",
		"dp-sgd, noise_multiplier: 1, steps: 2, sampling_rate: 1e-5":                                                           "", // nor is it said that batches are empty
		"dp-sgd, noise_multiplier: 1, steps: 2, sampling_rate: 0.01, batches: truncated, max_batch: 200":                       "max_batch",
		"dp-sgd, noise_multiplier: 1, steps: 2, sampling_rate: 0.01, batches: truncated, max_batch: 200, records: 5000":        "",
		"select, of: {mechanism: dp-sgd, noise_multiplier: 1, batch: 100, steps: 2}, runs: {distribution: geometric, mean: 2}": "of.batch",
		"dp-sgd, noise_multiplier: 1, steps: 2, batch: 100, disabled: true":                                                    "",
		"laplace, epsilon: 0.01}, {parallel: [[{mechanism: dp-sgd, noise_multiplier: 1, steps: 2, batch: 100}]]":               "parallel[1][1].batch",
	} {
		s, err := Parse("f.yaml", fmt.Appendf(nil, text, entry))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Evaluate(context.Background(), s, Options{ClosedFormsOnly: true})
		switch at := 2 + strings.Count(field, "parallel"); {
		case field != "":
			want := fmt.Sprintf("stack[1].parallel[1][%d].%s: needs the number of records: give records to this entry", at, field)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", entry, err, want)
			}
		case err != nil:
			t.Errorf("%s: %v", entry, err)
		case len(r.Notes) > 0:
			t.Errorf("%s: %v", entry, r.Notes)
		}
	}
}

// An entry without a price for several records of a person has none in a block either, at any
// depth, with and without a branch beside it that it is compared with.
func TestBlockOfNoGroupPrice(t *testing.T) {
	const training = "{mechanism: dp-sgd, noise_multiplier: 1, batch: 100, records: 10000, steps: 10, batches: truncated, max_batch: 110}"
	for _, branches := range []string{
		"[[" + training + "]]", "[[" + training + "], [" + training + "]]", "[[" + training + "], [{mechanism: pure, epsilon: 0.1, also: add-remove}]]",
		"[[{parallel: [[" + training + "], []]}], []]",
		"[[{mechanism: select, of: " + training + ", runs: {distribution: geometric, mean: 2}}], []]",
	} {
		for _, adjacency := range []string{"add-remove", "replace"} {
			s, err := Parse("f.yaml", fmt.Appendf(nil, "version: 1\nadjacency: %s\ngroup: 2\nbudget: {delta: 1e-5}\nstack: [{parallel: %s}]\n", adjacency, branches))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Stack(s); err == nil || !strings.Contains(err.Error(), "no proof covers several") {
				t.Errorf("%s, %s: %v", adjacency, branches, err)
			}
		}
	}
}

// What is turned off in a branch is not among what is released.
func TestDescribeLeavesOutDisabled(t *testing.T) {
	block := Entry{Count: 1, Parallel: [][]Entry{{
		{Mechanism: "pure", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(1)}},
		{Mechanism: "pure", Count: 1, Sampling: 1, Values: param.Values{"epsilon": param.NumberValue(2)}, Disabled: true},
	}}}
	if got := block.Describe(); !strings.Contains(got, "ε 1") || strings.Contains(got, "ε 2") {
		t.Error(got)
	}
}
