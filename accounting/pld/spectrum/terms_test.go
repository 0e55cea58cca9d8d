package spectrum

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/fft"
	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
	"epsiloscope/internal/gauge"
)

// What one more Gaussian release of size h adds to (1 − e^{−x})₊ is below the bump that the
// lower kernel takes off, and above 0: on a mesh, in 320 bits.
func TestSmoothing(t *testing.T) {
	gauge.Sequential(t)
	for _, h := range []float64{1e-3, 0.02, 0.1, 0.4, 1} {
		half := oracle.R(h).Mul(oracle.R(h)).Div(oracle.R(2))
		top := oracle.R(2).Mul(oracle.Normal(oracle.R(h / 2))).Sub(oracle.R(1))
		for k := -60; k <= 60; k += gauge.Cases(6, 1) {
			x := h * float64(k) / 12
			X := oracle.R(x)
			smooth := oracle.Normal(X.Add(half).Div(oracle.R(h))).Sub(
				X.Neg().Exp().Mul(oracle.Normal(X.Sub(half).Div(oracle.R(h)))))
			plain := oracle.R(0)
			if x > 0 {
				plain = oracle.R(1).Sub(X.Neg().Exp())
			}
			gap := smooth.Sub(plain)
			bump := top.Mul(X.Div(oracle.R(-2)).Sub(X.Mul(X).Div(half.Mul(oracle.R(4)))).Exp())
			if gap.Sign() < 0 || gap.Sub(bump).Float() > 1e-60 {
				t.Errorf("h = %g, x = %g: gap %.6g, bump %.6g", h, x, gap.Float(), bump.Float())
			}
		}
	}
}

// Aliases are positive and below their bound: the sum with the window T minus that with
// 2T. (With T half of what a plan asks for, so that there are some.)
func TestAliasing(t *testing.T) {
	ctx := context.Background()
	seen := 0.0
	for seed := range uint64(60) {
		s, delta, text := drawStack(seed, 4)
		short := s.truncate(ctx, 1e-6*delta/s.releases())
		t0 := aim(math.Log(delta), math.NaN(), 1e-2, 0)
		t0.window = 0.5
		p, ok := short.choose(t0)
		if !ok {
			continue
		}
		one, ok, err := short.evaluate(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		p.Window *= 2
		two, both, err := short.evaluate(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		if !ok || !both {
			continue
		}
		for _, shift := range []float64{-1, 0, 0.5} {
			e := p.guess + shift*p.deviation
			a, aErr := one.at(one.upper, e)
			b, bErr := two.at(two.upper, e)
			most := one.aliases(e)
			if a-b < -aErr-bErr || a-b > most+aErr+bErr {
				t.Errorf("stack %d at %g: aliases %.6g, bound %.6g (error %.2g)\n\t%s", seed, e, a-b, most, aErr+bErr, text)
			}
			seen = math.Max(seen, (a-b)/most)
		}
	}
	if seen < 0.05 {
		t.Errorf("the largest aliases are %.2g of their bound: this tests nothing", seen)
	}
}

// 1e12 to 1e24 releases of a tiny loss are all but one Gaussian release of μ = ε√K: the
// curves differ by less than 1e-10 of ε.
func TestGaussianLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 24))
	for range 40 {
		mu := math.Exp(1.5*r.NormFloat64() - 0.5)
		count := math.Round(math.Pow(10, 22+2*r.Float64()))
		delta := math.Pow(10, -1-9*r.Float64())
		e := mu / math.Sqrt(count)
		for name, d := range map[string]loss.Distribution{
			"pure": pure(e), "Laplace": loss.Laplace(e),
			"sampled": loss.Subsample(0.5, pure(2*e)), "sampled, add": loss.SampledAdd(0.5, pure(2*e)),
		} {
			i, err := Stack{Lines: []Line{{Loss: d, Count: count}}}.Epsilon(context.Background(), delta, 1e-8)
			if err != nil {
				t.Fatal(err)
			}
			low, high := special.LogGaussianProfile(mu, i.Lower*(1-1e-9)),
				special.LogGaussianProfile(mu, i.Upper*(1+1e-9))
			if i.Lower > 0 && low < math.Log(delta) || high > math.Log(delta) {
				t.Errorf("%s, μ %g, K %g, δ %g: [%.12g, %.12g] misses the limit", name, mu, count, delta, i.Lower, i.Upper)
			}
			if i.Upper > 1e-6 && i.Upper-i.Lower > 1e-6*i.Upper {
				t.Errorf("%s, μ %g, K %g, δ %g: [%.12g, %.12g] is %.2g wide", name, mu, count, delta, i.Lower, i.Upper, 1-i.Lower/i.Upper)
			}
		}
	}
}

