package mechanisms

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms/param"

	"gonum.org/v1/gonum/stat/distuv"
)

// Gaussian adds normal noise of standard deviation σ to every coordinate of an
// answer whose L2 sensitivity is Δ₂. It is exactly μ-GDP with μ = Δ₂/σ (Dong,
// Roth, Su 2019); it has no pure ε.
type Gaussian struct {
	Sigma       float64 // standard deviation of the noise, in units of the answer
	Sensitivity float64 // Δ₂
}

func gaussianSpec() Spec {
	return Spec{
		Name: "gaussian", Title: "Gaussian",
		Summary: "adds normal noise; best when many answers are released together",
		Params: []param.Param{
			optional(sigmaParam("standard deviation of the noise")),
			scalesWithNoise(0, optional(epsilonParam("privacy loss to calibrate the noise to"))), // not by a power
			lessThan(1, optional(positive("delta", "δ", "failure probability to calibrate the noise to", 1e-6, 10))),
			oneOf("calibration", "formula that turns ε and δ into σ", "analytic", "classic"),
			sensitivityParam("Δ₂", "most one record can change the answer (L2: the length of the change)"),
		},
		Alternatives: []param.Alternative{{Sets: [][]string{{"sigma"}, {"epsilon", "delta"}}}},
		build:        buildGaussian, ZeroOutIsRemoval: true, Norm: L2,
		Source: "Balle, Wang 2018 (analytic); Dwork, Roth 2014, Theorem 3.22 (classic)",
		Notes: []string{
			"Slides print the Rényi curve as αΔ₂/(2σ²) and ρ as Δ₂/(2σ²); the sensitivity is squared.",
			"The classic formula σ = Δ√(2 ln(1.25/δ))/ε is proven for ε < 1 only, which some slides drop; from ε = 8.42 (δ = 1e-5) it is truly too small.",
			"A sensitivity that holds \"with high probability\", such as the slide's 3/ln n, is none: clip, or the release is not private; under replace the range is then 6/ln n.",
		},
	}
}

func sigmaParam(help string) param.Param {
	return scalesWithNoise(1, inUnit("answer", positive("sigma", "σ", help, 10, 1.1)))
}

func buildGaussian(r reader) (Mechanism, error) {
	g := Gaussian{Sigma: r.number("sigma"), Sensitivity: r.number("sensitivity")}
	field := "sigma"
	if !r.has("sigma") {
		field = "epsilon"
		epsilon, delta := r.number("epsilon"), r.number("delta")
		calibrate := AnalyticSigma
		if r.choice("calibration") == "classic" {
			if epsilon >= 1 {
				return nil, param.Errorf("epsilon", "must be less than 1 with the classic calibration, which is proven only there, got %s; use calibration: analytic",
					numeral.Format(epsilon))
			}
			calibrate = ClassicSigma
		}
		g.Sigma = calibrate(epsilon, delta, g.Sensitivity)
	}
	return g, checkLoss(field, g.Mu())
}

func (Gaussian) Kind() string { return "gaussian" }

// Mu returns Δ₂/σ: how many standard deviations one record moves the answer.
func (g Gaussian) Mu() float64 { return g.Sensitivity / g.Sigma }

func (g Gaussian) Releases(k float64) []accounting.Entry {
	return releasesOf(g, k, func() []accounting.Entry {
		return oneRelease(accounting.GaussianDP(g.Sensitivity * k / g.Sigma))
	})
}

func (g Gaussian) validate() error {
	return cmp.Or(requirePositive(field{"Sigma", g.Sigma}, field{"Sensitivity", g.Sensitivity}), checkLoss("Sigma", g.Mu()))
}

// ClassicSigma returns Δ√(2 ln(1.25/δ))/ε (Dwork & Roth 2014, Theorem 3.22). It is
// proven for ε < 1 only.
func ClassicSigma(epsilon, delta, sensitivity float64) float64 {
	return sensitivity * math.Sqrt(2*math.Log(1.25/delta)) / epsilon
}

// AnalyticSigma returns the smallest σ for which Gaussian noise is (ε, δ)-DP (Balle &
// Wang 2018, Theorem 8), from above: the σ returned meets δ. Both ε > 0 and δ in (0, 1).
func AnalyticSigma(epsilon, delta, sensitivity float64) float64 {
	return sensitivity / accounting.GaussianFromDP(epsilon, delta)
}

// GaussianNoise returns normal with standard deviation σ.
func GaussianNoise(sigma float64) Noise { return scaledNoise{&normalShape, sigma} }

var normalShape = shape{
	density: special.NormalPDF, cdf: special.NormalCDF,
	quantile: distuv.UnitNormal.Quantile, rand: (*rand.Rand).NormFloat64,
}

// Noise returns the noise added to every coordinate of the answer.
func (g Gaussian) Noise() Noise { return GaussianNoise(g.Sigma) }

func (g Gaussian) notes(given param.Values, _ Setting) []Note {
	if given["calibration"].Text != "classic" {
		return nil
	}
	return []Note{{"classic-gaussian", "The classic calibration is proven for ε < 1 only and adds more noise than needed; the analytic one is exact."}}
}

// Spread returns σ; ρ = Δ²/(2σ²).
func (g Gaussian) Spread() Spread { return Spread{g.Sigma, g.Sensitivity, 0.5} }

// equivalents gives the ε whose analytic calibration at δ is the mechanism's σ, from
// above. It is solved for in one search: screens ask for it while they are drawn.
func (g Gaussian) equivalents(given param.Values) map[string]float64 {
	const least = 1e-17 // noise without end costs nothing, but an ε is greater than 0
	delta := 1e-6
	if v, ok := given["delta"]; ok {
		delta = v.Number
	}
	return map[string]float64{"sigma": g.Sigma, "delta": delta, "epsilon": math.Max(least, accounting.GaussianToEpsilon(g.Mu(), delta))}
}

// EqualCostNoise returns Laplace noise: its ε lies between the share of basic composition and the whole.
func (g Gaussian) EqualCostNoise(ctx context.Context, count, delta float64) (Noise, string, bool) {
	total := accounting.GaussianToEpsilon(math.Sqrt(count)*g.Mu(), delta)
	found, err := accounting.Solve(ctx, accounting.Search{
		Low: total / count, High: total, Rising: true,
		Cost: func(ctx context.Context, epsilon float64) (float64, error) {
			cost, ok := laplaceCost(ctx, epsilon, count, delta)
			if !ok {
				return 0, errors.New("no bound")
			}
			return cost, nil
		},
	}, total)
	return LaplaceNoise(g.Sensitivity / found.Value), "Laplace at equal cost", err == nil && found.Feasible
}
