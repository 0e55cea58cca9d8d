package spectrum

import (
	"context"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/internal/gauge"
)

// TestJumps compares what jumps and parts of octaves claim with every |F| by its formula. Some losses are ±ε, for which
// the angles are known to the last place, so that half a frequency too many is found out; others are those of Laplace
// noise, which have rules of quadrature.
func TestJumps(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(5, 12))
	var jumps, passed, asked int
	for range gauge.Cases(50, 300) {
		s := Stack{Square: 1e-3 * r.Float64()}
		var epsilons []float64
		laplace := r.IntN(3) == 0
		for range 1 + r.IntN(3) {
			epsilon := 0.05 + 0.4*r.Float64()
			line := Line{Loss: pure(epsilon), Count: float64(1 + r.IntN(30))}
			if laplace {
				line = Line{Loss: loss.Laplace(epsilon), Count: float64(1 + r.IntN(300))}
			}
			epsilons, s.Lines = append(epsilons, epsilon), append(s.Lines, line)
		}
		moment := func(epsilon float64, z complex128) complex128 { // E e^{zL}
			up, down := cmplx.Exp(z*complex(epsilon, 0)), cmplx.Exp(-(z+1)*complex(epsilon, 0))
			if laplace {
				return ((z+1)*up + z*down) / (2*z + 1)
			}
			return (up + down) / complex(1+math.Exp(-epsilon), 0)
		}
		short := s.truncate(ctx, 0)
		p := Inversion{Theta: 0.5 + 2*r.Float64(), Window: 8 + 40*r.Float64(), Up: 1, Tolerance: 1e-9, deviation: 1}
		p.Down, p.floor = -p.Theta, -6-20*r.Float64()
		e := &evaluation{of: &short, count: 500, first: 16, Spectrum: &Spectrum{plan: p, square: s.Square,
			spacing: 2 * math.Pi / p.Window}}
		e.begin()
		if err := e.tilt(ctx); err != nil {
			t.Fatal(err)
		}
		size := func(k int) float64 {
			omega := float64(k) * e.spacing
			log := -s.Square * omega * omega / 2
			for i, l := range s.Lines {
				here, there := moment(epsilons[i], complex(p.Theta, omega)), moment(epsilons[i], complex(p.Theta, 0))
				log += l.Count * math.Log(cmplx.Abs(here)/real(there))
			}
			return log
		}
		negligible := func(from, n int, most float64, what string) {
			for k := from + 1; k <= min(from+n, e.count); k++ {
				if got := size(k); got > most+1e-9 || most >= e.skipLimit(from) {
					t.Errorf("ε = %v, counts %v, %s: ln|F| is %g at %d, and at most %g", epsilons, s.Lines, what, got, k, most)
					return
				}
			}
		}
		for k := 1; k <= e.count; k++ {
			if err := e.enter(ctx, k); err != nil {
				t.Fatal(err)
			}
			for i := range e.factors {
				f := &e.factors[i]
				at := f.block.phiAt(ctx, short.cache, k, e.spacing, false)
				if f.most = at.most; k == 1 {
					f.step = mostAngle(at.phi, f.askew)
				}
			}
			if n, most := e.jump(e.product(k).most, e.skipLimit(k), e.count-k); n > 0 {
				jumps++
				negligible(k, n, most, "jump")
			}
			if k < 16 || k&(k-1) != 0 || k == e.count {
				continue
			}
			if err := e.enter(ctx, k+1); err != nil {
				t.Fatal(err)
			}
			for parts := 1; parts <= k; parts *= 2 {
				times, most := e.passOctave(ctx, k, parts)
				if asked++; times > 0 {
					passed++
					negligible(k, k, most, "parts")
				}
			}
		}
	}
	if jumps < 5_000 || passed < 50 || asked < 2*passed {
		t.Errorf("%d jumps, %d octaves passed of %d", jumps, passed, asked)
	}
}

// TestAngles compares the bounds of angles and of the logarithm of a cosine with what they bound.
func TestAngles(t *testing.T) {
	log := func(x float64) float64 { return math.Log1p(-2 * math.Sin(x/2) * math.Sin(x/2)) } // of cos x
	for x := 1e-12; x < math.Pi/2; x *= 1.01 {
		exact := log(x)
		if got := logCos(x); got < exact*(1+1e-14) || got > exact*0.75 && x < 1.3 {
			t.Errorf("ln cos %g: %v, want just above %v", x, got, exact)
		}
		if got := leastAngle(exact); got > x || got < x*(1-1e-6) {
			t.Errorf("the angle %g from its cosine: %v", x, got)
		}
		for _, z := range []float64{0, 1e-15, 1e-9, 1e-3, 0.3, 0.9} {
			near := math.Min(0, exact-math.Log1p(-z)) // |φ| if M(θ) is smaller than it was taken for
			if got := leastAngle(exact) - askew(z); got > 0 && log(got) < near {
				t.Errorf("the angle %g with a mass off by %g: %v", x, z, got)
			}
			p := phi{log: exact, err: z}
			least := (math.Exp(exact) - z) * (1 - z)
			if got := mostAngle(p, askew(z)); got < math.Acos(math.Max(0, math.Min(1, least)))-1e-8 {
				t.Errorf("the angle %g with errors of %g: at most %v", x, z, got)
			}
		}
	}
	if logCos(0) != 0 || logCos(-1) != 0 {
		t.Error("an angle below 0 makes a difference")
	}
}
