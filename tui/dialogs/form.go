package dialogs

import (
	"errors"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// form is a dialog of fields, built from declarations.
type form struct {
	*kit.Shell
	title  string
	fields []*formField
	at     int
	top    int
	// changed runs after every edit of a field, to keep others in step.
	changed func(*form, *formField)
	spec    mechanisms.Spec // of an entry's form
	// trial is the scenario as the form would make it; nil if it cannot be shown.
	trial func(*form) *scenarios.Scenario
	// about follows the title where there is room for it.
	about string
	// note is shown under the fields, on lines of the width given.
	note   func(*form, int) []string
	effect jobs.Query[*scenarios.Scenario, []string] // what a trial costs
	submit func(*form) error
	err    error
}

func (f *form) field(name string) *formField {
	if i := slices.IndexFunc(f.fields, func(x *formField) bool { return x.name == name }); i >= 0 {
		return f.fields[i]
	}
	return nil
}

// open shows the form with the first field ready to be replaced.
func (f *form) open() {
	f.focus(f.at)
	f.Push(f)
}

func (f *form) focus(i int) {
	n := len(f.fields)
	f.at = (i + n) % n
	f.fields[f.at].Fresh = true
}

func (f *form) HandleKey(msg tea.KeyMsg) tea.Cmd {
	cur := f.fields[f.at]
	switch msg.String() {
	case "esc":
		f.Pop()
	case "up", "shift+tab":
		f.focus(f.at - 1)
	case "down", "tab":
		f.focus(f.at + 1)
	case "enter":
		f.finish()
	default:
		f.err = nil
		if cur.Take(msg) {
			cur.derived = false
			f.after(cur)
		}
		return f.weigh()
	}
	return nil
}

func (f *form) after(cur *formField) {
	cur.problem = cur.check()
	if f.changed != nil {
		f.changed(f, cur)
	}
}

// finish submits, or goes to the first field that is wrong.
func (f *form) finish() {
	for i, x := range f.fields {
		if x.problem = x.check(); x.problem != "" {
			f.focus(i)
			f.err = fmt.Errorf("%s %s", x.symbol, x.problem)
			return
		}
	}
	if err := f.submit(f); err != nil {
		f.err = err
		var pe *param.Error
		if errors.As(err, &pe) && f.field(pe.Param) != nil {
			f.focus(slices.Index(f.fields, f.field(pe.Param)))
		}
		return
	}
	f.Pop()
}

func (f *form) View(w, h int) []string {
	p := f.Pen
	w = min(w-2, 96)
	inner, _ := draw.Inner(w, h)
	rows := max(1, min(len(f.fields), h-9))
	f.top = kit.Window(f.top, f.at, len(f.fields), rows)
	var lines []string
	for i := f.top; i < min(f.top+rows, len(f.fields)); i++ {
		lines = append(lines, f.row(f.fields[i], i == f.at, inner))
	}
	lines = append(lines, text.Space(inner))
	out := kit.NewWriter(p, inner, lines...)
	cur := f.fields[f.at]
	switch {
	case f.err != nil:
		out.Prose(p.Over, f.err.Error())
	case cur.problem != "":
		out.Prose(p.Over, cur.symbol+" "+cur.problem)
	default:
		out.Prose(p.Muted, cur.help)
		out.Inset(0, p.Muted, cur.param.Means[cur.Value()])
		if i := slices.IndexFunc(f.fields, func(x *formField) bool { return x.problem != "" }); i >= 0 {
			out.Prose(p.Over, f.fields[i].symbol+" "+f.fields[i].problem)
		}
	}
	if f.note != nil {
		out.Lines = append(out.Lines, f.note(f, inner)...)
	}
	f.putEffect(out)
	height := min(h, len(lines)+6)
	title, foot := f.title, "↑↓ field   enter apply   esc cancel"
	if f.about != "" && text.Width(title)+2+text.Width(f.about) <= inner-4 {
		title += ": " + f.about
	}
	if cur.Choices != nil {
		foot = "←→ change   " + foot
	}
	return f.Boxed(title, out.Lines, foot, w, max(height, min(h, len(out.Lines)+3)))
}

func (f *form) row(x *formField, focused bool, inner int) string {
	p := f.Pen
	l, ink := p.Row(inner, focused)
	if !focused {
		ink = p.Muted
	}
	l.Left(ink, x.symbol, 4).Left(ink, x.label(), 17).Skip(1)
	width := max(10, inner-l.At()-24)
	if x.free && x.problem == "" { // words have no unit beside them
		width = inner - l.At() - 1
	}
	switch {
	case x.Choices != nil && focused:
		l.Left(p.Accent, p.Glyphs.Left+" "+x.Value()+" "+p.Glyphs.Right, width)
	case x.Choices != nil:
		l.Left(p.Text, x.Value(), width)
	case x.derived && !focused && x.Input.Value() == "":
		l.Left(p.Muted, x.instead+" given instead", width)
	case x.derived && !focused:
		l.Left(p.Muted, "= "+x.Input.Value(), width)
	default:
		kit.Field(l, p, x.Input, width, focused, x.Fresh)
	}
	l.Skip(1)
	if x.problem != "" {
		full := p.Glyphs.Cross + " " + x.problem
		if focused { // it stands below
			full = p.Glyphs.Cross
		}
		return l.Put(p.Over, kit.Widest(l.Room(), full, p.Glyphs.Cross)).String()
	}
	if !x.free && x.Choices == nil && !x.derived && x.Value() != "" && x.param.Type.Numeric() {
		if m, err := Meaning(x.param, x.Value()); err == nil && m != "" {
			return l.Put(p.Good, m).String()
		}
	}
	unit := x.param.Unit
	if unit == "answer" || unit == "score" {
		unit = "in units of the " + unit
	}
	return l.Put(p.Muted, unit).String()
}
