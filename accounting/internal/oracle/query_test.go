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
