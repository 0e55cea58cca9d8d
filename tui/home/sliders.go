package home

import (
	"math"
	"slices"

	"epsiloscope/report"
	"epsiloscope/report/scale"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// track is the part of a knob's scale that its slider shows: the values that single steps lead to, one per
// cell, so that the thumb moves with every step. It stays while the value is one of them, and is set
// anew otherwise; the thumb is then about where the value lies on the whole scale.
type track struct {
	key    trackKey
	values []float64 // ascending
	at     int       // the place of the value among them
	lead   int       // cells left free before the first
}

// trackKey identifies the knob and the width that a track was made for.
type trackKey struct {
	doc   *document.Document
	row   int
	knob  string
	cells int
}

// trackOf returns the track of a knob for a slider of some cells; nil if the knob has no value to show.
func (h *Home) trackOf(k document.Knob, cells int) *track {
	if cells < minTrack || math.IsNaN(k.Value) || math.IsInf(k.Value, 0) {
		return nil
	}
	key := trackKey{h.Doc, h.Doc.Cursor(), k.Name, cells}
	was := h.tracks[k.Name]
	if was != nil && was.key == key {
		isNow := func(x float64) bool { return math.Abs(x-k.Value) <= 1e-9*math.Abs(x) }
		if i := slices.IndexFunc(was.values, isNow); i >= 0 {
			was.at = i
			return was
		}
	}
	t := newTrack(k, cells, was)
	t.key = key
	if h.tracks == nil {
		h.tracks = map[string]*track{}
	}
	h.tracks[k.Name] = t
	return t
}

// minTrack is the least number of cells of a slider.
const minTrack = 3

// newTrack sets the values around that of a knob, at most as many as there are cells. The thumb stands
// elsewhere than before.
func newTrack(k document.Knob, cells int, was *track) *track {
	part := scale.New(k.Lo, k.Hi, k.Log).Fraction(k.Value)
	if !(part > 0) {
		part = 0
	}
	below, above := k.StepsFrom(-1, cells-1), k.StepsFrom(+1, cells-1)
	around := func(place int) *track {
		down := min(max(1, min(place, cells-2)), len(below))
		up := min(cells-1-down, len(above))
		down = min(cells-1-up, len(below)) // where the scale ends above, there is room below
		values := slices.Clone(below[:down])
		slices.Reverse(values)
		return &track{values: append(append(values, k.Value), above[:up]...), at: down}
	}
	place := int(math.Round(min(part, 1) * float64(cells-1)))
	t := around(place)
	if was == nil || t.cell() != was.cell() {
		return t
	}
	if t = around(place + 1); t.cell() == was.cell() {
		t = around(place - 1)
	}
	switch {
	case t.cell() != was.cell():
	case t.at == 0: // the scale begins here
		t.lead, t.values = 1, t.values[:min(len(t.values), cells-1)]
	default: // it ends here
		t.values, t.at = t.values[1:], t.at-1
	}
	return t
}

// cell returns the cell of the thumb.
func (t *track) cell() int { return t.lead + t.at }

// trackEnds is the width of the two values that a slider ends in, each with a blank.
const trackEnds = 6

// splitSlider returns where in a slider of some cells the track begins, and its width: there is room
// for the values at its ends if the slider is wide.
func splitSlider(width int) (from, cells int) {
	if width < 2*trackEnds+8 {
		return 0, width
	}
	return trackEnds, width - 2*trackEnds
}

// drawSlider writes the slider of a knob into some cells.
func (h *Home) drawSlider(l *draw.Line, fill draw.Ink, k document.Knob, width int) {
	p, end := h.Pen, l.Column()+width
	from, cells := splitSlider(width)
	if t := h.trackOf(k, cells); t != nil {
		if from > 0 {
			l.Right(p.Muted, sliderEnd(t.values[0], from-1), from-1).Skip(1)
		}
		l.Skip(t.lead).Slider(fill, p.Border, t.at, len(t.values))
		if from > 0 {
			l.Skip(1).Left(p.Muted, sliderEnd(t.values[len(t.values)-1], from-1), from-1)
		}
	}
	l.FillTo(end)
}

// sliderEnd writes a value at the end of a slider, with one digit where more do not fit: 8e-3, not 0.00….
func sliderEnd(x float64, room int) string {
	return kit.Widest(room, report.Short(x), kit.OneDigit(x))
}

// slideTo gives a knob the value under a column of its slider.
func (h *Home) slideTo(k document.Knob, column, width int) error {
	from, cells := splitSlider(width)
	t := h.trackOf(k, cells)
	if t == nil || column < from+t.lead || column >= from+t.lead+len(t.values) {
		return nil
	}
	return k.Put(t.values[column-from-t.lead])
}
