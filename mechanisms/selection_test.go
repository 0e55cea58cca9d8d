package mechanisms

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/selection"
)

func exponential(epsilon, sensitivity float64, scores ...float64) Exponential {
	return Exponential{Epsilon: epsilon, Sensitivity: sensitivity, Candidates: param.ScoresValue(scores...).Items}
}

// The figures of the lectures (hair colour, both pricing examples), recomputed.
func TestSelectionLectures(t *testing.T) {
	cases := []struct {
		name string
		m    Exponential
		want []float64
	}{
		{"Bellet's prices", exponential(5, 4.01, 6, 3.01, 4, 0), []float64{0.6820, 0.1057, 0.1960, 0.0162}},
		{"Machanavajjhala's prices", exponential(20, 402, 400, 101, 401, 0), []float64{0.4936, 0.0003, 0.5061, 0.0000}},
	}
	for _, c := range cases {
		s, err := c.m.Selection()
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if math.Abs(s.Probabilities[i]-want) > 5.1e-5 {
				t.Errorf("%s, candidate %d: got %v, want %v", c.name, i, s.Probabilities[i], want)
			}
		}
	}
	hair := exponential(0.1, 1, 500, 400, 400, 400)
	s, _ := hair.Selection()
	checks := map[string][2]float64{
		"exact failure":  {s.Tail(100), 0.019813},
		"theorem":        {s.Bound(100), 4 * math.Exp(-5)},
		"right":          {s.Right(), 1 - 0.019813},
		"nationality":    {selection.Gap(4, 2, 3), 8.7726}, // the slide prints 6.8; that is t = 2
		"the slide":      {selection.Gap(4, 2, 2), 6.7726},
		"expected score": {s.MeanScore(), 500 - 100*s.Tail(100)},
	}
	hair.Monotone = true
	s, _ = hair.Selection()
	checks["monotone failure"] = [2]float64{s.Tail(100), 0.000136}
	for name, c := range checks {
		if math.Abs(c[0]-c[1]) > 5e-5*math.Max(1, math.Abs(c[1])) {
			t.Errorf("%s: got %v, want %v", name, c[0], c[1])
		}
	}
}

// Permute-and-flip by its definition: the average over all orders of the
// candidates, each flipped with probability e^{(s−s*)/scale}.
func bruteForcePermuteAndFlip(depths []float64) []float64 {
	n := len(depths)
	chance := make([]float64, n)
	var walk func(left int, used []bool, weight float64)
	walk = func(left int, used []bool, weight float64) {
		for i := range depths {
			if used[i] {
				continue
			}
			used[i] = true
			p := math.Exp(depths[i])
			chance[i] += weight / float64(left) * p
			walk(left-1, used, weight/float64(left)*(1-p))
			used[i] = false
		}
	}
	walk(n, make([]bool, n), 1)
	return chance
}

func TestPermuteAndFlipMatchesItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(-6, 0), 1, 6).Draw(t, "scores")
		scores[0] = 0
		m := NoisyMax{Epsilon: 2, Sensitivity: 1, Shape: "exponential", Candidates: param.ScoresValue(scores...).Items}
		s, err := m.Selection()
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range bruteForcePermuteAndFlip(scores) {
			if math.Abs(s.Probabilities[i]-want) > 1e-10 {
				t.Fatalf("candidate %d of %v: got %v, want %v", i, scores, s.Probabilities[i], want)
			}
		}
	})
}

// Two candidates under Laplace noise of scale b at distance d: the loser wins with
// probability e^{−d/b}(1/2 + d/(4b)), the tail of a difference of two Laplaces.
func TestLaplaceMaxOfTwo(t *testing.T) {
	for _, d := range []float64{0, 0.01, 0.5, 1, 3, 10, 40} {
		m := NoisyMax{Epsilon: 2, Sensitivity: 1, Shape: "laplace", Candidates: param.ScoresValue(0, -d).Items}
		s, _ := m.Selection()
		if want := math.Exp(-d) * (0.5 + d/4); math.Abs(s.Probabilities[1]-want) > 1e-9*want {
			t.Errorf("distance %v: got %v, want %v", d, s.Probabilities[1], want)
		}
	}
}

