package render

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	_ "epsiloscope/internal/gauge" // the seed of property tests
	"epsiloscope/report/chart"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"
)

var unset = math.NaN()

// growth returns ε against K by basic composition, Kε₀, and by the advanced theorem of
// Dwork, Rothblum and Vadhan (2010).
func growth() chart.Chart {
	c := chart.Chart{
		Title: "ε against K", Notes: []string{"ε₀ = 0.1 & δ = 1e-6 <per query>"},
		X: chart.Axis{Label: "queries K", Log: true, Min: unset, Max: unset},
		Y: chart.Axis{Label: "ε", Log: true, Min: unset, Max: unset},
		Marks: []chart.Mark{
			{X: unset, Y: 6, Label: "budget 6", Alert: true},
			{X: 34, Y: unset, Label: "advanced passes basic"},
			{X: 100, Y: 10, Label: "K = 100"},
		},
	}
	basic, advanced := chart.Series{Name: "basic"}, chart.Series{Name: "advanced"}
	for i := range 40 {
		k := math.Pow(10, 3*float64(i)/39)
		basic.X, basic.Y = append(basic.X, k), append(basic.Y, 0.1*k)
		advanced.X = append(advanced.X, k)
		advanced.Y = append(advanced.Y, math.Sqrt(2*k*math.Log(1e6))*0.1+k*0.1*math.Expm1(0.1))
	}
	c.Series = []chart.Series{basic, advanced, {Name: "limit", Faint: true, X: []float64{1, 1000}, Y: []float64{0.2, 20}}}
	return c
}

func utility() chart.Chart {
	return chart.Chart{
		Title: "Which candidate wins", Y: chart.Axis{Label: "probability", Min: unset, Max: unset},
		Bars: []chart.Bar{{Label: "A", Value: 0.7, Best: true}, {Label: "B <b>", Value: 0.25},
			{Label: "C", Value: 0.05}, {Label: "D", Value: unset}},
		Marks:  []chart.Mark{{X: unset, Y: 0.25, Label: "uniform"}},
		Series: []chart.Series{{Name: "theorem", X: []float64{0, 1, 2}, Y: []float64{0.6, 0.3, 0.1}}},
	}
}

