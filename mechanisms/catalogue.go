package mechanisms

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// catalogue lists the mechanisms in the order in which menus and tables show them.
// Adding a mechanism is adding its file and its line here.
var catalogue = []*Spec{
	&laplaceSpec,
	&geometricSpec,
	&gaussianSpec,
	&discreteGaussianSpec,
	&randomizedResponseSpec,
	&exponentialSpec,
	&noisyMaxSpec,
	&aboveThresholdSpec,
	&sparseVectorSpec,
	&thresholdoutSpec,
	&outputPerturbationSpec,
	&objectivePerturbationSpec,
	&dpsgdSpec,
	&matrixSpec,
	&selectSpec,
	&pureSpec,
	&approximateSpec,
	&zcdpSpec,
	&rdpSpec,
}

// byName is filled once at start: Go finds an initialisation cycle if a spec's
// Build function reached the catalogue through a variable.
var byName = map[string]*Spec{}

// variants are the declarations of a mechanism that runs another one, by that; "" where it
// is not known which.
var variants = map[string]*Spec{}

func init() {
	for _, s := range catalogue {
		byName[s.Name] = s
	}
	variants[""] = selectOf(&Spec{})
	for _, kind := range runnable() {
		variants[kind] = selectOf(byName[kind])
	}
	selectSpec = *variants[selectSpec.Variant()]
}

// Variant is the mechanism that it runs, "" if none.
func (s Spec) Variant() string { p, _ := s.Param(s.Varies); return p.Initial.Text }

// SpecOf is a mechanism's declaration for an entry with these values.
func SpecOf(kind string, v Values) (Spec, bool) {
	s, known := Lookup(kind)
	if s.Varies == "" {
		return s, known
	}
	if variant := variants[v[s.Varies].Text]; variant != nil {
		return *variant, true
	}
	return *variants[""], true
}

// Variants are the declarations that [SpecOf] chooses from, where it has to.
func (s Spec) Variants() []Spec {
	p, _ := s.Param(s.Varies)
	if s.Varies == "" {
		return []Spec{s}
	}
	list := []Spec{*variants[""]}
	for _, kind := range p.Choices {
		list = append(list, *variants[kind])
	}
	return list
}

// Catalogue lists every mechanism, always in the same order.
func Catalogue() []Spec {
	list := make([]Spec, len(catalogue))
	for i, s := range catalogue {
		list[i] = *s
	}
	return list
}

// Lookup finds a mechanism's declaration by the name used in scenario files.
func Lookup(name string) (Spec, bool) {
	if s, ok := byName[name]; ok {
		return *s, true
	}
	return Spec{}, false
}

// Names lists the names of every mechanism in catalogue order.
func Names() []string {
	names := make([]string, len(catalogue))
	for i, s := range catalogue {
		names[i] = s.Name
	}
	return names
}

// UnknownMechanism is the text for a mechanism that does not exist: it suggests the
// nearest name, or lists them all.
func UnknownMechanism(name string) string {
	if near := Nearest(name, Names()); near != "" {
		return fmt.Sprintf("unknown mechanism %s; did you mean %s?", quoted(name), near)
	}
	return fmt.Sprintf("unknown mechanism %s; known: %s", quoted(name), strings.Join(Names(), ", "))
}

