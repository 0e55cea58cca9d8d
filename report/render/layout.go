package render

import (
	"epsiloscope/report/chart"
	"epsiloscope/report/scale"
)

// Sizes of text and space, in pixels.
const (
	margin     = 16.0
	titleSize  = 16.0
	labelSize  = 13.0
	tickSize   = 12.0
	noteSize   = 11.0
	lineHeight = 1.45
	sampleLen  = 26.0
)

// page lays a chart out. x0, y0, x1, y1 bound the plot area, which shrinks as titles, legend
// and labels are placed.
type page struct {
	pic            picture
	chart          chart.Chart
	ink            palette
	x0, y0, x1, y1 float64
	x, y           scale.Scale
	looks          []int // colour and dash of each series
	ranks          scale.Ranks
	curves         [][][]scale.Point // of each series, in fractions of the axes
	taken          []box             // labels already placed
	lines          [][]point         // the curves
	markLines      [][]point         // the marks' lines
}

func compose(c chart.Chart, o Options) picture {
	g := &page{
		chart: c, ink: lightInk, looks: c.Looks(),
		x0: margin, y0: margin, x1: float64(o.Width) - margin, y1: float64(o.Height) - margin,
	}
	if o.Dark {
		g.ink = darkInk
	}
	if len(c.Bars) == 0 && scale.HasPoints(c) {
		g.rank(o.Width)
	}
	g.pic = picture{w: float64(o.Width), h: float64(o.Height), title: clean(c.Title), ground: g.ink.ground}
	g.drawTitles()
	g.drawNotes()
	switch {
	case len(c.Bars) > 0:
		g.drawBars()
	case scale.HasPoints(c):
		g.drawCurves()
	default:
		g.pic.add(label{x: g.pic.w / 2, y: g.pic.h / 2, text: "no data to draw", size: labelSize, colour: g.ink.muted, anchor: middle})
	}
	return g.pic
}

// textLimit returns the largest width of a line of text, with a margin: the viewer's font may be wider than the one
// measured.
func (g *page) textLimit() float64 { return 0.85 * (g.x1 - g.x0) }

// drawTitles draws the title and the legend, and moves the top of the plot area below them.
func (g *page) drawTitles() {
	for i, line := range wrap(g.chart.Title, titleSize, g.textLimit(), 2, true) {
		g.y0 += titleSize * lineHeight * float64(min(i, 1))
		g.pic.add(label{x: g.x0, y: g.y0 + titleSize*0.85, text: line, size: titleSize, colour: g.ink.text, bold: true})
	}
	if g.chart.Title != "" {
		g.y0 += titleSize * 1.7
	}
	for _, line := range wrap(g.chart.Caption, noteSize, g.textLimit(), 3, false) {
		g.pic.add(label{x: g.x0, y: g.y0 + noteSize*0.5, text: line, size: noteSize, colour: g.ink.muted})
		g.y0 += noteSize * lineHeight
	}
	if len(g.chart.Series) == 1 && (g.chart.Series[0].Name == g.chart.Y.Label) {
		return
	}
	x, rows := g.x0, 0
	for _, i := range g.legendOrder() {
		s := g.chart.Series[i]
		if clean(s.Name) == "" {
			continue
		}
		if g.sharesLine(i) { // it has no piece of line: it stands behind the name of the one whose line it shares
			name := cut("= "+s.Name, labelSize, g.x1-g.x0, false)
			w := textWidth(name, labelSize, false)
			if x -= 8; x+w > g.x1 {
				x = g.x0
				g.y0 += labelSize * lineHeight
			}
			g.pic.add(label{x: x, y: g.y0 - labelSize*0.45, text: name, size: labelSize,
				colour: g.stroke(i, nil).colour})
			x += w + 20
			continue
		}
		sample, where := sampleLen, g.whereBeyond(i)
		if where != "" {
			sample = textWidth(where, labelSize, false)
		}
		name := cut(s.Name, labelSize, g.x1-g.x0-sample-8, false)
		w := sample + 6 + textWidth(name, labelSize, false)
		if rows == 0 || x+w > g.x1 {
			x = g.x0
			rows++
			g.y0 += labelSize * lineHeight
		}
		base := g.y0 - labelSize*0.45
		level := base - labelSize*0.33
		switch {
		case len(g.chart.Bars) > 0:
			g.pic.add(disc{x: x + sample - 6, y: level, r: 4, colour: g.dotInk(i)})
		case where != "":
			g.pic.add(label{x: x, y: base, text: where, size: labelSize, colour: g.stroke(i, nil).colour})
		default:
			g.pic.add(g.stroke(i, []point{{x, level}, {x + sample, level}}))
		}
		g.pic.add(label{x: x + sample + 6, y: base, text: name, size: labelSize, colour: g.ink.text})
		x += w + 20
	}
	if rows > 0 {
		g.y0 += 6
	}
}

