package home

import (
	"math"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/param"
	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// knobsPane shows the numbers that can be turned, as sliders: a list in a box, or
// a strip of two lines where room is short.
type knobsPane struct{ part }

func (k *knobsPane) Keys() kit.Table {
	return kit.NewTable("Knobs pane",
		kit.Bind("up k", "", "Previous knob", kit.Just(func() { k.home.nextKnob(-1) })),
		kit.Bind("down j", "", "Next knob", kit.Just(func() { k.home.nextKnob(+1) })),
	)
}

// HandleMouse takes a click on a slider, and the wheel over a knob.
func (k *knobsPane) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	ks := k.home.knobs()
	if k.home.Lay.Strip {
		return k.wheel(m)
	}
	first, rows := k.window(len(ks), k.home.activeOf(ks))
	at := y - 1 + first
	if y < 1 || y > rows || at < 0 || at >= len(ks) {
		return nil
	}
	k.Knob = ks[at].Name
	if cmd := k.wheel(m); cmd != nil || m.Button != tea.MouseButtonLeft {
		return cmd
	}
	column, width := k.slider()
	if x < column || x >= column+width || math.IsNaN(ks[at].Value) {
		return nil
	}
	v := draw.SliderValue(x-column, ks[at].Lo, ks[at].Hi, ks[at].Log, width)
	v = document.Step(document.Step(v, +1, 2, false), -1, 2, false) // to two digits
	if ks[at].Param.Type == param.Whole {
		v = math.Round(v)
	}
	if err := ks[at].Put(v); err != nil {
		k.Complain(err)
	}
	return nil
}

func (k *knobsPane) wheel(m tea.MouseMsg) tea.Cmd {
	if by := kit.Wheel(m); by != 0 {
		return k.home.tune(-by)()
	}
	return nil
}

func (k *knobsPane) View(focused bool) []string {
	ks := k.home.knobs()
	active := k.home.activeOf(ks)
	if k.home.Lay.Strip {
		return k.strip(ks, active)
	}
	return k.box(ks, active, focused)
}

// Columns inside the box: marker 2, symbol 7, value 10, then slider and scope.
const knobLead = 2 + 7 + 10

// slider is where the slider stands in the pane, and its width.
func (k *knobsPane) slider() (column, width int) {
	inner, _ := draw.Inner(k.W, k.H)
	return 2 + knobLead, max(0, inner-knobLead-12)
}

// window is the first knob shown and how many rows there are for knobs: the active
// one stays in sight.
func (k *knobsPane) window(n, active int) (first, rows int) {
	_, h := draw.Inner(k.W, k.H)
	rows = max(0, h-1)
	return kit.Window(0, active, n, rows), rows
}

func (k *knobsPane) box(ks []document.Knob, active int, focused bool) []string {
	p := k.Pen
	inner, _ := draw.Inner(k.W, k.H)
	first, rows := k.window(len(ks), active)
	_, width := k.slider()
	var lines []string
	for i := first; i < min(first+rows, len(ks)); i++ {
		lines = append(lines, k.row(p.Line(inner), ks[i], i == active, width).String())
	}
	return k.Framed(draw.Frame{Title: "Knobs", Focus: focused}, lines, k.Foot(inner, k.home.knobFoot...))
}

func (k *knobsPane) row(l *draw.Line, kn document.Knob, active bool, width int) *draw.Line {
	p := k.Pen
	name, value, fill := p.Text, p.Text, p.Muted
	marker := " "
	if active {
		marker, name, value, fill = p.Glyphs.Select, p.Accent, p.Strong, p.Accent
	}
	l.Left(p.Accent, marker, 2).Left(name, kn.Symbol, 7)
	l.Left(value, knobText(kn), 10)
	l.Slider(fill, p.Border, kn.Value, kn.Lo, kn.Hi, kn.Log, width)
	return l.Skip(2).Left(p.Muted, kn.Scope, 10)
}

// strip is the knobs in one line, the active one with its slider, and their keys
// below. Where not all fit, those on the left give way until the active one does.
func (k *knobsPane) strip(ks []document.Knob, active int) []string {
	p := k.Pen
	width := func(kn document.Knob) int { return text.Width(p.Spell(kn.Symbol+" "+knobText(kn))) + 2 }
	need, first := 5, 0
	for _, kn := range ks {
		need += width(kn)
	}
	before := 0
	for _, kn := range ks[:active] {
		before += width(kn)
	}
	for ; first < active && before+width(ks[active])+stripSlider+8 > k.W; first++ {
		before -= width(ks[first])
		need -= width(ks[first])
	}
	slider := max(0, min(24, k.W-need))
	if need+stripSlider > k.W { // what is cut stands to the right
		slider = stripSlider
	}
	top := p.Line(k.W).Skip(1)
	if first > 0 {
		top.Put(p.Muted, p.Glyphs.Ellipsis+" ")
	}
	for i, kn := range ks[first:] {
		if i+first == active {
			top.Put(p.Accent, p.Glyphs.Select+" "+kn.Symbol+" ").Put(p.Strong, knobText(kn)).Skip(1)
			top.Slider(p.Accent, p.Border, kn.Value, kn.Lo, kn.Hi, kn.Log, slider).Skip(1)
			continue
		}
		if top.Room() < width(kn) { // whole or not at all
			top.Put(p.Muted, p.Glyphs.Ellipsis)
			break
		}
		top.Put(p.Muted, kn.Symbol+" ").Put(p.Text, knobText(kn)).Skip(2)
	}
	both := slices.Concat(k.home.knobFoot, k.home.stackKeys.Bindings)
	return text.Box([]string{top.String(), "   " + k.Foot(k.W-3, both...)}, k.W, k.H)
}

// stripSlider is the shortest slider of the strip.
const stripSlider = 8

// knobText is the value of a knob, and of an α that is not pinned the best one.
func knobText(kn document.Knob) string {
	if kn.Name == document.KnobAlpha && kn.Text == "auto" && !math.IsNaN(kn.Value) {
		return "auto " + kit.PlainAlpha(kn.Value)
	}
	return kn.Text
}
