package pld

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// drawScattered draws a law of a few losses anywhere.
func drawScattered(t *rapid.T) *discrete {
	var points []atom
	total := 0.0
	loss := rapid.Float64Range(-1, -0.1).Draw(t, "loss")
	for range rapid.IntRange(2, 4).Draw(t, "losses") {
		p := math.Exp(-rapid.Float64Range(0, 20).Draw(t, "−ln p"))
		points = append(points, atom{loss, p, p * math.Exp(-loss)})
		total += p
		loss += rapid.Float64Range(0.01, 1).Draw(t, "gap")
	}
	for i := range points {
		points[i].p /= total
		points[i].q /= total
	}
	return newDiscrete("scattered", points, 0, 0)
}

// bothEnds are count copies of a law on a lattice, multiplied out.
func bothEnds(l law, count float64, g lattice) (above plain, below composition) {
	lo, hi := l.span()
	lines := []placed{{line{key: l.Key(), upper: l, lower: l, count: count}, g, lo, hi}}
	work := &labour{left: 1e9}
	whole, s := work.compose(lines, raised, placed.ceiling)
	below, _ = work.local(lines, 1)
	return newPlain(s, whole), below
}

// moved is how far the points of a lattice may stand from their places, by rounding: the
// accountant reads every curve that much to the safe side of ε.
func moved(l law, count float64, g lattice) float64 {
	return direction{lines: []line{{upper: l, lower: l, count: count}}}.rounding(g.step)
}

// listedCurve is δ(ε) of count copies, every sum of losses by itself.
func listedCurve(l law, count float64) func(float64) float64 {
	g, ok := line{key: l.Key(), upper: l, lower: l, count: count}.listed(frugality{limit: 1 << 13})
	if !ok {
		panic("too long a list")
	}
	return func(epsilon float64) float64 {
		sum := 0.0
		for i, x := range g.loss {
			sum += g.p[i] * math.Max(0, -math.Expm1(epsilon-x))
		}
		return sum
	}
}

// From below and from above, whatever the lattice, at every ε, read as the accountant
// reads it.
func TestLocalIsBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawScattered(t)
		count := float64(rapid.IntRange(1, 6).Draw(t, "copies"))
		g := lattice{origin: rapid.Float64Range(-1, 1).Draw(t, "origin"), step: math.Exp(-rapid.Float64Range(0.5, 6).Draw(t, "−ln step"))}
		above, below := bothEnds(l, count, g)
		truth, shift := listedCurve(l, count), moved(l, count, g)
		lo, hi := l.span()
		for range 8 {
			epsilon := count * (lo + (hi-lo)*rapid.Float64Range(-0.1, 1.1).Draw(t, "ε"))
			want := truth(epsilon)
			if got := below.curve(0, epsilon+shift, false); got > want*(1+1e-12) {
				t.Fatalf("at %g: %.12g from below, want %.12g", epsilon, got, want)
			}
			if got := above.curve(0, epsilon-shift, true); got < want*(1-1e-12) {
				t.Fatalf("at %g: %.12g from above, want %.12g", epsilon, got, want)
			}
		}
	})
}

// Atoms off the lattice cost a lattice half as fine four times as much, from below as from
// above, and from below at most some six times what they cost from above.
func TestLocalIsOfSecondOrder(t *testing.T) {
	l := Subsample(0.05, DiscreteGaussian(1.5, 1)).Remove.(law)
	const count, epsilon = 40, 0.8
	cost := func(h float64) (above, below float64) {
		lo, hi := horizon(l, 0, 0, -60)
		lines := []placed{{line{key: "x", upper: l, lower: l, count: count}, lattice{lo - 0.3*h, h}, lo, hi}}
		work := &labour{left: 1e9, spare: 1e-30}
		whole, s := work.compose(lines, raised, placed.ceiling)
		low, _ := work.local(lines, 4)
		middle := newPlain(s, whole).curve(0, epsilon, true)
		reference := low.(local).raised.at(epsilon)
		return middle, reference - low.curve(0, epsilon, false)
	}
	coarseUp, coarse := cost(0.008)
	mediumUp, medium := cost(0.004)
	fineUp, fine := cost(0.002)
	if r := coarse / medium; r < 3 || r > 5.5 {
		t.Errorf("from below a step twice as long costs %.3g times as much", r)
	}
	if r := medium / fine; r < 3 || r > 5.5 {
		t.Errorf("from below a step twice as long costs %.3g times as much", r)
	}
	up := (coarseUp - mediumUp) / (mediumUp - fineUp)
	if up < 3 || up > 5.5 {
		t.Errorf("from above a step twice as long costs %.3g times as much", up)
	}
	if r := medium / ((mediumUp - fineUp) * 4 / 3); r > 8 {
		t.Errorf("from below the lattice costs %.3g times what it does from above", r)
	}
}

// moves lists, for count copies of a law, where each sum of losses goes on the lattice: S,
// S′ and the P′-mass of both together.
func moves(l law, count int, g lattice, visit func(s, raised, p float64)) {
	var walk func(left int, s, raised, p float64)
	walk = func(left int, s, raised, p float64) {
		if left == 0 {
			visit(s, raised, p)
			return
		}
		for _, a := range l.atoms() {
			k := g.cell(a.loss)
			up := math.Expm1(g.at(k)-a.loss) / math.Expm1(-g.step)
			walk(left-1, s+a.loss, raised+g.at(k), p*a.p*(1-up))
			walk(left-1, s+a.loss, raised+g.at(k+1), p*a.p*up)
		}
	}
	walk(count, 0, 0, 1)
}

// The identity that everything rests on, and each of its two terms under its own bound:
// sums raised past ε, and sums left short of it. The bounds are due for points that
// stand nearer to ε by what rounding may move them: a sum raised past ε by 1e-10 is known
// to six digits only, as the points lie near 1.
func TestLocalTerms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawScattered(t)
		count := rapid.IntRange(1, 3).Draw(t, "copies")
		g := lattice{origin: rapid.Float64Range(-1, 1).Draw(t, "origin"), step: rapid.Float64Range(0.01, 0.5).Draw(t, "step")}
		_, composed := bothEnds(l, float64(count), g)
		below := composed.(local)
		lo, hi := l.span()
		epsilon := float64(count) * (lo + (hi-lo)*rapid.Float64Range(-0.1, 1.1).Draw(t, "ε"))
		shift := moved(l, float64(count), g)
		var raised, past, short, pastDue, shortDue float64
		moves(l, count, g, func(s, to, p float64) {
			raised += p * math.Max(0, -math.Expm1(epsilon-to))
			if s <= epsilon {
				past += p * math.Max(0, -math.Expm1(epsilon-to))
				pastDue += p * math.Max(0, -math.Expm1(epsilon-to+shift))
			} else {
				short += p * math.Max(0, math.Expm1(epsilon-to))
				shortDue += p * math.Max(0, math.Expm1(epsilon-to-shift))
			}
		})
		if want := listedCurve(l, float64(count))(epsilon); math.Abs(raised-past-short-want) > 1e-12 {
			t.Fatalf("δ′ − past − short = %.15g, δ = %.15g", raised-past-short, want)
		}
		weight := math.Exp(-(1+below.past.decay)*shift) * (1 - 1e-12) // e^{−λ(S′−ε)} moves with the points
		if got := below.past.at(epsilon); got < pastDue*weight-1e-300 {
			t.Fatalf("past ε: %g, at least %g is due", got, pastDue)
		}
		if got := below.short.at(-epsilon); got < shortDue*weight-1e-300 {
			t.Fatalf("short of ε: %g, at least %g is due", got, shortDue)
		}
	})
}
