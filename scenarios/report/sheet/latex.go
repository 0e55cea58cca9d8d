package sheet

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

// inPapers are the columns of the bounds that a paper has.
var inPapers = []string{"bound", "ε", "δ", "slack"}

// LaTeX writes the bounds as a table for a paper: plain tabular, which needs no
// package. The best bound is bold; notes follow as comments.
func LaTeX(w io.Writer, r *scenarios.Result) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "\\begin{table}\n  \\centering\n  \\begin{tabular}{lrrr}\n    \\hline\n")
	columns := slices.DeleteFunc(slices.Clone(boundColumns), func(c column[boundRow]) bool { return !slices.Contains(inPapers, c.head) })
	for i, cells := range gridOf(columns, boundRows(r)).rows {
		for j, c := range cells {
			cells[j] = latexText(c)
			if i-1 == r.Best && i > 0 && c != "" {
				cells[j] = "\\textbf{" + cells[j] + "}"
			}
		}
		fmt.Fprintf(out, "    %s \\\\\n", strings.Join(cells, " & "))
		if i == 0 {
			fmt.Fprintf(out, "    \\hline\n")
		}
	}
	fmt.Fprintf(out, "    \\hline\n  \\end{tabular}\n  \\caption{%s. %s.}\n\\end{table}\n", latexText(report.Heading(r)), latexText(report.Answer(r)))
	for _, b := range r.Bounds {
		if note := report.Plain(b.Note); note != "" {
			fmt.Fprintf(out, "%% %s\n", latexText(string(b.Method)+": "+note))
		}
	}
	return out.Flush()
}

// latexMath are the signs that LaTeX has in mathematics only.
var latexMath = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "_", `\_`, "#", `\#`, "$", `\$`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"ε₀", `$\varepsilon_0$`, "ε", `$\varepsilon$`, "δ′", `$\delta'$`, "δ″", `$\delta''$`, "δ", `$\delta$`, "Σ", `$\sum$`, "ρ", `$\rho$`, "α", `$\alpha$`, "μ", `$\mu$`, "σ", `$\sigma$`,
	"γ", `$\gamma$`, "Λ", `$\Lambda$`, "Δ₂", `$\Delta_2$`, "Δ₁", `$\Delta_1$`, "Δ", `$\Delta$`, "×", `$\times$`, "±", `$\pm$`, "≤", `$\le$`, "≥", `$\ge$`, "·", `$\cdot$`,
	"√", `$\sqrt{\ }$`, "−", `$-$`, "∞", `$\infty$`, "²", `$^2$`, "′", `$'$`, "–", "--", "“", "``", "”", "''", "’", "'", "…", `\dots{}`, "≈", `$\approx$`,
)

func latexText(s string) string { return latexMath.Replace(s) }
