package peers

import (
	"context"
	"math"
	"math/cmplx"

	"epsiloscope/accounting/pld/fft"
)

// pldGrid is the width of dp_accounting's cells of loss, by default.
const pldGrid = 1e-4

// cells is a privacy loss on dp_accounting's grid: p[i] is the probability of the loss
// (first+i)·pldGrid, infinite that of an infinite loss. What has at most maxSparse cells it keeps
// in a table and composes without a transform.
type cells struct {
	first    int
	p        []float64
	infinite float64
	sparse   bool
}

// maxSparse is the largest number of cells in a table, tailMass what each composition may cut off
// at both ends together, and maxCells the longest list that is followed here.
const (
	maxSparse = 1000
	tailMass  = 1e-15
	maxCells  = 1 << 22
)

// connectDots returns the loss on the grid from first to last whose privacy profile joins, linearly
// in e^ε, the given one at the points of the grid (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi
// 2022, algorithm 1).
func connectDots(first, last int, profile func(epsilon float64) float64) cells {
	n := last - first + 1
	delta := make([]float64, n)
	for i := range delta {
		delta[i] = math.Min(1, math.Max(0, profile(float64(first+i)*pldGrid)))
		if i > 0 {
			delta[i] = math.Min(delta[i], delta[i-1])
		}
	}
	c := cells{first, make([]float64, n), delta[n-1], n <= maxSparse}
	if n == 1 {
		c.p[0] = 1 - delta[0]
		return c
	}
	up, growth := math.Expm1(pldGrid), math.Exp(pldGrid)
	c.p[0] = math.Max(0, 1-delta[0]+(delta[1]-delta[0])/up)
	for i := 1; i < n-1; i++ {
		c.p[i] = math.Max(0, ((delta[i+1]-delta[i])-(delta[i]-delta[i-1])*growth)/up)
	}
	c.p[n-1] = math.Max(0, (delta[n-1]-delta[n-2])/math.Expm1(-pldGrid))
	return c
}

// mix returns the loss that is c with the given probability and d otherwise.
func (c cells) mix(d cells, weight float64) cells {
	switch weight {
	case 0:
		return d
	case 1:
		return c
	}
	first := min(c.first, d.first)
	last := max(c.first+len(c.p), d.first+len(d.p))
	m := cells{first: first, p: make([]float64, last-first), infinite: weight*c.infinite + (1-weight)*d.infinite}
	for i, p := range c.p {
		m.p[c.first-first+i] += weight * p
	}
	for i, p := range d.p {
		m.p[d.first-first+i] += (1 - weight) * p
	}
	return m
}

// repeat returns the loss of n independent copies. It is false if the list is longer than maxCells.
func (c cells) repeat(ctx context.Context, n float64) (cells, bool) {
	if c.sparse {
		if n == 1 {
			return c, true
		}
		if n*math.Log(float64(len(c.p))) <= math.Log(maxSparse)*(1+1e-12) {
			sum := c
			for range int(n) - 1 {
				sum = sum.convolve(c)
			}
			return sum.cut(), true
		}
	}
	low, high := c.window(n)
	if high-low >= maxCells {
		return c, false
	}
	size := fft.Length(float64(max(high-low+1, len(c.p))))
	spectrum := transform(ctx, c.p, size)
	for k, z := range spectrum {
		spectrum[k] = cmplx.Exp(complex(n, 0) * cmplx.Log(z))
		if z == 0 {
			spectrum[k] = 0
		}
	}
	wrapped := inverse(ctx, spectrum, size)
	out := cells{first: c.first*int(n) + low, p: make([]float64, high-low+1),
		infinite: tailMass - math.Expm1(n*math.Log1p(-c.infinite))}
	for i := range out.p {
		out.p[i] = wrapped[(low+i)%size]
	}
	return out, true
}

// window returns the first and last cell, counted from n times the first, of n copies beyond which
// Chernoff's bound at 40 orders leaves at most tailMass.
func (c cells) window(n float64) (low, high int) {
	const orders = 20
	var rising, falling [orders]float64
	for i, p := range c.p {
		x := math.Exp(float64(i) / float64(len(c.p)))
		up, down := 1.0, 1.0
		for k := range orders {
			up, down = up*x, down/x
			rising[k] += p * up
			falling[k] += p * down
		}
	}
	length, slack := float64(len(c.p)), math.Log(2/tailMass)
	top, bottom := (length-1)*n, 0.0
	for k := range orders {
		order := float64(k+1) / length
		top = math.Min(top, math.Ceil((n*math.Log(rising[k])+slack)/order))
		bottom = math.Max(bottom, math.Floor(-(n*math.Log(falling[k])+slack)/order))
	}
	if top-bottom > 2*maxCells {
		top = bottom + 2*maxCells // too long in any case
	}
	return int(bottom), int(top)
}

