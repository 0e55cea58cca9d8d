package exact

import (
	"math"
	"math/big"
	"testing"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/internal/gauge"

	"pgregory.net/rapid"
)

// response returns the loss of randomized response.
func response(epsilon float64) loss.Distribution {
	p := 1 / (1 + math.Exp(-epsilon))
	return loss.Distribution{Atoms: []loss.Atom{
		{Loss: -epsilon, LogP: -math.Log1p(math.Exp(epsilon))}, {Loss: epsilon, LogP: math.Log(p)},
	}}
}

// responsesDelta returns δ(ε) of randomized responses with counts, in wide arithmetic.
func responsesDelta(epsilons []float64, counts []int, epsilon float64) float64 {
	total := new(big.Float)
	var visit func(i int, loss, mass *big.Float)
	visit = func(i int, loss, mass *big.Float) {
		if i == len(epsilons) {
			if excess := new(big.Float).Sub(loss, gauge.Wide(epsilon)); excess.Sign() > 0 {
				rest := gauge.WideExp(excess.Neg(excess))
				total.Add(total, rest.Mul(mass, rest.Sub(gauge.Wide(1), rest)))
			}
			return
		}
		one := gauge.Wide(epsilons[i])
		truth := gauge.WideExp(one)
		truth.Quo(truth, new(big.Float).Add(truth, gauge.Wide(1)))
		lie := new(big.Float).Sub(gauge.Wide(1), truth)
		for lies := range counts[i] + 1 {
			p := new(big.Float).SetInt(new(big.Int).Binomial(int64(counts[i]), int64(lies)))
			for n := range counts[i] {
				if n < lies {
					p.Mul(p, lie)
				} else {
					p.Mul(p, truth)
				}
			}
			sum := new(big.Float).Mul(one, gauge.Wide(float64(counts[i]-2*lies)))
			visit(i+1, sum.Add(sum, loss), p.Mul(p, mass))
		}
	}
	visit(0, gauge.Wide(0), gauge.Wide(1))
	delta, _ := total.Float64()
	return delta
}

// The ends enclose ε, and lie as close as float64 tells them apart: δ at the upper end is at most δ, that at the lower
// end at least.
func TestSumsEnclose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lines []spectrum.Line
		var epsilons []float64
		var counts []int
		most := 0.0
		for range rapid.IntRange(1, 3).Draw(t, "kinds") {
			epsilon := math.Exp(rapid.Float64Range(-12, 3).Draw(t, "ln ε"))
			count := rapid.IntRange(1, 4).Draw(t, "count")
			lines = append(lines, spectrum.Line{Loss: response(epsilon), Count: float64(count)})
			epsilons, counts = append(epsilons, epsilon), append(counts, count)
			most += epsilon * float64(count)
		}
		s, ok := List(lines)
		if !ok {
			t.Fatal("too many sums")
		}
		delta := math.Exp(-rapid.Float64Range(0.1, 500).Draw(t, "−ln δ"))
		lower, upper := s.Epsilon(delta)
		if at := responsesDelta(epsilons, counts, upper); at > delta {
			t.Errorf("δ = %g: %g at the upper end %g", delta, at, upper)
		}
		if at := responsesDelta(epsilons, counts, lower); lower > 0 && at < delta {
			t.Errorf("δ = %g: %g at the lower end %g", delta, at, lower)
		}
		if !(upper-lower <= 1e-12*most) && responsesDelta(epsilons, counts, upper-1e-12*most) < delta*(1-1e-11) {
			t.Errorf("δ = %g: [%.17g, %.17g] is wide", delta, lower, upper)
		}
	})
}

// Many copies are listed too, each mass to its last digits: 10,000 releases of 0.01 have the δ below at ε = 4 (Kairouz,
// Oh & Viswanath 2015, Theorem 3.3, summed with 60 digits).
func TestSumsOfManyCopies(t *testing.T) {
	s, ok := List([]spectrum.Line{{Loss: response(0.01), Count: 10000}})
	lower, upper := s.Epsilon(4.6982530098620468e-05)
	if !ok || !(lower <= 4 && 4 <= upper) || upper-lower > 1e-10 {
		t.Errorf("[%.15g, %.15g], %t", lower, upper, ok)
	}
}

// Losses of other releases are not listed, nor are too many.
func TestTooManySums(t *testing.T) {
	for name, lines := range map[string][]spectrum.Line{
		"noise":       {{Loss: loss.Gaussian(1), Count: 1}},
		"many copies": {{Loss: response(1), Count: maxBinomialSums}},
		"many kinds":  {{Loss: response(1), Count: 600}, {Loss: response(1.1), Count: 600}},
	} {
		if _, ok := List(lines); ok {
			t.Errorf("%s: listed", name)
		}
	}
	if _, ok := List([]spectrum.Line{{Loss: response(0.01), Count: 20000}, {Loss: response(1), Count: 2}}); !ok {
		t.Error("many copies beside another kind: not listed")
	}
	failing := response(1)
	failing.Top = 1e-3
	s, _ := List([]spectrum.Line{{Loss: failing, Count: 2}})
	if _, upper := s.Epsilon(1e-3); !math.IsInf(upper, 1) {
		t.Errorf("an upper end of %g where failures exceed δ", upper)
	}
}
