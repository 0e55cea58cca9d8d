package pairs

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
)

// draws is the loss of Gaussian noise on a sum into which several records may be drawn:
// P = Σ a_j·N(s_j, 1) against Q = Σ b_j·N(−s_j, 1), s_j = jμ. Its loss ln P/Q rises with the noise x.
//
// Of k records of one person, each drawn with probability q, the number drawn is
// binomial, and a_j its probability of j. Where they are taken out, b is N(0, 1) alone;
// where they are changed, b = a.
//
// Both pairs dominate every release of which j records more, on any sample of the others,
// are jμ-Gaussian private: any query of that sensitivity, not only sums, in any dimension
// and adaptively. Let R be the distribution where none of the k is drawn and the others' sample is
// given, and E any event with R(E) = α. Where j are drawn its probability is at most
// Φ(Φ⁻¹(α)+jμ) on one side and at least Φ(Φ⁻¹(α)−jμ) on the other, whichever j records
// they are. On one line, pushing opposite ways, all of these bounds are reached by the same
// event, a half-line; so P(E) − e^ε·Q(E) is at most what that half-line has here. The
// others are drawn alike on both sides: joint convexity does the rest. Sums of records that
// push the same way attain both pairs (for those taken out also Ganesh 2024).
type draws struct {
	key    string
	shifts []float64 // s_j ≥ 0, from s_0 = 0 on, increasing
	a, b   []float64 // weights by j, the sum of each 1 but for rest
	rest   float64   // at least the mass that is not listed, on either side
}

// SampledGaussianGroup returns the pair of Gaussian noise, with μ for one record, on the sum of a Poisson
// sample in which a person has k records, each sampled with probability q: all of them removed (Ganesh 2024)
// or, with replace, all of them replaced.
func SampledGaussianGroup(mu, q float64, k int, replace bool) Pair {
	switch {
	case k < 1 || !(q > 0) || !(mu >= 0):
		return invalidPair()
	case mu == 0:
		return identicalPair()
	}
	shift := mu * float64(k)
	if replace {
		shift *= 2
	}
	if q >= 1 {
		return Gaussian(shift)
	}
	key := "draws(" + number(mu) + "," + number(q) + "," + strconv.Itoa(k) + ")"
	if shift > 1e8 { // beyond computing: from above all of them always drawn, from below none
		return Bracket(Gaussian(shift), identicalPair(), manyDraws)
	}
	in := exactly(q)
	weights, rest := binomial(in, new(big.Float).Sub(exactly(1), in), k, maxDraws, rareDraw)
	if len(weights) > k {
		pair := drawsOf(key, mu, weights, rest, replace)
		if k == 1 && replace && rest == 0 {
			pair.Remove.upper.form = Form{Kind: "gaussian", Size: mu, Scheme: Opposite, Rate: q}
		}
		return pair
	}
	upper := Gaussian(shift) // all of them always drawn
	if rest < 1e-16 {
		upper = drawsOf(key+"+", mu, weights, rest, replace) // what is not listed gives the records away
	}
	// From below, larger numbers count as the largest listed one: shorter shifts, still
	// on one line.
	fewer := slices.Clone(weights)
	fewer[len(fewer)-1] += rest * (1 - 1e-9)
	return bracketPair(key, upper, drawsOf(key+"-", mu, fewer, 0, replace), manyDraws)
}

const manyDraws = "a person has too many records to list every possible number of sampled ones, so the interval need not be tight"

// At most maxDraws numbers of sampled records are listed, and none beyond which the probability is below rareDraw.
const (
	maxDraws = 128
	rareDraw = 1e-80
)

func drawsOf(key string, mu float64, weights []float64, rest float64, replace bool) Pair {
	shifts := make([]float64, len(weights))
	for j := range shifts {
		shifts[j] = float64(j) * mu
	}
	if replace {
		return SymmetricPair(exactLoss(draws{key + "-replace", shifts, weights, weights, rest}.Estimate()))
	}
	return mixturePair(key, shifts, weights, rest)
}

// mixturePair returns the pair of Σ w_j·N(s_j, 1) against N(0, 1).
func mixturePair(key string, shifts, weights []float64, rest float64) Pair {
	one := []float64{1}
	return Pair{Remove: exactLoss(draws{key, shifts, weights, one, rest}.Estimate()),
		Add: exactLoss(draws{key + "′", shifts, one, weights, rest}.Estimate())}
}

// MixtureOfGaussians returns the pair of Gaussian noise of deviation 1 on an answer that a record
// moves by shifts[i] ≥ 0 with probability weights[i], which of them staying secret: Σ wᵢ·N(sᵢ, 1)
// against N(0, 1). Vectors of these lengths in any directions are dominated by it (Choquette-Choo,
// Ganesh, Steinke, Thakurta 2024). The weights must be at least 0 and add up to 1.
func MixtureOfGaussians(shifts, weights []float64) Pair {
	s, w := []float64{0}, []float64{0}
	order := make([]int, len(shifts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(shifts[i], shifts[j]) })
	for _, i := range order {
		if shifts[i] > s[len(s)-1] {
			s, w = append(s, shifts[i]), append(w, 0)
		}
		w[len(w)-1] += weights[i]
	}
	last := len(s) - 1
	switch {
	case last == 0:
		return identicalPair()
	case w[last] >= 1:
		return Gaussian(s[last])
	case s[last] > 1e8:
		return Bracket(Gaussian(s[last]), identicalPair(), manyDraws)
	}
	key := "mixture("
	for i := range s {
		key += number(s[i]) + ":" + number(w[i]) + ","
	}
	return mixturePair(key+")", s, w, 0)
}

