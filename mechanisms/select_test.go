package mechanisms

import (
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

func bestOf(of param.Values, runs param.Values) param.Values {
	v := param.Values{}
	for name, x := range of {
		v["of."+name] = x
	}
	for name, x := range runs {
		v["runs."+name] = x
	}
	return v
}

var (
	rho5pct     = param.Values{"mechanism": param.ChoiceValue("zcdp"), "rho": param.NumberValue(0.05)}
	logarithmic = param.Values{"distribution": param.ChoiceValue("logarithmic"), "mean": param.NumberValue(10)}
)

// The best of ten runs on average, each ρ = 0.05, at δ = 1e-6 (Papernot & Steinke 2022;
// figures of an independent program, minimised over all orders).
func TestSelectFigures(t *testing.T) {
	for _, c := range []struct {
		runs param.Values
		want float64
	}{
		{logarithmic, 2.41969677089738},
		{param.Values{"distribution": param.ChoiceValue("geometric"), "mean": param.NumberValue(10)}, 2.8766366191115},
		{param.Values{"distribution": param.ChoiceValue("negative-binomial"), "mean": param.NumberValue(10), "shape": param.NumberValue(1)}, 2.8766366191115},
		{param.Values{"distribution": param.ChoiceValue("poisson"), "mean": param.NumberValue(10)}, 3.19997426113965},
	} {
		m := built(t, "select", bestOf(rho5pct, c.runs))
		if got := costOf(m); got < c.want*(1-1e-9) || got > c.want*(1+1e-3) {
			t.Errorf("%v: %v, want %v", c.runs, got, c.want)
		}
	}
}

// A run is priced in the setting of the whole: with its own sample and count, for a group,
// for a changed record.
func TestSelectTakesTheSettingOfARun(t *testing.T) {
	of := param.Values{"mechanism": param.ChoiceValue("gaussian"), "sigma": param.NumberValue(3), "count": param.WholeValue(7),
		"sampling.rate": param.NumberValue(0.2)}
	m := built(t, "select", bestOf(of, logarithmic)).(Select)
	for _, s := range []Setting{{}, {Group: 3}, {Adjacency: Replace}, {Adjacency: Replace, Also: Also{AddRemove: true}},
		{Adjacency: ZeroOut}} {
		got, _, err := Entries(m, s)
		if err != nil {
			t.Fatal(err)
		}
		inner := s
		inner.Sampling, inner.Count = 0.2, 7
		run, _, err := Entries(Gaussian{Sigma: 3, Sensitivity: 1}, inner)
		if err != nil {
			t.Fatal(err)
		}
		want := accounting.BestOf(accounting.Composite(run), accounting.Runs{Mean: 10})
		if len(got) != 1 || got[0].Count != 1 || got[0].Release.Key() != want.Key() {
			t.Errorf("%+v: %v, want %v", s, got[0].Release.Key(), want.Key())
		}
	}
}

func TestSelectRefusals(t *testing.T) {
	runs := func(v param.Values) param.Values { return bestOf(rho5pct, v) }
	for _, c := range []struct {
		values param.Values
		want   string
	}{
		{runs(param.Values{"distribution": param.ChoiceValue("poisson"), "mean": param.NumberValue(0.5)}), "runs.mean: must be at least 1, got 0.5: with fewer runs than one on average there is no proof"},
		{runs(param.Values{"distribution": param.ChoiceValue("geometric"), "mean": param.NumberValue(0.5)}), "there is always one run"},
		{runs(param.Values{"distribution": param.ChoiceValue("negative-binomial"), "mean": param.NumberValue(2)}), "runs.shape: is missing"},
		{runs(param.Values{"distribution": param.ChoiceValue("negative-binomial"), "mean": param.NumberValue(2), "shape": param.NumberValue(-1)}), "runs.shape: must be greater than -1"},
		{runs(param.Values{"distribution": param.ChoiceValue("poisson"), "mean": param.NumberValue(2), "shape": param.NumberValue(1)}), "runs.shape: only a negative-binomial"},
		{bestOf(param.Values{"mechanism": param.ChoiceValue("select")}, logarithmic), "of.mechanism: must be one of "},
		{bestOf(param.Values{"mechanism": param.ChoiceValue("zcdp"), "rho": param.NumberValue(-1)}, logarithmic), "of.rho: must be"},
		{bestOf(param.Values{"mechanism": param.ChoiceValue("zcdp")}, logarithmic), "of.rho: is missing"},
		{bestOf(param.Values{}, logarithmic), "of.mechanism: is missing"},
		{bestOf(param.Values{"mechanism": param.ChoiceValue("laplace"), "epsilon": param.NumberValue(1), "scale": param.NumberValue(1)}, logarithmic), "give only one of of.epsilon or of.scale"},
	} {
		if _, err := New("select", c.values); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.values, err, c.want)
		}
	}
	m := built(t, "select", runs(logarithmic))
	if _, _, err := Entries(m, Setting{Sampling: 0.5}); err == nil || !strings.Contains(err.Error(), "of.sampling") {
		t.Errorf("one sample for all runs: %v", err)
	}
	training := built(t, "select", bestOf(param.Values{"mechanism": param.ChoiceValue("matrix"), "steps": param.WholeValue(10),
		"noise_multiplier": param.NumberValue(3)}, logarithmic))
	if _, _, err := Entries(training, Setting{Adjacency: AddRemove}); err == nil ||
		!strings.HasPrefix(err.Error(), "of.mechanism: matrix is not supported under add-remove") {
		t.Errorf("a run without a price: %v", err)
	}
}

// What is run, and what it is run with, can be taken out and put back.
func TestRunOf(t *testing.T) {
	v := bestOf(rho5pct, logarithmic)
	v["of.count"] = param.WholeValue(3)
	kind, run, ok := RunOf("select", v)
	if !ok || kind != "zcdp" || len(run) != 1 || run["rho"].Number != 0.05 {
		t.Errorf("%q %v %v", kind, run, ok)
	}
	back := WithRun(v, param.Values{"rho": param.NumberValue(0.1)})
	if len(back) != len(v) || back["of.rho"].Number != 0.1 || back["of.count"].Number != 3 || back["runs.mean"].Number != 10 {
		t.Errorf("%v", back)
	}
	if _, _, ok := RunOf("laplace", v); ok {
		t.Error("Laplace noise runs something")
	}
}
