package mechanisms

import (
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

func mixtureOf(t testing.TB, sigma float64, sensitivities, probabilities []float64) MixtureOfGaussians {
	m, err := New("mixture-of-gaussians", param.Values{"sigma": param.NumberValue(sigma), "sensitivities": param.ScoresValue(sensitivities...),
		"probabilities": param.ScoresValue(probabilities...)})
	if err != nil {
		t.Fatal(err)
	}
	return m.(MixtureOfGaussians)
}

func floats(list any) (out []float64) {
	for _, x := range list.([]any) {
		out = append(out, x.(float64))
	}
	return out
}

func TestMixtureFigures(t *testing.T) {
	for _, f := range crowdFigures(t, "mog-") {
		m := mixtureOf(t, f.in("standard_deviation"), floats(f.Inputs["sensitivities"]), floats(f.Inputs["probabilities"]))
		pair, err := m.Releases(1)[0].Release.Pair()
		if err != nil {
			t.Fatal(err)
		}
		loss := pair.Remove
		if f.text("direction") == "add" {
			loss = pair.Add
		}
		f.holds(t, math.Exp(loss.LogDelta(f.in("eps"))))
	}
}

// With sensitivities 0 and 1 it is a Poisson sample, alone and composed; with j and binomial
// probabilities a sampled group.
func TestMixtureIsASample(t *testing.T) {
	const q, z = 0.1, 1.3
	m := mixtureOf(t, z, []float64{1, 0}, []float64{q, 1 - q}).Releases(1)[0].Release
	s := accounting.Subsample(accounting.GaussianDP(1/z), q)
	two := mixtureOf(t, z, []float64{0, 1, 2},
		[]float64{(1 - q) * (1 - q), 2 * q * (1 - q), q * q}).Releases(1)[0].Release
	for _, c := range [][2]accounting.Release{{m, s}, {two, accounting.GroupPrivacy(s, 2)}} {
		for _, count := range []float64{1, 40} {
			_, got := numericalEpsilon(t, []accounting.Entry{{Release: c[0], Count: count}},
				accounting.Target{Delta: 1e-6})
			_, want := numericalEpsilon(t, []accounting.Entry{{Release: c[1], Count: count}},
				accounting.Target{Delta: 1e-6})
			if math.Abs(got-want) > 2e-3*want {
				t.Errorf("%v times: %v, as a sample %v", count, got, want)
			}
		}
		for _, alpha := range []float64{1.5, 4, 20} {
			got, _ := c[0].Renyi(alpha)
			want, _ := c[1].Renyi(alpha)
			if math.Abs(got-want) > 1e-6*want {
				t.Errorf("D_%v: %v, as a sample %v", alpha, got, want)
			}
		}
	}
}

// Moving mass to larger sensitivities never costs less, and never more than the largest alone.
func TestMixtureGrows(t *testing.T) {
	before := 0.0
	for _, p := range []float64{0.01, 0.1, 0.5, 0.9, 1} {
		d, err := mixtureOf(t, 1, []float64{0.5, 2}, []float64{1 - p, p}).Releases(1)[0].Release.Profile(0.7)
		if err != nil || d < before {
			t.Errorf("p %v: %v after %v, %v", p, d, before, err)
		}
		before = d
	}
	if whole, _ := accounting.GaussianDP(2).Profile(0.7); before > whole*(1+1e-9) {
		t.Errorf("%v, and %v for the largest alone", before, whole)
	}
}

func TestMixtureRefusals(t *testing.T) {
	scores, number := param.ScoresValue, param.NumberValue
	good := param.Values{"sigma": number(1), "sensitivities": scores(0, 1), "probabilities": scores(0.5, 0.5)}
	for _, c := range []struct {
		field string
		value param.Value
	}{
		{"probabilities", scores(0.5, 0.4)}, {"probabilities", scores(1)}, {"probabilities", scores(1.5, -0.5)}, {"sensitivities", scores(0, -1)},
		{"sensitivities", scores(0, 0)}, {"sigma", number(0)},
	} {
		v := good.Clone()
		v[c.field] = c.value
		if _, err := New("mixture-of-gaussians", v); err == nil || !strings.HasPrefix(err.Error(), c.field+":") {
			t.Errorf("%s %v: %v", c.field, c.value, err)
		}
	}
	if _, _, err := Entries(mixtureOf(t, 1, []float64{1}, []float64{1}), Setting{Adjacency: Replace}); err == nil {
		t.Error("a mixture under replace has a price")
	}
}
