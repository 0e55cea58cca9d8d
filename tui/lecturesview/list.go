package lecturesview

import (
	"fmt"
	"slices"

	"epsiloscope/teach/lectures"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/kit"
)

func (l *Screen) listBox(w, h int) []string {
	p := l.Pen
	inner, room := draw.Inner(w, h)
	lines := []string{l.filterLine(inner)}
	for _, i := range l.pick.VisibleRows(room - 1) {
		lines = append(lines, l.row(i, inner))
	}
	if len(l.pick.Found) == 0 {
		lines = append(lines, p.Line(inner).Put(p.Muted, "nothing matches; esc clears the filter").String())
	}
	title := fmt.Sprintf("Lectures: %d decks, %d topics", len(lectures.Decks()), len(l.topics))
	return p.Frame(draw.Frame{Title: title, Focus: true}, lines, w, h)
}

func (l *Screen) filterLine(inner int) string {
	p := l.Pen
	line := p.Line(inner).Put(p.Key, "/ ")
	switch {
	case l.typing:
		return kit.Field(line, p, l.pick.Input, inner-2, true, false).String()
	case l.hasFilter():
		return line.Put(p.Strong, l.pick.Input.Value()).Put(p.Muted, fmt.Sprintf("  %d found, esc clears", len(l.pick.Found))).String()
	}
	return l.Foot(inner, kit.Hint("/", "filter"), kit.Hint("←→", "lecture"))
}

// row draws topic i of those found or, for −1 − i, the heading of its deck.
func (l *Screen) row(i, inner int) string {
	p, t := l.Pen, l.topics[l.pick.Found[max(i, -1-i)]]
	deck := lectures.Decks()[t.deck]
	if i < 0 {
		line := p.Line(inner).Put(p.Title, deck.Author).Skip(2)
		return line.Put(p.Muted, kit.WholeWords(p.Spell(deck.Title), line.Room())).String()
	}
	right, warn := string(t.Tag), p.Muted
	if t.Tag == lectures.Corrected {
		warn = p.Warn
	}
	line, ink := p.Row(inner, i == l.pick.At)
	line.Right(p.Muted, fmt.Sprint(t.number), 2).Skip(1)
	who, author, tag := deck.Author, 0, draw.Width(right)
	switch {
	case l.hasFilter() && inner >= 90: // a column for each, if there is room
		author, tag = 22, 11
	case l.hasFilter() && right == "":
		author = draw.Width(who)
	case l.hasFilter(): // the surname alone leaves room for the title
		who = surname(deck)
		author = draw.Width(who) + 1
	}
	room := max(0, line.Room()-author-tag-1)
	line.Left(ink, kit.WholeWords(p.Spell(t.Slides), room), room).Skip(1)
	if author > 0 {
		line.Left(p.Muted, who, author)
	}
	return line.Right(warn, right, line.Room()).String()
}

// write sets out the selected topic.
func (l *Screen) write(inner int) []string {
	p, t := l.Pen, l.selectedTopic()
	if l.Projector && t != nil {
		_, h := draw.Inner(l.W, l.H)
		return l.Project(kit.Measure, inner, h-1, func(out *kit.Writer) { l.writeTopic(out, t); writeSlip(out, t) })
	}
	return l.Prose(inner, measure, func(out *kit.Writer) {
		if t == nil {
			out.Prose(p.Muted, "No topic is selected.")
			return
		}
		l.writeTopic(out, t)
		l.writeStatements(out, t)
		if _, beside := l.split(); beside {
			l.writeLinks(out, t)
		}
		writeSlip(out, t)
	})
}

// writeLinks lists what shows the topic, one link per line.
func (l *Screen) writeLinks(out *kit.Writer, t *topic) {
	p := out.Pen
	out.Gap()
	for i, x := range t.See {
		mark := "  "
		if x == t.MainLink() {
			mark = p.Glyphs.Select + " "
		}
		line := p.Line(out.W).Put(p.Accent, mark).Put(p.Key, fmt.Sprintf("%d ", i+1)).Put(p.Accent, x.Name())
		out.Add(line.Skip(2).Put(p.Muted, l.Explorer.LinkText(string(x))))
	}
}

// writeSlip says what the slide has amiss. It stands last: what is right is what most readers came for.
func writeSlip(out *kit.Writer, t *topic) {
	if t.Slip != "" {
		out.Gap()
		out.Prose(out.Pen.Muted, "The slide: "+t.Slip)
	}
}

// writeTopic says what is taught and what is right. Where the text stands below the list the
// links follow the title, so that they are in sight.
func (l *Screen) writeTopic(out *kit.Writer, t *topic) {
	p := out.Pen
	out.Prose(p.Strong, t.Slides)
	if _, beside := l.split(); !beside && !l.Projector {
		l.linkLine(out, t)
	}
	out.Gap()
	out.Prose(p.Text, t.Concept)
	if t.Correction != "" {
		ink := p.Text
		if t.Tag == lectures.Corrected {
			ink = p.Warn
		}
		out.Gap()
		out.Prose(ink, t.Label()+": "+t.Correction)
	}
}

// writeStatements lists what the slides state, each with the number of the link that shows it.
func (l *Screen) writeStatements(out *kit.Writer, t *topic) {
	if len(t.Statements) == 0 {
		return
	}
	p := l.Pen
	shownBy := func(x lectures.Statement) (draw.Ink, string) {
		if at := slices.Index(t.See, x.See); at >= 0 {
			return p.Key, fmt.Sprint(at + 1)
		}
		return p.Muted, x.Treatment()
	}
	kind, key := 11, 6 // cells of the columns beside the words
	for _, x := range t.Statements {
		_, shown := shownBy(x)
		key = max(key, draw.Width(shown)+2)
	}
	out.Gap()
	out.Heading(p.Title, "On "+t.Place())
	for _, x := range t.Statements {
		first := string(x.Kind)
		ink, shown := shownBy(x)
		for _, words := range p.Wrap(x.Says, out.W-kind-key) {
			out.Add(p.Line(out.W).Left(p.Muted, first, kind).Left(p.Text, words, out.W-kind-key).Right(ink, shown, key))
			first, shown = "", ""
		}
	}
}

// linkLine names the links without explaining them.
func (l *Screen) linkLine(out *kit.Writer, t *topic) {
	p := l.Pen
	line := p.Line(out.W)
	for i, x := range t.See {
		kind, mark := "", ""
		if x.Kind() != "scenario" {
			kind = x.Kind() + " "
		}
		if x == t.MainLink() {
			mark = p.Glyphs.Select
		}
		if line.Column() > 0 && line.Column()+draw.Width(mark+kind+x.Name())+4 > out.W {
			out.Add(line)
			line = p.Line(out.W)
		}
		line.Put(p.Accent, mark).Put(p.Key, fmt.Sprintf("%d ", i+1)).Put(p.Muted, kind).Put(p.Accent, x.Name()).Skip(2)
	}
	out.Add(line)
}
