package oracle

import "fmt"

// Query is a mechanism applied to data. Its noise is put on sums of the records it is
// run on, and it may show something of them as it is: how many there are, or which
// rows. With a rate below 1 it is run on a Poisson sample: each record is drawn with
// that probability, whatever it holds. Or it is run on batches, each by itself, which are
// drawn in one of a few ways.
type Query struct {
	Sums  func(Data) []int
	Noise Kernel
	Shown func(Data) int // one of Shows values; nil is nothing
	Shows int
	Rate  float64
	Draws func(Data) []Drawn // nil is no batches

	// Slopes is the same query with, for each cell of continuous noise, the densities at its lower and its upper end, 0
	// and 0 if one is infinite; nil if outcomes are told as they are. Within a cell the likelihood ratio of two data
	// sets must be monotone.
	Slopes *Query

	known map[string][]Real
}

// Run returns the distribution of its outcomes on exactly these records.
func (q *Query) Run(d Data) []Real {
	masses := q.Noise(q.Sums(d))
	if q.Shown == nil {
		return masses
	}
	out := make([]Real, q.Shows*len(masses))
	for i := range out {
		out[i] = R(0)
	}
	copy(out[q.Shown(d)*len(masses):], masses)
	return out
}

// On returns the distribution of its outcomes on data, over all samples.
func (q *Query) On(d Data) []Real {
	key := fmt.Sprint(d)
	if out, ok := q.known[key]; ok {
		return out
	}
	out := q.Run(d)
	if q.Draws != nil {
		out = q.batched(d)
	}
	if q.Rate < 1 {
		for i := range out {
			out[i] = R(0)
		}
		for drawn := range 1 << len(d) {
			weight := R(1)
			var sample Data
			for i, r := range d {
				if drawn>>i&1 == 1 {
					sample, weight = append(sample, r), weight.Mul(R(q.Rate))
				} else {
					weight = weight.Mul(R(1).Sub(R(q.Rate)))
				}
			}
			for i, m := range q.Run(sample) {
				out[i] = out[i].Add(weight.Mul(m))
			}
		}
	}
	if q.known == nil {
		q.known = map[string][]Real{}
	}
	q.known[key] = out
	return out
}

// Seen returns what an attacker sees of the query on two data sets. A generous one is told, of each cell, which of the
// two most extreme likelihood ratios in it holds, with the probabilities that leave the cell's own masses as they are:
// no two distributions on the cell with ratios in between are told apart better.
func (q *Query) Seen(a, b Data, generous bool) Seen {
	p, o := q.On(a), q.On(b)
	if !generous || q.Slopes == nil {
		return NewSeen(p, o)
	}
	dp, dq := q.Slopes.On(a), q.Slopes.On(b)
	var ps, qs []Real
	add := func(x, y Real) { ps, qs = append(ps, x), append(qs, y) }
	for i := range p {
		lo, hi, known := extremeRatios(dp[2*i:2*i+2], dq[2*i:2*i+2])
		if p[i].Sign() == 0 || o[i].Sign() == 0 || known && lo.Cmp(hi) == 0 {
			add(p[i], o[i])
			continue
		}
		if !known { // all is told
			add(p[i], R(0))
			add(R(0), o[i])
			continue
		}
		width := hi.Sub(lo)
		high, low := p[i].Sub(lo.Mul(o[i])).Div(width), hi.Mul(o[i]).Sub(p[i]).Div(width) // of the second data set
		// the cell is too narrow for float64
		if high.Sign() < 0 || low.Sign() < 0 {
			add(p[i], o[i])
			continue
		}
		add(lo.Mul(low), low)
		add(hi.Mul(high), high)
	}
	return NewSeen(ps, qs)
}

// extremeRatios returns the smaller and the larger ratio of densities at the ends of a cell, unless one is not known.
func extremeRatios(p, q []Real) (lo, hi Real, known bool) {
	for i := range p {
		if p[i].Sign() == 0 || q[i].Sign() == 0 {
			return lo, hi, false
		}
	}
	lo, hi = p[0].Div(q[0]), p[1].Div(q[1])
	if lo.Cmp(hi) > 0 {
		lo, hi = hi, lo
	}
	return lo, hi, true
}
