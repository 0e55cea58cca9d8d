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
(` + "`epsiloscope hair-colour`" + `), *lab* an experiment (` + "`epsiloscope lab exponential`" + `), *chart* a chart
(` + "`epsiloscope curve hair-colour utility`" + `), *proof* a proof with numbers (` + "`epsiloscope proof privacy-loss`" + `), *exercise* questions, *screen* a
screen of the explorer. In the explorer, enter on a topic opens the first link that is more than a scenario.
Titles that begin with "Not on the slides" add what a deck leaves out next to it.

A table after the decks lists every definition, theorem, proof, algorithm, example, figure and remark of the slides, and where
it is computed, drawn or run; what the program only tells says so. The checklist at the end turns the index round: every
concept of the decks, and where to find it. Slides are counted from the title, those that repeat with one line more once;
Gaboardi prints his numbers, and they agree.
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
	writeTaught(&b)
	b.WriteString("\n## Checklist\n")
	for _, s := range Trace() {
		fmt.Fprintf(&b, "\n### %s\n\n| concept | decks | shown by |\n|---|---|---|\n", s.Title)
		for _, r := range s.Rows {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(text(r.Item)), strings.Join(r.Decks, ", "), cell(links(r.See)))
		}
	}
	return b.String()
}

// writeTaught lists everything the slides state, and where the program shows it.
func writeTaught(b *strings.Builder) {
	total, by := 0, map[string]int{}
	var rows strings.Builder
	for _, d := range Decks() {
		fmt.Fprintf(&rows, "\n### %s\n\n| slide | topic | states | | where |\n|---|---|---|---|---|\n", d.Author)
		for i, t := range d.Topics {
			for _, x := range t.Taught {
				total++
				by[x.Shown()]++
				where := "above"
				if x.See != "" {
					where = links([]Link{x.See})
				}
				fmt.Fprintf(&rows, "| %s | %d | %s: %s | %s | %s |\n", t.Number, i+1, x.Kind, cell(text(x.Says)), x.Shown(), cell(where))
			}
		}
	}
	fmt.Fprintf(b, "\n## Everything the slides state\n\n%d statements: %d computed, %d drawn, %d run, and %d told in words only, in the list above.\n",
		total, by["computed"], by["drawn"], by["run"], by["told"])
	b.WriteString(rows.String())
}

func writeTopic(b *strings.Builder, n int, t Topic) {
	fmt.Fprintf(b, "%d. **%s%s.** %s", n, text(t.Slides), onSlide(t.Number), text(t.Concept))
	if t.Slip != "" {
		fmt.Fprintf(b, "<br>*The slide:* %s", text(t.Slip))
	}
	if t.Right != "" {
		fmt.Fprintf(b, "<br>*%s:* %s", t.Label(), text(t.Right))
	}
	fmt.Fprintf(b, "<br>→ %s\n", links(t.See))
}

// onSlide is the number of a topic's slides in brackets.
func onSlide(number string) string {
	if number == "" {
		return ""
	}
	return " (slide " + number + ")"
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
