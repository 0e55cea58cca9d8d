package spectrum

import (
	"context"
	"math"
	"math/big"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
)

// Every error is made as large as it may be, and what it is charged with covers that. In an
// evaluation most of them are near 1e-13 of the answer: no comparison of answers would miss
// one.
const planted = 1e-3

// sampleSpectrum returns a spectrum with a few terms of every kind.
func sampleSpectrum(t *testing.T) (*Spectrum, Inversion) {
	short := Stack{Lines: []Line{{Loss: loss.Subsample(0.1, loss.Gaussian(0.5)), Count: 300}},
		Square: 0.01}.truncate(context.Background(), 1e-15)
	p, _ := short.choose(aim(math.Log(1e-6), math.NaN(), 1e-4, 0))
	s, ok, err := short.evaluate(context.Background(), p)
	if err != nil || !ok || len(s.terms) < 4 {
		t.Fatal(ok, err)
	}
	return s, p
}

// at returns the sum with one kernel at ε, and a bound on its error.
func (s *Spectrum) at(f sums, epsilon float64) (value, err float64) {
	one, _ := s.sumsAt(f, f, epsilon)
	return one.value, one.err
}

// The errors of the terms, of the mean, of what is left out and of the scale, in the sum.
func TestErrorsOfTheSum(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 24))
	s, p := sampleSpectrum(t)
	plain, plainErr := s.at(s.upper, p.guess)
	lowest, highest := s.LogDelta(p.guess)

	s.terms[1].err, s.terms[2].err = planted, planted
	s.prepare()
	_, charged := s.at(s.upper, p.guess)
	for range 50 { // ln F off by as much, in any direction
		off := *s
		off.terms = append([]term(nil), s.terms...)
		for i := 1; i <= 2; i++ {
			e := cmplx.Rect(planted, 2*math.Pi*r.Float64())
			off.terms[i].log += real(e)
			off.terms[i].angle += imag(e)
		}
		off.prepare()
		if got, _ := off.at(off.upper, p.guess); math.Abs(got-plain) > charged {
			t.Errorf("terms: off by %g, charged %g", math.Abs(got-plain), charged)
		}
	}
	s.terms[1].err, s.terms[2].err = 0, 0
	s.prepare()

	s.meanErr += planted
	_, charged = s.at(s.upper, p.guess)
	s.meanErr -= planted
	for _, sign := range []float64{-1, 1} {
		off := *s
		off.mean += sign * planted
		if got, _ := off.at(off.upper, p.guess); math.Abs(got-plain) > charged {
			t.Errorf("mean: off by %g, charged %g", math.Abs(got-plain), charged)
		}
	}

	s.left += planted
	if _, charged = s.at(s.upper, p.guess); charged-plainErr < planted*s.spacing/(2*math.Pi)*(1-1e-9) {
		t.Errorf("left out: %g charged", charged-plainErr)
	}
	s.left -= planted

	s.logErr += planted
	if lower, upper := s.LogDelta(p.guess); upper < highest+planted*(1-1e-6) || lower > lowest-planted*(1-1e-6) {
		t.Errorf("scale: [%g, %g], without error [%g, %g]", lower, upper, lowest, highest)
	}
}

// A term that is not known, or nothing, is charged with all it may be.
func TestErrorsOfTermsLeftOut(t *testing.T) {
	s, _ := sampleSpectrum(t)
	for _, c := range []struct {
		term  product
		least float64
	}{
		{product{term: term{omega: 3, err: 2}, most: -1}, math.Exp(-1)},
		{product{term: term{omega: 3, log: -50}, most: -45}, math.Exp(-45)},
		{product{term: term{omega: 3, log: -2, err: math.NaN()}, most: -4}, math.Exp(-2 - s.square*9/2)},
	} {
		before, terms := s.left, len(s.terms)
		s.left = 0
		s.keep(c.term)
		if most := 2 * c.least * s.kernelSize(3); s.left < most*(1-1e-12) || len(s.terms) != terms {
			t.Errorf("%+v: %g charged, it may be %g", c.term, s.left, most)
		}
		s.left = before
	}
}

