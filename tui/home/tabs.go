package home

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/layout"
	"epsiloscope/tui/text"
)

// shortTabs are the names of tabs where the line is short.
var shortTabs = strings.NewReplacer("bounds", "all", "utility", "util", "attack", "atk")

// tabNames are what the digits show.
func (h *Home) tabNames() []string {
	names := []string{"0 bounds"}
	for _, c := range h.charts {
		names = append(names, c.Key+" "+c.Name)
	}
	return names
}

// tabLine writes names with gaps between them, chosen ones with a mark: colour may be off.
func (h *Home) tabLine(w int, names []string, gap int, chosen ...int) *draw.Line {
	p := h.Pen
	l := p.Line(w)
	for i, n := range names {
		if i > 0 {
			l.Skip(gap)
		}
		if slices.Contains(chosen, i) {
			l.Put(p.Accent, p.Glyphs.Select+n)
		} else {
			l.Put(p.Key, n[:1]).Put(p.Muted, n[1:])
		}
	}
	return l
}

// Tabs name what a digit shows where the chart shares its place, in a line of w cells; home
// is whether no other screen stands.
func (h *Home) Tabs(w int, home bool) string {
	names, gap, chosen := h.tabNames(), 2, []int{}
	if all := strings.Join(names, "  "); text.Width(all)+2 > w {
		names, gap = strings.Split(shortTabs.Replace(all), "  "), 1
	}
	if home && h.Lay.Slots[layout.Bounds].Visible() {
		chosen = append(chosen, 0)
	}
	if home && h.Lay.Slots[layout.Chart].Visible() {
		chosen = append(chosen, h.chart+1)
	}
	return " " + h.tabLine(w-1, names, gap, chosen...).String()
}

// clickTab takes a click on a line of tabs: a digit starts every name.
func (h *Home) clickTab(line string, x int) {
	names := []rune(strings.TrimRight(ansi.Strip(line), " "))
	if x < 0 || x >= len(names) {
		return
	}
	for ; x >= 0; x-- {
		if names[x] == '0' {
			h.ShowBounds()
			return
		}
		if i := h.chartNamed(string(names[x])); i >= 0 {
			h.showChart(i)
			return
		}
	}
}
