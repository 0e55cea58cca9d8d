package sheet

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"epsiloscope/scenarios/report"
)

// Statement writes a statement in one of [StatementFormats], or as csv.
func Statement(w io.Writer, st *report.Statement, format string) error {
	switch format {
	case "markdown":
		return statementMarkdown(w, st)
	case "latex":
		return statementLaTeX(w, st)
	case "bibtex":
		_, err := io.WriteString(w, st.BibTeX())
		return err
	case "json":
		return statementJSON(w, st)
	case "csv":
		return statementCSV(w, st)
	}
	return statementText(w, st)
}

func statementText(w io.Writer, st *report.Statement) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n\n%s\n\n", st.Title, st.Paragraph)
	for _, f := range st.Facts {
		fmt.Fprintf(out, "%-16s %s\n", f.Name, f.Text)
	}
	list := func(title string, items []string) {
		if len(items) == 0 {
			return
		}
		fmt.Fprintf(out, "\n%s\n", title)
		for _, item := range items {
			fmt.Fprintf(out, "  - %s\n", item)
		}
	}
	list("Not covered", st.NotCovered)
	list("Still to be answered", st.Open)
	fmt.Fprintf(out, "\nReferences\n")
	for _, r := range st.References {
		fmt.Fprintf(out, "  [%s] %s\n", r.Key, r.Text)
	}
	return out.Flush()
}

func statementMarkdown(w io.Writer, st *report.Statement) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "## %s\n\n%s\n\n", MarkdownText(st.Title), MarkdownText(st.Paragraph))
	g := &Grid{Align: []Align{Left, Left}}
	g.Add("fact", "")
	for _, f := range st.Facts {
		g.Add(f.Name, f.Text)
	}
	WriteMarkdown(out, g)
	list := func(title string, items []string) {
		if len(items) == 0 {
			return
		}
		fmt.Fprintf(out, "\n**%s**\n\n", title)
		for _, item := range items {
			fmt.Fprintf(out, "- %s\n", MarkdownText(item))
		}
	}
	list("Not covered", st.NotCovered)
	list("Still to be answered", st.Open)
	fmt.Fprintf(out, "\n**References**\n\n")
	for _, r := range st.References {
		fmt.Fprintf(out, "- \\[%s\\] %s\n", r.Key, MarkdownText(r.Text))
	}
	return out.Flush()
}

func statementLaTeX(w io.Writer, st *report.Statement) error {
	out := bufio.NewWriter(w)
	text := latexText(st.Paragraph)
	for _, r := range st.References {
		text = strings.ReplaceAll(text, "["+r.Key+"]", `\cite{`+r.Key+"}")
	}
	fmt.Fprintf(out, "\\paragraph{%s.} %s\n\n\\begin{description}\n", latexText(st.Title), text)
	for _, f := range st.Facts {
		fmt.Fprintf(out, "  \\item[%s] %s.\n", latexText(f.Name), latexText(f.Text))
	}
	fmt.Fprintf(out, "  \\item[Not covered] %s.\n\\end{description}\n", latexText(strings.Join(st.NotCovered, "; ")))
	for _, item := range st.Open {
		fmt.Fprintf(out, "%% to be answered: %s\n", item)
	}
	fmt.Fprintf(out, "%% \\cite{%s}\n", st.References[len(st.References)-1].Key)
	for line := range strings.Lines(st.BibTeX()) {
		fmt.Fprintf(out, "%% %s", line)
	}
	return out.Flush()
}

// statementCSV writes one row a part of the statement, with a header row.
func statementCSV(w io.Writer, st *report.Statement) error {
	rows := [][]string{{"part", "text"}, {"Statement", st.Paragraph}}
	for _, f := range st.Facts {
		rows = append(rows, []string{f.Name, f.Text})
	}
	for _, item := range st.NotCovered {
		rows = append(rows, []string{"Not covered", item})
	}
	for _, item := range st.Open {
		rows = append(rows, []string{"Still to be answered", item})
	}
	for _, r := range st.References {
		rows = append(rows, []string{"Reference", "[" + r.Key + "] " + r.Text})
	}
	return WriteCSV(w, rows)
}

func statementJSON(w io.Writer, st *report.Statement) error {
	s, b := st.Scenario, st.Bound
	guarantee := Record{{"epsilon", Number(finiteEpsilon(b))}}
	if lower := Number(lowerOf(b)); lower != nil {
		guarantee = append(guarantee, [2]any{"epsilon_lower", lower})
	}
	guarantee = append(guarantee, Record{{"delta", Number(b.Delta)}, {"method", b.Method}, {"unit", report.Plain(s.Unit)},
		{"adjacency", s.Adjacency}, {"group", Number(s.Group)}, {"rounds", Number(s.Rounds)}}...)
	facts := map[string]string{}
	for _, f := range st.Facts {
		facts[f.Name] = f.Text
	}
	var cites []Record
	for _, r := range st.References {
		cites = append(cites, Record{{"key", r.Key}, {"text", r.Text}, {"bibtex", r.BibTeX}})
	}
	return Encode(w, Record{{"title", st.Title}, {"paragraph", st.Paragraph}, {"guarantee", guarantee}, {"facts", facts},
		{"not_covered", append([]string{}, st.NotCovered...)}, {"open", append([]string{}, st.Open...)}, {"references", cites}})
}
