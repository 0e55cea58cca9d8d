package labs

import (
	"math"
	"sort"
)

// mean and deviation of a sample; the deviation is the unbiased estimate.
func meanAndDeviation(xs []float64) (mean, deviation float64) {
	for _, x := range xs {
		mean += x
	}
	mean /= float64(len(xs))
	for _, x := range xs {
		deviation += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(deviation / math.Max(1, float64(len(xs)-1)))
}

// quantile of a sample, by the nearest rank above.
func quantile(xs []float64, p float64) float64 {
	sorted := append([]float64(nil), xs...)
	sort.Float64s(sorted)
	i := int(math.Ceil(p*float64(len(sorted)))) - 1
	return sorted[max(0, min(len(sorted)-1, i))]
}

// histogram counts a sample as a density over equal bins in [lo, hi].
func histogram(xs []float64, lo, hi float64, bins int) (centres, density []float64) {
	centres, density = make([]float64, bins), make([]float64, bins)
	width := (hi - lo) / float64(bins)
	for i := range centres {
		centres[i] = lo + (float64(i)+0.5)*width
	}
	for _, x := range xs {
		if i := int(math.Floor((x - lo) / width)); i >= 0 && i < bins {
			density[i] += 1 / (float64(len(xs)) * width)
		}
	}
	return centres, density
}

// spread is n points from lo to hi, evenly spaced.
func spread(lo, hi float64, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = lo + (hi-lo)*float64(i)/float64(n-1)
	}
	return xs
}

// logSpread is n points from lo to hi, evenly spaced in the logarithm.
func logSpread(lo, hi float64, n int) []float64 {
	xs := spread(math.Log(lo), math.Log(hi), n)
	for i := range xs {
		xs[i] = math.Exp(xs[i])
	}
	return xs
}

// each evaluates f at every x.
func each(xs []float64, f func(float64) float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}
