package mechanisms

import (
	"errors"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// AboveThreshold answers "below" to a stream of queries until one lies above a
// noisy threshold, and stops there: Lap(2Δ/ε) on the threshold, Lap(4Δ/ε) on each
// query (Dwork & Roth 2014, Algorithm 1, Theorem 3.23). It is ε-DP however many
// queries are asked.
type AboveThreshold struct {
	Epsilon     float64
	Sensitivity float64
	Threshold   float64
	Queries     float64 // how many may be asked; 0 if not said
}

var aboveThresholdSpec = Spec{
	Name: "above-threshold", Title: "AboveThreshold",
	Summary: "finds the first query above a threshold; those below cost nothing",
	Params: []param.Param{
		epsilonParam("privacy loss of the whole stream"),
		sensitivityParam("Δ", "most one record can change any query"),
		thresholdParam(),
		queriesParam(),
	},
	build:  buildAboveThreshold,
	Source: "Dwork, Roth 2014, Algorithm 1",
	Notes: []string{
		"It reports which query was above, not its value; releasing the value costs extra budget.",
	},
}

func buildAboveThreshold(r reader) (Mechanism, error) {
	epsilon, err := r.epsilon()
	return AboveThreshold{
		Epsilon: epsilon, Sensitivity: r.number("sensitivity"),
		Threshold: r.number("threshold"), Queries: r.number("queries"),
	}, err
}

func (AboveThreshold) Kind() string { return "above-threshold" }

func (a AboveThreshold) ThresholdScale() float64 { return 2 * a.Sensitivity / a.Epsilon }

func (a AboveThreshold) QueryScale() float64 { return 4 * a.Sensitivity / a.Epsilon }

func (a AboveThreshold) Releases() []accounting.Entry { return once(pure("AboveThreshold", a.Epsilon)) }

// Noise is the noise added to each query.
func (a AboveThreshold) Noise() Noise { return LaplaceNoise(a.QueryScale()) }

func (AboveThreshold) zeroIsAbsent() bool { return true }

// Error is the α of Dwork & Roth 2014, Theorem 3.24: with probability 1 − β no
// query below T − α is reported and none above T + α is missed.
func (a AboveThreshold) Error(beta, count float64) (Accuracy, error) {
	return thresholdError(a.Accuracy, a.Queries, beta, count)
}

func thresholdError(alpha func(queries, beta float64) float64, queries, beta, count float64) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	if queries == 0 {
		return Accuracy{}, errors.New("the number of queries is not given, and the error grows with it")
	}
	return Accuracy{Each: alpha(queries, beta), Joint: alpha(queries, beta/count), Unit: "answer"}, nil
}

// Accuracy is the α of k queries at failure probability β: 8Δ(ln k + ln(2/β))/ε.
func (a AboveThreshold) Accuracy(queries, beta float64) float64 {
	return 8 * a.Sensitivity * (math.Log(queries) + math.Log(2/beta)) / a.Epsilon
}
