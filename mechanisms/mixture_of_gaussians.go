package mechanisms

import (
	"errors"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// MixtureOfGaussians adds Gaussian noise to an answer that one record moves by one of several
// sensitivities, with a probability each; which of them it was stays secret (Choquette-Choo,
// Ganesh, Steinke, Thakurta 2024). A Poisson sample is the plainest: 0 or 1.
type MixtureOfGaussians struct {
	Sigma         float64
	Sensitivities []float64 // ≥ 0
	Probabilities []float64 // of each, with sum 1
}

func mixtureSpec() Spec {
	return Spec{
		Name: "mixture-of-gaussians", Title: "Mixture of Gaussians",
		Summary: "Gaussian noise on an answer that a record moves by a random, secret amount",
		Params: []param.Param{
			scalesWithNoise(1, positive("sigma", "σ", "standard deviation of the noise", 4, 1.1)),
			{
				Name: "sensitivities", Symbol: "s", Help: "by how much one record may move the answer, each at least 0", Type: param.Scores,
				Required: true, Initial: param.ScoresValue(0, 1, 2),
			},
			{
				Name: "probabilities", Symbol: "p", Help: "with which probability it does, one for each sensitivity, with sum 1", Type: param.Scores,
				Required: true, Initial: param.ScoresValue(0.81, 0.18, 0.01),
			},
		},
		build:            buildMixture,
		Source:           "Choquette-Choo, Ganesh, Steinke, Thakurta 2024",
		ZeroOutIsRemoval: true, NoError: "the error is that of the noise on the sum; how far sampling moves it depends on the data",
		NoAddRemoveNumber: numberAmbiguous,
		Notes: []string{
			"Which amount it was must stay secret and be drawn anew for every release; one that is kept over several releases is one mixture, not a product.",
			"In several dimensions the sensitivities are lengths: moves in any directions are dominated by moves along one line.",
		},
	}
}

func buildMixture(r reader) (Mechanism, error) {
	m := MixtureOfGaussians{Sigma: r.number("sigma")}
	for _, s := range r.items("sensitivities") {
		if s.Value < 0 {
			return nil, param.Errorf("sensitivities", "must be at least 0, got %s", numeral.Format(s.Value))
		}
		m.Sensitivities = append(m.Sensitivities, s.Value)
	}
	sum, largest := 0.0, 0
	for _, p := range r.items("probabilities") {
		if p.Value < 0 || p.Value > 1 {
			return nil, param.Errorf("probabilities", "must lie between 0 and 1, got %s", numeral.Format(p.Value))
		}
		m.Probabilities = append(m.Probabilities, p.Value)
		sum += p.Value
	}
	if len(m.Probabilities) != len(m.Sensitivities) {
		return nil, param.Errorf("probabilities", "must be as many as sensitivities (%d), got %d", len(m.Sensitivities), len(m.Probabilities))
	}
	if len(m.Probabilities) > maxMixed {
		return nil, param.Errorf("sensitivities", "may be at most %d, got %d", maxMixed, len(m.Probabilities))
	}
	if math.Abs(sum-1) > 1e-9 {
		return nil, param.Errorf("probabilities", "must add up to 1, got a sum of %s%s", numeral.Format(sum), reasonSum)
	}
	for i, s := range m.Sensitivities {
		if s > m.Sensitivities[largest] {
			largest = i
		}
	}
	m.Probabilities[largest] += math.Max(0, 1-sum) // what rounding left out
	if m.Sensitivities[largest] == 0 {
		return nil, param.Errorf("sensitivities", "are all 0: a record that moves nothing costs nothing, and needs no entry")
	}
	return m, checkLoss("sigma", m.Sensitivities[largest]/m.Sigma)
}

// maxMixed bounds the number of sensitivities.
const maxMixed = 1000

// Kind returns "mixture-of-gaussians".
func (MixtureOfGaussians) Kind() string { return "mixture-of-gaussians" }

// Releases returns one release, for k records a chain.
func (m MixtureOfGaussians) Releases(k float64) []accounting.Entry {
	return releasesOf(m, k, func() []accounting.Entry {
		shifts := make([]float64, len(m.Sensitivities))
		for i, s := range m.Sensitivities {
			shifts[i] = s / m.Sigma
		}
		one := accounting.WithName(accounting.MixtureOfGaussians(shifts, m.Probabilities), specOf(m).Title)
		return oneRelease(accounting.GroupPrivacy(one, k))
	})
}

func (m MixtureOfGaussians) validate() error {
	if err := requirePositive(field{"Sigma", m.Sigma}); err != nil {
		return err
	}
	if len(m.Sensitivities) == 0 || len(m.Sensitivities) != len(m.Probabilities) || len(m.Probabilities) > maxMixed {
		return errors.New("field Sensitivities and Probabilities must be as many as each other, at least 1 and at most 1000")
	}
	sum := 0.0
	for i, s := range m.Sensitivities {
		if err := requireAtLeastZero(field{"Sensitivities", s}, field{"Probabilities", m.Probabilities[i]}); err != nil {
			return err
		}
		sum += m.Probabilities[i]
	}
	if math.Abs(sum-1) > 1e-9 {
		return errors.New("field Probabilities must add up to 1, got a sum of " + numeral.Format(sum) + reasonSum)
	}
	return nil
}

// entriesIn returns the cost for a record that comes or goes, or is zeroed.
func (m MixtureOfGaussians) entriesIn(s Setting, group float64) (entries []accounting.Entry, notes []Note, err error) {
	if s.Adjacency == Replace {
		return nil, nil, param.Errorf("mechanism", "a mixture of Gaussians is not supported under replace: its sensitivities are those of adding or removing a record. Use add-remove or zero-out")
	}
	if s.Adjacency == ZeroOut {
		notes = append(notes, NoteZeroOut)
	}
	if group > 1 {
		notes = append(notes, NoteGroup)
	}
	release := m.Releases(1)[0].Release
	if s.Sampling > 0 && s.Sampling < 1 {
		release = accounting.Subsample(release, s.Sampling)
	}
	return oneRelease(accounting.GroupPrivacy(release, group)), notes, nil
}
