package scale

import (
	"cmp"
	"math"
	"strings"

	"epsiloscope/report/chart"
)

// Tick is a labelled place on an axis.
type Tick struct {
	Value float64
	Label string // ASCII, so that its width is its length
}

// roundStep returns the smallest of 1, 2, 5 times a power of ten that divides span into
// at most n parts.
func roundStep(span float64, n int) float64 {
	raw := span / float64(max(n, 1))
	if !(raw > 0) || math.IsInf(raw, 0) {
		return 1
	}
	return cmp.Or(niceUp(raw), raw) // there is no power of ten so small
}

// Ticks returns at most about n ticks inside the scale: multiples of 1, 2 or 5 on
// a linear axis; decades on a logarithmic one, with 2 and 5 between them when
// there is room, every k-th decade when there is not.
func (s Scale) Ticks(n int) []Tick {
	n = max(n, 1)
	if len(s.Names) > 0 {
		return s.namedTicks(n)
	}
	if s.Log {
		return s.logTicks(n)
	}
	return s.linearTicks(n)
}

// Label writes a value as the ticks do: by its name where the axis has them.
func (s Scale) Label(v float64) string {
	if i := int(v); len(s.Names) > 0 && v == math.Trunc(v) && i >= 1 && i <= len(s.Names) {
		return s.Names[i-1]
	}
	return Format(v, 4)
}

// PlaceLabel returns how a place on an axis is written: on an axis of upper bounds it is rounded up, as the bound that
// is marked there is everywhere else.
func (s Scale) PlaceLabel(a chart.Axis, v float64) string {
	if len(s.Names) == 0 && a.Upper {
		return FormatReading(a, v, 4)
	}
	return s.Label(v)
}

// AlignTicks lengthens the scale as little as needed for evenly spaced ticks to stand a whole number
// of cells apart, and returns the factor; ok is false if the ticks are not evenly spaced. The
// axis has the given number of cells, each of `dots` dots.
func (s Scale) AlignTicks(ticks []Tick, cells, dots int) (longer Scale, by float64, ok bool) {
	apart, ok := s.spacing(ticks)
	if !ok {
		return s, 1, false
	}
	each := apart * float64(cells*dots-1) / float64(dots) // cells from one to the next
	if whole := math.Floor(each + 1e-9); whole >= 1 {
		by = each / whole
		return s.Window(0, by), by, true
	}
	return s, 1, false
}

// CentreTicks is [Scale.AlignTicks] with every tick in the middle of a cell. The scale grows at both ends.
func (s Scale) CentreTicks(ticks []Tick, cells, dots int) (longer Scale, by float64, ok bool) {
	apart, ok := s.spacing(ticks)
	if !ok {
		return s, 1, false
	}
	const lost = 0.45 // of a dot: what is nearer to the first or last dot is still drawn there
	last, middle := float64(cells*dots-1), float64(dots-1)/2
	start := s.Fraction(ticks[0].Value)
	for whole := math.Floor(apart*last/float64(dots) + 1e-9); whole >= 1; whole-- {
		length := whole * float64(dots) / apart // of the scale, in dots
		cell := math.Max(0, math.Ceil((start*length-middle-lost)/float64(dots)-1e-9))
		from := cell*float64(dots) + middle - start*length // the dot of its lower end
		if from+length <= last+lost {
			return s.Window(-from/length, (last-from)/length), last / length, true
		}
	}
	return s, 1, false
}

// spacing returns the distance between two neighbouring ticks as a fraction of the scale; ok is false if they are not
// evenly spaced.
func (s Scale) spacing(ticks []Tick) (apart float64, ok bool) {
	if len(ticks) < 2 {
		return 0, false
	}
	apart = s.Fraction(ticks[1].Value) - s.Fraction(ticks[0].Value)
	for i := 1; i < len(ticks); i++ {
		if d := s.Fraction(ticks[i].Value) - s.Fraction(ticks[i-1].Value); math.Abs(d-apart) > 1e-6*apart {
			return 0, false
		}
	}
	return apart, true
}

