package bins

import (
	"context"
	"math"
	"testing"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"

	"pgregory.net/rapid"
)

// prices returns E(S−k)₊ and E(k−S)₊ of an estimate. From above, what is beyond counts in full.
func prices(s Sum, t, k float64, side numeral.Side) (call, put float64) {
	for _, v := range s.Values {
		call += v.Q * math.Max(0, v.X-k)
		put += v.Q * math.Max(0, k-v.X)
	}
	if side == numeral.Up {
		return call*(1+s.Roundoff) + t*s.Beyond.P, put*(1+s.Roundoff) + k*s.Beyond.Q
	}
	return call * (1 - s.Roundoff), put * (1 - s.Roundoff)
}

func cutOf(z float64) float64 { return 1/z + 11.5 }

// lognormal returns a sum that nothing interrupts.
func lognormal(t uint64, z, eta, cut float64, side numeral.Side) Sum {
	s, _ := Lognormal(context.Background(), t, z, eta, cut, side)
	return s
}

func both(t uint64, z, eta float64) (upper, lower Sum) {
	return lognormal(t, z, eta, cutOf(z), numeral.Up), lognormal(t, z, eta, cutOf(z), numeral.Down)
}

// one returns E(X−k)₊ and E(k−X)₊ of one copy in closed form.
func one(z, k float64) (call, put float64) {
	if k <= 0 {
		return 1 - k, 0
	}
	g := z*math.Log(k) + 1/(2*z)
	return special.NormalCDF(1/z-g) - k*special.NormalCDF(-g), k*special.NormalCDF(g) - special.NormalCDF(g-1/z)
}

// few are the same of a few copies, by the trapezoidal rule in all but the last: nothing is put
// on a mesh.
func few(copies int, z, k, step float64) (call, put float64) {
	if copies == 1 {
		return one(z, k)
	}
	for i := range int((1/z+18)/step) + 1 {
		g := float64(i)*step - 9
		c, p := few(copies-1, z, k-math.Exp(g/z-1/(2*z*z)), step)
		call += step * special.NormalPDF(g) * c
		put += step * special.NormalPDF(g) * p
	}
	return call, put
}

// A few copies: both prices lie between the estimates, which are close.
func TestFewCopies(t *testing.T) {
	for copies := 1; copies <= 3; copies++ {
		for _, z := range []float64{0.5, 1, 3} {
			step := 1. / 1024 // where the rest becomes negative the integrand bends
			if copies == 3 {
				step = 1. / 24
			}
			if copies == 3 && z < 3 {
				continue // the rule would need too many points
			}
			upper, lower := both(uint64(copies), z, 0.1)
			for _, e := range []float64{-1, 0, 0.2, 2} {
				n := float64(copies)
				k := n * math.Exp(e)
				call, put := few(copies, z, k, step)
				callUp, putUp := prices(upper, n, k, numeral.Up)
				callLow, putLow := prices(lower, n, k, numeral.Down)
				tolerance := 1e-12 // of the trapezoidal rule, and of a difference of two numbers near 1
				if callLow > call+tolerance || call > callUp+tolerance || putLow > put+tolerance ||
					put > putUp+tolerance {
					t.Errorf("%d copies, z %v, ε %v: %v in [%v, %v], %v in [%v, %v]", copies, z, e, call, callLow, callUp, put, putLow, putUp)
				}
				if call > 1e-9 && callUp-callLow > 0.02*call || put > 1e-6 && putUp-putLow > 0.05*put {
					t.Errorf("%d copies, z %v, ε %v: wide, [%v, %v] and [%v, %v]", copies, z, e, callLow, callUp, putLow, putUp)
				}
			}
		}
	}
}

