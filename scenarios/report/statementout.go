package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// StatementFormats are the forms of a statement that people read or quote.
var StatementFormats = []string{"text", "markdown", "latex", "bibtex", "json"}

// Write writes the statement in one of [StatementFormats], or as csv.
func (st *Statement) Write(w io.Writer, format string) error {
	switch format {
	case "markdown":
		return st.markdown(w)
	case "latex":
		return st.latex(w)
	case "bibtex":
		_, err := io.WriteString(w, st.BibTeX())
		return err
	case "json":
		return st.json(w)
	case "csv":
		return st.csv(w)
	}
	return st.text(w)
}

// BibTeX is the entries of the papers cited.
func (st *Statement) BibTeX() string {
	var b strings.Builder
	for i, r := range st.References {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(r.BibTeX + "\n")
	}
	return b.String()
}

func (st *Statement) text(w io.Writer) error {
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

func (st *Statement) markdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "## %s\n\n%s\n\n", markdownText(st.Title), markdownText(st.Paragraph))
	g := &grid{align: []align{left, left}}
	g.add("fact", "")
	for _, f := range st.Facts {
		g.add(f.Name, f.Text)
	}
	writeMarkdownGrid(out, g)
	list := func(title string, items []string) {
		if len(items) == 0 {
			return
		}
		fmt.Fprintf(out, "\n**%s**\n\n", title)
		for _, item := range items {
			fmt.Fprintf(out, "- %s\n", markdownText(item))
		}
	}
	list("Not covered", st.NotCovered)
	list("Still to be answered", st.Open)
	fmt.Fprintf(out, "\n**References**\n\n")
	for _, r := range st.References {
		fmt.Fprintf(out, "- \\[%s\\] %s\n", r.Key, markdownText(r.Text))
	}
	return out.Flush()
}

func (st *Statement) latex(w io.Writer) error {
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

// csv writes one row a part of the statement, with a header row.
func (st *Statement) csv(w io.Writer) error {
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
	return writeCSV(w, rows)
}

// latexMath are the signs that LaTeX has in mathematics only.
var latexMath = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "_", `\_`, "#", `\#`, "$", `\$`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"ε₀", `$\varepsilon_0$`, "ε", `$\varepsilon$`, "δ′", `$\delta'$`, "δ″", `$\delta''$`, "δ", `$\delta$`, "Σ", `$\sum$`, "ρ", `$\rho$`, "α", `$\alpha$`, "μ", `$\mu$`, "σ", `$\sigma$`,
	"γ", `$\gamma$`, "Λ", `$\Lambda$`, "Δ₂", `$\Delta_2$`, "Δ₁", `$\Delta_1$`, "Δ", `$\Delta$`, "×", `$\times$`, "±", `$\pm$`, "≤", `$\le$`, "≥", `$\ge$`, "·", `$\cdot$`,
	"√", `$\sqrt{\ }$`, "−", `$-$`, "∞", `$\infty$`, "²", `$^2$`, "′", `$'$`, "–", "--", "“", "``", "”", "''", "’", "'", "…", `\dots{}`, "≈", `$\approx$`,
)

func latexText(s string) string { return latexMath.Replace(s) }

func (st *Statement) json(w io.Writer) error {
	s, b := st.Scenario, st.Bound
	guarantee := record{{"epsilon", number(finiteEpsilon(b))}}
	if lower := number(lowerOf(b)); lower != nil {
		guarantee = append(guarantee, member{"epsilon_lower", lower})
	}
	guarantee = append(guarantee, record{{"delta", number(b.Delta)}, {"method", b.Method}, {"unit", Plain(s.Unit)},
		{"adjacency", s.Adjacency}, {"group", number(s.Group)}, {"rounds", number(s.Rounds)}}...)
	facts := map[string]string{}
	for _, f := range st.Facts {
		facts[f.Name] = f.Text
	}
	var cites []record
	for _, r := range st.References {
		cites = append(cites, record{{"key", r.Key}, {"text", r.Text}, {"bibtex", r.BibTeX}})
	}
	return encode(w, record{{"title", st.Title}, {"paragraph", st.Paragraph}, {"guarantee", guarantee}, {"facts", facts},
		{"not_covered", append([]string{}, st.NotCovered...)}, {"open", append([]string{}, st.Open...)}, {"references", cites}})
}
