package chart

import (
	"context"
	"math"
	"testing"

	"epsiloscope/scenarios"
)

// Three times randomized response of ε = 2: at 1 % false positives the least rate of misses is 0.2553, by the
// two outcomes with the largest losses, 6 and 2: with a = 1/(1+e²) they have the probabilities a³, 3a²(1−a)
// under Q and (1−a)³, 3a(1−a)² under P, and the test takes all of the first and part of the second. A chord
// between the points that a profile at equal steps of ln δ has said 0.0685.
func TestTradeoffOfThreeResponses(t *testing.T) {
	s, err := scenarios.Parse("responses.yaml", []byte("version: 1\nadjacency: replace\nbudget: {epsilon: 6, delta: 1e-6}\nstack: [{mechanism: randomized-response, epsilon: 2, count: 3}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Tradeoff.Build(context.Background(), s, Options{Numerical: true})
	if err != nil {
		t.Fatal(err)
	}
	a := 1 / (1 + math.Exp(2))
	share := (0.01 - a*a*a) / (3 * a * a * (1 - a))
	want := 1 - math.Pow(1-a, 3) - share*3*a*(1-a)*(1-a)
	for _, line := range c.Series {
		if line.Name != "numerical" {
			continue
		}
		for i, x := range line.X {
			if math.Abs(x-0.01) < 1e-12 {
				if got := line.Y[i]; got > want+1e-9 || got < want-1e-6 {
					t.Errorf("misses at 1 %%: %.6f, truth %.6f", got, want)
				}
				return
			}
		}
	}
	t.Error("no numerical curve with a point at 1 %")
}

// A stated δ is a corner of the profile: at the ε that goes with it δ is the stated one, and it stays so.
func TestStatedDeltaIsACorner(t *testing.T) {
	s, err := scenarios.Parse("stated.yaml", []byte("version: 1\nbudget: {epsilon: 2, delta: 1e-5}\nstack: [{mechanism: approximate, epsilon: 1.5, delta: 1e-6}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Profile.Build(context.Background(), s, Options{Numerical: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range c.Series {
		for i, x := range line.X {
			if line.Name == "numerical" && math.Abs(x-1.5) < 1e-12 && line.Y[i] >= 1e-6 && line.Y[i] < 1.0001e-6 {
				return
			}
		}
	}
	t.Error("no corner at ε = 1.5, δ = 1e-6")
}
