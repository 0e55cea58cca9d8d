package render

import (
	"math"

	"epsiloscope/report/scale"
)

// drawBars draws a horizontal bar chart: label, bar, value on each row; marks as lines
// across all of them; series as dots on the bar whose index is their x. The values have a
// column of their own, where no dot covers them.
func (g *page) drawBars() {
	y := scale.FitBars(g.chart)
	marked := 0.0 // height of the marks' names
	for _, m := range g.chart.Marks {
		if scale.IsVisible(y.Fraction(m.Y)) {
			marked = tickSize * lineHeight
		}
	}
	g.y1 -= marked
	if g.chart.Y.Label != "" {
		g.y1 -= labelSize * lineHeight
	}
	shown := g.chart.Bars
	if room := int((g.y1 - g.y0) / (tickSize * 1.2)); len(shown) > room {
		shown = shown[:max(room-1, 1)]
		g.pic.add(label{x: g.x0, y: g.y1 - 2, text: scale.Format(float64(len(g.chart.Bars)-len(shown)), 6) + " more",
			size: tickSize, colour: g.ink.muted})
		g.y1 -= tickSize * lineHeight
	}
	names, values := 0.0, 0.0
	for _, b := range shown {
		names = math.Max(names, textWidth(clean(b.Caption()), tickSize, b.Best))
		values = math.Max(values, textWidth(scale.FormatReading(g.chart.Y, b.Value, 4), tickSize, b.Best))
	}
	names = math.Min(names, (g.x1-g.x0)/3)
	left, right := g.x0+names+8, g.x1-values-8
	row := math.Max(0, math.Min((g.y1-g.y0)/float64(len(shown)), 56)) // a small picture may leave no height
	for i, b := range shown {
		top := g.y0 + float64(i)*row
		ink, text := g.ink.colour(0), g.ink.text
		if b.Best {
			ink = g.ink.best
		}
		base := top + row/2 + tickSize*0.35
		g.pic.add(
			label{x: left - 8, y: base, text: cut(b.Caption(), tickSize, names, b.Best), size: tickSize, colour: text,
				anchor: end, bold: b.Best},
			box{x: left, y: top + row*0.14, w: (right - left) * y.BarFraction(b.Value), h: row * 0.72, colour: ink},
			label{x: right + 8, y: base, text: scale.FormatReading(g.chart.Y, b.Value, 4), size: tickSize, colour: text,
				bold: b.Best},
		)
	}
	g.pic.add(stroke{points: []point{{left, g.y0}, {left, g.y0 + row*float64(len(shown))}}, colour: g.ink.axis,
		width: 1})
	foot := g.y0 + row*float64(len(shown))
	if len(shown) < len(g.chart.Bars) {
		foot += tickSize * lineHeight // how many more
	}
	if g.chart.Y.Label != "" {
		text := cut(g.chart.Y.Label, labelSize, g.x1-g.x0, false)
		g.pic.add(label{x: left, y: foot + marked + labelSize*1.2, text: text, size: labelSize, colour: g.ink.text})
	}
	g.drawBarMarks(y, left, right, foot)
	for i, s := range g.chart.Series {
		for k := range min(len(s.X), len(s.Y)) {
			t := y.Fraction(s.Y[k])
			if !scale.IsVisible(t) || s.X[k] != math.Trunc(s.X[k]) || !(s.X[k] >= 0 && s.X[k] < float64(len(shown))) {
				continue
			}
			g.pic.add(disc{x: left + t*(right-left), y: g.y0 + (s.X[k]+0.5)*row, r: 4, colour: g.dotInk(i),
				ring: g.ink.ground})
		}
	}
}

// dotInk returns the colour of series i upon bars, which have the first colour themselves.
func (g *page) dotInk(i int) string {
	if g.chart.Series[i].Faint {
		return g.ink.muted
	}
	return g.ink.colour(i + 1)
}

func (g *page) drawBarMarks(y scale.Scale, left, right, foot float64) {
	g.x0, g.x1 = left, right
	for _, m := range g.chart.Marks {
		t := y.Fraction(m.Y)
		if !scale.IsVisible(t) {
			continue
		}
		x := left + t*(right-left)
		line := stroke{points: []point{{x, g.y0}, {x, foot}}, colour: g.ink.muted, width: 1, dash: []float64{4, 3}}
		if m.Alert {
			line.colour = g.ink.alert
		}
		text := cut(m.Label, tickSize, g.pic.w-2*margin, false)
		w := textWidth(text, tickSize, false)
		at := box{x: math.Max(margin, math.Min(x-w/2, g.pic.w-margin-w)), y: foot + 2, w: w, h: tickSize * 1.2}
		g.pic.add(line)
		if !g.overlaps(at, nil) {
			g.taken = append(g.taken, at)
			g.pic.add(label{x: at.x, y: at.y + tickSize, text: text, size: tickSize, colour: g.markInk(m)})
		}
	}
}
