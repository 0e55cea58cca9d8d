// Package param declares parameters: what a scenario file, a form, a slider or a flag may
// set, within which range, and what is wrong with a value. A mechanism declares its
// parameters so, a lab, and a scenario its fields.
package param

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Type is the type of a parameter's value.
type Type int

const (
	Number Type = iota // a real number
	Whole              // a whole number
	Choice             // one of a few words
	Flag               // true or false
	Scores             // candidates with a score each, by name or as a list
	Points             // Rényi points: order → value
)

// Numeric reports whether a value is a number.
func (t Type) Numeric() bool { return t == Number || t == Whole }

// Param declares one parameter: everything a decoder, a form or a slider needs.
type Param struct {
	Name   string // as in a scenario file: "noise_multiplier"
	Symbol string // as on a slide: "z"
	Unit   string // "" if it has none
	Help   string // one line
	Type   Type

	Min, Max         float64 // allowed range; ±Inf where it has no end
	OpenMin, OpenMax bool    // whether the end itself is excluded
	Choices          []string
	Means            map[string]string // what a choice stands for, and asks for
	Else             string            // why there is no other choice, or no smaller number, and what to do
	Named            bool              // Scores: by name (a mapping), not a plain list

	Required bool    // must be given
	Optional bool    // may be left out, and then has no value
	Default  Value   // taken when absent, if neither Required nor Optional
	Initial  Value   // what a new entry in an editor starts with
	Step     float64 // one press of a slider: a factor if Log, else an increment
	Log      bool

	// Noise says how the number follows the noise, as a power of it: 1 for a σ, −1 for
	// an ε, −2 for a ρ. 0 is a number that says nothing of the noise.
	Noise int
	// Alias is a second name of the parameter in a plan: "sigma" for a noise multiplier.
	Alias string
	// Inner marks a parameter of another mechanism, which this one runs.
	Inner bool
}

// Error is a parameter that cannot be used, with what is allowed. Its text
// names the parameter and never a Go type.
type Error struct {
	Param   string
	Problem string // "must be greater than 0, got -1"
}

// Errorf returns the problem with the named parameter.
func Errorf(name, format string, args ...any) *Error {
	return &Error{name, fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return e.Param + ": " + e.Problem }

// Value is the value of a parameter.
type Value struct {
	Type   Type
	Number float64 // Number, Whole
	Text   string  // Choice
	Flag   bool    // Flag
	Items  []Item  // Scores, Points
}

// Item is a named score, or a Rényi point (Order, Value).
type Item struct {
	Name  string  // candidate's name; "" in a plain list
	Order float64 // Points only
	Value float64
}

// Values are the parameters as given, by name. Defaults are not filled in.
type Values map[string]Value

func NumberValue(x float64) Value { return Value{Type: Number, Number: x} }

// WholeValue returns a whole number; counts reach 1e12 and beyond, hence float64.
func WholeValue(x float64) Value { return Value{Type: Whole, Number: x} }

func ChoiceValue(word string) Value { return Value{Type: Choice, Text: word} }

func FlagValue(on bool) Value { return Value{Type: Flag, Flag: on} }

// ScoresValue returns a plain list of scores, without names.
func ScoresValue(scores ...float64) Value {
	items := make([]Item, len(scores))
	for i, s := range scores {
		items[i].Value = s
	}
	return Value{Type: Scores, Items: items}
}

// CandidatesValue returns a list of named scores.
func CandidatesValue(items ...Item) Value { return Value{Type: Scores, Items: items} }

func PointsValue(items ...Item) Value { return Value{Type: Points, Items: items} }

func (v Values) Has(name string) bool { _, ok := v[name]; return ok }

// Clone copies the values; the lists inside are shared.
func (v Values) Clone() Values {
	c := make(Values, len(v))
	maps.Copy(c, v)
	return c
}

// Alternative lists sets of parameters of which exactly one set is given
// (at most one, if Optional): {{"sigma"}, {"epsilon", "delta"}}. A parameter is in one
// set only.
type Alternative struct {
	Sets     [][]string
	Optional bool
}

// Check finds what is wrong with the choice between sets of parameters.
func (a Alternative) Check(v Values) *Error {
	var touched [][]string
	for _, set := range a.Sets {
		if slices.ContainsFunc(set, v.Has) {
			touched = append(touched, set)
		}
	}
	switch {
	case len(touched) == 0 && a.Optional:
		return nil
	case len(touched) == 0:
		return &Error{a.Sets[0][0], "is missing; give " + a.String()}
	case len(touched) > 1:
		set := touched[1]
		return &Error{set[slices.IndexFunc(set, v.Has)], "give only one of " + a.String()}
	}
	for _, name := range touched[0] {
		if !v.Has(name) {
			return &Error{name, "is missing; give " + a.String()}
		}
	}
	return nil
}

// String lists the sets: "sigma, or epsilon and delta".
func (a Alternative) String() string {
	sets := make([]string, len(a.Sets))
	comma := false
	for i, set := range a.Sets {
		sets[i] = strings.Join(set, " and ")
		comma = comma || len(set) > 1
	}
	last := len(sets) - 1
	separator := " or "
	if comma {
		separator = ", or "
	}
	return strings.Join(sets[:last], ", ") + separator + sets[last]
}
