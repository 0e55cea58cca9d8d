package tui

import (
	"math"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/plot"
	"epsiloscope/tui/text"
)

// knobsPane shows the numbers that can be turned, as sliders: a list in a box, or
// a strip of two lines where room is short.
type knobsPane struct {
	base
	cache cached[knobsLook]
}

type knobsLook struct {
	look
	knob  string
	alpha float64
}

func (k *knobsPane) Keys() Table {
	return Table{"Knobs pane", []Binding{
		{[]string{"up", "k"}, "", "Previous knob", just(func(a *App) { a.nextKnob(-1) })},
		{[]string{"down", "j"}, "", "Next knob", just(func(a *App) { a.nextKnob(+1) })},
	}}
}

func (k *knobsPane) HandleKey(msg tea.KeyMsg) (tea.Cmd, bool) { return k.a.dispatch(msg, k.Keys()) }

// HandleMouse takes a click on a slider, and the wheel over a knob.
func (k *knobsPane) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	ks := k.a.knobs()
	if k.a.lay.Strip {
		return k.wheel(m)
	}
	first, rows := k.window(len(ks), k.a.activeOf(ks))
	at := y - 1 + first
	if y < 1 || y > rows || at < 0 || at >= len(ks) {
		return nil
	}
	k.a.knob = ks[at].name
	if cmd := k.wheel(m); cmd != nil || m.Button != tea.MouseButtonLeft {
		return cmd
	}
	column, width := k.slider()
	if x < column || x >= column+width || math.IsNaN(ks[at].value) {
		return nil
	}
	v := plot.SliderValue(x-column, ks[at].lo, ks[at].hi, ks[at].log, width)
	v = document.Step(document.Step(v, +1, 2, false), -1, 2, false) // to two digits
	if ks[at].param.Type == mechanisms.Whole {
		v = math.Round(v)
	}
	if err := ks[at].put(k.a, v); err != nil {
		k.a.complain(err)
	}
	return nil
}

func (k *knobsPane) wheel(m tea.MouseMsg) tea.Cmd {
	switch m.Button {
	case tea.MouseButtonWheelUp:
		return tune(+1)(k.a)
	case tea.MouseButtonWheelDown:
		return tune(-1)(k.a)
	}
	return nil
}

func (k *knobsPane) View(focused bool) []string {
	// Which knob is active follows from the one chosen and the selected entry.
	return k.cache.get(knobsLook{k.look(focused), k.a.knob, k.a.bestAlphaKey()}, func() []string {
		ks := k.a.knobs()
		active := k.a.activeOf(ks)
		if k.a.lay.Strip {
			return k.strip(ks, active)
		}
		return k.box(ks, active, focused)
	})
}

// bestAlphaKey is bestAlpha with a value that equals itself.
func (a *App) bestAlphaKey() float64 {
	if x := a.bestAlpha(); !math.IsNaN(x) {
		return x
	}
	return 0
}

// Columns inside the box: marker 2, symbol 7, value 10, then slider and scope.
const knobLead = 2 + 7 + 10

// slider is where the slider stands in the pane, and its width.
func (k *knobsPane) slider() (column, width int) {
	inner, _ := draw.Inner(k.w, k.h)
	return 2 + knobLead, max(0, inner-knobLead-12)
}

// window is the first knob shown and how many rows there are for knobs: the active
// one stays in sight.
func (k *knobsPane) window(n, active int) (first, rows int) {
	_, h := draw.Inner(k.w, k.h)
	rows = max(0, h-1)
	return min(max(0, active-rows+1), max(0, n-rows)), rows
}

func (k *knobsPane) box(ks []knob, active int, focused bool) []string {
	p := k.a.pen
	inner, h := draw.Inner(k.w, k.h)
	first, rows := k.window(len(ks), active)
	_, width := k.slider()
	lines := make([]string, 0, h)
	for i := first; i < min(first+rows, len(ks)); i++ {
		lines = append(lines, k.row(p.Line(inner), ks[i], i == active, width).String())
	}
	for len(lines) < rows {
		lines = append(lines, text.Space(inner))
	}
	lines = append(lines, k.a.foot(inner, knobTable()))
	return p.Frame(draw.Frame{Title: "Knobs", Focus: focused}, lines, k.w, k.h)
}

func (k *knobsPane) row(l *draw.Line, kn knob, active bool, width int) *draw.Line {
	p := k.a.pen
	name, value, fill := p.Text, p.Text, p.Muted
	marker := " "
	if active {
		marker, name, value, fill = p.Glyphs.Select, p.Accent, p.Strong, p.Accent
	}
	l.Left(p.Accent, marker, 2).Left(name, kn.symbol, 7)
	shown := kn.text
	if kn.name == knobAlpha && kn.text == "auto" && !math.IsNaN(kn.value) {
		shown = "auto " + plainAlpha(kn.value)
	}
	l.Left(value, shown, 10)
	l.Slider(fill, p.Border, kn.value, kn.lo, kn.hi, kn.log, width)
	return l.Skip(2).Left(p.Muted, kn.scope, 10)
}

func plainAlpha(x float64) string {
	if math.IsInf(x, 1) {
		return "∞"
	}
	if x >= 1e5 { // the column is narrow, and nobody reads more of such an order
		return strings.NewReplacer("e+0", "e", "e+", "e").Replace(strconv.FormatFloat(x, 'e', 0, 64))
	}
	return text.Cut(short(roundTo(x, 3)), 6)
}

// roundTo rounds to a count of significant digits, for display alone.
func roundTo(x float64, digits int) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	f := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*f) / f
}

// strip is the knobs in one line, the active one with its slider, and their keys
// below.
func (k *knobsPane) strip(ks []knob, active int) []string {
	p := k.a.pen
	need := 1
	for _, kn := range ks {
		need += 2 + text.Width(kn.symbol) + 1 + text.Width(k.stripText(kn)) + 2
	}
	slider := max(0, min(24, k.w-need-2))
	top := p.Line(k.w).Skip(1)
	for i, kn := range ks {
		if i == active {
			top.Put(p.Accent, p.Glyphs.Select+" "+kn.symbol+" ").Put(p.Strong, k.stripText(kn)).Skip(1)
			top.Slider(p.Accent, p.Border, kn.value, kn.lo, kn.hi, kn.log, slider).Skip(1)
			continue
		}
		top.Put(p.Muted, kn.symbol+" ").Put(p.Text, k.stripText(kn)).Skip(2)
	}
	both := Table{Bindings: append(knobTable().Bindings, stackTable().Bindings...)}
	return text.Box([]string{top.String(), "   " + k.a.foot(k.w-3, both)}, k.w, k.h)
}

func (k *knobsPane) stripText(kn knob) string {
	if kn.name == knobAlpha && kn.text == "auto" && !math.IsNaN(kn.value) {
		return "auto " + plainAlpha(kn.value)
	}
	return kn.text
}