// New builds a mechanism from values, after checking them. Its error joins every
// problem found, each a [*ParamError].
func New(kind string, v Values) (Mechanism, error) {
	spec, ok := SpecOf(kind, v)
	if !ok {
		return nil, errors.New(UnknownMechanism(kind))
	}
	var problems []error
	for _, p := range Check(spec, v) {
		problems = append(problems, p)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	m, err := spec.Build(v)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// The kinds of parameters that mechanisms share, and those that several have, are
// declared once. A step above 1 is a factor.

// positive is a number above 0 that must be given.
func positive(name, symbol, help string, initial, step float64) Param {
	return Param{
		Name: name, Symbol: symbol, Help: help, Type: Number, OpenMin: true, Max: math.Inf(1),
		Required: true, Initial: NumberValue(initial), Step: step, Log: step > 1,
	}
}

// natural is a whole number from 1 to most that must be given.
func natural(name, symbol, help string, most, initial, step float64) Param {
	return Param{
		Name: name, Symbol: symbol, Help: help, Type: Whole, Min: 1, Max: most,
		Required: true, Initial: WholeValue(initial), Step: step, Log: step > 1,
	}
}

// oneOf is a choice of which the first is the default.
func oneOf(name, help string, choices ...string) Param {
	first := ChoiceValue(choices[0])
	return Param{Name: name, Help: help, Type: Choice, Choices: choices, Default: first, Initial: first}
}

// optional makes a parameter one that may be left out and then has no value.
func optional(p Param) Param {
	p.Required, p.Optional, p.Default = false, true, Value{}
	return p
}

// defaulted makes it one that has its initial value where it is left out.
func defaulted(p Param) Param {
	p.Required, p.Default = false, p.Initial
	return p
}

// following makes it one that follows the noise, by the given power of it.
func following(power int, p Param) Param {
	p.Noise = power
	return p
}

// below limits it, and upTo too, the limit included.
func below(limit float64, p Param) Param {
	p.OpenMax = true
	return upTo(limit, p)
}

func upTo(limit float64, p Param) Param {
	p.Max = limit
	return p
}

// atLeastZero lets it be 0.
func atLeastZero(p Param) Param {
	p.OpenMin = false
	return p
}

// inUnit gives it a unit.
func inUnit(unit string, p Param) Param {
	p.Unit = unit
	return p
}

func epsilonParam(help string) Param { return following(-1, positive("epsilon", "ε", help, 0.1, 1.1)) }

func sensitivityParam(symbol, help string) Param {
	return defaulted(inUnit("answer", positive("sensitivity", symbol, help, 1, 1.1)))
}

// noiseMultiplierParam is the noise of a training. Plans call it sigma too.
func noiseMultiplierParam(initial float64) Param {
	p := following(1, positive("noise_multiplier", "z", "standard deviation of the noise, in clipping norms", initial, 1.05))
	p.Alias = "sigma"
	return p
}

func latticeSensitivityParam() Param {
	return defaulted(inUnit("answer", natural("sensitivity", "Δ", "most one record can change the answer: a whole number, as the answer is", maxLattice, 1, 1)))
}

// maxLattice bounds the sensitivity of mechanisms on the integers, whose loss is
// summed point by point.
const maxLattice = 1e6

func thresholdParam() Param {
	return Param{
		Name: "threshold", Symbol: "T", Unit: "answer", Help: "answers above it are reported", Type: Number,
		Min: math.Inf(-1), Max: math.Inf(1), Default: NumberValue(0), Initial: NumberValue(0), Step: 1,
	}
}

func queriesParam() Param {
	return optional(natural("queries", "k", "how many queries may be asked; free of charge, but accuracy falls with it", maxCount, 1000, 1.25))
}

// maxCount bounds every count: a stack reaches 1e24 releases with as many rounds.
const maxCount = 1e12

// epsilon reads ε and, where the mechanism has one, checks it against the
// sensitivity: the scale of the noise is their ratio.
func (r reader) epsilon() (float64, error) {
	epsilon := r.number("epsilon")
	if err := checkLoss("epsilon", epsilon); err != nil {
		return 0, err
	}
	if _, ok := r.spec.Param("sensitivity"); ok {
		if scale := r.number("sensitivity") / epsilon; !(scale > 0) || math.IsInf(scale, 1) {
			return 0, &ParamError{"sensitivity", "is too far from epsilon: the noise is beyond what a number can hold"}
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
func checkLoss(param string, loss float64) error {
	if loss >= leastLoss && loss <= mostLoss {
		return nil
	}
	return &ParamError{param, fmt.Sprintf("gives a privacy loss of %s; only %s to %s can be computed with",
		FormatNumber(loss), FormatNumber(leastLoss), FormatNumber(mostLoss))}
}
