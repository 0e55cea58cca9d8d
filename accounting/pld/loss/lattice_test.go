package loss

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/internal/gauge"
)

// A panel of integers by 16 nodes, and one of a density by 32: the weights are positive and add up, the nodes lie
// between the points, and polynomials of degree 31 are summed exactly, of degree 63 integrated.
func TestGaussRules(t *testing.T) {
	rules := []*gaussRule{legendre}
	for _, n := range []float64{65, 66, 100, 257, 4096, 1e6 + 1} {
		rules = append(rules, gauss(n))
	}
	for _, rule := range rules {
		n, nodes, weights := rule.masses, rule.nodes, rule.weights
		total := 0.0
		for i, w := range weights {
			total += w
			if !(w > 0) || math.Abs(nodes[i]) > 1-1/n || slices.Contains(nodes[:i], nodes[i]) {
				t.Errorf("%g points: nodes %v, weights %v", n, nodes, weights)
			}
		}
		if math.Abs(total-2) > 1e-14 {
			t.Errorf("%g points: weights of %.17g", n, total)
		}
		for k := 1; k < 2*len(nodes); k++ { // Chebyshev's polynomials
			var sum, rule float64
			if n > 5000 && k%2 == 0 { // the integral
				sum = 2 / float64(1-k*k)
			}
			for j := 0.5; j < n && n < 5000; j++ {
				sum += math.Cos(float64(k)*math.Acos(2*j/n-1)) * 2 / n
			}
			for i, w := range weights {
				rule += w * math.Cos(float64(k)*math.Acos(nodes[i]))
			}
			if math.Abs(sum-rule) > 1e-13 && (n < 5000 || math.IsInf(n, 1)) {
				t.Errorf("%g points, degree %d: %.16g, rule %.16g", n, k, sum, rule)
			}
		}
	}
}

// Nodes and weights of every rule, with 320 bits: the weights are off by no more than the rule says, the nodes by some
// units in the last place of 1.
func TestGaussRounding(t *testing.T) {
	const u = 0x1p-53
	rules := []*gaussRule{legendre}
	for n := 65.0; n < 1e7; n = math.Ceil(1.2 * n) {
		rules = append(rules, gauss(n))
	}
	one := oracle.R(1)
	for _, rule := range gauge.Some(4, rules) {
		square := func(k float64) oracle.Real { // of b_k
			out := oracle.R(k * k).Div(oracle.R(4*k*k - 1))
			if !math.IsInf(rule.masses, 1) {
				share := oracle.R(k).Div(oracle.R(rule.masses))
				out = out.Mul(one.Sub(share.Mul(share)))
			}
			return out
		}
		worst, moved := 0.0, 0.0
		for i, near := range rule.nodes {
			x, weight := oracle.R(near), one
			for range 4 { // Newton's steps, with polynomials of leading coefficient 1
				before, p, slopeBefore, slope, norm, sum := oracle.R(0), one, oracle.R(0), oracle.R(0), one, oracle.R(0)
				for k := range rule.nodes {
					if k > 0 {
						norm = norm.Mul(square(float64(k)))
					}
					sum = sum.Add(p.Mul(p).Div(norm))
					b := oracle.R(0)
					if k > 0 {
						b = square(float64(k))
					}
					before, p, slopeBefore, slope = p, x.Mul(p).Sub(b.Mul(before)), slope,
						p.Add(x.Mul(slope)).Sub(b.Mul(slopeBefore))
				}
				weight = oracle.R(2).Div(sum)
				x = x.Sub(p.Div(slope))
			}
			worst = math.Max(worst, math.Abs(weight.Sub(oracle.R(rule.weights[i])).Float())/rule.weights[i]/u)
			moved = math.Max(moved, math.Abs(x.Sub(oracle.R(near)).Float())/u)
		}
		if worst > rule.rounding || moved > 2 {
			t.Errorf("%d nodes of %g masses: weights off by %g units, nodes by %g", len(rule.nodes), rule.masses, worst, moved)
		}
	}
}

// points lists a law with densities on lattices, integer by integer.
func points(d Distribution) []Atom {
	out := append([]Atom(nil), d.Atoms...)
	for i := range d.Densities {
		e := &d.Densities[i]
		for x := math.Max(e.Lo, -45*e.Sigma-math.Mod(45*e.Sigma, 1)) + 0.5; x < math.Min(e.Hi, 45*e.Sigma); x++ {
			x := math.Round(x)
			base, _ := e.base(x)
			out = append(out, Atom{e.lossAt(x), base + e.Num.pointAt(x).log})
		}
	}
	return out
}

