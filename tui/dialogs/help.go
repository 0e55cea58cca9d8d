package dialogs

import (
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// help lists every key of the screen, out of the tables that dispatch them.
type help struct {
	*kit.Shell
	tables []kit.Table
	text   kit.Scroll
	size   [2]int // of the screen
	w      int    // that it gives the dialog
	filter string // the keys listed have it in their names
	typing bool   // the keys are letters of the filter
}

// Help shows the tables.
func Help(s *kit.Shell, tables []kit.Table) {
	s.Push(&help{Shell: s, tables: tables})
}

func (d *help) HandleKey(msg tea.KeyMsg) tea.Cmd {
	if d.typing {
		d.edit(msg)
		return nil
	}
	switch msg.String() {
	case "/":
		d.typing = true
		return nil
	case "esc", "?", "q", "enter":
		if d.filter != "" && msg.String() == "esc" {
			d.setFilter("")
			return nil
		}
		d.Pop()
	}
	cmd, _ := kit.Dispatch(msg, kit.NewTable("", d.text.Keys()...))
	return cmd
}

// edit takes a key as a letter of the filter. Enter keeps what is found, esc shows everything again.
func (d *help) edit(msg tea.KeyMsg) {
	letters := []rune(d.filter)
	switch msg.String() {
	case "enter":
		d.typing = false
	case "esc":
		d.typing = false
		d.setFilter("")
	case "backspace":
		d.setFilter(string(letters[:max(0, len(letters)-1)]))
	default:
		if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace {
			d.setFilter(draw.Clean(d.filter + string(msg.Runes)))
		}
	}
}

func (d *help) setFilter(s string) {
	d.filter, d.size = s, [2]int{}
	d.text.GotoTop()
}

// filterTables returns the tables with the keys that the filter leaves: those whose key or name contains it.
func (d *help) filterTables() []kit.Table {
	if d.filter == "" {
		return d.tables
	}
	var out []kit.Table
	for _, t := range d.tables {
		var some []kit.Binding
		for _, x := range t.Bindings {
			if strings.Contains(strings.ToLower(d.Label(x)+" "+x.Name), strings.ToLower(d.filter)) {
				some = append(some, x)
			}
		}
		if len(some) > 0 {
			t.Bindings = some
			out = append(out, t)
		}
	}
	return out
}

func (d *help) HandleMouse(m tea.MouseMsg) tea.Cmd { d.text.Wheel(m); return nil }

func (d *help) View(w, h int) []string {
	if size := [2]int{w, h}; d.size != size { // a third column only where two are too long
		d.size, d.w = size, min(w-2, 150)
		if len(d.set(d.w-4)) > h-4 {
			d.w = min(w-2, 190)
		}
	}
	w, h = d.w, h-1
	inner, _ := draw.Inner(w, h)
	d.text.Fill([3]any{w, h, d.filter}, inner, 0, func() []string { return d.set(inner) })
	n := d.text.TotalLineCount()
	h = min(h, n+3)
	_, rows := draw.Inner(w, h)
	d.text.Height = max(0, rows-1)
	title, keys := "Keys", []kit.Binding{kit.Hint("/", "filter"), kit.Hint("esc", "close")}
	if d.typing {
		keys = []kit.Binding{kit.Hint("enter", "keep"), kit.Hint("esc", "all keys")}
	}
	if d.text.Longer() {
		keys = append([]kit.Binding{kit.Hint("↑↓", "scroll")}, keys...)
		title = fmt.Sprintf("Keys, lines %d–%d of %d", d.text.YOffset+1, min(n, d.text.YOffset+d.text.Height), n)
	}
	if d.filter != "" || d.typing {
		title = "Keys with “" + d.filter + "”"
	}
	return d.DrawBox(title, d.text.Lines(), w, h, "", keys...)
}

// set sets the tables out, in as many columns as have room, of about the same height.
func (d *help) set(w int) []string {
	n := max(1, w/columnWidth)
	if d.filter != "" {
		n = 1
	}
	each := (w + 2) / n
	tables := d.filterTables()
	if len(tables) == 0 {
		return []string{d.Pen.Line(w).Put(d.Pen.Muted, "no key does that").String()}
	}
	columns := d.divide(tables, n, each-2)
	high := tallest(columns)
	lines := make([]string, high)
	for i, c := range columns {
		kit.JoinColumns(lines, draw.Box(c, min(each, w-i*each), high))
	}
	return lines
}

// divide sets tables out in n columns so that the longest is as short as it can be.
func (d *help) divide(tables []kit.Table, n, w int) (best [][]string) {
	if n == 1 {
		return [][]string{d.column(tables, w)}
	}
	least := math.MaxInt
	for i := range len(tables) + 1 {
		columns := append([][]string{d.column(tables[:i], w)}, d.divide(tables[i:], n-1, w)...)
		if high := tallest(columns); high < least {
			best, least = columns, high
		}
	}
	return best
}

func tallest(columns [][]string) (high int) {
	for _, c := range columns {
		high = max(high, len(c))
	}
	return high
}

// columnWidth is the least width of a column.
const columnWidth = 55

// The column of the keys has room for the longest key of a table. A key that needs more than maxKeyWidth, as users can
// choose, pushes its own words to the right.
const (
	minKeyWidth = 9
	maxKeyWidth = 17
)

// column sets tables out below each other.
func (d *help) column(tables []kit.Table, w int) []string {
	p, out := d.Pen, kit.NewWriter(d.Pen, w)
	for _, t := range tables {
		if len(t.Bindings) == 0 {
			continue
		}
		out.Add(p.Line(w).Put(p.Title, t.Name))
		widths := make([]int, len(t.Bindings))
		column := minKeyWidth
		for i, x := range t.Bindings {
			if widths[i] = draw.Width(p.Spell(d.Label(x))) + 3; widths[i] <= maxKeyWidth {
				column = max(column, widths[i])
			}
		}
		for i, x := range t.Bindings {
			label, lead := d.Label(x), max(column, widths[i])
			out.Hang(lead, p.Text, x.Name, func(l *draw.Line) { l.Skip(1).Left(p.Key, label, lead-1) })
		}
		out.Gap()
	}
	return out.Lines
}
