package mechanisms

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
)

// contest is report noisy max with Laplace noise of scale 1 on fixed scores, integrated without the program's code.
type contest struct{ scores []float64 }

// ratio returns f/F of the noise.
func ratio(y float64) float64 {
	if y <= 0 {
		return 1
	}
	return math.Exp(-y) / (2 - math.Exp(-y))
}

// nodes12 and nodes16 are rules of Gauss and Legendre on [0, 1].
var (
	nodes12 = sync.OnceValues(func() (nodes, weights []float64) { return legendre(12) })
	nodes16 = sync.OnceValues(func() (nodes, weights []float64) { return legendre(16) })
)

func legendre(n int) (nodes, weights []float64) {
	nodes, weights = make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(nodes, weights, 0, 1)
	return nodes, weights
}

// integrate returns the integrals over the winning score of M times each of some functions, which change form at the
// scores and at the given places.
func (c contest) integrate(of func(x float64) []float64, places ...float64) (sums []float64) {
	ends := append(slices.Clone(c.scores), places...)
	ends = append(ends, slices.Min(c.scores)-45, slices.Max(c.scores)+45)
	slices.Sort(ends)
	nodes, weights := nodes12()
	for i := 1; i < len(ends); i++ {
		panels := math.Ceil((ends[i] - ends[i-1]) / 1.5)
		for k := range int(panels) {
			width := (ends[i] - ends[i-1]) / panels
			for j := range nodes {
				x, log := ends[i-1]+(float64(k)+nodes[j])*width, 0.0
				for _, a := range c.scores {
					if y := x - a; y < 0 {
						log += y - math.Ln2
					} else {
						log += math.Log1p(-math.Exp(-y) / 2)
					}
				}
				values := of(x)
				if sums == nil {
					sums = make([]float64, len(values))
				}
				for n, v := range values {
					sums[n] += weights[j] * width * math.Exp(log) * v
				}
			}
		}
	}
	return sums
}

// chances returns the probability that each candidate wins.
func (c contest) chances() []float64 {
	return c.integrate(func(x float64) []float64 {
		out := make([]float64, len(c.scores))
		for i, a := range c.scores {
			out[i] = ratio(x - a)
		}
		return out
	})
}

// growth returns how fast the span of the losses of i and j grows where scores move against each other, per unit of
// movement, and what the proof bounds that by before it lets go of the other scores.
func (c contest) growth(i, j int) (rate, bound float64) {
	if c.scores[i] > c.scores[j] {
		i, j = j, i
	}
	a, g := c.scores[i], c.scores[j]-c.scores[i]
	place := a + math.Max(0, g+math.Log(joint(math.Exp(-g))))
	level := ratio(place - a)
	sums := c.integrate(func(x float64) []float64 {
		one, other := ratio(x-a), ratio(x-a-g)
		rho := one
		if x > place {
			rho = level * other
		}
		out := []float64{one, other, rho}
		for _, s := range c.scores {
			out = append(out, one*ratio(x-s), other*ratio(x-s), rho*ratio(x-s))
		}
		return out
	}, place)
	for l := range c.scores {
		w := sums[3+3*l:]
		bound += w[2] / sums[2]
		switch l {
		case i:
			rate += w[1] / sums[1]
		case j:
			rate += w[0] / sums[0]
		default:
			rate += math.Max(w[0]/sums[0], w[1]/sums[1])
		}
	}
	return rate, bound
}