// The errors of one loss at one frequency: of its weights and losses, of the rule, of the
// mean, of nodes left out, of the masses; and those of φ in φ^K.
func TestErrorsOfOneLoss(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 24))
	for range 200 {
		var line tilted
		var weights, mean float64
		for range 5 {
			w, x := r.ExpFloat64(), r.NormFloat64()
			line.w, line.x = append(line.w, w), append(line.x, x)
			weights, mean = weights+w, mean+w*x
		}
		for i := range line.w {
			line.w[i] /= weights
			line.x[i] -= mean / weights
			line.werr, line.xerr = append(line.werr, 0), append(line.xerr, 0)
		}
		line.mean = r.NormFloat64()
		omega := math.Exp(r.NormFloat64())
		value := func(t *tilted) complex128 {
			p := t.phi(context.Background(), omega)
			return cmplx.Rect(math.Exp(p.log), p.angle)
		}
		true := value(&line)
		claimed := func(change func(*tilted)) float64 {
			c := line
			c.werr, c.xerr = append([]float64(nil), line.werr...), append([]float64(nil), line.xerr...)
			change(&c)
			return c.phi(context.Background(), omega).err
		}
		moved := func(change func(*tilted)) float64 {
			c := line
			c.w, c.x = append([]float64(nil), line.w...), append([]float64(nil), line.x...)
			change(&c)
			return cmplx.Abs(value(&c) - true)
		}
		turn := omega * math.Abs(line.mean)
		for name, c := range map[string][2]float64{
			"weight": {moved(func(t *tilted) { t.w[0] *= 1 + planted }), claimed(func(t *tilted) { t.werr[0] = planted * t.w[0] })},
			"loss":   {moved(func(t *tilted) { t.x[0] += planted }), claimed(func(t *tilted) { t.xerr[0] = planted * t.w[0] }) + planted*planted*omega*omega}, // of the second order,
			"rule":   {planted, claimed(func(t *tilted) { t.rule = planted })},
			"slack":  {omega * planted, claimed(func(t *tilted) { t.slope = planted })},
			"mean":   {omega * planted, claimed(func(t *tilted) { t.meanErr = planted })},
			"away":   {planted * (1 + omega), claimed(func(t *tilted) { t.away, t.awayX = planted, planted })},
			// σ(e^{−iωm} − 1 + iωm) and iωτ(e^{−iωm} − 1)
			"mass":  {planted * cmplx.Abs(cmplx.Exp(complex(0, -turn))-1+complex(0, turn)), claimed(func(t *tilted) { t.sigma = planted })},
			"first": {planted * omega * cmplx.Abs(cmplx.Exp(complex(0, -turn))-1), claimed(func(t *tilted) { t.tau = planted })},
		} {
			if off, err := c[0], c[1]; off > err*(1+1e-9) {
				t.Fatalf("%s: off by %g, charged %g (ω = %g)", name, off, err, omega)
			}
		}

		const count = 7
		p := phi{math.Log(cmplx.Abs(true)), cmplx.Phase(true), planted * cmplx.Abs(true)}
		var all product
		all.times(count, p.value())
		for range 10 {
			off := true + cmplx.Rect(p.err, 2*math.Pi*r.Float64())
			if got := count * cmplx.Abs(cmplx.Log(off/true)); got > all.err {
				t.Fatalf("power: ln φ^K off by %g, charged %g", got, all.err)
			}
		}
	}
}

// Next to a zero of φ its modulus keeps the digits that it is said to have: the mean of e^{±iω} is
// cos ω.
func TestErrorsNextToZero(t *testing.T) {
	line := tilted{w: []float64{0.5, 0.5}, x: []float64{-1, 1}, werr: []float64{0, 0}, xerr: []float64{0, 0}}
	for _, away := range []float64{0.5, 1e-2, 1e-5, 1e-8, 1e-11} {
		p := line.phi(context.Background(), math.Pi/2-away)
		if off := cmplx.Abs(cmplx.Rect(math.Exp(p.log), p.angle) - complex(math.Sin(away), 0)); off > p.err+unit {
			t.Errorf("φ = %g: off by %g, charged %g", away, off, p.err)
		}
		const k, spacing = 1 << 10, 0x1p-10
		all := (&block{rule: &line, first: 1, length: k}).transform(context.Background(), (math.Pi/2-away)*spacing)
		p = all[k-1]
		if off := cmplx.Abs(cmplx.Rect(math.Exp(p.log), p.angle) - complex(math.Sin(away), 0)); off > p.err {
			t.Errorf("φ = %g, transformed: off by %g, charged %g", away, off, p.err)
		}
	}
	for _, away := range []float64{1e-2, 1e-4, 1e-6} {
		var all product
		beta := complex(-1+away, 0)
		all.timesRare(1, phi{}, beta, 0)
		if off := math.Abs(real(all.more) - math.Log(1+real(beta))); off > all.moreErr {
			t.Errorf("1 + β = %g: off by %g, charged %g", away, off, all.moreErr)
		}
	}
}

