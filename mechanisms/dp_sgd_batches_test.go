package mechanisms

import (
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"

	"pgregory.net/rapid"
)

// price returns the column of a training in a setting.
func price(t testing.TB, v param.Values, s Setting, delta float64, method accounting.Method) accounting.Bound {
	t.Helper()
	m, err := New("dp-sgd", v)
	if err != nil {
		t.Fatal(err)
	}
	entries, _, err := Entries(m, s)
	if err != nil {
		t.Fatal(err)
	}
	return column(entries, accounting.Target{Delta: delta}, method)
}

func training(z, q, steps float64, batches SamplingScheme) param.Values {
	return param.Values{"noise_multiplier": param.NumberValue(z), "sampling_rate": param.NumberValue(q), "steps": param.WholeValue(steps),
		"batches": param.ChoiceValue(string(batches))}
}

// What a training costs by how its batches are drawn. Fixed size: Zhu, Dong, Wang 2022,
// Theorem 11, composed by an independent program on finer and finer grids. Shuffled: the
// attack of Chua et al. 2024 from below, Gaussian noise from above. Allocated: mean-keeping
// spreads and contractions, the same program. Truncated: Ganesh 2025, with the ordinary
// pairs for a full batch.
func TestBatchesByDrawing(t *testing.T) {
	truncated := training(1, 0.01, 1000, Truncated)
	truncated["max_batch"] = param.WholeValue(550)
	for name, c := range map[string]struct {
		values       param.Values
		adjacency    Adjacency
		delta        float64
		lower, upper float64
		tolerance    float64
	}{
		"fixed, z 1":                  {training(1, 0.01, 1000, Fixed), AddRemove, 1e-5, 13.3602, 13.3610, 1e-3},
		"fixed, z 2":                  {training(2, 0.01, 1000, Fixed), AddRemove, 1e-5, 1.82821, 1.82828, 1e-3},
		"fixed, z 1, changed":         {training(1, 0.01, 1000, Fixed), Replace, 1e-5, 13.36021, 14.820722543, 1e-3},
		"fixed, z 2, changed":         {training(2, 0.01, 1000, Fixed), Replace, 1e-5, 1.828210, 2.198935, 1e-3},
		"fixed, z 2, zeroed":          {training(2, 0.01, 1000, Fixed), ZeroOut, 1e-5, 0.62203, 1.795257, 1e-3},
		"shuffled, one pass":          {training(1, 0.01, 100, Shuffled), ZeroOut, 1e-6, 4.6809, 4.886554117, 1e-3},
		"shuffled, ten passes":        {training(1, 0.01, 1000, Shuffled), ZeroOut, 1e-6, 10.8136, 19.42365647, 2e-3},
		"shuffled, z 0.7":             {training(0.7, 0.01, 100, Shuffled), ZeroOut, 1e-6, 7.3661, 7.3726, 1e-3},
		"allocated, one pass":         {training(1, 0.01, 100, Allocated), AddRemove, 1e-6, 0.857985, 0.857987, 1e-3},
		"allocated, ten passes":       {training(1, 0.01, 1000, Allocated), ZeroOut, 1e-6, 1.964226, 1.964304, 1e-3},
		"allocated, z 0.7, 10 passes": {training(0.7, 0.01, 1000, Allocated), AddRemove, 1e-6, 5.0365, 5.0406, 1e-3},
		"truncated":                   {truncated, AddRemove, 1e-5, 1.8281, 4.794965938, 1e-3},
		"poisson":                     {training(1, 0.01, 1000, Poisson), AddRemove, 1e-5, 1.82815, 1.82825, 1e-3},
	} {
		t.Run(name, func(t *testing.T) {
			b := price(t, c.values, Setting{Adjacency: c.adjacency, Records: 50_000}, c.delta, accounting.Numerical)
			if b.Status != accounting.Valid || b.Lower < c.lower*(1-c.tolerance) ||
				b.Epsilon > c.upper*(1+c.tolerance) ||
				b.Epsilon < c.upper*(1-c.tolerance) || b.Lower > c.lower*(1+c.tolerance) {
				t.Errorf("%v – %v (%s), want %v – %v", b.Lower, b.Epsilon, b.Note, c.lower, c.upper)
			}
		})
	}
}

