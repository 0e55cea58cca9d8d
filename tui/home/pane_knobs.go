package home

import (
	"math"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/document"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

// knobsPane shows the numbers that can be turned, as sliders: a list in a box, or
// a strip of two lines where room is short.
type knobsPane struct {
	part
	stripFrom, stripWidth int // the slider of the strip, as it was drawn last
}

func (k *knobsPane) Keys() kit.Table {
	return kit.NewTable("Knobs pane",
		kit.Action("knobs.up", "up k", "", "Previous knob", kit.NoCmd(func() { k.home.nextKnob(-1) })),
		kit.Action("knobs.down", "down j", "", "Next knob", kit.NoCmd(func() { k.home.nextKnob(+1) })),
	)
}

// HandleMouse takes a click on a slider, and the wheel over a knob.
func (k *knobsPane) HandleMouse(x, y int, m tea.MouseMsg) tea.Cmd {
	if !k.home.Lay.Strip {
		ks := k.home.knobs()
		first, rows := k.window(len(ks), k.home.activeOf(ks))
		at := y - 1 + first
		if y < 1 || y > rows || at >= len(ks) {
			return nil
		}
		k.Knob = ks[at].Name
		if column, width := k.slider(); m.Button == tea.MouseButtonLeft && x >= column && x < column+width {
			return k.Try(func() error { return k.home.slideTo(ks[at], x-column, width) })()
		}
	} else if m.Button == tea.MouseButtonLeft && y == 0 && x >= k.stripFrom && x < k.stripFrom+k.stripWidth {
		ks := k.home.knobs()
		return k.Try(func() error { return k.home.slideTo(ks[k.home.activeOf(ks)], x-k.stripFrom, k.stripWidth) })()
	}
	if by := kit.Wheel(m); by != 0 {
		return k.home.tune(-by)()
	}
	return nil
}

// Columns inside the box: marker 2, symbol 7, value 10, then slider and scope.
const knobLead = 2 + 7 + 10

// slider returns where the slider stands in the pane, and its width.
func (k *knobsPane) slider() (column, width int) {
	inner, _ := draw.Inner(k.W, k.H)
	return 2 + knobLead, max(0, inner-knobLead-12)
}

// window returns the first knob shown and how many rows there are for knobs: the active
// one stays in sight.
func (k *knobsPane) window(n, active int) (first, rows int) {
	_, h := draw.Inner(k.W, k.H)
	rows = max(0, h-1)
	return kit.Window(0, active, n, rows), rows
}

func (k *knobsPane) View(focused bool) []string {
	p, ks := k.Pen, k.home.knobs()
	active := k.home.activeOf(ks)
	if k.home.Lay.Strip {
		return k.strip(ks, active)
	}
	inner, _ := draw.Inner(k.W, k.H)
	first, rows := k.window(len(ks), active)
	_, width := k.slider()
	var lines []string
	for i := first; i < min(first+rows, len(ks)); i++ {
		kn, value, fill := ks[i], p.Text, p.Muted
		l, name := p.Row(inner, i == active)
		if i == active {
			value, fill = p.Strong, p.Accent
		}
		l.Left(name, kn.Symbol, 7).Left(value, knobText(kn), 10)
		k.home.drawSlider(l, fill, kn, width)
		lines = append(lines, l.Skip(2).Left(p.Muted, kn.Scope, 10).String())
	}
	frame := draw.Frame{Title: "Knobs" + inSight(first, rows, len(ks)), Focus: focused, Exact: true}
	return k.DrawFrame(frame, lines, k.Foot(inner, firstKeys(k.home.knobFoot)...))
}

// strip returns the knobs in one line, the active one with its slider, and their keys
// below; before them whose they are, where the stack is not on the screen. Where not all fit, those on the left give
// way until the active one does.
func (k *knobsPane) strip(ks []document.Knob, active int) []string {
	p := k.Pen
	width := func(ks ...document.Knob) (n int) {
		for _, kn := range ks {
			n += draw.Width(p.Spell(kn.Symbol+" "+knobText(kn))) + 2
		}
		return n
	}
	name, lead := "", 0
	if row, ok := k.Doc.SelectedRow(); ok && !k.home.Lay.Slots[layout.Stack].Visible() {
		if name = draw.Cut(draw.Clean(kit.EntryName(row.Entry)), k.W/4); row.Entry.Disabled {
			name += " (left out)"
		}
		lead = draw.Width(name) + 2
	}
	first := 0
	for first < active && lead+width(ks[first:active+1]...)+stripSlider+8 > k.W {
		first++
	}
	text, least := knobText(ks[active]), stripValue
	if ks[active].Name == document.KnobAlpha {
		least += len("auto ")
	}
	pad := max(0, least-draw.Width(p.Spell(text))) // the slider stays in its place while the value changes
	need := 5 + lead + pad + width(ks[first:]...)
	slider := max(0, min(24, (k.W-need)/4*4))
	if need+stripSlider > k.W { // what is cut stands to the right
		slider = stripSlider
	}
	top := p.Line(k.W).Skip(1)
	if name != "" {
		top.Put(p.Strong, name).Put(p.Muted, ": ")
	}
	if first > 0 {
		top.Put(p.Muted, p.Glyphs.Ellipsis+" ")
	}
	for i, kn := range ks[first:] {
		if i+first == active {
			top.Put(p.Accent, p.Glyphs.Select+" "+kn.Symbol+" ").Put(p.Strong, text).Skip(1 + pad)
			k.stripFrom, k.stripWidth = top.Column(), slider
			k.home.drawSlider(top, p.Accent, kn, slider)
			top.Skip(1)
			continue
		}
		if top.Room() < width(kn) { // whole or not at all
			top.Put(p.Muted, p.Glyphs.Ellipsis)
			break
		}
		top.Put(p.Muted, kn.Symbol+" ").Put(p.Text, knobText(kn)).Skip(2)
	}
	both := slices.Concat(k.home.knobFoot, k.home.ActingBindings(k.home.stackKeys).Bindings)
	if !k.home.isStackVisible() { // marks and their keys need the stack
		both = slices.DeleteFunc(both, func(b kit.Binding) bool { return b.Keys()[0] == " " || b.Keys()[0] == "g" })
	}
	return draw.Box([]string{top.String(), "   " + k.Foot(k.W-3, both...)}, k.W, k.H)
}

// The shortest slider of the strip, and the room for the value before it.
const (
	stripSlider = 8
	stripValue  = 6
)

// knobText returns the value of a knob, and of an α that is not pinned the best one.
func knobText(kn document.Knob) string {
	if kn.Name == document.KnobAlpha && kn.Text == "auto" && !math.IsNaN(kn.Value) {
		return "auto " + kit.PlainAlpha(kn.Value)
	}
	return kn.Text
}
