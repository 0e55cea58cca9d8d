package pairs

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"
)

// momentLess1 returns Σ p·e^{θℓ} − 1 of a list to 320 bits, the P-mass that it lacks being at the lowest
// loss.
func momentLess1(list []atom, theta float64) float64 {
	sum, lack := gauge.Wide(-1), gauge.Wide(1)
	one := func(p *big.Float, loss float64) {
		y := gauge.WideExp(new(big.Float).Mul(gauge.Wide(theta), gauge.Wide(loss)))
		sum.Add(sum, y.Mul(y, p))
	}
	for _, a := range list {
		one(gauge.Wide(a.p), a.loss)
		lack.Sub(lack, gauge.Wide(a.p))
	}
	one(lack, list[0].loss)
	out, _ := sum.Float64()
	return out
}

// The masses of a computed list add up to 1 within its last place only. Of 10¹² releases that is
// more than all of their losses: the moment of one is known with what that may do.
func TestMomentsOfComputedLists(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 12))
	for _, size := range []float64{1e-9, 1e-6, 1e-3, 1} {
		for _, n := range []int{3, 100, 1000}[:gauge.Cases(2, 3)] {
			points, total := make([]atom, n), 0.0
			for i := range points {
				points[i] = atom{loss: size * (2*r.Float64() - 1), p: r.Float64()}
				total += points[i].p
			}
			for i := range points {
				points[i].p /= total
				points[i].q = points[i].p * math.Exp(-points[i].loss)
			}
			for _, lack := range []float64{0, 1e-10} {
				l := estimate("list", slices.Clone(points), 0, 0)
				if lack > 0 { // as those of an attack do, whose masses are rounded down
					for i := range l.list {
						l.list[i].p *= 1 - lack
					}
					l = newList("lacking", l.list, 0, 0, ulp)
				}
				d := l.of()
				for _, theta := range []float64{0.1, 3, 20} {
					log, err := spectrum.LogMoment(&d, theta)
					want := math.Log1p(momentLess1(l.list, theta))
					if off := math.Abs(log - want); !(off <= err) || err > (1e-14+2*lack)*(1+theta)*(1+math.Abs(want)) {
						t.Errorf("%d losses up to %g, %g lacking, θ %g: ln M %.17g ± %.2g, want %.17g", n, size, lack, theta, log, err, want)
					}
				}
			}
		}
	}
}

// Of so many releases with so little loss each, the composed loss is normal: its mean and its
// variance, to 320 bits, say what ε is. The third moment changes it by 1e-6 at most.
func TestManyComputedReleases(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 12))
	for _, k := range []float64{1e10, 1e11, 1e12} {
		const n = 1000
		var points []atom
		for range n { // randomized responses, of which it is known which one it was
			x, w := math.Sqrt(3/k)*r.Float64(), 1.0/n
			points = append(points, atom{x, w / (1 + math.Exp(-x)), w / (1 + math.Exp(x))},
				atom{-x, w / (1 + math.Exp(x)), w / (1 + math.Exp(-x))})
		}
		l := estimate("list", points, 0, 0)
		mean, square, lack := gauge.Wide(0), gauge.Wide(0), gauge.Wide(1)
		one := func(p *big.Float, loss float64) {
			y := new(big.Float).Mul(p, gauge.Wide(loss))
			mean.Add(mean, y)
			square.Add(square, y.Mul(y, gauge.Wide(loss)))
		}
		for _, a := range l.list {
			one(gauge.Wide(a.p), a.loss)
			lack.Sub(lack, gauge.Wide(a.p))
		}
		one(lack, l.list[0].loss)
		m, _ := mean.Mul(mean, gauge.Wide(k)).Float64()
		v, _ := square.Mul(square, gauge.Wide(k)).Float64()
		s := math.Sqrt(v)
		_, want := special.Bisect(0, 20, 0, func(e float64) bool {
			return special.NormalCDF((m-e)/s)-math.Exp(e-m+v/2)*special.NormalCDF((m-v-e)/s) > 1e-6
		})
		stack := spectrum.Stack{Cache: new(spectrum.Cache), Lines: []spectrum.Line{{Loss: l.of(), Count: k}}}
		i, err := stack.EpsilonAbove(context.Background(), 1e-6, 1e-4, 0)
		if err != nil || i.Lower > want+2e-6 || i.Upper < want-2e-6 || i.Upper-i.Lower > 1e-2*i.Upper {
			t.Errorf("K = %g: [%.9g, %.9g], want %.9g, %v", k, i.Lower, i.Upper, want, err)
		}
	}
}

// However many different Gaussians there are, their Σ K·μ² is right to its last places.
func TestManyGaussians(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 12))
	var parts []Part
	want := gauge.Wide(0)
	for range 10000 {
		mu, k := r.Float64(), math.Floor(1e6*r.Float64())
		parts = append(parts, Part{Gaussian(mu), k})
		x := gauge.Wide(mu)
		want.Add(want, x.Mul(x, x).Mul(x, gauge.Wide(k)))
	}
	lines, _ := Fold(parts, removeLoss)
	mu, ok := lines[0].Upper().Gaussian()
	off, _ := gauge.Wide(0).Sub(gauge.Wide(mu*mu), want).Float64()
	total, _ := want.Float64()
	if !ok || math.Abs(off) > 8*ulp*total { // μ = √Σ, and its square
		t.Errorf("Σ K·μ² = %.17g, off by %g ulp", mu*mu, off/(ulp*total))
	}
}

// No count is lost beside a larger one.
func TestManyCounts(t *testing.T) {
	parts := slices.Repeat([]Part{{Pure(0.1), 1}}, 10001)
	parts[0].Count = 1e16
	lines, _ := Fold(parts, removeLoss)
	if got := lines[0].Count; got != 1e16+1e4 {
		t.Errorf("%.17g releases, want 10000 more than 1e16", got)
	}
}