// A block whose rule has another logarithm and mean than the first: what is wrong with either
// is an error of φ.
func TestErrorsOfABlock(t *testing.T) {
	rule := tilted{w: []float64{0.5, 0.5}, x: []float64{-1, 1}, werr: []float64{0, 0}, xerr: []float64{0, 0}}
	at := func(shift cumulants) phi {
		b := &block{rule: &rule, shift: shift, first: 1, length: 4}
		return b.phiAt(context.Background(), new(Cache), 2, 0.3, false).phi
	}
	if p := at(cumulants{log: 0.1, logErr: planted}); p.err < planted*math.Exp(p.log) {
		t.Errorf("logarithm: %g charged", p.err)
	}
	if p := at(cumulants{log: 0.1, meanErr: planted}); p.err < 0.6*planted*math.Exp(p.log) {
		t.Errorf("mean: %g charged", p.err)
	}
	plain, moved := at(cumulants{}), at(cumulants{log: 0.1, mean: 0.2})
	if math.Abs(moved.log-plain.log-0.1) > 1e-15 || math.Abs(moved.angle-plain.angle-0.6*0.2) > 1e-15 {
		t.Errorf("%+v, moved %+v", plain, moved)
	}
}

// The errors of rare losses and of the others in (1 + β/φ)^K − 1.
func TestErrorsOfRareLosses(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 24))
	const count = 5
	of := func(beta, phi complex128) complex128 { return count * cmplx.Log(1+beta/phi) }
	for range 300 {
		beta := cmplx.Rect(math.Exp(r.NormFloat64()-3), 2*math.Pi*r.Float64())
		value := cmplx.Rect(0.2+0.8*r.Float64(), r.NormFloat64())
		p := phi{math.Log(cmplx.Abs(value)), cmplx.Phase(value), planted * cmplx.Abs(value)}
		off := planted * cmplx.Abs(beta)
		var all product
		all.timesRare(count, p, beta, off)
		exponent := of(beta, value)
		closed := all
		s := Spectrum{apart: true}
		s.finishRare(&closed)
		if math.IsInf(closed.err, 1) {
			continue
		}
		for range 10 {
			b := beta + cmplx.Rect(off, 2*math.Pi*r.Float64())
			v := value + cmplx.Rect(p.err, 2*math.Pi*r.Float64())
			if got := cmplx.Abs(of(b, v) - exponent); got > all.moreErr {
				t.Fatalf("β %v, φ %v: exponent off by %g, charged %g", beta, value, got, all.moreErr)
			}
			e := cmplx.Rect(all.moreErr, 2*math.Pi*r.Float64())
			if got := cmplx.Abs(cmplx.Log((cmplx.Exp(exponent+e) - 1) / (cmplx.Exp(exponent) - 1))); got > closed.err {
				t.Fatalf("exponent %v: ln F off by %g, charged %g", exponent, got, closed.err)
			}
		}
	}
}

// Where φ is as small as its error nothing is known of β/φ: the term is charged with all that
// φ and β may come to together.
func TestErrorsOfUnknownRareLosses(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 24))
	for range 300 {
		size := math.Pow(10, -6-8*r.Float64())
		beta := cmplx.Rect(math.Exp(3*r.NormFloat64()), 2*math.Pi*r.Float64())
		p, count := phi{log: math.Log(size), angle: r.NormFloat64(), err: size}, 1+float64(r.IntN(80))
		s := Spectrum{apart: true, rareScale: count * math.Log1p(cmplx.Abs(beta))}
		var all product
		all.times(count, p.value())
		all.timesRare(count, p, beta, 0)
		s.finishRare(&all)
		value := cmplx.Rect(size, p.angle)
		ratio := cmplx.Abs(value+beta) / cmplx.Abs(beta)
		// ln|(φ+β)^K − φ^K|, to about |φ/β|^K
		true := count*math.Log(cmplx.Abs(beta)) + count*math.Log(ratio) - s.rareScale
		if !math.IsInf(all.err, 1) || all.most < true-1e-6 {
			t.Fatalf("φ %g, β %v, K %g: ln|F| is %g, charged %g (error %g)", size, beta, count, true, all.most, all.err)
		}
	}
}