// The mean is t, and the second and third moments of many copies have closed forms, with
// r = e^{1/z²}: E(S−t)² = t(r−1) and E(S−t)³ = t(r³ − 3r + 2). Squares and cubes of what is
// positive are convex.
func TestMoments(t *testing.T) {
	for _, z := range []float64{0.6, 1, 4} {
		for _, copies := range []uint64{1, 7, 100, 99_999, 1 << 26} {
			n, r := float64(copies), math.Exp(1/(z*z))
			m2 := n*n + n*(r-1)
			m3 := n*n*n + 3*n*n*(r-1) + n*(r*r*r-3*r+2)
			upper, lower := both(copies, z, 0.2)
			moments := func(s Sum) (m [4]float64) {
				for _, v := range s.Values {
					q := v.Q
					for i := range m {
						m[i] += q
						q *= v.X
					}
				}
				return m
			}
			up, low := moments(upper), moments(lower)
			within := upper.Roundoff + n*1e-23
			if math.Abs(up[0]-1) > within || math.Abs(low[0]-1) > within || math.Abs(up[1]/n-1) > within ||
				math.Abs(low[1]/n-1) > within {
				t.Errorf("z %v, %v copies: masses %v, %v, means %v, %v", z, n, up[0], low[0], up[1]/n, low[1]/n)
			}
			within += 1e-8 // beyond the cut lies little even of the cubes
			if low[2] > m2*(1+within) || up[2] < m2*(1-within) || low[3] > m3*(1+within) || up[3] < m3*(1-within) {
				t.Errorf("z %v, %v copies: E S² %v in [%v, %v], E S³ %v in [%v, %v]", z, n, m2, low[2], up[2], m3, low[3], up[3])
			}
			if up[2]-low[2] > 0.05*(m2-n*n) {
				t.Errorf("z %v, %v copies: variance %v in [%v, %v]", z, n, m2-n*n, low[2]-n*n, up[2]-n*n)
			}
		}
	}
}

// Whatever the meshes, what is below is below what is above, everywhere.
func TestMeshesEnclose(t *testing.T) {
	gauge.Check(t, gauge.Cases(40, 100), func(t *rapid.T) {
		z := rapid.Float64Range(0.3, 4).Draw(t, "z")
		copies := uint64(math.Exp(rapid.Float64Range(0.7, 9).Draw(t, "ln t")))
		upper := lognormal(copies, z, rapid.Float64Range(0.15, 2).Draw(t, "η above"), cutOf(z), numeral.Up)
		lower := lognormal(copies, z, rapid.Float64Range(0.15, 2).Draw(t, "η below"), cutOf(z), numeral.Down)
		n := float64(copies)
		for range 20 {
			k := n * math.Exp(rapid.Float64Range(-1, 1).Draw(t,
				"ε")*rapid.SampledFrom([]float64{0.01, 0.1, 1, 10}).Draw(t, "scale"))
			callUp, putUp := prices(upper, n, k, numeral.Up)
			callLow, putLow := prices(lower, n, k, numeral.Down)
			within := 1 + upper.Misplaced + lower.Misplaced
			if callLow > callUp*within+1e-12*k || putLow > putUp*within+1e-12*k {
				t.Fatalf("z %v, %v copies, at %v: %v > %v, or %v > %v", z, n, k, callLow, callUp, putLow, putUp)
			}
		}
	})
}

// A mesh twice as fine is four times as close, for about four times the work.
func TestSecondOrder(t *testing.T) {
	gap := func(eta float64) float64 {
		upper, lower := both(1000, 1, eta)
		up, _ := prices(upper, 1000, 1050, numeral.Up)
		low, _ := prices(lower, 1000, 1050, numeral.Down)
		return up - low
	}
	if r := gap(0.2) / gap(0.1); r < 2.5 || r > 6 {
		t.Errorf("half as fine: %v times as wide", r)
	}
}

// What is left out is counted: the mass that a mesh with a near cut lacks is no more than it
// says.
func TestBeyond(t *testing.T) {
	for _, copies := range []uint64{1, 50, 1000} {
		s := lognormal(copies, 1, 0.2, 3, numeral.Up)
		mass, mean, n := 0.0, 0.0, float64(copies)
		for _, v := range s.Values {
			mass += v.Q
			mean += v.Q * v.X / n
		}
		if lack := 1 - mass; lack > s.Beyond.Q*(1+1e-9) || lack < s.Beyond.Q/100 {
			t.Errorf("%d copies: %v is left out, counted %v", copies, lack, s.Beyond.Q)
		}
		if lack := 1 - mean; lack > s.Beyond.P*(1+1e-9) || lack < s.Beyond.P/100 {
			t.Errorf("%d copies: %v of the mean is left out, counted %v", copies, lack, s.Beyond.P)
		}
	}
}

