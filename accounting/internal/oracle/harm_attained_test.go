package oracle_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/accounting/risk"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// A lower end says that an attack on some allowed mechanism reaches it. In these worlds the releases are the worst that
// keep what their entries state, so the largest harm over all pairs of data sets, cuts, samples and outcomes is the
// largest there is: no lower end may be above it, and no upper end below. Outcomes of continuous noise are told in
// cells. An attacker who sees only the cell does at most as well as one who sees the noisy answer, and one who is told
// of each cell the most extreme likelihood ratio in it at least as well: the first bounds the harm from below, the
// second from above.
func TestHarmLiesBetweenItsEnds(t *testing.T) {
	ctx := context.Background()
	made, narrow, compared := map[string]int{}, 0, 0
	for n := range max(gauge.Cases(6, 10), numbers/1000) {
		w := drawWorstWorld(numbered(n))
		if w.size() > most/4 {
			continue
		}
		for _, e := range w.every() {
			for _, q := range e.queries {
				if err := e.promise.kept(q, w.kinds, w.group+len(w.others)); err != nil {
					t.Fatalf("world %d: the oracle's own mechanism does not keep to %s: %v", n, e, err)
				}
			}
		}
		s, err := w.scenario()
		if err != nil {
			t.Fatalf("world %d: %v\n%s", n, err, w)
		}
		harm, err := scenarios.NewEvaluator().Profile(ctx, s)
		if err == nil {
			err = harm.LowerEndError()
		}
		if err != nil {
			t.Fatalf("world %d: %v\n%s", n, err, w)
		}
		for what := range w.made {
			made[what]++
		}
		either := w.adjacency == oracle.Replace
		blind := w.experiments()
		w.generous = true
		told := w.experiments()
		compareLowerEnd(t, n, w, s)
		w.generous = false
		for _, level := range []float64{1e-3, 0.1, 0.6} {
			reached, limit := blind.largest(level, either), told.largest(level, either)
			for _, c := range []struct {
				what          string
				ask           func() (risk.Ends, error)
				reached, most float64
			}{
				{"advantage", func() (risk.Ends, error) { return harm.Advantage(ctx) }, reached.advantage, limit.advantage},
				{"true-positive rate", func() (risk.Ends, error) { return harm.TruePositiveRate(ctx, level) }, reached.found, limit.found},
				{"true-negative rate", func() (risk.Ends, error) { return harm.TrueNegativeRate(ctx, level) }, reached.cleared, limit.cleared},
				{"Bayes success", func() (risk.Ends, error) { return harm.BayesSuccess(ctx, level) }, reached.right, limit.right},
				{"reconstruction", func() (risk.Ends, error) { return harm.Reconstruction(ctx, level) }, reached.found, limit.found},
			} {
				ends, err := c.ask()
				if err != nil {
					t.Fatalf("world %d, %s: %v\n%s", n, c.what, err, w)
				}
				compareHarm(t, n, w, c.what, ends, c.reached)
				if ends.Lower > c.most*(1+1e-11)+1e-13 {
					t.Errorf("world %d, %s at %g: an attack is said to reach %.15g, and the best one reaches %.15g\n%s", n, c.what, level, ends.Lower, c.most, w)
				}
				if compared++; ends.Lower > c.reached*(1-1e-3) {
					narrow++
				}
			}
		}
	}
	t.Logf("%d figures, %d lower ends within 0.1 %% of what is reached; among them: %s", compared, narrow, listCounts(made))
	if compared < 60 || narrow < compared/3 {
		t.Errorf("%d figures, and %d lower ends near what is reached", compared, narrow)
	}
}

