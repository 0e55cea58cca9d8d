package loss

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/internal/gauge"
)

// complexReal is a complex number of 320 bits.
type complexReal struct{ re, im oracle.Real }

func (a complexReal) times(b complexReal) complexReal {
	return complexReal{a.re.Mul(b.re).Sub(a.im.Mul(b.im)), a.re.Mul(b.im).Add(a.im.Mul(b.re))}
}

func (a complexReal) plus(b complexReal) complexReal {
	return complexReal{a.re.Add(b.re), a.im.Add(b.im)}
}

// exp returns e^{a}: the angle is halved until its series is short, the result squared back.
func (a complexReal) exp() complexReal {
	if a.im.Sign() == 0 {
		return complexReal{a.re.Exp(), a.im}
	}
	const halvings = 20
	y := a.im.Div(oracle.R(math.Ldexp(1, halvings)))
	c, s, term := oracle.R(1), oracle.R(0), oracle.R(1)
	for n := 1.0; n < 24; n++ {
		term = term.Mul(y).Div(oracle.R(n))
		switch int(n) % 4 {
		case 0:
			c = c.Add(term)
		case 1:
			s = s.Add(term)
		case 2:
			c = c.Sub(term)
		case 3:
			s = s.Sub(term)
		}
	}
	z := complexReal{c, s}
	for range halvings {
		z = z.times(z)
	}
	size := a.re.Exp()
	return complexReal{z.re.Mul(size), z.im.Mul(size)}
}

// orders returns S(ζ, ℓ) at each ζ.
func orders(zetas []complex128, l oracle.Real) (list []complexReal) {
	less := l.Neg().Exp().Sub(oracle.R(1))
	for _, zeta := range zetas {
		re, im := oracle.R(real(zeta)), oracle.R(imag(zeta))
		e := complexReal{re.Mul(l), im.Mul(l)}.exp()
		list = append(list, complexReal{e.re.Sub(oracle.R(1)).Add(re.Mul(less)), e.im.Add(im.Mul(less))})
	}
	return list
}

func (s Sum) exactly(x oracle.Real) oracle.Real {
	total := oracle.R(0)
	for _, t := range s {
		total = total.Add(oracle.R(t.Weight).Mul(oracle.R(t.Rate).Mul(x).Add(oracle.R(t.Shift)).Exp()))
	}
	return total
}

// integral of P·S over [a, b] by Gauss's rule of 24 points on short panels, in 320 bits.
func (d *Density) reference(a, b float64, panels int, zetas []complex128) []complexReal {
	out := make([]complexReal, len(zetas))
	for i := range out {
		out[i] = complexReal{oracle.R(0), oracle.R(0)}
	}
	r := oracle.R(b).Sub(oracle.R(a)).Div(oracle.R(float64(2 * panels)))
	for k := range panels {
		mid := oracle.R(a).Add(r.Mul(oracle.R(float64(2*k + 1))))
		for j, g := range fine {
			x := mid.Add(r.Mul(g.x))
			p, q := d.Num.exactly(x), d.Den.exactly(x)
			base := oracle.R(d.LogScale).Add(oracle.R(d.Slope).Mul(x))
			if d.Sigma > 0 {
				base = base.Sub(x.Mul(x).Div(oracle.R(2 * d.Sigma * d.Sigma)))
			}
			w := base.Exp().Mul(p).Mul(fine[j].w).Mul(r)
			l := p.Log().Sub(q.Log())
			for i, s := range orders(zetas, l) {
				out[i] = out[i].plus(complexReal{s.re.Mul(w), s.im.Mul(w)})
			}
		}
	}
	return out
}

