package mechanisms

import (
	"cmp"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// Batched is a mechanism that goes through the data in batches.
type Batched interface {
	// Course returns the schedule of the training on the given number of records.
	Schedule(records float64) (Schedule, error)
	// WithBatchSize returns the training with batches of another size, over as many epochs.
	WithBatchSize(given param.Values, records, batch float64) (param.Values, error)
	// FullBatch returns the training with every record in every step, and whether that is
	// another training.
	FullBatch(records float64) (v param.Values, other bool, err error)
	// Scheme returns the sampling scheme of the batches.
	Scheme() SamplingScheme
	// WithSampling returns the values with batches sampled by another scheme. If those have to be
	// cut at a size, that is most, which hardly any batch exceeds; else most is 0.
	WithSampling(given param.Values, records float64, by SamplingScheme) (v param.Values, most float64)
	// LargestBatch returns the size from which on no batch is cut, and one at which few are.
	LargestBatch(records float64) (all, likely float64, err error)
	// WithMaxBatch returns the values with batches cut to at most `most` records.
	WithMaxBatch(v param.Values, most float64) param.Values
	// Cut says what it means at ε that batches are cut; "" if they are not.
	CutNote(records, epsilon float64) string
}

var _ Batched = DPSGD{}

// Course is the schedule of a training: its batches, steps and epochs, and what the noise
// does to a gradient.
type Schedule struct {
	Records  float64 // 0 if not known
	Batch    float64 // records in a batch, on average where they are drawn one by one; 0 if not known
	PerEpoch float64 // steps of a pass over the data
	Steps    float64
	Epochs   float64
	// Error is the standard deviation of the noise on each coordinate of a step's average
	// gradient, in clipping norms: z/B. 0 if the batch is not known.
	Error float64
}

// Schedule returns the schedule of the training; records is used if the training states none.
func (d DPSGD) Schedule(records float64) (Schedule, error) {
	d, err := d.Resolve(records)
	if err != nil {
		return Schedule{}, err
	}
	c := Schedule{Records: d.Records, PerEpoch: d.perPass(), Steps: d.Steps, Epochs: d.Steps / d.perPass()}
	if d.Records > 0 {
		c.Batch = d.SamplingRate * d.Records
		c.Error = d.NoiseMultiplier / c.Batch
	}
	return c, nil
}

// WithBatchSize returns the values of a training with batches of another size and as many epochs, in
// the form in which it was given: the rate and the steps change together.
func (d DPSGD) WithBatchSize(given param.Values, records, batch float64) (param.Values, error) {
	c, err := d.Schedule(records)
	if err == nil && c.Records == 0 {
		err = param.Errorf("batch", problemRecords)
	}
	if err != nil {
		return nil, err
	}
	v := given.Clone()
	delete(v, "sampling_rate")
	v["batch"] = param.WholeValue(batch)
	if given.Has("steps") {
		v["steps"] = param.WholeValue(math.Max(1, math.Round(c.Steps*c.Batch/batch)))
	}
	_, err = New(d.Kind(), v)
	if err == nil && batch > c.Records {
		err = param.Errorf("batch", "must be at most the number of records, %s", numeral.Format(c.Records))
	}
	return v, err
}

// Scheme returns the sampling scheme of the batches.
func (d DPSGD) Scheme() SamplingScheme { return cmp.Or(d.Batches, Poisson) }

// WithSampling returns the values with batches sampled by another scheme from data of `records`
// records. Batches that need a maximal size, and are given none, are cut at most records, ten
// standard deviations above their mean; else most is 0.
func (d DPSGD) WithSampling(given param.Values, records float64, by SamplingScheme) (v param.Values, most float64) {
	v = given.Clone()
	if v["batches"] = param.ChoiceValue(string(by)); by == Poisson {
		delete(v, "batches") // the default
	}
	if c, err := d.Schedule(records); err == nil && by == Truncated && d.MaxBatch == 0 && c.Batch > 0 {
		most = math.Min(c.Records, math.Ceil(c.Batch+10*math.Sqrt(c.Batch)))
		v["max_batch"] = param.WholeValue(most)
	}
	return v, most
}
