// Package peers computes the ε that other tools print for a training with their own defaults,
// following their sources (Opacus 1.5.4, dp_accounting 0.6.0, TF-Privacy 0.9.0), and says why
// it differs from ours. These values are not bounds of ours: none is ever the best bound, and
// no budget is checked against one.
package peers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// ToolResult is the ε that a tool prints.
type ToolResult struct {
	Peer       string  // "Opacus 1.5.4"
	Accountant string  // "PRV, its default"
	Epsilon    float64 // NaN where it prints none
	Text       string  // as it prints ε, "" for a function that returns a number
	Why        string  // why it differs, or why there is none
}

// PrintedEpsilon returns ε as the tool prints it; four digits, rounded to the nearest, if it returns a number.
func (f ToolResult) PrintedEpsilon() string {
	if f.Text != "" {
		return f.Text
	}
	return numeral.Nearest(f.Epsilon)
}

// HasValue reports whether the tool prints an ε at all.
func (f ToolResult) HasValue() bool { return !math.IsNaN(f.Epsilon) }

// Standing says how the ε of a tool compares with the bounds on the scenario. An ε below the
// certified lower end is not a guarantee of the training.
type Standing string

const (
	Refused  Standing = ""
	TooSmall Standing = "too small"
	Same     Standing = "the same"
	Smaller  Standing = "smaller"
	Larger   Standing = "larger"
)

// Standing compares the ε of the tool with the bounds of a result: with the certified lower end,
// then with the best bound.
func (f ToolResult) Standing(r *scenarios.Result) Standing {
	if !f.HasValue() || r.Best < 0 {
		return Refused
	}
	if b, _ := r.Bound(accounting.Numerical); b.Status == accounting.Valid && f.Epsilon < b.Lower*(1-peerTolerance) {
		return TooSmall
	}
	best := r.BestBound().Epsilon
	switch {
	case math.Abs(f.Epsilon-best) <= peerTolerance*best:
		return Same
	case f.Epsilon < best:
		return Smaller
	}
	return Larger
}

// peerTolerance is the relative accuracy with which the tools' numerical accountants are
// followed.
const peerTolerance = 2e-3

// tools are the functions that compute what each tool prints, in the order of the output.
var tools = []func(context.Context, job) ([]ToolResult, error){opacus, dpAccounting, tfPrivacy}

// ErrNoTraining is returned for a stack with anything but training in it.
var ErrNoTraining = errors.New("the other tools are compared on trainings only: a stack of dp-sgd entries, or of one matrix entry")

// AskTools returns what every tool prints. The scenario must be one that can be evaluated.
func AskTools(ctx context.Context, s *scenarios.Scenario) ([]ToolResult, error) {
	j, err := jobOf(s)
	switch {
	case err != nil:
		return nil, err
	case !(j.delta > 0):
		return nil, errors.New("the other tools print an ε at a δ above 0, and the budget has none")
	}
	var all []ToolResult
	for _, ask := range tools {
		figures, err := ask(ctx, j)
		if err != nil {
			return nil, err
		}
		all = append(all, figures...)
	}
	return all, nil
}

// IsTraining reports whether a stack is one that the tools can be asked about.
func IsTraining(s *scenarios.Scenario) bool {
	_, err := jobOf(s)
	return err == nil
}

// job is the input of the tools, taken from a scenario.
type job struct {
	adjacency mechanisms.Adjacency
	group     float64
	delta     float64
	runs      []run
	matrix    *mechanisms.Matrix // in place of runs
}

// run is a training with its rate and steps, and how often it runs.
type run struct {
	mechanisms.DPSGD
	repeats float64
}

func jobOf(s *scenarios.Scenario) (job, error) {
	j := job{adjacency: s.Adjacency, group: s.Group, delta: s.Budget.Delta}
	entries := 0
	for _, e := range s.Stack {
		if e.Disabled {
			continue
		}
		entries++
		m, err := mechanisms.New(e.Mechanism, e.Values)
		if err != nil || e.Parallel != nil {
			return j, ErrNoTraining
		}
		switch m := m.(type) {
		case mechanisms.DPSGD:
			if m, err = m.Resolve(s.Records); err != nil {
				return j, err
			}
			j.runs = append(j.runs, run{m, e.Count * s.Rounds})
		case mechanisms.Matrix:
			if m.Cyclic { // its Poisson steps are all that other tools know of
				training, err := m.AsTraining(s.Records)
				if err != nil {
					return j, err
				}
				j.runs = append(j.runs, run{training, e.Count * s.Rounds})
				continue
			}
			if j.matrix = &m; e.Count*s.Rounds != 1 {
				return j, ErrNoTraining
			}
		default:
			return j, ErrNoTraining
		}
	}
	if entries == 0 || j.matrix != nil && entries > 1 {
		return j, ErrNoTraining
	}
	return j, nil
}

// sampler returns the sampling scheme if it is not Poisson, "" if it is or if the
// runs do not agree.
func (j job) sampler() mechanisms.SamplingScheme {
	for _, r := range j.runs {
		if r.Batches != mechanisms.Poisson {
			return r.Batches
		}
	}
	return ""
}

// poissonMismatch words in what a tool errs that assumes Poisson batches, add-remove and one record per person; "" if
// the training has all three.
func (j job) poissonMismatch() string {
	var off []string
	if d := j.sampler(); d != "" {
		off = append(off, fmt.Sprintf("Poisson batches, not %s ones", d))
	}
	return mismatchText(append(off, j.recordMismatch()...))
}

// recordMismatch lists in what a tool errs that assumes add-remove and one record per person.
func (j job) recordMismatch() (off []string) {
	if j.adjacency == mechanisms.Replace {
		off = append(off, "add-remove, not replace")
	}
	if j.group > 1 {
		off = append(off, "one record a person, not "+numeral.Format(j.group))
	}
	return off
}

func mismatchText(off []string) string {
	if len(off) == 0 {
		return ""
	}
	return "prices " + strings.Join(off, "; ")
}

// minDelta is the δ below which rounding in Opacus' transform decides what it prints, which is not
// followed here.
const minDelta = 1e-10

var roundingReason = fmt.Sprintf("below δ = %v rounding in its transform decides what it prints", minDelta)

// numericalEpsilon returns the ε of a numerical accountant: the tight ε of the pairs, from which its grid
// differs by less than the tolerance of a comparison.
func numericalEpsilon(ctx context.Context, parts []pairs.Part, delta float64) (float64, error) {
	i, err := pld.Epsilon(ctx, parts, delta, pld.Options{Width: 1e-5})
	return i.Upper, err
}