// The rule of rare losses may be off at every frequency, 0 among them: coarse rules against a
// fine one, and masses that are not those of the nodes.
func TestErrorsOfRareRules(t *testing.T) {
	ctx := context.Background()
	short := Stack{Lines: []Line{{Loss: loss.Subsample(0.3, loss.Gaussian(1)), Count: 20}}}.truncate(ctx, 1e-15)
	parts, ok := short.cut(0.05)
	if !ok {
		t.Fatal("nothing rare")
	}
	p, _ := parts[1].choose(aim(math.Log(1e-4), math.NaN(), 1e-3, 0))
	e := &evaluation{of: parts[1], count: 64, first: firstBlock,
		Spectrum: &Spectrum{plan: p, spacing: p.Bandwidth / 64, apart: true}}
	e.begin()
	line := parts[1].lines[0]
	core := e.tiltLine(line)
	fine := line.rare.tilt(ctx, e, core, line.count)
	theta := e.on[0].Theta
	for _, tolerance := range []float64{1e-1, 1e-3} {
		e.on[0].Tolerance = tolerance
		coarse := line.rare.tilt(ctx, e, core, line.count)
		for _, k := range []int{0, 1, 7, 64} {
			want, off := fine.betaAt(k, e.spacing)
			got, charged := coarse.betaAt(k, e.spacing)
			if miss := cmplx.Abs(got - want); miss > charged+off {
				t.Errorf("tolerance %g, frequency %d: off by %g, charged %g", tolerance, k, miss, charged)
			}
		}
	}
	e.begin()
	other := *line.rare
	other.P += planted
	moved := other.tilt(ctx, e, core, line.count)
	for _, k := range []int{0, 1, 7, 64} {
		omega := float64(k) * e.spacing
		_, charged := moved.betaAt(k, e.spacing)
		if off := planted * math.Exp(-core.log) * cmplx.Abs(complex(1+theta, omega)); charged < off {
			t.Errorf("a mass off by %g, frequency %d: %g charged of %g", planted, k, charged, off)
		}
	}
	if got, want := moved.over, fine.over; got[0] <= want[0] || got[1] <= want[1] {
		t.Errorf("a mass off by %g: the aliases are bounded by %v, without by %v", planted, got, want)
	}
}

// What is left out is bounded relative to the true M(θ), which is off by the error of the first
// term: and of that none is too large to count.
func TestErrorsOfTheFirstTerm(t *testing.T) {
	ctx := context.Background()
	stack := func(slack, count float64) *truncated {
		d := pure(1 / math.Sqrt(count))
		d.Slack = slack
		short := Stack{Lines: []Line{{Loss: d, Count: count}}}.truncate(ctx, 0)
		return &short
	}
	evaluated := func(s *truncated) (*Spectrum, Inversion) {
		aimed := aim(math.Log(1e-6), math.NaN(), 1e-4, 0)
		aimed.band = 0.5
		p, _ := s.choose(aimed)
		c, ok, err := s.evaluate(ctx, p)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		return c, p
	}
	plain, _ := evaluated(stack(0, 1e6))
	loose, _ := evaluated(stack(1e-7, 1e6))
	if first := loose.terms[0].err; !(first > 0.1) || loose.left < plain.left*math.Exp(first)*(1-1e-9) {
		t.Errorf("the first term is off by %g: %g left out, %g without", first, loose.left, plain.left)
	}
	far, p := evaluated(stack(9e-7, 1e10))
	if _, upper := far.LogDelta(p.guess); !math.IsInf(upper, 1) {
		t.Errorf("the first term is off by %g, and ln δ at most %g", far.terms[0].err, upper)
	}
	if e := solve(excess([]*Spectrum{far}, math.Log(1e-6), numeral.Up), p, numeral.Up); !math.IsInf(e, 1) {
		t.Errorf("the first term is off by %g, and ε at most %g", far.terms[0].err, e)
	}
}

