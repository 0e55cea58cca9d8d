package lectures

import (
	"fmt"
	"strings"
)

const preamble = `<!-- Generated from scenarios/lectures/index.yaml; a test keeps the two equal. -->

# The lectures, slide by slide

Five decks teach what this program computes. For each topic, in the order of the slides and in our own words: the
concept, a remark where one is due, and what shows it. *Corrected*: the statement is wrong as it stands. *Completed*: it is
right and leaves something out. *Transcript*: most likely a symbol lost in transcribing the slide. A name in plain code is a bundled scenario
(` + "`epsiloscope hair-colour`" + `), *lab* an experiment (` + "`epsiloscope lab exponential`" + `), *screen* a screen of the explorer.
Titles that begin with "Not on the slides" add what a deck leaves out next to it.

The checklist at the end turns the index round: every concept of the decks, and where to find it.
`

// Markdown is the index as a page: the decks, then the checklist.
func Markdown() string {
	var b strings.Builder
	b.WriteString(preamble)
	for _, d := range Decks() {
		fmt.Fprintf(&b, "\n## %s\n\n*%s.* %s.\n\n", d.Author, d.Title, d.Where)
		for i, t := range d.Topics {
			writeTopic(&b, i+1, t)
		}
	}
	b.WriteString("\n## Checklist\n")
	for _, s := range Trace() {
		fmt.Fprintf(&b, "\n### %s\n\n| concept | decks | shown by |\n|---|---|---|\n", s.Title)
		for _, r := range s.Rows {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(text(r.Item)), strings.Join(r.Decks, ", "), cell(links(r.See)))
		}
	}
	return b.String()
}

func writeTopic(b *strings.Builder, n int, t Topic) {
	fmt.Fprintf(b, "%d. **%s.** %s", n, text(t.Slides), text(t.Concept))
	if t.Slip != "" {
		fmt.Fprintf(b, "<br>*The slide:* %s", text(t.Slip))
	}
	if t.Right != "" {
		fmt.Fprintf(b, "<br>*%s:* %s", label(t), text(t.Right))
	}
	fmt.Fprintf(b, "<br>→ %s\n", links(t.See))
}

// label names what the remark does to the slide.
func label(t Topic) string {
	if t.Tag == "" {
		return "Note"
	}
	return strings.ToUpper(string(t.Tag[:1])) + string(t.Tag[1:])
}

func links(list []Link) string {
	parts := make([]string, len(list))
	for i, l := range list {
		parts[i] = "`" + l.Name() + "`"
		if l.Kind() != "scenario" {
			parts[i] = l.Kind() + " " + parts[i]
		}
	}
	return strings.Join(parts, ", ")
}

// text keeps a star in a formula from starting emphasis.
func text(s string) string { return strings.ReplaceAll(s, "*", "\\*") }

// cell keeps a text within one column of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
