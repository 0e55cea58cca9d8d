package mechanisms

import (
	"cmp"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// Batched is a mechanism that goes through the data in batches.
type Batched interface {
	// Course is the schedule of the training on so many records.
	Course(records float64) (Course, error)
	// Rebatched is the same training with batches of another size, over as many epochs.
	Rebatched(given param.Values, records, batch float64) (param.Values, error)
	// FullBatch is the same training with every record in every step, and whether that is
	// another training.
	FullBatch(records float64) (v param.Values, other bool, err error)
	// DrawnBy is how batches are drawn.
	DrawnBy() Drawing
	// Redrawn are the values with batches of so many records drawn in another way. If those
	// have to be cut at a size, it is one that hardly any exceeds, and most; else that is 0.
	Redrawn(given param.Values, records float64, by Drawing) (v param.Values, most float64)
	// LargestBatch is the size from which on nothing is cut, of so many records, and one at
	// which little is.
	LargestBatch(records float64) (all, likely float64, err error)
	// Truncated are the values with batches cut to at most so many records.
	Truncated(v param.Values, most float64) param.Values
	// Cut says what it means at ε that batches are cut; "" if they are not.
	Cut(records, epsilon float64) string
}

var _ Batched = DPSGD{}

// Course is the schedule of a training: its batches, steps and epochs, and what the noise
// does to a gradient.
type Course struct {
	Records  float64 // 0 if not known
	Batch    float64 // records in a batch, on average where they are drawn one by one; 0 if not known
	PerEpoch float64 // steps of a pass over the data
	Steps    float64
	Epochs   float64
	// Error is the standard deviation of the noise on each coordinate of a step's average
	// gradient, in clipping norms: z/B. 0 if the batch is not known.
	Error float64
}

// Course is that of the training on so many records, if the training does not say how many.
func (d DPSGD) Course(records float64) (Course, error) {
	d, err := d.Resolve(records)
	if err != nil {
		return Course{}, err
	}
	c := Course{Records: d.Records, PerEpoch: d.perPass(), Steps: d.Steps, Epochs: d.Steps / d.perPass()}
	if d.Records > 0 {
		c.Batch = d.SamplingRate * d.Records
		c.Error = d.NoiseMultiplier / c.Batch
	}
	return c, nil
}

// Rebatched is the training with batches of another size and as many epochs, in the words
// in which it was given: the rate and the steps move together.
func (d DPSGD) Rebatched(given param.Values, records, batch float64) (param.Values, error) {
	c, err := d.Course(records)
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

// DrawnBy is how batches are drawn.
func (d DPSGD) DrawnBy() Drawing { return cmp.Or(d.Batches, Poisson) }

// Redrawn are the values with batches of so many records drawn in another way. Those that have
// to be cut, and are given no size, are cut at most records, ten standard deviations above their
// mean; else that is 0.
func (d DPSGD) Redrawn(given param.Values, records float64, by Drawing) (v param.Values, most float64) {
	v = given.Clone()
	if v["batches"] = param.ChoiceValue(string(by)); by == Poisson {
		delete(v, "batches") // the default
	}
	if c, err := d.Course(records); err == nil && by == Truncated && d.MaxBatch == 0 && c.Batch > 0 {
		most = math.Min(c.Records, math.Ceil(c.Batch+10*math.Sqrt(c.Batch)))
		v["max_batch"] = param.WholeValue(most)
	}
	return v, most
}
