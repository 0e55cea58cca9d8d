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

func checkNeverBelow(t *rapid.T) {
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
	// Stacks whose tails have nothing in common may keep a wide interval, or fall back on
	// another bound; they say so. What may not happen is a silent loss.
	if w := i.width(); i.Note == "" && delta <= 1e-2 && w > 8e-2 && i.Upper > 1e-3 && !math.IsInf(i.Upper, 1) {
		t.Fatalf("[%.9g, %.9g] is %.2g wide", i.Lower, i.Upper, w)
	}
}

// The most important property: lower ≤ truth ≤ upper on random stacks, without
// exception.
func TestNeverBelow(t *testing.T) {
	rapid.Check(t, checkNeverBelow)
}

// TestNeverBelowLong is the same on 2,000 stacks and more.
func TestNeverBelowLong(t *testing.T) {
	if os.Getenv("EPSILOSCOPE_LONG") == "" {
		t.Skip("set EPSILOSCOPE_LONG to run")
	}
	for i := 0; i < 25; i++ {
		rapid.Check(t, checkNeverBelow)
	}
}
