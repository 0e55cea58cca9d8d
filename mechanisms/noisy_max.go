package mechanisms

import (
	"epsiloscope/accounting"
)

// NoisyMax adds noise to every candidate's score and reports which is largest
// (Dwork & Roth 2014, Claim 3.9). The noise has scale 2Δ/ε, or Δ/ε where scores
// are monotone. With Gumbel noise it is the exponential mechanism; with
// exponential noise it is permute-and-flip (McKenna, Sheldon 2020), which is never
// worse. Only the Gumbel form has bounded range.
type NoisyMax struct {
	Epsilon     float64
	Sensitivity float64
	Monotone    bool
	Shape       string  // of the noise: "laplace", "exponential" or "gumbel"
	Candidates  []Item  // with their scores; may be empty
	Outputs     float64 // how many candidates there are; 0 if not known
}

var noisyMaxSpec = Spec{
	Name: "noisy-max", Title: "Report noisy max",
	Summary: "adds noise to every score and reports the best candidate",
	Params: append(selectionParams(), Param{
		Name: "noise", Help: "shape of the noise", Type: Choice,
		Choices: []string{"laplace", "exponential", "gumbel"},
		Default: ChoiceValue("laplace"), Initial: ChoiceValue("laplace"),
	}),
	Alternatives: []Alternative{{Sets: [][]string{{"candidates"}, {"scores"}, {"outputs"}}, Optional: true}},
	Source:       "Dwork, Roth 2014, Claim 3.9; McKenna, Sheldon 2020 (permute-and-flip)",
	Notes: []string{
		"Lap(1/ε), as the slide has it, is right for counts under add-remove (monotone); general scores of sensitivity 1, or replace, need Lap(2/ε).",
		"Exponential noise (permute-and-flip) is not bounded range; only Gumbel noise is.",
	},
}

func init() { noisyMaxSpec.Build = buildNoisyMax }

func buildNoisyMax(v Values) (Mechanism, error) {
	r := reader{&noisyMaxSpec, v}
	items, outputs := r.selection()
	epsilon, err := r.epsilon()
	return NoisyMax{
		Epsilon: epsilon, Sensitivity: r.number("sensitivity"), Monotone: r.flag("monotone"),
		Shape: r.choice("noise"), Candidates: items, Outputs: outputs,
	}, err
}

// Kind is "noisy-max".
func (NoisyMax) Kind() string { return "noisy-max" }

// Scale is the scale of the noise on each score.
func (n NoisyMax) Scale() float64 { return n.width().scale() }

// Release is one selection. Laplace and exponential noise are not bounded range,
// so only their pure ε is known.
func (n NoisyMax) Release() accounting.Release { return n.releaseFor(1) }

// Releases is one release.
func (n NoisyMax) Releases() []accounting.Entry { return n.releasesFor(1) }

func (n NoisyMax) releasesFor(k float64) []accounting.Entry { return once(n.releaseFor(k)) }

func (n NoisyMax) releaseFor(k float64) accounting.Release {
	if n.Shape == "gumbel" {
		return boundedRange("Noisy max (Gumbel)", n.Epsilon*k)
	}
	return stepsOf("Noisy max", n.Epsilon, k)
}
