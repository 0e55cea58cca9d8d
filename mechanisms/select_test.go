package mechanisms

import (
	"strings"
	"testing"

	"epsiloscope/accounting"
)

func selection(of Values, runs Values) Values {
	v := Values{}
	for name, x := range of {
		v["of."+name] = x
	}
	for name, x := range runs {
		v["runs."+name] = x
	}
	return v
}

var (
	rho5pct     = Values{"mechanism": ChoiceValue("zcdp"), "rho": NumberValue(0.05)}
	logarithmic = Values{"distribution": ChoiceValue("logarithmic"), "mean": NumberValue(10)}
)

// The best of ten runs on average, each ρ = 0.05, at δ = 1e-6 (Papernot & Steinke 2022;
// figures of an independent program, minimised over all orders).
func TestSelectFigures(t *testing.T) {
	for _, c := range []struct {
		runs Values
		want float64
	}{
		{logarithmic, 2.41969677089738},
		{Values{"distribution": ChoiceValue("geometric"), "mean": NumberValue(10)}, 2.8766366191115},
		{Values{"distribution": ChoiceValue("negative-binomial"), "mean": NumberValue(10), "shape": NumberValue(1)}, 2.8766366191115},
		{Values{"distribution": ChoiceValue("poisson"), "mean": NumberValue(10)}, 3.19997426113965},
	} {
		m := built(t, "select", selection(rho5pct, c.runs))
		if got := costOf(m); got < c.want*(1-1e-9) || got > c.want*(1+1e-3) {
			t.Errorf("%v: %v, want %v", c.runs, got, c.want)
		}
	}
}

// A run is priced in the setting of the whole: with its own sample and count, for a group,
// for a changed record.
func TestSelectTakesTheSettingOfARun(t *testing.T) {
	of := Values{"mechanism": ChoiceValue("gaussian"), "sigma": NumberValue(3), "count": WholeValue(7), "sampling.rate": NumberValue(0.2)}
	m := built(t, "select", selection(of, logarithmic)).(Select)
	for _, s := range []Setting{{}, {Group: 3}, {Adjacency: Replace}, {Adjacency: Replace, Also: Also{AddRemove: true}}, {Adjacency: ZeroOut}} {
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
	runs := func(v Values) Values { return selection(rho5pct, v) }
	for _, c := range []struct {
		values Values
		want   string
	}{
		{runs(Values{"distribution": ChoiceValue("poisson"), "mean": NumberValue(0.5)}), "runs.mean: must be at least 1, got 0.5: with fewer runs than one on average there is no proof"},
		{runs(Values{"distribution": ChoiceValue("geometric"), "mean": NumberValue(0.5)}), "there is always one run"},
		{runs(Values{"distribution": ChoiceValue("negative-binomial"), "mean": NumberValue(2)}), "runs.shape: is missing"},
		{runs(Values{"distribution": ChoiceValue("negative-binomial"), "mean": NumberValue(2), "shape": NumberValue(-1)}), "runs.shape: must be greater than -1"},
		{runs(Values{"distribution": ChoiceValue("poisson"), "mean": NumberValue(2), "shape": NumberValue(1)}), "runs.shape: only a negative-binomial"},
		{selection(Values{"mechanism": ChoiceValue("select")}, logarithmic), "of.mechanism: must be one of laplace"},
		{selection(Values{"mechanism": ChoiceValue("zcdp"), "rho": NumberValue(-1)}, logarithmic), "of.rho: must be"},
		{selection(Values{"mechanism": ChoiceValue("zcdp")}, logarithmic), "of.rho: is missing"},
		{selection(Values{}, logarithmic), "of.mechanism: is missing"},
		{selection(Values{"mechanism": ChoiceValue("laplace"), "epsilon": NumberValue(1), "scale": NumberValue(1)}, logarithmic), "give only one of of.epsilon or of.scale"},
	} {
		if _, err := New("select", c.values); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.values, err, c.want)
		}
	}
	m := built(t, "select", runs(logarithmic))
	if _, _, err := Entries(m, Setting{Sampling: 0.5}); err == nil || !strings.Contains(err.Error(), "of.sampling") {
		t.Errorf("one sample for all runs: %v", err)
	}
	training := built(t, "select", selection(Values{"mechanism": ChoiceValue("matrix"), "steps": WholeValue(10), "noise_multiplier": NumberValue(3)}, logarithmic))
	if _, _, err := Entries(training, Setting{Adjacency: AddRemove}); err == nil || !strings.HasPrefix(err.Error(), "of.mechanism: a matrix has no price") {
		t.Errorf("a run without a price: %v", err)
	}
}

// What is run, and what it is run with, can be taken out and put back.
func TestRunOf(t *testing.T) {
	v := selection(rho5pct, logarithmic)
	v["of.count"] = WholeValue(3)
	kind, run, ok := RunOf("select", v)
	if !ok || kind != "zcdp" || len(run) != 1 || run["rho"].Number != 0.05 {
		t.Errorf("%q %v %v", kind, run, ok)
	}
	back := WithRun(v, Values{"rho": NumberValue(0.1)})
	if len(back) != len(v) || back["of.rho"].Number != 0.1 || back["of.count"].Number != 3 || back["runs.mean"].Number != 10 {
		t.Errorf("%v", back)
	}
	if _, _, ok := RunOf("laplace", v); ok {
		t.Error("Laplace noise runs something")
	}
}
