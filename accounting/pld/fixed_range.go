package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// MostFixed is the largest number of releases that FixedRange has a pair for.
const MostFixed = 500

// FixedRange is the pair of count releases of ε-bounded range that are all fixed before the
// first answer is seen; false where there are too many of them, or one alone. An attacker
// who cannot react does best with one t for all of them (Dong, Durfee & Rogers 2020), so δ is
// the largest over t of
//
//	f_t(x) = Σ C(K,i)·p_t^i·(1−p_t)^{K−i}·(1 − e^{x−ℓ})₊,   ℓ = Kt − (K−i)ε.
//
// From a to b, p_t falls and ℓ rises by K(b−a) at most, so f_t(x) ≤ f_a(x − K(b−a)) for all
// t between them: what lies in an interval is bounded, and the interval halved until that is
// close to the largest value found.
func FixedRange(epsilon, count float64) (Pair, bool) {
	if !(epsilon > 1e-6 && epsilon < 50 && count >= 2 && count <= MostFixed) || count != math.Trunc(count) {
		return Pair{}, false
	}
	key := "fixed-range(" + number(epsilon) + "," + number(count) + ")"
	return games.get(key, func() Pair {
		f := fixedRange{epsilon, count}
		upper, aim := f.dominating()
		return symmetric(&Loss{key, upper, f.steady(aim), fixedNote})
	}), true
}

const fixedNote = "holds for selections that are all fixed before the first answer is seen; the lower end is that of one attacker"

type fixedRange struct{ epsilon, count float64 }

// chance is ln p_t and ln(1−p_t).
func (f fixedRange) chance(t float64) (logP, logRest float64) {
	p := math.Expm1(t-f.epsilon) / math.Expm1(-f.epsilon)
	rest := math.Exp(t-f.epsilon) * math.Expm1(-t) / math.Expm1(-f.epsilon)
	return math.Log(p), math.Log(rest)
}

// at is f_t(x), right to about 1e-12.
func (f fixedRange) at(t, x float64) (sum float64) {
	if t <= 0 || t >= f.epsilon { // every loss that occurs is 0
		return math.Max(0, -math.Expm1(x))
	}
	logP, logRest := f.chance(t)
	below, growth := math.Exp(x-f.count*t), math.Exp(f.epsilon) // e^{x−ℓ}
	if f.count*logP > -600 {
		term, odds := math.Exp(f.count*logP), math.Exp(logRest-logP)
		for i := f.count; i >= 0 && below < 1; i-- {
			sum += term * (1 - below)
			term *= i / (f.count - i + 1) * odds
			below *= growth
		}
		return sum
	}
	for i := f.count; i >= 0 && below < 1; i-- {
		sum += math.Exp(special.LogChoose(f.count, i)+i*logP+(f.count-i)*logRest) * (1 - below)
		below *= growth
	}
	return sum
}

// largest bounds f_t(x) over all t, and gives the t of the largest value found.
func (f fixedRange) largest(x float64) (bound, best float64) {
	type interval struct{ from, to, bound float64 }
	const close = 1e-3
	value, at := f.at(f.epsilon/2, x), f.epsilon/2
	note := func(from, to float64) interval {
		if v := f.at(from, x); v > value {
			value, at = v, from
		}
		return interval{from, to, f.at(from, x-f.count*(to-from))}
	}
	open := make([]interval, 0, 64)
	for i := range 16 {
		open = append(open, note(f.epsilon*float64(i)/16, f.epsilon*float64(i+1)/16))
	}
	for range 60 {
		var next []interval
		bound = value
		for _, v := range open {
			if v.bound <= value*(1+close)+1e-40 {
				bound = math.Max(bound, v.bound)
				continue
			}
			middle := (v.from + v.to) / 2
			next = append(next, note(v.from, middle), note(middle, v.to))
		}
		if open = next; len(open) == 0 {
			break
		}
	}
	for _, v := range open {
		bound = math.Max(bound, v.bound)
	}
	return math.Min(1, math.Max(bound, value*(1+close)+1e-40)*(1+1e-9)), at
}

// dominating is the loss whose curve lies on the bound at the points of a mesh, and between
// them on chords; aim is where it is about a millionth.
func (f fixedRange) dominating() (d *law, aim float64) {
	const points = 400
	rho := f.count * f.epsilon * f.epsilon / 8
	end := math.Min(f.count*f.epsilon, rho+math.Sqrt(4*70*rho))
	mesh, curve := make([]float64, 2*points+1), make([]float64, 2*points+1)
	for k := points; k >= 0; k-- {
		x := end * float64(k) / points
		v, _ := f.largest(x)
		if k < points { // a bound that were not convex would only be larger than it need be
			v = math.Max(v, curve[points+k+1])
		}
		if v < 1e-6 {
			aim = x
		}
		mesh[points+k], curve[points+k] = x, v
		mesh[points-k], curve[points-k] = -x, math.Min(1, -math.Expm1(-x)+math.Exp(-x)*v)
	}
	mesh, curve = minorant(mesh, curve) // which bounds every convex curve that the values bound
	d = listed(mesh, curve, 16*ulp, nil)
	d.key = "fixed-above(" + number(f.epsilon) + "," + number(f.count) + ")"
	return d, aim
}

// steady is the loss of an attacker with the t that is best at a loss.
func (f fixedRange) steady(x float64) *law {
	_, t := f.largest(x)
	return steadyRange(t, f.epsilon, f.count)
}
