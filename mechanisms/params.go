package mechanisms

import (
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// The kinds of parameters that mechanisms share, and those that several have, are
// declared once. A step above 1 is a factor.

// positive returns a number above 0 that must be given.
func positive(name, symbol, help string, initial, step float64) param.Param {
	return param.Param{
		Name: name, Symbol: symbol, Help: help, Type: param.Number, OpenMin: true, Max: math.Inf(1),
		Required: true, Initial: param.NumberValue(initial), Step: step, Log: step > 1,
	}
}

// natural returns a whole number from 1 to most that must be given.
func natural(name, symbol, help string, most, initial, step float64) param.Param {
	return param.Param{
		Name: name, Symbol: symbol, Help: help, Type: param.Whole, Min: 1, Max: most,
		Required: true, Initial: param.WholeValue(initial), Step: step, Log: step > 1,
	}
}

// oneOf returns a choice of which the first is the default.
func oneOf(name, help string, choices ...string) param.Param {
	first := param.ChoiceValue(choices[0])
	return param.Param{Name: name, Help: help, Type: param.Choice, Choices: choices, Default: first, Initial: first}
}

// optional makes a parameter one that may be left out and then has no value.
func optional(p param.Param) param.Param {
	p.Required, p.Optional, p.Default = false, true, param.Value{}
	return p
}

// withDefault makes a parameter optional, with its initial value as default.
func withDefault(p param.Param) param.Param {
	p.Required, p.Default = false, p.Initial
	return p
}

// scalesWithNoise marks p as proportional to the noise scale to the given power.
func scalesWithNoise(power int, p param.Param) param.Param {
	p.Noise = power
	return p
}

// lessThan limits a parameter to values below limit; upTo includes the limit.
func lessThan(limit float64, p param.Param) param.Param {
	p.OpenMax = true
	return upTo(limit, p)
}

func upTo(limit float64, p param.Param) param.Param {
	p.Max = limit
	return p
}

func atLeastZero(p param.Param) param.Param {
	p.OpenMin = false
	return p
}

func inUnit(unit string, p param.Param) param.Param {
	p.Unit = unit
	return p
}

func epsilonParam(help string) param.Param {
	return scalesWithNoise(-1, positive("epsilon", "ε", help, 0.1, 1.1))
}

func sensitivityParam(symbol, help string) param.Param {
	return withDefault(inUnit("answer", positive("sensitivity", symbol, help, 1, 1.1)))
}

// noiseMultiplierParam returns the noise of a training. Plans call it sigma too.
func noiseMultiplierParam(initial float64) param.Param {
	p := scalesWithNoise(1, positive("noise_multiplier", "z", "standard deviation of the noise, in clipping norms", initial, 1.05))
	p.Alias = "sigma"
	return p
}

func latticeSensitivityParam() param.Param {
	return withDefault(inUnit("answer", natural("sensitivity", "Δ", "most one record can change the answer: a whole number, as the answer is", maxLattice, 1, 1)))
}

// maxLattice bounds the sensitivity of mechanisms on the integers, whose loss is
// summed point by point.
const maxLattice = 1e6

// maxCount bounds every count: a stack reaches 1e24 releases with as many rounds.
const maxCount = 1e12

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

// The smallest and the largest ε, ρ or ξ of one release, given or derived. Beyond them squares and products would leave
// the range of float64, and one rounded to 0 would claim perfect privacy.
const (
	minLoss = 1e-100
	maxLoss = 1e100
)

// checkLossOrNone is [checkLoss] for a number that may be 0.
func checkLossOrNone(field string, loss float64) error {
	if loss == 0 {
		return nil
	}
	return checkLoss(field, loss)
}

// checkLoss refuses an ε, ρ or ξ outside minLoss and maxLoss.
func checkLoss(field string, loss float64) error {
	if loss >= minLoss && loss <= maxLoss {
		return nil
	}
	return param.Errorf(field, "gives a privacy loss of %s; only %s to %s can be computed with",
		numeral.Format(loss), numeral.Format(minLoss), numeral.Format(maxLoss))
}

// withReason says why no smaller number is allowed, and what to do.
func withReason(reason string, p param.Param) param.Param {
	p.Else = reason
	return p
}

// withAlias gives a parameter a second name, by which plans also ask for it.
func withAlias(name string, p param.Param) param.Param {
	p.Alias = name
	return p
}
