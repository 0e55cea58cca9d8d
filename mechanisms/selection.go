package mechanisms

import (
	"errors"
	"math"

	"epsiloscope/mechanisms/selection"
)

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
