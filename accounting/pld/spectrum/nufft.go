package spectrum

import (
	"context"
	"math"
	"math/cmplx"

	"epsiloscope/accounting/pld/fft"
)

// A node is spread over 2·gridReach+1 points of a lattice of step H by the Gaussian
// e^{−d²/4τ}, τ = gridWidth·H²; the lattice is at least eight times as long as there are frequencies.
const (
	gridWidth = 1.7
	gridReach = 16
	gridOver  = 8
)

// uniform evaluates Σ w·e^{ikΔx} for k = 0 … n and bounds the error of every value by
// err·Σw; there are none once the context has ended. Greengard & Lee 2004 describe the method. By
// Poisson's sum the transform of the lattice divided by that of the Gaussian is the sum sought plus
// Σ_{p≠0} f(ω + 2πp/H)·e^{−τ((ω+2πp/H)² − ω²)}, |f| ≤ Σw. As |ω| ≤ π/4H the exponents are at least
// (2π)²·gridWidth·(p² − |p|/4) and the sum is below 2.02·e^{−3π²·gridWidth} < 1e-21. The points
// left out are farther than gridReach + ½ from the node, and weigh at most
// e^{τω²}·2·Σ_{j≥0} e^{−(gridReach+½+j)²/4·gridWidth}/√(4π·gridWidth) < 6e-18. Round-off: each of
// the 33 products takes at most gridReach+4 roundings, adding up what falls on one point as
// many as nodes reach it, and the transform [fft.BinError]; all is multiplied by
// e^{τω²} ≤ e^{gridWidth·π²/16} < 2.86.
func uniform(ctx context.Context, w, x []float64, spacing float64, n int) (values []complex128, err float64) {
	size := fft.Length(float64(gridOver * max(n, 4)))
	period := 2 * math.Pi / spacing
	step := period / float64(size)
	lattice := make([]float64, size)
	centred := make([]int32, size) // nodes by the point next to them
	var kernel [gridReach + 1]float64
	for d := range kernel {
		kernel[d] = math.Exp(-float64(d*d) / (4 * gridWidth))
	}
	for i, at := range x {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, math.Inf(1)
		}
		place := math.Mod(at, period) / step
		middle := math.Round(place)
		f := place - middle
		// e^{−(f−k)²/4t} = e^{−f²/4t}·(e^{f/2t})^k·e^{−k²/4t}
		base := w[i] * math.Exp(-f*f/(4*gridWidth))
		ratio := math.Exp(f / (2 * gridWidth))
		at := int(middle)
		centred[at&(size-1)]++
		up, down := base, base
		lattice[at&(size-1)] += base
		for k := 1; k <= gridReach; k++ {
			up *= ratio
			down /= ratio
			lattice[(at+k)&(size-1)] += up * kernel[k]
			lattice[(at-k)&(size-1)] += down * kernel[k]
		}
	}
	bins := fft.PlanForLength(ctx, size).Forward(ctx, lattice)
	if ctx.Err() != nil {
		return nil, math.Inf(1)
	}
	values = make([]complex128, n+1)
	for k := range values {
		if fft.IsCancelled(ctx, k) {
			return nil, math.Inf(1)
		}
		h := 2 * math.Pi * float64(k) / float64(size) // ω·H
		values[k] = cmplx.Conj(bins[k]) * complex(math.Exp(gridWidth*h*h)/math.Sqrt(4*math.Pi*gridWidth), 0)
	}
	return values, 2.9*(unit*float64(gridReach+4+care+crowd(centred))+fft.BinError(size)) + 1e-17
}

// crowd returns the largest number of nodes that reach one point.
func crowd(centred []int32) int32 {
	n := len(centred)
	var here, most int32
	for i := -gridReach; i <= gridReach; i++ {
		here += centred[i&(n-1)]
	}
	for i := range centred {
		most = max(most, here)
		here += centred[(i+gridReach+1)&(n-1)] - centred[(i-gridReach)&(n-1)]
	}
	return most
}
