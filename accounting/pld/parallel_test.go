package pld

import (
	"context"
	"math"
	"testing"
)

func TestParallelPlain(t *testing.T) {
	p := Parallel([][]Part{{{Pure(0.3), 1}}, {{Pure(1), 1}}, {{Pure(0.2), 1}}}, false)
	if p.Key() != Pure(1).Key() {
		t.Errorf("dearest of pure branches is %s", p.Key())
	}
	p = Parallel([][]Part{{{Gaussian(0.3), 1}, {Gaussian(0.4), 1}}, {{Gaussian(0.2), 4}}}, false)
	if _, got := Family(p); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("dearest of Gaussian branches has μ = %g", got)
	}
	p = Parallel([][]Part{{{Gaussian(0.3), 1}}, {{Gaussian(0.4), 1}}, {{Gaussian(0.1), 1}}}, true)
	if _, got := Family(p); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("two dearest Gaussian branches have μ = %g", got)
	}
}

// The curve of the block is nowhere below any branch, and close to the largest.
func TestParallelIsTheMaximum(t *testing.T) {
	gauss, lap := Gaussian(0.8), Laplace(1)
	p := Parallel([][]Part{{{gauss, 1}}, {{lap, 1}}}, false)
	for e := -2.0; e < 6; e += 0.1 {
		want := math.Max(gauss.Delta(e), lap.Delta(e))
		if got := p.Delta(e); got < want*(1-1e-10) || got > want*1.02+1e-9 {
			t.Errorf("at %g: %g, largest branch %g", e, got, want)
		}
	}
}

// A branch that is itself a composition: its stand-in lies above the exact curve.
func TestParallelComposesBranches(t *testing.T) {
	p := Parallel([][]Part{{{Laplace(0.1), 100}}, {{Pure(0.01), 3}}}, false)
	i, err := Epsilon(context.Background(), []Part{{p, 1}}, 1e-6, Options{})
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
	sampled := Subsample(0.94, Pure(1.133))
	for name, branches := range map[string][][]Part{
		"maximum": {{{Response(0.37, 3), 1}}, {{sampled, 1}}},
		"stack":   {{{sampled, 2}}},
	} {
		block := Parallel(branches, false)
		if block.Symmetric() {
			t.Errorf("%s: the block counts as symmetric", name)
		}
		for _, delta := range []float64{0.414, 1e-3} {
			whole, err := Epsilon(context.Background(), []Part{{block, 2}}, delta, Options{})
			if err != nil {
				t.Fatal(err)
			}
			branch := branches[len(branches)-1][0]
			alone, err := Epsilon(context.Background(), []Part{{branch.Pair, 2 * branch.Count}}, delta, Options{})
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
	a, b := Subsample(0.5, Laplace(2)), Subsample(0.5, Laplace(2.0001))
	turned := Pair{Remove: b.Add, Add: b.Remove}
	for _, delta := range []float64{0.2, 1e-6} {
		block, err := Epsilon(context.Background(), []Part{{Parallel([][]Part{{{a, 1}}, {{b, 1}}}, true), 1}}, delta, Options{})
		if err != nil {
			t.Fatal(err)
		}
		moved, err := Epsilon(context.Background(), []Part{{a, 1}, {turned, 1}}, delta, Options{})
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
		branch := []Part{{Pure(epsilon), 2}}
		block := Parallel([][]Part{branch, {{Gaussian(0.1), 1}}}, false)
		i, err := Epsilon(context.Background(), []Part{{block, 1}}, 1e-5, Options{})
		if err != nil || i.Upper < 2*epsilon*(1-1e-6) {
			t.Errorf("ε = %g: [%g, %g], %v", epsilon, i.Lower, i.Upper, err)
		}
	}
}
