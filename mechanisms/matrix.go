package mechanisms

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// Matrix releases the running sums of clipped gradients, or of any vectors, after every
// step, with noise that is correlated over the steps (DP-FTRL). All of them together cost
// one Gaussian release, adaptive or not (Denisov et al. 2022): the noise is added to C·G,
// which one record moves by its sensitivity.
type Matrix struct {
	Factorisation   Factorisation
	Steps           float64
	NoiseMultiplier float64 // z: σ over the clipping norm
	Participations  float64 // in how many steps a record may be
	Separation      float64 // how far apart they are, at least
	Bands           float64 // of a banded square root
	Cyclic          bool    // batches by cyclic Poisson sampling, with amplification
	Batch, Records  float64 // expected size of a batch, and the number of records, if cyclic

	sensitivity float64 // of C·G, in clipping norms
}

// maxMatrixSteps bounds the size of a matrix, whose rows are summed one by one.
const maxMatrixSteps = 1e6

func matrixSpec() Spec {
	return Spec{
		Name: "matrix", Title: "Matrix factorisation",
		Summary: "releases running sums over time with correlated noise (DP-FTRL)",
		Params: []param.Param{
			{
				Name: "factorisation", Help: "how noise is correlated over the steps", Type: param.Choice,
				Choices: []string{string(Tree), string(Honaker), string(SquareRoot), string(BandedRoot)},
				Default: param.ChoiceValue(string(SquareRoot)), Initial: param.ChoiceValue(string(SquareRoot)),
			},
			optional(natural("bands", "p", "bands of a banded square root; with batches: cyclic-poisson also the number of groups of records", maxMatrixSteps, 16, 1.25)),
			natural("steps", "T", "how many running sums are released", maxMatrixSteps, 1000, 1.25),
			noiseMultiplierParam(4),
			withDefault(natural("participations", "k", "in how many steps a record may be: epochs, in a fixed order", maxMatrixSteps, 1, 1)),
			{
				Name: "batches", Help: "how batches are drawn: fixed says nothing of sampling; cyclic-poisson samples the groups of records in turn", Type: param.Choice,
				Choices: []string{"fixed", CyclicPoisson}, Default: param.ChoiceValue("fixed"), Initial: param.ChoiceValue("fixed"),
				Means: map[string]string{
					"fixed":       "in which steps a record is may be known; no gain by sampling is counted",
					CyclicPoisson: "records are divided into as many groups as bands, by coin, hash, person or position and not by what they hold; step i samples group i mod bands, each record with the same constant rate batch·bands/records",
				},
			},
			optional(positive("batch", "B", "expected size of a batch (cyclic-poisson)", 512, 1.25)),
			optional(natural("records", "n", "how many records there are (cyclic-poisson), a public constant; the scenario's if not given", maxCount, 1e6, 1.25)),
			optional(natural("separation", "b", "how many steps apart those are, at least: the steps of an epoch if the order is fixed, 1 if it is shuffled anew", maxMatrixSteps, 1000, 1.25)),
		},
		build: buildMatrix, Records: "records",
		Source: "Denisov et al. 2022; Honaker 2015; Fichtenberger, Henzinger, Upadhyay 2023; Kalinin, Lampert 2024; Choquette-Choo et al. 2023 (cyclic-poisson)",
		Notes: []string{
			"The cost is that of one Gaussian release, whatever the number of steps; what a factorisation buys is a smaller error: see the chart running-sums.",
			"One tree over several epochs does not cost the same as one tree per epoch: a node that contains a record twice has twice the sensitivity.",
		},
	}
}

