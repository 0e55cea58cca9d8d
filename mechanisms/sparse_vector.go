package mechanisms

import (
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
)

// SparseVector runs AboveThreshold again after each positive answer, and stops at
// the c-th (Dwork & Roth 2014, Algorithm 2). Each run gets the same ε₀.
type SparseVector struct {
	Epsilon     float64 // of the whole stream
	Delta       float64 // 0: pure
	Positives   float64 // c, a whole number ≥ 1
	Sensitivity float64
	Threshold   float64
	Queries     float64 // how many may be asked; 0 if not said
}

var sparseVectorSpec = Spec{
	Name: "sparse-vector", Title: "Sparse vector",
	Summary: "reports the first few queries above a threshold; those below cost nothing",
	Params: []param.Param{
		epsilonParam("privacy loss of the whole stream"),
		{
			Name: "delta", Symbol: "δ", Help: "failure probability spent on composing the runs; 0 for a pure guarantee", Type: param.Number,
			Min: 0, Max: 1, OpenMax: true, Default: param.NumberValue(0), Initial: param.NumberValue(0), Step: 10, Log: true,
		},
		natural("positives", "c", "how many answers above the threshold are reported before it stops", maxCount, 10, 1),
		sensitivityParam("Δ", "most one record can change any query"),
		thresholdParam(),
		queriesParam(),
	},
	build:  buildSparseVector,
	Source: "Dwork, Roth 2014, Algorithm 2",
	Notes: []string{
		"It must halt at count ≥ c; the slide's count > c releases c+1 positives and spends (c+1)/c·ε.",
		"The slide's noise 2√(2c ln(1/δ))/ε drops the theorem's second term: at ε = 1, c = 10, δ = 1e-6 the theorem charges 1.0373, not 1 (basic only 0.602).",
		"The slide says the noisy values are released; the pseudo-code releases above or below. Values cost extra budget.",
		"Several published variants are not private (Lyu, Su, Li 2017).",
	},
}

func buildSparseVector(r reader) (Mechanism, error) {
	s := SparseVector{
		Epsilon: r.number("epsilon"), Delta: r.number("delta"), Positives: r.number("positives"),
		Sensitivity: r.number("sensitivity"), Threshold: r.number("threshold"), Queries: r.number("queries"),
	}
	if _, err := r.epsilon(); err != nil {
		return nil, err
	}
	return s, checkLoss("epsilon", s.Each())
}

func (SparseVector) Kind() string { return "sparse-vector" }

// Each is ε₀, the budget of one run: the largest for which basic composition or the theorem
// of Dwork, Rothblum and Vadhan, √(2c ln(1/δ))·ε₀ + c·ε₀(e^ε₀−1), keeps c runs within ε at δ.
func (s SparseVector) Each() float64 {
	basic := s.Epsilon / s.Positives
	if s.Delta <= 0 {
		return basic
	}
	advanced, _ := special.Bisect(0, s.Epsilon, 0, func(x float64) bool {
		return accounting.AdvancedEpsilon(x, s.Delta, s.Positives) <= s.Epsilon
	})
	return math.Max(basic, advanced)
}

func (s SparseVector) Run() AboveThreshold {
	return AboveThreshold{Epsilon: s.Each(), Sensitivity: s.Sensitivity, Threshold: s.Threshold, Queries: s.Queries}
}

// SlideHalting is the ε spent when the stream halts at count > c, as the slide has
// it, and not at count ≥ c: one positive more is released.
func (s SparseVector) SlideHalting() float64 { return s.Epsilon * (s.Positives + 1) / s.Positives }

func (s SparseVector) Releases() []accounting.Entry { return s.releasesFor(1) }

// Noise is the noise added to each query.
func (s SparseVector) Noise() Noise { return s.Run().Noise() }

func (s SparseVector) releasesFor(k float64) []accounting.Entry {
	return []accounting.Entry{{Release: stepsOf("AboveThreshold", s.Each(), k), Count: s.Positives}}
}

func (SparseVector) zeroIsAbsent() bool { return true }

// Error is the α of Dwork & Roth 2014, Theorem 3.26, with the noise really used.
func (s SparseVector) Error(beta, count float64) (Accuracy, error) {
	return thresholdError(s.Accuracy, s.Queries, beta, count)
}

// Accuracy is the α of k queries at failure probability β: that of each of the c
// runs at β/c. For δ = 0 it is 8cΔ(ln k + ln(2c/β))/ε.
func (s SparseVector) Accuracy(queries, beta float64) float64 {
	return s.Run().Accuracy(queries, beta/s.Positives)
}

func (s SparseVector) remarks(param.Values, Circumstances) []Remark {
	return []Remark{{"sparse-halting", fmt.Sprintf(
		"This holds if the stream halts at the positive number %s (count ≥ c). With the slide's count > c one more is released, and ε is %s instead of %s.",
		numeral.Format(s.Positives), numeral.Format(numeral.RoundUp(s.SlideHalting(), 4)), numeral.Format(s.Epsilon))}}
}
