package plot

// drawAxes draws the frame, ticks, grid and titles.
func (p *Plot) drawAxes() {
	g, glyphs, ink := &p.geo, &p.pen.Glyphs, &p.pen.Axis
	if !g.axes {
		return
	}
	p.drawGrid()
	axis, foot := g.px-1, g.py+g.ph
	p.down(axis, g.py, g.ph, glyphs.AxisV, ink, textLayer)
	p.set(axis, foot, glyphs.AxisCorner, ink, textLayer)
	p.across(g.px, foot, g.pw, glyphs.AxisH, ink, textLayer)
	for _, t := range g.yTicks {
		if t.cell < foot {
			p.set(axis, t.cell, glyphs.AxisTickY, ink, textLayer)
		}
		p.text(t.start, t.cell, t.label, ink)
	}
	for _, t := range g.xTicks {
		p.set(t.cell, foot, glyphs.AxisTickX, ink, textLayer)
		p.text(t.start, foot+1, t.label, ink)
	}
	p.text(g.xTitle.x, g.xTitle.y, g.xTitle.text, &p.pen.Text)
	p.drawYTitle()
}

// drawGrid draws a faint line at every tick of the y axis: enough to follow a value across the
// chart. Dots would look like data, and without shades a line would.
func (p *Plot) drawGrid() {
	g := &p.geo
	if g.ph < 6 || g.pw < 20 || p.monochrome() || !p.pen.FineColours() {
		return
	}
	for _, t := range g.yTicks {
		if t.cell == g.py+g.ph { // the horizontal axis is there
			continue
		}
		p.across(g.px, t.cell, g.pw, p.pen.Glyphs.GridDot, &p.pen.Grid, gridLayer)
	}
}

// drawYTitle puts the y title above its axis, or a short one beside the highest row without
// a tick.
func (p *Plot) drawYTitle() {
	g := &p.geo
	title := p.pen.Cut(p.label(p.chart.Y.Label), g.px+g.pw)
	if g.titleRow >= 0 && !g.legend.untitled {
		p.text(max(0, g.px-1-width(title)), g.titleRow, title, &p.pen.Text)
	}
	x := g.px - 2 - width(title)
	for row := g.py; g.inlineTitle && row < g.py+g.ph; row++ {
		if p.free(x, row, width(title), gridLayer) {
			p.text(x, row, title, &p.pen.Text)
			return
		}
	}
}