func buildMatrix(r reader) (Mechanism, error) {
	m := Matrix{
		Factorisation: Factorisation(r.choice("factorisation")), Steps: r.number("steps"), NoiseMultiplier: r.number("noise_multiplier"),
		Participations: r.number("participations"), Separation: r.number("separation"), Bands: r.number("bands"),
	}
	if !r.has("separation") {
		m.Separation = m.Steps
	}
	if most := math.Ceil(m.Steps / m.Separation); m.Participations > most {
		return nil, param.Errorf("participations", "with separation %s a record can be in %s of %s steps at most, got %s; give separation",
			numeral.Format(m.Separation), numeral.Format(most),
			numeral.Format(m.Steps), numeral.Format(m.Participations))
	}
	if m.Factorisation == BandedRoot && !r.has("bands") {
		return nil, param.Errorf("bands", "is missing; a banded square root needs the number of its bands")
	}
	if err := m.readCyclic(r); err != nil {
		return nil, err
	}
	m.sensitivity = m.sensitivityOf(m.Factorisation)
	return m, checkLoss("noise_multiplier", m.Mu())
}

// sensitivityOf returns the most one record moves C·G, rounded up by what its sums may have lost.
func (m Matrix) sensitivityOf(f Factorisation) float64 {
	square := f.squaredSensitivity(int(m.Steps), int(m.Bands), m.Participations, m.Separation)
	return math.Sqrt(square) * (1 + m.roundingLoss())
}

func (m Matrix) roundingLoss() float64 { return 1e-15 * (8 + m.Steps + 4*m.Steps/m.Separation) }

func (Matrix) Kind() string { return "matrix" }

// Mu returns the number of standard deviations by which one record moves the vector that noise
// is added to.
func (m Matrix) Mu() float64 { return m.Sensitivity() / m.NoiseMultiplier }

// Sensitivity returns the most that one record moves C·G, in clipping norms, rounded up.
func (m Matrix) Sensitivity() float64 {
	if m.sensitivity > 0 { // as [New] computed it
		return m.sensitivity
	}
	return m.sensitivityOf(m.Factorisation)
}

// Releases returns one Gaussian release under zero-out; for a tree whose worst steps are not
// known, an upper bound.
func (m Matrix) Releases(k float64) []accounting.Entry {
	return releasesOf(m, k, func() []accounting.Entry {
		if m.Cyclic {
			return defaultEntries(m, k, specOf(m).Title, "cyclic Poisson batches need the number of records, and one record per person")
		}
		return m.gaussianRelease(k)
	})
}

func (m Matrix) validate() error {
	if !slices.Contains(Factorisations(), m.Factorisation) {
		return fmt.Errorf("Factorisation must be one that is known, got %s", numeral.Quote(string(m.Factorisation)))
	}
	err := cmp.Or(requirePositive(field{"NoiseMultiplier", m.NoiseMultiplier}),
		requireWhole(1, maxMatrixSteps, field{"Steps", m.Steps}, field{"Participations", m.Participations}, field{"Separation", m.Separation}),
		requireWhole(0, maxMatrixSteps, field{"Bands", m.Bands}))
	sizesKnown := m.Batch > 0 && m.Records >= 0 && !math.IsInf(m.Batch+m.Records, 1)
	switch {
	case err != nil:
		return err
	case m.Factorisation == BandedRoot && m.Bands == 0:
		return errors.New("field Bands must be given for a banded square root")
	case m.Cyclic && (m.Factorisation != BandedRoot || m.Participations != 1 || !sizesKnown):
		return errors.New("field Cyclic needs a banded square root, Participations 1, a Batch above 0 and Records of at least 0")
	case m.Cyclic && m.Bands > m.Steps:
		return errors.New("field Bands must be at most Steps with Cyclic: there would be groups of records that no step samples")
	case m.Participations > math.Ceil(m.Steps/m.Separation):
		return errors.New("field Participations are more than fit into Steps at that Separation")
	}
	return checkLoss("NoiseMultiplier", m.Mu())
}

