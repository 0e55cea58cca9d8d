package dialogs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// Picker is a searchable list: the heart of the open dialog, the catalogue and the
// command palette.
type Picker struct {
	*kit.Shell
	Input textinput.Model
	items []Item
	Found []int // indexes into items, best match first
	At    int
	top   int
	raise bool // the selected row and its heading stand at the top when the list is drawn next
	// query turns what was typed into what is searched for; nil for the text itself.
	Query func(string) string
	// nothing is said where no item matches.
	nothing string
	// ordered: the items stand in an order of their own (charts 1 to 8), which equal
	// matches keep.
	ordered bool
}

// NewPicker lists items, nothing searched for yet.
func NewPicker(s *kit.Shell, items []Item) *Picker {
	p := &Picker{Shell: s, Input: kit.NewInput(""), nothing: "nothing matches; ⌫ takes a letter back"}
	p.set(items)
	return p
}

func (p *Picker) set(items []Item) {
	p.items = items
	p.Search()
}

// Search ranks what the query names before what starts with it, then words that do, those of the title
// after those of the name, and letters found in order last. A single letter finds only
// starts: in order it would find almost everything.
func (p *Picker) Search() {
	p.Found, p.At, p.top = p.Found[:0], 0, 0
	q := p.Input.Value()
	if p.Query != nil {
		q = p.Query(q)
	}
	q = strings.ToLower(strings.TrimSpace(q))
	names, seen := make([]string, len(p.items)), make([]bool, len(p.items))
	add := func(i int, matches bool) {
		if matches && !seen[i] {
			seen[i] = true
			p.Found = append(p.Found, i)
		}
	}
	for i, it := range p.items {
		names[i] = strings.ToLower(it.Name)
		add(i, q != "" && strings.ToLower(it.also) == q)
	}
	named := len(p.Found)
	for i := range p.items {
		add(i, strings.HasPrefix(names[i], q))
	}
	if q != "" && !p.ordered { // the shorter the name, the more of it was typed
		slices.SortStableFunc(p.Found[named:], func(i, j int) int { return len(names[i]) - len(names[j]) })
	}
	for _, field := range []func(Item) string{
		func(it Item) string { return it.Name },
		func(it Item) string { return it.also },
		func(it Item) string { return it.Title },
	} {
		for i, it := range p.items {
			add(i, wordStarts(strings.ToLower(field(it)), q))
		}
	}
	if len(q) > 1 || len(p.Found) == 0 {
		for _, m := range fuzzy.Find(q, names) {
			add(m.Index, true)
		}
	}
}

// wordStarts reports whether some word of s starts with q.
func wordStarts(s, q string) bool {
	for {
		i := strings.Index(s, q)
		if i < 0 {
			return false
		}
		if i == 0 || strings.ContainsRune(" -/(·_.", rune(s[i-1])) {
			return true
		}
		s = s[i+1:]
	}
}

// Move selects another of what was found.
func (p *Picker) Move(by int) { p.At = max(0, min(len(p.Found)-1, p.At+by)) }

// Handle moves in the list or edits the query; false for keys that are the
// dialog's own.
func (p *Picker) Handle(msg tea.KeyMsg) bool {
	key := msg.String()
	if key == "enter" || key == "esc" {
		return false
	}
	if by := pickerSteps[key]; by != 0 {
		p.Move(by)
		return true
	}
	before := p.Input.Value()
	if p.Input, _ = p.Input.Update(kit.CleanKey(msg)); p.Input.Value() != before {
		p.Search()
	}
	return true
}

// pickerSteps are the keys that move in the list.
var pickerSteps = map[string]int{"up": -1, "ctrl+p": -1, "shift+tab": -1, "down": +1, "ctrl+n": +1, "tab": +1, "pgup": -10, "pgdown": +10}

// Selection returns the selected item.
func (p *Picker) Selection() (Item, bool) {
	if p.At >= len(p.Found) {
		return Item{}, false
	}
	return p.items[p.Found[p.At]], true
}

// Lines draws the query and as many items as fit into w×h.
func (p *Picker) Lines(w, h, nameWidth int) []string {
	pen := p.Pen
	l := pen.Line(w).Put(pen.Accent, "/ ")
	rows, place := max(0, h-1), ""
	if n := len(p.Found); n > rows { // there is more than is shown
		place = fmt.Sprintf(" %d of %d", p.At+1, n)
	}
	kit.Field(l, pen, p.Input, w-2-draw.Width(place), true, false)
	out := []string{l.FillTo(w-draw.Width(place)).Put(pen.Muted, place).String()}
	if len(p.Found) == 0 {
		return append(out, pen.Line(w).Put(pen.Muted, p.nothing).String())
	}
	for _, i := range p.VisibleRows(rows) {
		if i < 0 {
			out = append(out, pen.Line(w).Put(pen.Title, p.items[p.Found[-1-i]].Head).String())
			continue
		}
		out = append(out, p.row(i, w, nameWidth))
	}
	return out
}

// SelectHead selects i, the first below a heading, and shows it with its heading at the top of the list, so that what
// stands below the heading is in sight.
func (p *Picker) SelectHead(i int) { p.At, p.raise = i, true }

// VisibleRows returns the indexes of what was found in the rows of a list, which keeps the selection in
// sight; −1 − i is a heading before i, the first of its kind.
func (p *Picker) VisibleRows(rows int) []int {
	var list []int
	at, last := 0, ""
	rows = max(0, rows)
	for i, k := range p.Found {
		if head := p.items[k].Head; head != last && p.Input.Value() == "" {
			list = append(list, -1-i)
			last = head
		}
		if i == p.At {
			at = len(list)
		}
		list = append(list, i)
	}
	if at > 0 && list[at-1] < 0 { // its head stays with the first
		if p.top = min(p.top, at-1); p.raise {
			p.top = at - 1
		}
	}
	p.raise = false
	p.top = kit.Window(p.top, at, len(list), rows)
	return list[p.top:min(p.top+rows, len(list))]
}

func (p *Picker) row(i, w, nameWidth int) string {
	pen := p.Pen
	it := p.items[p.Found[i]]
	l, name := pen.Row(w, i == p.At)
	title := pen.Muted
	if i == p.At {
		title = pen.Text
	}
	l.Left(name, it.Name, nameWidth).Skip(1)
	right, ink, room := it.note, pen.Muted, l.Room()
	if it.Head != "" && p.Input.Value() == "" { // the heading above says so
		right = ""
	}
	if it.key != "" {
		right, ink = it.key, pen.Key
	}
	if right != "" {
		room -= draw.Width(right) + 1
	}
	return l.Left(title, it.Title, max(0, room)).Right(ink, right, l.Room()).String()
}
