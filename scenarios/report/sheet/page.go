package sheet

import (
	"bufio"
	"fmt"
	"math"
	"strings"

	"epsiloscope/scenarios/report"
)

// Page writes titles, lines, lists and tables for people: as plain text or as Markdown.
type Page struct {
	Markdown  bool
	out       *bufio.Writer
	started   bool
	gap       bool // a blank line before what comes next
	paragraph bool // the last line ends a paragraph of Markdown
}

// Gap asks for one blank line before what comes next.
func (p *Page) Gap() { p.gap = p.started }

// Raw writes a line as it is.
func (p *Page) Raw(line string) {
	if p.gap {
		p.out.WriteByte('\n')
	}
	p.started, p.gap, p.paragraph = true, false, false
	p.out.WriteString(line + "\n")
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

// Grid writes a table, if it has rows.
func (p *Page) Grid(g Grid) {
	lines := g.Lines(math.MaxInt, func(cell string) string { return cell })
	if p.Markdown {
		lines = g.markdown()
	}
	for _, line := range lines {
		p.Raw(line)
	}
}