func density() chart.Chart {
	c := chart.Chart{X: chart.Axis{Label: "count"}, Y: chart.Axis{Label: "probability"}}
	for d, name := range []string{"on D", "on D′"} {
		s := chart.Series{Name: name, Step: true}
		for k := -6; k <= 6; k++ {
			s.X, s.Y = append(s.X, float64(k)), append(s.Y, math.Exp(-math.Abs(float64(k-d))*0.5)*math.Tanh(0.25))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func write(t testing.TB, c chart.Chart, format string, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, c, format, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGoldenSVG(t *testing.T) {
	for name, c := range map[string]struct {
		chart chart.Chart
		o     Options
	}{
		"growth-light":  {growth(), Options{}},
		"growth-dark":   {growth(), Options{Dark: true, Width: 500, Height: 300}},
		"utility-light": {utility(), Options{Width: 600, Height: 260}},
		"density-dark":  {density(), Options{Dark: true}},
		"empty":         {chart.Chart{Title: "empty"}, Options{}},
	} {
		t.Run(name, func(t *testing.T) { golden.RequireEqual(t, write(t, c.chart, "svg", c.o)) })
	}
}

// A PNG has the size asked for, and both inks of the chart are in it.
func TestPNG(t *testing.T) {
	raw := write(t, growth(), "PNG", Options{Width: 400, Height: 250, Scale: 1.5})
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got.X != 600 || got.Y != 375 {
		t.Errorf("size %v, want 600x375", got)
	}
	seen := map[string]int{}
	for y := range 375 {
		for x := range 600 {
			r, g, b, _ := img.At(x, y).RGBA()
			seen[fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)]++
		}
	}
	for _, ink := range []string{lightInk.ground, lightInk.series[0], lightInk.series[1], lightInk.alert,
		lightInk.text} {
		if seen[ink] == 0 {
			t.Errorf("colour %s is nowhere in the picture", ink)
		}
	}
	if !bytes.Equal(raw, write(t, growth(), "png", Options{Width: 400, Height: 250, Scale: 1.5})) {
		t.Error("the same chart gave two different files")
	}
}

func TestErrors(t *testing.T) {
	for want, f := range map[string]func() error{
		`unknown picture format "gif": use svg or png`: func() error { return Write(io.Discard, growth(), "gif", Options{}) },
		"picture width is 20 pixels":                   func() error { return Write(io.Discard, growth(), "svg", Options{Width: 20}) },
		"picture height is -1 pixels":                  func() error { return Write(io.Discard, growth(), "svg", Options{Height: -1}) },
		"use a scale from 0.25 to 8":                   func() error { return Write(io.Discard, growth(), "png", Options{Scale: math.NaN()}) },
		"at most 64 million dots":                      func() error { return Write(io.Discard, growth(), "png", Options{Width: 8000, Height: 8000, Scale: 8}) },
		"disk full":                                    func() error { return Write(full{}, growth(), "svg", Options{}) },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

var oddValues = []float64{0, 1, -1, 1e300, -1e300, math.MaxFloat64, 5e-324, math.Inf(1), math.Inf(-1), math.NaN(), 1e-6,
	40}
var oddTexts = []string{"", "plain", "<script>&\"'</script>", "\x1b[31m\x00\ufffe", "\xff", "]]>", strings.Repeat("wide ", 500), "漢字"}

func oddChart(t *rapid.T) chart.Chart {
	value, text := rapid.SampledFrom(oddValues), rapid.SampledFrom(oddTexts)
	c := chart.Chart{Title: text.Draw(t, "title"), Notes: []string{text.Draw(t, "note")}}
	for _, a := range []*chart.Axis{&c.X, &c.Y} {
		*a = chart.Axis{Label: text.Draw(t, "axis"), Log: rapid.Bool().Draw(t, "log"), Min: value.Draw(t, "min"),
			Max: value.Draw(t, "max")}
	}
	for range rapid.IntRange(0, 3).Draw(t, "series") {
		s := chart.Series{Name: text.Draw(t, "name"), Step: rapid.Bool().Draw(t, "step"), Faint: rapid.Bool().Draw(t, "faint")}
		for range rapid.IntRange(0, 8).Draw(t, "n") {
			s.X, s.Y = append(s.X, value.Draw(t, "x")), append(s.Y, value.Draw(t, "y"))
		}
		c.Series = append(c.Series, s)
	}
	for range rapid.IntRange(0, 3).Draw(t, "marks") {
		c.Marks = append(c.Marks, chart.Mark{X: value.Draw(t, "mx"), Y: value.Draw(t, "my"), Label: text.Draw(t, "label")})
	}
	if rapid.Bool().Draw(t, "bars") {
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			c.Bars = append(c.Bars, chart.Bar{Label: text.Draw(t, "bar"), Value: value.Draw(t, "v"),
				Best: rapid.Bool().Draw(t, "best")})
		}
	}
	return c
}

// Whatever the chart, the SVG is well-formed, holds no markup of the chart's own,
// and every length in it is a number within the page.
func TestAnyChartIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Width: rapid.IntRange(160, 900).Draw(t, "w"), Height: rapid.IntRange(160, 600).Draw(t, "h"),
			Scale: 0.25}
		c := oddChart(t)
		var b bytes.Buffer
		if err := Write(&b, c, "svg", o); err != nil {
			t.Fatal(err)
		}
		checkSVG(t, b.Bytes(), float64(o.Width), float64(o.Height))
		b.Reset()
		if err := Write(&b, c, "png", o); err != nil {
			t.Fatal(err)
		}
	})
}

func checkSVG(t *rapid.T, raw []byte, w, h float64) {
	d := xml.NewDecoder(bytes.NewReader(raw))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, raw)
		}
		el, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		if !strings.Contains(" svg title rect polyline circle text ", " "+el.Name.Local+" ") {
			t.Fatalf("unexpected element %s", el.Name.Local)
		}
		for _, a := range el.Attr {
			var lengths []string
			switch a.Name.Local {
			case "points":
				lengths = strings.FieldsFunc(a.Value, func(r rune) bool { return r == ' ' || r == ',' })
			case "x", "y", "cx", "cy", "width", "height", "r":
				lengths = []string{a.Value}
			}
			for _, l := range lengths {
				var v float64
				if _, err := fmt.Sscan(l, &v); err != nil || !(v >= -20 && v <= math.Max(w, h)+20) {
					t.Fatalf("%s %s=%q lies off the page of %gx%g", el.Name.Local, a.Name.Local, l, w, h)
				}
			}
		}
	}
}