// What the worst of all data sets costs, found by integration over all gradients of two records
// of which a batch keeps one, each drawn with probability q; and where everybody is in every
// batch. No lower end is above that.
func TestBatchesLowerEnds(t *testing.T) {
	cut := func(q float64) param.Values {
		v := with(training(1, q, 1, Truncated), "records", 2)
		return with(v, "max_batch", 1)
	}
	for name, c := range map[string]struct {
		values      param.Values
		adjacency   Adjacency
		delta, most float64
	}{
		"truncated, q 0.5, δ 1e-6": {cut(0.5), AddRemove, 1e-6, 4.3915},
		"truncated, q 0.5, δ 0.01": {cut(0.5), AddRemove, 0.01, 1.6615},
		"truncated, q 0.9, δ 0.1":  {cut(0.9), AddRemove, 0.1, 1.5955},
		"fixed, zeroed, q 1":       {training(1, 1, 1, Fixed), ZeroOut, 1e-6, 4.886555},
	} {
		if b := price(t, c.values, Setting{Adjacency: c.adjacency, Records: 100}, c.delta,
			accounting.Numerical); !(b.Lower > 0 && b.Lower <= c.most && b.Epsilon >= c.most*(1-1e-4)) {
			t.Errorf("%s: %v – %v, the worst data cost %v", name, b.Lower, b.Epsilon, c.most)
		}
	}
}

// Nearly all batches are full, and what the others cost still counts at a tiny δ: 39 records are
// drawn at one half, so one in 1.8e12 batches is not. The figure is that of the pair of the proof.
func TestTruncatedBatchesNearlyFull(t *testing.T) {
	v := with(training(20, 0.5, 1, Truncated), "records", 40)
	b := price(t, with(v, "max_batch", 1), Setting{Adjacency: AddRemove, Records: 40}, 1e-20, accounting.Numerical)
	if !(b.Epsilon > 0.1258 && b.Epsilon < 0.1260) {
		t.Errorf("%v – %v, the pair of the proof costs 0.1259", b.Lower, b.Epsilon)
	}
}

// Rate and batch, steps and epochs say the same.
func TestBatchAndEpochs(t *testing.T) {
	for _, c := range []struct {
		batches     SamplingScheme
		batch, n    float64
		epochs      float64
		rate, steps float64
	}{
		{Poisson, 256, 60_000, 60, 256.0 / 60_000, 14_063},
		{Fixed, 100, 10_000, 2.5, 0.01, 250},
		{Shuffled, 256, 60_000, 10, 256.0 / 60_000, 2340}, // 234 full batches a pass
		{Allocated, 100, 10_000, 3, 0.01, 300},
	} {
		m, err := New("dp-sgd", param.Values{"noise_multiplier": param.NumberValue(1), "batch": param.WholeValue(c.batch),
			"epochs": param.NumberValue(c.epochs), "batches": param.ChoiceValue(string(c.batches))})
		if err != nil {
			t.Fatal(err)
		}
		of, err := m.(DPSGD).Resolve(c.n)
		if err != nil || of.SamplingRate != c.rate || of.Steps != c.steps {
			t.Errorf("%s: rate %v, %v steps, %v; want %v and %v", c.batches, of.SamplingRate, of.Steps, err, c.rate, c.steps)
		}
	}
}