// Few releases of tiny losses against the binomial sum: nothing cancels.
func TestTinyLosses(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 24))
	for range 40 {
		e := math.Pow(10, -8-3*r.Float64())
		n := 2 + r.IntN(30)
		delta := e * math.Sqrt(float64(n)) * math.Pow(10, -4*r.Float64()) / 4
		i, err := Stack{Lines: []Line{{Loss: pure(e), Count: float64(n)}}}.Epsilon(context.Background(), delta, 1e-4)
		if err != nil {
			t.Fatal(err)
		}
		exact := func(epsilon float64) float64 {
			total := oracle.R(0)
			up := oracle.R(1).Div(oracle.R(1).Add(oracle.R(-e).Exp()))
			down := oracle.R(1).Sub(up)
			for k := 0; k <= n; k++ {
				s := oracle.R(e).Mul(oracle.R(float64(2*k - n)))
				less := oracle.R(1).Sub(oracle.R(epsilon).Sub(s).Exp())
				if less.Sign() <= 0 {
					continue
				}
				p := oracle.R(1)
				for j := range k {
					p = p.Mul(oracle.R(float64(n - j))).Div(oracle.R(float64(j + 1))).Mul(up)
				}
				for range n - k {
					p = p.Mul(down)
				}
				total = total.Add(p.Mul(less))
			}
			return total.Float()
		}
		if i.Lower > 0 && exact(i.Lower) < delta*(1-1e-12) || exact(i.Upper) > delta*(1+1e-12) {
			t.Errorf("pure(%g) × %d at %g: [%.12g, %.12g], δ there %.9g and %.9g", e, n, delta, i.Lower, i.Upper, exact(i.Lower), exact(i.Upper))
		}
	}
}

// An error term that is not a number makes both ends vacuous, never 0.
func TestNoNumber(t *testing.T) {
	short := Stack{Lines: []Line{{Loss: loss.Laplace(0.1), Count: 100}}}.truncate(context.Background(), 1e-12)
	for name, spoil := range map[string]func(*Spectrum){
		"bandwidth": func(s *Spectrum) { s.left = math.NaN() }, "tilt": func(s *Spectrum) { s.logErr = math.NaN() },
		"mean": func(s *Spectrum) { s.meanErr = math.NaN() }, "terms": func(s *Spectrum) { s.terms[1].err = math.NaN(); s.prepare() },
		"infinite": func(s *Spectrum) { s.left = math.Inf(1) },
	} {
		p, _ := short.choose(aim(math.Log(1e-6), math.NaN(), 1e-4, 0))
		c, ok, err := short.evaluate(context.Background(), p)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		spoil(c)
		if lower, upper := c.LogDelta(p.guess); !math.IsInf(lower, -1) || !math.IsInf(upper, 1) {
			t.Errorf("%s: ln δ between %g and %g", name, lower, upper)
		}
		if e := solve(excess([]*Spectrum{c}, math.Log(1e-6), numeral.Up), p, numeral.Up); !math.IsInf(e, 1) {
			t.Errorf("%s: upper end %g", name, e)
		}
	}
	s, delta, _ := drawStack(1, 3)
	s.Lines[0].Loss.Slack = math.NaN()
	if i, err := s.Epsilon(context.Background(), delta, 1e-3); err != nil || i.Lower != 0 && !(i.Lower <= i.Upper) {
		t.Errorf("[%g, %g], %v", i.Lower, i.Upper, err)
	}
}

