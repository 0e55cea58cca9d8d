package mechanisms

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/mechanisms/param"
)

func matrix(t testing.TB, f Factorisation, steps, bands, k, b float64) Matrix {
	t.Helper()
	v := param.Values{"factorisation": param.ChoiceValue(string(f)), "steps": param.WholeValue(steps), "noise_multiplier": param.NumberValue(1),
		"participations": param.WholeValue(k), "separation": param.WholeValue(b)}
	if bands > 0 {
		v["bands"] = param.WholeValue(bands)
	}
	m, err := New("matrix", v)
	if err != nil {
		t.Fatal(err)
	}
	return m.(Matrix)
}

// Sensitivities, and root mean square errors of a running sum at μ = 1, as an independent
// program finds them from the matrices themselves.
func TestMatrixFigures(t *testing.T) {
	for _, c := range []struct {
		f                  Factorisation
		steps, bands, k, b float64
		sensitivity, rms   float64
	}{
		{Tree, 1000, 0, 1, 1000, math.Sqrt(10), 7.02709043630435},
		{Tree, 1024, 0, 1, 1024, math.Sqrt(11), 7.41692268986943},
		{Honaker, 1000, 0, 1, 1000, math.Sqrt(10), 5.3573283780153},
		{Honaker, 1024, 0, 1, 1024, math.Sqrt(11), 5.64987601327101},
		{SquareRoot, 1000, 0, 1, 1000, 0, 3.10223906352898},
		{SquareRoot, 1024, 0, 1, 1024, 0, 3.10978990694057},
		{SquareRoot, 1000, 0, 10, 100, 9.15404300023337, 0},
		{BandedRoot, 1000, 100, 10, 100, 5.03125442870421, 12.1031885257838},
		{BandedRoot, 1000, 16, 10, 100, 4.4089441448, 22.5703493},
		{BandedRoot, 1000, 1000, 1, 1000, 0, 3.10223906352898}, // all bands: the square root
		{Tree, 4, 0, 2, 2, math.Sqrt(8), 0},
	} {
		m := matrix(t, c.f, c.steps, c.bands, c.k, c.b)
		if c.sensitivity > 0 && math.Abs(m.Mu()-c.sensitivity) > 1e-9*c.sensitivity {
			t.Errorf("%+v: sensitivity %v", c, m.Mu())
		}
		_, rms, err := m.RunningError(c.f)
		if rms *= m.Mu(); err != nil || c.rms > 0 && math.Abs(rms-c.rms) > 1e-8*c.rms {
			t.Errorf("%+v: rms %v, %v", c, rms, err)
		}
	}
}

// The sensitivity is never below what any choice of steps gives, by the matrix itself.
func TestMatrixSensitivityCovers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		steps := rapid.IntRange(1, 24).Draw(rt, "steps")
		b := rapid.IntRange(1, steps).Draw(rt, "b")
		k := rapid.IntRange(1, (steps+b-1)/b).Draw(rt, "k")
		bands := rapid.IntRange(1, steps).Draw(rt, "bands")
		f := rapid.SampledFrom(Factorisations()).Draw(rt, "f")
		m := matrix(t, f, float64(steps), float64(bands), float64(k), float64(b))
		var in []int
		for at := rapid.IntRange(0, b).Draw(rt, "first"); at < steps &&
			len(in) < k; at += b + rapid.IntRange(0, 2).Draw(rt, "gap") {
			in = append(in, at)
		}
		square := 0.0
		for _, row := range encoder(f, steps, bands) {
			sum := 0.0
			for _, at := range in {
				sum += row[at]
			}
			square += sum * sum
		}
		if math.Sqrt(square) > m.Mu()*(1+1e-9) {
			rt.Errorf("the steps %v move it by %v, not %v", in, math.Sqrt(square), m.Mu())
		}
	})
}

// The certified ends of a tree hold what the worst of all choices of steps costs.
func TestTreeEnds(t *testing.T) {
	for steps := 1; steps <= 16; steps++ {
		rows := encoder(Tree, steps, 0)
		for b := 2; b <= steps; b++ {
			for k := 1; k <= (steps+b-1)/b; k++ {
				worst := 0.0
				var choose func(from int, in []int)
				choose = func(from int, in []int) {
					square := 0.0
					for _, row := range rows {
						sum := 0.0
						for _, at := range in {
							sum += row[at]
						}
						square += sum * sum
					}
					worst = math.Max(worst, square)
					for at := from; at < steps && len(in) < k; at++ {
						choose(at+b, append(in[:len(in):len(in)], at))
					}
				}
				choose(0, nil)
				pair, err := matrix(t, Tree, float64(steps), 0, float64(k), float64(b)).Releases(1)[0].Release.Pair()
				if err != nil {
					t.Fatal(err)
				}
				parts := []pairs.Part{{Pair: pair, Count: 1}}
				lower, upper, err := pld.DeltaAt(context.Background(), parts, 1, pld.Options{})
				truth, _ := accounting.GaussianDP(math.Sqrt(worst)).Profile(1)
				if err != nil || lower > truth*(1+1e-9) || upper < truth*(1-1e-9) {
					t.Errorf("%d steps, %d of them %d apart: δ in [%v, %v], the worst choice has %v; %v", steps, k, b, lower, upper, truth, err)
				}
			}
		}
	}
}

// encoder returns C, row by row.
func encoder(f Factorisation, steps, bands int) (rows [][]float64) {
	if f == Tree || f == Honaker {
		for size := 1; size <= steps; size *= 2 {
			for from := 0; from+size <= steps; from += size {
				row := make([]float64, steps)
				for i := range size {
					row[from+i] = 1
				}
				rows = append(rows, row)
			}
		}
		return rows
	}
	for i := range steps {
		row := make([]float64, steps)
		for j := range i + 1 {
			if c := 1.0; f != BandedRoot || i-j < bands {
				for l := 1; l <= i-j; l++ {
					c *= float64(2*l-1) / float64(2*l)
				}
				row[j] = c
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func TestMatrixRefusals(t *testing.T) {
	m := matrix(t, SquareRoot, 100, 0, 1, 100)
	for _, s := range []Setting{{}, {Adjacency: AddRemove}, {Adjacency: ZeroOut, Sampling: 0.5}} {
		if _, _, err := Entries(m, s); err == nil {
			t.Errorf("%+v has a price", s)
		}
	}
	once, _, _ := Entries(m, Setting{Adjacency: ZeroOut})
	both, _, err := Entries(m, Setting{Adjacency: Replace, Group: 3})
	a, _ := once[0].Release.Gaussian()
	b, _ := both[0].Release.Gaussian()
	if err != nil || math.Abs(b-6*a) > 1e-12 {
		t.Errorf("three changed records cost μ = %v, one zeroed %v", b, a)
	}
	if _, err := New("matrix", param.Values{"steps": param.WholeValue(100), "noise_multiplier": param.NumberValue(1),
		"participations": param.WholeValue(10)}); err == nil || !strings.Contains(err.Error(), "give separation") {
		t.Errorf("ten participations without a separation: %v", err)
	}
}

// Figures of the reference: 1000 steps, 100 bands, ten participations 100 steps apart have
// sensitivity √10 columns.
func TestBandedRootError(t *testing.T) {
	column, rms := BandedRootError(1000, 100)
	sensitivity := math.Sqrt(10) * column
	if math.Abs(sensitivity-5.03125442870421) > 1e-12 || math.Abs(sensitivity*rms-12.1031885257838) > 1e-10 {
		t.Errorf("sensitivity %v, error %v", sensitivity, sensitivity*rms)
	}
}
