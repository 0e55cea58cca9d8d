package labs

import (
	"context"
	"math"
	"testing"

	"epsiloscope/mechanisms/param"
)

// The attack by sampling agrees with its law, beats the figure for Poisson batches and
// never the bound without amplification. δ of the attack at t = 100, z = 1, ε = 1 and 4:
// Chua et al. 2024, maximised by an independent program.
func TestShuffledBatchesAttack(t *testing.T) {
	for _, c := range []struct{ epsilon, delta float64 }{{1, 0.01670579607857292}, {4, 1.2391114944664225e-05}} {
		if _, got := largestSumAttack(100, 1, c.epsilon); math.Abs(got-c.delta) > 1e-4*c.delta {
			t.Errorf("ε %v: the attack reaches %v, want %v", c.epsilon, got, c.delta)
		}
	}
	out, err := Run(context.Background(), "shuffled-batches", Options{Seed: 3, Values: param.Values{"samples": param.WholeValue(20_000)}})
	if err != nil {
		t.Fatal(err)
	}
	measured, exact, poisson, upper := out.Figures[0].Value, out.Figures[1].Value,
		out.Figures[2].Value, out.Figures[3].Value
	if deviation := math.Exp(1) / math.Sqrt(20_000); math.Abs(measured-exact) > 5*deviation*0.5 ||
		exact < 10*poisson || exact > upper {
		t.Errorf("measured %v, exactly %v, Poisson %v, upper end %v", measured, exact, poisson, upper)
	}
}

// Over twenty seeds the passes that are simulated give the attack its δ.
func TestShuffledBatchesOverSeeds(t *testing.T) {
	c, exact := largestSumAttack(100, 1, 1)
	for seed := range uint64(20) {
		s := &trial{ctx: t.Context(), seed: seed}
		worlds := s.largestSums(100, 1, 2000)
		measured := shareAbove(worlds[0], c) - math.E*shareAbove(worlds[1], c)
		if deviation := math.E / math.Sqrt(2000); math.Abs(measured-exact) > 5*deviation*0.5 {
			t.Errorf("seed %d: measured %v, exactly %v", seed, measured, exact)
		}
	}
}
