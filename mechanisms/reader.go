package mechanisms

import (
	"math"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
)

// reader hands out checked values with the defaults of a spec filled in.
type reader struct {
	spec   *Spec
	values param.Values
}

func (r reader) value(name string) param.Value {
	if v, ok := r.values[name]; ok {
		return v
	}
	if p, ok := r.spec.Param(name); ok {
		return p.Default
	}
	return param.Value{}
}

func (r reader) number(name string) float64     { return r.value(name).Number }
func (r reader) choice(name string) string      { return r.value(name).Text }
func (r reader) flag(name string) bool          { return r.value(name).Flag }
func (r reader) items(name string) []param.Item { return r.value(name).Items }
func (r reader) has(name string) bool           { return r.values.Has(name) }

// epsilon reads ε and, where the mechanism has one, checks it against the
// sensitivity: the scale of the noise is their ratio.
func (r reader) epsilon() (float64, error) {
	epsilon := r.number("epsilon")
	if err := checkLoss("epsilon", epsilon); err != nil {
		return 0, err
	}
	if _, ok := r.spec.Param("sensitivity"); ok {
		if scale := r.number("sensitivity") / epsilon; !(scale > 0) || math.IsInf(scale, 1) {
			return 0, param.Errorf("sensitivity", "is too far from epsilon: the noise is beyond what a number can hold")
		}
	}
	return epsilon, nil
}

// A privacy loss outside these limits says nothing more than that there is none,
// or no privacy; squared or multiplied it would leave the range of float64, and
// one rounded to 0 would claim perfect privacy.
const (
	leastLoss = 1e-100
	mostLoss  = 1e100
)

// checkLoss refuses a privacy loss, given or derived, that cannot be computed with.
func checkLoss(field string, loss float64) error {
	if loss >= leastLoss && loss <= mostLoss {
		return nil
	}
	return param.Errorf(field, "gives a privacy loss of %s; only %s to %s can be computed with",
		numeral.Format(loss), numeral.Format(leastLoss), numeral.Format(mostLoss))
}