// Labels of marks cover neither each other nor a curve while there is room.
func TestMarkLabelsAreClear(t *testing.T) {
	g := &page{}
	o, _ := Options{}.withDefaults()
	pic := compose(growth(), o)
	var curves [][]point
	var labels []box
	for _, s := range pic.shapes {
		switch s := s.(type) {
		case stroke:
			if s.width >= 2 && len(s.points) > 2 {
				curves = append(curves, s.points)
			}
		case label:
			for _, m := range growth().Marks {
				if s.text == m.Label {
					labels = append(labels, box{x: s.x, y: s.y - tickSize*0.8, w: textWidth(s.text, s.size, s.bold),
						h: tickSize})
				}
			}
		}
	}
	if len(labels) != 3 || len(curves) != 2 {
		t.Fatalf("%d labels, %d curves", len(labels), len(curves))
	}
	for i, b := range labels {
		g.taken = append(append([]box(nil), labels[:i]...), labels[i+1:]...)
		if g.overlaps(b, curves) {
			t.Errorf("label %d is covered", i)
		}
	}
}

// The dots of a series upon the bars leave the values of the bars readable.
func TestDotsLeaveValuesFree(t *testing.T) {
	o, _ := Options{}.withDefaults()
	c := utility()
	c.Series[0].Y = []float64{0.71, 0.27, 0.07} // just above the bars
	var dots []disc
	var words []label
	for _, s := range compose(c, o).shapes {
		switch s := s.(type) {
		case disc:
			dots = append(dots, s)
		case label:
			words = append(words, s)
		}
	}
	for _, l := range words {
		g := &page{taken: []box{{x: l.x, y: l.y - l.size*0.8, w: textWidth(l.text, l.size, l.bold), h: l.size}}}
		for _, d := range dots {
			if l.anchor == start && g.overlaps(box{x: d.x - d.r, y: d.y - d.r, w: 2 * d.r, h: 2 * d.r}, nil) {
				t.Errorf("a dot at %.0f, %.0f covers %q", d.x, d.y, l.text)
			}
		}
	}
}

// WCAG 2.1: contrast 4.5 for text (1.4.3), 3 for lines (1.4.11).
func TestInkContrast(t *testing.T) {
	luminance := func(hex string) float64 {
		c, sum := rgba(hex), 0.0
		for i, v := range []uint8{c.R, c.G, c.B} {
			lin := float64(v) / 255 / 12.92
			if v > 10 {
				lin = math.Pow((float64(v)/255+0.055)/1.055, 2.4)
			}
			sum += lin * []float64{0.2126, 0.7152, 0.0722}[i]
		}
		return sum
	}
	for _, k := range []palette{lightInk, darkInk} {
		check := func(least float64, inks ...string) {
			for _, ink := range inks {
				a, b := luminance(ink)+0.05, luminance(k.ground)+0.05
				if got := math.Max(a/b, b/a); got < least {
					t.Errorf("%s on %s has contrast %.2f, want %.1f", ink, k.ground, got, least)
				}
			}
		}
		check(4.5, k.text, k.muted, k.axis, k.alert)
		check(3, append(k.series, k.best)...)
	}
}

func TestDashed(t *testing.T) {
	pts := []point{{0, 0}, {10, 0}, {10, 10}}
	parts := cutDashes(pts, []float64{4, 2})
	length := 0.0
	for _, p := range parts {
		for k := 1; k < len(p); k++ {
			length += distance(p[k-1], p[k])
		}
	}
	// 20 pixels of 4 drawn, 2 skipped: 4+4+4 and the 2 left of the fourth.
	if len(parts) != 4 || math.Abs(length-14) > 1e-9 {
		t.Errorf("%d pieces of %g in all: %v", len(parts), length, parts)
	}
	if got := cutDashes(pts, nil); len(got) != 1 || len(got[0]) != 3 {
		t.Errorf("a solid line became %v", got)
	}
}

func TestTextFits(t *testing.T) {
	long := strings.Repeat("epsilon ", 40)
	if got := cut(long, 12, 100, false); textWidth(got, 12, false) > 100 || !strings.HasSuffix(got, "…") {
		t.Errorf("cut to %q", got)
	}
	if got := cut("short", 12, 100, false); got != "short" {
		t.Errorf("cut %q", got)
	}
	lines := wrap(long, 12, 100, 3, false)
	if len(lines) != 3 {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		if textWidth(l, 12, false) > 100 {
			t.Errorf("line %q is too wide", l)
		}
	}
}

// A reader's own font may be wider than ours: no line of text comes near the edge.
func TestTextLeavesRoom(t *testing.T) {
	c := growth()
	c.Title = "how far below the best entry 3 picks, among 4 outputs that all score alike"
	c.Notes = []string{strings.Repeat("the loss exceeds its bound with a probability ", 4)}
	lines := 0
	for _, s := range compose(c, Options{Width: 460, Height: 400}).shapes {
		l, ok := s.(label)
		if !ok || l.x != margin || l.size != titleSize && l.size != noteSize {
			continue
		}
		lines++
		if w := textWidth(l.text, l.size, l.bold); l.x+1.15*w > 460 {
			t.Errorf("%q is %.0f wide", l.text, w)
		}
	}
	if lines < 4 {
		t.Errorf("%d lines of text", lines)
	}
}