// drawNotes draws the footnotes, and moves the bottom of the plot area above them.
func (g *page) drawNotes() {
	var lines []string
	for _, n := range g.chart.Notes {
		lines = append(lines, wrap(n, noteSize, g.textLimit(), 3, false)...)
	}
	if room := int((g.y1 - g.y0) / 4 / (noteSize * lineHeight)); len(lines) > room {
		lines = lines[:max(room, 0)]
	}
	for i := len(lines) - 1; i >= 0; i-- {
		g.pic.add(label{x: g.x0, y: g.y1, text: lines[i], size: noteSize, colour: g.ink.muted})
		g.y1 -= noteSize * lineHeight
	}
	if len(lines) > 0 {
		g.y1 -= 6
	}
}

// closeBy is the part of the height, about a line of text, within which a curve shares the line of a better one, as
// on a screen.
const closeBy = 1.0 / 24

// rank fits the scales, and finds the order of the curves and which of them share a line.
func (g *page) rank(width int) {
	g.x, g.y = scale.Fit(g.chart)
	room := width / 6
	for i := range g.chart.Series {
		g.curves = append(g.curves, scale.Lines(g.chart, i, g.x, g.y, room))
	}
	v := scale.NewCurves(g.chart, g.x, g.y, g.curves, room)
	g.ranks = v.Rank()
	v.Share(&g.ranks, width/2, closeBy, func(n int) []float64 { return make([]float64, n) })
}

// sharesLine reports whether a series has no line of its own.
func (g *page) sharesLine(i int) bool {
	return g.ranks.Owner != nil && g.ranks.Owner[i] != i && g.ranks.Owner[i] != scale.None
}

// isDrawn reports whether a series has a line of its own.
func (g *page) isDrawn(i int) bool { return g.ranks.Owner == nil || g.ranks.Owner[i] == i }

// legendOrder returns the series in their order, with those that share a line behind its owner. One that is not drawn
// is not named.
func (g *page) legendOrder() (order []int) {
	for i := range g.chart.Series {
		if !g.isDrawn(i) {
			continue
		}
		order = append(order, i)
		for k := range g.chart.Series {
			if g.sharesLine(k) && g.ranks.Owner[k] == i {
				order = append(order, k)
			}
		}
	}
	return order
}

// whereBeyond returns an arrow for a curve no part of which is in the picture: up if all of it between the ends of the
// axis lies above, down if below. It is empty for others.
func (g *page) whereBeyond(i int) string {
	if i >= len(g.curves) {
		return ""
	}
	above, below := false, false
	for _, t := range scale.Heights(g.curves[i], make([]float64, int(g.pic.w)), 0, 1) {
		switch {
		case scale.IsVisible(t):
			return ""
		case t > 1:
			above = true
		case t < 0:
			below = true
		}
	}
	switch {
	case above && !below:
		return "↑"
	case below && !above:
		return "↓"
	}
	return ""
}

// stroke returns the line of series i. Faint ones are thin, grey and dotted; the best of rivals is whole, and wider
// than the others.
func (g *page) stroke(i int, pts []point) stroke {
	if g.chart.Series[i].Faint {
		return stroke{points: pts, colour: g.ink.muted, width: 1.2, dash: []float64{1.5, 3}}
	}
	look := g.looks[i]
	if g.ranks.Owner != nil && i == g.ranks.Best {
		return stroke{points: pts, colour: g.ink.colour(look), width: 3.5}
	}
	return stroke{points: pts, colour: g.ink.colour(look), width: 2, dash: dashes[look%len(dashes)]}
}
