package peers

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
)

// opacusOrders returns the Rényi orders that Opacus uses by default.
func opacusOrders() []float64 { return append(tenths(), wholesFrom(12)...) }
func dpAccountingOrders() []float64 {
	return append(append(tenths(), wholesFrom(11)...), 128, 256, 512, 1024)
}
func tfPrivacyOrders() []float64 {
	return append(append([]float64{1.25, 1.5, 1.75, 2, 2.25, 2.5, 3, 3.5, 4, 4.5}, wholesFrom(5)...), 128, 256, 512)
}

// tenths returns the orders from 1.1 to 10.9 in steps of 0.1.
func tenths() (list []float64) {
	for i := 1.0; i < 100; i++ {
		list = append(list, 1+i/10)
	}
	return list
}

// wholesFrom returns the whole orders from the given one to 63.
func wholesFrom(from float64) (list []float64) {
	for ; from <= 63; from++ {
		list = append(list, from)
	}
	return list
}

// leastEpsilon returns the smallest ε of the given orders by the tight conversion, and its order. At a
// large δ it can be negative, which Opacus prints as it is.
func leastEpsilon(orders []float64, curve func(alpha float64) float64, delta float64) (epsilon, alpha float64) {
	return smallestValue(orders, func(a float64) float64 { return convert(a, curve(a), delta) })
}

// dpAccountingLeast returns what dp_accounting makes of the same orders: ε = 0 for an order at which
// the divergence r is so small that δ alone covers it, as δ ≤ √(1 − e^{−r}), and never less than 0.
func dpAccountingLeast(orders []float64, curve func(alpha float64) float64, delta float64) (epsilon, alpha float64) {
	epsilon, alpha = smallestValue(orders, func(a float64) float64 {
		r := curve(a)
		if delta*delta+math.Expm1(-r) > 0 {
			return 0
		}
		return convert(a, r, delta)
	})
	return math.Max(0, epsilon), alpha
}

// smallestValue returns the least value at the given orders, and the first order that has it.
func smallestValue(orders []float64, value func(alpha float64) float64) (least, alpha float64) {
	least = math.Inf(1)
	for _, a := range orders {
		if v := value(a); v < least {
			least, alpha = v, a
		}
	}
	return least, alpha
}

// convert returns ε by the tight conversion as the tools write it.
func convert(alpha, r, delta float64) float64 {
	return r + math.Log1p(-1/alpha) - math.Log(delta*alpha)/(alpha-1)
}

// exactRenyi returns the divergence of a Poisson-sampled step, which Opacus computes without
// loss at every order of its list.
func exactRenyi(q, z, alpha float64) float64 {
	r, _ := accounting.Subsample(accounting.GaussianDP(1/z), q).Renyi(alpha)
	return r
}

// absoluteRenyi returns D_α as dp_accounting computes it: at fractional orders the terms of the
// series (Mironov, Talwar & Zhang 2019, section 3.3) are added by their size, whatever their
// sign, and an order at which a thousand of them do not suffice is left out.
func absoluteRenyi(q, z, alpha float64) float64 {
	if q >= 1 || alpha == math.Trunc(alpha) {
		return exactRenyi(q, z, alpha)
	}
	split := z*z*math.Log(1/q-1) + 0.5
	in, out := math.Log(q), math.Log1p(-q)
	total, before, after := math.Inf(-1), math.Inf(-1), math.Inf(-1)
	for n := range 1000 {
		i := float64(n)
		j := alpha - i
		c := logChoose(alpha, i)
		low := c + i*in + j*out + i*(i-1)/(2*z*z) + special.LogNormalCDF((split-i)/z)
		high := c + j*in + i*out + j*(j-1)/(2*z*z) + special.LogNormalCDF((j-split)/z)
		total = special.LogAdd(total, special.LogAdd(low, high))
		if low < before && high < after && math.Max(low, high) < total-30 {
			return total / (alpha - 1)
		}
		before, after = low, high
	}
	return math.Inf(1)
}

// fixedRenyi bounds a step on a batch of fixed size where a record is changed (Wang, Balle
// & Kasiviswanathan 2019, Theorem 27) as dp_accounting does: at whole orders up to 256 by
// differences of e^{i(i−1)/(2z²)}, beyond by its simpler term, and by chords between.
func fixedRenyi(q, z, alpha float64) float64 {
	if q >= 1 {
		return alpha / (2 * z * z)
	}
	whole := math.Floor(alpha)
	t := alpha - whole
	sum := (1 - t) * fixedMoment(q, z, whole)
	if t > 0 {
		sum += t * fixedMoment(q, z, whole+1)
	}
	return sum / (alpha - 1)
}

// fixedMoment returns (α−1) times the divergence, at a whole order.
func fixedMoment(q, z, alpha float64) float64 {
	if alpha <= 1 {
		return 0
	}
	moment := func(i float64) float64 { return i * (i - 1) / (2 * z * z) }
	var differences []float64
	if alpha <= 256 {
		differences = logDifferences(moment, int(alpha)+1)
	}
	log := 0.0
	for j := 2.0; j <= alpha; j++ {
		term := math.Ln2 + moment(j)
		if j == 2 {
			term = math.Min(term, 2*math.Ln2+moment(2)+special.Log1mExp(-moment(2)))
		} else if differences != nil {
			below, above := 2*math.Floor(j/2), 2*math.Ceil(j/2)
			term = math.Min(term, 2*math.Ln2+(differences[int(below)]+differences[int(above)])/2)
		}
		log = special.LogAdd(log, term+j*math.Log(q)+logChoose(alpha, j))
	}
	return log
}

// logDifferences returns ln |Δⁿf(0)| for n up to the given one, of f = e^log on whole numbers.
func logDifferences(log func(i float64) float64, most int) []float64 {
	size, sign := make([]float64, most+1), make([]float64, most+1)
	for i := range size {
		size[i], sign[i] = log(float64(i)), 1
	}
	out := []float64{size[0]}
	for n := most; n > 0; n-- {
		for i := range n {
			a, b := size[i], size[i+1]
			switch {
			case sign[i] != sign[i+1]:
				size[i], sign[i] = special.LogAdd(a, b), sign[i+1]
			case b >= a:
				size[i], sign[i] = special.LogSub(b, a), sign[i+1]
			default:
				size[i], sign[i] = special.LogSub(a, b), -sign[i+1]
			}
		}
		out = append(out, size[0])
	}
	return out
}

func logChoose(n, k float64) float64 {
	all, _ := math.Lgamma(n + 1)
	some, _ := math.Lgamma(k + 1)
	others, _ := math.Lgamma(n - k + 1)
	return all - some - others
}