// The sums of second order and the plain ones are the same function: also where much of
// P lies at +∞, and of Q at −∞.
func TestCumulants(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 24))
	for range 200 {
		d := approximate(math.Exp(r.NormFloat64()), 0.3*r.Float64())
		switch r.IntN(3) {
		case 0:
			d = loss.Subsample(r.Float64(), d)
		case 1:
			d = loss.SampledAdd(r.Float64(), d)
		}
		theta := 0.01 + 0.3*r.Float64()
		rule := d.Rule(context.Background(), []loss.Tilt{{Theta: theta, Tolerance: 1e-9}})
		a, b := cumulantsOf(context.Background(), rule, theta), plainCumulants(context.Background(), rule, theta)
		if a.plain {
			continue
		}
		if math.Abs(a.log-b.log) > a.logErr+b.logErr || math.Abs(a.mean-b.mean) > a.meanErr+b.meanErr ||
			math.Abs(a.variance-b.variance) > 1e-12 {
			t.Errorf("θ %g, %+v: %+v against %+v", theta, d, a, b)
		}
	}
}

// A loss that is 0, and no loss at all, cost nothing and end.
func TestNothingToLose(t *testing.T) {
	zero := loss.Distribution{Atoms: []loss.Atom{{}}}
	for _, s := range []Stack{{}, {Lines: []Line{{Loss: zero, Count: 5}}},
		{Lines: []Line{{Loss: zero, Count: 1}, {Loss: pure(1e-300), Count: 3}}}} {
		i, err := s.Epsilon(context.Background(), 0.1, 1e-3)
		if err != nil || i.Lower != 0 || !(i.Upper < 1e-12) {
			t.Errorf("%d lines: [%g, %g], %v", len(s.Lines), i.Lower, i.Upper, err)
		}
	}
}

// A context that has ended ends the evaluation.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, delta, _ := drawStack(3, 4)
	if _, err := s.Epsilon(ctx, delta, 1e-6); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, _, err := s.Deltas(ctx, []float64{1}, 1e-6); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Wherever a long evaluation is, it ends within a few looks at the context, and nothing that
// was left unfinished is kept: asked again it says what it always says.
func TestCancelledAnywhere(t *testing.T) {
	far := Stack{Lines: []Line{{Loss: loss.Subsample(0.01, loss.Gaussian(0.9)), Count: 10, Key: "far"}}}
	rare := Stack{Lines: []Line{{Loss: loss.Subsample(1e-5, loss.Gaussian(1.6)), Count: 1e6, Key: "rare"}}}
	var many Stack
	for i := range gauge.Cases(15, 100) {
		many.Lines = append(many.Lines, Line{Loss: loss.Subsample(0.01, loss.Gaussian(0.5+0.01*float64(i)))})
		many.Lines[i].Count, many.Lines[i].Key = 10, strconv.Itoa(i)
	}
	for name, s := range map[string]Stack{"far": far, "rare": rare, "many": many} {
		for what, evaluate := range map[string]func(context.Context, Stack) (float64, error){
			"ε": func(ctx context.Context, s Stack) (float64, error) {
				i, err := s.Epsilon(ctx, 1e-6, 1e-4)
				return i.Upper, err
			},
			"δ": func(ctx context.Context, s Stack) (float64, error) {
				_, u, err := s.Deltas(ctx, []float64{0.3}, 1e-4)
				if err != nil {
					return 0, err
				}
				return u[0], nil
			},
		} {
			s.Cache = new(Cache)
			all := gauge.LookedAt(math.MaxInt64)
			want, err := evaluate(all, s)
			if err != nil {
				t.Fatal(err)
			}
			for i := range gauge.Cases(2, 7) {
				share := 0.02 * math.Pow(50, float64(i)/float64(gauge.Cases(2, 7)))
				s.Cache = new(Cache)
				ctx := gauge.LookedAt(int64(share * float64(all.Looks.Load())))
				if _, err := evaluate(ctx, s); !errors.Is(err, context.Canceled) || ctx.After() > 10 {
					t.Errorf("%s of %s, ended at look %d of %d: %v, %d looks more", what, name, ctx.End, all.Looks.Load(), err, ctx.After())
				}
				if got, err := evaluate(context.Background(), s); got != want || err != nil {
					t.Errorf("%s of %s, asked again: %v instead of %v (%v)", what, name, got, want, err)
				}
			}
		}
	}
}

