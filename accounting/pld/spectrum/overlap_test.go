package spectrum

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/internal/gauge"
)

// drawn is a random loss with a name.
type drawn struct {
	loss loss.Distribution
	text string
}

func pure(e float64) loss.Distribution {
	return loss.Distribution{Atoms: []loss.Atom{{Loss: e, LogP: -math.Log1p(math.Exp(-e))},
		{Loss: -e, LogP: -math.Log1p(math.Exp(e))}}}
}

// approximate returns the four-point pair of an (ε, δ) promise.
func approximate(e, delta float64) loss.Distribution {
	d := pure(e)
	for i := range d.Atoms {
		d.Atoms[i].LogP += math.Log1p(-delta)
	}
	d.Top, d.Bottom = delta, delta
	return d
}

// binomial returns the number drawn of g records at rate q.
func binomial(g int, q float64) (out []float64) {
	p := math.Pow(1-q, float64(g))
	for j := 0; j <= g; j++ {
		out = append(out, p)
		p *= q / (1 - q) * float64(g-j) / float64(j+1)
	}
	return out
}

func drawLoss(r *rand.Rand, count float64) drawn {
	size := math.Exp(r.NormFloat64()) / math.Sqrt(count)
	rate := math.Pow(10, -0.2-3*r.Float64())
	inner := math.Exp(r.NormFloat64())
	sampled := func(name string, d loss.Distribution) drawn {
		if r.IntN(2) == 0 {
			return drawn{loss.Subsample(rate, d), fmt.Sprintf("%s sampled at %.3g", name, rate)}
		}
		return drawn{loss.SampledAdd(rate, d), fmt.Sprintf("%s sampled at %.3g, add", name, rate)}
	}
	switch r.IntN(13) {
	case 0, 1:
		rate = math.Pow(10, -0.2-5*r.Float64())
		mu := math.Exp(0.7 - 2*r.Float64())
		return sampled(fmt.Sprintf("Gaussian(%.3g)", mu), loss.Gaussian(mu))
	case 2:
		g, mu := 1+r.IntN(4), math.Exp(0.3-2*r.Float64())
		zero := []float64{1}
		if r.IntN(2) == 0 {
			return drawn{loss.Normals(mu, binomial(g, rate), zero), fmt.Sprintf("group %d of Gaussian(%.3g) at %.3g", g, mu, rate)}
		}
		return drawn{loss.Normals(mu, zero, binomial(g, rate)), fmt.Sprintf("group %d of Gaussian(%.3g) at %.3g, add", g, mu, rate)}
	case 3:
		g, mu := 1+r.IntN(3), math.Exp(0.3-2*r.Float64())
		return drawn{loss.Normals(mu, binomial(g, rate), binomial(g, rate)), fmt.Sprintf("replaced %d of Gaussian(%.3g) at %.3g", g, mu, rate)}
	case 4:
		return drawn{loss.Laplace(size), fmt.Sprintf("Laplace(%.3g)", size)}
	case 5:
		return sampled(fmt.Sprintf("Laplace(%.3g)", inner), loss.Laplace(inner))
	case 6:
		return drawn{pure(size), fmt.Sprintf("pure(%.3g)", size)}
	case 7:
		return sampled(fmt.Sprintf("pure(%.3g)", inner), pure(inner))
	case 8:
		return drawn{loss.BoundedRange(size), fmt.Sprintf("range(%.3g)", size)}
	case 9:
		return sampled(fmt.Sprintf("range(%.3g)", inner), loss.BoundedRange(inner))
	case 10: // it is public whether the record was drawn
		return drawn{loss.RevealedMixture([]float64{1 - rate, rate},
			[]loss.Distribution{{Atoms: []loss.Atom{{}}}, loss.Laplace(size)}), fmt.Sprintf("Laplace(%.3g) revealed at %.3g", size, rate)}
	}
	if r.IntN(2) == 0 { // a changed record that also may be absent
		return drawn{loss.Subsample(rate, loss.Gaussian(inner)).Symmetrize(), fmt.Sprintf("Gaussian(%.3g) sampled at %.3g, doubled", inner, rate)}
	}
	fail := 1e-9 * r.Float64() / count
	return sampled(fmt.Sprintf("approximate(%.3g, %.3g)", inner, fail), approximate(inner, fail))
}

// drawStack draws stack number seed in one direction: always the same.
func drawStack(seed uint64, most float64) (s Stack, delta float64, text string) {
	r := rand.New(rand.NewPCG(seed, 16))
	delta = math.Pow(10, -2-14*r.Float64())
	if r.IntN(8) == 0 {
		delta = math.Pow(10, -200*r.Float64()-2)
	}
	text = fmt.Sprintf("δ %.3g:", delta)
	for range 1 + r.IntN(3) {
		count := math.Round(math.Pow(10, 1.3+most*r.Float64()))
		d := drawLoss(r, count)
		s.Lines = append(s.Lines, Line{Loss: d.loss, Count: count})
		text += fmt.Sprintf(" %s × %g,", d.text, count)
	}
	if r.IntN(4) == 0 {
		s.Square = math.Exp(2*r.NormFloat64() - 2)
		text += fmt.Sprintf(" Gaussian noise %.3g", s.Square)
	}
	return s, delta, text
}