// What a walk jumps over is charged with at least all it is: every frequency is computed.
func TestErrorsOfJumps(t *testing.T) {
	ctx := context.Background()
	short := Stack{Lines: []Line{{Loss: pure(0.3), Count: 200},
		{Loss: loss.Laplace(0.2), Count: 50}}}.truncate(ctx, 1e-15)
	aimed := aim(math.Log(1e-6), math.NaN(), 1e-5, 0)
	aimed.window = 40 // so that a jump is over many
	p, _ := short.choose(aimed)
	p.floor = -9
	s, ok, err := short.evaluate(ctx, p)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	kept := map[float64]bool{}
	for _, t := range s.terms {
		kept[t.omega] = true
	}
	count := int(s.plan.Bandwidth / s.spacing)
	again := &evaluation{of: &short, count: count, first: firstBlock,
		Spectrum: &Spectrum{plan: s.plan, square: s.square, spacing: s.spacing}}
	again.begin()
	if err := again.tilt(ctx); err != nil {
		t.Fatal(err)
	}
	again.tail()
	skipped, gone := 0, 0.0
	for k, b, last := 1, 0, firstBlock; k <= count; k++ {
		for ; k > last; b++ {
			last *= 2
		}
		omega := float64(k) * s.spacing
		if kept[omega] {
			continue
		}
		log := -s.square * omega * omega / 2
		for i := range again.factors {
			l := &again.factors[i]
			at := l.block
			if b > 0 {
				at = again.block(l, b)
			}
			log += l.count * at.phiAt(ctx, short.cache, k, s.spacing, at.whole(l.count)).log
		}
		skipped++
		gone += 2 * math.Exp(log) / (p.Theta*(p.Theta+1) + omega*omega)
	}
	if charged := s.left - again.left; charged < gone || skipped < 100*len(s.terms) {
		t.Errorf("%d frequencies left out beside %d: they come to %g, charged %g", skipped, len(s.terms), gone, charged)
	}
}

// Losses taken apart add up: M^K = A^K + (M^K − A^K) at every frequency, each side around
// its own mean.
func TestRareLossesAddUp(t *testing.T) {
	ctx := context.Background()
	for name, s := range map[string]Stack{
		"sampled Gaussian": {Lines: []Line{{Loss: loss.Subsample(0.3, loss.Gaussian(1)), Count: 20}}},
		"atoms": {Lines: []Line{{Loss: loss.RevealedMixture([]float64{0.97, 0.03}, []loss.Distribution{pure(1), pure(3)}), Count: 12},
			{Loss: loss.Laplace(0.4), Count: 5}}, Square: 0.04},
	} {
		short := s.truncate(ctx, 1e-15)
		parts, ok := short.cut(0.05)
		p, _ := short.choose(aim(math.Log(1e-4), math.NaN(), 1e-6, 0))
		if !ok {
			t.Fatal(name)
		}
		values := func(s *truncated) (map[float64]complex128, map[float64]float64) {
			c, ok, err := s.evaluate(ctx, p)
			if err != nil || !ok {
				t.Fatal(name, ok, err)
			}
			out, off := map[float64]complex128{}, map[float64]float64{}
			for _, t := range c.terms {
				size := math.Exp(c.log + t.log)
				out[t.omega] = cmplx.Rect(size, t.angle+t.omega*c.mean)
				off[t.omega] = size * (t.err + c.logErr + t.omega*c.meanErr + 1e-14)
			}
			return out, off
		}
		whole, wholeErr := values(&short)
		a, aErr := values(parts[0])
		b, bErr := values(parts[1])
		seen := 0
		for omega, w := range whole {
			x, okA := a[omega]
			y, okB := b[omega]
			if !okA || !okB {
				continue
			}
			seen++
			if off, most := cmplx.Abs(x+y-w), wholeErr[omega]+aErr[omega]+bErr[omega]; off > most ||
				most > 1e-6*cmplx.Abs(whole[0]) {
				t.Errorf("%s at %g: %v and %v make %v, not %v: off by %g, charged %g", name, omega, x, y, x+y, w, off, most)
			}
		}
		if seen < 5 {
			t.Errorf("%s: %d frequencies", name, seen)
		}
	}
}