// compose returns the loss of c and d, which are independent; it is false if the list is too long.
func (c cells) compose(ctx context.Context, d cells) (cells, bool) {
	if c.sparse && d.sparse && len(c.p)*len(d.p) <= maxSparse || len(c.p) == 1 || len(d.p) == 1 {
		return c.convolve(d).cut(), true
	}
	length := len(c.p) + len(d.p) - 1
	if length > maxCells {
		return c, false
	}
	size := fft.Length(float64(length))
	spectrum, other := transform(ctx, c.p, size), transform(ctx, d.p, size)
	for k := range spectrum {
		spectrum[k] *= other[k]
	}
	sum := cells{first: c.first + d.first, p: inverse(ctx, spectrum, size)[:length],
		infinite: unionProbability(c.infinite, d.infinite)}
	return sum.cut(), true
}

// convolve returns the loss of c and d by adding up every pair of cells.
func (c cells) convolve(d cells) cells {
	out := cells{c.first + d.first, make([]float64, len(c.p)+len(d.p)-1),
		unionProbability(c.infinite, d.infinite), c.sparse && d.sparse}
	for i, p := range c.p {
		for j, q := range d.p {
			out.p[i+j] += p * q
		}
	}
	return out
}

// unionProbability returns the probability of at least one of two independent events.
func unionProbability(a, b float64) float64 { return a + b - a*b }

// cut takes tails of at most half of tailMass off both ends: the lower onto the first cell that
// is left, the upper to infinity.
func (c cells) cut() cells {
	longest := func(at func(i int) float64) int {
		sum := 0.0
		for i := range c.p {
			if sum += at(i); sum > tailMass/2 {
				return i
			}
		}
		return len(c.p)
	}
	from := longest(func(i int) float64 { return c.p[i] })
	to := max(len(c.p)-longest(func(i int) float64 { return c.p[len(c.p)-1-i] }), from+1)
	if to > len(c.p) {
		return c
	}
	out := cells{c.first + from, append([]float64(nil), c.p[from:to]...), c.infinite, c.sparse}
	for _, p := range c.p[:from] {
		out.p[0] += p
	}
	for _, p := range c.p[to:] {
		out.infinite += p
	}
	return out
}

// epsilonAt returns the ε at δ as dp_accounting finds it: it adds up cells from the top until the ε
// of what was added lies above the next one. If what was added has no likelihood under the
// neighbour, because e^{−loss} is below the smallest number, it returns that loss.
func (c cells) epsilonAt(delta float64) float64 {
	if c.infinite > delta {
		return math.Inf(1)
	}
	upper, lower := c.infinite, 0.0
	for i := len(c.p) - 1; i >= 0; i-- {
		loss := float64(c.first+i) * pldGrid
		if upper > delta && lower > 0 && math.Log((upper-delta)/lower) >= loss {
			break
		}
		upper += c.p[i]
		lower += math.Exp(-loss) * c.p[i]
		if upper >= delta && lower == 0 {
			return math.Max(0, loss)
		}
	}
	if upper <= lower+delta {
		return 0
	}
	return math.Log((upper - delta) / lower)
}

// transform returns the spectrum of a list filled up with zeros to the given length.
func transform(ctx context.Context, p []float64, size int) []complex128 {
	return fft.PlanForLength(ctx, size).Forward(ctx,
		append(append(make([]float64, 0, size), p...), make([]float64, size-len(p))...))
}

// inverse returns the list of the given length whose spectrum has these first half and middle bins.
// The spectrum of a real list is even in its real and odd in its imaginary part, so that the
// Hartley transform of their difference is the list.
func inverse(ctx context.Context, spectrum []complex128, size int) []float64 {
	x := make([]float64, size)
	for k := range size/2 + 1 {
		re, im := real(spectrum[k]), imag(spectrum[k])
		x[k] = re - im
		if k > 0 && k < size/2 {
			x[size-k] = re + im
		}
	}
	bins := fft.PlanForLength(ctx, size).Forward(ctx, x)
	for k := range size/2 + 1 {
		re, im := real(bins[k]), imag(bins[k])
		x[k] = (re - im) / float64(size)
		if k > 0 && k < size/2 {
			x[size-k] = (re + im) / float64(size)
		}
	}
	return x
}