func drawLattice(r *rand.Rand) (Distribution, string) {
	sigma := math.Exp(3.5 + 2.5*r.Float64())
	shift := math.Ceil(sigma * math.Exp(2*r.NormFloat64()-3))
	rate := math.Pow(10, -3*r.Float64())
	d, text := DiscreteGaussian(sigma, shift), fmt.Sprintf("σ %.4g Δ %g", sigma, shift)
	kind := r.IntN(5)
	switch kind {
	case 0:
		d, text = Subsample(rate, d), text+fmt.Sprintf(" sampled at %.3g", rate)
	case 1:
		d, text = SampledAdd(rate, d), text+fmt.Sprintf(" sampled at %.3g, add", rate)
	case 2:
		d, text = Subsample(rate, d).Symmetrize(), text+fmt.Sprintf(" sampled at %.3g, doubled", rate)
	case 3:
		d, text = Subsample(rate, d).Reverse(), text+fmt.Sprintf(" sampled at %.3g, mirrored", rate)
	}
	if kind < 4 || r.IntN(2) == 0 { // a far mode of a rare sample decides nothing
		d, text = d.Truncate(math.Pow(10, -15*r.Float64())), text+", truncated"
	}
	return d, text
}

// Densities on a lattice against the same losses point by point: masses, the curve, and the
// rule within the error it claims.
func TestLattice(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 16))
	for range gauge.Cases(12, 80) {
		d, text := drawLattice(r)
		list := points(d)
		var p, q float64
		for _, a := range list {
			p, q = p+math.Exp(a.LogP), q+math.Exp(a.LogP-a.Loss)
		}
		if math.Abs(p+d.Top-1) > 1e-12 || math.Abs(q+d.Bottom-1) > 1e-12 {
			t.Errorf("%s: masses %.15g and %.15g", text, p+d.Top, q+d.Bottom)
		}
		mean, variance := d.Moments()
		level := mean + math.Sqrt(variance)*3*r.NormFloat64()
		p, q = 0, 0
		for _, a := range list {
			if a.Loss > level {
				p, q = p+math.Exp(a.LogP), q+math.Exp(a.LogP-a.Loss)
			}
		}
		if gotP, gotQ := d.MassAbove(level); math.Abs(gotP-p) > 1e-12*p+1e-300 || math.Abs(gotQ-q) > 1e-12*q+1e-300 {
			t.Errorf("%s above %g: %.15g and %.15g, point by point %.15g and %.15g", text, level, gotP, gotQ, p, q)
		}
		_, hi := d.Span(1e-16)
		theta := math.Min(4*r.Float64()/math.Sqrt(variance), 20/math.Max(hi, 1e-300))
		l := Tilt{Theta: theta, Bandwidth: 20 * r.Float64() / math.Sqrt(variance),
			Tolerance: math.Pow(10, -6-6*r.Float64())}
		l.LogScale = coarseLog(d.Coarse(), theta)
		rule := d.Rule(context.Background(), []Tilt{l})
		if len(rule.Nodes) > 8192 {
			t.Errorf("%s: %d nodes", text, len(rule.Nodes))
		}
		for range 4 {
			z := complex(theta, l.Bandwidth*(2*r.Float64()-1))
			var want, got, size complex128
			s := func(loss float64) complex128 {
				return cmplx.Exp(z*complex(loss, 0)) - 1 + z*complex(math.Expm1(-loss), 0)
			}
			for _, a := range list {
				want += complex(math.Exp(a.LogP), 0) * s(a.Loss)
			}
			for _, n := range rule.Nodes {
				got += complex(math.Exp(n.LogW), 0) * s(n.Loss)
				size += complex(math.Exp(n.LogW)*(cmplx.Abs(s(n.Loss))+1+cmplx.Abs(z)), 0)
			}
			most := rule.Err[0]*math.Exp(l.LogScale) + 1e-13*real(size)
			if off := cmplx.Abs(want - got); !(off <= most) {
				t.Errorf("%s at %.4g: off by %.3g, claimed %.3g", text, z, off, most)
			}
		}
	}
}