// compareLowerEnd fails if the certified lower end of ε is above what the best attack on the world reaches; the
// attacker is told the most extreme ratio in each cell.
func compareLowerEnd(t *testing.T, n int, w *world, s *scenarios.Scenario) {
	t.Helper()
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil {
		t.Fatalf("world %d: %v\n%s", n, err, w)
	}
	b, ok := r.Bound(accounting.Numerical)
	if !ok || b.Status != accounting.Valid || !(b.Lower > 0 && b.Lower < 600) {
		return
	}
	reached := 0.0
	for _, a := range w.attacks() {
		reached = math.Max(reached, oracle.Search(a, math.Exp(b.Lower*(1-1e-9))))
	}
	if reached < b.Delta*(1-1e-6)-1e-13 {
		t.Errorf("world %d: ε is said to be at least %.12g at δ = %g, and the best attack reaches δ = %.12g there\n%s", n, b.Lower, b.Delta, reached, w)
	}
}

// drawWorstWorld draws a world whose releases move every sum as far as is allowed, and show which rows they were run on
// wherever the entry says nothing about absent records.
func drawWorstWorld(d draw) *world {
	w := &world{adjacency: one(d, oracle.AddRemove, oracle.AddRemove, oracle.Replace, oracle.ZeroOut),
		group: one(d, 1, 1, 1, 2, 3), kinds: 2,
		rounds: one(d, 1, 1, 2), made: map[string]int{}, delta: 1e-6}
	if d.IntN(4) == 0 && w.group == 1 {
		w.others = []int{0}
	}
	switch {
	case w.group == 1 && d.IntN(4) == 0:
		b := entry{count: 1, never: w.adjacency != oracle.AddRemove}
		for range 2 {
			b.branches = append(b.branches, []entry{w.drawWorst(d)})
		}
		w.entries = []entry{b}
		w.note("block, " + string(w.adjacency))
	default:
		for range d.between(1, 2) {
			if e := w.drawWorst(d); oracle.Size(append(w.attack(w.pairs()[0]), e.stages(w.pairs()[0], nil)...)) < 400 {
				w.entries = append(w.entries, e)
			} else if len(w.entries) == 0 {
				w.rounds, w.entries = 1, []entry{e}
			}
		}
	}
	w.note(string(w.adjacency))
	if w.group > 1 {
		w.note("group, " + string(w.adjacency))
	}
	return w
}