// Estimate returns the loss of one mixture of normals against another. Mass that is not listed is at infinity.
func (d draws) Estimate() *Estimate {
	l := newEstimate(d.key, d.distribution, d.LogDelta)
	l.top, l.bound, l.form = d.rest, d.coupledBound, Form{Reason: byNormals}
	last := float64(len(d.shifts) - 1)
	shift := d.shifts[len(d.shifts)-1] * (1 + 1/last)
	l.unresolvable = !(shift < widest) || !(d.rest < 1e-30)
	l.orders = 1e4 / (shift * math.Max(1, shift))
	return l
}

func (d draws) distribution() loss.Distribution {
	out := loss.Mixtures(d.shifts, d.a, d.b)
	if out.Slack = 2 * d.rest; len(d.a) > 1 {
		out.Top, out.Feared = d.rest, d.rest
	}
	if len(d.b) > 1 {
		out.Bottom = d.rest
	}
	return out
}

// coupledBound bounds the divergence by that of a release which reveals how many records were
// sampled, equal numbers on both sides: e^{sD} is jointly convex.
func (d draws) coupledBound(alpha float64) float64 {
	weights := d.a
	if len(d.a) == 1 {
		weights = d.b
	}
	twice := 1.0
	if len(d.a) == len(d.b) {
		twice = 2
	}
	values := make([]float64, len(weights))
	for j := range values {
		values[j] = alpha * twice * d.shifts[j] * twice * d.shifts[j] / 2
	}
	return special.MixedRenyi(weights, values, alpha)
}

// binomial returns the probabilities of 0, 1, 2, … successes in n draws, each to the last digit,
// with the given odds, in to out: from 0 to most, or until no more than rare is left; and a
// bound on the rest that is not listed.
func binomial(in, out *big.Float, n, most int, rare float64) (weights []float64, rest float64) {
	odds := new(big.Float).Quo(in, out)
	power := new(big.Float).Quo(out, new(big.Float).Add(in, out))
	w, left := exactly(1), exactly(1)
	for k := n; k > 0; k >>= 1 { // the chance of none
		if k&1 == 1 {
			w.Mul(w, power)
		}
		power = new(big.Float).Mul(power, power)
	}
	for j := 0; ; j++ {
		x, _ := w.Float64()
		weights = append(weights, x)
		left.Sub(left, w)
		if j == n {
			return weights, 0
		}
		if rest, _ = left.Float64(); rest < rare || j == most {
			return weights, math.Max(beyondFloat, rest*(1+1e-12))
		}
		w.Mul(w, odds)
		w.Mul(w, exactly(float64(n-j)))
		w.Quo(w, exactly(float64(j+1)))
	}
}

// exactly returns a number with enough digits for a difference from 1 far below those of float64.
func exactly(x float64) *big.Float { return new(big.Float).SetPrec(512).SetFloat64(x) }

// reverse returns the pair in the other direction, seen from the other side of the noise.
func (d draws) reverse() draws {
	return draws{d.key + "~", d.shifts, d.b, d.a, d.rest}
}

// LogDelta at ε ≥ 0, with x the noise at that loss: P(x, ∞) − e^ε·Q(x, ∞) is
// Σ a_jφ(x−jμ)[M(x−jμ) − M(x)] + e^ε·Σ b_jφ(x+jμ)[M(x) − M(x+jμ)], M the Mills ratio
// (1−Φ)/φ, as both densities over φ agree at x up to e^ε. No term is negative.
func (d draws) LogDelta(epsilon float64) float64 {
	if epsilon < 0 { // δ(ε) = 1 − e^ε + e^ε·δ(−ε) in the other order
		return special.LogAdd(special.Log1mExp(epsilon), epsilon+d.reverse().LogDelta(-epsilon))
	}
	sum := math.Inf(-1)
	if d.rest > 0 {
		sum = math.Log(d.rest)
	}
	x := d.distribution().Densities[0].Reach(epsilon)
	if math.IsInf(x, 1) { // beyond the largest loss
		return sum
	}
	for j, p := range d.a[1:] {
		if t := d.shifts[j+1]; p > 0 {
			sum = special.LogAdd(sum, math.Log(p)+logDrop(x-t, t))
		}
	}
	for j, p := range d.b[1:] {
		if t := d.shifts[j+1]; p > 0 {
			sum = special.LogAdd(sum, epsilon+math.Log(p)-t*(x+t/2)+logDrop(x, t))
		}
	}
	return math.Min(0, sum)
}

// logDrop returns ln φ(t)[M(t) − M(t+w)] = ln(Φ(−t) − e^{tw+w²/2}·Φ(−t−w)).
func logDrop(t, w float64) float64 {
	if t > -25 {
		return -t*t/2 - 0.5*math.Log(2*math.Pi) + special.LogMillsDrop(t, w)
	}
	return special.LogSub(special.LogNormalCDF(-t), w*(t+w/2)+special.LogNormalCDF(-t-w))
}
