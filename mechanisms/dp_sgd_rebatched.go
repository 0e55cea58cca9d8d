package mechanisms

import (
	"cmp"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// Rebatched is the training with batches of another size and as many epochs, in the words
// in which it was given: the rate and the steps move together.
func (d DPSGD) Rebatched(given param.Values, records, batch float64) (param.Values, error) {
	d, err := d.Of(records)
	if err == nil && d.Records == 0 {
		err = param.Errorf("batch", problemRecords)
	}
	if err != nil {
		return nil, err
	}
	v := given.Clone()
	delete(v, "sampling_rate")
	v["batch"] = param.WholeValue(batch)
	if given.Has("steps") {
		v["steps"] = param.WholeValue(math.Max(1, math.Round(d.Steps*d.Size()/batch)))
	}
	_, err = New(d.Kind(), v)
	if err == nil && batch > d.Records {
		err = param.Errorf("batch", "must be at most the number of records, %s", numeral.Format(d.Records))
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
	if of, err := d.Of(records); err == nil && by == Truncated && d.MaxBatch == 0 && of.Size() > 0 {
		most = math.Min(of.Records, math.Ceil(of.Size()+10*math.Sqrt(of.Size())))
		v["max_batch"] = param.WholeValue(most)
	}
	return v, most
}

// LargestBatch is the size from which on nothing is cut, all records, and one at which little
// is: about twice the size that batches have.
func (d DPSGD) LargestBatch(records float64) (all, likely float64, err error) {
	of, err := d.Of(records)
	switch {
	case err != nil:
		return 0, 0, err
	case of.Records == 0:
		return 0, 0, param.Errorf("max_batch", problemRecords)
	case of.Batches != Poisson && of.Batches != Truncated:
		return 0, 0, param.Errorf("max_batch", "cuts Poisson samples; the batches here are %s", string(of.Batches))
	}
	return of.Records, math.Min(of.Records, 2*of.Size()+10), nil
}

// Truncated are the values with batches cut to at most so many records.
func (DPSGD) Truncated(v param.Values, most float64) param.Values {
	v = v.Clone()
	v["max_batch"], v["batches"] = param.WholeValue(most), param.ChoiceValue(string(Truncated))
	return v
}
