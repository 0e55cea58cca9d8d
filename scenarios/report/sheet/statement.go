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
	case "latex":
		return statementLaTeX(w, st)
	case "bibtex":
		_, err := io.WriteString(w, st.BibTeX())
		return err
	case "json":
		return statementJSON(w, st)
	case "csv":
		return WriteCSV(w, csvOf(factColumns, statementParts(st)))
	}
	return statementPage(w, st, format == "markdown")
}

func statementPage(w io.Writer, st *report.Statement, markdown bool) error {
	p := NewPage(w, markdown)
	p.Title(2, st.Title)
	p.Gap()
	p.Line(st.Paragraph)
	p.Gap()
	if markdown {
		g := gridOf(factColumns, st.Facts)
		p.Grid(&g)
	} else {
		p.Facts("%-16s %s", st.Facts)
	}
	section := func(title string) {
		p.Gap()
		if !markdown {
			p.Raw(title)
			return
		}
		p.Raw("**" + title + "**")
		p.Gap()
	}
	if len(st.NotCovered) > 0 {
		section("Not covered")
		p.Items("  - ", st.NotCovered)
	}
	if len(st.Open) > 0 {
		section("Still to be answered")
		p.Items("  - ", st.Open)
	}
	section("References")
	for _, r := range st.References {
		if markdown {
			p.Raw(fmt.Sprintf("- \\[%s\\] %s", r.Key, markdownText(r.Text)))
		} else {
			p.Raw(fmt.Sprintf("  [%s] %s", r.Key, r.Text))
		}
	}
	return p.Flush()
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

var factColumns = []column[report.Fact]{
	words("fact", "part", func(f report.Fact) string { return f.Name }),
	{show: func(f report.Fact) string { return f.Text }, key: "text", value: func(f report.Fact) any { return f.Text }},
}

// statementParts are all parts of the statement, one by one.
func statementParts(st *report.Statement) []report.Fact {
	parts := append([]report.Fact{{Name: "Statement", Text: st.Paragraph}}, st.Facts...)
	for _, item := range st.NotCovered {
		parts = append(parts, report.Fact{Name: "Not covered", Text: item})
	}
	for _, item := range st.Open {
		parts = append(parts, report.Fact{Name: "Still to be answered", Text: item})
	}
	for _, r := range st.References {
		parts = append(parts, report.Fact{Name: "Reference", Text: "[" + r.Key + "] " + r.Text})
	}
	return parts
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
