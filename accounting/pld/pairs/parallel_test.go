package pairs

import (
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
