package certificate

import (
	"math/big"
	"slices"
	"sort"
	"strings"
)

// direction is an order of two neighbouring data sets.
type direction string

const (
	remove direction = "remove" // with the record against without it
	insert direction = "add"
)

// pair is the pair of a release with the numbers of its certificate, ready for computing.
type pair struct {
	kind                          string
	count                         int64
	eps, delta, q, share, scale   *big.Float // scale is σ/Δ of normal noise
	within, rest                  *big.Float
	sigma                         *big.Float // of the discrete Gaussian
	exactEps                      *big.Rat
	shift                         int64
	outcomes                      [][2]*big.Float
	offset                        *big.Int // in units of 1e-45
	ratios                        map[direction][]*big.Float
	sums                          map[direction][]test
	sampled, table, batch, normal bool
}

// test is P(S) and Q(S) of an event S.
type test struct{ p, q *big.Float }

// plainTest returns P(S) and Q(S) of S = {P/Q > x} for x > 0, of a pair that reads the same in
// both directions. With S for an x that is off by e, P(S) − x·Q(S) is off by at most e·Q(S).
func (r *pair) plainTest(x *big.Float) test {
	if r.normal { // N(m, 1) against N(0, 1): ln P/Q = m·y − m²/2
		m := quo(unitF, r.scale)
		cut := add(quo(log(x), m), mul(m, halfF))
		return test{phi(sub(m, cut)), phi(neg(cut))}
	}
	d := zeroF
	if r.delta != nil {
		d = r.delta
	}
	large := exp(r.eps)
	switch {
	case x.Cmp(large) >= 0: // beyond the largest finite loss
		return test{d, zeroF}
	case mul(x, large).Cmp(unitF) < 0: // below the smallest
		return test{unitF, sub(unitF, d)}
	case strings.HasSuffix(r.kind, "laplace"): // S = {noise < u scales}: there P/Q > e^(ε−2u)
		u := mul(sub(r.eps, log(x)), halfF)
		u = smaller(larger(u, zeroF), r.eps)
		return test{sub(unitF, mul(exp(neg(u)), halfF)), mul(exp(sub(u, r.eps)), halfF)}
	case strings.HasSuffix(r.kind, "bounded_range"): // f = (√E − √x)²/(E−1), Q(S) = −f′, P(S) = f − x·f′
		below := sub(large, unitF)
		return test{quo(larger(zeroF, sub(large, sqrt(mul(large, x)))), below),
			quo(larger(zeroF, sub(sqrt(quo(large, x)), unitF)), below)}
	}
	kept, all := sub(unitF, d), add(unitF, large) // randomized response says yes
	return test{add(d, quo(mul(kept, large), all)), quo(kept, all)}
}

// replacedTest returns the best event at x for P = (1−q)N(0,1) + qN(m,1) against
// Q = (1−q)N(0,1) + qN(−m,1). P/Q rises in y, and P = xQ means k·u² + b·u − k·x = 0 for u = e^(my),
// k = q·e^(−m²/2), b = (1−q)(1−x).
func (r *pair) replacedTest(x *big.Float) test {
	m, out := quo(unitF, r.scale), sub(unitF, r.q)
	k := mul(r.q, exp(neg(mul(mul(m, m), halfF))))
	b := mul(out, sub(unitF, x))
	width := sqrt(add(mul(b, b), mul(mul(newFloat().SetInt64(4), mul(k, k)), x)))
	var u *big.Float
	if b.Sign() > 0 {
		u = quo(mul(mul(twoF, k), x), add(b, width))
	} else {
		u = quo(sub(width, b), mul(twoF, k))
	}
	cut := quo(log(u), m)
	centre := mul(out, phi(neg(cut)))
	return test{add(centre, mul(r.q, phi(sub(m, cut)))), add(centre, mul(r.q, phi(neg(add(m, cut)))))}
}

