package accounting

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"
)

// figure is a row of the reference figures: computed independently, mostly at 50
// digits, as its "how" says.
type figure struct {
	ID       string
	Kind     string
	Quantity string
	Params   struct {
		Scale, Sensitivity, Sigma, Mu, Type1 float64
		Mus                                  []float64
		Eps0, Delta0, K, Q, Rho              float64
		Group                                float64
		DeltaPrime                           float64   `json:"delta_prime"`
		EpsList                              []float64 `json:"eps_list"`
		DeltaList                            []float64 `json:"delta_list"`
		Mechanism, Direction                 string
	}
	Alpha, Eps, Delta float64
	Expected          any
	Tolerance         float64 `json:"tolerance_rel"`
	How               string
}

func (f figure) want() float64 {
	if f.Expected == "inf" {
		return math.Inf(1)
	}
	return f.Expected.(float64)
}

func (f figure) list() []Entry {
	var stack []Entry
	for i, e := range f.Params.EpsList {
		d := 0.0
		if i < len(f.Params.DeltaList) {
			d = f.Params.DeltaList[i]
		}
		stack = append(stack, Entry{ApproximateDP(e, d), 1})
	}
	return stack
}

func (f figure) copies(r Release) []Entry { return []Entry{{r, f.Params.K}} }

func (f figure) at(t *testing.T, m Method, stack []Entry) float64 {
	b := Evaluate(context.Background(), m, stack, Target{Delta: f.Delta})
	if !b.Finite() && b.Status != Vacuous {
		t.Fatalf("%s: %s", m, b.Note)
	}
	return b.Epsilon
}

