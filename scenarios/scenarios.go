// Package scenarios is what a user saves: a stack of mechanisms with its budget,
// its unit and its adjacency, in a YAML file.
//
// Start with [Load] (or [LibraryInfos] for the embedded library), change the
// [Scenario] (directly, or by path and text with [Scenario.Set]), ask [Evaluate]
// what it costs (or package plan what would fit), and [Scenario.Save] it. Decoding is
// strict and reports every error of a file with line, column and field; saving
// keeps the comments, order and formatting of whatever did not change.
//
// # The file
//
// A scenario file is YAML with these fields; version and stack are required, and
// a stack may be empty.
//
//	version: 1
//	name, description, unit: text
//	adjacency: add-remove | replace | zero-out (add-remove)
//	budget: {epsilon: ε, delta: δ}             either may be left out
//	alpha: auto | a Rényi order above 1        (auto)
//	rounds: how often the whole stack is run   (1, up to 1e12)
//	group: records one person may contribute   (1)
//	records: how many records the data has     for remarks on δ
//	deployment: who publishes what, for a register of deployments: [Deployment]
//	stack: a list of entries
//	expect: bounds to reproduce, {method, epsilon, tolerance, source}
//
// An entry has a mechanism with its parameters, as declared in the catalogue of
// package mechanisms, or parallel, a list of branches of which each is a list of
// entries; and label, count (1, up to 1e12), sampling: {rate: q}, weight and typical
// (for dividing a budget: no bound depends on them) and disabled
// (false: true keeps the entry in the file and leaves it out of the cost). A number
// holds for the scenario's adjacency; an entry may claim more of it with also:
// add-remove or also: {add-remove: NUMBER}, and a block with moves: never. An entry
// may say what is asked, query: {kind: histogram, max_groups: 3, per_group: 5}, from
// which its sensitivity follows ([query.Query]), and a block in how many branches one
// person can be, max_branches.
//
// A program that evaluates the same scenario again and again, with one knob
// turned, keeps an [Evaluator].
package scenarios

import (
	"strconv"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/query"
)

// Scenario is the content of a scenario file: stack, budget, unit and adjacency.
type Scenario struct {
	Name        string
	Description string
	Unit        string // whose data one record is: "person-month"
	Adjacency   mechanisms.Adjacency
	Budget      Budget
	Alpha       float64 // pinned Rényi order; 0 means auto
	Rounds      float64 // the whole stack, this many times
	Group       float64 // records one person may contribute
	Records     float64 // how many records the data has; 0 if not said
	Deployment  Deployment
	Stack       []Entry
	Expect      []Expectation

	origin *origin // the text it was read from and the file it lives in; nil if new
}

// Budget is the total the stack should stay within: an ε, or a harm. If both are zero, there
// is none.
type Budget struct {
	Epsilon, Delta float64
	Harm           HarmLimit
}

// IsSet reports whether the budget limits ε or a harm, even if the limit is a number that [Scenario.Validate] refuses.
func (b Budget) IsSet() bool { return b.Epsilon != 0 || b.Harm.Kind() != "" }

// Entry is an entry of the stack: a mechanism, or a block of parallel branches on
// disjoint parts of the data (then only Label, Count, Disabled, Parallel, Moves and Branches count).
type Entry struct {
	Mechanism string
	Label     string
	Count     float64
	Sampling  float64         // Poisson rate; 1 means none
	Disabled  bool            // kept in the file, left out of the cost
	Also      mechanisms.Also // what the user claims for add-remove, under replace
	Weight    float64         // how exact the answer should be when a budget is divided; 0 stands for 1
	Typical   float64         // size of the answer; 0 if not said
	Query     query.Query     // what is asked, from which the sensitivity follows
	Moves     string          // "never": who is in which branch is public; "" says nothing
	Branches  float64         // branches that one person's records can be in; 0 if not said, and priced as 1
	Values    param.Values
	Parallel  [][]Entry

	source *entrySource // where the entry stands in the text; nil if new
}

// Expectation is a bound that the scenario must reproduce.
type Expectation struct {
	Method    accounting.Method
	Epsilon   float64
	Tolerance float64 // relative
	Source    string
}

// Options steer an evaluation.
type Options struct {
	Precision       float64 // numerical width; 0 means [pld.DefaultWidth]
	ClosedFormsOnly bool    // without the numerical bound
}

// Result is an evaluated scenario: every output prints this value.
type Result struct {
	Name      string
	Adjacency mechanisms.Adjacency
	Unit      string
	Rounds    float64
	Group     float64
	Target    accounting.Target
	Bounds    []accounting.Bound
	Best      int // index into Bounds, −1 if no bound is valid
	Entries   []EntryResult
	Remarks   []Remark
	Harm      *HarmResult // nil if the budget is not a harm, or is still being computed
}

// EntryResult is an evaluated entry of the stack.
type EntryResult struct {
	Index     int // from 1
	Mechanism string
	Label     string
	Count     float64
	Share     float64 // of the cost, under an additive privacy notion of the best bound; 0..1
	Disabled  bool
	// Sensitivity is how far one person moves the answer; its Norm is "" if the entry has none.
	Sensitivity query.Derived
}

// Remark is a remark on a scenario: not an error, but something to know.
type Remark struct {
	Entry int // from 1; 0 for the whole scenario
	mechanisms.Remark
}

// Subject names what the remark is about: "scenario" or "entry 2".
func (l Remark) Subject() string {
	if l.Entry == 0 {
		return "scenario"
	}
	return "entry " + strconv.Itoa(l.Entry)
}
