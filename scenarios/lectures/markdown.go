package lectures

import (
	"fmt"
	"slices"
	"strings"
)

const preamble = `<!-- Generated from scenarios/lectures/index.yaml; a test keeps the two equal. -->

# The lectures, slide by slide

Five decks teach what this program computes. For each topic, in the order of the slides and in our own words: the
concept, a remark where one is due, and what shows it. *Corrected*: the statement is wrong as it stands. *Completed*: it is
right and leaves something out. *Transcript*: most likely a symbol lost in transcribing the slide. A name in plain code is a bundled scenario
(` + "`epsiloscope hair-colour`" + `), *lab* an experiment (` + "`epsiloscope lab exponential`" + `), *chart* a chart
(` + "`epsiloscope curve hair-colour utility`" + `), *proof* a proof with numbers (` + "`epsiloscope proof privacy-loss`" + `), *exercise* questions, *screen* a
screen of the explorer. In the explorer, enter on a topic opens the first link that is more than a scenario.
Titles that begin with "Not on the slides" add what a deck leaves out next to it.

A table after the decks says of every topic where it is computed, drawn and run; the checklist at the end turns the index
round: every concept of the decks, and where to find it.
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
	writeTable(&b)
	b.WriteString("\n## Checklist\n")
	for _, s := range Trace() {
		fmt.Fprintf(&b, "\n### %s\n\n| concept | decks | shown by |\n|---|---|---|\n", s.Title)
		for _, r := range s.Rows {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(text(r.Item)), strings.Join(r.Decks, ", "), cell(links(r.See)))
		}
	}
	return b.String()
}

// kinds are the columns of the table: what each kind of link does for a topic.
var kinds = []struct {
	does  string
	links []string
}{
	{"computed", []string{"scenario", "screen", "proof"}}, {"drawn", []string{"chart"}}, {"run", []string{"lab"}}, {"asked", []string{"exercise"}},
}

// writeTable lists every topic with the links that compute, draw and run it. All are told,
// in the list above.
func writeTable(b *strings.Builder) {
	b.WriteString("\n## Every topic: computed, drawn, run\n\n| topic |")
	for _, k := range kinds {
		b.WriteString(" " + k.does + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(kinds)) + "\n")
	for _, d := range Decks() {
		for i, t := range d.Topics {
			fmt.Fprintf(b, "| %s %d: %s |", d.Key, i+1, cell(text(t.Slides)))
			for _, k := range kinds {
				var of []Link
				for _, l := range t.See {
					if slices.Contains(k.links, l.Kind()) {
						of = append(of, l)
					}
				}
				b.WriteString(" " + cell(links(of)) + " |")
			}
			b.WriteString("\n")
		}
	}
}

func writeTopic(b *strings.Builder, n int, t Topic) {
	fmt.Fprintf(b, "%d. **%s.** %s", n, text(t.Slides), text(t.Concept))
	if t.Slip != "" {
		fmt.Fprintf(b, "<br>*The slide:* %s", text(t.Slip))
	}
	if t.Right != "" {
		fmt.Fprintf(b, "<br>*%s:* %s", t.Label(), text(t.Right))
	}
	fmt.Fprintf(b, "<br>→ %s\n", links(t.See))
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
