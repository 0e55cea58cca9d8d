package tui

import (
	"fmt"
	"sort"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/text"
)

// pickItem is one line of a fuzzy list.
type pickItem struct {
	name  string // what is matched first and returned
	title string // what is shown beside it, matched too
	note  string // shown at the right
	group string // what kind of thing it is; not shown
	key   string // a key that does the same
}

// picker is a searchable list: the heart of the open dialog, the catalogue and the
// command palette.
type picker struct {
	*kit.Shell
	input textinput.Model
	items []pickItem
	found []int // indexes into items, best match first
	at    int
	top   int
	// query turns what was typed into what is searched for; nil for the text itself.
	query func(string) string
	// ordered: the items stand in an order of their own (charts 1 to 8), which equal
	// matches keep.
	ordered bool
}

func newPicker(s *kit.Shell, items []pickItem) *picker {
	p := &picker{Shell: s, input: s.NewInput("")}
	p.set(items)
	return p
}

func (p *picker) set(items []pickItem) {
	p.items = items
	p.search()
}

// search ranks what starts with the query before words that do, and those before
// letters found in order. A single letter finds only starts: in order it would find
// almost everything.
func (p *picker) search() {
	p.found, p.at, p.top = p.found[:0], 0, 0
	q := p.input.Value()
	if p.query != nil {
		q = p.query(q)
	}
	q = strings.ToLower(strings.TrimSpace(q))
	names, titles := make([]string, len(p.items)), make([]string, len(p.items))
	for i, it := range p.items {
		names[i], titles[i] = strings.ToLower(it.name), strings.ToLower(it.title)
	}
	seen := map[int]bool{}
	add := func(texts []string, match func(string) bool) {
		for i, s := range texts {
			if match(s) && !seen[i] {
				seen[i] = true
				p.found = append(p.found, i)
			}
		}
	}
	add(names, func(s string) bool { return strings.HasPrefix(s, q) })
	if q != "" && !p.ordered { // the shorter the name, the more of it was typed
		sort.SliceStable(p.found, func(i, j int) bool { return len(names[p.found[i]]) < len(names[p.found[j]]) })
	}
	add(names, func(s string) bool { return wordStarts(s, q) })
	if len(q) > 1 || len(p.found) == 0 {
		for _, m := range fuzzy.Find(q, names) {
			add(names, func(s string) bool { return s == m.Str })
		}
	}
	add(titles, func(s string) bool { return wordStarts(s, q) })
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

// handle moves in the list or edits the query; false for keys that are the
// dialog's own.
func (p *picker) handle(msg tea.KeyMsg) bool {
	switch msg.String() {
	case "up", "ctrl+p", "shift+tab":
		p.at = max(0, p.at-1)
	case "down", "ctrl+n", "tab":
		p.at = min(max(0, len(p.found)-1), p.at+1)
	case "pgup":
		p.at = max(0, p.at-10)
	case "pgdown":
		p.at = min(max(0, len(p.found)-1), p.at+10)
	case "enter", "esc":
		return false
	default:
		before := p.input.Value()
		p.input, _ = p.input.Update(kit.CleanKey(msg))
		if p.input.Value() != before {
			p.search()
		}
	}
	return true
}

// chosen is the selected item.
func (p *picker) chosen() (pickItem, bool) {
	if p.at >= len(p.found) {
		return pickItem{}, false
	}
	return p.items[p.found[p.at]], true
}

// lines draws the query and as many items as fit into w×h.
func (p *picker) lines(w, h, nameWidth int) []string {
	pen := p.Pen
	l := pen.Line(w).Put(pen.Accent, "/ ")
	rows, place := max(0, h-1), ""
	if n := len(p.found); n > rows { // there is more than is shown
		place = fmt.Sprintf(" %d of %d", p.at+1, n)
	}
	kit.Field(l, pen, p.input, w-2-text.Width(place), true, false)
	out := []string{l.To(w-text.Width(place)).Put(pen.Muted, place).String()}
	if p.at < p.top {
		p.top = p.at
	}
	if p.at >= p.top+rows {
		p.top = p.at - rows + 1
	}
	if len(p.found) == 0 {
		return append(out, pen.Line(w).Put(pen.Muted, "nothing matches; ⌫ takes a letter back").String())
	}
	for i := p.top; i < min(p.top+rows, len(p.found)); i++ {
		out = append(out, p.row(i, w, nameWidth))
	}
	return out
}

func (p *picker) row(i, w, nameWidth int) string {
	pen := p.Pen
	it := p.items[p.found[i]]
	name, title, marker := pen.Text, pen.Muted, " "
	if i == p.at {
		name, title, marker = pen.Accent, pen.Text, pen.Glyphs.Select
	}
	l := pen.Line(w).Left(pen.Accent, marker, 2).Left(name, it.name, nameWidth).Skip(1)
	right := it.note
	if it.key != "" {
		right = it.key
	}
	room := l.Room()
	if right != "" {
		room -= text.Width(right) + 1
	}
	l.Left(title, it.title, max(0, room))
	return putRight(l, pen, right, it.key != "").String()
}

func putRight(l *draw.Line, pen *draw.Pen, s string, key bool) *draw.Line {
	ink := pen.Muted
	if key {
		ink = pen.Key
	}
	return l.Right(ink, s, l.Room())
}
