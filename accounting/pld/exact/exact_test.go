package exact

import (
	"math"
	"testing"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/spectrum"
	"epsiloscope/accounting/special"
	_ "epsiloscope/internal/gauge" // the seed of property tests

	"pgregory.net/rapid"
)

// scattered draws a loss of a few values anywhere.
func scattered(t *rapid.T) loss.Distribution {
	var out loss.Distribution
	var weights []float64
	x, total := rapid.Float64Range(-1, -0.1).Draw(t, "loss"), 0.0
	for range rapid.IntRange(2, 4).Draw(t, "losses") {
		w := math.Exp(-rapid.Float64Range(0, 20).Draw(t, "−ln p"))
		weights, total = append(weights, w), total+w
		out.Atoms = append(out.Atoms, loss.Atom{Loss: x})
		x += rapid.Float64Range(0.01, 1).Draw(t, "gap")
	}
	for i := range out.Atoms {
		out.Atoms[i].LogP = math.Log(weights[i] / total)
	}
	return out
}

// listed returns δ(ε) of count copies, every order of losses by itself.
func listed(d loss.Distribution, count int, epsilon, sum, p float64) float64 {
	if count == 0 {
		return p * math.Max(0, -math.Expm1(epsilon-sum))
	}
	total := 0.0
	for _, a := range d.Atoms {
		total += listed(d, count-1, epsilon, sum+a.Loss, p*math.Exp(a.LogP))
	}
	return total
}

func linesOf(d loss.Distribution, count int) []spectrum.Line {
	return []spectrum.Line{{Loss: d, Count: float64(count)}}
}

// curve is a composed list with the mass at +∞ that belongs to it.
type curve struct {
	list
	side numeral.Side
}

// delta returns the estimate of δ(ε), with every loss and mass moved to the safe side.
func (c curve) delta(epsilon float64) float64 {
	side := 1.0
	if c.side == numeral.Down {
		side = -1
	}
	sum := c.top
	for i, x := range c.loss {
		if x += side * c.moved; x > epsilon {
			sum -= c.p[i] * (1 + side*c.err) * math.Expm1(epsilon-x)
		}
	}
	return sum
}

// both composes from above and from below. With always, lists are cut however short.
func both(t interface{ Fatal(...any) }, lines []spectrum.Line, fineness, spare float64,
	always bool) (upper, lower curve) {
	compose := func(side numeral.Side) curve {
		w := newWork(fineness, side)
		w.spare, w.maxListedSums = spare, 16384
		if always {
			w.maxListedSums = 0
		}
		all, ok := w.compose(lines)
		if !ok {
			t.Fatal("too much work")
		}
		if side == numeral.Down {
			all.top = certainlyInfinite(lines)
		}
		return curve{all, side}
	}
	return compose(numeral.Up), compose(numeral.Down)
}

// Whatever the cells, at every ε: the optimistic estimate below, the pessimistic one above;
// and where no list is cut, both are the truth.
func TestEstimatesEnclose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := scattered(t)
		count := rapid.IntRange(1, 5).Draw(t, "copies")
		fineness := math.Exp(rapid.Float64Range(-1.5, 6).Draw(t, "ln fineness"))
		tail := rapid.SampledFrom([]float64{0, 1e-12, 1e-6}).Draw(t, "tail")
		upper, lower := both(t, linesOf(d, count), fineness, tail, true)
		plainUp, plainLow := both(t, linesOf(d, count), fineness, 0, false)
		first, last := d.Atoms[0].Loss, d.Atoms[len(d.Atoms)-1].Loss
		for range 8 {
			epsilon := float64(count) * (first + (last-first)*rapid.Float64Range(-0.1, 1.1).Draw(t, "ε"))
			want := listed(d, count, epsilon, 0, 1)
			if got := lower.delta(epsilon); got > want*(1+1e-12)+1e-300 {
				t.Fatalf("at %g: %.12g from below, want %.12g", epsilon, got, want)
			}
			if got := upper.delta(epsilon); got < want*(1-1e-12) {
				t.Fatalf("at %g: %.12g from above, want %.12g", epsilon, got, want)
			}
			// Next to a loss the last place of ε is worth more.
			if a, b := plainLow.delta(epsilon), plainUp.delta(epsilon); b-a > 1e-11*want+1e-13 {
				t.Fatalf("at %g: [%.15g, %.15g] without cells, want %.15g", epsilon, a, b, want)
			}
		}
	})
}

