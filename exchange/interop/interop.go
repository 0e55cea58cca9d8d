// Package interop reads the privacy records of other tools into scenarios, and
// writes a scenario as code or a record that those tools understand.
//
// Start with [Import] and [Export]. The rule for importing follows from what a
// mistake would cost: a record is understood completely or refused. Every part of it
// is carried over exactly, or bounded from above with a remark, or named in a remark
// as without effect on the cost; else the import fails and says where it stopped.
package interop

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// The bytes of a record come in; a scenario goes out with remarks, or a refusal with its place.

// MaxSize is the largest record read, in bytes: as for scenario files.
const MaxSize = 4 << 20

// Record is a record of another tool as it was read.
type Record struct {
	Scenario *scenarios.Scenario
	Claims   []Claim  // what the source says it costs
	Remarks  []string // what was assumed, bounded from above or not carried over
	delta    bool     // the source states its δ
}

// Claim is a guarantee the source states about the same releases.
type Claim struct {
	Epsilon, Delta float64
	Accountant     string // "RDP accounting, Poisson sampling"
	// Method is our method that computes the same; "" if none does.
	Method string
	// Why explains in advance where a difference would come from.
	Why string
}

// A format has a name for the command line, a title for people, a line about it, and the function
// that reads or writes it.
type format[F any] struct {
	name, title, about string
	run                F
}

// A reader fills a record, and refuses by panicking: see refuse.
type reader func(rec *Record, data []byte)

var readers = []format[reader]{
	{"opacus", "Opacus", "accountant state: history and mechanism, as JSON", readOpacus},
	{"dp-accounting", "dp_accounting", "DpEvent tree: JSON of the named tuples, or repr", readDpEvent},
	{"tf-privacy", "TF-Privacy", "the text of compute_dp_sgd_privacy_statement", readStatement},
	{"diffprivlib", "diffprivlib", "spent_budget list, or repr of a BudgetAccountant", readDiffprivlib},
	{"tumult", "Tumult", "PureDPBudget, ApproxDPBudget, RhoZCDPBudget", readTumult},
	{"opendp", "OpenDP", "serialized measurement, as JSON", readOpenDP},
	{"registry", "the registry of deployments", "record of opendp/deployments-registry-data, as YAML", readRegistry},
	{"csv", "CSV", "rows of mechanism, epsilon, delta, count", readCSV},
}

// Formats lists the import formats with one line on each.
func Formats() (names, about []string) { return namesOf(readers) }

func namesOf[F any](formats []format[F]) (names, about []string) {
	for _, f := range formats {
		names, about = append(names, f.name), append(about, f.about)
	}
	return names, about
}

func lookup[F any](to string, formats []format[F], name string) (found format[F], err error) {
	for _, f := range formats {
		if f.name == name {
			return f, nil
		}
	}
	names, _ := namesOf(formats)
	return found, fmt.Errorf("unknown %s format %q; known: %s", to, name, strings.Join(names, ", "))
}

// Import reads a record in the named format.
func Import(format string, data []byte) (*Record, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%s: the record has %d bytes; at most %d are read", format, len(data), MaxSize)
	}
	source, err := lookup("import", readers, format)
	if err != nil {
		return nil, err
	}
	rec := newRecord()
	rec.Scenario.Name = "Imported from " + source.title
	if err := rec.read(source.run, data); err != nil {
		return nil, fmt.Errorf("%s: %w", format, err)
	}
	rec.Scenario.Description = rec.describe()
	if err := rec.Scenario.Validate(); err != nil {
		return nil, fmt.Errorf("%s: the record holds values outside what a scenario allows:\n%w", format, err)
	}
	return rec, nil
}

// read runs a reader and catches what it refuses.
func (r *Record) read(source reader, data []byte) (err error) {
	defer recoverRefusal(&err)
	source(r, data)
	if len(r.Scenario.Stack) == 0 {
		refuse("", "the record holds nothing that spends privacy")
	}
	if !r.delta { // most bounds need one
		r.Scenario.Budget.Delta = defaultDelta
		r.Remarks = slices.Insert(r.Remarks, 0, "the record keeps no δ; 1e-5 was put in its place: set budget.delta to yours")
	}
	return nil
}

const defaultDelta = 1e-5

// newRecord starts an empty record.
func newRecord() *Record { return &Record{Scenario: scenarios.New()} }

// setDelta keeps the δ that the source states.
func (r *Record) setDelta(delta float64) { r.Scenario.Budget.Delta, r.delta = delta, true }

func (r *Record) remark(format string, args ...any) {
	r.Remarks = withText(r.Remarks, fmt.Sprintf(format, args...))
}

// withText adds a text to a list, once.
func withText(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// add appends an entry, merging it with the one before if only the count differs.
func (r *Record) add(e scenarios.Entry) {
	if e.Count == 0 {
		return
	}
	if n := len(r.Scenario.Stack); n > 0 {
		last := r.Scenario.Stack[n-1].Clone()
		count := last.Count
		last.Count = e.Count
		if last.Equal(e) {
			r.Scenario.Stack[n-1].Count = count + e.Count
			return
		}
	}
	r.Scenario.Stack = append(r.Scenario.Stack, e)
}

// spend adds an entry for the part n of the record, and remarks on what costs nothing.
func (r *Record) spend(n node, e scenarios.Entry) {
	if e.Count == 0 {
		r.remarkFree(n)
	}
	r.add(e)
}

// remarkFree adds a remark on a part of the record that costs nothing.
func (r *Record) remarkFree(n node) {
	if len(r.Remarks) < maxNotes {
		r.remark("%s: %s costs nothing as it stands", n.at, cmp.Or(n.text, "this"))
	} else {
		r.remark("further parts cost nothing as they stand")
	}
}

// newEntry builds a stack entry from numbers given by parameter name.
func newEntry(mechanism string, count float64, params map[string]float64) scenarios.Entry {
	e := scenarios.Entry{Mechanism: mechanism, Count: count, Sampling: 1, Values: param.Values{}}
	spec, _ := mechanisms.Lookup(mechanism)
	for name, x := range params {
		v := param.NumberValue(x)
		if p, ok := spec.Param(name); ok && p.Type == param.Whole {
			v = param.WholeValue(x)
		}
		e.Values[name] = v
	}
	return e
}
