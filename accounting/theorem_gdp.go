package accounting

import (
	"context"
	"errors"
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
)

// GDP is Gaussian differential privacy.
const GDP Method = "gdp"

// Gaussian releases compose and convert exactly. Poisson-subsampled ones have a central
// limit μ = q·√(T(e^{1/z²}−1)) (Bu, Dong, Long & Su 2020): an approximation that can lie
// below the truth, marked so and never the best bound.
var gdpTheorem = Theorem{
	Method:    GDP,
	Label:     "GDP",
	Title:     "Gaussian differential privacy",
	Authors:   "Dong, Roth, Su",
	Year:      2022,
	Source:    "Gaussian Differential Privacy (JRSS-B 84), Corollaries 1 and 2; for DP-SGD the limit of Bu, Dong, Long & Su 2020, Theorem 5",
	Formula:   "δ = Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ),   μ = √(Σ Kᵢ·μᵢ²)",
	Looseness: "None for Gaussian noise. For DP-SGD it is a limit, not a bound: it can be too small.",
	Adaptive:  Adaptive{AdaptiveValidIf, "every release is Gaussian noise that is not sampled: it is the GDP filter", "The central limit is not a bound in either mode."},
	CiteKey:   "DongRS22",
	evaluate:  evaluateGDP,
	steps:     gaussianSteps,
}

// poissonLimit returns the μ that one step of Poisson-subsampled Gaussian noise adds, in
// quadrature, to the central limit of many: q·√(e^{μ²}−1), with μ = 1/z the step's
// own parameter without sampling (Bu et al. 2020).
func poissonLimit(q, mu float64) float64 { return q * math.Sqrt(math.Expm1(mu*mu)) }

// uniformLimit returns the central-limit μ per step if each step samples a fixed number qn of
// records without replacement: √2·q·√(e^{μ²}Φ(3μ/2) + 3Φ(−μ/2) − 2) (Dong, Roth & Su 2022,
// section 5). It is an approximation too. Under the root it is about μ²/2: the terms of size 1
// are taken off beforehand.
func uniformLimit(q, mu float64) float64 {
	x := mu / (2 * math.Sqrt2)
	inner := math.Expm1(mu*mu)*special.NormalCDF(1.5*mu) + 0.5*(math.Erf(3*x)-3*math.Erf(x))
	return math.Sqrt2 * q * math.Sqrt(inner)
}

// limiter is a release that has a central limit though it is not Gaussian.
type limiter interface {
	centralLimit() (mu float64, err error)
}

// centralLimit looks for a limiter behind the names a release may carry.
func centralLimit(r Release) (float64, error) {
	if l, ok := unwrapAs[limiter](r); ok {
		return l.centralLimit()
	}
	return 0, errors.New("no central limit")
}

func evaluateGDP(_ context.Context, l *preparedStack) Bound {
	squares, exact := 0.0, true
	for _, e := range l.entries {
		mu, err := e.Release.Gaussian()
		if err != nil {
			limit, lerr := centralLimit(e.Release)
			if lerr != nil {
				return refuse(GDP, err.Error(), Condition{"every release is Gaussian noise, sampled or not", false})
			}
			mu, exact = limit, false
		}
		squares += e.Count * mu * mu
	}
	mu := math.Sqrt(math.Max(squares, math.SmallestNonzeroFloat64)) // it may have underflowed
	conditions := []Condition{
		{"every release is Gaussian noise, sampled or not", true},
		{"none is subsampled, so that the bound is exact", exact},
		{"δ > 0", l.target.Delta > 0},
	}
	if !conditions[2].Holds {
		return refuse(GDP, "Gaussian noise has no pure ε: δ must be above 0", conditions...)
	}
	b := Bound{Status: Valid, Delta: l.target.Delta, Conditions: conditions,
		Epsilon: GaussianToEpsilon(mu, l.target.Delta),
		Note:    "Exact: the stack is Gaussian noise only.",
		Inputs: []Quantity{
			quantity("K", l.total(), "releases"),
			quantity("μ", mu, "Gaussian parameter of the whole stack").as(Cost),
			quantity("δ", l.target.Delta, "total δ"),
		}}
	if !exact {
		b.Status = Unproven
		b.Note = "A central limit, not a bound: for subsampled Gaussian noise the true ε can be larger."
	}
	if math.IsInf(mu, 1) {
		b.Status, b.Note = Vacuous, fmt.Sprintf("μ = %s: the noise is too small for a finite ε.", prose(mu))
	}
	return b
}

func gaussianSteps(b Bound, in inputs) ([]string, float64) {
	mu, e := in["μ"], b.Epsilon
	if !(mu > 0) {
		return nil, math.NaN()
	}
	a, c := special.NormalCDF(mu/2-e/mu), math.Exp(e+special.LogNormalCDF(-mu/2-e/mu))
	return []string{
		fmt.Sprintf("Φ(μ/2 − ε/μ) = Φ(%s) = %s", numeral.Nearest(mu/2-e/mu), numeral.Nearest(a)),
		fmt.Sprintf("e^ε·Φ(−μ/2 − ε/μ) = e^%s · Φ(%s) = %s", numeral.Upper(e), numeral.Nearest(-mu/2-e/mu), numeral.Nearest(c)),
		fmt.Sprintf("their difference is δ = %s at ε = %s", numeral.Nearest(GaussianToDelta(mu, e)), numeral.Upper(e)),
	}, math.NaN()
}
