package scale

import (
	"math"
	"testing"

	_ "epsiloscope/internal/gauge" // the seed of property tests
	"epsiloscope/report/chart"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What is left of a segment lies in the square and on the segment, and nothing is
// left only of segments that miss it.
func TestClip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(-3, 4)
		a := Point{c.Draw(t, "ax"), c.Draw(t, "ay")}
		b := Point{c.Draw(t, "bx"), c.Draw(t, "by")}
		from, to, ok := Clip(a, b)
		met := false
		for i := range 200 {
			f := float64(i) / 199
			p := Point{a.X + f*(b.X-a.X), a.Y + f*(b.Y-a.Y)}
			met = met || p.isStrictlyInside()
		}
		if met && !ok {
			t.Fatalf("%v–%v meets the square but was dropped", a, b)
		}
		if !ok {
			return
		}
		for _, p := range []Point{from, to} {
			off := math.Abs((b.X-a.X)*(p.Y-a.Y) - (b.Y-a.Y)*(p.X-a.X))
			if !p.isStrictlyInside() || off > 1e-9 {
				t.Fatalf("%v–%v clipped to %v, %g off the line", a, b, p, off)
			}
		}
	})
}

func TestClipOdd(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		a, b Point
		ok   bool
	}{
		{Point{nan, 0}, Point{1, 1}, false},
		{Point{0.5, -inf}, Point{0.5, inf}, true},
		{Point{0.5, 0.5}, Point{1e300, 0.5}, true},
		{Point{2, 2}, Point{3, 3}, false},
		{Point{0.5, 0.5}, Point{0.5, 0.5}, true},
	} {
		if _, _, ok := Clip(c.a, c.b); ok != c.ok {
			t.Errorf("Clip(%v, %v) = %t", c.a, c.b, ok)
		}
	}
}

func TestLines(t *testing.T) {
	unit := New(0, 4, false)
	x, nan := []float64{0, 1, 2, 3, 4}, math.NaN()
	for _, c := range []struct {
		name string
		s    chart.Series
		want [][]Point
	}{
		{"a gap breaks the line, a lone point stays", chart.Series{X: x, Y: []float64{0, 4, nan, 2, math.Inf(1)}},
			[][]Point{{{0, 0}, {0.25, 1}}, {{0.75, 0.5}}}},
		{"rising steps hold", chart.Series{Step: true, X: x[:2], Y: []float64{0, 4}},
			[][]Point{{{0, 0}, {0.25, 0}, {0.25, 1}, {0.375, 1}}}},
		{"a distribution has spikes", chart.Series{Step: true, X: x[:3], Y: []float64{2, 4, 2}},
			[][]Point{{{0, 0}, {0, 0.5}}, {{0.25, 0}, {0.25, 1}}, {{0.5, 0}, {0.5, 0.5}}}},
	} {
		got := Lines(chart.Chart{Series: []chart.Series{c.s}}, 0, unit, unit, 10)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestShapeOfCrowdedDistribution(t *testing.T) {
	s := chart.Series{Step: true, X: []float64{0, 1, 2}, Y: []float64{1, 2, 1}}
	two := chart.Chart{Series: []chart.Series{s, s}}
	if got := ShapeOf(two, 0, New(0, 2, false), 10); got != Centred {
		t.Errorf("two distributions: %v, want outlines", got)
	}
	if got := ShapeOf(chart.Chart{Series: []chart.Series{s}}, 0, New(0, 2, false), 2); got != Centred {
		t.Errorf("no room for spikes: %v, want an outline", got)
	}
}

// The categories of a distribution are bars of the same width that stand apart; values close together touch.
func TestCategoriesAreBars(t *testing.T) {
	for n, apart := range map[int]bool{2: true, 5: true, 40: false} {
		s := chart.Series{Name: "on D", Step: true, Pair: true}
		for k := range n {
			s.X, s.Y = append(s.X, float64(k)), append(s.Y, 1/float64(k+1))
		}
		c := chart.Chart{Series: []chart.Series{s, s}}
		x, y := Fit(c)
		lines := Lines(c, 0, x, y, 100)
		if got := len(lines) == n; got != apart {
			t.Errorf("%d categories are %d lines", n, len(lines))
		}
		for i, line := range lines {
			width := func(l []Point) float64 { return l[len(l)-1].X - l[0].X }
			if apart && i > 0 && i < n-1 && math.Abs(width(line)-width(lines[1])) > 1e-9 {
				t.Errorf("of %d categories number %d is %v wide, the second %v", n, i, width(line), width(lines[1]))
			}
		}
	}
}
