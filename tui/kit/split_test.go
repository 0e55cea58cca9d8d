package kit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/theme"
)

func pen() *draw.Pen {
	mono, _ := theme.ByName("mono")
	return draw.NewPen(mono, lipgloss.DefaultRenderer(), false)
}

// splitIn returns a pane of the size, with a list of n items below a line, and what it draws.
func splitIn(t *testing.T, w, h, n int) (*Base, Chooser, []string) {
	t.Helper()
	b := &Base{Shell: &Shell{Pen: pen()}, W: w, H: h}
	c := Chooser{Title: "Things", Head: []string{"head"}, At: n - 1}
	for i := range n {
		c.Items = append(c.Items, Item{Text: fmt.Sprintf("thing %d", i+1), Right: "≥ 1"})
	}
	tw, th := b.TextSize(c)
	text := b.Pen.Frame(draw.Frame{Title: "Text"}, nil, tw, th)
	lines := b.DrawSplit(c, text, "Further", []string{"more"})
	for i := range lines {
		lines[i] = ansi.Strip(lines[i])
	}
	return b, c, lines
}

// The list stands above the text, beside it, or beside it with a further column; what is drawn has exactly the size of
// the pane, and the columns the full height.
func TestSplit(t *testing.T) {
	for _, c := range []struct{ w, h, frames int }{
		{80, 22, 1}, {99, 30, 1}, {100, 30, 2}, {120, 34, 2}, {179, 40, 2}, {180, 50, 3}, {200, 53, 3},
	} {
		b, _, lines := splitIn(t, c.w, c.h, 60)
		if len(lines) != c.h {
			t.Errorf("%d×%d: %d lines", c.w, c.h, len(lines))
		}
		for _, l := range lines {
			if draw.Width(l) != c.w {
				t.Errorf("%d×%d: a line of %d cells: %q", c.w, c.h, draw.Width(l), l)
			}
		}
		if got := strings.Count(lines[c.h-2], "│"); got != 2*c.frames {
			t.Errorf("%d×%d: %d borders in the last row", c.w, c.h, got)
		}
		if further := strings.Contains(lines[0], "Further"); further != (c.frames == 3) || further != (b.AsideWidth() > 0) {
			t.Errorf("%d×%d: a further column: %t", c.w, c.h, further)
		}
		if !strings.Contains(lines[0], "of 60") || !strings.Contains(strings.Join(lines, "\n"), "thing 60") {
			t.Errorf("%d×%d: the selected item is not in sight, or the title does not say which are:\n%s", c.w, c.h, strings.Join(lines, "\n"))
		}
	}
}

// A short list above the text takes no more lines than it has.
func TestShortListIsLow(t *testing.T) {
	_, _, lines := splitIn(t, 80, 22, 1)
	if !strings.Contains(lines[4], "Text") {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}

// A click on an item finds it wherever the list is scrolled to; one on the line above the items, on the text or on the
// border finds none.
func TestClickedItem(t *testing.T) {
	click := tea.MouseMsg{Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	for _, size := range [][2]int{{80, 22}, {120, 34}, {200, 53}} {
		for _, n := range []int{3, 60} {
			b, c, lines := splitIn(t, size[0], size[1], n)
			for y, l := range lines {
				at, ok := b.ClickedItem(c, 4, y, click)
				want := 0
				if _, err := fmt.Sscanf(strings.Trim(l, "│▸ "), "thing %d", &want); (err == nil) != ok || ok && at != want-1 {
					t.Errorf("%v of %d: a click on %q finds %d, %t", size, n, l, at, ok)
				}
			}
			if _, ok := b.ClickedItem(c, size[0]-1, size[1]-3, click); ok {
				t.Errorf("%v of %d: a click on the text", size, n)
			}
		}
	}
}

// Of keys that do not all fit the way out stays, whatever it is called.
func TestWayOutStays(t *testing.T) {
	s := &Shell{Pen: pen()}
	list := []Binding{Hint("enter", "accept"), Hint("tab", "next"), Hint("ctrl+a", "one more"), Hint("esc", "leave"), Hint("ctrl+n", "empty plan")}
	for w := 12; w < 80; w++ {
		if foot := ansi.Strip(s.Foot(w, list...)); !strings.Contains(foot, "esc leave") {
			t.Errorf("%d cells: %q", w, foot)
		}
	}
}

// Where there is room sentences go on in a further line, and a click on either line chooses the item.
func TestSentencesAreFolded(t *testing.T) {
	b := &Base{Shell: &Shell{Pen: pen()}, W: 120, H: 34}
	text := "Thirty releases of ε = 0.1 each at δ = 1e-6: what do they cost?"
	c := Chooser{Words: true, Items: []Item{{Text: text}, {Text: "short"}, {Text: text}}}
	tw, th := b.TextSize(c)
	lines := b.DrawSplit(c, b.Pen.Frame(draw.Frame{}, nil, tw, th), "", nil)
	if all := ansi.Strip(strings.Join(lines[:7], "\n")); strings.Contains(all, "…") || strings.Count(all, "they cost?") != 2 {
		t.Errorf("a sentence is cut:\n%s", all)
	}
	click := tea.MouseMsg{Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
	for y, want := range []int{0, 0, 1, 2, 2} {
		if at, ok := b.ClickedItem(c, 5, y+1, click); !ok || at != want {
			t.Errorf("a click on line %d chooses %d, %t", y+1, at, ok)
		}
	}
	if at, ok := b.ClickedItem(c, 5, 6, click); ok {
		t.Errorf("a click below the list chooses %d", at)
	}
}

// A sentence that is too long for its row ends after a word, and never inside a number.
func TestSentencesEndAfterAWord(t *testing.T) {
	b := &Base{Shell: &Shell{Pen: pen()}, W: 120, H: 34}
	text := "Thirty releases of ε = 0.1 each at δ = 1e-6: what do they cost?"
	for w := 100; w < 170; w++ {
		b.W = w
		c := Chooser{Words: true, Items: slices.Repeat([]Item{{Text: text}}, b.H)}
		tw, th := b.TextSize(c)
		row := ansi.Strip(b.DrawSplit(c, b.Pen.Frame(draw.Frame{}, nil, tw, th), "", nil)[1])
		row = strings.TrimSpace(strings.Trim(strings.Split(row, "│")[1], " ▸"))
		if kept, cut := strings.CutSuffix(row, " …"); cut && !strings.HasPrefix(text, kept+" ") || !cut && row != text {
			t.Errorf("%d columns: %q", w, row)
		}
	}
}
