package report

import (
	"errors"
	"math"
	"strconv"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"

	"gonum.org/v1/gonum/mathext"
)

// AccuracyRow is what the users of one entry's answers will see.
type AccuracyRow struct {
	Entry    string // as in --set: "2", or "4.1.2" inside a block
	What     string // its label, or its mechanism
	Answers  float64
	Accuracy mechanisms.Accuracy // errors at 95 %, in units of the answer
	Reason   string              // why there is none, if there is none
	// Share is the 95 % error as a share of all records, Sampling what drawing that
	// many records at random adds anyway. Both are 0 where the number of records, or
	// the meaning of the answer, is not known.
	Share, Sampling float64
	// Picks marks a selection with scores: Right is the chance of the best candidate,
	// Loss the expected loss in score.
	Picks       bool
	Right, Loss float64
}

// AccuracyOf lists every enabled entry with its error at 95 % confidence.
func AccuracyOf(s *scenarios.Scenario) []AccuracyRow {
	return accuracyRows(s, "", s.Stack, s.Rounds)
}

func accuracyRows(s *scenarios.Scenario, prefix string, stack []scenarios.Entry, rounds float64) []AccuracyRow {
	var rows []AccuracyRow
	for i := range stack {
		e := &stack[i]
		if e.Disabled {
			continue
		}
		at := prefix + strconv.Itoa(i+1)
		if e.Parallel != nil {
			for j, branch := range e.Parallel {
				rows = append(rows, accuracyRows(s, at+"."+strconv.Itoa(j+1)+".", branch, rounds*e.Count)...)
			}
			continue
		}
		rows = append(rows, accuracyRow(s, at, e, rounds))
	}
	return rows
}

func accuracyRow(s *scenarios.Scenario, at string, e *scenarios.Entry, rounds float64) AccuracyRow {
	row := AccuracyRow{Entry: at, What: e.Label, Answers: math.Max(1, e.Count*rounds)}
	spec, _ := mechanisms.Lookup(e.Mechanism)
	if row.What == "" {
		row.What = spec.Title
	}
	m, err := mechanisms.New(e.Mechanism, e.Values)
	if err != nil {
		row.Reason = err.Error()
		return row
	}
	if response, ok := m.(mechanisms.RandomizedResponse); ok {
		row.Accuracy, err = estimated(response, s.Records, row.Answers)
	} else {
		row.Accuracy, err = e.Accuracy(rounds)
	}
	if err != nil {
		row.Reason = err.Error()
		return row
	}
	if selector, ok := m.(mechanisms.Selector); ok {
		if selection, err := selector.Selection(); err == nil {
			row.Picks, row.Right, row.Loss = true, selection.Right(), math.Max(0, selection.Best-selection.Expected())
		}
	}
	row.compareWithSampling(s.Records)
	return row
}

// estimated is the error of a share estimated from n randomized responses, at worst
// (a share of one half), by the normal approximation.
func estimated(r mechanisms.RandomizedResponse, n, count float64) (mechanisms.Accuracy, error) {
	switch {
	case r.Categories > 2:
		return mechanisms.Accuracy{}, errors.New("the error of an estimate is given for two categories only")
	case !(n > 0):
		return mechanisms.Accuracy{}, errors.New("records is not given, and the error of the estimate depends on it")
	}
	deviation := math.Sqrt(r.EstimatorVariance(0.5, n))
	beta := 1 - scenarios.Confidence
	return mechanisms.Accuracy{
		Expected: deviation * math.Sqrt(2/math.Pi), Deviation: deviation,
		Each: -deviation * mathext.NormalQuantile(beta/2), Joint: -deviation * mathext.NormalQuantile(beta/count/2),
		Unit: "share of n", Method: "√(λ(1−λ)/(4γ²n)) at a share of ½, normal approximation",
	}, nil
}

// compareWithSampling sets the error beside that of drawing the records at all: a
// share near one half of n records is uncertain by 1.96/(2√n).
func (row *AccuracyRow) compareWithSampling(n float64) {
	if !(n > 0) {
		return
	}
	switch row.Accuracy.Unit {
	case "answer":
		row.Share = row.Accuracy.Each / n
	case "share of n":
		row.Share = row.Accuracy.Each
	default:
		return
	}
	row.Sampling = -mathext.NormalQuantile((1-scenarios.Confidence)/2) / (2 * math.Sqrt(n))
}
