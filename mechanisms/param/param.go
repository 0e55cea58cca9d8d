// Package param declares parameters: what a scenario file, a form, a slider or a flag may
// set, within which range, and what is wrong with a value. A mechanism declares its
// parameters so, a lab, and a scenario its fields.
package param

import "fmt"

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
	Else             string            // why there is no other choice
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
	// Alias is what a plan also calls the parameter: "sigma" for a noise multiplier.
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

// Errorf is the problem with the named parameter.
func Errorf(name, format string, args ...any) *Error {
	return &Error{name, fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return e.Param + ": " + e.Problem }
