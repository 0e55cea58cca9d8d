package risk

import "math"

// Approximate states the harm that an (ε, δ) guarantee by itself allows. Some mechanism
// attains each of these bounds (Kairouz, Oh, Viswanath 2015), so a theorem that ends in (ε, δ) cannot
// promise less; the certified curve of the same stack often does. The zero value is the
// guarantee ε = 0, δ = 0.
type Approximate struct{ Epsilon, Delta float64 }

// Advantage returns the largest membership advantage, (e^ε − 1 + 2δ)/(e^ε + 1), rounded up. It is 1
// if ε or δ is not a valid number.
func (a Approximate) Advantage() float64 {
	if a.invalid() {
		return 1
	}
	// tanh(ε/2) = (e^ε−1)/(e^ε+1), which does not overflow.
	return roundUp(math.Tanh(a.Epsilon/2) + 2*a.Delta/(1+math.Exp(a.Epsilon)))
}

// TruePositiveRate returns the largest true-positive rate at a false-positive rate,
// min(1, e^ε·α + δ, 1 − e^{−ε}(1 − δ − α)), rounded up. It is 1 if a number is not valid.
func (a Approximate) TruePositiveRate(fpr float64) float64 {
	if a.invalid() || !(fpr > 0 && fpr < 1) {
		return 1
	}
	steep := math.Exp(a.Epsilon)*fpr + a.Delta
	shallow := 1 - math.Exp(-a.Epsilon)*math.Max(0, 1-a.Delta-fpr)
	return math.Max(fpr, roundUp(math.Min(steep, shallow)))
}

// BayesSuccess returns the largest probability of a right guess about membership if a share
// prior of the candidates are members, rounded up.
func (a Approximate) BayesSuccess(prior float64) float64 {
	if a.invalid() || !(prior > 0 && prior < 1) {
		return 1
	}
	// π·TPR + (1−π)·(1−FPR) is largest at a corner of the region: no accusation, the symmetric
	// corner, only accusations, or a sure finding with probability δ.
	corner := (1 - a.Delta) / (1 + math.Exp(a.Epsilon)) // both errors
	best := math.Max(prior+(1-prior)*a.Delta, 1-prior+prior*a.Delta)
	return roundUp(math.Max(best, 1-corner))
}

// delta returns the largest δ(ε) that the guarantee allows, at any real ε, rounded up: that of the pair with mass δ at
// infinite loss and randomized response in the rest.
func (a Approximate) delta(epsilon float64) float64 {
	if a.invalid() {
		return 1
	}
	p := 1 / (1 + math.Exp(-a.Epsilon))
	up := p*math.Max(0, -math.Expm1(epsilon-a.Epsilon)) + (1-p)*math.Max(0, -math.Expm1(epsilon+a.Epsilon))
	return roundUp(a.Delta + (1-a.Delta)*up)
}

func (a Approximate) invalid() bool {
	return !(a.Epsilon >= 0) || !(a.Delta >= 0 && a.Delta <= 1)
}

func roundUp(p float64) float64 { return math.Min(1, p*(1+8*0x1p-53)) }
