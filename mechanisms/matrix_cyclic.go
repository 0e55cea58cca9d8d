package mechanisms

import (
	"cmp"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// CyclicPoisson names the batches of an amplified banded matrix. Records are divided into b groups,
// b the number of bands, and step i samples group i mod b. A record is then in steps g, g+b, g+2b, …
// only, whose columns of C have disjoint supports: each is a Gaussian release of a Poisson sample
// of its own, and C is lower-triangular, so gradients may depend on earlier outputs
// (Choquette-Choo et al. 2023, "(Amplified) Banded Matrix Factorization").
const CyclicPoisson = "cyclic-poisson"

const cyclicMeans = "the records are divided into as many groups as the matrix has bands, by coin, hash, person or position and never by what they hold; step i draws each record of group i mod bands " +
	"independently, with a rate that is a constant of the run and not counted from the group; who is drawn stays secret, what a record adds is clipped, and the divisor is a constant"

// readCyclic reads the fields of cyclic Poisson batches.
func (m *Matrix) readCyclic(r reader) error {
	m.Cyclic, m.Batch, m.Records = r.choice("batches") == CyclicPoisson, r.number("batch"), r.number("records")
	switch {
	case !m.Cyclic:
		return nil
	case m.Factorisation != BandedRoot:
		return param.Errorf("batches", "cyclic-poisson needs factorisation: banded-sqrt, got %s: columns of other matrices overlap, and the samples of different steps then meet in one noise", string(m.Factorisation))
	case !r.has("batch"):
		return param.Errorf("batch", "is missing; cyclic Poisson sampling needs the expected size of a batch")
	case r.has("participations") || r.has("separation"):
		return param.Errorf("participations", "is not read with batches: cyclic-poisson, which samples a record of a group every bands steps; leave participations and separation out")
	case m.Bands > m.Steps:
		return param.Errorf("bands", "must be at most the number of steps, %s, with batches: cyclic-poisson, got %s: there would be groups of records that no step samples, and the rate of the others would depend on how many groups there really are",
			numeral.Format(m.Steps), numeral.Format(m.Bands))
	case m.Records > 0 && m.rate(m.Records) > 1+1e-12:
		return m.rateProblem(m.Records)
	}
	return nil
}

// AsTraining returns the training with Poisson batches that costs what amplified bands cost, or a little
// more if the bands do not divide the steps: as many steps as sample one group at most, the rate inside
// a group and the noise of the largest column.
// Records is the scenario's number of records, for a matrix without one; 0 if not known.
func (m Matrix) AsTraining(records float64) (DPSGD, error) {
	records = cmp.Or(m.Records, records)
	switch {
	case !m.Cyclic:
		return DPSGD{}, param.Errorf("batches", "only cyclic-poisson batches are those of a training, got fixed")
	case !(records > 0):
		return DPSGD{}, param.Errorf("records", "is missing; cyclic Poisson sampling needs the number of records, here or for the scenario")
	case m.rate(records) > 1+1e-12:
		return DPSGD{}, m.rateProblem(records)
	}
	return DPSGD{
		NoiseMultiplier: 1 / m.Mu(),
		SamplingRate:    math.Min(1, m.rate(records)*(1+1e-15)),
		Steps:           math.Ceil(m.Steps / m.Bands),
		Batches:         Poisson,
	}, nil
}

// rate returns the sampling rate inside a group.
func (m Matrix) rate(records float64) float64 { return m.Batch * m.Bands / records }

func (m Matrix) rateProblem(records float64) error {
	return param.Errorf("batch", "times bands is more than all records (%s × %s > %s): a group has only records/bands of them. Use fewer bands or a smaller batch",
		numeral.Format(m.Batch), numeral.Format(m.Bands), numeral.Format(records))
}

// cyclicEntries returns the ⌈T/b⌉ steps that sample the first group, with the noise of a column of C. The
// last column has fewer than b bands if b does not divide T. No other group is sampled more often, or
// has a longer column at any of its steps.
func (m Matrix) cyclicEntries(s Setting, group float64) ([]accounting.Entry, []Note, error) {
	training, err := m.AsTraining(s.Records)
	switch {
	case err != nil:
		return nil, nil, err
	case s.Sampling > 0 && s.Sampling < 1:
		return nil, nil, param.Errorf("sampling", "cyclic Poisson batches are a sample already; leave sampling out")
	case group > 1:
		return nil, nil, param.Errorf("group", "cyclic Poisson batches are priced for one record per person: several may be in different groups, whose columns overlap. Put all records of a person into one record, or leave amplification out")
	}
	notes := []Note{{"cyclic-groups", "This holds if records are put into groups by coin, hash, person or position, never by what they hold, and the sampling rate is a constant. If records are divided evenly by position, choose zero-out or replace: a new record would move all later ones."}}
	run := func(mu, steps float64) accounting.Entry {
		release := accounting.Subsample(accounting.GaussianDP(mu), training.SamplingRate)
		if s.Adjacency == Replace {
			release = accounting.AddRemoveToReplace(release)
		}
		return accounting.Entry{Release: release, Count: steps}
	}
	if left := math.Mod(m.Steps, m.Bands); left > 0 {
		last := Matrix{Factorisation: BandedRoot, Steps: left, Bands: left, Participations: 1, Separation: left}
		mu := math.Min(m.Mu(), last.sensitivityOf(BandedRoot)/m.NoiseMultiplier)
		return []accounting.Entry{run(m.Mu(), training.Steps-1), run(mu, 1)}, notes, nil
	}
	return []accounting.Entry{run(m.Mu(), training.Steps)}, notes, nil
}