// fine is Gauss's rule of 24 points to 90 digits.
var fine = func() (out []struct{ x, w oracle.Real }) {
	const n = 24
	at := func(x oracle.Real) (p, slope oracle.Real) {
		before, p := oracle.R(1), x
		for k := 2.0; k <= n; k++ {
			next := oracle.R(2*k - 1).Mul(x).Mul(p).Sub(oracle.R(k - 1).Mul(before)).Div(oracle.R(k))
			before, p = p, next
		}
		return p, oracle.R(n).Mul(x.Mul(p).Sub(before)).Div(x.Mul(x).Sub(oracle.R(1)))
	}
	for i := range n {
		x := oracle.R(math.Cos(math.Pi * (float64(i) + 0.75) / (n + 0.5)))
		for range 6 {
			p, slope := at(x)
			x = x.Sub(p.Div(slope))
		}
		_, slope := at(x)
		w := oracle.R(2).Div(oracle.R(1).Sub(x.Mul(x)).Mul(slope).Mul(slope))
		out = append(out, struct{ x, w oracle.Real }{x, w})
	}
	return out
}()

func drawDensity(r *rand.Rand) (d Distribution, text string) {
	q, mu := math.Pow(10, -0.2-5*r.Float64()), math.Exp(0.6-2*r.Float64())
	switch r.IntN(5) {
	case 0:
		return Subsample(q, Gaussian(mu)).Truncate(1e-20), fmt.Sprintf("sampled(%g) Gaussian(%g)", q, mu)
	case 1:
		return SampledAdd(q, Gaussian(mu)), fmt.Sprintf("sampled(%g) Gaussian(%g), add", q, mu)
	case 2:
		drawn := []float64{(1 - q) * (1 - q), 2 * q * (1 - q), q * q}
		return Normals(mu, drawn, drawn).Truncate(1e-20), fmt.Sprintf("two replaced(%g) Gaussian(%g)", q, mu)
	case 3:
		return Subsample(q, Laplace(mu)), fmt.Sprintf("sampled(%g) Laplace(%g)", q, mu)
	}
	return SampledAdd(q, BoundedRange(mu)), fmt.Sprintf("sampled(%g) range(%g), add", q, mu)
}

// Every rule against an integral in 320 bits, at random ζ: the error is below the bound,
// and below what round-off is charged with besides.
func TestRules(t *testing.T) {
	const u = 0x1p-53
	r := rand.New(rand.NewPCG(7, 16))
	closest := 0.0
	for range gauge.Cases(3, 8) {
		d, text := drawDensity(r)
		theta := math.Exp(4*r.Float64() - 1)
		omega := math.Exp(2 + 2*r.Float64())
		tolerance := math.Pow(10, -4-9*r.Float64())
		scale := coarseLog(d.Coarse(), theta)
		rule := d.Rule(context.Background(),
			[]Tilt{{theta, omega, scale, tolerance}, {1.5 * theta, 0, coarseLog(d.Coarse(), 1.5*theta), 1e-9}})
		zetas := []complex128{complex(theta, 0), complex(theta, omega*r.Float64()),
			complex(theta, omega), complex(1.5*theta, 0)}
		want := make([]complexReal, len(zetas))
		for i := range want {
			want[i] = complexReal{oracle.R(0), oracle.R(0)}
		}
		for _, a := range d.Atoms {
			w := oracle.R(a.LogP).Exp()
			for i, s := range orders(zetas, oracle.R(a.Loss)) {
				want[i] = want[i].plus(complexReal{s.re.Mul(w), s.im.Mul(w)})
			}
		}
		for k := range d.Densities {
			e := &d.Densities[k]
			lo, hi, panels := e.Lo, e.Hi, 12
			if e.Sigma > 0 {
				lo, hi = math.Max(lo, -16), math.Min(hi, 16+3*mu(e)*(1+1.5*theta))
				panels = int(math.Ceil((hi - lo) * 2.6))
			}
			for i, s := range e.reference(lo, hi, panels, zetas) {
				want[i] = want[i].plus(s)
			}
		}
		weights, terms := make([]oracle.Real, len(rule.Nodes)), make([][]complexReal, len(rule.Nodes))
		for k, n := range rule.Nodes {
			weights[k], terms[k] = oracle.R(n.LogW).Exp(), orders(zetas, oracle.R(n.Loss))
		}
		for i, z := range zetas {
			got, allowed := complexReal{oracle.R(0), oracle.R(0)}, 0.0
			for k, n := range rule.Nodes {
				w, s := weights[k], terms[k][i]
				got = got.plus(complexReal{s.re.Mul(w), s.im.Mul(w)})
				size := math.Hypot(s.re.Float(), s.im.Float())
				steep := math.Hypot(real(z), imag(z)) * math.Abs(math.Exp(real(z)*n.Loss)+math.Exp(-n.Loss))
				allowed += 4 * u * math.Exp(
					n.LogW) * (size*n.LogErr + math.Min(steep,
					steep*(math.Abs(n.Loss)*(real(z)+imag(z)+1)))*(n.LossErr+math.Abs(n.Loss)))
			}
			miss := math.Hypot(got.re.Sub(want[i].re).Float(), got.im.Sub(want[i].im).Float())
			line := 0
			if i == 3 {
				line = 1
			}
			bound := rule.Err[line]*math.Exp(coarseLog(d.Coarse(), real(z))) + allowed
			if closest = math.Max(closest, miss/bound); !(miss <= bound) {
				t.Errorf("%s, ζ = %v, tolerance %.1g, %d nodes: off by %.3g, bound %.3g and round-off %.3g", text, z, tolerance, len(rule.Nodes), miss, rule.Err[line], allowed)
			}
			if rule.Err[line] > 2*tolerance && line == 0 {
				t.Errorf("%s, ζ = %v: bound %.3g, asked for %.3g", text, z, rule.Err[line], tolerance)
			}
		}
	}
	t.Logf("the largest error is %.2g of its bound", closest)
}

