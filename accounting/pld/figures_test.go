package pld

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// figure is a row of testdata/figures.json: values computed at 50 digits, each with
// how it was obtained.
type figure struct {
	ID, Kind, How string
	Params        struct {
		Sigma, Scale, Q, K, Eps0, Delta0 float64
		Sensitivity                      int
		Direction                        string
		EpsList                          []float64 `json:"eps_list"`
		DeltaList                        []float64 `json:"delta_list"`
	}
	Eps, Delta *float64
	Expected   float64
	Tolerance  float64 `json:"tolerance_rel"`
}

// stack builds what a row is about; a row about one direction has that loss twice.
func (f figure) stack() []pairs.Part {
	p := f.Params
	count := math.Max(1, p.K)
	switch f.Kind {
	case "discrete_laplace_kfold_eps":
		return []pairs.Part{{Pair: pairs.DiscreteLaplace(p.Scale, p.Sensitivity), Count: count}}
	case "dpsgd_eps", "subsampled_gaussian_delta":
		pair := sgd(p.Q, p.Sigma)
		if p.Direction == "add" {
			return []pairs.Part{{Pair: pairs.SymmetricPair(pair.Add), Count: count}}
		}
		return []pairs.Part{{Pair: pairs.SymmetricPair(pair.Remove), Count: count}}
	case "gaussian_kfold_eps":
		return []pairs.Part{{Pair: pairs.Gaussian(1 / p.Sigma), Count: count}}
	case "gaussian_laplace_delta", "gaussian_laplace_eps":
		return []pairs.Part{{Pair: pairs.Gaussian(1 / p.Sigma), Count: 1}, {Pair: pairs.Laplace(1 / p.Scale), Count: 1}}
	case "hetero_optimal_delta", "hetero_optimal_eps":
		var parts []pairs.Part
		for i, e := range p.EpsList {
			parts = append(parts, pairs.Part{Pair: pairs.Approximate(e, p.DeltaList[i]), Count: 1})
		}
		return parts
	case "kov_eps":
		return []pairs.Part{{Pair: pairs.Approximate(p.Eps0, p.Delta0), Count: count}}
	case "laplace_kfold_delta", "laplace_kfold_eps":
		return []pairs.Part{{Pair: pairs.Laplace(1 / p.Scale), Count: count}}
	}
	return nil
}

func TestFigures(t *testing.T) {
	rows := gauge.ReadFigures[[]figure](t, "testdata/figures.json")
	for _, f := range rows {
		parts := f.stack()
		if parts == nil {
			t.Errorf("%s: unknown kind %s", f.ID, f.Kind)
			continue
		}
		slack := f.Expected * f.Tolerance
		if f.Eps != nil {
			lower, upper, err := DeltaAt(context.Background(), parts, *f.Eps, Options{})
			if err != nil || lower > f.Expected+slack || upper < f.Expected-slack || upper > 1.1*f.Expected {
				t.Errorf("%s: [%.12g, %.12g], want %.12g (%s) %v", f.ID, lower, upper, f.Expected, f.How, err)
			}
			continue
		}
		i, err := Epsilon(context.Background(), parts, *f.Delta, Options{})
		if f.Tolerance > 1e-4 { // the row's own tolerance is that of its first users
			slack = f.Expected * 1e-8
		}
		if err != nil || i.Lower > f.Expected+slack || i.Upper < f.Expected-slack || i.width() > 1e-3 {
			t.Errorf("%s: [%.12g, %.12g], want %.12g (%s) %v", f.ID, i.Lower, i.Upper, f.Expected, f.How, err)
		}
	}
}