func BenchmarkPNG(b *testing.B) {
	for b.Loop() {
		write(b, growth(), "png", Options{})
	}
}

func ExampleWrite() {
	chart := chart.Chart{Title: "ε by K", Series: []chart.Series{{Name: "basic", X: []float64{0, 10}, Y: []float64{0, 1}}}}
	f, err := os.CreateTemp("", "chart*.svg")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(f.Name())
	fmt.Println(Write(f, chart, "svg", Options{Dark: true}), f.Close())
	fmt.Println(Write(f, chart, "bmp", Options{}))
	// Output:
	// <nil> <nil>
	// unknown picture format "bmp": use svg or png
}

// rivals returns bounds of which two nearly coincide.
func rivals() chart.Chart {
	c := chart.Chart{X: chart.Axis{Label: "K"}, Y: chart.Axis{Label: "ε", Upper: true}, Rivals: true, Read: 10}
	for i, slope := range []float64{1, 0.7, 0.5, 0.505, 0.51} {
		s := chart.Series{Name: []string{"basic", "advanced", "numerical", "RDP", "zCDP"}[i], Look: []int{1, 2, 3, 4, 6}[i]}
		for k := range 21 {
			s.X, s.Y = append(s.X, float64(k)), append(s.Y, slope*float64(k))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// Curves that coincide share a line, as on the screen: they are named behind its owner with =, in their own colour,
// and no stroke is drawn for them.
func TestCoincidingCurvesShareALine(t *testing.T) {
	p := compose(rivals(), Options{Width: 860, Height: 520})
	var names []string
	strokes := map[string]int{} // by colour
	for _, s := range p.shapes {
		switch s := s.(type) {
		case label:
			names = append(names, s.text)
		case stroke:
			strokes[s.colour]++
		}
	}
	if got := strings.Join(names[:5], ", "); got != "basic, advanced, numerical, = RDP, = zCDP" {
		t.Errorf("the legend is %s", got)
	}
	for look, want := range map[int]int{0: 2, 1: 2, 2: 2, 3: 0, 5: 0} { // in the legend and in the plot
		if got := strokes[lightInk.colour(look)]; got != want {
			t.Errorf("look %d has %d strokes, want %d", look, got, want)
		}
	}
}

// A curve that lies wholly beyond the picture has an arrow before its name, and no piece of line that nobody can find.
func TestCurvesBeyondThePictureHaveArrows(t *testing.T) {
	line := func(name string, from, to float64) chart.Series {
		return chart.Series{Name: name, X: []float64{0, 10}, Y: []float64{from, to}}
	}
	c := chart.Chart{X: chart.Axis{Label: "K", Min: 0, Max: 10}, Y: chart.Axis{Label: "ε", Min: 1, Max: 5},
		Series: []chart.Series{line("above", 100, 200), line("through", 0, 100), line("inside", 2, 3), line("below", 0, 0.5)}}
	var legend []string
	for _, s := range compose(c, Options{Width: 860, Height: 520}).shapes {
		if s, ok := s.(label); ok {
			legend = append(legend, s.text)
		}
	}
	if got := strings.Join(legend[:6], " "); got != "↑ above through inside ↓ below" {
		t.Errorf("the legend is %s", got)
	}
}

// No two theorems look alike: each has its own colour and its own dashes, on both grounds.
func TestStrokesAreDistinct(t *testing.T) {
	if len(dashes) != len(lightInk.series) || len(dashes) != len(darkInk.series) {
		t.Fatalf("%d dashes for %d and %d colours", len(dashes), len(lightInk.series), len(darkInk.series))
	}
	for _, ink := range []palette{lightInk, darkInk} {
		for i := range dashes {
			for k := range i {
				a, b := rgb(t, ink.series[i]), rgb(t, ink.series[k])
				if d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]); d < 40 {
					t.Errorf("the colours %s and %s are %.0f apart", ink.series[i], ink.series[k], d)
				}
				if fmt.Sprint(dashes[i]) == fmt.Sprint(dashes[k]) {
					t.Errorf("looks %d and %d have the same dashes", i, k)
				}
			}
		}
	}
}

func rgb(t *testing.T, colour string) (v [3]float64) {
	var c [3]int
	if _, err := fmt.Sscanf(colour, "#%02x%02x%02x", &c[0], &c[1], &c[2]); err != nil {
		t.Fatal(err)
	}
	return [3]float64{float64(c[0]), float64(c[1]), float64(c[2])}
}