func mu(d *Density) float64 {
	r := d.Num.extremes()
	return math.Max(r.most, -r.least)
}

// coarseLog returns approximately ln M(θ).
func coarseLog(r Rule, theta float64) float64 {
	total := 1 - r.Top + theta*(r.Bottom-r.Top)
	for _, n := range r.Nodes {
		total += math.Exp(n.LogW) * (math.Expm1(theta*n.Loss) + theta*math.Expm1(-n.Loss))
	}
	return math.Log(total)
}

// Truncation and parts of a loss keep the identities that rules rely on: P- and Q-mass of
// the finite part are 1 − Top and 1 − Bottom.
func TestMasses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 16))
	for range 60 {
		d, text := drawDensity(r)
		switch r.IntN(5) {
		case 0:
			if p, q := d.MassAbove(0); p+q > 1 {
				continue
			}
			d = d.Symmetrize()
			back := d.Reverse()
			other, _ := back.MassAbove(0)
			if own, _ := d.MassAbove(0); math.Abs(other-own) > 1e-13 {
				t.Errorf("%s, doubled: %g above 0 one way, %g the other", text, own, other)
			}
		case 1:
			d = d.Reverse()
		case 2:
			d = RevealedMixture([]float64{0.25, 0.75}, []Distribution{d, Laplace(0.3)})
		}
		d = d.Truncate(math.Pow(10, -12*r.Float64()))
		var p, q float64
		for _, a := range d.Atoms {
			p += math.Exp(a.LogP)
			q += math.Exp(a.LogP - a.Loss)
		}
		for i := range d.Densities {
			e := &d.Densities[i]
			ep, eq := e.mass(e.Lo, e.Hi)
			p, q = p+ep, q+eq
		}
		if math.Abs(p+d.Top-1) > 1e-12 || math.Abs(q+d.Bottom-1) > 1e-12 {
			t.Errorf("%s: P %.15g + %.3g, Q %.15g + %.3g", text, p, d.Top, q, d.Bottom)
		}
		below, above := d.split(0, func(e *Density) float64 { return e.Reach(0) })
		bp, bq := below.MassAbove(math.Inf(-1))
		if len(below.Atoms)+len(below.Densities) > 0 && below.Largest() > 1e-20 {
			t.Errorf("%s: largest loss of the lower part %g", text, below.Largest())
		}
		if math.Abs(above.P+bp-p) > 1e-12 || math.Abs(above.Q+bq-q) > 1e-12 || above.Of.Largest() != d.Largest() {
			t.Errorf("%s: the parts weigh %g and %g of %g", text, above.P, bp, p)
		}
	}
}

