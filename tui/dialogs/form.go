package dialogs

import (
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/jobs"
	"epsiloscope/tui/kit"
)

// form is a dialog of fields, built from declarations, that makes another scenario of the one
// on the screen.
type form struct {
	*kit.Shell
	title, about string // about follows the title where there is room for it
	fields       []*formField
	at, top      int
	// made is the scenario as the form has it, or why there is none; what is the name of
	// the change.
	made   func() (*scenarios.Scenario, error)
	done   func() error // takes what was filled in, if the form is not about a change
	what   string
	priced bool                                      // say what the change costs before it is made
	effect jobs.Query[*scenarios.Scenario, []string] // that
	// changed runs after every edit of a field, to keep others in step.
	changed func(*formField)
	// note is written under the fields.
	note    func(*kit.Writer)
	err     error
	version int // what it was opened over: it was filled from that, and changes nothing else
}

func (f *form) field(name string) *formField {
	if i := slices.IndexFunc(f.fields, func(x *formField) bool { return x.param.Name == name }); i >= 0 {
		return f.fields[i]
	}
	return nil
}

// open shows the form with a field ready to be replaced.
func (f *form) open(first string) {
	f.version = f.Doc.Version()
	f.focus(max(0, slices.Index(f.fields, f.field(first))))
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
			cur.derived, cur.typed = false, true
			if cur.problem = cur.check(); f.changed != nil {
				f.changed(cur)
			}
		}
		return f.weigh()
	}
	return nil
}

// ErrMeanwhile is why an answer to an older state of the scenario is not taken.
var ErrMeanwhile = errors.New("the scenario has changed since this was opened: esc closes it; open it again")

// finish makes the change, or goes to the first field that is wrong.
func (f *form) finish() {
	if f.Doc.Version() != f.version {
		f.err = ErrMeanwhile
		return
	}
	for i, x := range f.fields {
		if x.problem = x.check(); x.problem != "" {
			f.focus(i)
			f.err = errors.New("nothing was applied: " + x.wrong())
			return
		}
	}
	if f.done != nil {
		if f.err = f.done(); f.err == nil {
			f.Pop()
		}
		return
	}
	s, err := f.made()
	if err == nil {
		_, unpriced := scenarios.Stack(f.Doc.Scenario()) // then the change is not what is refused
		take := func(s *scenarios.Scenario) tea.Cmd { f.apply(s); return nil }
		if unpriced != nil || !OfferAdjacency(f.Shell, s, take) {
			f.apply(s)
		}
		return
	}
	f.err = err
	var pe *param.Error
	if errors.As(err, &pe) && f.field(pe.Param) != nil {
		f.focus(slices.Index(f.fields, f.field(pe.Param)))
	}
}

// apply closes the form and puts the scenario that it made on the screen.
func (f *form) apply(s *scenarios.Scenario) {
	take := func(s *scenarios.Scenario) tea.Cmd { f.Doc.Replace(s, f.what, false); return nil }
	f.Pop()
	if !AskSensitivity(f.Shell, s, f.what == "target", take) {
		take(s)
	}
}

func (f *form) View(w, h int) []string {
	p := f.Pen
	w = min(w-2, 96)
	inner, _ := draw.Inner(w, h)
	rows := max(1, min(len(f.fields), h-9))
	f.top = kit.Window(f.top, f.at, len(f.fields), rows)
	out := kit.NewWriter(p, inner)
	for i, x := range f.fields[f.top : f.top+rows] {
		out.Lines = append(out.Lines, x.row(p, f.top+i == f.at, inner))
	}
	out.Gap()
	cur := f.fields[f.at]
	switch {
	case f.err != nil:
		out.Prose(p.Over, f.err.Error())
	case cur.problem != "":
		out.Prose(p.Over, cur.wrong())
		if cur.example != "" {
			out.Prose(p.Muted, "For example "+cur.example)
		}
	default:
		out.Prose(p.Muted, cur.param.Help)
		out.Inset(0, p.Muted, cur.param.Means[cur.Value()])
		if i := slices.IndexFunc(f.fields, func(x *formField) bool { return x.problem != "" }); i >= 0 {
			out.Prose(p.Over, f.fields[i].wrong())
		}
	}
	if f.note != nil {
		f.note(out)
	}
	f.putEffect(out)
	title, keys := f.title, []kit.Binding{kit.Hint("↑↓", "field"), kit.Hint("enter", "apply"), kit.Hint("esc", "cancel")}
	if f.about != "" && draw.Width(title)+2+draw.Width(f.about) <= inner-4 {
		title += ": " + f.about
	}
	if cur.Choices != nil {
		keys = append([]kit.Binding{kit.Hint("←→", "change")}, keys...)
	}
	return f.DrawBox(title, out.Lines, w, min(h, max(rows+7, len(out.Lines)+3)), "", keys...)
}