// variants returns three tilts, three windows and three widths, every two of them together
// once, and three plans that make one error large: a window far too short, frequencies
// cut off too soon, a fifth of δ taken for infinite.
func variants(epsilon float64) (out []target) {
	for k, tilt := range []float64{0.8, 1, 1.3} {
		for j, window := range []float64{0.8, 1, 1.5} {
			w := []float64{1e-2, 1e-4, 1e-6}[(j+k)%3]
			v := aim(0, epsilon, w, 1e-2*w)
			v.tilt, v.window = tilt, window
			out = append(out, v)
		}
	}
	short, cut := aim(0, epsilon, 1e-4, 1e-6), aim(0, epsilon, 1e-4, 1e-6)
	short.window, cut.band = 0.4, 0.35
	return append(out, short, cut, aim(0, epsilon, 1e-4, 0.2))
}

// Nothing is shared between these intervals but the loss: other tilts, windows, widths.
// So where an error term is wrong by as much as a width, two of them contradict each
// other. One direction at a time: the worse one would hide the other.
func overlap(t *testing.T, from, to uint64, draw func(seed uint64) (Stack, float64, string)) {
	ctx := context.Background()
	compared, parted, vacuous, narrow, contradictions := 0, 0, 0, 0, 0
	for seed := from; seed < to; seed++ {
		s, delta, text := draw(seed)
		base, err := s.Epsilon(ctx, delta, 1e-2)
		if err != nil {
			t.Fatal(err)
		}
		check := func(i Interval, how string) {
			if math.IsNaN(i.Lower) || math.IsNaN(i.Upper) || math.IsInf(i.Lower, 0) || i.Lower > i.Upper {
				t.Errorf("stack %d, %s: [%g, %g]\n\t%s", seed, how, i.Lower, i.Upper, text)
			}
		}
		check(base, "plain")
		if math.IsInf(base.Upper, 1) {
			vacuous++
			continue
		}
		if base.Upper < 1e-9 {
			continue
		}
		lower, upper, above, below := base.Lower, base.Upper, "plain", "plain"
		take := func(i Interval, how string) {
			check(i, how)
			compared++
			if i.Upper-i.Lower < 1e-3*i.Upper {
				narrow++
			}
			if i.Lower > lower {
				lower, above = i.Lower, how
			}
			if i.Upper < upper {
				upper, below = i.Upper, how
			}
		}
		w := search{Stack: s, delta: delta, width: 1e-3, frequencies: maxFrequencies}
		for _, v := range variants(base.Upper) {
			i, _, err := w.pass(ctx, v, Interval{Upper: math.Inf(1)})
			if err != nil {
				t.Fatal(err)
			}
			take(i, fmt.Sprintf("%+v", v))
		}
		level := []float64{0.5, 20, 1e4}[seed%3] // two spectra, one of them for the rare losses
		apart := w.attempt(level)
		i, err := w.passes(ctx, &apart, 4, Interval{Upper: math.Inf(1)})
		if err != nil {
			t.Fatal(err)
		}
		if i.Upper < math.Inf(1) {
			take(i, fmt.Sprintf("apart at %g", level))
			parted++
		}
		if i, err = s.EpsilonAbove(ctx, delta, 1e-3, 2*upper); err != nil || i.Upper > 2*upper {
			t.Errorf("stack %d: an ε of %.12g is not shown to be below %.12g, but at most %.12g (%v)\n\t%s", seed, upper, 2*upper, i.Upper, err, text)
		}
		take(i, "below twice that")
		if lower > upper*(1+1e-13) {
			contradictions++
			t.Errorf("stack %d: lower end %.12g (%s) above upper end %.12g (%s)\n\t%s", seed, lower, above, upper, below, text)
		}
	}
	t.Logf("%d stacks, %d vacuous; %d further intervals, %d of them apart, %d narrower than 1e-3; %d contradictions", to-from, vacuous, compared, parted, narrow, contradictions)
	if to-from > 1 && (vacuous > int(to-from)/20 || narrow < compared/3) {
		t.Errorf("%d of %d stacks vacuous, %d of %d intervals narrow: this tests too little", vacuous, to-from, narrow, compared)
	}
}

func drawAny(seed uint64) (Stack, float64, string) { return drawStack(seed, 6) }

// drawLattices returns a stack with a long discrete Gaussian in it, plain or sampled.
func drawLattices(seed uint64) (s Stack, delta float64, text string) {
	s, delta, text = drawStack(seed, 5)
	r := rand.New(rand.NewPCG(seed, 17))
	count := math.Round(math.Pow(10, 5*r.Float64()))
	sigma := math.Exp(4 + 8*r.Float64())
	shift := math.Ceil(sigma * math.Exp(r.NormFloat64()) / math.Sqrt(count))
	rate := math.Pow(10, -3*r.Float64())
	d := loss.DiscreteGaussian(sigma, shift)
	switch r.IntN(4) {
	case 0:
		d = loss.Subsample(rate, d)
	case 1:
		d = loss.SampledAdd(rate, d)
	case 2:
		d = loss.Subsample(rate, d).Symmetrize()
	}
	s.Lines[0] = Line{Loss: d, Count: count}
	return s, delta, fmt.Sprintf("discrete Gaussian(%.4g, %g) at %.3g × %g for the first of %s", sigma, shift, rate, count, text)
}

func TestOverlapOfLattices(t *testing.T) {
	gauge.Sequential(t)
	overlap(t, 0, uint64(gauge.Cases(2, 8)), drawLattices)
}

func TestOverlap(t *testing.T) {
	gauge.Sequential(t)
	overlap(t, 0, uint64(gauge.Cases(6, 60)), drawAny)
	if !gauge.All() {
		overlap(t, 53, 54, drawAny) // rare losses matter here
	}
}

// TestOverlapLong is the same on 2,000 other stacks.
func TestOverlapLong(t *testing.T) {
	if !gauge.Long() {
		t.Skip("set EPSILOSCOPE_LONG to run")
	}
	overlap(t, 1000, 3000, drawAny)
}
