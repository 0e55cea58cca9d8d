package plot

import (
	"cmp"
	"math"
	"slices"

	"epsiloscope/tui/draw"
)

// ranks holds the order of a chart's series: which lies on top of which, and where one is left
// out because it could not be distinguished from a better one.
type ranks struct {
	order  []int    // the most important first
	best   int      // the answer among rivals; -1 if there is none
	hidden [][]bool // by series and column of dots; nil for a series drawn everywhere
}

// The looks of basic and advanced composition, the pair that the lectures compare.
const basicLook, advancedLook = 0, 1

// rank orders the series. Of rivals the best at the reading comes first, then basic and advanced
// composition, then the others by value; of other charts the last is on top. Faint ones are below.
func (p *Plot) rank() ranks {
	r := ranks{best: -1, hidden: make([][]bool, len(p.chart.Series))}
	r.order = p.chart.Order()
	slices.Reverse(r.order)
	if !p.chart.Rivals || len(r.order) == 0 {
		return r
	}
	value := make([]float64, len(r.order))
	for i, s := range p.chart.Series {
		if value[i] = math.Inf(1); p.chart.Read != 0 && !s.Rough && !s.Attack {
			if v := p.readAt(i, p.chart.Read); !math.IsNaN(v) {
				value[i] = v
			}
		}
		if p.chart.Y.Lower { // of lower bounds the largest is best
			value[i] = -value[i]
		}
	}
	class := func(i int) int {
		switch {
		case p.chart.Series[i].Faint:
			return 2
		case p.looks[i] == basicLook || p.looks[i] == advancedLook:
			return 0
		}
		return 1
	}
	loses := func(i int) int { // of equal ones the theorem that the table names wins
		if p.chart.Series[i].Name == p.chart.Winner {
			return 0
		}
		return 1
	}
	slices.Sort(r.order)
	slices.SortStableFunc(r.order, func(a, b int) int {
		return cmp.Or(class(a)/2-class(b)/2, cmp.Compare(value[a], value[b]), loses(a)-loses(b), cmp.Compare(p.endHeight(a), p.endHeight(b)))
	})
	r.best = r.order[0]
	slices.SortStableFunc(r.order[1:], func(a, b int) int { return cmp.Or(class(a)-class(b), cmp.Compare(value[a], value[b])) })
	return r
}

// Curves closer to a better one than a row of dots, and what is left of one in pieces shorter than
// a few cells, are not drawn: they would fray the other's edge.
const (
	closeToBest, closeToOther = 4, 3
	shortPiece                = 12 // columns of dots
)

// hide finds where rivals are left out.
func (p *Plot) hide(r *ranks) {
	if !p.chart.Rivals || p.pen.Glyphs.ASCII && p.geo.ph < 12 {
		return
	}
	g := &p.geo
	n, rows := 2*g.pw, float64(4*g.ph-1)
	heights := make([][]float64, len(r.order))
	for k, i := range r.order {
		s := p.chart.Series[i]
		if s.Faint || s.Step {
			continue
		}
		heights[i] = p.heights(i, n, 0, 1)
		hidden := make([]bool, n)
		for x, t := range heights[i] {
			if hidden[x] = math.IsNaN(t); hidden[x] {
				continue
			}
			for z, j := range r.order[:k] {
				apart := closeToOther
				if z == 0 {
					apart = closeToBest
				}
				if heights[j] != nil && !r.hidden[j][x] && math.Abs(heights[j][x]-t)*rows < float64(apart) {
					hidden[x] = true
				}
			}
		}
		if i != r.best {
			prune(hidden)
		}
		r.hidden[i] = hidden
	}
}

// prune hides pieces that are too short to be seen as a line.
func prune(hidden []bool) {
	start := 0
	for x := range len(hidden) + 1 {
		if x == len(hidden) || hidden[x] {
			for k := start; k < x && x-start < shortPiece; k++ {
				hidden[k] = true
			}
			start = x + 1
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

// ink returns the ink of a series' line: the best of rivals is bold, the others are paler.
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