// namedTicks returns all names, or every k-th where they are more than n. A day that the tick before has too is not
// written again.
func (s Scale) namedTicks(n int) []Tick {
	var ticks []Tick
	before := ""
	every := (len(s.Names) + n - 1) / n
	for i := every; i <= len(s.Names); i += every {
		if v := float64(i); v >= s.Min && v <= s.Max {
			name := s.Names[i-1]
			if s.Days && name == before {
				name = ""
			}
			before = s.Names[i-1]
			ticks = append(ticks, Tick{v, name})
		}
	}
	return ticks
}

func (s Scale) linearTicks(n int) []Tick {
	step := roundStep(s.Max-s.Min, n)
	if s.Whole && s.Max-s.Min >= 1 {
		step = math.Max(step, 1)
	}
	first := math.Ceil(s.Min/step - 1e-9)
	var ticks []Tick
	for i := 0; i <= n+1; i++ {
		v := (first + float64(i)) * step
		if math.IsNaN(v) || v > s.Max+step*1e-9 {
			break
		}
		if math.Abs(v) < step*1e-9 {
			v = 0 // not -0, nor the rounding error of a sum
		}
		ticks = append(ticks, Tick{v, tickLabel(v, step)})
	}
	return ticks
}

func (s Scale) logTicks(n int) []Tick {
	lo, hi := math.Log10(s.Min), math.Log10(s.Max)
	decades := hi - lo
	if decades < 0.7 && n > 1 { // less than a factor of five: even steps read better
		return s.linearTicks(n)
	}
	factors := [][]float64{{1, 2, 5}, {1, 3}, {1}}
	for _, f := range factors {
		if t := s.decadeTicks(1, f); len(t) <= n && (len(t) > 1 || len(f) == 1) {
			return setLabels(t)
		}
	}
	for _, every := range []int{2, 3, 5, 10, 20, 50, 100, 200} {
		if t := s.decadeTicks(every, []float64{1}); len(t) <= n {
			return setLabels(t)
		}
	}
	return setLabels(s.decadeTicks(500, []float64{1}))
}

// decadeTicks returns ticks at the factors in every every-th decade. They have no labels yet, because the caller
// discards most of the lists it asks for.
func (s Scale) decadeTicks(every int, factors []float64) []Tick {
	from := int(math.Floor(math.Log10(s.Min)))
	to := int(math.Ceil(math.Log10(s.Max)))
	from = int(math.Floor(float64(from)/float64(every))) * every
	ticks := make([]Tick, 0, ((to-from)/every+1)*len(factors))
	for e := from; e <= to; e += every {
		for _, f := range factors {
			v := f * math.Pow(10, float64(e))
			if v >= s.Min*(1-1e-9) && v <= s.Max*(1+1e-9) {
				ticks = append(ticks, Tick{Value: v})
			}
		}
	}
	return ticks
}

// setLabels writes all but the numbers around one as powers as soon as one label is a
// power: 1, 1e-2, 1e-4 rather than 1, 0.01, 1e-4.
func setLabels(ticks []Tick) []Tick {
	powers := false
	for i, t := range ticks {
		ticks[i].Label = Format(t.Value, 3)
		powers = powers || strings.Contains(ticks[i].Label, "e")
	}
	for i, t := range ticks {
		if powers && (t.Value < 0.0999 || t.Value > 99.9) {
			ticks[i].Label = exponent(t.Value, 3)
		}
	}
	return ticks
}

// tickLabel prints v with as many digits as the step needs, no more.
func tickLabel(v, step float64) string {
	digits := 1
	if v != 0 {
		digits = int(math.Floor(math.Log10(math.Abs(v)))-math.Floor(math.Log10(step)+1e-9)) + 1
	}
	return Format(v, max(1, min(digits, 15)))
}
