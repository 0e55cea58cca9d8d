package scenarios

import (
	"errors"
	"math"

	"epsiloscope/mechanisms"
)

// Confidence is that of every error this program states: exceeded one time in
// twenty.
const Confidence = 0.95

// Accuracy is the error of an entry's answers at 95 % confidence, over all its
// copies in the given number of rounds. The error says why there is none.
func (e *Entry) Accuracy(rounds float64) (mechanisms.Accuracy, error) {
	if e.Parallel != nil {
		return mechanisms.Accuracy{}, errors.New("a parallel block has no error of its own; its branches have")
	}
	m, err := mechanisms.New(e.Mechanism, e.Values)
	if err != nil {
		return mechanisms.Accuracy{}, err
	}
	measured, ok := m.(mechanisms.Measured)
	if !ok {
		spec, _ := mechanisms.Lookup(e.Mechanism)
		return mechanisms.Accuracy{}, errors.New(spec.NoError)
	}
	return measured.Error(1-Confidence, math.Max(1, e.Count*rounds))
}
