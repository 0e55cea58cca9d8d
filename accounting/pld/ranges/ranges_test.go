package ranges

import (
	"math"
	"slices"
	"strconv"
	"sync"
	"testing"

	"epsiloscope/accounting/internal/oracle"
	"epsiloscope/internal/gauge"

	"pgregory.net/rapid"
)

// One step of the recursion is the curve of one release, which has a closed form.
func TestAdaptiveOfOne(t *testing.T) {
	for _, epsilon := range []float64{0.01, 0.5, 3} {
		_, deltas, _ := (&Adaptive{epsilon: epsilon, count: 1, finest: 100}).Play()
		for k := range 101 {
			got := deltas[k]
			gone := math.Expm1((float64(k)*epsilon/100 - epsilon) / 2) // (√E − √g)²/(E − 1), over E
			want := gone * gone / -math.Expm1(-epsilon)
			if got < want || got > want*1.001+math.Expm1(epsilon)/2e4 {
				t.Errorf("ε %v at %v: %v, exactly %v", epsilon, float64(k)*epsilon/100, got, want)
			}
		}
	}
}

func BenchmarkAdaptive(b *testing.B) {
	for _, count := range []float64{100, 2616} {
		b.Run(strconv.Itoa(int(count)), func(b *testing.B) {
			for b.Loop() {
				unfinished.kept = nil
				g, _ := NewAdaptive(0.1, count, 1e-4)
				g.Play()
			}
		})
	}
}

// drawGame draws a game that has been played for some rounds, on a mesh that may have been halved.
func drawGame(t *rapid.T) (*Adaptive, *game) {
	g := &Adaptive{
		epsilon: math.Exp(rapid.Float64Range(math.Log(0.01), math.Log(4)).Draw(t, "ln ε")),
		count:   rapid.IntRange(1, 60).Draw(t, "count"), finest: 16 * rapid.IntRange(1, 6).Draw(t, "finest/16"),
	}
	now := &game{mesh: newMesh(g.epsilon, g.finest), values: []float64{0}, tests: tests{{}}}
	for _, halvings := range []int{1, 2} {
		if early := g.count / 3 * halvings; rapid.Bool().Draw(t, "halve") && early > 0 && now.arcs/2 >= minArcs {
			now.playOn(early)
			now.coarsen(now.arcs / 2)
		}
	}
	now.playOn(g.count)
	return g, now
}

// Which corners are skipped changes nothing: each value is the largest at any corner.
func TestRoundLooksAtTheLargestCorner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, now := drawGame(t)
		length, pad := now.length(now.played+1), now.arcs+2
		wide := make([]float64, length+2*pad)
		now.widen(wide, pad)
		all := now.newArc()
		r := round{values: slices.Clone(wide[pad : pad+length]), best: make([]uint8, length), wide: wide, pad: pad}
		r.raiseAll(all)
		for k, got := range r.values {
			want, at := wide[pad+k], 0
			for i, s := range all.smallest {
				if s.first != i || s.next != i+1 {
					t.Fatalf("segment %d is from %d to %d", i, s.first, s.next)
				}
				a, b := wide[pad+k+s.up:], wide[pad+k+s.down:]
				if v := s.c[0]*a[0] + s.c[1]*a[1] + s.c[2]*b[0] + s.c[3]*b[1]; v > want {
					want, at = v, i
				}
			}
			if got < want*(1-1e-9) || got > want {
				t.Fatalf("value %d is %v, and %v at corner %d", k, got, want, at)
			}
		}
	})
}

// Every attacker stays below the bound, and by little if the mesh is fine, on meshes that were halved too.
func TestAttackersStayBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, now := drawGame(t)
		for k, v := range now.tests {
			x := float64(k) * now.step
			value := v.p - v.q // P(L > x) − e^x·Q(L > x)
			if bound := now.values[k] * (1 + 1e-10); value > bound+1e-16 {
				t.Fatalf("%d × %v at %v: an attacker reaches %v, the bound is %v", g.count, g.epsilon, x, value, bound)
			}
			if bound := now.values[k]; bound > 1e-3 && now.arcs >= 16 && now.step <= 0.1 && value < bound*0.8-0.01 {
				t.Fatalf("%d × %v at %v: an attacker reaches %v only, the bound is %v", g.count, g.epsilon, x, value, bound)
			}
		}
	})
}

// An attacker who may choose any test reaches at every aim what the test for it reaches, and never the bound. The
// first game is one in which every test for a negative aim succeeds up to rounding.
func TestOutcomesKeepTheTests(t *testing.T) {
	check := func(t rapid.TB, g *Adaptive, now *game) {
		t.Helper()
		every := 1 + g.count%3
		out := g.outcomes(now, every)
		last := len(now.tests) - 1
		for k := last % every; k <= last; k += every {
			x, v, delta := float64(k)*now.step, now.tests[k], 0.0
			times := math.Exp(x)
			for _, o := range out {
				delta += max(0, o.P-times*o.Q)
			}
			if bound := now.values[k]; delta > bound*(1+1e-10)+1e-16 || delta < v.p-v.q-1e-9*v.p-1e-40 {
				t.Fatalf("%d × %v at %v: the outcomes reach %v, the test %v, the bound is %v", g.count, g.epsilon, x, delta, v.p-v.q, bound)
			}
		}
	}
	for _, c := range []struct{ epsilon, count, width float64 }{{3, 300, 1e-3}, {4, 60, 1e-3}, {0.1, 300, 1e-2}} {
		g, _ := NewAdaptive(c.epsilon, c.count, c.width)
		now := &game{mesh: newMesh(g.epsilon, g.finest), values: []float64{0}, tests: tests{{}}}
		g.play(now)
		check(t, g, now)
	}
	gauge.Check(t, gauge.Cases(20, 100), func(t *rapid.T) {
		g, now := drawGame(t)
		check(t, g, now)
	})
}

