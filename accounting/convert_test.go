package accounting

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Values of OpenDP's tests, which round every operation outward.
func TestConcentratedToDelta(t *testing.T) {
	within(t, ConcentratedToDelta(0.05, 0.25), 8.17727531036956e-2, 1e-12)
	within(t, ConcentratedToDelta(0.5, 0), 0.5588356393474351, 1e-12)
	within(t, ConcentratedToDelta(5e-30, 1e-13), 2.619676329730346e-234, 1e-9)
}

// ε, and the order at which the conversion is best, at 40 digits.
func TestConcentratedToEpsilon(t *testing.T) {
	for _, c := range []struct{ rho, delta, epsilon, alpha, classic float64 }{
		{0.1, 1e-6, 2.14193892839, 11.6581, 2.45078800048}, {0.5, 1e-5, 4.72838698494, 5.43185, 5.29852591219},
		{0.01, 1e-9, 0.810174467868, 42.2076, 0.920456277631}, {1, 1e-6, 7.76621662531, 4.50850, 8.4338443777},
	} {
		epsilon, alpha := ConcentratedToEpsilon(c.rho, c.delta)
		within(t, epsilon, c.epsilon, 1e-11)
		within(t, alpha, c.alpha, 1e-5)
		within(t, ConcentratedToEpsilonClassic(c.rho, c.delta), c.classic, 1e-11)
	}
}

func TestGaussianConversions(t *testing.T) {
	for _, c := range []struct{ mu, delta, epsilon float64 }{
		{1, 1e-5, 4.3771780956812}, {1, 1e-10, 6.547924066865}, {1, 1e-15, 8.1655796955043}, {1, 1e-20, 9.5109362405744},
		{1, 1e-30, 11.743883025232}, {0.1, 1e-6, 0.39685737764408}, {2, 1e-6, 10.997151214221}, {5, 1e-8, 39.891146705008},
	} {
		within(t, GaussianToEpsilon(c.mu, c.delta), c.epsilon, 1e-12)
		within(t, GaussianFromDP(c.epsilon, c.delta), c.mu, 1e-11)
	}
	if GaussianToEpsilon(1, 0.5) != 0 || !math.IsInf(GaussianToEpsilon(1, 0), 1) || GaussianToEpsilon(0, 0) != 0 {
		t.Error("the ends of the Gaussian conversion")
	}
}

func TestGaussianFromDP(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon, delta := drawLog(t, "ε", 1e-6, 1e3), drawLog(t, "δ", 1e-30, 0.1)
		if got := GaussianToDelta(GaussianFromDP(epsilon, delta),
			epsilon); got > delta*(1+1e-12) || got < delta*(1-1e-9) {
			t.Errorf("δ at the largest μ is %g, want %g", got, delta)
		}
	})
}

// The tight conversion of one point (dp_accounting's tests: constant 1.1 to α = 32).
func TestRenyiToEpsilon(t *testing.T) {
	within(t, RenyiToEpsilon(32, 1.1, 1e-5), 1.32783806176, 1e-11)
	if RenyiToEpsilon(math.Inf(1), 2, 0) != 2 || !math.IsInf(RenyiToEpsilon(2, 1, 0), 1) ||
		RenyiToEpsilon(2, 1, 1) != 0 {
		t.Error("the ends of the Rényi conversion")
	}
	rapid.Check(t, func(t *rapid.T) {
		alpha, r, delta := 1+drawLog(t, "α−1", 1e-6, 1e6), drawLog(t, "r", 1e-6, 100), drawDelta(t)
		if tight, classic := RenyiToEpsilon(alpha, r, delta), RenyiToEpsilonClassic(alpha, r, delta); tight > classic {
			t.Errorf("tight %g above classic %g", tight, classic)
		}
	})
}

func TestConcentratedFromDP(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon, delta := drawLog(t, "ε", 1e-9, 100), drawDelta(t)
		within2(t, ConcentratedToEpsilonClassic(ConcentratedFromDP(epsilon, delta), delta), epsilon)
	})
}

func within2(t *rapid.T, got, want float64) {
	if math.Abs(got-want) > 1e-9*want {
		t.Errorf("%g, want %g", got, want)
	}
}