// Cells half as wide cost a quarter, on either side.
func TestEstimatesAreOfSecondOrder(t *testing.T) {
	s := linesOf(loss.Gaussian(0.3), 10)
	gap := func(fineness float64) (above, below float64) {
		upper, lower := both(t, s, fineness, 1e-12, true)
		return upper.delta(2), lower.delta(2)
	}
	up1, low1 := gap(25)
	up2, low2 := gap(50)
	up4, low4 := gap(100)
	if r := (up1 - up2) / (up2 - up4); r < 3 || r > 5.5 {
		t.Errorf("from above cells twice as wide cost %.3g times as much", r)
	}
	if r := (low2 - low1) / (low4 - low2); r < 3 || r > 5.5 {
		t.Errorf("from below cells twice as wide cost %.3g times as much", r)
	}
}

// Densities cut into cells enclose their own curve, in closed form, to the far tails.
func TestDensitiesEnclose(t *testing.T) {
	for name, c := range map[string]struct {
		of    loss.Distribution
		delta func(epsilon float64) float64
		most  float64
	}{
		"Gaussian": {loss.Gaussian(0.8), func(e float64) float64 { return math.Exp(special.LogGaussianProfile(0.8, e)) }, 8},
		"Laplace":  {loss.Laplace(0.9), func(e float64) float64 { return math.Max(0, -math.Expm1((e-0.9)/2)) }, 0.9},
		"bounded range": {loss.BoundedRange(1.3), func(e float64) float64 {
			return math.Pow(math.Min(0, math.Expm1((e-1.3)/2)), 2) / -math.Expm1(-1.3)
		}, 1.3},
		"sampled Gaussian": {loss.Subsample(0.01, loss.Gaussian(1.5)), func(e float64) float64 {
			return 0.01 * math.Exp(special.LogGaussianProfile(1.5, special.LogUnmix(0.01, e)))
		}, 8},
	} {
		for _, fineness := range []float64{3, 50, 1000} {
			upper, lower := both(t, linesOf(c.of, 1), fineness, 1e-40, false)
			for i := range 40 {
				epsilon := c.most * (float64(i) + 0.5) / 40
				want := c.delta(epsilon)
				if l, u := lower.delta(epsilon), upper.delta(epsilon); l > want*(1+1e-10) || u < want*(1-1e-10) {
					t.Errorf("%s, fineness %g, at %g: [%.12g, %.12g] misses %.12g", name, fineness, epsilon, l, u, want)
				} else if fineness == 1000 && want > 1e-25 && u-l > 0.01*want {
					t.Errorf("%s, fineness %g, at %g: [%.12g, %.12g] is wide", name, fineness, epsilon, l, u)
				}
			}
		}
	}
}

// What lies beyond the cells of a density is taken for infinite from above, and left out
// from below.
func TestBeyondTheCells(t *testing.T) {
	upper, lower := both(t, linesOf(loss.Gaussian(1), 2), 100, 1e-3, false)
	for _, epsilon := range []float64{1, 3, 5, 7, 9} {
		want := math.Exp(special.LogGaussianProfile(math.Sqrt2, epsilon))
		if l, u := lower.delta(epsilon), upper.delta(epsilon); l > want || u < want || u-l > 1e-2 {
			t.Errorf("at %g: [%g, %g], want %g", epsilon, l, u, want)
		}
	}
}

