package sheet

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"epsiloscope/report"
)

// latex writes the table for a paper: plain tabular, which needs no package, with the title
// and the first line as its caption. All else follows as comments.
func (s *Sheet) latex(out *bufio.Writer) {
	about := slices.Concat([]string{s.Title}, textsOf(s.Lines))
	if len(s.Grid.rows) > 0 {
		above := min(2, len(about))
		about[0] = cmp.Or(s.Title, s.caption)
		s.Grid.latex(out, about[:above])
		about = about[above:]
	}
	comments := s.comments
	if comments == nil {
		comments = slices.Concat(about, textsOf(s.Notes))
	}
	for _, c := range comments {
		if c != "" {
			fmt.Fprintf(out, "%% %s\n", latexText(c))
		}
	}
}

func (g Grid) latex(out *bufio.Writer, sentences []string) {
	columns := ""
	lines := make([][]string, len(g.rows))
	for j, align := range g.align {
		if g.aside[j] {
			continue
		}
		columns += map[bool]string{true: "l", false: "r"}[align == Left]
		for i, row := range g.rows {
			cell := latexText(row[j])
			if i > 0 && i == g.strong && cell != "" {
				cell = `\textbf{` + cell + "}"
			}
			lines[i] = append(lines[i], cell)
		}
	}
	fmt.Fprintf(out, "\\begin{table}\n  \\centering\n  \\begin{tabular}{%s}\n    \\hline\n", columns)
	for i, cells := range lines {
		if len(cells) > 0 && (strings.HasPrefix(cells[0], "[") || strings.HasPrefix(cells[0], "*")) {
			cells[0] = "{}" + cells[0] // or it is an argument of the \\ before
		}
		fmt.Fprintf(out, "    %s \\\\\n", strings.Join(cells, " & "))
		if i == 0 {
			fmt.Fprintf(out, "    \\hline\n")
		}
	}
	fmt.Fprintf(out, "    \\hline\n  \\end{tabular}\n")
	var caption []string
	for _, sentence := range sentences {
		if sentence != "" {
			caption = append(caption, report.UpperFirst(strings.TrimSuffix(sentence, "."))+".")
		}
	}
	if len(caption) > 0 {
		fmt.Fprintf(out, "  \\caption{%s}\n", latexText(strings.Join(caption, " ")))
	}
	fmt.Fprintf(out, "\\end{table}\n")
}

// latexMath are the signs that LaTeX reads as commands, prints as others or has in
// mathematics only.
var latexMath = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "_", `\_`, "#", `\#`, "$", `\$`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`,
	"ε₀", `$\varepsilon_0$`, "ε", `$\varepsilon$`, "δ′", `$\delta'$`, "δ″", `$\delta''$`, "δ", `$\delta$`, "Σ", `$\sum$`, "ρ", `$\rho$`, "α", `$\alpha$`, "μ", `$\mu$`, "σ", `$\sigma$`,
	"γ", `$\gamma$`, "Λ", `$\Lambda$`, "Δ₂", `$\Delta_2$`, "Δ₁", `$\Delta_1$`, "Δ", `$\Delta$`, "×", `$\times$`, "±", `$\pm$`, "≤", `$\le$`, "≥", `$\ge$`, "·", `$\cdot$`,
	"√", `$\sqrt{\ }$`, "−", `$-$`, "∞", `$\infty$`, "²", `$^2$`, "′", `$'$`, "–", "--", "“", "``", "”", "''", "’", "'", "…", `\dots{}`, "≈", `$\approx$`, "∝", `$\propto$`, "→", `$\to$`, "✓", `$\surd$`, "✗", `$\times$`, "⊥", `$\bot$`, "⊤", `$\top$`,
)

func latexText(s string) string { return latexMath.Replace(s) }