// What is set aside for round-off covers it: sums, powers, damping and the scale again with
// more digits.
func TestPaddings(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 24))
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
	times := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(200).Mul(a, b) }
	minus := func(a, b *big.Float) float64 {
		d, _ := new(big.Float).SetPrec(200).Sub(a, b).Float64()
		return d
	}
	s, p := sampleSpectrum(t)
	s.left, s.meanErr, s.logErr = 0, 0, 0
	for i := range s.terms {
		s.terms[i].err = 0
	}
	s.prepare()
	for range 200 {
		epsilon := p.guess * (0.5 + r.Float64())
		f := sums{omega: make([]float64, 50)} // nothing turns
		var sum special.Adder
		for range f.omega {
			x := r.NormFloat64()
			sum.Add(x)
			f.re, f.im, f.size = append(f.re, x), append(f.im, 0), f.size+math.Abs(x)
		}
		value, err := s.at(f, epsilon)
		if off := math.Abs(value - sum.Sum()*(s.spacing/(2*math.Pi))); off > err {
			t.Errorf("sum: off by %g, %g set aside", off, err)
		}

		lower, upper := s.LogDelta(epsilon)
		for _, end := range []struct{ got, side float64 }{{upper, 1}, {lower, -1}} {
			of := s.upper
			rest := 0.0
			if end.side < 0 {
				of, rest = s.lower, s.aliases(epsilon)
			}
			value, err := s.at(of, epsilon)
			ln := exact(math.Log(value + end.side*err - rest))
			true := new(big.Float).SetPrec(200).Add(exact(s.log), ln)
			true.Sub(true, times(exact(s.plan.Theta), exact(epsilon)))
			if end.side*minus(exact(end.got), true) < 0 {
				t.Errorf("scale: end %g within %g", end.got, minus(exact(end.got), true))
			}
		}

		one, count := phi{log: -r.ExpFloat64(), angle: r.NormFloat64()}, math.Floor(1e6*r.Float64())
		var all product
		all.omega = 10 * r.Float64()
		all.times(count, one.value())
		five := new(big.Float).SetPrec(200).Add(exact(1), exact(5*unit)) // roundings of φ's own logarithm
		if off := math.Abs(minus(exact(all.log), times(exact(count), times(exact(one.log), five)))); off > all.err {
			t.Errorf("power: off by %g, %g set aside", off, all.err)
		}
		c := Spectrum{square: 1e-3 * r.Float64(), plan: Inversion{Theta: 1, floor: -1e12}}
		before := term{omega: all.omega, log: -r.ExpFloat64()}
		c.keep(product{term: before})
		damped := times(times(exact(c.square), exact(before.omega)), times(exact(before.omega), exact(-0.5)))
		damped.Add(damped, exact(before.log))
		if off := math.Abs(minus(exact(c.terms[0].log), damped)); off > c.terms[0].err {
			t.Errorf("damping: off by %g, %g set aside", off, c.terms[0].err)
		}
	}
}

// Every line of a long stack rounds the sums so far.
func TestPaddingsOfManyLines(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 24))
	var all product
	log, angle := new(big.Float).SetPrec(320), new(big.Float).SetPrec(320)
	for range 20000 {
		p := phi{log: -r.Float64(), angle: r.Float64()}
		all.times(1, p.value())
		log.Add(log, big.NewFloat(p.log))
		angle.Add(angle, big.NewFloat(p.angle))
	}
	a, _ := log.Sub(log, big.NewFloat(all.log)).Float64()
	b, _ := angle.Sub(angle, big.NewFloat(all.angle)).Float64()
	if off := math.Hypot(a, b); off > all.err {
		t.Errorf("off by %g, %g set aside", off, all.err)
	}
	lines := make([]Line, 20000)
	most := new(big.Float).SetPrec(320)
	for i := range lines {
		x := r.Float64()
		lines[i] = Line{Loss: loss.Distribution{Atoms: []loss.Atom{{Loss: x}}}, Count: 1}
		most.Add(most, big.NewFloat(x))
	}
	got, slack := Stack{Lines: lines}.largest()
	if off, _ := most.Sub(most, big.NewFloat(got)).Float64(); math.Abs(off) > slack {
		t.Errorf("the largest sum is off by %g, %g set aside", off, slack)
	}
}
