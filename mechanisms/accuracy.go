package mechanisms

import (
	"errors"
	"math"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/selection"
)

// Accuracy is how far answers lie from the truth, in units of the answer.
type Accuracy struct {
	Each  float64 // error of one answer, exceeded with probability β at most
	Joint float64 // error of the worst of all answers, exceeded with probability β at most
	Unit  string
}

// ErrorOf is the accuracy of count answers at confidence 1 − β; of additive noise that of
// the noise, b·ln(m/β) for m answers with Laplace noise. The error says why there is none,
// worded for a user.
func ErrorOf(m Mechanism, beta, count float64) (Accuracy, error) {
	switch m := m.(type) {
	case measured:
		return m.Error(beta, count)
	case Additive:
		return symmetric(m.Noise(), beta, count)
	}
	return Accuracy{}, errors.New(specOf(m).NoError)
}

// measured is a mechanism, not [Additive], whose error can be given in numbers.
type measured interface {
	Error(beta, count float64) (Accuracy, error)
}

func checkConfidence(beta, count float64) error {
	if !(beta > 0 && beta < 1) {
		return errors.New("the failure probability of an error must lie between 0 and 1, got " + numeral.Format(beta))
	}
	if !(count >= 1) || math.IsInf(count, 1) {
		return errors.New("the number of answers must be at least 1, got " + numeral.Format(count))
	}
	return nil
}

// symmetric is the accuracy under noise that is symmetric about 0. The error of the
// worst of m answers is that of one at β/m: the union bound, b·ln(m/β) for Laplace
// noise, which asks nothing of how the answers depend on each other.
func symmetric(n Noise, beta, count float64) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	// −Quantile(β/2), and not Quantile(1−β/2), as the latter has no digits left
	// for the β/m of a large count.
	return Accuracy{Each: -n.Quantile(beta / 2), Joint: -n.Quantile(beta / count / 2), Unit: "answer"}, nil
}

// Selector is a mechanism that picks one of several candidates.
type Selector interface {
	// Selection is what it picks on the scores it was given.
	Selection() (*selection.Distribution, error)
}

// selectionError uses the exact distribution where scores are given and the
// theorem where only their number is.
func selectionError(pick func() (*selection.Distribution, error), outputs, scale, beta, count float64) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	s, err := pick()
	switch {
	case err == nil:
		return Accuracy{Each: s.LossQuantile(beta), Joint: s.LossQuantile(beta / count), Unit: "score"}, nil
	case outputs >= 1:
		return Accuracy{
			Each: selection.Gap(outputs, scale, -math.Log(beta)), Joint: selection.Gap(outputs, scale, math.Log(count/beta)), Unit: "score",
		}, nil
	}
	return Accuracy{}, errors.New("neither candidates nor their number are given")
}

func selectionRemarks(monotone bool, c Circumstances) []Remark {
	if !monotone || c.Adjacency != Replace {
		return nil
	}
	return []Remark{{"monotone-under-replace", "Where a record is replaced, one score may rise while another falls: counts are not monotone then, and without that the same noise costs twice the ε."}}
}