// Each kind of noise, drawn and compared, picks as computed: within five standard
// deviations, with a fixed seed.
func TestNoisyMaxSamples(t *testing.T) {
	const draws = 20_000
	scores := []float64{3, 2.5, 2.5, 1, -4}
	for _, shape := range []string{"laplace", "exponential", "gumbel"} {
		m := NoisyMax{Epsilon: 1.5, Sensitivity: 1, Shape: shape, Candidates: param.ScoresValue(scores...).Items}
		s, err := m.Selection()
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(7, 8))
		wins := make([]float64, len(scores))
		for range draws {
			best, at := math.Inf(-1), 0
			for i, score := range scores {
				if x := score + m.Noise().Rand(r); x > best {
					best, at = x, i
				}
			}
			wins[at]++
		}
		for i, p := range s.Probabilities {
			if limit := 5 * math.Sqrt(draws*p*(1-p)); math.Abs(wins[i]-draws*p) > limit {
				t.Errorf("%s, candidate %d: won %v of %v, expected %.0f ± %.0f", shape, i, wins[i], draws, draws*p, limit)
			}
		}
	}
}

// On the same scores permute-and-flip is never worse than the exponential
// mechanism (McKenna & Sheldon 2020, Theorem 2), and no tail exceeds its theorem.
func TestSelectionOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(-30, 30), 1, 40).Draw(t, "scores")
		epsilon := math.Exp(rapid.Float64Range(-5, 3).Draw(t, "log epsilon"))
		expected := map[string]float64{}
		for _, shape := range []string{"laplace", "exponential", "gumbel"} {
			m := NoisyMax{Epsilon: epsilon, Sensitivity: 1, Shape: shape,
				Candidates: param.ScoresValue(scores...).Items}
			s, err := m.Selection()
			if err != nil {
				t.Fatal(err)
			}
			total := 0.0
			for _, p := range s.Probabilities {
				total += p
			}
			if math.Abs(total-1) > 1e-9 {
				t.Fatalf("%s: probabilities sum to %v", shape, total)
			}
			for _, x := range []float64{0.1, 1, 5} {
				gap := s.Gap(x)
				if s.Tail(gap) > math.Exp(-x)*(1+1e-9) || s.Tail(gap) > s.Bound(gap)*(1+1e-9) {
					t.Fatalf("%s: P(loss ≥ %v) = %v exceeds the theorem's %v", shape, gap, s.Tail(gap), math.Exp(-x))
				}
			}
			expected[shape] = s.MeanScore()
		}
		if expected["exponential"] < expected["gumbel"]-1e-9*(1+math.Abs(expected["gumbel"])) {
			t.Fatalf("permute-and-flip expects %v, the exponential mechanism %v", expected["exponential"], expected["gumbel"])
		}
	})
}

func TestSelectionExtremes(t *testing.T) {
	many := make([]float64, gauge.Cases(10_000, 1_000_000))
	r := rand.New(rand.NewPCG(1, 1))
	for i := range many {
		many[i] = 100 * r.Float64()
	}
	lists := map[string][]float64{
		"huge": {1e308, -1e308, 1e308}, "one": {5}, "very many": many, "tiny gaps": {1, 1 + 1e-16, 1 - 1e-16},
		"far apart": {0, -1e300}, "all equal": make([]float64, 1000),
	}
	for name, scores := range lists {
		for _, epsilon := range []float64{1e-12, 1, 1e4} {
			if len(scores) > 1000 && epsilon != 1 {
				continue
			}
			for _, shape := range []string{"laplace", "exponential", "gumbel"} {
				m := NoisyMax{Epsilon: epsilon, Sensitivity: 1, Shape: shape,
					Candidates: param.ScoresValue(scores...).Items}
				s, err := m.Selection()
				if err != nil {
					t.Fatal(err)
				}
				total := 0.0
				for _, p := range s.Probabilities {
					total += p
				}
				if math.Abs(total-1) > 1e-9 || !(s.Right() > 0 && s.Right() <= 1) {
					t.Errorf("%s, ε = %v, %s: sum %v, right %v", name, epsilon, shape, total, s.Right())
				}
				if e := s.MeanScore(); math.IsNaN(e) || math.IsInf(e, 0) || e > s.Best*(1+1e-9) {
					t.Errorf("%s, ε = %v, %s: expected score %v, best %v", name, epsilon, shape, e, s.Best)
				}
			}
		}
	}
}
