package labs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// quantile of a sample, by the nearest rank above.
func quantile(xs []float64, p float64) float64 {
	return stat.Quantile(p, stat.Empirical, slices.Sorted(slices.Values(xs)), nil)
}

// histogram counts a sample as a density over equal bins in [lo, hi].
func histogram(xs []float64, lo, hi float64, bins int) (centres, density []float64) {
	width := (hi - lo) / float64(bins)
	centres, density = spread(lo+width/2, hi-width/2, bins), make([]float64, bins)
	for _, x := range xs {
		if i := int(math.Floor((x - lo) / width)); i >= 0 && i < bins {
			density[i] += 1 / (float64(len(xs)) * width)
		}
	}
	return centres, density
}

// spread is n points from lo to hi, evenly spaced; logSpread in the logarithm.
func spread(lo, hi float64, n int) []float64    { return floats.Span(make([]float64, n), lo, hi) }
func logSpread(lo, hi float64, n int) []float64 { return floats.LogSpan(make([]float64, n), lo, hi) }

func each(xs []float64, f func(float64) float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}
