package selfcheck

import (
	"context"
	"errors"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/selection"
	"epsiloscope/scenarios"
)

// kinds says how each kind of figure is computed that is not the ε of a stack.
var kinds = map[string]func(context.Context, Figure) (answer, error){
	// One release, asked for one of its currencies.
	"laplace_pure":              ask(laplace, pureEpsilon),
	"laplace_delta":             ask(laplace, delta),
	"laplace_rdp":               ask(laplace, renyi),
	"gaussian_delta":            ask(gaussian, delta),
	"gaussian_rdp":              ask(gaussian, renyi),
	"gaussian_zcdp":             ask(gaussian, rho),
	"rr_eps":                    ask(randomizedResponse, pureEpsilon),
	"rr_rdp":                    ask(randomizedResponse, renyi),
	"rr_delta":                  ask(randomizedResponse, delta),
	"pure_dp_rdp":               ask(pure, renyi),
	"pure_dp_zcdp_tight":        ask(pure, rho),
	"discrete_laplace_delta":    ask(geometric, delta),
	"discrete_laplace_rdp":      ask(geometric, renyi),
	"discrete_gaussian_delta":   ask(discreteGaussian, delta),
	"discrete_gaussian_zcdp":    ask(discreteGaussian, rho),
	"subsampled_gaussian_rdp":   ask(dpsgd, renyi),
	"subsampled_gaussian_delta": ask(dpsgd, delta),
	"group_pure":                ask(pure, pureEpsilon),
	"group_gdp":                 ask(gaussian, mu),
	"amplification_eps":         ask(pure, pureEpsilon),

	// A conversion, a calibration, a choice.
	"gdp_delta": plain(func(f Figure) (float64, error) {
		return accounting.GaussianToDelta(f.Params.number("mu"), f.Epsilon), nil
	}),
	"gdp_tradeoff": plain(func(f Figure) (float64, error) {
		return accounting.GaussianTradeOff(f.Params.number("mu"), f.Params.number("type1")), nil
	}),
	"zcdp_to_dp_cks_delta": plain(func(f Figure) (float64, error) {
		return accounting.ConcentratedToDelta(f.Params.number("rho"), f.Epsilon), nil
	}),
	"gaussian_sigma_analytic":          plain(func(f Figure) (float64, error) { return sigma(f, "analytic") }),
	"gaussian_sigma_classic":           plain(func(f Figure) (float64, error) { return sigma(f, "classic") }),
	"exponential_probability":          plain(func(f Figure) (float64, error) { return chance(f, false) }),
	"exponential_probability_monotone": plain(func(f Figure) (float64, error) { return chance(f, true) }),
	"exponential_failure_exact":        plain(failure),
}

// compositions are the kinds that a scenario and a theorem answer.
var compositions = map[string]composition{
	"gaussian_eps":               {accounting.GDP, gaussian},
	"gaussian_kfold_eps":         {accounting.GDP, gaussian},
	"basic_composition":          {accounting.Basic, pure},
	"basic_composition_hetero":   {accounting.Basic, pureList},
	"parallel_composition":       {accounting.Basic, branches},
	"advanced_drv":               {accounting.Advanced, pure},
	"advanced_drv_hetero":        {accounting.Advanced, pureList},
	"advanced_kov_hetero":        {accounting.AdvancedKOV, pureList},
	"kov_eps":                    {accounting.Optimal, pure},
	"zcdp_to_dp_basic":           {accounting.ZCDPClassic, zcdp},
	"zcdp_to_dp_cks":             {accounting.ZCDP, zcdp},
	"rdp_to_dp_mironov":          {accounting.RDPClassic, named},
	"rdp_to_dp_cks":              {accounting.RDP, named},
	"dpsgd_rdp_eps":              {accounting.RDP, dpsgd},
	"gdp_clt_eps_poisson":        {accounting.GDP, dpsgd},
	"hetero_optimal_eps":         {accounting.Optimal, pureList},
	"laplace_kfold_eps":          {accounting.Numerical, laplace},
	"gaussian_laplace_eps":       {accounting.Numerical, gaussianAndLaplace},
	"discrete_laplace_kfold_eps": {accounting.Numerical, geometric},
	"dpsgd_eps":                  {accounting.Numerical, dpsgd},
}

type composition struct {
	method accounting.Method
	stack  func(Params) []scenarios.Entry
}

// Scenario is the figure as a scenario and the method that answers it; false for
// figures that are not the ε of a stack.
func (f Figure) Scenario() (*scenarios.Scenario, accounting.Method, bool) {
	c, ok := compositions[f.Kind]
	if !ok {
		return nil, "", false
	}
	return scenario(f, c.stack), c.method, true
}

