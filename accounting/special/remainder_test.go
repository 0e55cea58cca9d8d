package special

import (
	"math"
	"math/big"
	"testing"
)

// series sums Σ terms(k) exactly enough (300 bits) to judge the float64 functions.
func series(x float64, coefficient func(k int64) *big.Rat) float64 {
	const terms = 120
	sum := new(big.Float).SetPrec(300)
	power := new(big.Float).SetPrec(300).SetFloat64(x)
	bx := new(big.Float).SetPrec(300).SetFloat64(x)
	for k := int64(2); k < terms; k++ {
		power.Mul(power, bx)
		c := new(big.Float).SetPrec(300).SetRat(coefficient(k))
		sum.Add(sum, c.Mul(c, power))
	}
	f, _ := sum.Float64()
	return f
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*math.Abs(want) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

func TestRemaindersAgainstSeries(t *testing.T) {
	sign := func(k int64) int64 { return 1 - 2*(k%2) }
	for _, x := range []float64{1e-300, 1e-12, -1e-12, 1e-5, -1e-3, 0.01, 0.19, -0.19, 0.21, -0.21,
		0.49, -0.49, 0.51, -0.51} {
		factorial := big.NewInt(1)
		near(t, "ExpRemainder", ExpRemainder(x), series(x, func(k int64) *big.Rat {
			factorial.Mul(factorial, big.NewInt(k))
			return new(big.Rat).SetFrac(big.NewInt(1), factorial)
		}), 4e-15)
		near(t, "EntropyRemainder", EntropyRemainder(x), series(x, func(k int64) *big.Rat {
			return big.NewRat(sign(k), k*(k-1))
		}), 4e-15)
		near(t, "LogRemainder", LogRemainder(x), series(x, func(k int64) *big.Rat {
			return big.NewRat(sign(k), k)
		}), 4e-15)
	}
	near(t, "LogExpRemainder(800)", LogExpRemainder(800), 800, 1e-15)
	near(t, "LogCosh(1e4)", logCosh(1e4), 1e4-math.Ln2, 1e-15)
	near(t, "LogCosh(1e-9)", logCosh(1e-9), 5e-19, 1e-15)
	if got := EntropyRemainder(-1); got != 1 {
		t.Errorf("EntropyRemainder(-1) = %g, want 1", got)
	}
}

// Randomized response has a closed form that needs no sum.
func TestDiscreteRenyiOfRandomizedResponse(t *testing.T) {
	for _, eps := range []float64{1e-12, 1e-6, 0.1, 1, 37, 1e4} {
		pair := []Outcome{{-Softplus(eps), eps}, {-Softplus(-eps), -eps}}
		for _, alpha := range []float64{1, 1 + 1e-9, 1.5, 2, 64, 1e9, math.Inf(1)} {
			want := eps
			switch {
			case alpha == 1:
				want = eps * math.Tanh(eps/2)
			case (alpha-1)*eps < 1e-3: // leading terms of the closed form
				c, b := (alpha-1)*eps, eps/2
				want = math.Log1p(2*math.Sinh(c/2)*math.Sinh(c/2)+math.Sinh(c)*math.Tanh(b)) / (alpha - 1)
			case !math.IsInf(alpha, 1):
				want = (logCosh((alpha-0.5)*eps) - logCosh(eps/2)) / (alpha - 1)
			}
			got := DiscreteRenyi(pair, alpha)
			if math.Abs(got-want) > 1e-12*want {
				t.Errorf("ε=%g α=%g: %.15g, want %.15g", eps, alpha, got, want)
			}
		}
	}
}

// logCosh returns ln cosh x without overflow.
func logCosh(x float64) float64 {
	x = math.Abs(x)
	if x < 0.5 {
		s := math.Sinh(x / 2)
		return math.Log1p(2 * s * s)
	}
	return x + math.Log1p(math.Exp(-2*x)) - math.Ln2
}