// The curve of a discrete Gaussian point by point, also far out.
func TestLatticeCurve(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 16))
	for range 60 {
		sigma := math.Exp(3.5 + 3*r.Float64())
		shift := math.Ceil(sigma * math.Exp(2*r.NormFloat64()-3))
		d := DiscreteGaussian(sigma, shift)
		mu := shift / sigma
		epsilon := mu*mu/2 + mu*(12*r.Float64()-4)
		sum := 0.0
		for _, a := range points(d) {
			sum -= math.Exp(a.LogP) * math.Expm1(math.Min(0, epsilon-a.Loss))
		}
		if got := d.Densities[0].LogDelta(epsilon); math.Abs(got-math.Log(sum)) > 1e-12*(1+math.Abs(got)) {
			t.Errorf("σ %g, Δ %g: ln δ(%g) = %.15g, point by point %.15g", sigma, shift, epsilon, got, math.Log(sum))
		}
	}
}

// However far the shift is, the loss exceeds μ²/2 + cμ where the noise exceeds cσ, up to a step
// of the lattice: with that probability, of normal noise, the shift is seen.
func TestLatticeCurveFarAway(t *testing.T) {
	const sigma, c = 100, 4.75
	tail := func(z float64) float64 { return math.Log(math.Erfc(z/math.Sqrt2) / 2) }
	for _, shift := range []float64{1e6, 2.4e8, 1e9, 1e12, 1e18} {
		d, mu := DiscreteGaussian(sigma, shift), shift/sigma
		if got := d.Densities[0].LogDelta(mu*mu/2 + c*mu); shift < 1e18 &&
			!(got > tail(c+2./sigma) && got < tail(c-2./sigma)) {
			t.Errorf("Δ %g: ln δ = %g, want about %g", shift, got, tail(c))
		}
		if got := d.Densities[0].LogDelta(0); !(math.Abs(got) < 1e-12) {
			t.Errorf("Δ %g: ln δ(0) = %g, and the data are seen", shift, got)
		}
	}
}

// Cells of a lattice: between the two bounds lies the mass, and every point is in one cell.
func TestLatticeCells(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 16))
	for range 20 {
		sigma := math.Exp(3.5 + r.Float64())
		d := Subsample(r.Float64(), DiscreteGaussian(sigma, math.Ceil(sigma*r.Float64())))
		step := math.Exp(-2 - 4*r.Float64())
		cells, below, above, ok := d.Densities[0].Cells(context.Background(), func(float64) float64 {
			return step
		}, 1e-12, 1<<15)
		if !ok {
			t.Fatal("too many cells")
		}
		list := points(d)
		low, high := 0.0, below+above
		for i, c := range cells {
			low, high = low+c.PLow, high+c.PHigh
			if i > 0 && c.Lo != cells[i-1].Hi {
				t.Fatalf("a gap between %g and %g", cells[i-1].Hi, c.Lo)
			}
			if i%7 > 0 {
				continue
			}
			p, q := 0.0, 0.0
			for _, a := range list {
				if a.Loss > c.Lo && a.Loss <= c.Hi {
					p, q = p+math.Exp(a.LogP), q+math.Exp(a.LogP-a.Loss)
				}
			}
			if rise := p - math.Exp(c.Lo)*q; p < c.PLow*(1-1e-12) || p > c.PHigh*(1+1e-12) || rise < c.RiseLow-1e-14 ||
				rise > c.RiseHigh+1e-14 {
				t.Fatalf("cell %+v has %g, rise %g", c, p, rise)
			}
		}
		if low > 1+1e-12 || high < 1-1e-12 {
			t.Errorf("cells of %.15g to %.15g", low, high)
		}
	}
}

// A rule looks at its context at every panel, and what is left unfinished certifies nothing.
func TestRuleEndsWithItsContext(t *testing.T) {
	d := Subsample(0.01, Gaussian(1))
	tilts := []Tilt{{Theta: 3, Bandwidth: 1e5, Tolerance: 1e-12}}
	if whole := d.Rule(context.Background(), tilts); len(whole.Nodes) < 20000 {
		t.Fatalf("%d nodes: not a long one", len(whole.Nodes))
	}
	if rule := d.Rule(gauge.LookedAt(50), tilts); len(rule.Nodes) > 32*50 || !math.IsInf(rule.Err[0], 1) {
		t.Errorf("%d nodes after 50 panels, error %g", len(rule.Nodes), rule.Err[0])
	}
	if _, _, _, ok := d.Densities[0].Cells(gauge.LookedAt(3), func(float64) float64 { return 1e-4 }, 1e-12, 1<<20); ok {
		t.Error("cells under a context that has ended")
	}
}
