package mechanisms

import (
	"context"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// Names without counts, enumerated: the probability that a group of n people is shown is computed here from the noise
// by its definition, with 400 bits.

const namesBits = 400

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(namesBits).SetFloat64(x) }

func bigAdd(a, b *big.Float) *big.Float { return bigOf(0).Add(a, b) }
func bigSub(a, b *big.Float) *big.Float { return bigOf(0).Sub(a, b) }
func bigMul(a, b *big.Float) *big.Float { return bigOf(0).Mul(a, b) }
func bigDiv(a, b *big.Float) *big.Float { return bigOf(0).Quo(a, b) }

// bigExp returns e^x: the series at x/2^40, squared 40 times.
func bigExp(x *big.Float) *big.Float {
	small := bigDiv(x, bigOf(0x1p40))
	sum, term := bigOf(1), bigOf(1)
	for i := range 40 {
		term = bigDiv(bigMul(term, small), bigOf(float64(i+1)))
		sum = bigAdd(sum, term)
	}
	for range 40 {
		sum = bigMul(sum, sum)
	}
	return sum
}

// bigNormalCDF returns Φ(x) by the series ½ + φ(x)·Σ x^{2i+1}/(2i+1)!!.
func bigNormalCDF(x *big.Float) *big.Float {
	sum, term := bigOf(0), x
	for i := range 900 {
		sum = bigAdd(sum, term)
		term = bigDiv(bigMul(bigMul(term, x), x), bigOf(float64(2*i+3)))
	}
	twoPi, _, _ := big.ParseFloat("6.283185307179586476925286766559005768394338798750211641949889184615632812572417997256069650684234135964296173026564613294187689219", 10, namesBits, big.ToNearestEven)
	density := bigDiv(bigExp(bigDiv(bigMul(x, x), bigOf(-2))), bigOf(0).Sqrt(twoPi))
	return bigAdd(bigOf(0.5), bigMul(density, sum))
}

// keptExactly returns the probability that the noisy number of n people reaches the threshold.
func keptExactly(p PartitionSelection, n int) *big.Float {
	if n == 0 {
		return bigOf(0)
	}
	epsilon, _ := p.share()
	x := bigSub(bigOf(p.Threshold()), bigOf(float64(n)))
	scaled := bigMul(x, bigOf(epsilon))
	switch p.Strategy {
	case GaussThreshold:
		return bigNormalCDF(bigDiv(bigSub(bigOf(0), x), bigOf(p.Deviation())))
	case GeometricCount: // the noise is the whole number z with probability (1−α)/(1+α)·α^|z|
		a := bigExp(bigOf(-epsilon))
		tail := func(from float64) *big.Float { // of at least from ≥ 1
			return bigDiv(bigExp(bigOf(0).Neg(bigMul(bigOf(from), bigOf(epsilon)))), bigAdd(bigOf(1), a))
		}
		if at, _ := x.Float64(); at >= 1 {
			return tail(at)
		} else {
			return bigSub(bigOf(1), tail(1-at))
		}
	}
	if x.Sign() > 0 {
		return bigDiv(bigExp(bigOf(0).Neg(scaled)), bigOf(2))
	}
	return bigSub(bigOf(1), bigDiv(bigExp(scaled), bigOf(2)))
}

// namesAttained returns the largest δ at e^ε = a over all numbers of people up to most in each of several groups, of a
// person who is in all of them or in none, in either order. The attacker knows everybody else and sees which groups are
// shown.
func namesAttained(kept []*big.Float, groups int, a *big.Float) float64 {
	largest := bigOf(0)
	var walk func(left, from int, outcomes [][2]*big.Float)
	walk = func(left, from int, outcomes [][2]*big.Float) {
		if left == 0 {
			for way := range 2 {
				sum := bigOf(0)
				for _, o := range outcomes {
					if d := bigSub(o[way], bigMul(a, o[1-way])); d.Sign() > 0 {
						sum = bigAdd(sum, d)
					}
				}
				if sum.Cmp(largest) > 0 {
					largest = sum
				}
			}
			return
		}
		for n := from; n+1 < len(kept); n++ { // the order of the groups does not matter
			var next [][2]*big.Float
			for _, o := range outcomes {
				next = append(next, [2]*big.Float{bigMul(o[0], kept[n+1]), bigMul(o[1], kept[n])},
					[2]*big.Float{bigMul(o[0], bigSub(bigOf(1), kept[n+1])), bigMul(o[1], bigSub(bigOf(1), kept[n]))})
			}
			walk(left-1, n, next)
		}
	}
	walk(groups, 0, [][2]*big.Float{{bigOf(1), bigOf(1)}})
	out, _ := largest.Float64()
	return out
}

