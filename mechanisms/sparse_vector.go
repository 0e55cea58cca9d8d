package mechanisms

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
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

func aboveThresholdSpec() Spec {
	return Spec{
		Name: "above-threshold", Title: "AboveThreshold",
		Summary: "finds the first query above a threshold; those below cost nothing",
		Params:  streamParams(),
		build: func(r reader) (Mechanism, error) {
			a, err := r.stream()
			return a, err
		},
		ZeroOutIsRemoval: true, Norm: Linf,
		Source: "Dwork, Roth 2014, Algorithm 1",
		Notes: []string{
			"It reports which query was above, not its value; releasing the value costs extra budget.",
			onlyEpsilon,
		},
	}
}

// streamParams returns the parameters of a stream of queries, with others after its ε.
func streamParams(others ...param.Param) []param.Param {
	return slices.Concat([]param.Param{epsilonParam("privacy loss of the whole stream")}, others, []param.Param{
		sensitivityParam("Δ", "most one record can change any query"),
		{
			Name: "threshold", Symbol: "T", Unit: "answer", Help: "answers above it are reported", Type: param.Number,
			Min: math.Inf(-1), Max: math.Inf(1), Default: param.NumberValue(0), Initial: param.NumberValue(0), Step: 1,
		},
		optional(natural("queries", "k", "how many queries may be asked; free of charge, but accuracy falls with it", maxCount, 1000, 1.25)),
	})
}

func (r reader) stream() (AboveThreshold, error) {
	epsilon, err := r.epsilon()
	return AboveThreshold{epsilon, r.number("sensitivity"), r.number("threshold"), r.number("queries")}, err
}

func (AboveThreshold) Kind() string { return "above-threshold" }

func (a AboveThreshold) ThresholdScale() float64 { return 2 * a.Sensitivity / a.Epsilon }

func (a AboveThreshold) QueryScale() float64 { return 4 * a.Sensitivity / a.Epsilon }

func (a AboveThreshold) Releases(k float64) []accounting.Entry {
	return releasesOf(a, k, func() []accounting.Entry {
		return oneRelease(pure("AboveThreshold", a.Epsilon, k))
	})
}

func (a AboveThreshold) validate() error {
	return validateNoise(a.Epsilon, a.Sensitivity)
}

// Noise returns the noise added to each query.
func (a AboveThreshold) Noise() Noise { return LaplaceNoise(a.QueryScale()) }

// Error returns the α of Dwork & Roth 2014, Theorem 3.24: with probability 1 − β no
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

// Accuracy returns the α of k queries at failure probability β: 8Δ(ln k + ln(2/β))/ε.
func (a AboveThreshold) Accuracy(queries, beta float64) float64 {
	return 8 * a.Sensitivity * (math.Log(queries) + math.Log(2/beta)) / a.Epsilon
}

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

func sparseVectorSpec() Spec {
	return Spec{
		Name: "sparse-vector", Title: "Sparse vector",
		Summary: "reports the first few queries above a threshold; those below cost nothing",
		Params: streamParams(
			param.Param{
				Name: "delta", Symbol: "δ", Help: "failure probability spent on composing the runs; 0 for a pure guarantee", Type: param.Number,
				Min: 0, Max: 1, OpenMax: true, Step: 10, Log: true,
				Default: param.NumberValue(0), Initial: param.NumberValue(0),
			},
			natural("positives", "c", "how many answers above the threshold are reported before it stops", maxCount, 10, 1)),
		build: func(r reader) (Mechanism, error) {
			a, err := r.stream()
			s := SparseVector{a.Epsilon, r.number("delta"), r.number("positives"), a.Sensitivity, a.Threshold, a.Queries}
			if err == nil {
				err = checkLoss("epsilon", s.RunEpsilon())
			}
			return s, err
		},
		ZeroOutIsRemoval: true, Norm: Linf,
		Source: "Dwork, Roth 2014, Algorithm 2",
		Notes: []string{
			"It must halt at count ≥ c; the slide's count > c releases c+1 positives and spends more: (c+1)/c·ε if δ is 0.",
			"The slide's noise 2√(2c ln(1/δ))/ε drops the theorem's second term: at ε = 1, c = 10, δ = 1e-6 the theorem charges 1.0373, not 1 (basic only 0.602).",
			"The slide says the noisy values are released; the pseudo-code releases above or below. Values cost extra budget.",
			"Several published variants are not private (Lyu, Su, Li 2017).",
			onlyEpsilon,
		},
	}
}

func (SparseVector) Kind() string { return "sparse-vector" }

// RunEpsilon returns ε₀, the budget of one run: the largest for which basic composition or the theorem
// of Dwork, Rothblum and Vadhan, √(2c ln(1/δ))·ε₀ + c·ε₀(e^ε₀−1), keeps c runs within ε at δ.
func (s SparseVector) RunEpsilon() float64 {
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
	return AboveThreshold{
		Epsilon: s.RunEpsilon(), Sensitivity: s.Sensitivity, Threshold: s.Threshold, Queries: s.Queries,
	}
}

// SlideHalting returns the ε spent when the stream halts at count > c, as the slide has
// it, and not at count ≥ c: one positive more is released.
func (s SparseVector) SlideHalting() float64 {
	run, count := s.RunEpsilon(), s.Positives+1
	if s.IsPure() {
		return s.Epsilon * count / s.Positives
	}
	return math.Min(run*count, accounting.AdvancedEpsilon(run, s.Delta, count))
}

// IsPure reports whether δ lowers no noise: it is 0, or so few positives are released that basic composition allows
// each run the larger ε.
func (s SparseVector) IsPure() bool { return s.RunEpsilon() == s.Epsilon/s.Positives }

func (s SparseVector) Releases(k float64) []accounting.Entry {
	return releasesOf(s, k, func() []accounting.Entry {
		return []accounting.Entry{{Release: pure("AboveThreshold", s.RunEpsilon(), k), Count: s.Positives}}
	})
}

func (s SparseVector) validate() error {
	if !(s.Delta >= 0 && s.Delta < 1) {
		return fmt.Errorf("field Delta must be at least 0 and below 1, got %s", numeral.Format(s.Delta))
	}
	positives := requireWhole(1, maxCount, field{"Positives", s.Positives})
	if err := cmp.Or(positives, validateNoise(s.Epsilon, s.Sensitivity)); err != nil {
		return err
	}
	return checkLoss("Epsilon", s.RunEpsilon())
}

// Noise returns the noise added to each query.
func (s SparseVector) Noise() Noise { return s.Run().Noise() }

// Error returns the α of Dwork & Roth 2014, Theorem 3.26, with the noise really used.
func (s SparseVector) Error(beta, count float64) (Accuracy, error) {
	return thresholdError(s.Accuracy, s.Queries, beta, count)
}

// Accuracy returns the α of k queries at failure probability β: that of each of the c
// runs at β/c. For δ = 0 it is 8cΔ(ln k + ln(2c/β))/ε.
func (s SparseVector) Accuracy(queries, beta float64) float64 {
	return s.Run().Accuracy(queries, beta/s.Positives)
}

func (s SparseVector) notes(param.Values, Setting) []Note {
	return []Note{{"sparse-halting", fmt.Sprintf(
		"This holds if the stream halts at the positive number %s (count ≥ c). With the slide's count > c one more is released, and ε is %s instead of %s.",
		numeral.Format(s.Positives), numeral.Format(numeral.RoundUp(s.SlideHalting(), 4)), numeral.Format(s.Epsilon))}}
}
