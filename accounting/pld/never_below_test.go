package pld

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// slowCurve is δ(ε) of a small stack by a route of its own: every combination of the
// losses of all releases but one is listed, and the curve of that one, in closed form,
// is averaged over the list. No grid, no tilt, no transform.
func slowCurve(losses []Loss, epsilon float64) float64 {
	last := losses[0]
	rest := losses[1:]
	order := quadratureOrder(last)
	type mass struct{ loss, p float64 }
	list := []mass{{0, 1}}
	for _, l := range rest {
		w := l.(law)
		var own []mass
		for _, a := range w.atoms() {
			own = append(own, mass{a.loss, a.p})
		}
		for _, n := range w.nodes(order) {
			own = append(own, mass{n.loss, math.Exp(n.logP)})
		}
		var next []mass
		for _, a := range list {
			for _, b := range own {
				if p := a.p * b.p; p > 1e-40 {
					next = append(next, mass{a.loss + b.loss, p})
				}
			}
		}
		list = next
	}
	finite := 1.0
	for _, l := range rest {
		top, _ := l.(law).ends()
		finite *= 1 - top
	}
	sum := 1 - finite
	for _, m := range list {
		sum += m.p * math.Exp(last.LogDelta(epsilon-m.loss))
	}
	return sum
}

// unseen is how far below the largest loss of the averaged releases their outermost
// nodes lie in all: between there and the top slowCurve sees nothing.
func unseen(losses []Loss) float64 {
	order, sum := quadratureOrder(losses[0]), 0.0
	for _, l := range losses[1:] {
		w := l.(law)
		_, top := w.span()
		if !w.continuous() || math.IsInf(top, 1) {
			continue
		}
		seen := math.Inf(-1)
		for _, a := range w.atoms() {
			seen = math.Max(seen, a.loss)
		}
		for _, n := range w.nodes(order) {
			seen = math.Max(seen, n.loss)
		}
		sum += top - seen
	}
	return sum
}

// quadratureOrder asks for a fine rule where the averaged curve has kinks.
func quadratureOrder(last Loss) float64 {
	if _, smooth := last.(gaussian); smooth {
		return 4
	}
	return 100
}

func smallStack(t *rapid.T) (parts []Part, remove, add []Loss) {
	points := 1
	// The first release is kept in closed form: a Gaussian where possible, whose
	// smooth curve makes the quadrature of the others exact.
	kinds := rapid.IntRange(1, 4).Draw(t, "lines")
	if rapid.Bool().Draw(t, "gaussian") {
		p := Gaussian(math.Exp(rapid.Float64Range(-0.5, 1).Draw(t, "ln μ")))
		parts = append(parts, Part{p, 1})
		remove, add = append(remove, p.Remove), append(add, p.Add)
	}
	for i := 0; i < kinds; i++ {
		p := anyPair().Draw(t, "pair")
		t.Log(p.Key())
		if strings.Contains(p.Key(), "(gaussian") || strings.HasPrefix(p.Key(), "gaussian") || strings.Contains(p.Key(), ",gaussian") {
			// The trapezoidal rule over Gaussian noise needs a smooth curve to average:
			// without a Gaussian in front, this release must be the one in front.
			if len(remove) == 0 {
				parts = append(parts, Part{p, 1})
				remove, add = append(remove, p.Remove), append(add, p.Add)
				continue
			}
			if _, smooth := remove[0].(gaussian); !smooth {
				continue
			}
		}
		count := 0
		for k := rapid.IntRange(1, 5).Draw(t, "K"); count < k; count++ {
			l := p.Remove.(law)
			size := len(l.atoms())
			if len(remove) > 0 {
				size += len(l.nodes(quadratureOrder(remove[0])))
			}
			if len(remove) > 0 && points*size > 60000 {
				break
			}
			if len(remove) > 0 {
				points *= size
			}
			remove, add = append(remove, p.Remove), append(add, p.Add)
		}
		if count > 0 {
			parts = append(parts, Part{p, float64(count)})
		}
	}
	return parts, remove, add
}

// wide counts the stacks whose interval is wide and says so. One may be; if many are,
// the accountant has lost its precision.
type wide struct{ stacks, announced int }

func (w *wide) judge(t *testing.T) {
	t.Logf("%d of %d stacks have a wide interval", w.announced, w.stacks)
	if w.announced > 1+w.stacks/50 {
		t.Errorf("%d of %d stacks have a wide interval; at most one in fifty is meant", w.announced, w.stacks)
	}
}

