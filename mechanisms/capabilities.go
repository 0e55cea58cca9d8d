package mechanisms

import (
	"context"
	"math"

	"epsiloscope/mechanisms/param"
)

// What the floors above ask of a mechanism, each answered in the mechanism's own file.
// TestCapabilities holds the whole catalogue to it.

// ScaleNoise is the parameter through which the noise of a mechanism is multiplied by a
// factor, and its new value. A guarantee that is stated without its noise shrinks as it
// would for the usual mechanism: ε by the factor, ρ by its square. It is false where
// no number follows the noise: nothing is known of the noise behind Rényi points.
func ScaleNoise(kind string, v param.Values, factor float64) (field string, value float64, ok bool, err error) {
	spec, ok := SpecOf(kind, v)
	if !ok {
		return "", 0, false, nil
	}
	for _, p := range spec.Params {
		if p.Noise != 0 && v.Has(p.Name) {
			return p.Name, scaled(v[p.Name].Number, factor, p.Noise), true, nil
		}
	}
	if _, err := New(kind, v); err != nil {
		return "", 0, false, err
	}
	known := Equivalents(kind, v)
	for _, p := range spec.Params {
		if x, has := known[p.Name]; has && p.Noise != 0 {
			return p.Name, scaled(x, factor, p.Noise), true, nil
		}
	}
	return "", 0, false, nil
}

func scaled(x, factor float64, power int) float64 {
	if power < 0 {
		return x / math.Pow(factor, float64(-power))
	}
	return x * math.Pow(factor, float64(power))
}

// Equivalents are the numbers a mechanism could have been given instead of those it
// was: the scale that its ε means, the σ of its ε and δ. What has no equivalent is absent.
func Equivalents(kind string, v param.Values) map[string]float64 {
	m, err := New(kind, v)
	if e, ok := m.(equivalent); err == nil && ok {
		return e.equivalents(v)
	}
	return map[string]float64{}
}

// equivalent is a mechanism with [Alternative] sets of numbers.
type equivalent interface {
	equivalents(given param.Values) map[string]float64
}

// Additive is a mechanism that adds noise to an answer, and knows what a smaller variance
// costs.
type Additive interface {
	Noisy
	Spread() Spread
}

// Spread is the noise on one answer. Its ρ is Price·Δ²/Var, for small ε where it is not
// exact.
type Spread struct{ Deviation, Sensitivity, Price float64 }

// Rivalled is a mechanism whose noise is compared with noise of another shape.
type Rivalled interface {
	// Rival is that noise, so scaled that count releases cost the same ε at δ, and its
	// name. It is false where there is none, or ctx has ended.
	Rival(ctx context.Context, count, delta float64) (noise Noise, name string, ok bool)
}

// Estimator is a mechanism whose answers say something only together.
type Estimator interface {
	// EstimateError is the accuracy at confidence 1 − β of count estimates, each from the
	// answers of so many records (0 if not known).
	EstimateError(beta, count, records float64) (Accuracy, error)
}

// Batched is a mechanism that goes through the data in batches.
type Batched interface {
	// Course is the schedule of the training on so many records.
	Course(records float64) (Course, error)
	// Rebatched is the same training with batches of another size, over as many epochs.
	Rebatched(given param.Values, records, batch float64) (param.Values, error)
	// Everybody is the same training with every record in every step, and whether that is
	// another training.
	Everybody(records float64) (v param.Values, other bool, err error)
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
}

// zeroable is a mechanism whose values decide what [Spec.ZeroAbsent] says.
type zeroable interface{ zeroIsAbsent() bool }

// voucher is a mechanism that may itself bound what the absence of a record changes.
type voucher interface{ vouchesAbsence() bool }

// Remarks are what a careful reader would ask of a mechanism with these values.
func Remarks(kind string, v param.Values, at Setting) (list []Remark) {
	m, err := New(kind, v)
	if err != nil {
		return nil
	}
	if a, ok := m.(Additive); ok {
		list = histogramRemark(a.Spread(), at)
	}
	if r, ok := m.(remarker); ok {
		list = append(list, r.remarks(v, at)...)
	}
	return list
}

type remarker interface {
	remarks(given param.Values, at Setting) []Remark
}

// Remark is something a careful reader would ask: nothing is wrong.
type Remark struct{ Code, Text string }

// onlyStated is the NoError of a guarantee stated without its mechanism.
const onlyStated = "only the guarantee is stated, not the noise behind it"