func plain(f func(Figure) (float64, error)) func(context.Context, Figure) (answer, error) {
	return func(_ context.Context, fig Figure) (answer, error) {
		x, err := f(fig)
		return answer{value: x}, err
	}
}

// ask builds the scenario of a figure and asks its only release for a currency.
func ask(stack func(Params) []scenarios.Entry, currency func(accounting.Release, Figure) (float64, error)) func(context.Context, Figure) (answer, error) {
	return func(_ context.Context, f Figure) (answer, error) {
		s := scenario(f, stack)
		composed, err := scenarios.NewEvaluator().Stack(s, scenarios.Options{})
		if err != nil {
			return answer{}, err
		}
		if len(composed) != 1 {
			return answer{}, fmt.Errorf("expected one release, the stack has %d", len(composed))
		}
		x, err := currency(composed[0].Release, f)
		return answer{value: x}, err
	}
}

// compose evaluates the scenario of a figure by one method.
func compose(ctx context.Context, f Figure) (answer, error) {
	s, m, _ := f.Scenario()
	r, err := scenarios.Evaluate(ctx, s, scenarios.Options{
		Precision: math.Min(1e-3, f.Tolerance), Closed: m != accounting.Numerical,
	})
	if err != nil {
		return answer{}, err
	}
	for _, b := range r.Bounds {
		if b.Method != m {
			continue
		}
		if !b.Finite() {
			return answer{}, errors.New(b.Note)
		}
		return answer{value: b.Epsilon, lower: b.Lower, interval: m == accounting.Numerical}, nil
	}
	return answer{}, fmt.Errorf("the comparison has no column %s", m)
}

func scenario(f Figure, stack func(Params) []scenarios.Entry) *scenarios.Scenario {
	s := scenarios.New()
	s.Name = f.ID
	s.Budget.Delta = f.Delta
	s.Group = f.Params.or("group", 1)
	s.Stack = stack(f.Params)
	if deltas := f.Params.list("delta_list"); f.Delta == 0 && len(deltas) > 0 {
		for _, d := range deltas {
			s.Budget.Delta += d
		}
	}
	return s
}

func pureEpsilon(r accounting.Release, _ Figure) (float64, error) {
	epsilon, _, err := r.Approximate()
	return epsilon, err
}
func delta(r accounting.Release, f Figure) (float64, error) { return r.Profile(f.Epsilon) }
func renyi(r accounting.Release, f Figure) (float64, error) { return r.Renyi(f.Alpha) }
func rho(r accounting.Release, _ Figure) (float64, error)   { return r.Concentrated() }
func mu(r accounting.Release, _ Figure) (float64, error)    { return r.Gaussian() }

// sigma is the noise that the Gaussian mechanism is calibrated to.
func sigma(f Figure, calibration string) (float64, error) {
	values := param.Values{
		"epsilon":     param.NumberValue(f.Epsilon),
		"delta":       param.NumberValue(f.Delta),
		"calibration": param.ChoiceValue(calibration),
		"sensitivity": param.NumberValue(f.Params.number("sensitivity")),
	}
	if _, err := mechanisms.New("gaussian", values); err != nil {
		return 0, err
	}
	return mechanisms.Equivalents("gaussian", values)["sigma"], nil
}

// chance is the probability that the exponential mechanism picks one candidate.
func chance(f Figure, monotone bool) (float64, error) {
	s, err := picked(f, monotone)
	if err != nil {
		return 0, err
	}
	return s.Probabilities[int(f.Params.number("index"))], nil
}

// failure is the probability of a score that lies a gap or more below the best.
func failure(f Figure) (float64, error) {
	s, err := picked(f, false)
	if err != nil {
		return 0, err
	}
	return s.Tail(f.Params.number("gap")), nil
}

// picked is the exponential mechanism of a figure, at work on its scores.
func picked(f Figure, monotone bool) (*selection.Distribution, error) {
	m, err := mechanisms.New("exponential", param.Values{
		"epsilon":     param.NumberValue(f.Params.number("eps0")),
		"sensitivity": param.NumberValue(f.Params.number("sensitivity")),
		"monotone":    param.FlagValue(monotone),
		"scores":      param.ScoresValue(f.Params.list("scores")...),
	})
	if err != nil {
		return nil, err
	}
	s, ok := m.(mechanisms.Selector)
	if !ok {
		return nil, errors.New("the exponential mechanism selects nothing")
	}
	return s.Selection()
}
