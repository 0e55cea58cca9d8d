package labs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// An audit runs a mechanism on two neighbouring data sets and looks for an event
// whose probabilities differ by more than e^ε, beyond what chance explains. It must
// pass what is private and catch what is not.
//
// With n runs each, an event seen a times on one side and b times on the other has
// ln(a/b) with deviation at most √(1/a + 1/b); six deviations over a few hundred
// events leave a false alarm less than once in a million runs of the test.
func largestExcess(n int, epsilon float64, here, there func(*rand.Rand) string) (worst float64, event string) {
	r := rand.New(rand.NewPCG(20, 26))
	a, b := map[string]float64{}, map[string]float64{}
	for range n {
		a[here(r)]++
		b[there(r)]++
	}
	for e, x := range a {
		y := math.Max(b[e], 1)
		if excess := (math.Abs(math.Log(x/y)) - epsilon) / math.Sqrt(1/x+1/y); excess > worst {
			worst, event = excess, e
		}
	}
	for e, y := range b {
		if a[e] == 0 {
			if excess := (math.Log(y) - epsilon) / math.Sqrt(1+1/y); excess > worst {
				worst, event = excess, e
			}
		}
	}
	return worst, event
}

const sixDeviations = 6.0

// bucket rounds an answer to an event.
func bucket(x, width float64) string {
	return fmt.Sprint(math.Round(math.Max(-12, math.Min(12, x/width))))
}

// pattern returns a run of answers as an event.
func pattern(answers []bool) string {
	text := make([]byte, len(answers))
	for i, a := range answers {
		text[i] = '0'
		if a {
			text[i] = '1'
		}
	}
	return string(text)
}

func TestAudit(t *testing.T) {
	const epsilon = 1.0
	n := gauge.Cases(40_000, 200_000)
	laplace := mechanisms.Laplace{Epsilon: epsilon, Sensitivity: 1}.Noise()
	response := mechanisms.RandomizedResponse{Epsilon: epsilon, Categories: 2}
	respond := func(truth bool) func(*rand.Rand) string {
		return func(r *rand.Rand) string { return fmt.Sprint(truth == (r.Float64() < response.Truth())) }
	}
	choose := func(epsilon float64, scores ...float64) func(*rand.Rand) string {
		sel, err := mechanisms.Exponential{Epsilon: epsilon, Sensitivity: 1,
			Candidates: param.ScoresValue(scores...).Items}.Selection()
		if err != nil {
			t.Fatal(err)
		}
		return func(r *rand.Rand) string { return fmt.Sprint(pick(r, sel.Probabilities)) }
	}
	noisyMax := func(noise mechanisms.Noise, scores ...float64) func(*rand.Rand) string {
		return func(r *rand.Rand) string {
			best, top := 0, math.Inf(-1)
			for i, s := range scores {
				if x := s + noise.Rand(r); x > top {
					best, top = i, x
				}
			}
			return fmt.Sprint(best)
		}
	}
	sparse := func(c float64, slide bool, stream ...float64) func(*rand.Rand) string {
		m := mechanisms.SparseVector{Epsilon: epsilon, Positives: c, Sensitivity: 1, Queries: float64(len(stream))}
		return func(r *rand.Rand) string {
			answers, _, _ := new(trial).answerStream(m, stream, r, slide, nil)
			return pattern(answers)
		}
	}
	// One record raises one query and lowers the other.
	stream := func(up float64) []float64 {
		var s []float64
		for i := range 6 {
			s = append(s, up*float64(1-2*(i%2)))
		}
		return s
	}
	general := mechanisms.NoisyMax{Epsilon: epsilon, Sensitivity: 1, Shape: "laplace"}.Noise()
	shared := func(up float64) func(*rand.Rand) string { // Stoddard et al.: no noise on the queries
		level := mechanisms.LaplaceNoise(2 / epsilon)
		return func(r *rand.Rand) string {
			l := level.Rand(r)
			var answers []bool
			for _, v := range stream(up) {
				answers = append(answers, v >= l)
			}
			return pattern(answers)
		}
	}
	for _, c := range []struct {
		name        string
		private     bool
		here, there func(*rand.Rand) string
	}{
		{"Laplace", true,
			func(r *rand.Rand) string { return bucket(laplace.Rand(r), 0.5) },
			func(r *rand.Rand) string { return bucket(1+laplace.Rand(r), 0.5) }},
		{"Laplace with half the noise", false,
			func(r *rand.Rand) string { return bucket(0.5*laplace.Rand(r), 0.5) },
			func(r *rand.Rand) string { return bucket(1+0.5*laplace.Rand(r), 0.5) }},
		{"randomized response", true, respond(true), respond(false)},
		{"response that tells the truth too often", false,
			func(r *rand.Rand) string { return fmt.Sprint(r.Float64() < 0.8) },
			func(r *rand.Rand) string { return fmt.Sprint(r.Float64() >= 0.8) }},
		{"exponential", true, choose(epsilon, 1, 0, 0), choose(epsilon, 0, 1, 0)},
		{"exponential without the factor 2", false, choose(2*epsilon, 1, 0, 0, 0, 0, 0, 0), choose(2*epsilon, 0, 1, 1, 1, 1, 1, 1)},
		{"noisy max, general scores", true, noisyMax(general, 1, 0, 0, 0), noisyMax(general, 0, 1, 1, 1)},
		{"noisy max, Lap(1/ε) on general scores", false, noisyMax(laplace, 1, 0, 0, 0), noisyMax(laplace, 0, 1, 1, 1)},
		{"AboveThreshold", true, sparse(1, false, stream(0.5)...), sparse(1, false, stream(-0.5)...)},
		{"Sparse", true, sparse(3, false, stream(0.5)...), sparse(3, false, stream(-0.5)...)},
		{"threshold noise only", false, shared(0.5), shared(-0.5)},
		{"uniform noise", false, // its support moves with the data
			func(r *rand.Rand) string { return fmt.Sprint(r.IntN(21) - 10) },
			func(r *rand.Rand) string { return fmt.Sprint(r.IntN(21) - 5) }},
	} {
		worst, event := largestExcess(n, epsilon, c.here, c.there)
		if c.private && worst > sixDeviations {
			t.Errorf("%s: event %s exceeds e^ε by %.1f deviations", c.name, event, worst)
		}
		if !c.private && worst <= sixDeviations {
			t.Errorf("%s: the audit missed that it is not private (%.1f deviations)", c.name, worst)
		}
	}
}

// Sampled frequencies agree with the exact probabilities: a χ² statistic within
// five deviations of its mean.
func TestSampledSelectionMatchesExact(t *testing.T) {
	s := &trial{seed: 9, ctx: t.Context(), values: param.Values{}, out: &Outcome{}}
	sel, err := mechanisms.Exponential{Epsilon: 0.5, Sensitivity: 1,
		Candidates: param.ScoresValue(5, 3, 2, 0, -4).Items}.Selection()
	if err != nil {
		t.Fatal(err)
	}
	const n = 100_000
	counts := s.drawSelections(sel, n, 1)
	chi2 := 0.0
	for i, p := range sel.Probabilities {
		chi2 += (counts[i] - n*p) * (counts[i] - n*p) / (n * p)
	}
	free := float64(len(counts) - 1)
	if chi2 > free+5*math.Sqrt(2*free) {
		t.Errorf("χ² = %v with %v degrees of freedom", chi2, free)
	}
}