// Of many losses the context is looked at with every one: at each frequency, and where their
// spread is asked for.
func TestLooksAtEveryLoss(t *testing.T) {
	var many Stack
	for i := range 30 {
		many.Lines = append(many.Lines, Line{Loss: loss.Subsample(0.01, loss.Gaussian(0.5+0.01*float64(i))), Count: 10})
	}
	ctx := gauge.LookedAt(math.MaxInt64)
	if i, err := many.Epsilon(ctx, 1e-6, 1e-4); err != nil || int(ctx.Looks.Load()) < i.Frequencies*len(many.Lines) {
		t.Errorf("%d looks at %d frequencies (%v)", ctx.Looks.Load(), i.Frequencies, err)
	}
	short := many.truncate(context.Background(), 1e-12)
	p, _ := short.choose(aim(math.Log(1e-6), math.NaN(), 1e-4, 0))
	p.Bandwidth = 1e3
	ended := gauge.LookedAt(0)
	short.ctx = ended
	if short.fades(p, 1); ended.After() == 0 {
		t.Error("no look at the spread of any loss")
	}
}

// The spread transform against the sum itself.
func TestUniform(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 24))
	for range 20 {
		line := tilted{}
		total := 0.0
		for range 1 + r.IntN(300) {
			line.w = append(line.w, r.ExpFloat64())
			line.x = append(line.x, 10*r.NormFloat64())
			total += line.w[len(line.w)-1]
		}
		spacing := math.Exp(r.NormFloat64() - 3)
		n := 10 + r.IntN(500)
		values, relative := uniform(context.Background(), line.w, line.x, spacing, n)
		for k, v := range values {
			var re, im, moved special.Adder
			for i, w := range line.w {
				s, c := math.Sincos(float64(k) * spacing * line.x[i])
				re.Add(w * c)
				im.Add(w * s)
				moved.Add(w * math.Abs(line.x[i]) * float64(k) * spacing * care * unit)
			}
			if off := math.Hypot(real(v)-re.Sum(), imag(v)-im.Sum()); off > relative*total+moved.Sum() {
				t.Fatalf("%d nodes, frequency %d of %d: off by %.3g, bound %.3g", len(line.w), k, n, off/total, relative)
			}
		}
	}
}

// A sum over a long list looks at the context, and says nothing once that has ended.
func TestLongSumsEnd(t *testing.T) {
	var rule loss.Rule
	for range 1 << 16 {
		rule.Nodes = append(rule.Nodes, loss.Node{Loss: 0.1, LogW: -16 * math.Ln2})
	}
	whole := tiltRule(context.Background(), rule, 2, 0, 0)
	for name, sum := range map[string]func(context.Context) bool{
		"cumulants": func(ctx context.Context) bool { return math.IsNaN(cumulantsOf(ctx, rule, 2).log) },
		"plain":     func(ctx context.Context) bool { return math.IsNaN(plainCumulants(ctx, rule, 2).log) },
		"tilted":    func(ctx context.Context) bool { return math.IsNaN(tiltRule(ctx, rule, 2, 0, 0).log) },
		"φ":         func(ctx context.Context) bool { return math.IsInf(whole.phi(ctx, 1).err, 1) },
	} {
		ctx := gauge.LookedAt(1)
		if !sum(ctx) || ctx.After() > 2 || sum(context.Background()) {
			t.Errorf("%s: %d looks after its end", name, ctx.After())
		}
	}
}

// A transform of a long block stops where its context ends, and has no values then.
func TestTransformsEnd(t *testing.T) {
	whole := tiltRule(context.Background(), loss.Rule{Nodes: []loss.Node{{Loss: 0.1}}}, 2, 0, 0)
	b := block{rule: &whole, first: 1, length: 1 << gauge.Cases(13, 15)}
	fft.PlanForLength(context.Background(), 8*b.length)
	ctx := gauge.LookedAt(math.MaxInt64)
	if got := b.transform(ctx, 1e-3); len(got) != b.length {
		t.Fatalf("%d values of %d", len(got), b.length)
	}
	for end := range ctx.Looks.Load() {
		if short := gauge.LookedAt(end); b.transform(short, 1e-3) != nil || short.After() > 3 {
			t.Errorf("ended after %d of %d looks, and went on for %d", end, ctx.Looks.Load(), short.After())
		}
	}
}
