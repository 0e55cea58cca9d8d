package chart

import (
	"cmp"
	"math"
	"strconv"

	"epsiloscope/report"
	"epsiloscope/report/curve"
	"epsiloscope/report/sheet"
)

// Sheet returns the numbers of the chart: one row per point of the horizontal axis (or per bar), one column
// per series. A point that a series lacks is an empty cell. As JSON the series are listed one by one, with null for
// such a point.
func (c Chart) Sheet() *sheet.Sheet {
	places, columns := c.columns()
	s := sheet.NewSheet(report.Plain(c.Title), columns, places)
	s.Data = c.Record()
	for _, m := range c.Marks {
		s.Notes = append(s.Notes, report.Lines(report.Note, report.Plain(m.Label))...)
	}
	for _, n := range c.Notes {
		s.Notes = append(s.Notes, report.Lines(report.Note, report.Plain(n))...)
	}
	return s
}

// columns returns the series by their places on the horizontal axis. Bars are a series of their
// own, at 0, 1, 2 …, where the others are read off.
func (c Chart) columns() (places []float64, columns []sheet.Column[float64]) {
	first := sheet.Column[float64]{Head: c.X.Label, Align: sheet.Right, Show: report.Short,
		Key: sheet.Identifier(c.X.Label), Value: func(x float64) any { return x }}
	if len(c.Bars) > 0 {
		bars := Series{Name: c.Y.Label}
		for i, b := range c.Bars {
			places, bars.X, bars.Y = append(places, float64(i)), append(bars.X, float64(i)), append(bars.Y, b.Value)
		}
		c.Series = append([]Series{bars}, c.Series...)
		first.Align = sheet.Left
		first.Show = func(x float64) string {
			return report.Plain(cmp.Or(c.Bars[int(x)].Label, strconv.Itoa(int(x)+1)))
		}
		first.Value = func(x float64) any { return first.Show(x) }
	}
	columns = []sheet.Column[float64]{first}
	var points []float64
	for i, s := range c.Series {
		write, axis := report.Nearest, c.ReadingAxis(i)
		switch {
		case axis.Upper:
			write = report.Upper
		case axis.Lower:
			write = report.Lower
		}
		at := map[float64]float64{}
		for i, x := range s.X[:min(len(s.X), len(s.Y))] {
			at[x] = s.Y[i]
		}
		for _, x := range s.X {
			if !math.IsNaN(x) {
				points = append(points, x)
			}
		}
		value := func(x float64) float64 {
			if y, known := at[x]; known {
				return y
			}
			return unset
		}
		columns = append(columns, sheet.Column[float64]{
			Head: s.Name, Align: sheet.Decimal, Key: sheet.Identifier(s.Name),
			Value: func(x float64) any { return value(x) },
			Show: func(x float64) string {
				if y := value(x); !math.IsNaN(y) {
					return write(y)
				}
				return ""
			},
		})
	}
	if places == nil {
		places = curve.SortDistinct(points)
	}
	return places, columns
}

// Record returns the chart as JSON has it: axes, series with all their digits, bars if there are any, marks and
// notes.
func (c Chart) Record() sheet.Record {
	axis := func(a Axis) sheet.Record { return sheet.Record{{"label", a.Label}, {"log", a.Log}} }
	record := sheet.Record{{"title", c.Title}, {"x", axis(c.X)}, {"y", axis(c.Y)},
		{"series", sheet.Records(c.Series, func(s Series) sheet.Record {
			return sheet.Record{{"name", s.Name}, {"x", s.X}, {"y", s.Y}}
		})}}
	if len(c.Bars) > 0 {
		record = append(record, [2]any{"bars", sheet.Records(c.Bars,
			func(b Bar) sheet.Record { return sheet.Record{{"label", b.Label}, {"value", b.Value}} })})
	}
	return append(record, sheet.Record{
		{"marks", sheet.Records(c.Marks, func(m Mark) sheet.Record { return sheet.Record{{"x", m.X}, {"y", m.Y}, {"label", m.Label}} })},
		{"notes", c.Notes},
	}...)
}