// answers computes each kind of figure that composition, conversion or sampling
// concerns. Kinds of single mechanisms are tested where the mechanisms are.
var answers = map[string]func(*testing.T, figure) float64{
	"gaussian_delta": func(t *testing.T, f figure) float64 {
		d, _ := GaussianDP(1 / f.Params.Sigma).Profile(f.Eps)
		return d
	},
	"gaussian_eps": func(t *testing.T, f figure) float64 {
		return f.at(t, Basic, []Entry{{GaussianDP(1 / f.Params.Sigma), 1}})
	},
	"gaussian_sigma_analytic": func(t *testing.T, f figure) float64 {
		return f.Params.Sensitivity / GaussianFromDP(f.Eps, f.Delta)
	},
	"gaussian_rdp": func(t *testing.T, f figure) float64 {
		r, _ := GaussianDP(f.Params.Sensitivity / f.Params.Sigma).Renyi(f.Alpha)
		return r
	},
	"gaussian_zcdp": func(t *testing.T, f figure) float64 {
		r, _ := GaussianDP(f.Params.Sensitivity / f.Params.Sigma).Concentrated()
		return r
	},
	"gaussian_kfold_eps": func(t *testing.T, f figure) float64 {
		return f.at(t, GDP, f.copies(GaussianDP(1/f.Params.Sigma)))
	},
	"gdp_delta":    func(t *testing.T, f figure) float64 { return GaussianToDelta(f.Params.Mu, f.Eps) },
	"gdp_tradeoff": func(t *testing.T, f figure) float64 { return GaussianTradeOff(f.Params.Mu, f.Params.Type1) },
	"gdp_compose": func(t *testing.T, f figure) float64 {
		var run []Entry
		for _, mu := range f.Params.Mus {
			run = append(run, Entry{GaussianDP(mu), 1})
		}
		mu, _ := Composite(run).Gaussian()
		return mu
	},
	"pure_dp_rdp": func(t *testing.T, f figure) float64 {
		r, _ := PureDP(f.Params.Eps0).Renyi(f.Alpha)
		return r
	},
	"pure_dp_zcdp":       func(t *testing.T, f figure) float64 { return PureToConcentratedClassic(f.Params.Eps0) },
	"pure_dp_zcdp_tight": func(t *testing.T, f figure) float64 { return PureToConcentrated(f.Params.Eps0) },
	"bounded_range_zcdp": func(t *testing.T, f figure) float64 { // ε²/8, which is never exceeded
		return math.Max(boundedRangeRho(f.Params.Eps0), f.Params.Eps0*f.Params.Eps0/8)
	},
	"basic_composition": func(t *testing.T, f figure) float64 {
		return f.at(t, Basic, f.copies(PureDP(f.Params.Eps0)))
	},
	"basic_composition_hetero": func(t *testing.T, f figure) float64 {
		b := Evaluate(context.Background(), Basic, f.list(), Target{Delta: 1e-3})
		if f.Quantity == "delta" {
			return b.Delta
		}
		return b.Epsilon
	},
	"parallel_composition": func(t *testing.T, f figure) float64 {
		var branches [][]Entry
		for _, e := range f.list() {
			branches = append(branches, []Entry{e})
		}
		return f.at(t, Basic, []Entry{{Parallel(branches, false), 1}})
	},
	"advanced_drv": func(t *testing.T, f figure) float64 { return f.at(t, Advanced, f.copies(PureDP(f.Params.Eps0))) },
	"advanced_drv_delta": func(t *testing.T, f figure) float64 { // the split, read backwards
		total := f.Params.K*f.Params.Delta0 + f.Params.DeltaPrime
		b := Evaluate(context.Background(), Advanced,
			f.copies(ApproximateDP(0.01, f.Params.Delta0)), Target{Delta: total})
		return b.Inputs[1].Value + b.Inputs[2].Value
	},
	"advanced_drv_hetero": func(t *testing.T, f figure) float64 { return f.at(t, Advanced, f.list()) },
	"advanced_kov_hetero": func(t *testing.T, f figure) float64 { return f.at(t, AdvancedKOV, f.list()) },
	"kov_delta": func(t *testing.T, f figure) float64 { // ε at δ, read backwards
		_, logDelta := special.BracketRoot(func(logDelta float64) float64 {
			releases := f.copies(ApproximateDP(f.Params.Eps0, f.Params.Delta0))
			b := Evaluate(context.Background(), Optimal, releases, Target{Delta: math.Exp(logDelta)})
			return math.Min(b.Epsilon, 1e9) - f.Eps
		}, -700, 0, 1e-15)
		return math.Exp(logDelta)
	},
	"kov_eps": func(t *testing.T, f figure) float64 {
		return f.at(t, Optimal, f.copies(ApproximateDP(f.Params.Eps0, f.Params.Delta0)))
	},
	"discrete_laplace_kfold_eps": func(t *testing.T, f figure) float64 { // Δ = 1 is randomized response
		return f.at(t, Optimal, f.copies(PureDP(1/f.Params.Scale)))
	},
	"hetero_optimal_eps": func(t *testing.T, f figure) float64 { return f.at(t, Optimal, f.list()) },
	"zcdp_to_dp_basic": func(t *testing.T, f figure) float64 {
		return f.at(t, ZCDPClassic, []Entry{{ConcentratedDP(0, f.Params.Rho), 1}})
	},
	"zcdp_to_dp_cks": func(t *testing.T, f figure) float64 {
		return f.at(t, ZCDP, []Entry{{ConcentratedDP(0, f.Params.Rho), 1}})
	},
	"zcdp_to_dp_cks_delta": func(t *testing.T, f figure) float64 { return ConcentratedToDelta(f.Params.Rho, f.Eps) },
	"rdp_to_dp_mironov":    func(t *testing.T, f figure) float64 { return f.at(t, RDPClassic, f.copies(f.mechanism())) },
	"rdp_to_dp_cks":        func(t *testing.T, f figure) float64 { return f.at(t, RDP, f.copies(f.mechanism())) },
	"subsampled_gaussian_rdp": func(t *testing.T, f figure) float64 {
		r := Subsample(GaussianDP(1/f.Params.Sigma), f.Params.Q)
		if f.Params.Direction == "add" { // the release answers for the worse direction
			pair, _ := r.Pair()
			return pair.Add.Renyi(f.Alpha)
		}
		v, _ := r.Renyi(f.Alpha)
		return v
	},
	"subsampled_gaussian_delta": func(t *testing.T, f figure) float64 {
		pair, err := Subsample(GaussianDP(1/f.Params.Sigma), f.Params.Q).Pair()
		if err != nil {
			t.Fatal(err)
		}
		loss := map[string]*pairs.Loss{"add": pair.Add, "remove": pair.Remove}[f.Params.Direction]
		return math.Exp(loss.LogDelta(f.Eps))
	},
	"dpsgd_rdp_eps": func(t *testing.T, f figure) float64 {
		return f.at(t, RDP, f.copies(Subsample(GaussianDP(1/f.Params.Sigma), f.Params.Q)))
	},
	"gdp_clt_mu_poisson": func(t *testing.T, f figure) float64 {
		return math.Sqrt(f.Params.K) * poissonLimit(f.Params.Q, 1/f.Params.Sigma)
	},
	"gdp_clt_mu_uniform": func(t *testing.T, f figure) float64 {
		return math.Sqrt(f.Params.K) * uniformLimit(f.Params.Q, 1/f.Params.Sigma)
	},
	"gdp_clt_eps_poisson": func(t *testing.T, f figure) float64 {
		return f.at(t, GDP, f.copies(Subsample(GaussianDP(1/f.Params.Sigma), f.Params.Q)))
	},
	"group_pure": func(t *testing.T, f figure) float64 {
		return f.at(t, Basic, []Entry{{GroupPrivacy(PureDP(f.Params.Eps0), f.Params.Group), 1}})
	},
	"group_approx_delta_geometric": func(t *testing.T, f figure) float64 {
		_, d, _ := GroupPrivacy(ApproximateDP(f.Params.Eps0, f.Params.Delta0), f.Params.Group).Approximate()
		return d
	},
	"group_zcdp": func(t *testing.T, f figure) float64 {
		r, _ := GroupPrivacy(ConcentratedDP(0, f.Params.Rho), f.Params.Group).Concentrated()
		return r
	},
	"group_gdp": func(t *testing.T, f figure) float64 {
		mu, _ := GroupPrivacy(GaussianDP(f.Params.Mu), f.Params.Group).Gaussian()
		return mu
	},
	"amplification_eps": func(t *testing.T, f figure) float64 {
		e, _, _ := Subsample(ApproximateDP(f.Params.Eps0, f.Params.Delta0), f.Params.Q).Approximate()
		return e
	},
	"amplification_delta": func(t *testing.T, f figure) float64 {
		_, d, _ := Subsample(ApproximateDP(f.Params.Eps0, f.Params.Delta0), f.Params.Q).Approximate()
		return d
	},
}