// listOutcomes returns the P- and Q-mass of each outcome of a finite pair.
func (r *pair) listOutcomes() [][2]*big.Float {
	switch r.kind {
	case "finite":
		return r.outcomes
	case "response": // with probability 1−share an answer that both data sets give alike
		e := exp(r.eps)
		no := quo(r.share, add(unitF, e))
		yes, alike := mul(no, e), sub(unitF, r.share)
		return [][2]*big.Float{{yes, no}, {alike, alike}, {no, yes}}
	case "discrete_laplace": // P(y) = a^|y|·(1−a)/(1+a); one loss for all y ≤ 0, one for all y ≥ n
		a := exp(neg(r.eps))
		all := add(unitF, a)
		powers := []*big.Float{unitF}
		for range r.shift {
			powers = append(powers, mul(powers[len(powers)-1], a))
		}
		near, far := quo(unitF, all), quo(powers[r.shift], all)
		list := [][2]*big.Float{{near, far}}
		zero := quo(sub(unitF, a), all)
		for y := int64(1); y < r.shift; y++ {
			list = append(list, [2]*big.Float{mul(zero, powers[y]), mul(zero, powers[r.shift-y])})
		}
		return append(list, [2]*big.Float{far, near})
	}
	// discrete Gaussian: P(y) ~ e^(−y²/2σ²); less than 1e-47 lies beyond 15σ
	reach, _ := mul(newFloat().SetInt64(15), r.sigma).Int64()
	reach++
	double := mul(twoF, mul(r.sigma, r.sigma))
	weights := make([]*big.Float, reach+r.shift+1)
	total := newFloat().SetInt64(-1)
	for y := range weights {
		weights[y] = exp(neg(quo(newFloat().SetInt64(int64(y)*int64(y)), double)))
		if int64(y) <= reach {
			total.Add(total, mul(twoF, weights[y]))
		}
	}
	var list [][2]*big.Float
	for y := -reach; y <= reach+r.shift; y++ {
		list = append(list, [2]*big.Float{quo(weights[max(y, -y)], total),
			quo(weights[max(y-r.shift, r.shift-y)], total)})
	}
	return list
}

// orderedOutcomes returns the outcomes, with P and Q exchanged for add.
func (r *pair) orderedOutcomes(way direction) (list [][2]*big.Float) {
	for _, v := range r.listOutcomes() {
		if way == insert {
			v[0], v[1] = v[1], v[0]
		}
		list = append(list, v)
	}
	return list
}

// tabulate sorts the outcomes by falling P/Q and keeps the sums of P and Q up to each.
func (r *pair) tabulate(way direction) {
	if r.sums[way] != nil {
		return
	}
	type row struct{ p, q, ratio *big.Float } // no ratio means loss +∞
	var rows []row
	for _, v := range r.orderedOutcomes(way) {
		p, q := v[0], v[1]
		switch {
		case q.Sign() > 0:
			rows = append(rows, row{p, q, quo(p, q)})
		case p.Sign() > 0:
			rows = append(rows, row{p, q, nil})
		}
	}
	sort.SliceStable(rows, func(i, j int) bool {
		a, b := rows[i].ratio, rows[j].ratio
		if a == nil || b == nil {
			return a == nil && b != nil
		}
		return a.Cmp(b) > 0
	})
	sums, ratios := []test{{zeroF, zeroF}}, []*big.Float{}
	for _, v := range rows {
		last := sums[len(sums)-1]
		sums, ratios = append(sums, test{add(last.p, v.p), add(last.q, v.q)}), append(ratios, v.ratio)
	}
	r.sums[way], r.ratios[way] = sums, ratios
}

