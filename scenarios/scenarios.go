package scenarios

import (
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
	Claim       Claim   // what somebody says of the releases
	// to questions of a review that have no field of their own; never changed in place
	Answers    map[ReviewPoint]string
	Deployment Deployment
	Stack      []Entry
	Expect     []Expectation

	adjacencyStated bool    // the file has it, or it was set
	granted         bool    // by a ledger, perhaps before a rule of today
	wholeRecords    float64 // as seen by a branch: how many records the data has, of which it has a part

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
	Notes     []Note      // on the entries, as they were priced
	Reasons   []string    // why sensitivities that follow from queries are what they are, as [Scenario.Reasons] says
	Harm      *HarmResult // nil if the budget is not a harm, or is still being computed

	profile  *profileCell
	open     bool // an entry under replace does not state its sensitivity
	adaptive bool // the author says that costs were chosen after earlier answers were seen
}

// EntryResult is an evaluated entry of the stack.
type EntryResult struct {
	Index     int // from 1
	Mechanism string
	Label     string
	Count     float64
	Share     float64 // of the cost, under an additive privacy notion of the best bound; 0..1
	Disabled  bool
	// Sensitivity bounds the change of the answer by one person; its Norm is "" if the entry has none.
	Sensitivity query.Derived
}
