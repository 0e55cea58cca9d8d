// Package mechanisms holds the differentially private mechanisms themselves: their
// parameters, what one run promises, the noise they add and how useful the answer
// still is.
//
// Start with [Catalogue], which lists every mechanism with its declared
// parameters, and [New], which builds one from values. [Entries] turns a mechanism
// into what the accountants of package accounting compose.
//
// What a mechanism can say beyond its cost is found by interface: [Noisy] for the
// noise it adds (and [Answers] for the answers of two neighbours), [Selector] for which
// candidate it picks, [Additive] for what its variance costs; [ErrorOf] is the error of
// its answers. Each is also a plain struct with exported parameters, for
// programs that need no catalogue: Laplace{Epsilon: 0.5, Sensitivity: 1}. No program
// above this package asks for a mechanism by name: it asks what the mechanism can do.
//
// Each mechanism is one file that declares its parameters once, in its [Spec]. The
// scenario decoder, the editing form, the --set flag and the documentation table
// all read that declaration.
package mechanisms

import "epsiloscope/accounting"

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
	Delta     float64 // of the budget; no price turns on it
	Also      Also    // what the entry's number says of absence, under replace
	// Absent is the mechanism with the number for absence, where Also gives one of its
	// own; see [WithAbsent].
	Absent Mechanism
}

// Mechanism is one configured mechanism.
type Mechanism interface {
	// Kind is the mechanism's name in the catalogue.
	Kind() string
	// Releases is what one run costs a person with so many records, without sampling:
	// usually one release, several where a run is itself a composition (sparse vector,
	// DP-SGD).
	//
	// With additive noise and with scores k records move the answer k times as far, while
	// the noise stays. For the exponential mechanism k changes of range ε, one after the
	// other, have range kε; that holds for monotone scores too. Of what else is known of a
	// release [accounting.GroupOf] says what it means for k.
	Releases(records float64) []accounting.Entry
}

// once is a run that is a single release.
func once(r accounting.Release) []accounting.Entry {
	return []accounting.Entry{{Release: r, Count: 1}}
}