// An attacker's error is never told larger than it is: with the same δ at every ε it is
// 1 − δ − x, exactly.
func TestTradeOffIsRoundedDown(t *testing.T) {
	for delta := 0.001; delta < 0.5; delta += 0.0371 {
		for x := 0.003; x < 0.5; x += 0.0173 {
			exact := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFloat64(delta))
			exact.Sub(exact, new(big.Rat).SetFloat64(x))
			got := TradeOff(func(float64) float64 { return delta }, x)
			if new(big.Rat).SetFloat64(got).Cmp(exact) > 0 {
				t.Fatalf("δ = %v, x = %v: %v is above %s", delta, x, got, exact.FloatString(20))
			}
			within(t, got, 1-delta-x, 1e-12)
		}
	}
}

func TestTradeOffOfTheGaussian(t *testing.T) {
	profile := func(epsilon float64) float64 { return GaussianToDelta(1, epsilon) }
	for _, c := range []struct{ x, power float64 }{{1e-3, 0.01830}, {1e-6, 8.7218e-5}} { // dp_accounting's tests
		within(t, 1-TradeOff(profile, c.x), c.power, 1e-3)
		within(t, 1-GaussianTradeOff(1, c.x), c.power, 1e-3)
	}
	for _, x := range []float64{0.01, 0.3, 0.5, 0.9} {
		within(t, TradeOff(profile, x), GaussianTradeOff(1, x), 1e-6)
	}
	within(t, Posterior(0.01, math.Log(3)), 0.03/1.02, 1e-14)
	if Posterior(0.5, 1e6) != 1 || Posterior(0, 1) != 0 {
		t.Error("the ends of the posterior")
	}
	within(t, LeastPosterior(0.01, math.Log(3)), 0.01/2.98, 1e-14)
	if LeastPosterior(0.5, 1e6) != 0 || LeastPosterior(1, 1) != 1 {
		t.Error("the ends of the least posterior")
	}
}

// At a large ε and a δ close to 1 hardly any noise is needed: the search for σ once
// stopped at 1/16. The figure is Φ(1/(2σ) − εσ) − e^ε·Φ(−1/(2σ) − εσ) = δ, solved by bisection.
func TestGaussianNoiseBelowASixteenth(t *testing.T) {
	for _, c := range []struct{ epsilon, delta, sigma float64 }{{1000, 0.9, 0.0217}, {1e6, 0.5, 7.07e-4}} {
		sigma := 1 / GaussianFromDP(c.epsilon, c.delta)
		if math.Abs(sigma-c.sigma) > 5e-3*c.sigma {
			t.Errorf("ε = %g, δ = %g: σ = %g, want %g", c.epsilon, c.delta, sigma, c.sigma)
		}
		if delta := GaussianToDelta(1/sigma, c.epsilon); delta > c.delta*(1+1e-12) || delta < c.delta*(1-1e-6) {
			t.Errorf("ε = %g: σ = %g gives δ = %g, not %g", c.epsilon, sigma, delta, c.delta)
		}
	}
}

// What was read of a profile narrows down later searches, and changes what they find by rounding
// only: the end returned is one where the profile is down.
func TestProfileReadAgain(t *testing.T) {
	reads := 0
	of := func(epsilon float64) float64 { reads++; return -0.1 - epsilon - epsilon*epsilon }
	kept := memoProfile{of: of}
	for i := range 100 {
		logDelta := -0.2 - float64(i*37%100)
		fresh := memoProfile{of: of}
		want, before := fresh.inverse(logDelta), reads
		got := kept.inverse(logDelta)
		if of(got) > logDelta || math.Abs(got-want) > 1e-12*want {
			t.Errorf("ln δ = %g: ε = %.17g, afresh %.17g", logDelta, got, want)
		}
		if few := reads - before - 1; i >= 20 && few > 8 {
			t.Errorf("ln δ = %g: read %d times", logDelta, few)
		}
	}
	if got := kept.inverse(-0.1); got != 0 {
		t.Errorf("at the whole δ: ε = %g", got)
	}
	flat := memoProfile{of: func(float64) float64 { return 0 }}
	if got := flat.inverse(-1); !math.IsInf(got, 1) {
		t.Errorf("a profile that never falls: ε = %g", got)
	}
}