// The names of one group are known exactly; of several groups or releases nothing exceeds the upper end, and some
// numbers of people attain the lower end.
func TestNamesByExactEnumeration(t *testing.T) {
	at := []float64{0, 0.2, 0.5, 0.8, 0.95, 1.3, 2}
	for _, strategy := range []Strategy{LaplaceThreshold, GaussThreshold, GeometricCount} {
		for _, c := range gauge.Some(3, []struct {
			epsilon, delta, k float64
			copies            int
		}{{1, 0.01, 1, 1}, {1, 0.01, 1, 2}, {1.6, 0.03, 2, 1}, {0.7, 1e-4, 1, 1}, {2, 1e-3, 1, 3}, {1, 0.02, 3, 1}}) {
			p := selectionOf(t, strategy, c.epsilon, c.delta, c.k)
			p.Output = NamesOnly
			entries, _, err := Entries(p, Setting{Adjacency: AddRemove})
			if err != nil {
				t.Fatal(err)
			}
			for i := range entries {
				entries[i].Count *= float64(c.copies)
			}
			lower, upper, err := pld.Profile(t.Context(), partsOf(t, entries), at, pld.Options{})
			if err != nil {
				t.Fatal(err)
			}
			groups := int(c.k) * c.copies
			var kept []*big.Float
			for n := range int(p.PeopleFor(0.999)) + 2 {
				kept = append(kept, keptExactly(p, n))
				if got, want := p.KeepProbability(float64(n)), kept[n]; n > 0 {
					if w, _ := want.Float64(); math.Abs(got-w) > 1e-12*w {
						t.Fatalf("%s: %d people are shown with %v, want %v", strategy, n, got, w)
					}
				}
			}
			if groups > 1 { // the middle is where a bit tells most
				from := int(p.PeopleFor(0.02))
				kept = kept[from:min(len(kept), from+14)]
			}
			for i, x := range at {
				attained := namesAttained(kept, groups, bigExp(bigOf(x)))
				if groups == 1 && (lower[i] < attained*(1-1e-8)-1e-18 || upper[i] > attained*(1+1e-6)+1e-15) {
					t.Errorf("%s, %+v: δ(%v) is %v, and [%v, %v] by the accountant", strategy, c, x, attained, lower[i], upper[i])
				}
				if upper[i] < attained*(1-1e-12) {
					t.Errorf("%s, %+v: δ(%v) is %v, above the upper end %v", strategy, c, x, attained, upper[i])
				}
				if new := -math.Expm1(float64(groups) * math.Log1p(-p.KeepProbability(1))); lower[i] > math.Max(
					attained, new)*(1+1e-9)+1e-15 {
					t.Errorf("%s, %+v: δ(%v) is %v, and at least %v is claimed", strategy, c, x, math.Max(attained, new), lower[i])
				}
			}
		}
	}
}

