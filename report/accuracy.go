package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"

	"gonum.org/v1/gonum/mathext"
)

// AccuracyRow is the accuracy of the answers of one entry.
type AccuracyRow struct {
	Entry    string // as in --set: "2", or "4.1.2" inside a block
	What     string // its label, or its mechanism
	Answers  float64
	Accuracy mechanisms.Accuracy // errors at 95 %, in units of the answer
	Reason   string              // why there is none, if there is none
	// Share is the 95 % error as a share of all records. Sampling is the 95 % error of a share in
	// a random sample of that many records, without noise. Both are 0 if the number of records, or
	// the meaning of the answer, is not known.
	Share, Sampling float64
	// Picks marks a selection with scores: Right is the chance of the best candidate,
	// Loss the expected loss in score.
	Picks       bool
	Right, Loss float64
}

// AccuracyOf lists every enabled entry with its error at 95 % confidence.
func AccuracyOf(s *scenarios.Scenario) []AccuracyRow {
	return accuracyRows(s, "", s.Stack, s.Rounds, s.Records)
}

// accuracyRows returns the accuracy of the entries of a stack on the given number of records;
// for a branch that number is not known.
func accuracyRows(s *scenarios.Scenario, prefix string, stack []scenarios.Entry, rounds,
	records float64) []AccuracyRow {
	var rows []AccuracyRow
	for i := range stack {
		e := &stack[i]
		if e.Disabled {
			continue
		}
		at := prefix + strconv.Itoa(i+1)
		if e.Parallel != nil {
			for j, branch := range e.Parallel {
				rows = append(rows, accuracyRows(s, at+"."+strconv.Itoa(j+1)+".", branch, rounds*e.Count, 0)...)
			}
			continue
		}
		rows = append(rows, accuracyRow(at, s.WithSensitivity(e), rounds, records))
	}
	return rows
}

func accuracyRow(at string, e *scenarios.Entry, rounds, records float64) AccuracyRow {
	spec, _ := mechanisms.Lookup(e.Mechanism)
	row := AccuracyRow{Entry: at, What: cmp.Or(e.Label, spec.Title), Answers: math.Max(1, e.Count*rounds)}
	m, err := mechanisms.New(e.Mechanism, e.Values)
	if err != nil {
		row.Reason = err.Error()
		return row
	}
	if estimator, ok := m.(mechanisms.Estimator); ok {
		// of the people who report
		row.Accuracy, err = estimator.EstimateError(1-scenarios.Confidence, row.Answers, records*cmp.Or(e.Sampling, 1))
	} else {
		row.Accuracy, err = e.Accuracy(rounds)
	}
	if err != nil {
		row.Reason = err.Error()
		return row
	}
	if selector, ok := m.(mechanisms.Selector); ok {
		if selection, err := selector.Selection(); err == nil {
			row.Picks, row.Right, row.Loss = true, selection.Right(), math.Max(0, selection.Best-selection.MeanScore())
		}
	}
	row.compareWithSampling(records, isCount(e))
	return row
}

// sumWords are words in a label for an answer that is not a number of records.
var sumWords = []string{"sum", "mean", "average", "median", "amount", "value", "income", "revenue", "price", "cost", "salary", "duration", "length", "score", "gradient"}

// isCount reports whether an answer may be a number of records: one record moves it by 1, and
// its label names no sum.
func isCount(e *scenarios.Entry) bool {
	if v, given := e.Values["sensitivity"]; given && v.Number != 1 {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(e.Label), func(r rune) bool { return !unicode.IsLetter(r) })
	return !slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains(sumWords, strings.TrimSuffix(w, "s"))
	})
}

// compareWithSampling sets Share and Sampling of a count or a share of n records: a share near one half has a 95 %
// sampling error of 1.96/(2√n). It does nothing for a sum, whose error is not a number of records.
func (row *AccuracyRow) compareWithSampling(n float64, count bool) {
	if !(n > 0) {
		return
	}
	unit := row.Accuracy.Unit
	switch {
	case unit == "answer" && count:
		row.Share = row.Accuracy.Each / n
	case unit == "share of n":
		row.Share = row.Accuracy.Each
	default:
		return
	}
	row.Sampling = -mathext.NormalQuantile((1-scenarios.Confidence)/2) / (2 * math.Sqrt(n))
}
