// Package special holds the few special functions that privacy accounting needs
// and that the standard library and gonum either lack or lose digits in: normal
// tails and sums in log space.
//
// Everything here is a pure function of float64. Where a function is used to
// bound a failure probability its doc comment states the relative error.
package special

import (
	"math"
	"sync"
)

const halfLog2Pi = 0.9189385332046727417803297364056176

// NormalCDF returns Φ(x), accurate in both tails down to the smallest denormal.
func NormalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// NormalPDF returns the standard normal density.
func NormalPDF(x float64) float64 { return math.Exp(-0.5*x*x - halfLog2Pi) }

// NormalQuantile returns Φ⁻¹(p), accurate in both tails; −Inf for p ≤ 0 and +Inf for p ≥ 1.
func NormalQuantile(p float64) float64 {
	switch {
	case !(p > 0):
		return math.Inf(-1)
	case p >= 1:
		return math.Inf(1)
	case p > 0.5:
		return -NormalQuantile(1 - p)
	}
	want := math.Log(p)
	about := nearNormalQuantile(want)
	apart := 2e-13 * (1 - about) // a hundred times what about and the rounding of LogNormalCDF leave open
	low, _ := Bisect(-40, 1, 1e-15, func(x float64) bool {
		if math.Abs(x-about) > apart {
			return x < about
		}
		return LogNormalCDF(x) < want
	})
	return low
}

// nearNormalQuantile returns Φ⁻¹(e^log) for log ≤ −ln 2 to some fourteen digits: formula 26.2.23 of Abramowitz and
// Stegun (1964), within 4.5e-4, and two steps of Newton's method for ln Φ.
func nearNormalQuantile(log float64) float64 {
	t := math.Sqrt(-2 * log)
	x := (2.515517+t*(0.802853+t*0.010328))/(1+t*(1.432788+t*(0.189269+t*0.001308))) - t
	for range 2 {
		at := LogNormalCDF(x)
		x += (log - at) * math.Exp(at+0.5*x*x+halfLog2Pi)
	}
	return x
}

// LogNormalCDF returns ln Φ(x) with a relative error of a few units in the last place: above 0 from the upper
// tail, which Φ itself rounds away, and far below, where Φ leaves the range of float64, by the continued
// fraction of the Mills ratio.
func LogNormalCDF(x float64) float64 {
	switch {
	case x > 0:
		return math.Log1p(-NormalCDF(-x))
	case x > -20:
		return math.Log(NormalCDF(x))
	}
	return -0.5*x*x - halfLog2Pi + math.Log(millsRatio(-x))
}

// millsRatio returns (1−Φ(t))/φ(t) for t ≥ 5, by the continued fraction
// 1/(t+1/(t+2/(t+3/(t+…)))) evaluated bottom-up.
func millsRatio(t float64) float64 {
	f := t
	for k := terms(t); k >= 1; k-- {
		f = t + float64(k)/f
	}
	return 1 / f
}

// terms returns the number of terms of the continued fraction that are taken for t ≥ 3: with
// twice as many not one of a million results had another last bit.
func terms(t float64) int { return 20 + int(720/(t*t)) }

// Log1mExp returns ln(1 − e^x) for x ≤ 0 (Mächler 2012). It is −Inf at 0.
func Log1mExp(x float64) float64 {
	if x > 0 {
		return math.NaN()
	}
	if x > -math.Ln2 {
		return math.Log(-math.Expm1(x))
	}
	return math.Log1p(-math.Exp(x))
}

// Log returns ln x. That of package math is too large by up to 35 on some processors where x is below the
// smallest normal number: −ln δ would be too small.
func Log(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p64) - 64*math.Ln2
	}
	return math.Log(x)
}

// LogAdd returns ln(e^a + e^b).
func LogAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) || math.IsInf(a, 1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// LogSub returns ln(e^a − e^b) for a ≥ b; it is −Inf where they are equal.
func LogSub(a, b float64) float64 {
	if math.IsInf(b, -1) || math.IsInf(a, 1) {
		return a
	}
	if b >= a {
		return math.Inf(-1)
	}
	return a + Log1mExp(b-a)
}

// LogChoose returns ln of the binomial coefficient, as a difference of ln Γ.
func LogChoose(n, k float64) float64 {
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

// logFactorial returns ln Γ(x+1). Attacks on selections ask for the same whole numbers millions of times,
// so those are kept.
func logFactorial(x float64) float64 {
	if i := int(x); 0 <= x && x <= keptFactorials && float64(i) == x {
		return logFactorials()[i]
	}
	log, _ := math.Lgamma(x + 1)
	return log
}

const keptFactorials = 1 << 12

var logFactorials = sync.OnceValue(func() *[keptFactorials + 1]float64 {
	var out [keptFactorials + 1]float64
	for i := range out {
		out[i], _ = math.Lgamma(float64(i) + 1)
	}
	return &out
})
