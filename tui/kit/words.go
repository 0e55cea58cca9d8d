package kit

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
	"epsiloscope/tui/draw"
)

// PlainAlpha writes a Rényi order in at most six cells.
func PlainAlpha(x float64) string {
	if math.IsInf(x, 1) {
		return "∞"
	}
	if x >= 1e5 { // the column is narrow, and nobody reads more of such an order
		return OneDigit(x)
	}
	return draw.Cut(report.Short(numeral.Round(x, 3)), 6)
}

// OneDigit writes a value with one digit and a power of ten: 4e5, 8e-3.
func OneDigit(x float64) string {
	return strings.NewReplacer("e+0", "e", "e+", "e", "e-0", "e-").Replace(strconv.FormatFloat(x, 'e', 0, 64))
}

// Widest returns the first of several wordings that fits.
func Widest(room int, wordings ...string) string {
	for _, s := range wordings {
		if draw.Width(s) <= room {
			return s
		}
	}
	return wordings[len(wordings)-1]
}

// MethodName returns a theorem as the table prints it.
func MethodName(b accounting.Bound) string {
	switch b.Method {
	case accounting.RDP:
		if b.Finite() && b.Alpha > 0 {
			return "RDP α=" + PlainAlpha(b.Alpha)
		}
	case accounting.RDPPinned:
		return "RDP α=" + PlainAlpha(b.Alpha) + " pin"
	}
	return b.Method.Name()
}

// Verdict returns the ink of a bound that is the best there is, and a mark for whether it proves that a
// budget holds; none where there is no budget. If open, a bound that fits proves nothing: see
// [scenarios.Result.OpenReason].
func Verdict(p *draw.Pen, b accounting.Bound, budget float64, open bool) (ink draw.Ink, mark string) {
	switch {
	case budget <= 0: // nothing says whether that is little
		return p.Strong, ""
	case report.Fits(b, budget) && open:
		return p.Warn, "?"
	case report.Fits(b, budget):
		return p.Winner, p.Glyphs.Tick
	}
	return p.Over, p.Glyphs.OverMark
}

// SlackText writes how many times the lower end a bound is: "1.25×".
func SlackText(s float64) string {
	switch {
	case s == 0:
		return ""
	case s < 99.995:
		return report.FormatMultiple(s)
	case s < 1e5:
		return report.Short(numeral.Round(s, 3)) + "×"
	}
	return compact(s) + "×" // the column must not touch the bar
}

// compact writes a large count in five cells: 1.2e6, 25k.
func compact(x float64) string {
	if x >= 1e3 && x < 1e6 {
		return report.Short(numeral.Round(x/1e3, 2)) + "k"
	}
	if s := report.Short(numeral.Round(x, 2)); draw.Width(s) <= 5 {
		return s
	}
	return report.Short(numeral.Round(x, 1))
}

// CompactFit writes so how many of something fit: never more than do.
func CompactFit(n float64) string { return compact(numeral.RoundDown(n, compactDigits(n))) }

// CompactUp writes so how often something happens: never less often than it does.
func CompactUp(n float64) string { return compact(numeral.RoundUp(n, compactDigits(n))) }

// compactDigits returns how many digits of a number there is room for.
func compactDigits(n float64) int {
	if n >= 1e10 {
		return 1
	}
	return 2
}

// Clause cuts a note to what fits, at the end of a sentence or clause rather than within a word.
// The whole note is on the Why screen.
func Clause(note string, room int) string {
	note = strings.TrimSuffix(draw.Clean(note), ".")
	if draw.Width(note) <= room {
		return note
	}
	if _, what, ok := strings.Cut(note, " is not "); ok && draw.Width(what)+4 <= room { // the subject is in the stack
		return "Not " + what
	}
	for i := len(note) - 2; i > 0; i-- {
		if strings.IndexByte(",;:.", note[i]) < 0 || note[i+1] != ' ' {
			continue
		}
		part := note[:i]
		w := draw.Width(part)
		if w <= room && 2*w > room && strings.Count(part, "(") == strings.Count(part, ")") {
			return part
		}
	}
	return WholeWords(note, room)
}

// Statement sets out what may be quoted.
func (out *Writer) Statement(st *report.Statement) {
	p := out.Pen
	out.Prose(p.Text, st.Paragraph)
	out.Gap()
	for _, f := range st.Facts {
		out.Hang(17, p.Text, f.Text, func(l *draw.Line) { l.Left(p.Title, f.Name, 17) })
	}
	list := func(ink draw.Ink, title string, items []string) {
		if len(items) > 0 {
			out.Gap()
			out.Heading(ink, title)
		}
		for _, item := range items {
			out.Bullet(item)
		}
	}
	list(p.Title, "Not covered", st.NotCovered)
	list(p.Warn, "Still to be answered", st.Open)
	out.Gap()
	for _, r := range st.References {
		out.Prose(p.Muted, "["+r.Key+"] "+r.Text)
	}
}

// plainNames are the words of the screen for series that are no theorem.
var plainNames = map[string]string{
	"exact P(score as low)": "this score or lower",
	"r(α)":                  "Rényi r(α)",
}

// Dress gives the series of a chart the words of the bounds table and a look that
// is theirs in every chart.
func Dress(c chart.Chart) chart.Chart {
	c.Series = slices.DeleteFunc(slices.Clone(c.Series), func(s chart.Series) bool { return isLooserForm(s, c.Series) })
	for i, s := range c.Series {
		if name, ok := plainNames[s.Name]; ok {
			c.Series[i].Name = name
		}
	}
	return crossingsInWords(c.WithLabels())
}

// isLooserForm reports whether a series is that of a form of a theorem, such as a classic conversion, that is nowhere
// below the theorem itself.
func isLooserForm(s chart.Series, all []chart.Series) bool {
	t, _ := accounting.TheoremOf(accounting.Method(s.Name))
	i := slices.IndexFunc(all, func(x chart.Series) bool { return t.FormOf != "" && x.Name == string(t.FormOf) })
	if i < 0 || len(all[i].Y) != len(s.Y) {
		return false
	}
	for k, y := range s.Y {
		if y < all[i].Y[k] || math.IsNaN(all[i].Y[k]) && !math.IsNaN(y) {
			return false
		}
	}
	return true
}

// crossingsInWords moves what a crossing says ("K = 29: advanced beats basic") from
// its rule, where a low chart has no room for it, to the line below the chart.
func crossingsInWords(c chart.Chart) chart.Chart {
	c.Marks = slices.Clone(c.Marks)
	var notes []string
	for i, m := range c.Marks {
		if at, what, ok := strings.Cut(m.Label, ": "); ok && math.IsNaN(m.Y) {
			if m.Cross[0] == "" {
				c.Marks[i].Label = at
			}
			notes = append(notes, what+" from "+at+" on")
		}
	}
	c.Notes = append(notes, c.Notes...)
	return c
}

// EntryName returns an entry in a title: its label, or what it is.
func EntryName(e *scenarios.Entry) string { return cmp.Or(e.Label, e.Spec().Title, e.Mechanism) }

// HarmHeads are the names of a column of harms by the kind that the budget limits, the longest first.
var HarmHeads = map[string][]string{
	scenarios.HarmAdvantage:      {"advantage", "adv."},
	scenarios.HarmTPR:            {"TPR"},
	scenarios.HarmReconstruction: {"success"},
}
