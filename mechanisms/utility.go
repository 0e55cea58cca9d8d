package mechanisms

import (
	"errors"
	"fmt"
	"math"
)

// Accuracy is how far answers lie from the truth, in units of the answer.
type Accuracy struct {
	Expected  float64 // mean absolute error of one answer; 0 if not defined
	Deviation float64 // standard deviation of one answer; 0 if not defined
	Each      float64 // error of one answer, exceeded with probability β at most
	Joint     float64 // error of the worst of all answers, exceeded with probability β at most
	Unit      string
	Method    string // the theorem or formula
}

// Measured is a mechanism whose error can be given in numbers. Where something
// needed was not said the error is the reason, worded for a user.
type Measured interface {
	// Error is the accuracy of count answers at confidence 1 − β.
	Error(beta, count float64) (Accuracy, error)
}

func checkConfidence(beta, count float64) error {
	if !(beta > 0 && beta < 1) {
		return errors.New("the failure probability of an error must lie between 0 and 1, got " + FormatNumber(beta))
	}
	if !(count >= 1) || math.IsInf(count, 1) {
		return errors.New("the number of answers must be at least 1, got " + FormatNumber(count))
	}
	return nil
}

// symmetric is the accuracy under noise that is symmetric about 0. The error of the
// worst of m answers is that of one at β/m: the union bound, b·ln(m/β) for Laplace
// noise, which asks nothing of how the answers depend on each other.
func symmetric(n Noise, beta, count float64, method string) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	// −Quantile(β/2), and not Quantile(1−β/2), as the latter has no digits left
	// for the β/m of a large count.
	return Accuracy{
		Expected: n.MeanAbs(), Deviation: math.Sqrt(n.Variance()),
		Each: -n.Quantile(beta / 2), Joint: -n.Quantile(beta / count / 2),
		Unit: "answer", Method: method,
	}, nil
}

// Error is b·ln(m/β) for m answers at once.
func (l Laplace) Error(beta, count float64) (Accuracy, error) {
	return symmetric(l.Noise(), beta, count, "b·ln(m/β)")
}

// Error is the quantile of the discrete Laplace distribution.
func (g Geometric) Error(beta, count float64) (Accuracy, error) {
	return symmetric(g.Noise(), beta, count, "quantile of the geometric noise")
}

// Error is σ·Φ⁻¹(1 − β/(2m)).
func (g Gaussian) Error(beta, count float64) (Accuracy, error) {
	return symmetric(g.Noise(), beta, count, "σ·Φ⁻¹(1 − β/(2m))")
}

// Error is the quantile of the discrete Gaussian distribution.
func (g DiscreteGaussian) Error(beta, count float64) (Accuracy, error) {
	return symmetric(g.Noise(), beta, count, "quantile of the discrete Gaussian noise")
}

// Error is that of a released answer, which the holdout gives away in shares of n.
func (t Thresholdout) Error(beta, count float64) (Accuracy, error) {
	a, err := symmetric(t.Noise(), beta, count, "σ·ln(m/β)")
	a.Unit = "share of n"
	return a, err
}

// Error is the α of Dwork & Roth 2014, Theorem 3.24: with probability 1 − β no
// query below T − α is reported and none above T + α is missed.
func (a AboveThreshold) Error(beta, count float64) (Accuracy, error) {
	return thresholdError(a.Accuracy, a.Queries, beta, count, "8Δ(ln k + ln(2/β))/ε")
}

// Error is the α of Dwork & Roth 2014, Theorem 3.26, with the noise really used.
func (s SparseVector) Error(beta, count float64) (Accuracy, error) {
	return thresholdError(s.Accuracy, s.Queries, beta, count, "8Δ(ln k + ln(2c/β))/ε₀, with the ε₀ of each of the c runs")
}

func thresholdError(alpha func(queries, beta float64) float64, queries, beta, count float64, method string) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	if queries == 0 {
		return Accuracy{}, errors.New("the number of queries is not given, and the error grows with it")
	}
	return Accuracy{
		Each: alpha(queries, beta), Joint: alpha(queries, beta/count),
		Unit: "answer", Method: method,
	}, nil
}

// Accuracy is the α of k queries at failure probability β: 8Δ(ln k + ln(2/β))/ε.
func (a AboveThreshold) Accuracy(queries, beta float64) float64 {
	return 8 * a.Sensitivity * (math.Log(queries) + math.Log(2/beta)) / a.Epsilon
}

// Accuracy is the α of k queries at failure probability β: that of each of the c
// runs at β/c. For δ = 0 it is 8cΔ(ln k + ln(2c/β))/ε.
func (s SparseVector) Accuracy(queries, beta float64) float64 {
	return s.Run().Accuracy(queries, beta/s.Positives)
}

// Error is the norm of the noise on the weights.
func (o OutputPerturbation) Error(beta, count float64) (Accuracy, error) {
	return normError(GammaNoise{o.Dimension, o.Scale()}, beta, count, "norm of the noise, Gamma(d, 2/(nΛε))")
}

// Error is the norm of the noise in the objective.
func (o ObjectivePerturbation) Error(beta, count float64) (Accuracy, error) {
	return normError(GammaNoise{o.Dimension, o.Scale()}, beta, count, "norm of the noise in the objective, Gamma(d, 2/ε′)")
}

// normError takes the exact quantile of the norm, and its closed bound where 1 − β/m
// has no digits left.
func normError(n GammaNoise, beta, count float64, method string) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	exceeded := func(beta float64) float64 {
		if beta < 1e-12 {
			return gammaTail(n.Shape, n.Scale, beta)
		}
		return n.Quantile(1 - beta)
	}
	return Accuracy{
		Expected: n.MeanAbs(), Deviation: math.Sqrt(n.Variance()),
		Each: exceeded(beta), Joint: exceeded(beta / count),
		Unit: "weight", Method: method,
	}, nil
}

// Error is the loss in score of the candidate picked.
func (e Exponential) Error(beta, count float64) (Accuracy, error) {
	return selectionError(e.Selection, e.Outputs, e.width().scale(), beta, count)
}

// Error is the loss in score of the candidate picked.
func (n NoisyMax) Error(beta, count float64) (Accuracy, error) {
	scale := n.Scale()
	if n.Shape == "laplace" {
		scale *= 2
	}
	return selectionError(n.Selection, n.Outputs, scale, beta, count)
}

// selectionError uses the exact distribution where scores are given and the
// theorem where only their number is.
func selectionError(selection func() (*Selection, error), outputs, scale, beta, count float64) (Accuracy, error) {
	if err := checkConfidence(beta, count); err != nil {
		return Accuracy{}, err
	}
	s, err := selection()
	switch {
	case err == nil:
		return Accuracy{
			Expected: math.Max(0, s.Best-s.Expected()), Each: s.lossQuantile(beta), Joint: s.lossQuantile(beta / count),
			Unit: "score", Method: "distribution of the candidate picked: " + s.Method,
		}, nil
	case outputs >= 1:
		return Accuracy{
			Each: exponentialGap(outputs, scale, -math.Log(beta)), Joint: exponentialGap(outputs, scale, math.Log(count/beta)),
			Unit: "score", Method: fmt.Sprintf("scale·(ln|O| + ln(m/β)), scale %s", FormatNumber(scale)),
		}, nil
	}
	return Accuracy{}, errors.New("neither candidates nor their number are given")
}
