package sheet

import (
	"bufio"
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/report"
)

// Page writes titles, lines, lists and tables for people: as plain text or as Markdown.
type Page struct {
	Markdown  bool
	Width     int // in cells, to which text is wrapped; 0 for no wrapping
	out       *bufio.Writer
	started   bool
	gap       bool // a blank line before what comes next
	paragraph bool // the last line ends a paragraph of Markdown
}

// Gap asks for one blank line before what comes next.
func (p *Page) Gap() { p.gap = p.started }

// Raw writes a line without escaping it for Markdown; text is wrapped to the width of the page.
func (p *Page) Raw(line string) {
	if p.gap {
		p.out.WriteByte('\n')
	}
	p.started, p.gap, p.paragraph = true, false, false
	if !p.Markdown {
		line = WrapLine(line, p.Width)
	}
	p.out.WriteString(line + "\n")
}

// WrapLine breaks a line at spaces so that no part has more than width cells, unless a word has; of width 0 it is as
// it was.
func WrapLine(line string, width int) string {
	if width <= 0 {
		return line
	}
	return wrapLine(line, width, hangingIndent(line))
}

// hangingIndent returns how far the later lines of a wrapped line are indented: below the text of an item, a note or
// a named fact.
func hangingIndent(line string) int {
	text := strings.TrimLeft(line, " -!")
	indent := len(line) - len(text)
	if name, rest, found := strings.Cut(text, "  "); found && ansi.StringWidth(name) < 24 {
		indent += ansi.StringWidth(name) + 2 + len(rest) - len(strings.TrimLeft(rest, " "))
	}
	return indent
}

// minWrapped is the narrowest column that text is wrapped into, and minNotes the narrowest one beside a table.
const minWrapped, minNotes = 24, 36

// wrapLine breaks a line at spaces so that no part is wider than width, unless a word is. Later parts are indented.
func wrapLine(line string, width, indent int) string {
	if ansi.StringWidth(line) <= width {
		return line
	}
	if width-indent < minWrapped {
		indent = min(indent, 4)
	}
	head, rest := line, ""
	if len(line) > indent { // what is indented keeps its spaces
		cut := ansi.Truncate(line, indent, "")
		head, rest = cut, line[len(cut):]
	}
	var parts []string
	part := ""
	for {
		words := strings.TrimLeft(rest, " ")
		if words == "" {
			break
		}
		gap := rest[:len(rest)-len(words)] // columns of a list are more than a space apart
		word, _, _ := strings.Cut(words, " ")
		rest = words[len(word):]
		switch {
		case part == "":
			part = word
		case indent+ansi.StringWidth(part+gap+word) > width:
			parts, part = append(parts, part), word
		default:
			part += gap + word
		}
	}
	parts = append(parts, part)
	return head + strings.Join(parts, "\n"+strings.Repeat(" ", indent))
}

// Title writes a line, or a heading of Markdown of a level.
func (p *Page) Title(level int, text string) {
	p.block(strings.Repeat("#", level)+" ", text)
}

// Line writes a line, or a paragraph of Markdown.
func (p *Page) Line(text string) { p.block("", text) }

func (p *Page) block(mark, text string) {
	if !p.Markdown {
		p.Raw(text)
		return
	}
	p.Raw(mark + markdownText(text))
	p.gap, p.paragraph = true, true
}

// Items writes a list; in text every item stands behind the bullet.
func (p *Page) Items(bullet string, items ...string) {
	for _, item := range items {
		if p.Markdown {
			bullet, item = "- ", markdownText(item)
		}
		p.Raw(bullet + item)
	}
}

// Facts writes names with a text each, in text by a layout of the two. A text without a
// name goes on with the one above.
func (p *Page) Facts(layout string, facts []report.Fact) {
	for _, f := range facts {
		if !p.Markdown {
			p.Raw(fmt.Sprintf(layout, f.Name, f.Text))
			continue
		}
		if f.Name != "" {
			f.Name += ": "
		}
		p.Raw("- " + f.Name + markdownText(f.Text))
	}
}

// Lines writes the lines of a report, each behind its name or that of its paragraph. A condition, and what is added or
// removed, has a mark before it.
func (p *Page) Lines(list []report.Line) {
	width := 9
	for _, l := range list {
		width = max(width, len(l.Name))
	}
	for _, l := range list {
		switch l.Role {
		case report.Subheading:
			p.Items("", l.Text)
			continue
		case report.Added:
			p.Items("  + ", l.Text)
			continue
		case report.Removed:
			p.Items("  - ", l.Text)
			continue
		case report.Condition:
			l.Text = Tick(l.Holds) + " " + l.Text
		case report.Field:
			if l.Was != "" {
				l.Text = l.Was + " → " + l.Text
			}
		}
		p.Facts(fmt.Sprintf("  %%-%ds  %%s", width), []report.Fact{{Name: l.Name, Text: l.Text}})
	}
}

// Grid writes a table, if it has rows.
func (p *Page) Grid(g Grid) {
	asIs := func(cell string) string { return cell }
	lines := g.Lines(math.MaxInt, asIs)
	switch {
	case p.Markdown:
		lines = g.markdown()
	case p.Width > 0 && g.canWrap() && g.widthBeforeLast(asIs) <= p.Width:
		lines = joinRows(g.wrapLastColumn(p.Width, asIs))
	case p.Width > 0:
		lines = g.foldColumns(p.Width, asIs)
	}
	for _, line := range lines {
		if p.gap {
			p.out.WriteByte('\n')
		}
		p.started, p.gap, p.paragraph = true, false, false
		p.out.WriteString(line + "\n")
	}
}