// testAt returns P(S) and Q(S) of an event S that is best, or nearly, at x > 0.
func (r *pair) testAt(way direction, x *big.Float) test {
	switch {
	case r.table:
		ratios := r.ratios[way]
		return r.sums[way][sort.Search(len(ratios), func(i int) bool {
			return ratios[i] != nil && ratios[i].Cmp(x) <= 0
		})]
	case r.kind == "replaced_gaussian":
		return r.replacedTest(x)
	case !r.sampled:
		return r.plainTest(x)
	}
	// P′ = (1−q)Q + qP against Q, or Q against P′. P′ > xQ means P > inner·Q, Q > xP′ means Q > inner·P.
	out := sub(unitF, r.q)
	inner, nothing := zeroF, test{unitF, unitF}
	if way == remove {
		inner = quo(sub(x, out), r.q)
	} else {
		nothing = test{zeroF, zeroF}
		if rest := sub(unitF, mul(out, x)); rest.Sign() > 0 {
			inner = quo(mul(r.q, x), rest)
		}
	}
	if inner.Sign() <= 0 {
		return nothing
	}
	t := r.plainTest(inner) // the pair reads the same in both directions: an S with Q(S) = p, P(S) = q exists too
	mixed := func(drawn, other *big.Float) *big.Float { return add(mul(out, other), mul(r.q, drawn)) }
	if way == remove {
		return test{mixed(t.p, t.q), t.q}
	}
	return test{t.p, mixed(t.q, t.p)}
}

// curve returns f(x) = sup P(S) − x·Q(S) within r.error, for x > 0.
func (r *pair) curve(way direction, x *big.Float) *big.Float {
	repair := func(f *big.Float) *big.Float { return larger(larger(f, zeroF), sub(unitF, x)) } // of round-off
	// q·f₀(1 + (x−1)/q) for x ≥ 1, mirrored: f(x) = 1 − x + x·f(1/x)
	if r.batch {
		y := add(unitF, quo(sub(larger(x, quo(unitF, x)), unitF), r.q))
		t := r.plainTest(y)
		f := mul(r.q, sub(t.p, mul(y, t.q)))
		if x.Cmp(unitF) < 0 {
			f = add(sub(unitF, x), mul(x, f))
		}
		return repair(f)
	}
	t := r.testAt(way, x)
	return repair(sub(t.p, mul(x, t.q)))
}

// error returns what f, P(S) and Q(S) may be off by: masses of a finite pair are known up to a factor
// 1 ± within, and outcomes of mass at most rest, under P and under Q, are not listed.
func (r *pair) error() *big.Float {
	if r.kind != "finite" {
		return pad
	}
	return add(pad, add(mul(newFloat().SetInt64(3), r.within), r.rest))
}

// isBoundedByEpsilon reports whether the largest loss of the pair, before sampling, is eps, or shift times eps. A
// complete table goes by its outcomes.
func (r *pair) isBoundedByEpsilon() bool {
	if slices.Contains(complete, r.kind) || r.delta != nil && r.delta.Sign() > 0 {
		return false
	}
	return slices.Contains(byEpsilon, r.kind)
}

// largestLoss returns the largest loss of a sampled release or of a complete table, off at most to its side. It returns
// false for every other pair, and if the loss is infinite or may be that of an outcome which is not listed.
func (r *pair) largestLoss(way direction, upward bool) (*big.Float, bool) {
	switch {
	case slices.Contains(complete, r.kind):
		return r.largestListedLoss(way, upward)
	case !r.sampled || !r.isBoundedByEpsilon():
		return nil, false
	}
	mixed := func(e *big.Float) *big.Float { return log(add(sub(unitF, r.q), mul(r.q, exp(e)))) }
	if way == remove {
		return mixed(r.eps), true
	}
	return neg(mixed(neg(r.eps))), true
}

// largestListedLoss returns ln of the largest P/Q of the outcomes, which are known up to a factor 1 ± within.
func (r *pair) largestListedLoss(way direction, upward bool) (*big.Float, bool) {
	largest := zeroF
	for _, v := range r.orderedOutcomes(way) {
		switch {
		case v[1].Sign() > 0:
			largest = larger(largest, quo(v[0], v[1]))
		case v[0].Sign() > 0:
			return nil, false
		}
	}
	if r.rest.Sign() > 0 {
		return nil, false
	}
	apart := quo(add(unitF, r.within), sub(unitF, r.within))
	if upward {
		return log(mul(largest, apart)), true
	}
	return log(quo(largest, apart)), true
}