// drawWorst draws one entry with the worst release that keeps its promise.
func (w *world) drawWorst(d draw) entry {
	p := promise{adjacency: w.adjacency, sums: one(d, 1, 1, 2), silent: w.adjacency == oracle.ZeroOut}
	rate, sampling := 1.0, ""
	if d.IntN(2) == 0 && w.others == nil {
		rate = 0.02 + 0.9*d.Float64()
		sampling = fmt.Sprintf(", sampling: {rate: %v}", rate)
	}
	e, sigma := d.log(0.05, 2), d.log(0.5, 1.5)
	list := []string{"geometric", "pure", "discrete-gaussian", "laplace", "gaussian"}
	if w.others == nil { // other records that may be sampled would hide the person's
		list = append(list, "dp-sgd")
	}
	if w.group == 1 || w.adjacency != oracle.AddRemove {
		list = append(list, "randomized-response") // under add-remove a person with several records sends several reports
	}
	if w.group == 1 {
		list = append(list, "approximate")
	}
	family := one(d, list...)
	fields := "mechanism: " + family
	cells := 0
	var noise, slopes func(low, high int) oracle.Kernel
	geometric := func(low, high int) oracle.Kernel { return oracle.GeometricKernel(e, 1, low, high) }
	switch family {
	case "geometric":
		width := p.sums
		fields += fmt.Sprintf(", epsilon: %v, sensitivity: %d", e, width)
		noise = func(low, high int) oracle.Kernel { return oracle.GeometricKernel(e, width, low, high) }
	case "pure":
		p.sums, p.silent, p.holds = 1, false, atMost(e, 0)
		fields += fmt.Sprintf(", epsilon: %v", e)
		noise = geometric
	case "approximate":
		delta := d.log(1e-6, 0.05)
		p.sums, p.silent, p.holds = 1, false, atMost(e, delta)
		fields += fmt.Sprintf(", epsilon: %v, delta: %v", e, delta)
		noise = func(low, high int) oracle.Kernel {
			return oracle.FailingKernel(geometric(low, high), delta, low, high)
		}
	case "randomized-response":
		k := d.between(2, 4)
		p.sums, p.silent, p.holds = 0, false, atMost(e, 0)
		if w.adjacency == oracle.AddRemove {
			rate, sampling = 1, "" // who is asked is not secret: no amplification is counted on
			p.sums = 1
			noise = func(int, int) oracle.Kernel { return oracle.ResponseKernel(e, k) }
			fields += fmt.Sprintf(", epsilon: %v, categories: %d", e, k)
			break
		}
		fields += fmt.Sprintf(", epsilon: %v, categories: %d%s", e, k, sampling)
		m := maker{draw: d, promise: p, kinds: w.kinds, rows: w.group + len(w.others), rate: rate}
		w.note(family)
		return entry{fields: fields, promise: p, queries: []*oracle.Query{m.reports(e, k)}, count: 1}
	case "discrete-gaussian":
		fields += fmt.Sprintf(", sigma: %v, sensitivity: %d", sigma, p.sums)
		noise = func(low, high int) oracle.Kernel {
			return oracle.DiscreteGaussianKernel(sigma, int(math.Ceil(13*sigma)), low, high)
		}
	case "laplace":
		p.sums = 1
		fields += fmt.Sprintf(", epsilon: %v", e)
		noise = func(low, high int) oracle.Kernel { return oracle.LaplaceKernel(e, 8, low, high) }
		slopes = func(low, high int) oracle.Kernel { return oracle.LaplaceSlopes(e, 8, low, high) }
	default:
		mu := math.Min(e, 1.5)
		p.sums, w.rough, cells = 1, true, 60
		if family == "dp-sgd" {
			p.clipped = true
			if rate == 1 {
				rate = 0.5
			}
			fields, sampling = fields+fmt.Sprintf(", noise_multiplier: %v, sampling_rate: %v, steps: 1", 1/mu, rate), ""
		} else {
			fields += fmt.Sprintf(", sigma: %v", 1/mu)
		}
		noise = func(low, high int) oracle.Kernel { return oracle.NormalKernel(mu, cells, low, high) }
		slopes = func(low, high int) oracle.Kernel { return oracle.NormalSlopes(mu, cells, low, high) }
	}
	w.note(family)
	if rate < 1 {
		w.note("sampled, " + string(w.adjacency))
	}
	q := w.worstQuery(p, rate, noise)
	if slopes != nil {
		q.Slopes = w.worstQuery(p, rate, slopes)
	}
	count := 1
	if slopes == nil && family != "discrete-gaussian" {
		count = d.between(1, 3)
	}
	return entry{fields: fields + sampling, promise: p, queries: []*oracle.Query{q}, count: count}
}

// worstQuery puts noise on a sum to which one kind of record adds as much as is allowed and the other nothing, or, if
// vectors are clipped and records replaced, as much the other way.
func (w *world) worstQuery(p promise, rate float64, noise func(low, high int) oracle.Kernel) *oracle.Query {
	values := []int{p.sums, 0}
	if p.clipped && w.adjacency == oracle.Replace {
		values[1] = -p.sums
	}
	rows := w.group + len(w.others)
	q := &oracle.Query{Rate: rate, Noise: noise(min(0, values[1]*rows), p.sums*rows), Sums: func(d oracle.Data) []int {
		sum := 0
		for _, r := range d {
			if r.Kind != oracle.Zero {
				sum += values[r.Kind]
			}
		}
		return []int{sum}
	}}
	if p.free() {
		q.Shows, q.Shown = 1<<rows, func(d oracle.Data) (shown int) {
			for _, r := range d {
				shown |= 1 << r.Row
			}
			return shown
		}
	}
	return q
}
