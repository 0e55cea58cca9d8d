package home

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/layout"
)

// cycle moves the focus through the panes that are on the screen; where only one
// fits, through all of them.
func (h *Home) cycle(by int) {
	s := h.focus
	for range layout.Slots {
		s = (s + layout.Slot(by) + layout.Slots) % layout.Slots
		single := h.Lay.Mode == layout.Single && (s == layout.Stack || s == layout.Bounds || s == layout.Chart)
		if h.Lay.Slots[s].Visible() || single {
			h.FocusOn(s)
			return
		}
	}
}

// FocusOn gives a pane the keys.
func (h *Home) FocusOn(s layout.Slot) {
	h.focus = s
	if h.Lay.Mode == layout.Single {
		h.chartOn = s == layout.Chart
	}
	h.Explorer.Arrange()
}

// ShowChart puts the chart of a key or a chart's name on the screen, if there is one.
func (h *Home) ShowChart(name string) {
	i := h.chartIndex(name)
	if on := h.charts[h.chart]; h.chartOn && on.Key == name { // the next of those that share the key
		if i = h.chart; h.drawn.Err == nil {
			i = h.nextView()
		}
	}
	switch {
	case i < 0:
		return
	case i == h.chart && h.chartOn && h.drawn.Err != nil: // there is nothing to see: the same key leads back
		h.leaveChart()
		return
	case i != h.chart && h.chartOn:
		h.before = h.chart
	case i != h.chart:
		h.before = -1
	}
	h.chart, h.chartOn, h.focus = i, true, layout.Chart // the arrows act in the chart that was asked for
	h.Explorer.Arrange()
}

// leaveChart goes back to the chart that was shown before, or to the bounds.
func (h *Home) leaveChart() {
	if h.before < 0 || h.before == h.chart {
		h.chart = 0
		h.ShowBounds()
		return
	}
	h.chart = h.before
	h.Explorer.Arrange()
}

// ShowBounds brings the table back where a chart took its place.
func (h *Home) ShowBounds() {
	h.chartOn, h.chartFull = false, false
	if h.focus == layout.Chart {
		h.focus = layout.Stack
	}
	if h.Lay.Mode == layout.Single {
		h.focus = layout.Bounds
	}
	h.Explorer.Arrange()
}

func (h *Home) toggleFull() {
	h.chartFull = !h.chartFull
	if h.chartFull {
		h.focus = layout.Chart
	}
	h.Explorer.Arrange()
}

// Charting returns the key of the chart that stands in the place of the bounds; "" if none does.
func (h *Home) Charting() string {
	if h.chartOn || h.chartFull {
		return h.charts[h.chart].Key
	}
	return ""
}

// CurrentChart returns the chart chosen.
func (h *Home) CurrentChart() ChartKind { return h.charts[h.chart] }

// chartIndex returns the place of the chart of a key or a chart's name; -1 if there is none.
func (h *Home) chartIndex(name string) int {
	return slices.IndexFunc(h.charts, func(c ChartKind) bool { return c.Key == name || c.Of.Name == name })
}

// sharesKey reports whether the chart at a place has the key of the one before it.
func (h *Home) sharesKey(i int) bool {
	return i > 0 && i < len(h.charts) && h.charts[i].Key == h.charts[i-1].Key
}

// nextView returns the next of the charts that share the key of the present one; the present one if it is alone. A view
// that would draw the same again is left out.
func (h *Home) nextView() int {
	for next := h.chart + 1; h.sharesKey(next); next++ {
		if h.hasView(next) {
			return next
		}
	}
	return h.chartIndex(h.charts[h.chart].Key)
}

// hasView reports whether a chart that shares its key differs from the one before it.
func (h *Home) hasView(i int) bool {
	has := h.charts[i].Has
	row := h.ask().Row
	return has == nil || row != nil && has(h.Doc.Scenario(), row)
}