// gaussianRelease returns the release of a matrix whose fields are valid.
func (m Matrix) gaussianRelease(k float64) []accounting.Entry {
	mu := m.Mu() * k
	square := m.Factorisation.sensitivityLower(int(m.Steps), int(m.Bands), m.Participations, m.Separation)
	least := k / m.NoiseMultiplier * math.Sqrt(square) * (1 - m.roundingLoss())
	if least > mu*(1-4*m.roundingLoss()) {
		return oneRelease(accounting.GaussianDP(mu))
	}
	return oneRelease(accounting.AtMostGaussian("a tree over several epochs", mu, least,
		"the upper end bounds every level of the tree by itself, the lower end has the steps 1, 1+b, 1+2b and so on"))
}

// entriesIn returns the entries under zero-out or replace for a group, all of whose records are
// assumed to be in the same steps.
func (m Matrix) entriesIn(s Setting, group float64) ([]accounting.Entry, []Note, error) {
	switch {
	case m.Cyclic:
		return m.cyclicEntries(s, group)
	case s.Adjacency != Replace && s.Adjacency != ZeroOut:
		return nil, nil, param.Errorf("mechanism", "matrix is not supported under add-remove: later records would move to other steps. Use zero-out or replace")
	case s.Sampling > 0 && s.Sampling < 1:
		return nil, nil, param.Errorf("sampling", "a matrix says itself in how many steps a record is (participations); leave sampling out")
	case s.Adjacency == Replace:
		group *= 2
	}
	return m.Releases(group), nil, nil
}

// BatchAssumption says in which steps a record may be, which a user must vouch for.
func (m Matrix) BatchAssumption(float64) string {
	if m.Cyclic {
		return cyclicMeans
	}
	steps := "one step at most; which one"
	if m.Participations > 1 {
		steps = fmt.Sprintf("%s steps at most, %s steps apart at least; which ones", numeral.Format(m.Participations), numeral.Format(m.Separation))
	}
	says := "every record is in " + steps + " may be known, and what it adds is clipped"
	if m.Factorisation == BandedRoot {
		says += ". No gain by sampling is counted: that would need as many groups of records as bands, chosen without looking at the data (batches: cyclic-poisson)"
	}
	return says
}

// RunningError returns the standard deviation of the running sum after each step, in clipping
// norms, and their root mean square, of a factorisation that costs what this one does.
func (m Matrix) RunningError(f Factorisation) (deviations []float64, rms float64, err error) {
	switch {
	case f == BandedRoot && m.Bands == 0:
		return nil, 0, errors.New("the number of bands is not given")
	case f == BandedRoot && m.Bands*m.Steps > 2e8:
		return nil, 0, errors.New("the error of this many bands over this many steps takes too long to compute")
	}
	scale := m.NoiseMultiplier * m.sensitivityOf(f) / m.Sensitivity()
	deviations = f.variances(int(m.Steps), int(m.Bands))
	for t, v := range deviations {
		rms += v
		deviations[t] = scale * math.Sqrt(v)
	}
	return deviations, scale * math.Sqrt(rms/m.Steps), nil
}

// Error returns the error of the noisiest running sum, by coordinate.
func (m Matrix) Error(beta, count float64) (Accuracy, error) {
	deviations, _, err := m.RunningError(m.Factorisation)
	if err != nil {
		return Accuracy{}, err
	}
	a, err := symmetric(GaussianNoise(slices.Max(deviations)), beta, count*m.Steps)
	a.Unit = "clipping norm"
	return a, err
}

func (m Matrix) notes(param.Values, Setting) (list []Note) {
	if m.Bands > 0 && m.Factorisation != BandedRoot {
		list = append(list, Note{"bands-idle", "bands counts with factorisation: banded-sqrt only; here it has no effect."})
	}
	if !m.Cyclic && (m.Batch > 0 || m.Records > 0) {
		list = append(list, Note{"batches-idle", "batch and records count with batches: cyclic-poisson only; here they have no effect, and no gain by sampling is counted."})
	}
	if m.Participations > 1 && m.Separation > 1 {
		list = append(list, Note{"separation", "The separation holds if every epoch goes through the data in the same order; an order shuffled anew allows the last and the next step, so separation 1."})
	}
	return list
}