func (f figure) mechanism() Release {
	switch f.Params.Mechanism {
	case "gaussian":
		return GaussianDP(1 / f.Params.Sigma)
	case "laplace":
		return laplace(1 / f.Params.Scale)
	}
	return PureDP(f.Params.Eps0)
}

func TestReferenceFigures(t *testing.T) {
	figures := gauge.ReadFigures[[]figure](t, "testdata/figures.json")
	checked := 0
	for _, f := range figures {
		if f.Kind == "hetero_optimal_delta" {
			checked++
			t.Run(f.ID, func(t *testing.T) { // the curve is inverted: ε at that δ
				f.Delta = f.want()
				within(t, f.at(t, Optimal, f.list()), f.Eps, 1e-9)
			})
			continue
		}
		answer, ok := answers[f.Kind]
		if !ok {
			continue
		}
		checked++
		t.Run(f.ID, func(t *testing.T) { within(t, answer(t, f), f.want(), f.Tolerance) })
	}
	if checked < 95 {
		t.Errorf("only %d figures were checked", checked)
	}
}

func within(t *testing.T, got, want, tolerance float64) {
	t.Helper()
	if got == want {
		return
	}
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%.17g, want %.17g: off by %.2g, allowed %.2g", got, want, math.Abs(got/want-1), tolerance)
	}
}