// tabOf returns the place of a chart's tab: charts that share a key share it.
func (h *Home) tabOf(chart int) int {
	tab := 0
	for i := 1; i <= chart; i++ {
		if !h.sharesKey(i) {
			tab++
		}
	}
	return tab
}

// ChartTitle returns what the chart of a key or a chart's name shows; "" if there is none.
func (h *Home) ChartTitle(name string) string {
	if i := h.chartIndex(name); i >= 0 {
		return h.charts[i].Title
	}
	return ""
}

// Point selects a theorem and shows the chart of a key; "" shows the bounds.
func (h *Home) Point(theorem accounting.Method, chart string) {
	h.chartFull, h.focus = false, layout.Stack
	isPinned := func(t accounting.Theorem) bool { return t.Method == accounting.RDPPinned }
	rows := slices.DeleteFunc(accounting.Methods(), isPinned)
	h.bounds.row = max(0, slices.IndexFunc(rows, func(t accounting.Theorem) bool { return t.Method == theorem }))
	h.chart = 0
	h.ShowBounds()
	h.ShowChart(chart)
}

// shorterTabs and shortTabs are the names of tabs, the less room there is for them; shortestTabs shortens one name
// after the other, those last that say little when they are short.
var (
	shorterTabs  = strings.NewReplacer("bad choice", "bad")
	shortTabs    = strings.NewReplacer("bad choice", "bad", "bounds", "all", "utility", "util", "trade-off", "trade")
	shortestTabs = [][2]string{{"δ(ε)", "δ"}, {"ε–K", "K"}, {"so far", "Σ"}, {"trade", "f"}}
)

// tabNames returns what the digits show.
func (h *Home) tabNames() []string {
	names := []string{"0 bounds"}
	for i, c := range h.charts {
		if !h.sharesKey(i) {
			names = append(names, c.Key+" "+c.Name)
		}
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
		} else if h.isIdle(n[:1]) {
			l.Put(p.Stale, n)
		} else {
			l.Put(p.Key, n[:1]).Put(p.Muted, n[1:])
		}
	}
	return l
}

// isIdle reports whether no entry of the stack has the chart of a key; the chart says why.
func (h *Home) isIdle(key string) bool {
	i := h.chartIndex(key)
	if i < 0 || h.charts[i].Fits == nil {
		return false
	}
	if s := h.Doc.Scenario(); h.idle.of != s {
		h.idle.of, h.idle.keys = s, idleCharts(s, h.charts)
	}
	return h.idle.keys[key]
}

// idleCharts returns the keys of the charts that no entry of a stack has.
func idleCharts(s *scenarios.Scenario, charts []ChartKind) map[string]bool {
	idle := map[string]bool{}
	for _, c := range charts {
		idle[c.Key] = c.Fits != nil && !slices.ContainsFunc(s.Stack, func(e scenarios.Entry) bool {
			m, err := mechanisms.New(e.Mechanism, e.Values)
			return err == nil && c.Fits(m, s.Adjacency)
		})
	}
	return idle
}

// Tabs name what a digit shows where the chart shares its place, in a line of w cells.
func (h *Home) Tabs(w int) string {
	names, gap, chosen := h.tabNames(), 2, []int{}
	all := strings.Join(names, "  ")
	if draw.Width(h.Pen.Spell(all))+2 > w {
		all, gap = shortTabs.Replace(all), 1
	}
	for _, s := range shortestTabs {
		// one blank between two names, a margin and a mark
		if draw.Width(h.Pen.Spell(all))-len(names)+3 > w && gap == 1 {
			all = strings.Replace(all, s[0], s[1], 1)
		}
	}
	names = strings.Split(all, "  ")
	if h.Lay.Slots[layout.Bounds].Visible() {
		chosen = append(chosen, 0)
	}
	if h.Lay.Slots[layout.Chart].Visible() {
		chosen = append(chosen, h.tabOf(h.chart)+1)
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
		if key := string(names[x]); h.chartIndex(key) >= 0 {
			h.ShowChart(key)
			return
		}
	}
}
