package pairs

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
)

const fourDigits = 1e-4

// twoPoint returns the largest δ at x of an attacker who draws t at random after every answer:
// all paths, one by one.
func twoPoint(t *rapid.T, epsilon, x float64, left int) float64 {
	if left == 0 {
		return math.Max(0, -math.Expm1(x))
	}
	at := rapid.Float64Range(0, epsilon).Draw(t, "t")
	p := (math.Exp(epsilon) - math.Exp(at)) / math.Expm1(epsilon)
	return p*twoPoint(t, epsilon, x-at, left-1) + (1-p)*twoPoint(t, epsilon, x-at+epsilon, left-1)
}

// No attacker who chooses adaptively does better than the upper face, nor one release after
// the other by its own pair better than all together by theirs, up to the grid.
func TestAdaptiveRangeDominates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon, count := rapid.Float64Range(0.05, 3).Draw(t, "ε"), rapid.IntRange(2, 5).Draw(t, "K")
		pair, ok := AdaptiveRange(epsilon, float64(count), 1e-2)
		if !ok {
			t.Fatal("refused")
		}
		for range 4 {
			x := rapid.Float64Range(-1, 1).Draw(t, "x") * float64(count) * epsilon
			truth, bound := twoPoint(t, epsilon, x, count), pair.Delta(x)
			if truth > bound*(1+1e-12)+1e-300 {
				t.Errorf("%d × %v at %v: %v > %v", count, epsilon, x, truth, bound)
			}
			below := pair.Remove.lower.LogDelta(x)
			if math.Exp(below) > bound {
				t.Errorf("%d × %v at %v: the attack has %v, the bound %v", count, epsilon, x, math.Exp(below), bound)
			}
		}
	})
}

// From below nothing is claimed that two releases do not allow: the second by its closed
// curve, the first by trying every t.
func TestAdaptiveRangeFromBelow(t *testing.T) {
	tries := gauge.Cases(4_000, 20_000)
	for _, epsilon := range []float64{0.1, 1, 4} {
		one := BoundedRange(epsilon)
		for _, last := range []bool{true, false} {
			pair, ok := AdaptiveRange(epsilon, 2, fourDigits)
			if !last {
				pair, ok = AdaptiveRangeAt(epsilon/2, epsilon, 2, fourDigits)
			}
			if !ok {
				t.Fatal("refused")
			}
			lower := pair.Remove.lower
			for x := -2.1 * epsilon; x < 2*epsilon; x += epsilon / 7 {
				best := 0.0
				for i := range tries + 1 {
					at := epsilon * float64(i) / float64(tries)
					p := (math.Exp(epsilon) - math.Exp(at)) / math.Expm1(epsilon)
					best = math.Max(best, p*one.Delta(x-at)+(1-p)*one.Delta(x-at+epsilon))
				}
				if got := math.Exp(lower.LogDelta(x)); got > best*(1+1e-7) || last && got < best*0.99-1e-5 {
					t.Errorf("2 × %v at %v, last %v: claimed %v, largest %v", epsilon, x, last, got, best)
				}
			}
		}
	}
}

func TestAdaptiveRangeRefuses(t *testing.T) {
	for _, c := range []struct{ epsilon, count float64 }{{0.1, 0.5}, {0.1, 2.5}, {0.1, 1e5}, {math.NaN(), 10},
		{60, 10}, {0.1, math.Inf(1)}} {
		if _, ok := AdaptiveRange(c.epsilon, c.count, fourDigits); ok {
			t.Errorf("%v × %v has a pair", c.count, c.epsilon)
		}
	}
}

// Whatever t each selection has, if it does not depend on the answers the bound holds.
func TestFixedRangeDominates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon := rapid.SampledFrom([]float64{0.2, 1, 2.5}).Draw(t, "ε")
		count := rapid.IntRange(2, 5).Draw(t, "K")
		pair, _ := FixedRange(epsilon, float64(count))
		ts := rapid.SliceOfN(rapid.Float64Range(0, epsilon), count, count).Draw(t, "t")
		x := rapid.Float64Range(0, 1).Draw(t, "x") * float64(count) * epsilon
		var play func(x float64, left []float64) float64
		play = func(x float64, left []float64) float64 {
			if len(left) == 0 {
				return math.Max(0, -math.Expm1(x))
			}
			p := (math.Exp(epsilon) - math.Exp(left[0])) / math.Expm1(epsilon)
			return p*play(x-left[0], left[1:]) + (1-p)*play(x-left[0]+epsilon, left[1:])
		}
		if truth := play(x, ts); truth > pair.Delta(x)*(1+1e-12)+1e-300 {
			t.Errorf("%v at %v: %v > %v", ts, x, truth, pair.Delta(x))
		}
	})
}

// Leaving out the outcomes below the ε that an attack has to beat changes no bit of the ε that it reaches.
func TestAttackEpsilonNeedsOnlyLargerLosses(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	beaten := 0
	for range 500 {
		q := math.Exp(-4 * random.Float64())
		p := q + (1-q)*random.Float64()*0.5
		count, delta := math.Floor(1+60*random.Float64()), math.Exp(-20*random.Float64())
		least := random.Float64() * random.Float64() * count * math.Log(p/q)
		want, all := least, attack(p, q, count)
		if all.LogDelta(least) > math.Log(delta) {
			beaten++
			low, high := least, count*math.Log(p/q)
			for range 40 {
				if x := (low + high) / 2; all.LogDelta(x) > math.Log(delta) {
					low = x
				} else {
					high = x
				}
			}
			want = low
		}
		if got := AttackEpsilon(p, q, count, delta, least); got != want {
			t.Fatalf("p %v, q %v, %v times at δ = %v above %v: %v, and %v of all outcomes", p, q, count, delta, least, got, want)
		}
	}
	if beaten < 50 || beaten > 450 {
		t.Errorf("%d of 500 attacks reach more", beaten)
	}
}
