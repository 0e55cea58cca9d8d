package plot

import (
	"cmp"
	"math"
	"slices"

	"epsiloscope/report/scale"
	"epsiloscope/tui/draw"
)

// ranks holds the order of a chart's series: which lies on top of which, and which share a line.
type ranks struct {
	order []int // the most important first
	best  int   // the answer among rivals; -1 if there is none
	owner []int // the series whose line a series shares; its own number if it has a line, none if it is not drawn
}

// none is the owner of a series that is not drawn at all.
const none = -1

// The looks of basic and advanced composition, the pair that the lectures compare.
const basicLook, advancedLook = 0, 1

// isCompared reports whether a series is always drawn: one of the pair that the lectures compare, or the selected one.
func (p *Plot) isCompared(i int) bool {
	return p.looks[i] == basicLook || p.looks[i] == advancedLook || p.isSelected(i)
}

func (p *Plot) isSelected(i int) bool {
	return p.chart.Selected != "" && p.chart.Series[i].Name == p.chart.Selected
}

// rank orders the series. Of rivals the best at the reading comes first, then the selected one, then basic and advanced
// composition, then the others by value; of other charts the last is on top. Faint ones are below. An
// approximation is never the best, and nothing is while a better curve is being computed.
func (p *Plot) rank() ranks {
	n := len(p.chart.Series)
	r := ranks{best: none, owner: make([]int, n), order: p.chart.Order()}
	for i := range r.owner {
		r.owner[i] = i
	}
	slices.Reverse(r.order)
	if !p.chart.Rivals || n == 0 {
		return r
	}
	value := make([]float64, n)
	class := make([]int, n)
	for i, s := range p.chart.Series {
		if value[i] = math.Inf(1); p.chart.Read != 0 && p.isBound(i) {
			if v := p.readAt(i, p.chart.Read); !math.IsNaN(v) {
				value[i] = v
			}
		}
		if p.chart.Y.Lower { // of lower bounds the largest is best
			value[i] = -value[i]
		}
		class[i] = 2
		switch {
		case s.Faint:
			class[i] = 3
		case p.isSelected(i):
			class[i] = 0
		case p.isCompared(i):
			class[i] = 1
		}
	}
	loses := func(i int) int { // of equal ones the theorem that the table names wins
		if p.chart.Series[i].Name == p.chart.Winner {
			return 0
		}
		return 1
	}
	slices.Sort(r.order)
	slices.SortStableFunc(r.order, func(a, b int) int {
		return cmp.Or(class[a]/3-class[b]/3, cmp.Compare(value[a], value[b]), loses(a)-loses(b), cmp.Compare(p.endHeight(a), p.endHeight(b)))
	})
	if k := slices.IndexFunc(r.order, p.isBound); k >= 0 {
		first := r.order[k]
		r.order = slices.Insert(slices.Delete(r.order, k, k+1), 0, first)
		if !p.chart.Pending {
			r.best = first
		}
	}
	slices.SortStableFunc(r.order[1:], func(a, b int) int { return cmp.Or(class[a]-class[b], cmp.Compare(value[a], value[b])) })
	return r
}

// isBound reports whether a series may be the best of rivals: a bound on the quantity that they all bound.
func (p *Plot) isBound(i int) bool {
	s := p.chart.Series[i]
	return !s.Rough && !s.Attack && !s.Other && !s.Faint && p.hasPoint(i)
}

// A curve that lies within a row of cells of a better one, in most of the columns where it is in sight, shares its line.
const (
	closeBy       = 4   // dots
	minSharedPart = 0.8 // of the columns
)

// share finds the rivals that share the line of a better one. A curve is drawn whole or not at all: pieces of it
// between others look like another curve. An approximation owns no line, and has one only if it is selected.
func (p *Plot) share(r *ranks) {
	if !p.chart.Rivals {
		return
	}
	g := &p.geo
	n, rows := 2*g.pw, float64(4*g.ph-1)
	heights := make([][]float64, len(r.order))
	for k, i := range r.order {
		s := p.chart.Series[i]
		if s.Faint || s.Attack {
			continue
		}
		if s.Rough && !p.isSelected(i) {
			r.owner[i] = none
			continue
		}
		heights[i] = p.heights(i, n, 0, 1)
		if i == r.best || p.isCompared(i) || s.Rough {
			continue
		}
		for _, j := range r.order[:k] {
			if heights[j] == nil || r.owner[j] != j || p.chart.Series[j].Rough {
				continue
			}
			near, all := 0, 0
			for x, t := range heights[i] {
				if scale.IsVisible(t) {
					all++
					if math.Abs(heights[j][x]-t)*rows < closeBy {
						near++
					}
				}
			}
			if float64(near) > minSharedPart*float64(all) {
				r.owner[i] = j
				break
			}
		}
	}
}

// heights returns the heights of a series at n places between two fractions of the x axis, as
// fractions of the y axis; NaN if it has none.
func (p *Plot) heights(series, n int, from, to float64) []float64 {
	list := p.floats(n)
	for i := range list {
		list[i] = math.NaN()
	}
	step := (to - from) / float64(max(1, n-1))
	for _, line := range p.lines[series] {
		for k := 1; k < len(line); k++ {
			a, b := line[k-1], line[k]
			if a.X > b.X {
				a, b = b, a
			}
			if a.X == b.X || b.X < from || a.X > to {
				continue
			}
			first := max(0, int(math.Ceil((math.Max(a.X, from)-from)/step-1e-9)))
			for x := first; x < n; x++ {
				at := from + float64(x)*step
				if at > b.X+1e-12 {
					break
				}
				list[x] = a.Y + (at-a.X)/(b.X-a.X)*(b.Y-a.Y)
			}
		}
	}
	return list
}

// floats returns n numbers of the memory that the last frame used.
func (p *Plot) floats(n int) []float64 {
	if len(p.spare) < n {
		p.spare = make([]float64, max(n, 2*len(p.arena), 8192))
		p.arena = p.spare
	}
	list := p.spare[:n:n]
	p.spare = p.spare[n:]
	return list
}

// ink returns the ink of a series' line: the best of rivals is bold, the others are paler; their names are not, which have to be read.
func (p *Plot) ink(i int) *draw.Ink {
	look := p.look(i)
	switch {
	case p.chart.Series[i].Faint || !p.chart.Rivals:
		return look.Ink
	case i == p.ranks.best:
		return look.Bold
	}
	return look.Faded
}

// thick reports whether a series is drawn two dots wide: the best of rivals and a curve
// alone.
func (p *Plot) thick(i int) bool {
	s := p.chart.Series[i]
	return i == p.ranks.best || len(p.chart.Series) == 1 && !s.Step
}
