package mechanisms

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/mechanisms/param"
)

var nasty = []float64{
	0, 1, -1, 0.5, 2, 3, 10, 1e-9, 1e-12, 1e-160, 1e-300, math.SmallestNonzeroFloat64, 1e4, 1e6, 1e9,
	1e12, 1e15, 1e160, 1e300,
	math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 1 - 1e-16, 1e-5,
}

func drawValue(t *rapid.T, p param.Param) param.Value {
	x := func() float64 { return rapid.SampledFrom(nasty).Draw(t, p.Name) }
	kind := p.Type
	if rapid.IntRange(0, 30).Draw(t, "wrong type") == 0 {
		kind = param.Type(rapid.IntRange(0, 5).Draw(t, "type"))
	}
	switch kind {
	case param.Choice:
		return param.ChoiceValue(rapid.SampledFrom(append([]string{"", "nonsense"}, p.Choices...)).Draw(t, "word"))
	case param.Flag:
		return param.FlagValue(rapid.Bool().Draw(t, "flag"))
	case param.Scores:
		v := param.ScoresValue(x(), x(), x())
		v.Items[0].Name, v.Items[1].Name, v.Items[2].Name = "a", "b", "c"
		return v
	case param.Points:
		return param.PointsValue(param.Item{Order: x(), Value: x()}, param.Item{Order: x(), Value: x()})
	}
	return param.NumberValue(x())
}

// Whatever is typed, a mechanism is either refused in words or answers in numbers:
// no panic, no NaN, nothing negative.
func TestHostileValues(t *testing.T) {
	built := 0
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(Catalogue()).Draw(t, "mechanism")
		v := spec.Initials()
		for _, p := range spec.Params {
			if rapid.IntRange(0, 2).Draw(t, "give") == 0 {
				v[p.Name] = drawValue(t, p)
			}
		}
		m, err := New(spec.Name, v)
		if err != nil {
			if text := err.Error(); strings.Contains(text, "float64") || strings.Contains(text, "mechanisms.") ||
				strings.Contains(text, "%!") {
				t.Fatalf("message for a user: %s", text)
			}
			return
		}
		built++
		askEverything(t, m)
	})
	if built == 0 {
		t.Error("nothing was ever accepted")
	}
}

func askEverything(t *rapid.T, m Mechanism) {
	good := func(what string, x float64, err error) {
		if err == nil && (math.IsNaN(x) || x < 0) {
			t.Fatalf("%s: %s = %v", name(m), what, x)
		}
	}
	for _, e := range m.Releases(1) {
		epsilon, delta, err := e.Release.Approximate()
		good("ε", epsilon, err)
		good("δ", delta, err)
		rho, err := e.Release.Concentrated()
		good("ρ", rho, err)
		for _, x := range []float64{1 + 1e-9, 1.5, 2, 1e3, 1e9, math.Inf(1)} {
			d, err := e.Release.Renyi(x)
			good("a divergence", d, err)
			p, err := e.Release.Profile(x - 1)
			good("a profile", p, err)
			if err == nil && p > 1 {
				t.Fatalf("%s: δ(%v) = %v", name(m), x-1, p)
			}
		}
	}
	if n, ok := m.(Noisy); ok {
		good("a density", n.Noise().Density(0), nil)
		good("a probability", n.Noise().CDF(1), nil)
	}
	if a, err := ErrorOf(m, 0.05, 10); err == nil || err.Error() != specOf(m).NoError {
		good("an error", a.Each, err)
		good("a joint error", a.Joint, err)
	}
}
