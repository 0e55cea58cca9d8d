// Package mechanisms holds the differentially private mechanisms themselves: their
// parameters, what one run promises, the noise they add and how useful the answer
// still is.
//
// Start with [Catalogue], which lists every mechanism with its declared
// parameters, and [New], which builds one from values. [Entries] turns a mechanism
// into what the accountants of package accounting compose.
//
// What a mechanism can say beyond its cost is found by interface: [Noisy] for the
// noise it adds (and [Answers] for the answers of two neighbours), [Measured] for
// the error of its answers, [Selector] for which candidate it picks, [Additive] for
// what its variance costs. Each is also a plain struct with exported parameters, for
// programs that need no catalogue: Laplace{Epsilon: 0.5, Sensitivity: 1}. No program
// above this package asks for a mechanism by name: it asks what the mechanism can do.
//
// Each mechanism is one file that declares its parameters once, in its [Spec]. The
// scenario decoder, the editing form, the --set flag and the documentation table
// all read that declaration.
package mechanisms

import (
	"epsiloscope/accounting"
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

// Spec is a mechanism's declaration in the catalogue.
type Spec struct {
	Name         string // as in a scenario file: "laplace"
	Title        string // "Laplace"
	Summary      string // one line: what it is for
	Params       []Param
	Alternatives []Alternative
	// Source is the paper the mechanism and its guarantee come from.
	Source string
	// Notes say where lecture slides print something else than this program shows,
	// and why; and what the guarantee asks of the implementation.
	Notes []string
	// Local marks a mechanism that people can run on their own record; every other one
	// needs a curator who is trusted with the data.
	Local bool
	// Rate names the parameter that is the rate at which the mechanism samples records
	// itself; "" if it does not.
	Rate string
	// Varies names the parameter on which it depends what other parameters there are: the
	// mechanism that is run. [SpecOf] is the declaration for its value.
	Varies string
	// Reports is what an answer is where it is not a number with noise: "category".
	Reports string
	// NoError is why no error is stated, for a mechanism that is not [Measured].
	NoError string
	// build makes the mechanism from values already checked against Params and
	// Alternatives; it returns a *ParamError for conditions across parameters.
	build func(reader) (Mechanism, error)
}

// Build makes the mechanism from values already checked against the declaration.
func (s *Spec) Build(v Values) (Mechanism, error) { return s.build(reader{s, v}) }

// Value is one parameter's value.
type Value struct {
	Type   Type
	Number float64 // Number, Whole
	Text   string  // Choice
	Flag   bool    // Flag
	Items  []Item  // Scores, Points
}

// Item is one named score, or one Rényi point (Order, Value).
type Item struct {
	Name  string  // candidate's name; "" in a plain list
	Order float64 // Points only
	Value float64
}

// Values are the parameters as given, by name. Defaults are not filled in.
type Values map[string]Value

// ParamError is a parameter that cannot be used, with what is allowed. Its text
// names the parameter and never a Go type.
type ParamError struct {
	Param   string
	Problem string // "must be greater than 0, got -1"
}

func (e *ParamError) Error() string { return e.Param + ": " + e.Problem }

// Adjacency says which data sets count as neighbours.
type Adjacency string

const (
	AddRemove Adjacency = "add-remove" // one record added or removed
	Replace   Adjacency = "replace"    // one record changed
	ZeroOut   Adjacency = "zero-out"   // one record made to contribute nothing; the number of records is public
)

// Also is what a user claims, under replace, of a record's absence: that the stated
// number bounds presence against absence too, or that a number of its own does. It is
// never inferred.
type Also struct {
	AddRemove bool
	Number    float64 // the number for absence, in the entry's own unit; 0 means the stated one
}

// Setting is what surrounds a mechanism in a scenario.
type Setting struct {
	Adjacency Adjacency
	Count     float64 // how often the mechanism runs; 1 if unset
	Group     float64 // records one person may contribute; 1 if unset
	Sampling  float64 // Poisson sampling rate of the entry; 1 means none
	Records   float64 // how many records the data has; 0 if not known
	Also      Also    // what the entry's number says of absence, under replace
	// Absent is the mechanism with the number for absence, where Also gives one of its
	// own; see [WithAbsent].
	Absent Mechanism
}

// Mechanism is one configured mechanism.
type Mechanism interface {
	// Kind is the mechanism's name in the catalogue.
	Kind() string
	// Releases is what one run costs, for one record and without sampling: usually
	// one release, several where a run is itself a composition (sparse vector,
	// DP-SGD).
	Releases() []accounting.Entry
}