// The masses of a part are known to its bound, also with rates whose squares are large: against
// normal tails in 320 bits.
func TestMassesOfAPart(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 16))
	for range gauge.Cases(20, 200) {
		q, mu := math.Pow(10, -4*r.Float64()), 190*r.Float64()
		d := Subsample(q, Gaussian(mu))
		kept, rare := d.Cut(math.Pow(10, -3-9*r.Float64()))
		if rare.P == 0 {
			continue
		}
		e := rare.Of.Densities[0]
		of := func(s Sum) oracle.Real {
			sum := oracle.R(0)
			for _, t := range s { // w·e^{shift + rate²/2}·Φ(rate − x)
				scale := oracle.R(t.Shift).Add(oracle.R(t.Rate).Mul(oracle.R(t.Rate)).Div(oracle.R(2))).Exp()
				sum = sum.Add(oracle.R(t.Weight).Mul(scale).Mul(oracle.Normal(oracle.R(t.Rate).Sub(oracle.R(e.Lo)))))
			}
			return sum
		}
		offP, offQ := math.Abs(of(e.Num).Sub(oracle.R(rare.P)).Float()),
			math.Abs(of(e.Den).Sub(oracle.R(rare.Q)).Float())
		if offP > rare.Err || offQ > rare.Err || kept.Slack < rare.Err || rare.Err > 1e-10*(rare.P+rare.Q) {
			t.Errorf("q %g, μ %g: P %g is off by %g, Q %g by %g; charged %g and %g", q, mu, rare.P, offP, rare.Q, offQ, rare.Err, kept.Slack)
		}
	}
}

// The patches weigh no more than the whole, and what they say of |φ| holds.
func TestSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 16))
	for range 60 {
		d, text := drawDensity(r)
		theta := math.Exp(5*r.Float64() - 1)
		scale := coarseLog(d.Coarse(), theta)
		omega := math.Exp(6 * r.Float64())
		rule := d.Rule(context.Background(), []Tilt{{theta, omega, scale, 1e-10}})
		var mass float64
		patches := d.Spread(theta)
		logM := coarseLog(rule, theta)
		for _, p := range patches {
			mass += math.Exp(p.LogMass - logM)
		}
		if !(mass <= 1+1e-9) || len(patches) == 0 {
			t.Errorf("%s, θ = %g: patches of mass %g", text, theta, mass)
		}
		for range 5 {
			w := omega * r.Float64()
			var re, im, gone float64
			for _, n := range rule.Nodes {
				s, c := math.Sincos(w * n.Loss)
				p := math.Exp(n.LogW + theta*n.Loss - logM)
				re, im = re+p*c, im+p*s
			}
			for _, p := range patches {
				gone += math.Exp(p.LogMass-logM) * (1 - Sinc(w*p.Width/2))
			}
			if size := math.Hypot(re, im); size > 1-gone+1e-8 {
				t.Errorf("%s, θ = %g, ω = %g: |φ| = %.12g above %.12g", text, theta, w, size, 1-gone)
			}
		}
	}
	for u := 0.0; u < 40; u += 0.01 {
		if s := math.Abs(math.Sin(u) / u); u > 0 && s > Sinc(u)+1e-15 || Sinc(u+0.01) > Sinc(u)+2e-5 {
			t.Fatalf("at %g: |sin u/u| = %g, bound %g", u, s, Sinc(u))
		}
	}
}

// The logarithm of a sum alone is the one that comes with its derivatives, to the last bit.
func TestLogAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 31))
	for range 2000 {
		s := make(Sum, 1+r.IntN(7))
		for i := range s {
			s[i] = Term{Weight: r.ExpFloat64() / float64(len(s)), Rate: 3 * r.NormFloat64(), Shift: r.NormFloat64()}
		}
		x := math.Exp(3*r.NormFloat64()) * float64(1-2*r.IntN(2))
		if got, want := s.logAt(x), s.pointAt(x).log; got != want {
			t.Errorf("%v at %g: %v, with its derivatives %v", s, x, got, want)
		}
	}
}