// Of very much noise X is next to 1, and most cells of its mesh have no mass in float64: they
// take no time.
func TestMuchNoise(t *testing.T) {
	const z = 3e4
	upper, lower := both(1, z, 0.17)
	for _, g := range []float64{-3, 0, 3} {
		k := math.Exp(g/z - 1/(2*z*z))
		call, put := one(z, k)
		callUp, putUp := prices(upper, 1, k, numeral.Up)
		callLow, putLow := prices(lower, 1, k, numeral.Down)
		const off = 1e-15 // X is next to 1, known to a few units of round-off
		if !(callLow-off <= call && call <= callUp+off && putLow-off <= put && put <= putUp+off) ||
			callUp > 1.1*call || putUp > 1.1*put {
			t.Errorf("at %g: E(S−k)₊ %.6g in [%.6g, %.6g], E(k−S)₊ %.6g in [%.6g, %.6g]", g, call, callLow, callUp, put, putLow, putUp)
		}
	}
}

// A sum of many copies looks at the context with every value of a list, and ends without a
// further product.
func TestSumsEnd(t *testing.T) {
	whole := gauge.LookedAt(math.MaxInt64)
	s, err := Lognormal(whole, 64, 1, 0.17, cutOf(1), numeral.Up)
	looks := whole.Looks.Load()
	if err != nil || int(looks) < 2*len(s.Values) {
		t.Fatalf("%d looks for %d values (%v)", looks, len(s.Values), err)
	}
	for _, end := range []int64{0, looks / 3, looks - 1} {
		ctx := gauge.LookedAt(end)
		s, err := Lognormal(ctx, 64, 1, 0.17, cutOf(1), numeral.Up)
		if err == nil || s.Values != nil || ctx.After() > 2 {
			t.Errorf("ended at look %d of %d, %d looks more: %d values (%v)", end, looks, ctx.After(), len(s.Values), err)
		}
	}
}

// A caller who forgets the side gets no estimate: one that is on neither side is none.
func TestSideIsNotGuessed(t *testing.T) {
	if s, err := Lognormal(context.Background(), 4, 1, 0.1, 8, numeral.ToNearest); err == nil || s.Values != nil {
		t.Errorf("%d values (%v)", len(s.Values), err)
	}
}

// What a mesh leaves out below the mean costs a divergence at least what it would have cost in
// its place.
func TestChargesWhatIsLeftOut(t *testing.T) {
	for _, alpha := range []float64{1.5, 2, 8} {
		whole := NewRenyi(lognormal(20, 1, 0.17, cutOf(1), numeral.Up), 20, 1, cutOf(1))
		remove, add := whole.Remove(alpha), whole.Add(alpha)
		for i := range whole.sum.Values {
			if s := &whole.sum.Values[i]; s.X < 0.6*whole.t {
				whole.sum.Beyond.Little += s.Q
				s.Q = 0
			}
		}
		if less := whole.Remove(alpha); less < remove {
			t.Errorf("α = %v: D(P‖Q) ≤ %v with less of the list, %v with all of it", alpha, less, remove)
		}
		if less := whole.Add(alpha); less < add {
			t.Errorf("α = %v: D(Q‖P) ≤ %v with less of the list, %v with all of it", alpha, less, add)
		}
	}
}

// A sum of a list and itself is that of the list and an equal one: it is only computed with half the products.
func TestDoublesAreSums(t *testing.T) {
	for _, side := range []numeral.Side{numeral.Up, numeral.Down} {
		w := &work{ctx: context.Background(), eta: 0.3, side: side}
		x := w.lognormal(0.8, cutOf(0.8))
		x = w.remesh(w.sum(x, x)) // several tiers
		equal := *x
		one, other := w.sum(x, x), w.sum(x, &equal)
		for i, r := range one.tiers {
			for j, q := range r.mass {
				moved := side == numeral.Down &&
					math.Abs(r.moment[j]-other.tiers[i].moment[j]) > 2*one.err*math.Abs(r.moment[j])
				if moved || math.Abs(q-other.tiers[i].mass[j]) > one.err*q {
					t.Fatalf("side %v: tier %d has at %d the mass %v instead of %v", side, i, j, q, other.tiers[i].mass[j])
				}
			}
		}
	}
}
