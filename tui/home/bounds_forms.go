package home

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/tui/document"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

// forms says whether the table lists the other forms of theorems: the improved advanced composition
// and the classic conversions, which are hardly ever the best.
type forms struct {
	open bool               // by the key
	of   *document.Document // the scenario for which a lecture or an exercise needs them
}

// isOtherForm reports whether a method is a classic or an improved form of another.
func isOtherForm(m accounting.Method) bool {
	t, _ := accounting.TheoremOf(m)
	return t.FormOf != ""
}

// formsOpen reports whether the table lists the other forms.
func (h *Home) formsOpen() bool { return h.forms.open || h.forms.of == h.Doc }

// OpenForms lists the other forms for the present scenario if one of them is among methods.
func (h *Home) OpenForms(methods []accounting.Method) {
	if slices.ContainsFunc(methods, isOtherForm) {
		h.forms.of = h.Doc
		h.Explorer.Arrange()
	}
}

// toggleForms lists the other forms, or folds them under their theorems.
func (h *Home) toggleForms() tea.Cmd {
	if !h.Lay.Slots[layout.Bounds].Visible() {
		return h.Say("the bounds are not on the screen: 0 shows them")
	}
	h.forms = forms{open: !h.formsOpen()}
	defer h.Explorer.Arrange()                                     // the table takes more lines, or fewer
	if c, _, err := h.NewestChart(); err == nil && h.drawn.Known { // the chart folds as the table does
		h.graph.plot.SetChart(h.chartForm().apply(c))
	}
	if b := h.bounds; !h.forms.open && h.Result != nil && b.row < len(h.Result.Bounds) {
		if t, _ := accounting.TheoremOf(h.Result.Bounds[b.row].Method); t.FormOf != "" {
			isTheorem := func(x accounting.Bound) bool { return x.Method == t.FormOf }
			b.row = max(0, slices.IndexFunc(h.Result.Bounds, isTheorem))
		}
	}
	return nil
}

// visibleRows returns the rows of the table in their order: all but the folded forms. The best
// bound and the selected one are never folded.
func (b *boundsPane) visibleRows() []int {
	best, open := b.best(), b.home.formsOpen()
	var rows []int
	for i, x := range b.Result.Bounds {
		if open || i == best || i == b.row || !isOtherForm(x.Method) {
			rows = append(rows, i)
		}
	}
	return rows
}

// rowCount returns how many theorems the table lists, whichever of them is selected: the layout does not follow the
// cursor.
func (b *boundsPane) rowCount() int {
	if b.Result == nil {
		return 7
	}
	n := 0
	for i, x := range b.Result.Bounds {
		if b.home.formsOpen() || i == b.best() || !isOtherForm(x.Method) {
			n++
		}
	}
	return n
}

// formsLine names what is folded and the key that opens it.
func (b *boundsPane) formsLine(inner int) []string {
	p, rows := b.Pen, b.visibleRows()
	var names []string
	for i, x := range b.Result.Bounds {
		if !slices.Contains(rows, i) {
			names = append(names, kit.MethodName(accounting.Bound{Method: x.Method}))
		}
	}
	l := p.Line(inner).Skip(2).Put(p.Key, "B").Skip(1)
	if len(names) == 0 && b.home.formsOpen() {
		return []string{l.Put(p.Muted, "fold the classic and improved forms").String()}
	}
	if len(names) == 0 {
		return nil
	}
	count := numeral.Plural(len(names), "more form", "more forms")
	return []string{l.Put(p.Muted, kit.Widest(l.Room(), count+": "+strings.Join(names, ", "), count)).String()}
}