// Ten selections with ε 1 and δ 1e-7, at δ 1e-5: with the noisy numbers a Laplace threshold costs nearly all of 10, its
// names alone do not. The best of all ways to attack the names with groups of 15 to 17 people reaches 9.4147.
func TestNamesCostLessThanCounts(t *testing.T) {
	ends := func(strategy Strategy, output SelectionOutput) (lower, upper float64) {
		p := selectionOf(t, strategy, 1, 1e-7, 1)
		p.Output = output
		entries, _, err := Entries(p, Setting{Adjacency: AddRemove})
		if err != nil {
			t.Fatal(err)
		}
		entries[0].Count = 10
		return numericalEpsilon(t, entries, accounting.Target{Delta: 1e-5})
	}
	for _, c := range []struct {
		strategy                       Strategy
		output                         SelectionOutput
		atLeast, lower, attack, atMost float64
	}{
		{LaplaceThreshold, NamesAndCounts, 9.989, 9.991, 9.9897, 9.991},
		{LaplaceThreshold, NamesOnly, 9.3, 9.41476, 9.41475, 9.6123},
		{GaussThreshold, NamesAndCounts, 2.79, 2.7966, 2.7965, 2.82},
		{GaussThreshold, NamesOnly, 2.265, 2.27, 2.2228, 2.81},
	} {
		lower, upper := ends(c.strategy, c.output)
		if lower < c.atLeast || lower > c.lower || upper < c.attack || upper > c.atMost {
			t.Errorf("%s, %s: [%v, %v]", c.strategy, c.output, lower, upper)
		}
	}
}

// Names never cost more than names with counts, at any δ, count, group or rate of sampling, and never less than an
// attack on one of them.
func TestNamesAreAtMostCounts(t *testing.T) {
	gauge.Check(t, gauge.Cases(4, 200), func(t *rapid.T) {
		p := selectionOf(t, rapid.SampledFrom([]Strategy{LaplaceThreshold, GaussThreshold, GeometricCount}).Draw(t, "strategy"),
			math.Exp(rapid.Float64Range(-4, 2).Draw(t, "ln ε")), math.Exp(rapid.Float64Range(-30, -3).Draw(t, "ln δ")),
			float64(rapid.IntRange(1, 6).Draw(t, "groups")))
		at := Setting{Adjacency: AddRemove, Sampling: rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "rate"),
			Group: float64(rapid.IntRange(1, 2).Draw(t, "group"))}
		count, delta := float64(rapid.IntRange(1, 20).Draw(t, "count")),
			p.Delta*math.Exp(rapid.Float64Range(0.1, 8).Draw(t, "growth of δ"))
		of := func(output SelectionOutput) (lower, upper float64) {
			q := p
			q.Output = output
			entries, _, err := Entries(q, at)
			if err != nil {
				t.Fatal(err)
			}
			for i := range entries {
				entries[i].Count *= count
			}
			i, err := pld.Epsilon(context.Background(), partsOf(t, entries), math.Min(0.5, delta*count), pld.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return i.Lower, i.Upper
		}
		lower, upper := of(NamesOnly)
		if _, most := of(NamesAndCounts); !(lower <= upper) || lower > most*(1+1e-9) || upper > most*(1+0.01)+1e-6 {
			t.Fatalf("%+v, %+v, %v × at δ %v: names [%v, %v], with counts at most %v", p, at, count, delta, lower, upper, most)
		}
	})
}

// A certificate of names states a pair that dominates theirs at every ε and attains nothing, so that it claims no lower
// end.
func TestNamesHaveADominatingForm(t *testing.T) {
	for _, strategy := range []Strategy{LaplaceThreshold, GaussThreshold, GeometricCount} {
		for _, k := range []float64{1, 3} {
			p := selectionOf(t, strategy, 1, 1e-4, k)
			p.Output = NamesOnly
			entries, _, err := Entries(p, Setting{Adjacency: AddRemove})
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range partsOf(t, entries) {
				f, exact, ok := part.Pair.Form()
				if !ok || exact || f.Kind != "approximate" {
					t.Fatalf("%s, k %v: %+v, exact %v", strategy, k, f, exact)
				}
				named := pairs.Approximate(f.Size, f.Delta)
				for x := -2.0; x <= 2; x += 0.125 {
					for _, l := range []*pairs.Loss{part.Pair.Remove, part.Pair.Add} {
						if l.LogDelta(x) > named.Remove.LogDelta(x)+1e-6 { // chords of the mesh
							t.Errorf("%s, k %v: ln δ(%v) is %v, the certificate's %v", strategy, k, x, l.LogDelta(x), named.Remove.LogDelta(x))
						}
					}
				}
			}
		}
	}
}
