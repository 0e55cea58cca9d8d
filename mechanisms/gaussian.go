package mechanisms

import (
	"math"

	"epsiloscope/accounting"
)

// Gaussian adds normal noise of standard deviation σ to every coordinate of an
// answer whose L2 sensitivity is Δ₂. It is exactly μ-GDP with μ = Δ₂/σ (Dong,
// Roth, Su 2019); it has no pure ε.
type Gaussian struct {
	Sigma       float64 // standard deviation of the noise, in units of the answer
	Sensitivity float64 // Δ₂
}

var gaussianSpec = Spec{
	Name: "gaussian", Title: "Gaussian",
	Summary: "adds normal noise; best when many answers are released together",
	Params: []Param{
		optional(sigmaParam("standard deviation of the noise")),
		optional(epsilonParam("privacy loss to calibrate the noise to")),
		{
			Name: "delta", Symbol: "δ", Help: "failure probability to calibrate the noise to", Type: Number,
			Min: 0, OpenMin: true, Max: 1, OpenMax: true,
			Optional: true, Initial: NumberValue(1e-6), Step: 10, Log: true,
		},
		{
			Name: "calibration", Help: "formula that turns ε and δ into σ", Type: Choice,
			Choices: []string{"analytic", "classic"},
			Default: ChoiceValue("analytic"), Initial: ChoiceValue("analytic"),
		},
		sensitivityParam("Δ₂", "most one record can change the answer (L2: the length of the change)"),
	},
	Alternatives: []Alternative{{Sets: [][]string{{"sigma"}, {"epsilon", "delta"}}}},
	Source:       "Balle, Wang 2018 (analytic); Dwork, Roth 2014, Theorem 3.22 (classic)",
	Notes: []string{
		"Slides print the Rényi curve as αΔ₂/(2σ²) and ρ as Δ₂/(2σ²); the sensitivity is squared.",
		"The classic formula σ = Δ√(2 ln(1.25/δ))/ε is proven for ε < 1 only, which some slides drop; from ε = 8.42 (δ = 1e-5) it is truly too small.",
		"A sensitivity that holds \"with high probability\", such as the slide's 3/ln n, is none: clip, or the release is not private; under replace the range is then 6/ln n.",
	},
}

func init() { gaussianSpec.Build = buildGaussian }

func sigmaParam(help string) Param {
	return Param{
		Name: "sigma", Symbol: "σ", Unit: "answer", Help: help, Type: Number,
		Min: 0, OpenMin: true, Max: math.Inf(1),
		Required: true, Initial: NumberValue(10), Step: 1.1, Log: true,
	}
}

func buildGaussian(v Values) (Mechanism, error) {
	r := reader{&gaussianSpec, v}
	g := Gaussian{Sigma: r.number("sigma"), Sensitivity: r.number("sensitivity")}
	param := "sigma"
	if !r.has("sigma") {
		param = "epsilon"
		epsilon, delta := r.number("epsilon"), r.number("delta")
		calibrate := AnalyticSigma
		if r.choice("calibration") == "classic" {
			if epsilon >= 1 {
				return nil, &ParamError{"epsilon", "must be less than 1 with the classic calibration, which is proven only there, got " +
					FormatNumber(epsilon) + "; use calibration: analytic"}
			}
			calibrate = ClassicSigma
		}
		g.Sigma = calibrate(epsilon, delta, g.Sensitivity)
	}
	return g, checkLoss(param, g.Mu())
}

// Kind is "gaussian".
func (Gaussian) Kind() string { return "gaussian" }

// Mu is Δ₂/σ: how many standard deviations one record moves the answer.
func (g Gaussian) Mu() float64 { return g.Sensitivity / g.Sigma }

// Releases is one release.
func (g Gaussian) Releases() []accounting.Entry { return once(g.Release()) }

// Release is one answer.
func (g Gaussian) Release() accounting.Release { return accounting.GaussianDP(g.Mu()) }

func (g Gaussian) releasesFor(k float64) []accounting.Entry {
	return once(Gaussian{g.Sigma, g.Sensitivity * k}.Release())
}

func (g Gaussian) answers() (here, neighbour Noise) { return around(g.Noise(), g.Sensitivity) }
