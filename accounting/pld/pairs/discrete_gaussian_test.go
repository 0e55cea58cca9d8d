package pairs

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/internal/gauge"
)

// listedGaussian returns a discrete Gaussian integer by integer, as its definition has it.
func listedGaussian(sigma float64, sensitivity int) Pair {
	d, reach := float64(sensitivity), math.Ceil(36*sigma)
	var norm float64
	for x := -reach; x <= reach; x++ {
		norm += math.Exp(-x * x / (2 * sigma * sigma))
	}
	var points []atom
	for x := -reach; x <= reach+d; x++ {
		p, q := math.Exp(-(x-d)*(x-d)/(2*sigma*sigma))/norm, math.Exp(-x*x/(2*sigma*sigma))/norm
		points = append(points, atom{d * (2*x - d) / (2 * sigma * sigma), p, q})
	}
	return SymmetricPair(exactLoss(newList("listed", points, beyondFloat, beyondFloat, 0)))
}

// A long discrete Gaussian is composed without a list, and costs what its list does.
func TestLongDiscreteGaussian(t *testing.T) {
	for _, c := range gauge.Some(4, []struct {
		sigma float64
		d     int
		count float64
		delta float64
	}{{60, 30, 10, 1e-6}, {90, 1, 1e4, 1e-9}, {150, 400, 3, 1e-12}, {70, 7, 1, 1e-4}}) {
		for name, use := range map[string]func(Pair) Pair{
			"plain":   func(p Pair) Pair { return p },
			"sampled": func(p Pair) Pair { return Subsample(0.05, p) },
			"replace": func(p Pair) Pair {
				return SymmetricPair(exactLoss(sampledReplaceLoss(0.05, p.Remove.upper)))
			},
			"revealed": func(p Pair) Pair {
				return RevealedMixture([]float64{0.7, 0.3}, []Pair{identicalPair(), p})
			},
		} {
			long, listed := DiscreteGaussian(c.sigma, c.d), listedGaussian(c.sigma, c.d)
			if long.Remove.upper.list != nil {
				t.Fatalf("σ = %g is listed", c.sigma)
			}
			of := func(p Pair) (lower, upper float64) {
				for _, l := range []*Loss{use(p).Remove, use(p).Add} {
					s := spectrum.Stack{Cache: new(spectrum.Cache),
						Lines: []spectrum.Line{{Loss: l.upper.of(), Count: c.count}}}
					i, err := s.EpsilonAbove(context.Background(), c.delta, 1e-5, 0)
					if err != nil {
						t.Fatal(err)
					}
					lower, upper = math.Max(lower, i.Lower), math.Max(upper, i.Upper)
				}
				return lower, upper
			}
			aLower, aUpper := of(long)
			bLower, bUpper := of(listed)
			if aLower > bUpper || bLower > aUpper || aUpper-aLower > 1e-5*aUpper {
				t.Errorf("%s, %+v: [%.9g, %.9g], point by point [%.9g, %.9g]", name, c, aLower, aUpper, bLower, bUpper)
			}
		}
	}
}

// At a whole order the mean of (1−q+q·P/Q)^α is at least its term q^α·e^{α(α−1)Δ²/2σ²}: also at
// orders that move the mass beyond the listed points.
func TestSampledDiscreteGaussianAtLargeOrders(t *testing.T) {
	const sigma = 0.3
	for _, q := range []float64{1e-6, 0.1, 0.5} {
		pair := Subsample(q, DiscreteGaussian(sigma, 1))
		for _, alpha := range []float64{2, 8, 9, 25, 60, 1000} {
			least := alpha/(2*sigma*sigma) + alpha/(alpha-1)*math.Log(q)
			if got := pair.Renyi(alpha); got < least*(1-1e-12) {
				t.Errorf("q = %g: D of order %g is %g, at least %g", q, alpha, got, least)
			}
		}
	}
}
