package sheet

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/report"
)

// Statement returns a statement, as [report.StatementFormats] and as csv, part by part.
func Statement(st *report.Statement) *Sheet {
	s := NewSheet(st.Title, factColumns, statementParts(st))
	s.Data = statementRecord(st)
	s.Page = func(p *Page) { statementPage(p, st) }
	s.ownFormats = map[string]func(io.Writer) error{
		"latex": func(w io.Writer) error { return statementLaTeX(w, st) },
		"bibtex": func(w io.Writer) error {
			_, err := io.WriteString(w, st.BibTeX())
			return err
		},
	}
	return s
}

func statementPage(p *Page, st *report.Statement) {
	p.Title(2, st.Title)
	p.Gap()
	p.Line(st.Paragraph)
	p.Gap()
	if p.Markdown {
		p.Grid(GridOf(factColumns, st.Facts))
	} else {
		p.Facts("%-16s %s", st.Facts)
	}
	section := func(title string) {
		p.Gap()
		if !p.Markdown {
			p.Raw(title)
			return
		}
		p.Raw("**" + title + "**")
		p.Gap()
	}
	if len(st.NotCovered) > 0 {
		section("Not covered")
		p.Items("  - ", st.NotCovered...)
	}
	if len(st.Open) > 0 {
		section("Still to be answered")
		p.Items("  - ", st.Open...)
	}
	section("References")
	for _, r := range st.References {
		if p.Markdown {
			p.Raw(fmt.Sprintf("- \\[%s\\] %s", r.Key, markdownText(r.Text)))
		} else {
			p.Raw(fmt.Sprintf("  [%s] %s", r.Key, r.Text))
		}
	}
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

var factColumns = []Column[report.Fact]{
	Words("fact", "part", func(f report.Fact) string { return f.Name }),
	{Show: func(f report.Fact) string { return f.Text }, Key: "text", Value: func(f report.Fact) any { return f.Text }},
}

// statementParts returns all parts of the statement, one by one.
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

// statementRecord returns a statement as JSON has it: the paragraph, the guarantee in numbers, facts by name,
// what is not covered, what is open, references.
func statementRecord(st *report.Statement) Record {
	facts := map[string]string{}
	for _, f := range st.Facts {
		facts[f.Name] = f.Text
	}
	guarantee := recordOf(guaranteeColumns, st.Bound)
	guarantee = append(guarantee, Record{
		{"unit", report.Plain(st.Scenario.Unit)}, {"adjacency", st.Scenario.Adjacency}, {"group", st.Scenario.Group}, {"rounds", st.Scenario.Rounds},
	}...)
	if st.Scope != nil {
		guarantee = append(guarantee, [2]any{"scope", st.Scope})
	}
	return Record{
		{"title", st.Title}, {"paragraph", st.Paragraph}, {"guarantee", guarantee},
		{"facts", facts}, {"not_covered", st.NotCovered}, {"open", st.Open},
		{"references", Records(st.References, func(r report.Reference) Record { return Record{{"key", r.Key}, {"text", r.Text}, {"bibtex", r.BibTeX}} })},
	}
}

var guaranteeColumns = []Column[accounting.Bound]{
	{Key: "epsilon", Value: func(b accounting.Bound) any { return finiteEpsilon(b) }},
	{Key: "epsilon_lower", Omit: true, Value: func(b accounting.Bound) any { return lowerOf(b) }},
	{Key: "delta", Value: func(b accounting.Bound) any { return b.Delta }},
	{Key: "method", Value: func(b accounting.Bound) any { return b.Method }},
}