// A mesh that is halved on the way gives bounds no larger than its last mesh from the start.
func TestHalvedMeshIsNoLooser(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, now := drawGame(t)
		one := &game{mesh: now.mesh, values: []float64{0}, tests: tests{{}}}
		one.playOn(g.count)
		for k := range now.values {
			if now.values[k] > one.values[k]*(1+1e-9) {
				t.Fatalf("%d × %v: %v at point %d, and %v on one mesh", g.count, g.epsilon, now.values[k], k, one.values[k])
			}
		}
	})
}

// The mesh is halved as the rounds become longer, and only then.
func TestArcsOfRounds(t *testing.T) {
	g, ok := NewAdaptive(0.1, 2616, 1e-4) // the exponential mechanism of "welcome", 218 times
	if !ok || g.arcsOf(1) != maxArcs || g.arcsOf(2616) >= 4*minArcs {
		t.Fatalf("%v, %v: from %d to %d arcs", g, ok, g.arcsOf(1), g.arcsOf(2616))
	}
	for round := 2; round <= 2616; round++ {
		if before, now := g.arcsOf(round-1), g.arcsOf(round); now != before && now != before/2 || now < minArcs {
			t.Errorf("round %d: %d arcs after %d", round, now, before)
		}
	}
}

// A game that is played on is the one that is played at once, whatever was asked before.
func TestPlaysOn(t *testing.T) {
	for _, c := range []struct{ epsilon, width float64 }{{0.1, 1e-2}, {2, 1e-3}} {
		for _, count := range []float64{3, 2, 4, 4, 9, 20, 7, 21, 120, 60} { // some fewer than before
			on, _ := NewAdaptive(c.epsilon, count, c.width)
			losses, deltas, aimed := on.Play()
			kept := unfinished.kept
			unfinished.kept = nil
			anew, _ := NewAdaptive(c.epsilon, count, c.width)
			losses2, deltas2, aimed2 := anew.Play()
			unfinished.kept = kept
			if !slices.Equal(losses, losses2) || !slices.Equal(deltas, deltas2) || !slices.Equal(aimed, aimed2) {
				t.Errorf("%v × %v after others is another game", count, c.epsilon)
			}
		}
	}
}

// Games of several goroutines go on from one another, and each is the one that is played alone.
func TestPlaysAtOnce(t *testing.T) {
	const epsilon, width, most = 0.3, 1e-2, 40
	deltas := make([][]float64, most)
	var group sync.WaitGroup
	for i := range deltas {
		group.Go(func() {
			g, _ := NewAdaptive(epsilon, float64(i+1), width)
			_, deltas[i], _ = g.Play()
		})
	}
	group.Wait()
	for i, got := range deltas {
		unfinished.kept = nil
		g, _ := NewAdaptive(epsilon, float64(i+1), width)
		if _, want, _ := g.Play(); !slices.Equal(got, want) {
			t.Errorf("%d releases beside others is another game", i+1)
		}
	}
}

// No t between those that are looked at is better.
func TestFixedLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon, count := rapid.Float64Range(0.01, 4).Draw(t, "ε"), float64(rapid.IntRange(2, 300).Draw(t, "K"))
		f, _ := NewFixed(epsilon, count)
		x := rapid.Float64Range(0, 1).Draw(t, "x") * math.Min(count*epsilon, 8*math.Sqrt(count)*epsilon)
		value, at := f.largest(x)
		if got := f.curveAt(at, x); value > got*(1+2e-9)+2e-40 {
			t.Errorf("%v at %v, where it is %v", value, at, got)
		}
		for i := range 200 {
			if other := epsilon * float64(i) / 200; f.curveAt(other, x) > value*(1+1e-11) {
				t.Errorf("K %v, ε %v, x %v: %v at %v, and %v at %v", count, epsilon, x, value, at, f.curveAt(other, x), other)
			}
		}
	})
}

// Of tiny losses, next to the largest sum, the bound is still above the curve of its t, in 320
// bits.
func TestFixedOfTinyLosses(t *testing.T) {
	for _, epsilon := range []float64{1.1e-6, 1e-5, 1e-3} {
		for _, count := range []float64{2, 3, 10} {
			f, _ := NewFixed(epsilon, count)
			for k := 350.0; k < 400; k += 7 {
				x := count * epsilon * k / 400
				value, at := f.largest(x)
				e, y := oracle.R(epsilon).Exp(), oracle.R(at).Exp()
				p := e.Sub(y).Div(e.Sub(oracle.R(1)))
				truth := oracle.R(0)
				for i := range int(count) + 1 { // so many times t − ε
					l := oracle.R(count).Mul(oracle.R(at)).Sub(oracle.R(float64(i)).Mul(oracle.R(epsilon)))
					less := oracle.R(1).Sub(oracle.R(x).Sub(l).Exp())
					if less.Sign() <= 0 {
						break
					}
					for j := range int(count) {
						if j < i {
							less = less.Mul(oracle.R(1).Sub(p)).Mul(oracle.R(count - float64(j))).Div(
								oracle.R(float64(j + 1)))
						} else {
							less = less.Mul(p)
						}
					}
					truth = truth.Add(less)
				}
				if value < truth.Float() {
					t.Errorf("K %g, ε %g, x %g: %g, and %g at %g", count, epsilon, x, value, truth.Float(), at)
				}
			}
		}
	}
}
