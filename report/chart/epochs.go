package chart

import (
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// Epochs plots ε by method against the epochs of a training, or against its steps if the epochs are not
// whole.
var Epochs = Kind{"epochs", "ε against the epochs: of a training, by method", "entry max-k method numerical", true, epochs}

func epochs(v *view) (Chart, error) {
	i, built, err := entryOf[mechanisms.Batched](v, "trains on no batches")
	if err != nil {
		return Chart{}, err
	}
	c, err := built.Schedule(v.Records)
	if err != nil {
		return Chart{}, err
	}
	field, other := "epochs", "steps"
	l := &sweep{view: v, symbol: "epochs", now: c.Epochs}
	whole := math.Round(c.Epochs)
	off := math.Abs(c.Epochs-whole) / whole
	switch {
	case c.Epochs < 2 || off > 0.01:
		field, other = other, field
		l.symbol, l.now = "steps", c.Steps
	case off < 1e-9:
		l.now = whole
	}
	l.what = fmt.Sprintf("%s of entry %d", l.symbol, i+1)
	work := v.Clone()
	values := work.Stack[i].Values.Clone()
	delete(values, other)
	l.stack = func(k float64) ([]accounting.Entry, error) {
		work.Stack[i].Values = v.Stack[i].Values // as it is now: its steps may not be whole epochs
		if k != l.now {
			work.Stack[i].Values = values.Clone()
			work.Stack[i].Values[field] = param.NumberValue(k)
		}
		return scenarios.Stack(work)
	}
	return l.chart()
}
