package mechanisms

import (
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

// A pass over the data has as many full batches as fit, and T steps begin as many passes
// as they need.
func TestShuffledPasses(t *testing.T) {
	for _, c := range []struct{ q, steps, passes float64 }{
		{1, 7, 7}, // full batches: every step is a pass
		{0.5, 7, 4},
		{0.01, 100, 1},
		{0.01, 101, 2},
		{256.0 / 60000, 14062, 61}, // 234 full batches, the rest left out: 60.1 passes
		{1.0 / 3, 3, 1},            // 1/q is whole but for rounding
		{0.4, 4, 2},
	} {
		entries, _, err := DPSGD{NoiseMultiplier: 1.1, SamplingRate: c.q, Steps: c.steps,
			Batches: Shuffled}.entriesIn(Setting{Adjacency: Replace}, 1)
		passes := 0.0
		for _, e := range entries {
			passes += e.Count
			if r, err := e.Release.Renyi(2); math.Abs(r-4/1.21) > 1e-12 { // two clipping norms
				t.Errorf("q %v: %v, %v", c.q, r, err)
			}
		}
		if err != nil || passes != c.passes {
			t.Errorf("q %v, T %v: %v passes, %v, want %v", c.q, c.steps, entries, err, c.passes)
		}
	}
}

// A record is in none of the batches that were trained on where a pass is broken off, or where
// the batches do not divide the records. Allocated, one step of a pass is then a Poisson sample;
// shuffled, it costs no more than Gaussian noise at δ over the probability that it is in one.
func TestPartOfAPassFromBelow(t *testing.T) {
	const delta = 1e-6
	for _, c := range gauge.Some(2, []struct {
		batches  SamplingScheme
		q, steps float64
		truth    float64 // no more than that, by mpmath
	}{
		{Allocated, 0.01, 1, 0.36394783961550852},
		{Allocated, 0.5, 1, 4.0542905640826549},
		{Shuffled, 0.01, 1, 3.8044359093373860},
		{Shuffled, 0.01, 50, 4.7387260160104834},
		{Shuffled, 0.4, 2, 4.8394373495585983}, // a fifth is left out
		{Shuffled, 0.6, 1, 4.7780351389301761},
		{Shuffled, 0.99, 1, 4.8844413871257909},
	}) {
		b := price(t, training(1, c.q, c.steps, c.batches), Setting{Adjacency: ZeroOut}, delta, accounting.Numerical)
		if b.Status != accounting.Valid || b.Lower > c.truth || b.Epsilon < c.truth {
			t.Errorf("%s, q %v, %v steps: [%v, %v], %q; the truth is at most %v", c.batches, c.q, c.steps, b.Lower, b.Epsilon, b.Note, c.truth)
		}
	}
	for _, c := range gauge.Some(2, []struct { // what is left of a pass is not left out
		batches        SamplingScheme
		z, q, steps, d float64
		least, most    float64
	}{
		{Allocated, 1, 0.01, 1, delta, 0.36394783, 0.36394784}, // one batch of a hundred is a Poisson sample: tight
		{Allocated, 1, 0.5, 1, delta, 4.0542905, 4.0542906},
		{Allocated, 1, 0.1, 11, delta, 2.881, 2.8815}, // a pass alone costs 2.6524
		{Shuffled, 1, 0.1, 13, delta, 6.723, 7.2861},  // without the rest 4.87
		{Shuffled, 0.3, 0.1, 40, 1e-9, 61.49, 61.496},
		{Shuffled, 0.3, 0.1, 41, 1e-9, 68.8, 71.76},
	}) {
		b := price(t, training(c.z, c.q, c.steps, c.batches), Setting{Adjacency: ZeroOut}, c.d, accounting.Numerical)
		if b.Status != accounting.Valid || b.Lower < c.least || b.Epsilon > c.most {
			t.Errorf("%s, z %v, q %v, %v steps: [%v, %v], want between %v and %v", c.batches, c.z, c.q, c.steps, b.Lower, b.Epsilon, c.least, c.most)
		}
	}
}

// Without amplification training never costs less than with it.
func TestShuffledCostsMore(t *testing.T) {
	for _, q := range []float64{1, 0.5, 0.1, 0.01} {
		d := DPSGD{NoiseMultiplier: 2, SamplingRate: q, Steps: 100}
		for _, alpha := range []float64{2, 8} {
			cost := map[SamplingScheme]float64{}
			for _, d.Batches = range []SamplingScheme{Poisson, Shuffled} {
				entries, _, err := d.entriesIn(Setting{Adjacency: ZeroOut}, 1)
				if err != nil {
					t.Fatal(err)
				}
				r, err := entries[0].Release.Renyi(alpha)
				if err != nil {
					t.Fatal(err)
				}
				cost[d.Batches] = r * entries[0].Count
			}
			if !(cost[Shuffled] >= cost[Poisson]*(1-1e-12)) {
				t.Errorf("q %v, α %v: %v", q, alpha, cost)
			}
		}
	}
}

// A changed record turns its clipped gradient round: the sums lie two norms apart.
func TestDPSGDAnswers(t *testing.T) {
	for _, c := range []struct {
		a       Adjacency
		batches SamplingScheme
		apart   float64
	}{{AddRemove, Poisson, 1}, {ZeroOut, Poisson, 1}, {Replace, Poisson, 2}, {AddRemove, Fixed, 2}} {
		here, there, ok := Answers(DPSGD{NoiseMultiplier: 3, SamplingRate: 0.1, Steps: 1, Batches: c.batches}, c.a)
		if apart := there.Quantile(0.5) - here.Quantile(0.5); !ok || apart != c.apart {
			t.Errorf("%s, %s: %v apart, want %v", c.a, c.batches, apart, c.apart)
		}
	}
}

// Another batch moves the rate and the steps together, in the words of the entry, and
// there and back nothing is lost.
func TestRebatched(t *testing.T) {
	number, whole := param.NumberValue, param.WholeValue
	for _, c := range []struct {
		given         param.Values
		records       float64
		batch         float64
		steps, epochs float64 // afterwards
	}{
		{param.Values{"batch": whole(256), "epochs": number(10)}, 60_000, 512, 1172, 10.0011},
		{param.Values{"batch": whole(256), "steps": whole(2344)}, 60_000, 300, 2000, 10},
		{param.Values{"sampling_rate": number(0.01), "steps": whole(1000)}, 10_000, 200, 500, 10},
		{param.Values{"sampling_rate": number(0.01), "epochs": number(3), "records": whole(5000)}, 0, 25, 600, 3},
	} {
		c.given["noise_multiplier"] = number(1)
		m, err := New("dp-sgd", c.given)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := m.(DPSGD).Schedule(c.records)
		v, err := m.(DPSGD).WithBatchSize(c.given, c.records, c.batch)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := New("dp-sgd", v)
		after, _ := again.(DPSGD).Schedule(c.records)
		if after.Batch != c.batch || after.Steps != c.steps || math.Abs(after.Epochs-c.epochs) > 1e-2 ||
			math.Abs(after.Error-1/c.batch) > 1e-15 {
			t.Errorf("%v: %+v", c.given, after)
		}
		v, _ = again.(DPSGD).WithBatchSize(v, c.records, before.Batch)
		back, _ := New("dp-sgd", v)
		if at, _ := back.(DPSGD).Schedule(c.records); at.Steps != before.Steps {
			t.Errorf("%v: back to %+v", c.given, at)
		}
	}
	d := DPSGD{NoiseMultiplier: 1, SamplingRate: 0.01, Steps: 10}
	if _, err := d.WithBatchSize(param.Values{}, 0, 5); err == nil {
		t.Error("a batch of unknown records")
	}
	if _, err := d.WithBatchSize(param.Values{"noise_multiplier": number(1), "sampling_rate": number(0.01), "steps": whole(10)}, 100, 500); err == nil {
		t.Error("a batch of more than all records")
	}
}
