package oracle

import "math"

// PureDelta returns the exact δ at ε of K releases that are (ε₀, δ₀)-DP (Kairouz, Oh &
// Viswanath 2015): Σ C(K,j)·(e^{(K−j)ε₀} − e^{ε + jε₀})/(1+e^{ε₀})^K over the numbers j
// of lies with (K−2j)ε₀ > ε. The largest term is found in full precision, the others
// follow from it by their ratios, at most reach of them; all are positive.
func PureDelta(epsilon0, delta0 float64, count int, epsilon float64) float64 {
	k := float64(count)
	last := int(math.Ceil((k-epsilon/epsilon0)/2)) + 1
	last = min(last, count)
	for last >= 0 && !(float64(count-2*last)*epsilon0 > epsilon) {
		last--
	}
	lost := OneMinusExpNeg(R(k).Mul(LogWithout(R(delta0))))
	inner := 0.0
	if last >= 0 {
		inner = binomialTail(epsilon0, count, last, epsilon)
	}
	return lost.Add(R(1).Sub(lost).Mul(R(inner))).Float()
}

func binomialTail(epsilon0 float64, count, last int, epsilon float64) float64 {
	// The probability of j lies peaks at K/(1+e^ε₀).
	peak := min(last, int(float64(count)/(1+math.Exp(epsilon0))))
	log := logBinomial(count, peak).Add(R(float64(count - peak)).Mul(R(epsilon0))).
		Sub(R(float64(count)).Mul(R(1).Add(R(epsilon0).Exp()).Log()))
	weight := func(j int) float64 { return -math.Expm1(epsilon - float64(count-2*j)*epsilon0) }
	odds := math.Exp(-epsilon0)
	sum, term := 0.0, 1.0
	for j := peak; j >= 0; j-- {
		sum += term * weight(j)
		if term < 1e-20*sum {
			break
		}
		term *= float64(j) / float64(count-j+1) / odds
	}
	term = 1.0
	for j := peak + 1; j <= last; j++ {
		term *= float64(count-j+1) / float64(j) * odds
		sum += term * weight(j)
		if term < 1e-20*sum {
			break
		}
	}
	return log.Exp().Mul(R(sum)).Float()
}

// logBinomial returns ln C(n, k), by Stirling's series in full precision.
func logBinomial(n, k int) Real { return logFactorial(n).Sub(logFactorial(k)).Sub(logFactorial(n - k)) }

// logFactorial returns ln n!: the product for n < 64, else Stirling's series shifted.
func logFactorial(n int) Real {
	if n < 64 {
		product := R(1)
		for i := 2; i <= n; i++ {
			product = product.Mul(R(float64(i)))
		}
		return product.Log()
	}
	x := R(float64(n))
	sum := x.Add(Ratio(1, 2)).Mul(x.Log()).Sub(x).Add(R(2).Mul(pi).Log().Div(R(2)))
	power := x
	for _, b := range [][2]int64{{1, 12}, {-1, 360}, {1, 1260}, {-1, 1680}, {1, 1188}, {-691, 360360}, {1, 156},
		{-3617, 122400}, {43867, 244188}, {-174611, 125400}} {
		sum = sum.Add(Ratio(b[0], b[1]).Div(power))
		power = power.Mul(x).Mul(x)
	}
	return sum
}
