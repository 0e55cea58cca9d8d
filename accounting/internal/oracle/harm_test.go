package oracle_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/accounting/risk"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// experiment is one strategy of an attacker, as the probabilities of all outcomes under either data set.
type experiment struct{ p, q []float64 }

// power returns the true-positive rate of the best test at a false-positive rate, by Neyman and Pearson: outcomes by
// falling likelihood ratio.
func (x experiment) power(fpr float64) (tpr float64) {
	var order []int
	for i, p := range x.p {
		if p > 0 || x.q[i] > 0 { // an outcome that neither data set has would tie with every other
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		switch a, b := x.p[i]*x.q[j], x.p[j]*x.q[i]; {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	for _, i := range order {
		if x.q[i] > fpr {
			return tpr + x.p[i]*fpr/x.q[i]
		}
		tpr, fpr = tpr+x.p[i], fpr-x.q[i]
	}
	return tpr
}

// advantage and right return what the best test reaches by summing over all outcomes.
func (x experiment) advantage() (sum float64) {
	for i, p := range x.p {
		sum += math.Max(0, p-x.q[i])
	}
	return sum
}

func (x experiment) right(prior float64) (sum float64) {
	for i, p := range x.p {
		sum += math.Max(prior*p, (1-prior)*x.q[i])
	}
	return sum
}

// No figure of harm is below what an attack on a small world reaches, in any adjacency, group, block or sample, by any
// strategy that is best somewhere; and no lower end is above what a theorem proves impossible.
func TestNoHarmIsBelowEnumeration(t *testing.T) {
	made, compared, closest := map[string]int{}, 0, 0.0
	for _, n := range harmWorlds(1, 60) {
		w := drawWorld(numbered(n))
		if w.size() > most/4 {
			continue
		}
		s, err := w.scenario()
		if err != nil {
			continue // as in TestNoBoundIsBelowEnumeration
		}
		ctx := context.Background()
		harm, err := scenarios.NewEvaluator().Profile(ctx, s)
		if err == nil {
			err = harm.LowerEndError()
		}
		if err != nil {
			made["(no certified curve)"]++
			continue
		}
		r, err := scenarios.Evaluate(ctx, s, scenarios.Options{ClosedFormsOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		for what := range w.made {
			made[what]++
		}
		level := math.Exp(math.Log(1e-3) * numbered(n+7_000).Float64())
		reached := enumerateHarm(w, level)
		for _, c := range []struct {
			limit   scenarios.HarmLimit
			reached float64
		}{
			{scenarios.HarmLimit{Advantage: 1}, reached.advantage},
			{scenarios.HarmLimit{TPR: 1, FPR: level}, reached.found},
			{scenarios.HarmLimit{Reconstruction: 1, Prior: level}, reached.found},
		} {
			ends, err := c.limit.Measure(ctx, harm)
			if err != nil {
				t.Fatalf("world %d, %s: %v\n%s", n, c.limit.Kind(), err, w)
			}
			compareHarm(t, n, w, c.limit.Kind(), ends, c.reached)
			for _, b := range r.Bounds {
				if through := c.limit.HarmOf(b); b.Status == accounting.Valid && ends.Lower > through*(1+1e-9) {
					t.Errorf("world %d, %s: an attack is said to reach %.12g, and %s proves %.12g\n%s", n, c.limit.Kind(), ends.Lower, b.Method, through, w)
				}
			}
			if compared++; c.limit.Advantage > 0 {
				closest = math.Max(closest, c.reached/ends.Upper)
			}
		}
		cleared, err1 := harm.TrueNegativeRate(ctx, level)
		right, err2 := harm.BayesSuccess(ctx, level)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		compareHarm(t, n, w, "true-negative rate", cleared, reached.cleared)
		compareHarm(t, n, w, "Bayes success", right, reached.right)
	}
	t.Logf("%d figures; the closest attack reaches %.4f of the advantage; among them: %s", compared, closest, listCounts(made))
	if compared < gauge.Cases(8, 20) || closest < 0.99 {
		t.Errorf("%d figures were compared, and the closest attack reaches %g", compared, closest)
	}
}

func compareHarm(t *testing.T, n int, w *world, what string, ends risk.Ends, reached float64) {
	t.Helper()
	if ends.Upper < reached*(1-1e-12)-1e-13 {
		t.Errorf("world %d, %s: at most %.15g, and an attack reaches %.15g\n%s", n, what, ends.Upper, reached, w)
	}
	if ends.Lower > ends.Upper {
		t.Errorf("world %d, %s: %v\n%s", n, what, ends, w)
	}
}

// enumerated is the largest harm over all pairs of data sets and strategies of a world.
type enumerated struct{ advantage, found, cleared, right float64 }

func enumerateHarm(w *world, level float64) enumerated {
	return w.experiments().largest(level, w.adjacency == oracle.Replace)
}

// experiments are the strategies that are best somewhere, on all pairs of data sets: with the record first, and the
// other way round.
type experiments [2][]experiment

func (w *world) experiments() (all experiments) {
	lifts := []float64{1}
	if w.chooses() {
		lifts = []float64{0.4, 0.8, 1, 1.25, 2.5, 8}
	}
	for i, a := range w.attacks() {
		for _, lift := range lifts {
			p, q := oracle.Ends(a, lift)
			all[i%2] = append(all[i%2], experiment{p, q})
		}
	}
	return all
}

// chooses reports whether an attacker has a choice among releases or cuts.
func (w *world) chooses() bool {
	return slices.ContainsFunc(w.entries, func(e entry) bool { return e.branches != nil || len(e.queries) > 1 })
}

// largest returns the largest harm. If a record is replaced, neither data set is the one without it.
func (all experiments) largest(level float64, either bool) (out enumerated) {
	for way, list := range all {
		for _, x := range list {
			out.advantage = math.Max(out.advantage, x.advantage())
			if way == 0 || either {
				out.found, out.right = math.Max(out.found, x.power(level)), math.Max(out.right, x.right(level))
			}
			if way == 1 || either {
				out.cleared = math.Max(out.cleared, x.power(level))
			}
		}
	}
	return out
}