func (w *wide) check(t *rapid.T) {
	parts, remove, add := smallStack(t)
	if len(parts) == 0 {
		t.Skip("nothing drawn")
	}
	delta := math.Exp(-rapid.Float64Range(1, 60).Draw(t, "ln 1/δ"))
	opt := Options{Width: 1e-2, NoForm: rapid.Bool().Draw(t, "no form")}
	i, err := Epsilon(context.Background(), parts, delta, opt)
	if err != nil {
		t.Fatal(err)
	}
	truth := func(e float64) float64 {
		return math.Max(slowCurve(remove, e), slowCurve(add, e))
	}
	const tolerance = 3e-5 // of the quadrature across kinks
	if math.IsNaN(i.Lower) || math.IsNaN(i.Upper) || i.Lower > i.Upper {
		t.Fatalf("[%g, %g]", i.Lower, i.Upper)
	}
	if !math.IsInf(i.Upper, 1) {
		if d := truth(i.Upper); d > delta*(1+tolerance) {
			t.Fatalf("upper end %.12g: δ there is %.9g > %.9g", i.Upper, d, delta)
		}
	} else if d := truth(500); d < delta {
		t.Fatalf("upper end is infinite, but δ(500) = %g", d)
	}
	if i.Lower > 0 {
		e := math.Min(i.Lower, 1e4)
		// Next to the largest possible loss the outermost nodes fall short of it: there the
		// slow route is too small, by no more than moving ε down as far.
		if d := truth(e); d < delta*(1-tolerance) && truth(e-unseen(remove)) < delta*(1-tolerance) {
			t.Fatalf("lower end %.12g: δ there is %.9g < %.9g", i.Lower, d, delta)
		}
	}
	// Stacks whose tails have nothing in common may fall back on another bound, and a few
	// keep a wide interval. They must say so, and stay few.
	w.stacks++
	if width := i.width(); delta <= 1e-2 && width > 8e-2 && i.Upper > 1e-3 && !math.IsInf(i.Upper, 1) {
		if i.Note == "" {
			t.Fatalf("[%.9g, %.9g] is %.2g wide and does not say so", i.Lower, i.Upper, width)
		}
		if i.Form == "" {
			w.announced++
		}
	}
}

// The most important property: lower ≤ truth ≤ upper on random stacks, without
// exception.
func TestNeverBelow(t *testing.T) {
	var w wide
	rapid.Check(t, w.check)
	w.judge(t)
}

// TestNeverBelowLong is the same on 2,000 stacks and more.
func TestNeverBelowLong(t *testing.T) {
	if os.Getenv("EPSILOSCOPE_LONG") == "" {
		t.Skip("set EPSILOSCOPE_LONG to run")
	}
	var w wide
	for i := 0; i < 25; i++ {
		rapid.Check(t, w.check)
	}
	w.judge(t)
}

// Where slowCurve sees nothing, next to the largest loss, the lower end is held to
// another route: every release cut into cells, each cell's mass moved down to its lower
// edge, and the cells convolved directly. That curve lies below the true one.
func TestLowerEndNextToTheLargestLoss(t *testing.T) {
	const epsilon, copies, cells = 0.049787068367863944, 4, 4000
	delta := math.Exp(-29.75)
	pair := BoundedRange(epsilon)
	i, err := Epsilon(context.Background(), []Part{{pair, copies}}, delta, Options{Width: 1e-2})
	if err != nil {
		t.Fatal(err)
	}
	l, h := pair.Remove.(law), 2*epsilon/cells
	top := 200 // cells below the largest loss are all that matters at this δ
	one := make([]float64, top)
	for k := range one { // k-th cell from the top
		lower := epsilon - float64(k+1)*h
		one[k] = l.tails(lower).upP - l.tails(lower+h).upP
	}
	sum := []float64{1}
	for range copies {
		next := make([]float64, top)
		for a, p := range sum {
			for b, q := range one {
				if a+b < top {
					next[a+b] += p * q
				}
			}
		}
		sum = next
	}
	truth := 0.0
	for k, p := range sum {
		loss := copies*epsilon - float64(k+copies)*h
		truth += p * math.Max(0, -math.Expm1(i.Lower-loss))
	}
	if truth < delta {
		t.Errorf("lower end %.9g: δ there is at least %.6g, wanted %.6g", i.Lower, truth, delta)
	}
	if i.Lower > copies*epsilon || i.Lower > i.Upper {
		t.Errorf("[%.9g, %.9g] of a largest loss %.9g", i.Lower, i.Upper, copies*epsilon)
	}
}
