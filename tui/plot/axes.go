package plot

// drawAxes draws the frame, ticks, grid and titles.
func (p *Plot) drawAxes() {
	g, s := &p.geo, &p.base
	if !g.axes {
		return
	}
	p.drawGrid()
	axis := g.px - 1
	s.down(axis, g.py, g.ph, p.glyphs.AxisV, axisPen, textLayer)
	foot := g.py + g.ph
	s.set(axis, foot, p.glyphs.AxisCorner, axisPen, textLayer)
	s.across(g.px, foot, g.pw, p.glyphs.AxisH, axisPen, textLayer)
	for _, t := range g.yTicks {
		s.set(axis, t.cell, p.glyphs.AxisTickY, axisPen, textLayer)
		s.text(t.start, t.cell, t.label, axisPen)
	}
	for _, t := range g.xTicks {
		s.set(t.cell, foot, p.glyphs.AxisTickX, axisPen, textLayer)
		s.text(t.start, foot+1, t.label, axisPen)
	}
	p.drawTitles(foot + 1)
}

// drawGrid sets a dot wherever ticks of both axes meet, and between them along the
// rows: enough to follow a value across the chart, too little to be mistaken for data.
func (p *Plot) drawGrid() {
	g := &p.geo
	if g.ph < 6 || g.pw < 20 || p.monochrome() && !p.glyphs.ASCII {
		return // without colour its dots would look like data
	}
	for _, t := range g.yTicks {
		for x := g.px + 3; x < g.px+g.pw; x += 4 {
			p.base.set(x, t.cell, p.glyphs.GridDot, gridPen, gridLayer)
		}
	}
}

// drawInlineTitle puts a short y title beside the highest row without a tick.
func (p *Plot) drawInlineTitle() {
	g := &p.geo
	title := p.label(p.chart.Y.Label)
	for row := g.py; row < g.py+g.ph; row++ {
		if x := g.px - 2 - width(title); p.base.free(x, row, width(title), gridLayer) {
			p.base.text(x, row, title, textPen)
			return
		}
	}
}

// drawTitles puts the y title above its axis. The x title has a row of its own, or
// stands at the end of the tick labels if it is short enough to fit there.
func (p *Plot) drawTitles(tickRow int) {
	g, s := &p.geo, &p.base
	if g.titleRow >= 0 && !g.untitled {
		title := p.pen.Cut(p.label(p.chart.Y.Label), g.px+g.pw)
		s.text(max(0, g.px-1-width(title)), g.titleRow, title, textPen)
	}
	if g.inlineTitle {
		p.drawInlineTitle()
	}
	if p.chart.X.Label == "" {
		return
	}
	title := p.pen.Cut(p.label(p.chart.X.Label), g.pw)
	if g.xTitleRow >= 0 {
		s.text(g.px+(g.pw-width(title))/2, g.xTitleRow, title, textPen)
		return
	}
	x := p.w - width(title)
	if len(g.xTicks) > 0 && width(title) <= g.pw/3 {
		for len(g.xTicks) > 2 {
			last := g.xTicks[len(g.xTicks)-1]
			if last.start+len(last.label)+2 <= x {
				break
			}
			s.clear(last.start, tickRow, len(last.label))
			g.xTicks = g.xTicks[:len(g.xTicks)-1]
		}
		last := g.xTicks[len(g.xTicks)-1]
		end := last.start + len(last.label)
		if g.legend == legendRight {
			x = min(x, max(end+2, g.px+g.pw+2)) // not below the legend's far end
		}
		if end+1 <= x {
			s.text(x, tickRow, title, textPen)
			g.xTitleX = x
		}
	}
}
