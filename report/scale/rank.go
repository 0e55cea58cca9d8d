package scale

import (
	"cmp"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/report/chart"
)

// Curves holds the series of a chart on its scales, as a picture of any kind draws them.
type Curves struct {
	Chart chart.Chart
	X, Y  Scale
	Lines [][][]Point // of each series
	Room  int         // for spikes side by side
	looks []int
}

// NewCurves returns the curves of a chart.
func NewCurves(c chart.Chart, x, y Scale, lines [][][]Point, room int) *Curves {
	return &Curves{c, x, y, lines, room, c.Looks()}
}

// Ranks is the order of a chart's series: which lies on top of which, and which share a line.
type Ranks struct {
	Order []int // the most important first
	Best  int   // the answer among rivals; None if there is none
	Owner []int // the series whose line a series shares; its own number if it has a line, None if it is not drawn
}

// None is the owner of a series that is not drawn at all.
const None = -1

// BasicLook and AdvancedLook are the looks of basic and advanced composition, the pair that the lectures compare.
const BasicLook, AdvancedLook = 0, 1

// isCompared reports whether a series is always drawn: one of the pair that the lectures compare, or the selected one.
func (v *Curves) isCompared(i int) bool {
	return !v.Chart.Series[i].Attack && (v.looks[i] == BasicLook || v.looks[i] == AdvancedLook) || v.Chart.IsSelected(i)
}

// Rank orders the series. Of rivals the best at the reading comes first, then the selected one, then basic and advanced
// composition, then the others by value; of other charts the last is on top. Faint ones are below. An
// approximation is never the best, and nothing is while a better curve is being computed.
func (v *Curves) Rank() Ranks {
	c := &v.Chart
	n := len(c.Series)
	r := Ranks{Best: None, Owner: make([]int, n), Order: c.Order()}
	for i := range r.Owner {
		r.Owner[i] = i
	}
	slices.Reverse(r.Order)
	if !c.Rivals || n == 0 {
		return r
	}
	value := make([]float64, n)
	class := make([]int, n)
	for i, s := range c.Series {
		if value[i] = math.Inf(1); c.Read != 0 && v.isBound(i) {
			y := v.ReadAt(i, c.Read)
			switch {
			case math.IsNaN(y): // one that says nothing there is not the best, of lower bounds neither
			case c.Y.Lower: // of these the largest is best
				value[i] = -y
			default:
				value[i] = y
			}
		}
		class[i] = 2
		switch {
		case s.Faint:
			class[i] = 3
		case v.Chart.IsSelected(i):
			class[i] = 0
		case v.isCompared(i):
			class[i] = 1
		}
	}
	least := math.Inf(1)
	for i, x := range value {
		if v.isBound(i) {
			least = math.Min(least, x)
		}
	}
	loses := func(i int) int { // of equal ones the theorem that the table names wins
		switch {
		case math.Abs(value[i]-least) > accounting.TieWidth*math.Abs(least):
			return 2
		case c.Series[i].Name == c.Winner:
			return 0
		}
		return 1
	}
	slices.Sort(r.Order)
	slices.SortStableFunc(r.Order, func(a, b int) int {
		return cmp.Or(class[a]/3-class[b]/3, loses(a)-loses(b), cmp.Compare(value[a], value[b]),
			cmp.Compare(v.EndHeight(a), v.EndHeight(b)))
	})
	if k := slices.IndexFunc(r.Order, v.isBound); k >= 0 {
		first := r.Order[k]
		r.Order = slices.Insert(slices.Delete(r.Order, k, k+1), 0, first)
		if !c.Pending {
			r.Best = first
		}
	}
	slices.SortStableFunc(r.Order[1:], func(a, b int) int {
		return cmp.Or(class[a]-class[b], cmp.Compare(value[a], value[b]))
	})
	return r
}

// isBound reports whether a series may be the best of rivals: a bound on the quantity that they all bound.
func (v *Curves) isBound(i int) bool {
	s := v.Chart.Series[i]
	return !s.Rough && !s.Attack && !s.Other && !s.Faint && v.HasPoint(i)
}

// HasPoint reports whether a series has a point.
func (v *Curves) HasPoint(i int) bool { return slices.ContainsFunc(v.Chart.Series[i].Y, Finite) }

// minSharedPart is the part of the columns in which a curve must run close by a better one to share its line.
const minSharedPart = 0.8

// hidden divides that distance: a curve that is always drawn is hidden if it lies so close to a better one in all
// columns that no cell would show it.
const hidden = 2

