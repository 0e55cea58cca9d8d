package pld

import (
	"context"
	"testing"

	"epsiloscope/accounting/pld/pairs"
)

// A branch that is itself a composition: its stand-in lies above the exact curve.
func TestParallelComposesBranches(t *testing.T) {
	p := pairs.Parallel([][]pairs.Part{{{Pair: pairs.Laplace(0.1), Count: 100}},
		{{Pair: pairs.Pure(0.01), Count: 3}}}, false)
	i, err := Epsilon(context.Background(), []pairs.Part{{Pair: p, Count: 1}}, 1e-6, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if i.Upper < 4.69267-1e-4 || i.Upper > 4.69267*1.02 { // peers' row 85
		t.Errorf("[%g, %g], want an upper end just above 4.69267", i.Lower, i.Upper)
	}
	if i.Note == "" {
		t.Error("an interval that is not tight must say so")
	}
}

// A block with a sampled branch has two directions. Once both had one key, the block
// counted as symmetric, and its ε came out below that of the branch alone: 0.6366
// instead of 0.7405.
func TestParallelKeepsBothDirections(t *testing.T) {
	sampled := pairs.Subsample(0.94, pairs.Pure(1.133))
	for name, branches := range map[string][][]pairs.Part{
		"maximum": {{{Pair: pairs.Response(0.37, 3), Count: 1}}, {{Pair: sampled, Count: 1}}},
		"stack":   {{{Pair: sampled, Count: 2}}},
	} {
		block := pairs.Parallel(branches, false)
		if block.Symmetric() {
			t.Errorf("%s: the block counts as symmetric", name)
		}
		for _, delta := range []float64{0.414, 1e-3} {
			whole, err := Epsilon(context.Background(), []pairs.Part{{Pair: block, Count: 2}}, delta, Options{})
			if err != nil {
				t.Fatal(err)
			}
			branch := branches[len(branches)-1][0]
			alone, err := Epsilon(context.Background(),
				[]pairs.Part{{Pair: branch.Pair, Count: 2 * branch.Count}}, delta, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if whole.Upper < alone.Lower {
				t.Errorf("%s, δ = %g: the block costs %g, its branch alone %g", name, delta, whole.Upper, alone.Lower)
			}
		}
	}
}

// A record that moves leaves one branch and comes into the other: its loss is that of
// a removal and an addition, which two removals, or two additions, need not cover.
func TestParallelMovesOutAndIn(t *testing.T) {
	a, b := pairs.Subsample(0.5, pairs.Laplace(2)), pairs.Subsample(0.5, pairs.Laplace(2.0001))
	turned := pairs.Pair{Remove: b.Add, Add: b.Remove}
	for _, delta := range []float64{0.2, 1e-6} {
		block, err := Epsilon(context.Background(),
			[]pairs.Part{{Pair: pairs.Parallel([][]pairs.Part{{{Pair: a, Count: 1}}, {{Pair: b, Count: 1}}}, true),
				Count: 1}}, delta, Options{})
		if err != nil {
			t.Fatal(err)
		}
		moved, err := Epsilon(context.Background(),
			[]pairs.Part{{Pair: a, Count: 1}, {Pair: turned, Count: 1}}, delta, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if block.Upper < moved.Lower {
			t.Errorf("δ = %g: the block costs %g, a record that moves %g", delta, block.Upper, moved.Lower)
		}
	}
}

// Almost all of the mass on the largest loss: float64 sees no deviation. The mesh once
// ended next to the smallest loss then, and the branch cost nothing.
func TestParallelOfAlmostOneLoss(t *testing.T) {
	for _, epsilon := range []float64{30, 40, 60} {
		branch := []pairs.Part{{Pair: pairs.Pure(epsilon), Count: 2}}
		block := pairs.Parallel([][]pairs.Part{branch, {{Pair: pairs.Gaussian(0.1), Count: 1}}}, false)
		i, err := Epsilon(context.Background(), []pairs.Part{{Pair: block, Count: 1}}, 1e-5, Options{})
		if err != nil || i.Upper < 2*epsilon*(1-1e-6) {
			t.Errorf("ε = %g: [%g, %g], %v", epsilon, i.Lower, i.Upper, err)
		}
	}
}
