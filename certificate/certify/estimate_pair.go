package certify

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"epsiloscope/certificate"
)

// estimatedPair is a release of a certificate in floating point. It predicts what a checker computes in integers, so
// that choices and claims are found quickly. No checker uses it.
type estimatedPair struct {
	kind, inner             string  // inner is the kind without sampled_
	count, offset           float64 // offset of the lower lattice
	eps, delta, q, m, share float64 // m = Δ/σ of normal noise, 0 without
	sigma, shift            float64 // of discrete noise
	isSampled, isTable      bool
	ratios                  []float64    // of a table: the outcomes' P/Q, falling
	sums                    [][2]float64 // P-mass and Q-mass of the outcomes before each
}

func estimatePair(r certificate.Release) *estimatedPair {
	number := func(text string) float64 { x, _ := strconv.ParseFloat(text, 64); return x }
	p := &estimatedPair{kind: r.Kind, count: number(r.Count), offset: number(r.Offset), eps: number(r.Epsilon),
		delta: number(r.Delta), q: 1, share: number(r.Share), sigma: number(r.Sigma), shift: number(r.Shift)}
	p.inner, p.isSampled = strings.CutPrefix(r.Kind, "sampled_")
	if r.Q != "" {
		p.q = number(r.Q)
	}
	switch {
	case r.Z != "":
		p.m = 1 / number(r.Z)
	case r.Kind == "gaussian":
		p.m = 1 / number(r.Sigma)
	}
	rows := p.listOutcomes()
	for _, v := range r.Outcomes {
		rows = append(rows, [2]float64{number(v[0]), number(v[1])})
	}
	p.tabulate(rows)
	return p
}

// listOutcomes returns the P- and Q-mass of each outcome of a pair that has a table, none of any other. Its table reads
// the same in both directions.
func (p *estimatedPair) listOutcomes() (rows [][2]float64) {
	switch p.kind {
	case "response":
		no := p.share / (1 + math.Exp(p.eps))
		rows = [][2]float64{{no * math.Exp(p.eps), no}, {1 - p.share, 1 - p.share}, {no, no * math.Exp(p.eps)}}
	case "discrete_laplace":
		a := math.Exp(-p.eps)
		near, far := 1/(1+a), math.Pow(a, p.shift)/(1+a)
		rows = append(rows, [2]float64{near, far})
		for y := 1.0; y < p.shift; y++ {
			rows = append(rows, [2]float64{(1 - a) / (1 + a) * math.Pow(a, y),
				(1 - a) / (1 + a) * math.Pow(a, p.shift-y)})
		}
		rows = append(rows, [2]float64{far, near})
	case "discrete_gaussian":
		reach := math.Trunc(15*p.sigma) + 1
		// no mass is 0: an outcome without Q-mass has an infinite loss, and this noise has none
		weight := func(y float64) float64 { return math.Max(1e-300, math.Exp(-y*y/(2*p.sigma*p.sigma))) }
		total := 0.0
		for y := -reach; y <= reach; y++ {
			total += weight(y)
		}
		for y := -reach; y <= reach+p.shift; y++ {
			rows = append(rows, [2]float64{weight(y) / total, weight(y-p.shift) / total})
		}
	}
	return rows
}

// tabulate keeps the possible outcomes by falling P/Q; a pair without a table has none.
func (p *estimatedPair) tabulate(rows [][2]float64) {
	rows = slices.DeleteFunc(rows, func(v [2]float64) bool { return v == [2]float64{} })
	p.isTable = len(rows) > 0
	sort.SliceStable(rows, func(i, j int) bool { return rows[i][0]*rows[j][1] > rows[j][0]*rows[i][1] })
	last := [2]float64{}
	p.sums = append(p.sums, last)
	for _, v := range rows {
		p.ratios = append(p.ratios, v[0]/v[1])
		last = [2]float64{last[0] + v[0], last[1] + v[1]}
		p.sums = append(p.sums, last)
	}
}

