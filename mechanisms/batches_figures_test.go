package mechanisms

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

// batchFigure is a figure of testdata/batches.json: computed elsewhere, by quadrature, brute
// force or another program, each with its source.
type batchFigure struct {
	Name      string
	Inputs    map[string]float64
	Adjacency Adjacency
	Value     float64
	Lower     float64
	Bound     string // exact, upper or lower
	Tolerance float64
}

func (f batchFigure) in(name string) float64 { return f.Inputs[name] }

func (f batchFigure) numerical(t *testing.T, entries []accounting.Entry) (lower, upper float64) {
	t.Helper()
	b := column(entries, accounting.Target{Delta: f.in("delta")}, accounting.Numerical)
	return b.Lower, b.Epsilon
}

// training returns the stack of a training, one step or pass of which is the release.
func (f batchFigure) training(t *testing.T, batches SamplingScheme) []accounting.Entry {
	rate, steps := f.in("sample_share"), f.in("steps")
	if n := f.in("batches"); n > 0 {
		rate, steps = 1/n, n*f.in("epochs")
	}
	if rate == 0 && batches == Shuffled { // how many batches there are says nothing of the upper end
		rate, steps = 0.01, 100*f.in("epochs")
	}
	v := training(f.in("noise_multiplier"), rate, steps, batches)
	if batches == Truncated {
		v = training(f.in("noise_multiplier"), f.in("sampling_rate"), steps, batches)
		v["max_batch"], v["records"] = param.WholeValue(f.in("max_batch")), param.WholeValue(f.in("records"))
	}
	entries, _, err := Entries(built(t, "dp-sgd", v), Setting{Adjacency: f.Adjacency})
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func (f batchFigure) factorised(t *testing.T) Matrix {
	kind := map[bool]Factorisation{true: Tree, false: SquareRoot}[strings.HasPrefix(f.Name, "tree")]
	if strings.HasPrefix(f.Name, "tree-honaker") {
		kind = Honaker
	}
	if f.in("bands") > 0 {
		kind = BandedRoot
	}
	k, b := math.Max(1, f.in("participations")), f.in("separation")
	if b == 0 {
		b = f.in("steps")
	}
	return matrix(t, kind, f.in("steps"), f.in("bands"), k, b)
}

func (f batchFigure) release(t *testing.T, r accounting.Release) pairs.Pair {
	pair, err := r.Pair()
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

func same(x float64) (lower, upper float64) { return x, x }

// How each kind of figure is asked for, by the beginning of its name: both ends of what the
// program says. Those without a way are listed below.
var askedFor = []struct {
	prefix string
	ask    func(*testing.T, batchFigure) (lower, upper float64)
	loose  float64 // ours is an upper end of an exact figure, so much above it at most; or below a bound, if negative
}{
	{"wor-replace-delta", func(t *testing.T, f batchFigure) (float64, float64) {
		return same(f.release(t, accounting.FixedBatch(f.in("noise_multiplier"), f.in("sample_share"), 2)).Delta(f.in("eps")))
	}, 0},
	{"wor-replace-rdp", func(t *testing.T, f batchFigure) (float64, float64) {
		r, _ := accounting.FixedBatch(2/f.in("mu"), f.in("sample_share"), 2).Renyi(f.in("alpha"))
		return same(r)
	}, 0},
	{"wor-replace-eps", func(t *testing.T, f batchFigure) (float64, float64) { return f.numerical(t, f.training(t, Fixed)) }, 0},
	{"fixed-size-add-remove-eps", func(t *testing.T, f batchFigure) (float64, float64) { return f.numerical(t, f.training(t, Fixed)) }, 0},
	{"wor-amplified-eps", func(t *testing.T, f batchFigure) (float64, float64) {
		e, _, _ := accounting.Subsample(accounting.PureDP(f.in("eps")), f.in("sample_share")).Approximate()
		return same(e)
	}, 0},
	{"allocation-t2", func(t *testing.T, f batchFigure) (float64, float64) {
		pair := f.release(t, accounting.AllocatedPass(2, f.in("noise_multiplier")))
		loss := map[bool]*pairs.Loss{true: pair.Remove, false: pair.Add}[strings.HasSuffix(f.Name, "remove")]
		return same(math.Exp(loss.LogDelta(f.in("eps"))))
	}, 5e-4},
	{"allocation-delta", func(t *testing.T, f batchFigure) (float64, float64) {
		return same(math.Exp(f.release(t, accounting.AllocatedPass(f.in("batches"), f.in("noise_multiplier"))).Remove.LogDelta(f.in("eps"))))
	}, 2.5e-3},
	{"allocation-rdp-remove", func(t *testing.T, f batchFigure) (float64, float64) {
		return same(f.release(t, accounting.AllocatedPass(f.in("batches"), f.in("noise_multiplier"))).Remove.Renyi(f.in("alpha")))
	}, 1e-3},
	{"allocation-rdp-add", func(t *testing.T, f batchFigure) (float64, float64) {
		return same(f.release(t, accounting.AllocatedPass(f.in("batches"), f.in("noise_multiplier"))).Add.Renyi(f.in("alpha")))
	}, -1},
	{"allocation-eps", func(t *testing.T, f batchFigure) (float64, float64) { return f.numerical(t, f.training(t, Allocated)) }, 0},
	{"shuffle-batches-lower-eps", func(t *testing.T, f batchFigure) (float64, float64) { return f.numerical(t, f.training(t, Shuffled)) }, 0},
	{"shuffle-batches-upper", func(t *testing.T, f batchFigure) (float64, float64) { return f.numerical(t, f.training(t, Shuffled)) }, 0},
	{"shuffle-batches-lower-z", func(t *testing.T, f batchFigure) (float64, float64) {
		lower, upper, err := accounting.DeltaAt(context.Background(), f.training(t, Shuffled), f.in("eps"), 0)
		if err != nil {
			t.Fatal(err)
		}
		return lower, upper
	}, 0},
	{"truncated-poisson-tau", func(t *testing.T, f batchFigure) (float64, float64) {
		tau, _, _ := accounting.Overflow(f.in("records"), f.in("sampling_rate"), f.in("max_batch"))
		return same(tau)
	}, 0},
	{"truncated-poisson-p-", func(t *testing.T, f batchFigure) (float64, float64) {
		_, p, _ := accounting.Overflow(f.in("records"), f.in("sampling_rate"), f.in("max_batch"))
		return same(p)
	}, 0},
	{"truncated-poisson-extra-delta", func(t *testing.T, f batchFigure) (float64, float64) {
		v := training(1, f.in("sampling_rate"), f.in("steps"), Truncated)
		v["max_batch"] = param.WholeValue(f.in("max_batch"))
		d, more := built(t, "dp-sgd", v).(DPSGD), 1+math.Exp(f.in("eps"))
		added := d.overflow(f.in("records")) * more
		if says := d.CutNote(f.in("records"), f.in("eps")); !strings.Contains(says,
			numeral.Format(numeral.RoundUp(added, 4))+" at ε = ") {
			t.Errorf("%s: it does not say that %v is added", says, added)
		}
		return same(added)
	}, 0},
	{"truncated-poisson-eps", func(t *testing.T, f batchFigure) (float64, float64) { return f.numerical(t, f.training(t, Truncated)) }, 0},
	{"tree-levels", func(t *testing.T, f batchFigure) (float64, float64) { return same(math.Pow(f.factorised(t).Mu(), 2)) }, 0},
	{"sqrt-factorisation-sens", func(t *testing.T, f batchFigure) (float64, float64) { return same(f.factorised(t).Mu()) }, 0},
	{"banded-sqrt-sens", func(t *testing.T, f batchFigure) (float64, float64) { return same(f.factorised(t).Mu()) }, 0},
	{"sqrt-factorisation-maxerr", func(t *testing.T, f batchFigure) (float64, float64) {
		m := f.factorised(t)
		deviations, _, _ := m.RunningError(m.Factorisation)
		return same(deviations[len(deviations)-1] * m.Mu())
	}, 0},
	{"sqrt-factorisation-rmse", rootMeanSquare, 0}, {"tree-rmse", rootMeanSquare, 0}, {"tree-honaker-rmse", rootMeanSquare, 0}, {"banded-sqrt-rmse", rootMeanSquare, 0},
	{"selection-eps", func(t *testing.T, f batchFigure) (float64, float64) {
		runs := param.Values{"distribution": param.ChoiceValue("negative-binomial"), "mean": param.NumberValue(f.in("mean")),
			"shape": param.NumberValue(f.in("eta"))}
		if strings.Contains(f.Name, "poisson") {
			runs = param.Values{"distribution": param.ChoiceValue("poisson"), "mean": param.NumberValue(f.in("mean"))}
		}
		return same(costOf(built(t, "select", bestOf(
			param.Values{"mechanism": param.ChoiceValue("zcdp"), "rho": param.NumberValue(f.in("rho"))}, runs))))
	}, 0},
	{"bounded-range-delta", func(t *testing.T, f batchFigure) (float64, float64) {
		delta, _ := accounting.BoundedRangeDP(f.in("eps")).Profile(f.in("t"))
		return same(delta)
	}, 0},
	{"bounded-range-adaptive", func(t *testing.T, f batchFigure) (float64, float64) {
		return f.numerical(t, []accounting.Entry{{Release: Exponential{Epsilon: f.in("eps"),
			Sensitivity: 1}.Releases(1)[0].Release, Count: f.in("count")}})
	}, 0},
	{"bounded-range-nonadaptive", func(t *testing.T, f batchFigure) (float64, float64) {
		return f.numerical(t, []accounting.Entry{{Release: Exponential{Epsilon: f.in("eps"), Sensitivity: 1,
			Fixed: true}.Releases(1)[0].Release, Count: f.in("count")}})
	}, 0},
	{"bounded-range-logistic", func(t *testing.T, f batchFigure) (float64, float64) {
		i, err := pld.Epsilon(context.Background(), []pairs.Part{{Pair: pairs.BoundedRange(f.in("eps")), Count: f.in("count")}},
			f.in("delta"), pld.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return i.Lower, i.Upper
	}, 0},
	{"ldp-grr-var", func(t *testing.T, f batchFigure) (float64, float64) {
		return same(RandomizedResponse{Epsilon: f.in("eps"), Categories: f.in("k")}.EstimatorVariance(f.in("f"), f.in("n")))
	}, 0},
	{"ldp-oue-var", oracleVariance(OUE), 0},
	{"ldp-rappor-var", oracleVariance(SUE), 0},
	{"ldp-hadamard-var", oracleVariance(Hadamard), 0},
	{"ldp-olh-var", oracleVariance(OLH), 0},
	{"ldp-grr-oue-threshold", func(t *testing.T, f batchFigure) (float64, float64) {
		below := Frequency{Protocol: GRR, Epsilon: f.in("eps"), Domain: math.Floor(f.Value)}.BestProtocol()
		above := Frequency{Protocol: GRR, Epsilon: f.in("eps"), Domain: math.Ceil(f.Value)}.BestProtocol()
		if below != GRR || above != OUE {
			t.Errorf("%s below the threshold, %s above it", below, above)
		}
		return same(f.Value)
	}, 0},
	{"shuffle-model-closed", func(t *testing.T, f batchFigure) (float64, float64) { // looser than the pair
		return f.shuffled(t, Pure{Epsilon: f.in("eps0")})
	}, -1},
	{"shuffle-model-general", func(t *testing.T, f batchFigure) (float64, float64) {
		return f.shuffled(t, Pure{Epsilon: f.in("eps0")})
	}, 0},
	{"shuffle-model-2rr", func(t *testing.T, f batchFigure) (float64, float64) {
		return f.shuffled(t, RandomizedResponse{Epsilon: f.in("eps0"), Categories: 2})
	}, 0},
	// The attack of the source is better than the one behind the lower end, and below the upper end.
	{"shuffle-model-krr-lower", func(t *testing.T, f batchFigure) (float64, float64) {
		return f.shuffled(t, RandomizedResponse{Epsilon: f.in("eps0"), Categories: f.in("k")})
	}, 1.3},
	{"selection-gamma", func(t *testing.T, f batchFigure) (float64, float64) {
		best := accounting.BestOf(accounting.ConcentratedDP(0, 0.05), accounting.Runs{Mean: f.in("mean"), Shape: f.in("eta")})
		for _, b := range accounting.ClosedForms(context.Background(), []accounting.Entry{{Release: best, Count: 1}},
			accounting.Target{Delta: 1e-6}) {
			for _, q := range b.Inputs {
				if q.Symbol == "γ" {
					return same(q.Value)
				}
			}
		}
		t.Fatal("γ is not told")
		return 0, 0
	}, 0},
	{"noisy-max-laplace-pair", func(t *testing.T, f batchFigure) (float64, float64) {
		return f.numerical(t, []accounting.Entry{{Release: NoisyMax{Epsilon: f.in("eps"), Sensitivity: 1,
			Shape: "exponential"}.Releases(1)[0].Release, Count: f.in("count")}})
	}, 0},
}

// oracleVariance asks for the variance of one report's estimate by a frequency oracle.
func oracleVariance(by Protocol) func(*testing.T, batchFigure) (float64, float64) {
	return func(t *testing.T, f batchFigure) (float64, float64) {
		oracle := Frequency{Protocol: by, Epsilon: f.in("eps"), Domain: 16}
		if g := f.in("g"); g > 0 && g != oracle.HashRange() {
			t.Errorf("hashes into %v values, want %v", oracle.HashRange(), g)
		}
		return same(oracle.Variance(f.in("f")) / f.in("n"))
	}
}

// shuffled returns the interval of a round of shuffled reports.
func (f batchFigure) shuffled(t *testing.T, of Mechanism) (lower, upper float64) {
	entries, _, err := Entries(Shuffle{Of: of, People: f.in("n")}, Setting{Adjacency: Replace})
	if err != nil {
		t.Fatal(err)
	}
	return f.numerical(t, entries)
}

func rootMeanSquare(t *testing.T, f batchFigure) (float64, float64) {
	m := f.factorised(t)
	_, rms, _ := m.RunningError(m.Factorisation)
	return same(rms * m.Mu())
}

// notAsked are the figures that the program has no question for, by the beginning of their
// names, with the reason that docs/limits.md gives.
var notAsked = map[string]string{
	"ptr-threshold": "a threshold on data, before the releases that propose-test-release is stacked as",
	"smooth-beta":   "a parameter of the noise, before the release that smooth sensitivity is stacked as",
}

// Every figure is the program's, or lies between the ends it gives; and every one is asked
// for, or known not to be. The quick form asks for one figure of each kind.
func TestBatchFigures(t *testing.T) {
	figures := gauge.ReadFigures[[]batchFigure](t, "testdata/batches.json")
	asked, known, ofKind := 0, 0, map[int]int{}
	for _, f := range figures {
		way := -1
		for i, a := range askedFor {
			if strings.HasPrefix(f.Name, a.prefix) {
				way = i
			}
		}
		if way < 0 {
			for prefix := range notAsked {
				if strings.HasPrefix(f.Name, prefix) {
					known++
					way = -2
				}
			}
			if way == -1 {
				t.Errorf("%s is not asked for", f.Name)
			}
			continue
		}
		if ofKind[way]++; ofKind[way] > gauge.Cases(1, len(figures)) {
			continue
		}
		asked++
		t.Run(f.Name, func(t *testing.T) {
			lower, upper := askedFor[way].ask(t, f)
			slack := math.Max(f.Tolerance, 1e-3)
			if f.Bound == "exact" && lower == upper {
				slack = math.Max(f.Tolerance, 1e-6)
			}
			least := f.Value
			if f.Lower > 0 {
				least = f.Lower
			}
			ok := lower <= f.Value*(1+1e-6) && upper >= least*(1-1e-9-f.Tolerance)
			switch loose := askedFor[way].loose; {
			case loose < 0:
				ok = upper <= f.Value
			case loose > 0:
				ok = upper >= f.Value*(1-1e-9) && upper <= f.Value*(1+loose)
			case f.Bound == "lower": // any larger end is right too
				ok = lower >= f.Value*(1-slack) && upper >= f.Value
			default:
				ok = ok && upper <= f.Value*(1+slack)
			}
			if !ok {
				t.Errorf("%v to %v, want %v (%s)", lower, upper, f.Value, f.Bound)
			}
		})
	}
	t.Logf("%d figures asked for, %d not", asked, known)
	trust, err := os.ReadFile("../docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	for prefix, reason := range notAsked {
		if !strings.Contains(string(trust), reason) {
			t.Errorf("docs/limits.md does not say of %s that %s", prefix, reason)
		}
	}
}