// Share finds the rivals that share the line of a better one: those that lie closer to it than a fraction of the y
// axis, in most of the columns where they are in sight. A curve is drawn whole or not at all: pieces of it between
// others look like another curve. An approximation owns no line, and has one only if it is selected; what an attack
// reaches owns none either, and shares that of the bound that it meets. Basic and advanced composition and what is
// faint or another quantity share a line only where they could not be seen beside it; what is selected never does.
// The memory for heights, one per column, comes from `floats`.
func (v *Curves) Share(r *Ranks, columns int, closeBy float64, floats func(int) []float64) {
	if !v.Chart.Rivals {
		return
	}
	heights := make([][]float64, len(r.Order))
	for k, i := range r.Order {
		s := v.Chart.Series[i]
		if s.Rough && !v.Chart.IsSelected(i) {
			r.Owner[i] = None
			continue
		}
		heights[i] = Heights(v.Lines[i], floats(columns), 0, 1)
		if i == r.Best || v.Chart.IsSelected(i) || s.Rough {
			continue
		}
		within, part := closeBy, minSharedPart
		if v.isCompared(i) || s.Faint || s.Other { // drawn wherever it can be seen
			within, part = closeBy/hidden, 1-1e-9
		}
		for _, j := range r.Order[:k] {
			if o := v.Chart.Series[j]; heights[j] == nil || r.Owner[j] != j || o.Rough || o.Attack || o.Faint ||
				o.Other {
				continue
			}
			near, all := 0, 0
			for x, t := range heights[i] {
				if IsVisible(t) || part > minSharedPart && !math.IsNaN(t) { // one that leaves the picture is seen to
					all++
					if math.Abs(heights[j][x]-t) < within {
						near++
					}
				}
			}
			if float64(near) > part*float64(all) {
				r.Owner[i] = j
				break
			}
		}
	}
}

// Heights fills a list with the heights of a series' lines at as many places between two fractions of the x axis, as
// fractions of the y axis; NaN if it has none.
func Heights(lines [][]Point, list []float64, from, to float64) []float64 {
	n := len(list)
	for i := range list {
		list[i] = math.NaN()
	}
	step := (to - from) / float64(max(1, n-1))
	for _, line := range lines {
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

// HeightAt returns where the lines of a series stand at a fraction of the x axis; NaN where there are none.
func HeightAt(lines [][]Point, x float64) float64 {
	for _, line := range lines {
		for k := 1; k < len(line); k++ {
			if a, b := line[k-1], line[k]; (a.X <= x && x <= b.X || b.X <= x && x <= a.X) && a.X != b.X {
				return a.Y + (x-a.X)/(b.X-a.X)*(b.Y-a.Y)
			}
		}
	}
	return math.NaN()
}

// EndHeight returns the height at which a series leaves at the right, else that of its last point in sight; NaN if it
// has none.
func (v *Curves) EndHeight(i int) float64 {
	if t := HeightAt(v.Lines[i], 1); !math.IsNaN(t) {
		return t
	}
	s := v.Chart.Series[i]
	for k := min(len(s.X), len(s.Y)) - 1; k >= 0; k-- {
		if t := v.Y.Fraction(s.Y[k]); IsVisible(v.X.Fraction(s.X[k])) && !math.IsNaN(t) {
			return t
		}
	}
	return math.NaN()
}

// ReadAt returns what a series says at x: its own point if it has one there, else what is drawn
// between its neighbours; NaN in a gap and outside the data. Of an upper bound that rises, falls
// or has one valley, the higher of two neighbours bounds what is between them; the line drawn
// there does not.
func (v *Curves) ReadAt(series int, x float64) float64 {
	s := v.Chart.Series[series]
	n := min(len(s.X), len(s.Y))
	for i := range n {
		if s.X[i] == x && Finite(s.Y[i]) {
			return s.Y[i]
		}
	}
	for i := 1; i < n; i++ {
		a, b, before, after := s.X[i-1], s.X[i], s.Y[i-1], s.Y[i]
		if !(a < x && x < b || b < x && x < a) || !Finite(before) || !Finite(after) {
			continue
		}
		t := (v.X.Fraction(x) - v.X.Fraction(a)) / (v.X.Fraction(b) - v.X.Fraction(a))
		from := v.Y.Fraction(before)
		y := v.Y.Value(from + t*(v.Y.Fraction(after)-from))
		shape := ShapeOf(v.Chart, series, v.X, v.Room)
		switch {
		case shape == Spikes || shape == Straight && !Finite(y):
			return math.NaN() // between two spikes there is nothing
		case shape == Holds || shape == Centred && t < 0.5:
			return before
		case shape == Centred:
			return after
		case v.Chart.ReadingAxis(series).Upper:
			return math.Max(before, after)
		case v.Chart.ReadingAxis(series).Lower:
			return math.Min(before, after)
		}
		return y
	}
	return math.NaN()
}