// plainTest returns P(S) and Q(S) of S = {P/Q > x} for a release that is not sampled.
func (p *estimatedPair) plainTest(x float64) (a, b float64) {
	large := math.Exp(p.eps)
	switch {
	case p.isTable:
		i := sort.Search(len(p.ratios), func(i int) bool { return p.ratios[i] <= x*(1+1e-13) })
		return p.sums[i][0], p.sums[i][1]
	case p.m > 0:
		cut := math.Log(x)/p.m + p.m/2
		return upperTail(cut - p.m), upperTail(cut)
	case x >= large:
		return p.delta, 0
	case x*large < 1:
		return 1, 1 - p.delta
	case p.inner == "laplace":
		u := math.Min(math.Max((p.eps-math.Log(x))/2, 0), p.eps)
		return 1 - math.Exp(-u)/2, math.Exp(u-p.eps) / 2
	case p.inner == "bounded_range":
		return math.Max(0, large-math.Sqrt(large*x)) / (large - 1), math.Max(0, math.Sqrt(large/x)-1) / (large - 1)
	}
	return p.delta + (1-p.delta)*large/(1+large), (1 - p.delta) / (1 + large)
}

// upperTail returns P(N(0, 1) > y).
func upperTail(y float64) float64 { return math.Erfc(y/math.Sqrt2) / 2 }

// replacedTest returns P(S) and Q(S) of the best event at x for a Poisson sample under replace.
func (p *estimatedPair) replacedTest(x float64) (a, b float64) {
	k, linear := p.q*math.Exp(-p.m*p.m/2), (1-p.q)*(1-x)
	root := math.Sqrt(linear*linear + 4*k*k*x)
	u := (root - linear) / (2 * k)
	if linear > 0 {
		u = 2 * k * x / (linear + root)
	}
	cut := math.Log(u) / p.m
	centre := (1 - p.q) * upperTail(cut)
	return centre + p.q*upperTail(cut-p.m), centre + p.q*upperTail(cut+p.m)
}

// innerRatio returns the ratio at which a sampled release's inner pair is asked for its own ratio x: P′ > xQ means
// P > innerRatio·Q for remove, Q > xP′ means Q > innerRatio·P for add. It is not positive beyond the losses.
func (p *estimatedPair) innerRatio(isAdd bool, x float64) float64 {
	if !isAdd {
		return (x - (1 - p.q)) / p.q
	}
	return p.q * x / math.Max(0, 1-(1-p.q)*x) // +Inf beyond the largest loss
}

// test returns P(S) and Q(S) of an event that is best, or nearly, at x > 0, for the removal of a record.
func (p *estimatedPair) test(x float64) (a, b float64) {
	switch {
	case p.kind == "replaced_gaussian":
		return p.replacedTest(x)
	case !p.isSampled:
		return p.plainTest(x)
	}
	y := p.innerRatio(false, x)
	if y <= 0 {
		return 1, 1
	}
	s, t := p.plainTest(y)
	return (1-p.q)*t + p.q*s, t
}

// curve returns f(x) = sup P(S) − x·Q(S) for x ≥ 1.
func (p *estimatedPair) curve(isAdd bool, x float64) float64 {
	scale, y := 1.0, x
	switch {
	case p.kind == "replaced_gaussian":
		a, b := p.replacedTest(x)
		return math.Max(0, a-x*b)
	case p.kind == "fixed_batch_gaussian":
		scale, y = p.q, 1+(x-1)/p.q
	case p.isSampled && isAdd:
		if scale, y = 1-(1-p.q)*x, p.innerRatio(true, x); scale <= 0 {
			return 0
		}
	case p.isSampled:
		scale, y = p.q, p.innerRatio(false, x)
	}
	large := math.Exp(p.eps)
	switch { // without cancellation
	case p.inner == "laplace" && y < large:
		return -scale * math.Expm1((math.Log(y)-p.eps)/2)
	case p.inner == "bounded_range" && y < large:
		d := math.Sqrt(large) - math.Sqrt(y)
		return scale * d * d / (large - 1)
	}
	a, b := p.plainTest(y)
	return scale * math.Max(0, a-y*b)
}

// infinite returns the P-mass at loss +∞ of one copy: that of a table where Q has none, or of failures.
func (p *estimatedPair) infinite() float64 {
	if !p.isTable {
		return p.q * p.delta
	}
	most := 0.0
	for _, s := range p.sums {
		if s[1] == 0 {
			most = s[0]
		}
	}
	return most
}

// failure returns the P-mass at loss +∞ of all copies.
func (p *estimatedPair) failure() float64 { return p.count * p.infinite() }

// excess returns f(x) − (1 − x) for x < 1: x times the f of the reverse order at 1/x.
func (p *estimatedPair) excess(isAdd bool, x float64) float64 { return x * p.curve(!isAdd, 1/x) }
