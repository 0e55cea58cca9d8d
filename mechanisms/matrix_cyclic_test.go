package mechanisms

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

func cyclic(t testing.TB, steps, bands, z, batch, records float64) Matrix {
	m, err := New("matrix", param.Values{"factorisation": param.ChoiceValue("banded-sqrt"), "batches": param.ChoiceValue(CyclicPoisson),
		"bands": param.WholeValue(bands),
		"steps": param.WholeValue(steps), "noise_multiplier": param.NumberValue(z), "batch": param.NumberValue(batch),
		"records": param.WholeValue(records)})
	if err != nil {
		t.Fatal(err)
	}
	return m.(Matrix)
}

// 16 bands over 2048 steps at a rate of 1/512, which is 1/32 inside a group: 128 Poisson steps.
func TestCyclicPoissonFigures(t *testing.T) {
	for _, f := range crowdFigures(t, "banded-") {
		m := cyclic(t, 2048, 16, 1, 512, 512*512)
		m.NoiseMultiplier = f.in("noise_over_column_norm") * m.sensitivity
		entries, _, err := Entries(m, Setting{Adjacency: AddRemove})
		if err != nil {
			t.Fatal(err)
		}
		lower, upper := numericalEpsilon(t, entries, accounting.Target{Delta: f.in("delta")})
		if entries[0].Count != f.in("steps") || f.Bound == "lower" && upper < f.Value ||
			f.Bound == "upper" && (lower > f.Value || upper > f.Value*1.002) {
			t.Errorf("%s: [%v, %v] in %v steps, reference %v", f.Name, lower, upper, entries[0].Count, f.Value)
		}
	}
}

// Small worlds: bands over up to six steps. Column by column the steps of one group have disjoint
// supports, so the squared distance that a choice of steps makes is the sum of squared column
// norms, none above the one that is priced.
func TestCyclicPoissonColumns(t *testing.T) {
	for steps := 1; steps <= 6; steps++ {
		for bands := 1; bands <= steps; bands++ {
			m := cyclic(t, float64(steps), float64(bands), 1, 1, 100)
			c := rootSeries(bands)
			for group := range bands {
				used := make([]bool, steps)
				members := 0
				for step := group; step < steps; step += bands {
					norm := 0.0
					for j, x := range c {
						if row := step + j; row < steps {
							if norm += x * x; used[row] {
								t.Fatalf("T %d, %d bands: the columns of group %d overlap", steps, bands, group)
							}
							used[row] = true
						}
					}
					if members++; math.Sqrt(norm) > m.sensitivity {
						t.Errorf("T %d, %d bands: a column has norm %v, priced %v", steps, bands, math.Sqrt(norm), m.sensitivity)
					}
				}
				entries, _, _ := Entries(m, Setting{Adjacency: AddRemove})
				priced := 0.0
				for _, e := range entries {
					priced += e.Count
				}
				if float64(members) > priced {
					t.Errorf("T %d, %d bands: group %d is sampled %d times, priced %v", steps, bands, group, members, priced)
				}
			}
		}
	}
}

// Small worlds by integration: all laws of T ≤ 6 noisy outputs, a record of any group that is there or
// not, with the largest gradient in every step that draws it, in either sign. The means lie in the span
// of the columns of its steps, in which the densities are summed over cells. Nothing is below, and of
// the lower end nothing above.
func TestCyclicPoissonByIntegration(t *testing.T) {
	const rate, z = 0.4, 1.1
	at := []float64{0, 0.2, 0.5, 1, 1.6}
	for _, c := range gauge.Some(4, []struct{ steps, bands int }{{5, 3}, {3, 1}, {4, 2}, {5, 2}, {4, 4}, {6, 2},
		{6, 3}, {6, 5}, {6, 6}}) {
		m := cyclic(t, float64(c.steps), float64(c.bands), z, rate*1000/float64(c.bands), 1000)
		entries, _, err := Entries(m, Setting{Adjacency: AddRemove})
		if err != nil {
			t.Fatal(err)
		}
		lower, upper, err := pld.Profile(t.Context(), partsOf(t, entries), at, pld.Options{})
		if err != nil {
			t.Fatal(err)
		}
		attained := make([]float64, len(at))
		for group := range c.bands {
			var columns [][]float64
			for step := group; step < c.steps; step += c.bands {
				column, x := make([]float64, c.steps), 1.0 // of the square root, its first bands
				for j := 0; j < c.bands && step+j < c.steps; j++ {
					column[step+j] = x / z
					x *= float64(2*j+1) / float64(2*j+2)
				}
				columns = append(columns, column)
			}
			for _, alternate := range []bool{false, true} { // gradients of one sign, or of both in turn
				if alternate && len(columns) > 2 {
					continue // for time
				}
				for i, delta := range integrateMixture(columns, rate, alternate, at) {
					attained[i] = math.Max(attained[i], delta)
				}
			}
		}
		for i, epsilon := range at {
			if upper[i] < attained[i]*(1-2e-3) || lower[i] > attained[i]*(1+2e-3) {
				t.Errorf("T %d, %d bands: δ(%v) is %v, priced [%v, %v]", c.steps, c.bands, epsilon, attained[i], lower[i], upper[i])
			}
		}
	}
}

