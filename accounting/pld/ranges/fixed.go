package ranges

import (
	"math"

	"epsiloscope/accounting/special"
)

// MaxFixed is the largest number of releases that [NewFixed] takes.
const MaxFixed = 1000

// Fixed are releases that are all fixed before the first answer is seen. An attacker who cannot
// react does best with one t for all of them (Dong, Durfee & Rogers 2020), so δ is the largest
// over t of
//
//	f_t(x) = Σ C(K,i)·p_t^i·(1−p_t)^{K−i}·(1 − e^{x−ℓ})₊,   ℓ = Kt − (K−i)ε.
//
// It is the largest over n, too, of F_n(t), the sum of the terms with i ≥ K−n alone and without
// the positive part. That is P[B ≤ n] − e^x·P[B′ ≤ n] for binomial numbers B and B′ of K with
// probabilities 1−p_t and e^{ε−t}(1−p_t), so its derivative in t has the sign of
// e^{x+(n+1)ε−Kt} − e^t: F_n rises up to t = (x+(n+1)ε)/(K+1) and then falls. So K+1 values of t
// are enough.
type Fixed struct {
	epsilon, count float64
	choose         []float64 // ln C(K,i)
}

// NewFixed returns the curve of count releases; false if there are too many of them, or only
// one.
func NewFixed(epsilon, count float64) (f Fixed, ok bool) {
	if !(epsilon > 1e-6 && epsilon < 50 && count >= 2 && count <= MaxFixed) || count != math.Trunc(count) {
		return f, false
	}
	f = Fixed{epsilon: epsilon, count: count}
	for i := range int(count) + 1 {
		f.choose = append(f.choose, special.LogChoose(count, float64(i)))
	}
	return f, true
}

// chance returns ln p_t and ln(1−p_t).
func (f Fixed) chance(t float64) (logP, logRest float64) {
	p := math.Expm1(t-f.epsilon) / math.Expm1(-f.epsilon)
	rest := math.Exp(t-f.epsilon) * math.Expm1(-t) / math.Expm1(-f.epsilon)
	return math.Log(p), math.Log(rest)
}

// curveAt returns f_t(x), accurate to about 1e-11: it sums from the first i whose loss exceeds x
// until the rest is negligible. Losses 40 deviations below the mean are left out.
func (f Fixed) curveAt(t, x float64) (sum float64) {
	if t <= 0 || t >= f.epsilon { // every loss that occurs is 0
		return math.Max(0, -math.Expm1(x))
	}
	logP, logRest := f.chance(t)
	mean := f.count * math.Exp(logP)
	i := math.Ceil(math.Max(f.count-(f.count*t-x)/f.epsilon, mean-20*math.Sqrt(f.count)))
	if i = math.Max(0, i); i > f.count {
		return 0
	}
	term := math.Exp(f.choose[int(i)] + i*logP + (f.count-i)*logRest)
	// 1 − e^{x−ℓ}, and what it becomes with ℓ + ε: a sum of positive terms.
	less, shrink, grow := -math.Expm1(x-f.count*t+(f.count-i)*f.epsilon), math.Exp(-f.epsilon), -math.Expm1(-f.epsilon)
	for odds := math.Exp(logP - logRest); i <= f.count && (i < mean || term > 1e-17*sum); i++ {
		sum += term * math.Max(0, less)
		term *= (f.count - i) / (i + 1) * odds
		less = less*shrink + grow
	}
	return sum
}

// largest returns the largest f_t(x) over all t, rounded up, and its t.
func (f Fixed) largest(x float64) (value, t float64) {
	for n := range f.choose {
		at := math.Min(f.epsilon, (x+float64(n+1)*f.epsilon)/(f.count+1))
		if v := f.curveAt(at, x); v >= value {
			value, t = v, at
		}
	}
	return math.Min(1, value*(1+1e-9)+1e-40), t
}

// UpperCurve returns bounds of the curve at some losses from 0 up, with chords in e^x between them, and the
// t that is best where δ is about a millionth.
func (f Fixed) UpperCurve() (losses, deltas []float64, t float64) {
	const points = 400
	rho := f.count * f.epsilon * f.epsilon / 8
	end := math.Min(f.count*f.epsilon, rho+math.Sqrt(4*70*rho))
	losses, deltas = make([]float64, points+1), make([]float64, points+1)
	aim := 0.0
	for k := points; k >= 0; k-- {
		x := end * float64(k) / points
		losses[k] = x
		if deltas[k], _ = f.largest(x); k < points {
			deltas[k] = math.Max(deltas[k], deltas[k+1])
		}
		if deltas[k] < 1e-6 {
			aim = x
		}
	}
	_, t = f.largest(aim)
	return losses, deltas, t
}
