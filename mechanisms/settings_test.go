package mechanisms

import (
	"context"
	"fmt"
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
)

// ordinary returns one mechanism of every kind that has a price where a record comes or goes,
// sampled or not.
func ordinary(t testing.TB) []Mechanism {
	var list []Mechanism
	for _, s := range Catalogue() {
		m, err := New(s.Name, s.Initials())
		if err != nil {
			t.Fatal(err)
		}
		switch m.(type) {
		case Matrix, Select, Shuffle, MixtureOfGaussians:
			// see TestMatrixRefusals, TestSelectRefusals, TestShuffleRefusals, TestMixtureRefusals
		default:
			list = append(list, m)
		}
	}
	return append(list, Geometric{Epsilon: 0.1, Sensitivity: 3}, RandomizedResponse{0.5, 4},
		NoisyMax{Epsilon: 0.2, Sensitivity: 1, Shape: "gumbel"},
		SparseVector{Epsilon: 1, Delta: 1e-6, Positives: 30, Sensitivity: 1})
}

// cost returns what a run in a setting costs in the plainest currencies: Σ pure ε,
// Σ D₂, and δ(½) of the first release. NaN where there is none.
func cost(t *testing.T, m Mechanism, s Setting) [3]float64 {
	t.Helper()
	entries, _, err := Entries(m, s)
	if err != nil {
		t.Fatalf("%s in %+v: %v", name(m), s, err)
	}
	var total [3]float64
	for i, e := range entries {
		label := fmt.Sprintf("%s in %+v", name(m), s)
		epsilon, delta, err := e.Release.Approximate()
		total[0] += e.Count * answer(t, label, epsilon, err)
		answer(t, label, delta, err)
		divergence, err := e.Release.Renyi(2)
		total[1] += e.Count * answer(t, label, divergence, err)
		delta, err = e.Release.Profile(0.5)
		if delta = answer(t, label, delta, err); i == 0 {
			total[2] = delta
		}
		if rho, err := e.Release.Concentrated(); err == nil && (math.IsNaN(rho) || rho < 0) {
			t.Errorf("%s: ρ = %v", label, rho)
		}
	}
	return total
}

func answer(t *testing.T, label string, x float64, err error) float64 {
	t.Helper()
	if err != nil {
		return math.NaN()
	}
	if math.IsNaN(x) || x < 0 {
		t.Errorf("%s: %v", label, x)
	}
	return x
}

// A group costs no less than one of its records, a sample no more than all, and
// replacing no less than removing, for every mechanism. A sample of one whose number is
// for replacing is no gain where records come and go, so there is nothing to compare; nor
// is there of groups, whose records may be counted where they are replaced.
func TestSettingsOrder(t *testing.T) {
	for _, m := range gauge.Some(2, ordinary(t)) {
		plain := cost(t, m, Setting{})
		notLess := func(what string, high, low [3]float64) {
			for i := range high {
				if high[i] < low[i]*(1-1e-9) {
					t.Errorf("%s: %s, %v and %v", name(m), what, high, low)
				}
			}
		}
		notLess("a group of 4 costs less than one", cost(t, m, Setting{Group: 4}), plain)
		sampled := cost(t, m, Setting{Sampling: 0.1})
		if len(m.Releases(1)) == 1 && m.Releases(1)[0].Count == 1 {
			notLess("a sample costs more than all", plain, sampled)
		}
		if !specOf(m).SizePublic {
			notLess("replacing costs less than removing", cost(t, m, Setting{Sampling: 0.1, Adjacency: Replace}), sampled)
		}
		notLess("a sampled group costs less than one", cost(t, m, Setting{Sampling: 0.1, Group: 4}), sampled)
		notLess("a replaced group costs less than one", cost(t, m, Setting{Sampling: 0.1, Group: 4, Adjacency: Replace}),
			cost(t, m, Setting{Sampling: 0.1, Adjacency: Replace}))
	}
}

// Every mechanism gets a finite bound from some theorem in every setting that one
// is known for, and a worded reason from the rest.
func TestEveryMechanismIsAccounted(t *testing.T) {
	target := accounting.Target{Delta: 1e-6}
	for _, m := range ordinary(t) {
		for _, s := range []Setting{{}, {Group: 3}, {Adjacency: Replace}} {
			entries, _, err := Entries(m, s)
			if err != nil {
				t.Fatal(err)
			}
			bounds := accounting.ClosedForms(context.Background(), entries, target)
			if accounting.Best(bounds) < 0 {
				t.Errorf("%s in %+v has no bound at all", name(m), s)
			}
			for _, b := range bounds {
				if math.IsNaN(b.Epsilon) || b.Epsilon < 0 {
					t.Errorf("%s in %+v: %s gives %v", name(m), s, b.Method, b.Epsilon)
				}
				if !b.Finite() && b.Note == "" {
					t.Errorf("%s in %+v: %s is %s without a reason", name(m), s, b.Method, b.Status)
				}
			}
		}
	}
}