// Random candidates, and those next to the best attack found: the span never grows faster than the proof says at its
// two stages. Five equal candidates reach 1.1719, so that not much is given away.
func TestLaplaceSpanGrowth(t *testing.T) {
	span := NoisyMax{Shape: "laplace"}.laplaceSpan()
	if rate, _ := (contest{make([]float64, 5)}).growth(0, 1); math.Abs(rate-1.171875) > 1e-9 {
		t.Errorf("five equal candidates: %v, by hand 5·(1 − 1/16)/4", rate)
	}
	gauge.Check(t, gauge.Cases(12, 100), func(rt *rapid.T) {
		c := contest{make([]float64, rapid.IntRange(2, 7).Draw(rt, "candidates"))}
		spread := rapid.SampledFrom([]float64{0.2, 1, 4}).Draw(rt, "spread")
		for i := range c.scores {
			c.scores[i] = spread * rapid.Float64Range(-1, 1).Draw(rt, "score")
		}
		for i := range c.scores {
			for j := range i {
				if rate, bound := c.growth(i, j); rate > bound*(1+1e-9) || bound > span {
					rt.Errorf("%v, %d and %d: %v, bound %v", c.scores, i, j, rate, bound)
				}
			}
		}
	})
}

// A search uphill from random candidates does not exceed the span, and finds more than five equal ones.
func TestLaplaceSpanWithstandsASearch(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	best := 0.0
	for range gauge.Cases(2, 30) {
		c := contest{make([]float64, 3+random.IntN(5))}
		for i := range c.scores {
			c.scores[i] = 2 * random.NormFloat64()
		}
		rate, _ := c.growth(0, 1)
		for step := 1.0; step > 1e-3; {
			next := contest{slices.Clone(c.scores)}
			for i := range next.scores {
				next.scores[i] += step * random.NormFloat64()
			}
			if r, _ := next.growth(0, 1); r > rate {
				c, rate, step = next, r, 1.3*step
			} else {
				step *= 0.93
			}
		}
		best = math.Max(best, rate)
	}
	if best < 1.15 || best > 1.2372 {
		t.Errorf("the search found %v", best)
	}
}

// No set of candidates has losses that span more, nor a δ above the profile: every event, neighbours in any direction.
func TestLaplaceSpanOfNeighbours(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		epsilon := rapid.Float64Range(0.05, 6).Draw(rt, "ε")
		monotone := rapid.Bool().Draw(rt, "monotone")
		here := contest{make([]float64, rapid.IntRange(2, 6).Draw(rt, "candidates"))}
		there := contest{make([]float64, len(here.scores))}
		for i := range here.scores {
			here.scores[i] = rapid.Float64Range(-3, 3).Draw(rt, "score")
			there.scores[i] = here.scores[i] + epsilon*rapid.SampledFrom([]float64{0, 0, 1, 1, 0.4}).Draw(rt, "change")
			if !monotone { // up or down by half, which is the same but for a common shift
				there.scores[i] -= epsilon / 2
			}
		}
		p, q := here.chances(), there.chances()
		m := NoisyMax{Epsilon: epsilon, Sensitivity: 1, Monotone: monotone, Shape: "laplace", Outputs: float64(len(p))}
		low, high := math.Inf(1), math.Inf(-1)
		for i := range p {
			low, high = math.Min(low, math.Log(p[i]/q[i])), math.Max(high, math.Log(p[i]/q[i]))
		}
		if high-low > m.laplaceSpan()*epsilon*(1+1e-9) || high > epsilon*(1+1e-9) || low < -epsilon*(1+1e-9) {
			rt.Errorf("%v, then %v: losses from %v to %v", here.scores, there.scores, low, high)
		}
		release := m.Releases(1)[0].Release
		for _, at := range []float64{-0.5, 0, 0.1, 0.3, 0.6, 0.9} {
			delta := 0.0
			for i := range p {
				delta += math.Max(0, p[i]-math.Exp(at*epsilon)*q[i])
			}
			if most, _ := release.Profile(at * epsilon); delta > most+1e-9 {
				rt.Errorf("δ(%v) = %v, at most %v", at*epsilon, delta, most)
			}
		}
		for _, alpha := range []float64{1.5, 4, 30} {
			sum := 0.0
			for i := range p {
				sum += q[i] * math.Pow(p[i]/q[i], alpha)
			}
			if most, _ := release.Renyi(alpha); math.Log(sum)/(alpha-1) > most+1e-9 {
				rt.Errorf("D_%v = %v, at most %v", alpha, math.Log(sum)/(alpha-1), most)
			}
		}
	})
}

