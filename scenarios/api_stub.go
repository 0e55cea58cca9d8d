package scenarios

import (
	"context"
	"errors"
	"io"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

var errUnbuilt = errors.New("not built yet")

type (
	origin      struct{}
	entrySource struct{}
)

// Parse decodes a scenario; name is what its errors call the file.
func Parse(name string, data []byte) (*Scenario, error) { return nil, errUnbuilt }

// Load reads and decodes a file, and remembers what the file held so that a later
// [Scenario.Save] notices if somebody else has written to it meanwhile.
func Load(path string) (*Scenario, error) { return nil, errUnbuilt }

// LoadNamed loads what a command line names: "-" is standard input, then a path,
// then the name of a bundled scenario.
func LoadNamed(fileOrName string, stdin io.Reader) (*Scenario, error) { return nil, errUnbuilt }

// Info describes one scenario of the embedded library.
type Info struct {
	Name        string // what the command line calls it: "welcome"
	Group       string // lectures, deployments or patterns
	Title       string
	Description string
}

// Bundled lists the embedded library, by group and name.
func Bundled() []Info { return nil }

// LoadBundled decodes a scenario of the library.
func LoadBundled(name string) (*Scenario, error) { return nil, errUnbuilt }

// BundledSource is the text of a scenario of the library, comments and all.
func BundledSource(name string) ([]byte, error) { return nil, errUnbuilt }

// New is an empty scenario with every default filled in.
func New() *Scenario {
	return &Scenario{Adjacency: mechanisms.AddRemove, Rounds: 1, Group: 1}
}

// NewEntry is an entry as an editor starts it, with the catalogue's initial values.
func NewEntry(mechanism string) (Entry, error) { return Entry{}, errUnbuilt }

// Errors are all that is wrong with a scenario, in the order of the file.
type Errors []FieldError

// FieldError is one mistake. Line and Column count from 1; both are 0 where the
// scenario did not come from a text.
type FieldError struct {
	File         string
	Line, Column int
	Field        string // "stack[2].sigma"; "" for the file as a whole
	Problem      string // "must be greater than 0, got -1"
}

func (e Errors) Error() string     { return "" }
func (e FieldError) Error() string { return "" }

// Validate checks a scenario changed in memory by the rules of the file format.
func (s *Scenario) Validate() error { return errUnbuilt }

// Marshal writes the scenario as YAML.
func (s *Scenario) Marshal() ([]byte, error) { return nil, errUnbuilt }

// ErrChanged means that the file on disk is no longer the one that was loaded;
// ErrExists that another file is already there.
var (
	ErrChanged = errors.New("the file changed on disk since it was loaded")
	ErrExists  = errors.New("another file of that name is already there")
)

// Save writes the scenario to a file; SaveForce does so whatever is there now.
func (s *Scenario) Save(path string) error      { return errUnbuilt }
func (s *Scenario) SaveForce(path string) error { return errUnbuilt }

// Path is the file the scenario was loaded from or last saved to; "" if none.
func (s *Scenario) Path() string { return "" }

// ChangedOnDisk reports whether the file differs from what was loaded or saved.
func (s *Scenario) ChangedOnDisk() (bool, error) { return false, errUnbuilt }

func (s *Scenario) Clone() *Scenario           { return nil }
func (s *Scenario) Equal(other *Scenario) bool { return false }
func (e Entry) Clone() Entry                   { return e }
func (e Entry) Equal(other Entry) bool         { return false }

// Set changes one field by path ("1.count", "4.1.2.epsilon", "rounds") and text
// ("50", "1/800", "ln(3)").
func (s *Scenario) Set(path, text string) error { return errUnbuilt }

// Field is one editable field of an entry.
type Field struct {
	Param mechanisms.Param
	Value mechanisms.Value // as given, else the default, else the initial value
	Given bool             // whether the entry states it
	// Excluded means that another field, given instead, makes this one unusable:
	// setting it removes the other.
	Excluded bool
}

// Fields lists what an editor can change of an entry.
func Fields(e Entry) []Field { return nil }

// SetField changes one field of an entry by name and text.
func (e *Entry) SetField(name, text string) error { return errUnbuilt }

// Evaluate computes every bound of the scenario.
func Evaluate(ctx context.Context, s *Scenario, opt Options) (*Result, error) {
	return nil, errUnbuilt
}

// Refine evaluates the closed forms at once and then yields results with an ever
// narrower numerical interval, until the width asked for, the end of the context
// or a yield that returns false.
func Refine(ctx context.Context, s *Scenario, opt Options, yield func(*Result) bool) error {
	return errUnbuilt
}

// Evaluator evaluates scenarios and keeps what it computed, by value.
type Evaluator struct{}

func NewEvaluator() *Evaluator { return &Evaluator{} }

func (ev *Evaluator) Evaluate(ctx context.Context, s *Scenario, opt Options) (*Result, error) {
	return nil, errUnbuilt
}
func (ev *Evaluator) Refine(ctx context.Context, s *Scenario, opt Options, yield func(*Result) bool) error {
	return errUnbuilt
}
func (ev *Evaluator) Plan(ctx context.Context, s *Scenario, req PlanRequest) (PlanResult, error) {
	return PlanResult{}, errUnbuilt
}
func (ev *Evaluator) QueriesLeft(ctx context.Context, s *Scenario, entry int, method accounting.Method) (float64, error) {
	return 0, errUnbuilt
}

// Stack is what the accountants compose: the scenario's entries, folded.
func (ev *Evaluator) Stack(s *Scenario, opt Options) ([]accounting.Entry, error) {
	return nil, errUnbuilt
}

// PlanRequest asks for one unknown.
type PlanRequest struct {
	Solve   string // count, epsilon, sigma, scale, steps, rounds, delta or n
	Entry   int    // from 1; 0 means the only entry that has the field
	Method  accounting.Method
	Epsilon float64 // 0: the budget's
	Delta   float64 // 0: the budget's
}

// PlanResult is the answer, on the safe side.
type PlanResult struct {
	Solve    string
	Entry    int // 0 where the unknown belongs to the whole scenario
	Method   accounting.Method
	Value    float64
	Achieved Budget
	Feasible bool
	Note     string
}

// Plan solves for one unknown under the scenario's budget.
func Plan(ctx context.Context, s *Scenario, req PlanRequest) (PlanResult, error) {
	return PlanResult{}, errUnbuilt
}

// Apply puts a plan's answer into the scenario.
func (s *Scenario) Apply(r PlanResult) error { return errUnbuilt }

// QueriesLeft is how many more copies of an entry (from 1) fit the budget by the
// given method ("" for the best closed form). It is a whole number, +Inf if the
// entry costs nothing.
func QueriesLeft(ctx context.Context, s *Scenario, entry int, method accounting.Method) (float64, error) {
	return 0, errUnbuilt
}

// Failure is an expectation that does not hold.
type Failure struct {
	Expectation Expectation
	Bound       accounting.Bound
	Problem     string
}

// CheckExpectations evaluates the scenario and compares it with its expect list.
func CheckExpectations(ctx context.Context, s *Scenario) []Failure { return nil }
