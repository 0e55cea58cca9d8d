package pld

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

// bigExp returns e^x to 320 bits: the series at x/2⁶⁴, squared 64 times.
func bigExp(x *big.Float) *big.Float {
	const bits = 480
	small := new(big.Float).SetPrec(bits).Set(x)
	small.SetMantExp(small, -64)
	sum, term := wide(1), wide(1)
	for n := 1.0; n < 12; n++ {
		term.Mul(term, small)
		term.Quo(term, wide(n))
		sum.Add(sum, term)
	}
	for range 64 {
		sum.Mul(sum, sum)
	}
	return sum
}

func wide(x float64) *big.Float { return new(big.Float).SetPrec(480).SetFloat64(x) }

// momentLess1 returns Σ p·e^{θℓ} − 1 of a list to 320 bits, the P-mass that it lacks being at the lowest
// loss.
func momentLess1(list []atom, theta float64) float64 {
	sum, lack := wide(-1), wide(1)
	one := func(p *big.Float, loss float64) {
		y := bigExp(new(big.Float).Mul(wide(theta), wide(loss)))
		sum.Add(sum, y.Mul(y, p))
	}
	for _, a := range list {
		one(wide(a.p), a.loss)
		lack.Sub(lack, wide(a.p))
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
			points = append(points, atom{x, w / (1 + math.Exp(-x)), w / (1 + math.Exp(x))}, atom{-x, w / (1 + math.Exp(x)), w / (1 + math.Exp(-x))})
		}
		l := estimate("list", points, 0, 0)
		mean, square, lack := wide(0), wide(0), wide(1)
		one := func(p *big.Float, loss float64) {
			y := new(big.Float).Mul(p, wide(loss))
			mean.Add(mean, y)
			square.Add(square, y.Mul(y, wide(loss)))
		}
		for _, a := range l.list {
			one(wide(a.p), a.loss)
			lack.Sub(lack, wide(a.p))
		}
		one(lack, l.list[0].loss)
		m, _ := mean.Mul(mean, wide(k)).Float64()
		v, _ := square.Mul(square, wide(k)).Float64()
		s := math.Sqrt(v)
		_, want := special.Bisect(0, 20, 0, func(e float64) bool {
			return special.NormalCDF((m-e)/s)-math.Exp(e-m+v/2)*special.NormalCDF((m-v-e)/s) > 1e-6
		})
		i, err := Epsilon(context.Background(), []Part{{symmetric(exactLoss(l)), k}}, 1e-6, Options{})
		if err != nil || i.Lower > want+2e-6 || i.Upper < want-2e-6 || i.width() > 1e-2 {
			t.Errorf("K = %g: [%.9g, %.9g], want %.9g, %v", k, i.Lower, i.Upper, want, err)
		}
	}
}

// However many different Gaussians there are, their Σ K·μ² is right to its last places.
func TestManyGaussians(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 12))
	var parts []Part
	want := wide(0)
	for range 10000 {
		mu, k := r.Float64(), math.Floor(1e6*r.Float64())
		parts = append(parts, Part{Gaussian(mu), k})
		x := wide(mu)
		want.Add(want, x.Mul(x, x).Mul(x, wide(k)))
	}
	s, ok := foldDirections(parts, nil)[0].stack(false)
	off, _ := wide(0).Sub(wide(s.Square), want).Float64()
	total, _ := want.Float64()
	if !ok || math.Abs(off) > 8*ulp*total { // μ = √Σ, and its square
		t.Errorf("Σ K·μ² = %.17g, off by %g ulp", s.Square, off/(ulp*total))
	}
}

// What an attacker misses is rounded down, and to no more than the last places of 1.
func TestMissedIsRoundedDown(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 12))
	for range 2000 {
		epsilon, delta, x := 4*r.Float64()*r.Float64(), 0.2*r.Float64()*r.Float64(), r.Float64()*r.Float64()
		rest := wide(1)
		rest.Sub(rest, wide(delta))
		e := bigExp(wide(epsilon))
		steep := wide(0).Mul(e, wide(x))
		steep.Sub(rest, steep)
		flat := wide(0).Sub(rest, wide(x))
		if flat.Quo(flat, e); flat.Cmp(steep) > 0 {
			steep = flat
		}
		if got := typeIIError(epsilon, delta, x); got > 0 {
			if off, _ := wide(0).Sub(steep, wide(got)).Float64(); off < 0 || off > 32*ulp {
				t.Errorf("ε %g, δ %g, x %g: %.17g, %g below the truth", epsilon, delta, x, got, off)
			}
		}
	}
	if got := typeIIError(0.5, 0, 0); got != 1 {
		t.Errorf("without false alarms and failures %.17g, want 1", got)
	}
}

// However many different promises may fail, the probability that one does is right to its last
// places.
func TestManyFailures(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 12))
	parts := []Part{{Approximate(0.1, 1e-3), 1}} // the first of all, by its key
	kept := wide(0).Sub(wide(1), wide(1e-3))
	for range 10000 { // each below the last place of that one
		delta := 1e-19 * r.Float64()
		parts = append(parts, Part{Approximate(0.1, delta), 1})
		kept.Mul(kept, wide(0).Sub(wide(1), wide(delta)))
	}
	want, _ := kept.Sub(wide(1), kept).Float64()
	if certain, possible := foldDirections(parts, nil)[0].failureProbability(); math.Abs(certain-want) > 4*ulp*want || math.Abs(possible-want) > 4*ulp*want {
		t.Errorf("%.17g and %.17g, want %.17g", certain, possible, want)
	}
}

// No count is lost beside a larger one.
func TestManyCounts(t *testing.T) {
	parts := slices.Repeat([]Part{{Pure(0.1), 1}}, 10001)
	parts[0].Count = 1e16
	if got := foldDirections(parts, nil)[0].lines[0].count; got != 1e16+1e4 {
		t.Errorf("%.17g releases, want 10000 more than 1e16", got)
	}
}
