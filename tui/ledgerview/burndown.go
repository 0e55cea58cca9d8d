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

// paceOf says how fast the binding block was spent, from its first release to now, and
// where that leads. It is arithmetic on the past and promises nothing.
func paceOf(l *ledger.Ledger, st *ledger.Status, now time.Time) string {
	switch {
	case l.Breach() != nil:
		return "the promise was broken"
	case st.Left.Sign() <= 0:
		return "nothing is left"
	case l.Promise.Window != "":
		return "what is older than " + l.Promise.WindowText() + " comes back"
	}
	var first time.Time
	charges := 0
	for _, r := range l.Records {
		binds := st.Block == "" || slices.Contains(r.Blocks, st.Block)
		if r.Kind == ledger.KindReserve && binds && l.State(r.ID) != ledger.Cancelled {
			if charges++; charges == 1 {
				first = r.Time()
			}
		}
	}
	spent := new(big.Int).Sub(st.Budget, st.Left)
	elapsed := now.Sub(first)
	if charges < 2 || elapsed < time.Hour || spent.Sign() <= 0 {
		return "too early to tell a pace"
	}
	days := float64(elapsed) / float64(day) * amount(st.Left, 0) / amount(spent, 0)
	if days > 3650 {
		return "at this pace it lasts for more than ten years"
	}
	empty := now.Add(time.Duration(days * float64(day))).UTC()
	layout := "2 Jan"
	switch {
	case days < 2:
		layout = "2 Jan 15:04"
	case empty.Year() != now.Year():
		layout = "2 Jan 2006"
	}
	return "at this pace empty on " + empty.Format(layout)
}

// burnDown returns what was left after every record that changed it, one step per record and up to the last: what will
// be left is said in words, and a time in which nothing happened takes no room. What has come back since the last
// record is a step of its own. As long as nothing was taken, the only tick is "now".
func burnDown(st *ledger.Status, points []ledger.Point, now time.Time) chart.Chart {
	var names []string
	left := chart.Series{Name: "left", Look: 1, X: []float64{0}, Y: []float64{amount(points[0].Left, st.Filter.Unit)}}
	step := func(y *big.Int, name string) {
		names = append(names, name)
		x, n := float64(len(names)), len(left.Y)
		left.X, left.Y = append(left.X, x, x), append(left.Y, left.Y[n-1], amount(y, st.Filter.Unit))
	}
	var changes []ledger.Point
	for i := 1; i < len(points); i++ {
		if q := points[i]; q.Left.Cmp(points[i-1].Left) != 0 { // not a reservation that was committed as it was
			changes = append(changes, q)
		}
	}
	layout := tickLayout(changes, now.Sub(points[0].At))
	for _, q := range changes {
		step(q.Left, q.At.UTC().Format(layout))
	}
	if len(changes) == 0 || points[len(points)-1].Left.Cmp(st.Left) != 0 {
		step(st.Left, "now")
	}
	end := float64(len(names)) + 0.5 // the last step has a width too
	left.X, left.Y = append(left.X, end), append(left.Y, left.Y[len(left.Y)-1])
	return chart.Chart{
		Title:  "left, record by record",
		X:      chart.Axis{Names: names, Days: layout == dayLayout, Min: 0, Max: end},
		Y:      chart.Axis{Label: plainSymbol(st.Filter), Min: min(0, amount(st.Left, st.Filter.Unit)), Max: left.Y[0]},
		Series: []chart.Series{left},
	}
}

// dayLayout is the layout of a day below the chart.
const dayLayout = "2 Jan"

// tickLayout returns how the times of records are written below the chart: by the day in a ledger that is older than
// two days, else by the minute or, where two records share one, by the second.
func tickLayout(points []ledger.Point, age time.Duration) string {
	if age >= 2*day {
		return dayLayout
	}
	for i := 1; i < len(points); i++ {
		if points[i].At.Truncate(time.Minute).Equal(points[i-1].At.Truncate(time.Minute)) {
			return "15:04:05"
		}
	}
	return "15:04"
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
		if plainSymbol(q.Filter) == "releases" {
			title = fmt.Sprintf("%s of %s releases left", left, budget)
		}
		if q.Block != "" {
			title = kit.Widest(w-6, title+" in the block that binds, "+draw.Clean(q.Block), title+", "+draw.Clean(q.Block), title)
		}
		since := "since " + s.snapshot.open.Time().Format("2 Jan")
		words := p.Line(inner).Put(p.Muted, kit.Widest(inner, since+"; "+st.pace, st.pace)).String()
		lines := append(s.plot.Draw(p, inner, max(1, room-1)), words)
		return p.Frame(draw.Frame{Title: title}, lines, w, h)
	})
}