// integrateMixture returns δ, in the worse order, of N(0, 1) against the mixture of N(Σ s_j·c_j, 1), each s_j
// being 1 (or ±1 in turn) with probability rate and else 0, independently.
func integrateMixture(columns [][]float64, rate float64, alternate bool, at []float64) []float64 {
	var axes [][]float64 // orthonormal, by Gram and Schmidt
	for _, c := range columns {
		rest := slices.Clone(c)
		for _, axis := range axes {
			along := dot(rest, axis)
			for i := range rest {
				rest[i] -= along * axis[i]
			}
		}
		norm := math.Sqrt(dot(rest, rest))
		for i := range rest {
			rest[i] /= norm
		}
		axes = append(axes, rest)
	}
	n := len(columns)
	means, weights := make([][]float64, 1<<n), make([]float64, 1<<n)
	for set := range means {
		means[set], weights[set] = make([]float64, n), 1
		for j, c := range columns {
			sign := 1.0
			if alternate && j%2 == 1 {
				sign = -1
			}
			if set>>j&1 == 0 {
				weights[set] *= 1 - rate
				continue
			}
			weights[set] *= rate
			for i, axis := range axes {
				means[set][i] += sign * dot(c, axis)
			}
		}
	}
	const reach = 5.5
	width := []float64{1, 1e-3, 0.03, 0.1}[n] // in so many dimensions
	cells := int(2 * reach / width)
	with, without := make([]float64, len(at)), make([]float64, len(at))
	cell := math.Pow(width/math.Sqrt(2*math.Pi), float64(n))
	var times, halfSquares []float64 // e^ε, and |mean|²/2
	for _, epsilon := range at {
		times = append(times, math.Exp(epsilon))
	}
	for _, mean := range means {
		halfSquares = append(halfSquares, dot(mean, mean)/2)
	}
	x := make([]float64, n)
	var visit func(axis int)
	visit = func(axis int) {
		if axis < n {
			for i := range cells {
				x[axis] = -reach + (float64(i)+0.5)*width
				visit(axis + 1)
			}
			return
		}
		q := math.Exp(-dot(x, x)/2) * cell
		ratio := 0.0
		for set, mean := range means {
			ratio += weights[set] * math.Exp(dot(x, mean)-halfSquares[set])
		}
		for i, a := range times {
			with[i] += q * math.Max(0, ratio-a)
			without[i] += q * math.Max(0, 1-a*ratio)
		}
	}
	visit(0)
	for i := range with {
		with[i] = math.Max(with[i], without[i])
	}
	return with
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// For any run: ends in order, more noise never dearer, more steps never cheaper, more records to draw
// from never dearer, a larger δ never dearer; and never more than without amplification, where a record
// is in every step of its group.
func TestCyclicPoissonInvariants(t *testing.T) {
	gauge.Check(t, gauge.Cases(2, 150), func(t *rapid.T) {
		of := func(steps, bands, z, batch, records float64) Matrix {
			m, err := New("matrix", param.Values{"factorisation": param.ChoiceValue("banded-sqrt"), "batches": param.ChoiceValue(CyclicPoisson),
				"bands": param.WholeValue(bands),
				"steps": param.WholeValue(steps), "noise_multiplier": param.NumberValue(z), "batch": param.NumberValue(batch),
				"records": param.WholeValue(records)})
			if err != nil {
				t.Fatal(err)
			}
			return m.(Matrix)
		}
		cost := func(m Matrix, delta float64) (lower, upper float64) {
			entries, _, err := Entries(m, Setting{Adjacency: ZeroOut})
			if err != nil {
				t.Fatal(err)
			}
			b := column(entries, accounting.Target{Delta: delta, Precision: 1e-3}, accounting.Numerical)
			if lower, upper = b.Lower, b.Epsilon; lower > upper {
				t.Fatalf("%+v: [%v, %v]", m, lower, upper)
			}
			return lower, upper
		}
		steps := float64(rapid.IntRange(1, 400).Draw(t, "steps"))
		bands := float64(rapid.IntRange(1, int(math.Min(40, steps))).Draw(t, "bands"))
		z := math.Exp(rapid.Float64Range(-0.5, 2).Draw(t, "ln z"))
		records := float64(rapid.IntRange(1000, 100_000).Draw(t, "records"))
		batch := records / bands * rapid.Float64Range(1e-3, 1).Draw(t, "rate in a group")
		lower, upper := cost(of(steps, bands, z, batch, records), 1e-6)
		not := func(what string, m Matrix, delta float64) {
			if less, _ := cost(m, delta); less > upper*(1+1e-9) {
				t.Fatalf("%v steps, %v bands, z %v, batch %v of %v: at most %v; %s: at least %v", steps, bands, z, batch, records, upper, what, less)
			}
		}
		not("with more noise", of(steps, bands, z*1.3, batch, records), 1e-6)
		not("with more records", of(steps, bands, z, batch, math.Round(records*1.5)), 1e-6)
		not("at a larger δ", of(steps, bands, z, batch, records), 1e-5)
		if _, more := cost(of(steps+bands, bands, z, batch, records), 1e-6); lower > more*(1+1e-9) {
			t.Fatalf("%v steps, %v bands, z %v, batch %v of %v: at least %v, with more steps at most %v", steps, bands, z, batch, records, lower, more)
		}
		fixed := of(steps, bands, z, batch, records)
		fixed.Cyclic, fixed.Separation, fixed.sensitivity = false, math.Min(bands, steps), 0
		fixed.Participations = math.Ceil(steps / fixed.Separation)
		if _, all := cost(fixed, 1e-6); lower > all*(1+1e-9) {
			t.Fatalf("%v steps, %v bands, z %v: at least %v with amplification, at most %v without", steps, bands, z, lower, all)
		}
	})
}

func TestCyclicPoissonRefusals(t *testing.T) {
	choice, whole, number := param.ChoiceValue, param.WholeValue, param.NumberValue
	good := param.Values{"factorisation": choice("banded-sqrt"), "batches": choice(CyclicPoisson), "bands": whole(4), "steps": whole(100),
		"noise_multiplier": number(1), "batch": number(10), "records": whole(1000)}
	for _, c := range []struct {
		field string
		value param.Value
		named string
	}{
		{"factorisation", choice("sqrt"), "batches"}, {"factorisation", choice("tree"), "batches"},
		{"batch", number(500), "batch"}, {"bands", whole(101), "bands"}, {"steps", whole(3), "bands"}, {"participations", whole(2), "participations"}, {"batches", choice("shuffled"), "batches"},
	} {
		v := good.Clone()
		v[c.field] = c.value
		if _, err := New("matrix", v); err == nil || !strings.HasPrefix(err.Error(), c.named+":") {
			t.Errorf("%s %v: %v", c.field, c.value, err)
		}
	}
	v := good.Clone()
	delete(v, "batch")
	if _, err := New("matrix", v); err == nil || !strings.HasPrefix(err.Error(), "batch:") {
		t.Errorf("without batch: %v", err)
	}
	// Four of 16 groups are sampled, each at a rate of 0.16; with the rate of four groups, 0.04, the largest δ at ε = 0
	// would be a quarter of what the first step gives away.
	if err := Validate(Matrix{Factorisation: BandedRoot, Steps: 4, Bands: 16, NoiseMultiplier: 1, Participations: 1,
		Separation: 4, Cyclic: true, Batch: 10, Records: 1000}); err == nil {
		t.Error("more groups of records than steps have a price")
	}
	m := cyclic(t, 100, 4, 1, 10, 1000)
	for _, s := range []Setting{{Adjacency: AddRemove, Group: 2}, {Adjacency: AddRemove, Sampling: 0.5}} {
		if _, _, err := Entries(m, s); err == nil {
			t.Errorf("%+v has a price", s)
		}
	}
}