// Copies of randomized response are binomial, where most of the mass is 1e-200 too.
func TestPowerIsBinomial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := math.Exp(-rapid.Float64Range(0.01, 60).Draw(t, "−ln p"))
		count := rapid.IntRange(1, 300).Draw(t, "copies")
		w := newWork(1000, numeral.Up)
		w.spare = 0 // nothing is left out
		all := w.power(list{loss: []float64{-0.3, 0.7}, p: []float64{1 - p, p}}, float64(count))
		if len(all.p) > count+1 {
			t.Fatalf("%d sums of %d copies", len(all.p), count)
		}
		top, n := all.p[len(all.p)-1], float64(count)
		if want := math.Pow(p, n); want > 1e-300 && math.Abs(top-want) > 1e-12*want {
			t.Fatalf("all of %d: %g, want %g", count, top, want)
		}
		if want := math.Pow(1-p, n); want > 1e-300 && math.Abs(all.p[0]-want) > 1e-12*want {
			t.Fatalf("none of %d: %g, want %g", count, all.p[0], want)
		}
	})
}

// What is cut off is accounted for: it goes up, or is gone.
func TestTrim(t *testing.T) {
	for _, side := range []numeral.Side{numeral.Up, numeral.Down} {
		w := &work{side: side, spare: 4 * 3.5e-9}
		got := w.trim(list{loss: []float64{1, 2, 3, 4, 5, 6},
			p: []float64{1e-9, 0.25, 0.5, 0.25, 2e-9, 1e-9}, top: 0.125}, 1)
		top, first := 0.125, 0.25
		if side == numeral.Up {
			top, first = 0.125+3e-9, 0.25+1e-9
		}
		if len(got.p) != 3 || got.loss[0] != 2 || math.Abs(got.top-top) > 1e-15 || math.Abs(got.p[0]-first) > 1e-15 {
			t.Errorf("side %v: %+v", side, got)
		}
	}
	w := &work{side: numeral.Up, spare: 4e-9}
	if got := w.trim(list{loss: []float64{1, 2}, p: []float64{1, 1e-9}, err: 0.01}, 1); got.top < 1.01e-9 {
		t.Errorf("masses may be off by a hundredth: %+v", got)
	}
}

// It gives up when the work is too much, and says so.
func TestGivesUp(t *testing.T) {
	if _, _, _, ok := Pessimistic(linesOf(loss.Laplace(1), 4000), 1e6); ok {
		t.Error("a list of millions was composed")
	}
}

// What the masses of a loss may be off by counts for every release.
func TestSlackIsCharged(t *testing.T) {
	d := loss.Distribution{Atoms: []loss.Atom{{Loss: -0.5, LogP: math.Log(0.4)}, {Loss: 0.4, LogP: math.Log(0.6)}}}
	want := listed(d, 3, 0.2, 0, 1)
	d.Slack = 1e-4
	upper, lower := both(t, linesOf(d, 3), 10, 0, false)
	if u, l := upper.delta(0.2), lower.delta(0.2); u < want*(1+3e-4) || l > want*(1-3e-4) {
		t.Errorf("[%g, %g] around %g", l, u, want)
	}
}

// Losses that reach thousands of deviations far, as on a small sample with little noise, are enclosed next to the
// mean and far from it.
func TestFarLossesAreEnclosed(t *testing.T) {
	s := linesOf(loss.Subsample(1e-4, loss.Gaussian(2)), 10)
	coarse, coarseLow := both(t, s, 24, 1e-25, false)
	fine, fineLow := both(t, s, 96, 1e-25, false)
	for _, epsilon := range []float64{0, 1e-4, 1e-3, 0.01, 0.1, 1, 3} {
		u, l, fu, fl := coarse.delta(epsilon), coarseLow.delta(epsilon), fine.delta(epsilon), fineLow.delta(epsilon)
		if fl > fu || fl > u || l > fu {
			t.Errorf("ε %v: coarse cells [%.9g, %.9g], fine ones [%.9g, %.9g]", epsilon, l, u, fl, fu)
		}
		if fu > fl*1.01 {
			t.Errorf("ε %v: fine cells are wide: [%.9g, %.9g]", epsilon, fl, fu)
		}
	}
}