// What is not proven is refused, with what to do instead.
func TestBatchesRefused(t *testing.T) {
	truncated := training(1, 0.01, 100, Truncated)
	truncated["max_batch"] = param.WholeValue(20)
	batch := param.Values{"noise_multiplier": param.NumberValue(1), "batch": param.WholeValue(64), "steps": param.WholeValue(10)}
	for name, c := range map[string]struct {
		values  param.Values
		setting Setting
		says    string
	}{
		"shuffled, a record comes or goes": {training(1, 0.01, 100, Shuffled), Setting{Adjacency: AddRemove}, "zero-out or replace"},
		"truncated, a record zeroed":       {truncated, Setting{Adjacency: ZeroOut, Records: 1000}, "still takes a place"},
		"truncated, two records":           {truncated, Setting{Adjacency: AddRemove, Records: 1000, Group: 2}, "one record per person"},
		"truncated, n unknown":             {truncated, Setting{Adjacency: AddRemove}, "needs the number of records"},
		"batch, n unknown":                 {batch, Setting{Adjacency: AddRemove}, "needs the number of records"},
		"batch larger than n":              {batch, Setting{Adjacency: AddRemove, Records: 63}, "at most the number of records"},
	} {
		m, err := New("dp-sgd", c.values)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Entries(m, c.setting); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	if _, err := New("dp-sgd", training(1, 0.01, 100, Truncated)); err == nil {
		t.Error("truncated batches without a largest size")
	}
}

// The divergences of the ways to draw keep their order: never more than all the data in
// every step of a pass, equal where a batch is everybody, more for more records of a
// person.
func TestBatchesInvariants(t *testing.T) {
	curve := func(rt interface{ Fatal(args ...any) }, v param.Values, s Setting, alpha float64) float64 {
		m, err := New("dp-sgd", v)
		if err != nil {
			rt.Fatal(err)
		}
		entries, _, err := Entries(m, s)
		if err != nil {
			rt.Fatal(err)
		}
		sum := 0.0
		for _, e := range entries {
			d, err := e.Release.Renyi(alpha)
			if err != nil {
				rt.Fatal(err)
			}
			sum += d * e.Count
		}
		return sum
	}
	for _, c := range []struct{ z, t float64 }{{0.6, 2}, {1, 7}, {3, 50}} { // a pair takes time to build
		v := training(c.z, 1/c.t, c.t, Allocated)
		for _, alpha := range []float64{1.5, 4, 20} {
			plain := alpha / (2 * c.z * c.z)
			one, two := curve(t, v, Setting{}, alpha), curve(t, v, Setting{Group: 2}, alpha)
			if one > plain*(1+1e-9) || two < one {
				t.Errorf("z %v, t %v, α %v: a pass over allocated batches costs %v, two records %v, one batch %v", c.z, c.t, alpha, one, two, plain)
			}
		}
	}
	gauge.Check(t, gauge.Cases(15, 100), func(rt *rapid.T) {
		z := rapid.Float64Range(0.5, 4).Draw(rt, "z")
		batches := rapid.IntRange(2, 12).Draw(rt, "t")
		alpha := rapid.Float64Range(1.5, 20).Draw(rt, "α")
		q := 1 / float64(batches)
		plain := alpha / (2 * z * z)
		if got := curve(rt, training(z, q, float64(batches), Shuffled), Setting{Adjacency: Replace},
			alpha); math.Abs(got-4*plain) > 1e-9*plain {
			rt.Errorf("a pass over shuffled batches costs %v, want %v", got, 4*plain)
		}
		for _, a := range []Adjacency{AddRemove, Replace} {
			if got := curve(rt, training(z, 1, 1, Fixed), Setting{Adjacency: a},
				alpha); math.Abs(got-4*plain) > 1e-9*plain {
				rt.Errorf("a batch of everybody costs %v, want %v", got, 4*plain)
			}
		}
		whole := training(z, q, 1, Truncated)
		whole["max_batch"] = param.WholeValue(120)
		some := whole.Clone()
		some["max_batch"] = param.WholeValue(float64(rapid.IntRange(1, 119).Draw(rt, "B")))
		poisson := curve(rt, training(z, q, 1, Poisson), Setting{}, alpha)
		if got := curve(rt, whole, Setting{Records: 120}, alpha); math.Abs(got-poisson) > 1e-9*poisson {
			rt.Errorf("truncated at everybody costs %v, want %v", got, poisson)
		}
		if got := curve(rt, some, Setting{Records: 120}, alpha); got > 4*plain*(1+1e-9) {
			rt.Errorf("a truncated batch costs %v, unsampled %v", got, 4*plain)
		}
	})
}

// Every way to draw batches says in the form how it does, and what it asks for.
func TestEveryDrawingSaysWhatItAsksFor(t *testing.T) {
	spec, _ := Lookup("dp-sgd")
	p, _ := spec.Param("batches")
	for _, choice := range p.Choices {
		if means := p.Means[choice]; !strings.Contains(means, "divisor") || !strings.Contains(means, "record") {
			t.Errorf("%s: %q", choice, means)
		}
	}
	if len(p.Means) != len(p.Choices) {
		t.Errorf("%d meanings of %d choices", len(p.Means), len(p.Choices))
	}
}
