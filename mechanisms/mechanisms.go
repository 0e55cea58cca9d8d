package mechanisms

import (
	"context"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// Adjacency says which data sets count as neighbours.
type Adjacency string

const (
	AddRemove Adjacency = "add-remove" // one record added or removed
	Replace   Adjacency = "replace"    // one record changed
	ZeroOut   Adjacency = "zero-out"   // one record made to contribute nothing; the number of records is public
)

// Also is a claim by the user about a guarantee stated under replace: that it holds under add-remove too,
// with the same or another number. It is never inferred.
type Also struct {
	AddRemove bool
	Number    float64 // the number for add-remove, in the entry's own unit; 0 means the stated one
}

// Setting holds the properties of an entry that surround its mechanism in a scenario.
type Setting struct {
	Adjacency Adjacency
	Count     float64 // how often the mechanism runs; 1 if unset
	Group     float64 // records one person may contribute; 1 if unset
	Sampling  float64 // Poisson sampling rate of the entry; 1 means none
	Records   float64 // how many records the data has; 0 if not known
	Delta     float64 // of the budget; no cost depends on it
	Also      Also    // what the user claims for add-remove, under replace
	// AddRemoveMechanism is the mechanism with the number for add-remove, if Also states one; see
	// [WithAddRemoveNumber].
	AddRemoveMechanism Mechanism
}

// Mechanism is a configured mechanism.
type Mechanism interface {
	// Kind is the mechanism's name in the catalogue.
	Kind() string
	// Releases returns the cost of one run for a person with the given number of records,
	// without sampling: usually one release, several if a run is itself a composition (sparse
	// vector, DP-SGD).
	//
	// With additive noise and with scores k records move the answer k times as far, while the
	// noise stays. For the exponential mechanism k changes of range ε, one after the other, have
	// range kε; that holds for monotone scores too. For other guarantees of a release
	// [accounting.GroupPrivacy] gives those for k records.
	Releases(records float64) []accounting.Entry
}

// oneRelease returns a run that is a single release.
func oneRelease(r accounting.Release) []accounting.Entry {
	return []accounting.Entry{{Release: r, Count: 1}}
}

// What the layers above ask of a mechanism, each answered in the mechanism's own file.
// TestCapabilities holds the whole catalogue to it.

// ScaleNoise returns the parameter through which the noise of a mechanism is multiplied by a
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
			return p.Name, scaleByPower(v[p.Name].Number, factor, p.Noise), true, nil
		}
	}
	if _, err := New(kind, v); err != nil {
		return "", 0, false, err
	}
	known := Equivalents(kind, v)
	for _, p := range spec.Params {
		if x, has := known[p.Name]; has && p.Noise != 0 {
			return p.Name, scaleByPower(x, factor, p.Noise), true, nil
		}
	}
	return "", 0, false, nil
}

func scaleByPower(x, factor float64, power int) float64 {
	if power < 0 {
		return x / math.Pow(factor, float64(-power))
	}
	return x * math.Pow(factor, float64(power))
}

// Equivalents returns the parameters that could have been given instead, by name: the scale that an ε means,
// the σ of an ε and δ. A parameter without an equivalent is not in the map.
func Equivalents(kind string, v param.Values) map[string]float64 { return EquivalentsAt(kind, v, 0) }

// EquivalentsAt returns [Equivalents] if an ε depends on a δ that the values do not state: it is computed at
// this delta, or at 1e-6 if delta is 0.
func EquivalentsAt(kind string, v param.Values, delta float64) map[string]float64 {
	if e, ok := BuildAs[equivalent](kind, v); ok {
		if delta > 0 && !v.Has("delta") {
			v = v.Clone()
			v["delta"] = param.NumberValue(delta)
		}
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
// exact; Price is 0 if there is no finite ρ, as for noise of bounded support.
type Spread struct{ Deviation, Sensitivity, Price float64 }

// Rivalled is a mechanism whose noise is compared with noise of another shape.
type NoiseComparer interface {
	// Rival returns that noise, scaled so that count releases cost the same ε at δ, and its
	// name. ok is false if there is none, or ctx has ended.
	EqualCostNoise(ctx context.Context, count, delta float64) (noise Noise, name string, ok bool)
}

// adjacencyAware is a mechanism whose values decide two questions about add-remove. zeroingRemoves reports
// whether zeroing a record has the effect of removing it; for other mechanisms [Spec.ZeroOutIsRemoval] says
// so. boundsAddRemove reports whether the mechanism bounds add-remove by itself, whatever the user claims.
type adjacencyAware interface {
	zeroingRemoves() bool
	boundsAddRemove() bool
}

// Notes returns the notes on a mechanism with these values.
func Notes(kind string, v param.Values, at Setting) (list []Note) {
	m, err := New(kind, v)
	if err != nil {
		return nil
	}
	if a, ok := m.(Additive); ok {
		list = histogramNote(a.Spread(), at)
	}
	if r, ok := m.(noter); ok {
		list = append(list, r.notes(v, at)...)
	}
	return list
}

type noter interface {
	notes(given param.Values, at Setting) []Note
}

// ReleaseTeller is a mechanism of which a statement has to say what exactly is released.
type ReleaseTeller interface {
	// ReleasedText returns what is released, as in "releasing names only".
	ReleasedText() string
}

// Note says what a price rests on, or what a mechanism does; nothing is wrong and nothing is asked.
type Note struct{ Code, Text string }

// onlyStated is the NoError of a guarantee stated without its mechanism.
const onlyStated = "only the guarantee is stated, not the noise behind it"
