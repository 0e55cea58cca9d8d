package ledgerview

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"epsiloscope/ledger"
	"epsiloscope/report/chart"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

// pace is the speed at which the binding block was spent, from its first release to now, and
// where that leads. It is arithmetic on the past and promises nothing.
type pace struct {
	empty time.Time // when nothing is left; zero if that cannot be told
	words string
}

func paceOf(l *ledger.Ledger, st *ledger.Status, now time.Time) pace {
	switch {
	case l.Breach() != nil:
		return pace{words: "the promise was broken"}
	case st.Left.Sign() <= 0:
		return pace{words: "nothing is left"}
	case l.Promise.Window != "":
		return pace{words: "what is older than " + l.Promise.WindowText() + " comes back"}
	}
	var first time.Time
	charges := 0
	for _, r := range l.Records {
		if r.Kind == ledger.KindReserve && (st.Block == "" || slices.Contains(r.Blocks, st.Block)) && l.State(r.ID) != ledger.Cancelled {
			if charges++; charges == 1 {
				first = r.Time()
			}
		}
	}
	spent := new(big.Int).Sub(st.Budget, st.Left)
	elapsed := now.Sub(first)
	if charges < 2 || elapsed < time.Hour || spent.Sign() <= 0 {
		return pace{words: "too early to tell a pace"}
	}
	days := float64(elapsed) / float64(day) * amount(st.Left, 0) / amount(spent, 0)
	if days > 3650 {
		return pace{words: "at this pace it lasts for more than ten years"}
	}
	empty := now.Add(time.Duration(days * float64(day))).UTC()
	layout := "2 Jan"
	switch {
	case days < 2:
		layout = "2 Jan 15:04"
	case empty.Year() != now.Year():
		layout = "2 Jan 2006"
	}
	return pace{empty, "at this pace empty on " + empty.Format(layout)}
}

// burnDown returns what is left over time in steps, and in dashes where the pace leads.
func burnDown(l *ledger.Ledger, st *ledger.Status, points []ledger.Point, p pace, now time.Time) chart.Chart {
	since := l.Open.Time()
	days := func(t time.Time) float64 { return float64(t.Sub(since)) / float64(day) }
	left := chart.Series{Name: "left", Look: 1}
	add := func(t time.Time, y *big.Int) {
		x := days(t)
		if n := len(left.Y); n > 0 { // it held until then
			left.X, left.Y = append(left.X, x), append(left.Y, left.Y[n-1])
		}
		left.X, left.Y = append(left.X, x), append(left.Y, amount(y, st.Filter.Unit))
	}
	for _, q := range points {
		add(q.At, q.Left)
	}
	if last := points[len(points)-1].At; now.Before(last) {
		now = last
	}
	add(now, st.Left)
	c := chart.Chart{
		Title: "left over time", Y: chart.Axis{Label: plainSymbol(st.Filter), Min: min(0, amount(st.Left, st.Filter.Unit)), Max: left.Y[0]},
		X: chart.Axis{Since: since, Min: 0, Max: max(days(now), 1.0/24)}, Series: []chart.Series{left},
	}
	if !p.empty.IsZero() {
		c.X.Max = max(days(now)*1.02, min(days(p.empty), 1.25*days(now))) // where the pace leads, not an empty future
		c.Series = append(c.Series, chart.Series{
			Name: "at this pace", X: []float64{days(now), days(p.empty)}, Y: []float64{amount(st.Left, st.Filter.Unit), 0}, Broken: true, Look: 2,
		})
		c.Marks = append(c.Marks, chart.Vertical(days(now), "now"))
	}
	return c
}

// chartBox draws what is left.
func (s *Screen) chartBox(w, h int) []string {
	return s.chart.Get([...]any{w, h, s.Themes, s.snapshot.summary}, func() []string {
		p, st := s.Pen, s.snapshot.summary
		inner, room := draw.Inner(w, h)
		if st == nil {
			return p.Frame(draw.Frame{Title: "What is left"}, []string{p.Line(inner).Put(p.Muted, "adding up …").String()}, w, h)
		}
		q := st.status
		budget, _, _, left := q.PrintedAmounts()
		title := fmt.Sprintf("%s %s left of %s", plainSymbol(q.Filter), left, budget)
		if q.Block != "" {
			title = kit.Widest(w-6, title+" in the block that binds, "+draw.Clean(q.Block), title+", "+draw.Clean(q.Block), title)
		}
		since := "since " + s.snapshot.open.Time().Format("2 Jan")
		words := p.Line(inner).Put(p.Muted, kit.Widest(inner, since+"; "+st.pace.words, st.pace.words)).String()
		lines := append(s.plot.Draw(p, inner, max(1, room-1)), words)
		return p.Frame(draw.Frame{Title: title}, lines, w, h)
	})
}
