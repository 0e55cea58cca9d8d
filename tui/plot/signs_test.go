package plot

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
	"epsiloscope/scenarios"
)

// The sign of a label says what the cells show, on every chart of every bundled scenario: a curve with a line has
// dots in nearly every column where it is in sight, one with = has none of its own and runs within a row of its
// owner's, one with an arrow ends outside. The quick form takes every 24th scenario.
func TestSignsFollowFromTheCells(t *testing.T) {
	checked := map[string]int{}
	computed := []string{"adv-vs-basic-small", "eps-one-never", "welcome"} // by the accountant, too
	// The charts of a scenario ask for much the same.
	ctx := scenarios.NewEvaluator().Context(context.Background())
	for n, b := range scenarios.LibraryInfos() {
		if n%24 != 0 && !slices.Contains(computed, b.Name) && b.Name != "dp-ftrl-amplified" && !gauge.All() {
			continue
		}
		s, err := scenarios.LoadBundled(b.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range chart.Kinds() {
			if (k.Name == chart.Bands.Name || k.Name == chart.BandsCost.Name) && b.Name != "dp-ftrl-amplified" {
				continue // they take seconds each, and have the same curves for every training
			}
			numerical := k.Tight && slices.Contains(computed, b.Name)
			c, err := k.Build(ctx, s, chart.Options{Points: 6, MaxBars: 8, Numerical: numerical,
				Precision: 1e-2})
			if err != nil {
				continue
			}
			for _, size := range [][2]int{{116, 9}, {100, 30}} {
				p := shown(t, c.WithLabels(), size[0], size[1])
				for _, e := range p.labels {
					checked[p.endSign(e)]++
					if words := contradiction(p, e); words != "" {
						t.Errorf("%s, %s at %v: %s %s: %s", b.Name, k.Name, size, p.endSign(e), e.name, words)
					}
				}
			}
		}
	}
	for _, sign := range []string{"★", "=", "─", "↑"} {
		if checked[sign] == 0 {
			t.Errorf("no label has %s: %v", sign, checked)
		}
	}
}

// contradiction returns in which way the cells of a plot contradict a label; "" if they do not.
func contradiction(p *Plot, e endLabel) string {
	i, sign, glyphs := e.series, p.endSign(e), p.pen.Glyphs
	rank := slices.Index(p.ranks.Order, i)
	inked := 0
	for _, c := range p.raster {
		if c.series>>rank&1 != 0 {
			inked++
		}
	}
	g := &p.geo
	seen, drawn, near := 0, 0, 0
	heights := p.heights(i, 2*g.pw, 0, 1)
	var owner []float64
	if o := p.ranks.Owner[i]; o >= 0 {
		owner = p.heights(o, 2*g.pw, 0, 1)
	}
	for x, t := range heights {
		if !scale.IsVisible(t) {
			continue
		}
		seen++
		for row, y := g.dot(scale.Point{Y: t}).Y/4, -1; y <= 1; y++ { // a steep line passes several rows of a column
			if r := row + y; r >= 0 && r < g.ph && p.raster[r*g.pw+x/2].series>>rank&1 != 0 {
				drawn++
				break
			}
		}
		if owner != nil && math.Abs(owner[x]-t)*float64(4*g.ph-1) < 4 {
			near++
		}
	}
	switch {
	case sign == glyphs.Shared && inked > 0:
		return "it has ink of its own"
	case sign == glyphs.Shared && (owner == nil || p.ranks.Owner[i] == i || 10*near <= 8*seen):
		return "no other line runs near it"
	case sign == glyphs.Star && (i != p.ranks.Best || p.chart.Pending || p.chart.Series[i].Rough):
		return "it is not the best bound"
	case sign == glyphs.Near && !p.chart.Series[i].Rough:
		return "it is a proven bound"
	case sign == glyphs.Up && e.end <= 1:
		return "it ends in the picture"
	case sign != glyphs.Shared && !p.isArea(i) && p.curves().HasPoint(i) && 10*drawn < 9*seen:
		return "it is drawn in pieces"
	case p.chart.Rivals && sign == "─" && seen > 0 && !hasOwnColour(p, rank):
		return "no cell has its colour"
	}
	return ""
}

// hasOwnColour reports whether a cell has the colour of the series of a rank.
func hasOwnColour(p *Plot, rank int) bool {
	return slices.ContainsFunc(p.raster, func(c dots) bool {
		return c.series != 0 &&
			bits.TrailingZeros64(c.series) == rank
	})
}

// Among the rivals of a chart there is one that no other is drawn above: the best is on top wherever it has a dot,
// but for the crossing.
func TestTheBestIsNeverCovered(t *testing.T) {
	p := shown(t, growth(), 100, 30)
	for at, c := range p.raster {
		if c.series&1 != 0 && bits.TrailingZeros64(p.nearRing(at%p.geo.pw, c.series)) != 0 && len(p.rings) == 0 {
			t.Fatalf("cell %d has the colour of another", at)
		}
	}
}

// While a better curve is being computed nothing has a star, and an approximation never has one, nor a line unless it
// is selected.
func TestNoStarBeforeTheAnswer(t *testing.T) {
	c := growth()
	c.Pending = true
	if p := shown(t, c, 100, 30); p.ranks.Best != scale.None {
		t.Errorf("%s has the star of a chart that is not finished", c.Series[p.ranks.Best].Name)
	}
	c.Pending = false
	c.Series[3].Rough = true
	p := shown(t, c, 100, 30)
	if p.ranks.Best == 3 || p.ranks.Owner[3] != scale.None {
		t.Errorf("an approximation: best %d, owner %d", p.ranks.Best, p.ranks.Owner[3])
	}
	c.Selected = "numerical"
	p = shown(t, c, 100, 30)
	if p.ranks.Owner[3] != 3 || p.thick(3) || p.endSign(endLabel{namedSeries: namedSeries{series: 3}, end: 0.5}) != "≈" {
		t.Errorf("a selected approximation: owner %d", p.ranks.Owner[3])
	}
}

// A name stands at the height at which its curve leaves the picture, also where the last point in sight is far from
// the edge.
func TestNamesStandWhereCurvesLeave(t *testing.T) {
	c := chart.Chart{X: chart.Axis{Label: "K", Max: 10}, Y: chart.Axis{Label: "ε", Max: 10}, Rivals: true, Read: 1,
		Series: []chart.Series{
			{Name: "basic", Look: 1, X: []float64{1, 6, 12}, Y: []float64{1, 6, 12}},
			{Name: "advanced", Look: 2, X: []float64{1, 6, 12}, Y: []float64{0.5, 0.5, 0.5}},
		}}
	p := shown(t, c, 100, 30)
	for _, e := range p.labels {
		want := p.geo.row(p.geo.y.Fraction(map[string]float64{"basic": p.geo.x.Max, "advanced": 0.5}[e.name]))
		if e.row != want {
			t.Errorf("%s stands in row %d, and its curve ends in %d", e.name, e.row, want)
		}
	}
}

// What an attack reaches shares the line of the bound that it meets, and says so.
func TestAnAttackSharesTheLineOfTheBound(t *testing.T) {
	xs := []float64{0, 5, 10}
	c := chart.Chart{X: chart.Axis{Label: "x"}, Y: chart.Axis{Label: "y", Max: 10}, Rivals: true, Read: 5,
		Series: []chart.Series{
			{Name: "numerical", Look: 3, X: xs, Y: []float64{1, 5, 9}},
			{Name: "found by an attack", Look: 2, Attack: true, X: xs},
		}}
	for met, sign := range map[float64]string{9: "=", 8.7: "=", 2: "─"} { // 8.7 is some three dots below
		c.Series[1].Y = []float64{met / 9, met * 5 / 9, met}
		p := shown(t, c, 100, 30)
		for _, e := range p.labels {
			if got := p.endSign(e); e.series == 1 && got != sign {
				t.Errorf("an attack that reaches %v has %s, want %s", met, got, sign)
			}
		}
	}
}

// Probabilities stand on the axis: its zero is on its base, and no grid line crosses them.
func TestZeroOnTheBase(t *testing.T) {
	xs := []float64{0, 1, 2, 3}
	for _, pair := range []bool{true, false} {
		c := chart.Chart{X: chart.Axis{Label: "x"}, Y: chart.Axis{Label: "density"}, Series: []chart.Series{
			{Name: "on D", Pair: pair, X: xs, Y: []float64{0.1, 0.4, 0.2, 0.1}},
			{Name: "on D′", Pair: pair, X: xs, Y: []float64{0.1, 0.2, 0.4, 0.1}}}}
		c.Y.Max = 0.5
		p := shown(t, c, 90, 24)
		zero := p.geo.yTicks[0]
		if on := zero.cell == p.geo.py+p.geo.ph; zero.label != "0" || on != pair {
			t.Errorf("areas %v: %q stands in row %d of %d", pair, zero.label, zero.cell, p.geo.ph)
		}
	}
}
