package spectrum

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting/pld/loss"
)

// listed returns all sums of a stack of atoms, whose losses are base + step·n up to the gaps given:
// the mass of every loss, one release at a time, in positive terms.
func listed(lines []Line) map[float64]float64 {
	sums := map[float64]float64{0: 1}
	for _, l := range lines {
		for range int(l.Count) {
			next := map[float64]float64{}
			for s, p := range sums {
				for _, a := range l.Loss.Atoms {
					next[s+a.Loss] += p * math.Exp(a.LogP)
				}
			}
			sums = next
		}
	}
	return sums
}

// A stack on a lattice is read off one period of its frequencies, without smoothing, to ten
// digits: beside a list of all its sums. Half of the lattices are off by more than float64 makes
// them, which is charged.
func TestLattice(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 24))
	ctx := context.Background()
	wide, all := 0, 0 // next to the largest loss, where δ ends
	for n := range 60 {
		step := math.Exp(r.NormFloat64() - 2)
		gap := step
		if n%2 == 1 {
			gap *= 1 + 1.6e-12*(r.Float64()-0.5)
		}
		var s Stack
		for i := range 1 + r.IntN(2) {
			up, down := gap*float64(i+1), step*float64(i+1)
			p := math.Expm1(down) / (math.Expm1(down) - math.Expm1(-up))
			zero := r.IntN(2) == 0
			if zero { // a third atom
				p *= r.Float64()
			}
			q := p * -math.Expm1(-up) / math.Expm1(down)
			d := loss.Distribution{Atoms: []loss.Atom{{Loss: up, LogP: math.Log(p)}, {Loss: -down, LogP: math.Log(q)}}}
			if zero {
				d.Atoms = append(d.Atoms, loss.Atom{LogP: math.Log1p(-p - q)})
			}
			s.Lines = append(s.Lines, Line{Loss: d, Count: float64(3 + r.IntN(12))})
		}
		short := s.withKeys().truncate(ctx, 0)
		aimed := aim(math.Log(1e-3)-10*r.Float64(), math.NaN(), 1e-9, 0)
		if n%5 == 0 { // frequencies left out are charged
			aimed.band = 0.2
		}
		p, ok := short.choose(aimed)
		if !ok || p.lattice.step == 0 {
			t.Fatalf("stack %d is on no lattice: %+v", n, p)
		}
		c, ok, err := short.evaluate(ctx, p)
		if err != nil || !ok {
			t.Fatal(n, ok, err)
		}
		sums := listed(s.Lines)
		for k := range 20 {
			epsilon := p.guess + p.deviation*(2*r.Float64()-1)
			if k%2 == 0 { // next to a point
				epsilon, _, _ = p.lattice.point(epsilon)
				epsilon += 1e-13 * float64(k-10)
			}
			truth := 0.0
			for l, m := range sums {
				if l > epsilon {
					truth -= m * math.Expm1(epsilon-l)
				}
			}
			if truth == 0 {
				continue
			}
			lower, upper := c.LogDelta(epsilon)
			if ln := math.Log(truth); !(lower <= ln+1e-13 && ln-1e-13 <= upper) {
				t.Errorf("stack %d, ε %.15g: ln δ is %.15g, claimed [%.15g, %.15g]", n, epsilon, ln, lower, upper)
			}
			if all++; upper-lower > 1e-8 && n%5 != 0 {
				wide++
			}
		}
	}
	if wide > all/3 {
		t.Errorf("%d of %d points are wide", wide, all)
	}
}

// What is charged for losses off their lattice and for a rounded spacing covers both at every
// frequency.
func TestErrorsOfALattice(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 24))
	for range 200 {
		l := lattice{step: math.Exp(2*r.NormFloat64() - 2), moved: 1e-9 * r.Float64()}
		theta, deviation := math.Exp(2*r.NormFloat64()), math.Exp(r.NormFloat64())
		half := math.Floor(math.Exp(7 * r.Float64()))
		spacing := 2 * math.Pi / ((2*half + 1) * l.step)
		l.offset = r.NormFloat64()
		l.size = math.Abs(l.offset)
		for _, off := range []float64{-0.9, 0, 0.9, 0.5 * l.step / l.moved} {
			want := l.offset + 7*l.step
			epsilon := want - off*l.moved
			if p, least, most := l.point(epsilon); math.Abs(p-want) > 1e-14*(l.size+7*l.step) ||
				least > want-epsilon-l.moved || most < want-epsilon+l.moved || most > l.step {
				t.Errorf("%+v: from %g up to the point %g, claimed between %g and %g of %g", l, epsilon, want, least, most, p)
			}
		}
		if (theta+math.Pi/l.step)*l.moved > 1e-7 {
			continue
		}
		sum := 0.0
		for k := 0.0; k <= half; k++ {
			omega := k * spacing
			twice := 2.0
			if k == 0 {
				twice = 1
			}
			d, b := l.kernels(theta, omega)
			rise := complex(-math.Expm1(-l.step*r.Float64()), 0)
			size := math.Hypot(real(d+rise*b), imag(d+rise*b))
			if most := l.kernelSize(theta, omega); size > most {
				t.Fatalf("%+v, θ %g, ω %g: kernel %g, bound %g", l, theta, omega, size, most)
			}
			sum += twice * size * (math.Expm1(math.Hypot(theta, omega)*l.moved) + care*unit*omega*deviation)
		}
		if got := l.charge(theta, deviation, spacing, half); got < sum {
			t.Errorf("%+v, θ %g: %g charged, it may be %g", l, theta, got, sum)
		}
	}
}

// An error of what is added below a point is charged to δ there.
func TestErrorsBelowAPoint(t *testing.T) {
	s := Spectrum{spacing: 0.1, plan: Inversion{Theta: 2, lattice: lattice{step: 0.5}},
		terms: []term{{}, {omega: 0.1, log: -1}}}
	s.prepare()
	_, plain, _ := s.ends(0.2)
	s.rise.loose += planted
	if _, upper, _ := s.ends(0.2); upper.err-plain.err < -math.Expm1(-0.3)*planted*s.spacing/(2*math.Pi)*(1-1e-9) {
		t.Errorf("%g charged", upper.err-plain.err)
	}
}
