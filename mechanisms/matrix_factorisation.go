package mechanisms

import (
	"math"
	"math/bits"
)

// Factorisation is a way to write the matrix of running sums as B·C: C says how far one
// record moves what noise is added to, B how that noise adds up in a running sum.
type Factorisation string

const (
	Tree       Factorisation = "tree"        // sums over dyadic intervals
	Honaker    Factorisation = "honaker"     // the same, each interval estimated from all below it
	SquareRoot Factorisation = "sqrt"        // B = C, the matrix's square root
	BandedRoot Factorisation = "banded-sqrt" // C the square root cut off after some bands
)

func Factorisations() []Factorisation { return []Factorisation{Tree, Honaker, SquareRoot, BandedRoot} }

// rootSeries returns the first terms of (1−x)^{−1/2}, the first column of the square root of
// the matrix of ones.
func rootSeries(terms int) []float64 {
	c := make([]float64, terms)
	c[0] = 1
	for k := 1; k < terms; k++ {
		c[k] = c[k-1] * (1 - 1/(2*float64(k)))
	}
	return c
}

// squaredSensitivity returns the square of the most that one record, in k steps at least b
// apart, moves C·G, in clipping norms.
//
// In a tree a node over 2^l steps holds at most ⌈2^l/b⌉ of the k, so a level adds at most
// what as many full nodes as it has and can be filled do. The columns of a square root, cut or not,
// are non-negative and do not increase, and then the steps 1, 1+b, 1+2b, … are the worst
// (Kalinin, Lampert 2024).
func (f Factorisation) squaredSensitivity(steps, bands int, k, b float64) (sum float64) {
	if f == Tree || f == Honaker {
		for l := range bits.Len(uint(steps)) {
			most := math.Min(k, math.Ceil(math.Ldexp(1, l)/b))
			full := math.Min(math.Floor(k/most), float64(steps>>l))
			sum += full * most * most
			if rest := k - full*most; full < float64(steps>>l) {
				sum += rest * rest
			}
		}
		return sum
	}
	c := rootSeries(steps)
	if f == BandedRoot {
		clear(c[min(bands, steps):])
	}
	moved := make([]float64, steps) // by step: how far the record has moved it
	apart, last := int(b), k*b
	for t := range moved {
		moved[t] = c[t]
		if t >= apart {
			moved[t] += moved[t-apart]
		}
		if float64(t) >= last {
			moved[t] -= c[t-int(last)]
		}
		sum += moved[t] * moved[t]
	}
	return sum
}

// sensitivityLower returns the squared sensitivity for participation in the steps 1, 1+b, 1+2b,
// …: an attained value, which for a tree may be less than the bound.
func (f Factorisation) sensitivityLower(steps, bands int, k, b float64) (sum float64) {
	if f != Tree && f != Honaker {
		return f.squaredSensitivity(steps, bands, k, b)
	}
	for l := range bits.Len(uint(steps)) {
		held, node := 0.0, 0
		for i := range int(k) {
			if in := i * int(b) >> l; in != node {
				sum, held, node = sum+held*held, 0, in
			}
			if node < steps>>l {
				held++
			}
		}
		sum += held * held
	}
	return sum
}

// variances returns the variances of the running sums after 1, 2, … steps, if every row of C has
// noise of variance 1.
func (f Factorisation) variances(steps, bands int) []float64 {
	v := make([]float64, steps)
	switch f {
	case Tree, Honaker:
		for t := range v {
			for set := uint(t + 1); set != 0; set &= set - 1 {
				if f == Tree {
					v[t]++
				} else { // Honaker 2015: from below
					v[t] += 1 / (2 * (1 - math.Ldexp(1, -bits.TrailingZeros(set)-1)))
				}
			}
		}
		return v
	}
	b := rootSeries(steps)
	if f == BandedRoot {
		b = runningInverse(b[:min(bands, steps)], steps)
	}
	sum := 0.0
	for t := range v {
		sum += b[t] * b[t]
		v[t] = sum
	}
	return v
}

// runningInverse returns the running sums of the terms of 1/c(x).
func runningInverse(c []float64, terms int) []float64 {
	d, sums := make([]float64, terms), make([]float64, terms)
	d[0], sums[0] = 1, 1
	for i := 1; i < terms; i++ {
		for j := 1; j < len(c) && j <= i; j++ {
			d[i] -= c[j] * d[i-j]
		}
		sums[i] = sums[i-1] + d[i]
	}
	return sums
}

// BandedRootError returns the norm of a column of a square root cut off after some bands, and the
// root mean square error of a running sum where every row of it has noise of variance 1.
func BandedRootError(steps, bands int) (column, rms float64) {
	square := BandedRoot.squaredSensitivity(steps, bands, 1, float64(steps))
	for _, v := range BandedRoot.variances(steps, bands) {
		rms += v
	}
	return math.Sqrt(square), math.Sqrt(rms / float64(steps))
}