// An attack has the probabilities it states, by an integral of another form, for neighbours that the mechanism allows.
func TestNoisyMaxAttacksAreReal(t *testing.T) {
	for _, epsilon := range []float64{1e-3, 0.3, 1, 6} {
		all := NoisyMax{Shape: "laplace"}.attacks(epsilon)
		if few := (NoisyMax{Shape: "laplace", Outputs: 3}).attacks(epsilon); len(few) >= len(all) || len(few) < 80 {
			t.Errorf("ε = %v: %d attacks on three candidates, %d on any number", epsilon, len(few), len(all))
		}
		for _, sizes := range [][2]int{{1, 1}, {1, 2}, {2, 2}, {2, 3}, {2, 4}, {4, 2}} {
			for _, gap := range []float64{-3, -1, -0.01, 0, 0.2, 1, 4} {
				wins := func(gap float64) (sum float64) {
					scores := make([]float64, sizes[0]+sizes[1])
					for i := range scores[sizes[0]:] {
						scores[sizes[0]+i] = gap
					}
					for _, p := range (contest{scores}).chances()[:sizes[0]] {
						sum += p
					}
					return sum
				}
				if got, want := (NoisyMax{Shape: "laplace"}).groupWins(sizes, gap), wins(gap); math.Abs(got-want) > 1e-12 {
					t.Errorf("%v at a gap of %v: %v, want %v", sizes, gap, got, want)
				}
			}
		}
		for _, shape := range []string{"laplace", "exponential"} {
			for _, a := range (NoisyMax{Shape: shape}).attacks(epsilon) {
				// ε-DP allows no more; that the gap moved by ε and no further shows here.
				if a.P > a.Q*math.Exp(epsilon) || 1-a.Q > (1-a.P)*math.Exp(epsilon) {
					t.Errorf("%s noise, ε = %v: %v against %v", shape, epsilon, a.P, a.Q)
				}
			}
		}
	}
}

// The lower end is what one of the attacks reaches, played in every selection: a sum over how often its event happens.
func TestNoisyMaxLowerEndIsAnAttack(t *testing.T) {
	reach := func(a accounting.Attack, n int, delta float64) float64 {
		up, down := math.Log(a.P/a.Q), math.Log((1-a.P)/(1-a.Q))
		masses, choose := make([]float64, n+1), 1.0
		for k := range masses {
			masses[k] = choose * math.Pow(a.P, float64(k)) * math.Pow(1-a.P, float64(n-k))
			choose *= float64(n-k) / float64(k+1)
		}
		low, high := 0.0, float64(n)*up
		for range 60 {
			x, sum := (low+high)/2, 0.0
			for k, mass := range masses {
				if loss := float64(k)*up + float64(n-k)*down; loss > x {
					sum -= mass * math.Expm1(x-loss)
				}
			}
			if sum > delta {
				low = x
			} else {
				high = x
			}
		}
		return high
	}
	for _, shape := range []string{"laplace", "exponential"} {
		for _, outputs := range gauge.Some(2, []float64{0, 2, 3, 50}) {
			for _, epsilon := range []float64{0.01, 0.5, 1, 4} {
				for _, count := range []int{1, 3, 30} {
					m := NoisyMax{Epsilon: epsilon, Sensitivity: 1, Shape: shape, Outputs: outputs}
					stack := []accounting.Entry{{Release: m.Releases(1)[0].Release, Count: float64(count)}}
					b := accounting.Evaluate(context.Background(), accounting.Numerical, stack,
						accounting.Target{Delta: 1e-5})
					best := 0.0
					for _, a := range m.attacks(epsilon) {
						best = math.Max(best, reach(a, count, 1e-5))
					}
					if b.Lower > best*(1+1e-9) || b.Lower < 0.9*best || b.Lower > b.Epsilon {
						t.Errorf("%d × %v, %s noise, %v candidates: [%v, %v], the best attack reaches %v", count, epsilon, shape, outputs, b.Lower, b.Epsilon, best)
					}
				}
			}
		}
	}
}
