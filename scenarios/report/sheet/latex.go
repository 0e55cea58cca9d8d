package sheet

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
)

// LaTeX writes the bounds as a table for a paper: plain tabular, which needs no
// package. The best bound is bold; notes follow as comments.
func LaTeX(w io.Writer, r *scenarios.Result) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "\\begin{table}\n  \\centering\n  \\begin{tabular}{lrrr}\n    \\hline\n")
	fmt.Fprintf(out, "    bound & %s & %s & slack \\\\\n    \\hline\n", latexText("ε"), latexText("δ"))
	var remarks []string
	for i, b := range r.Bounds {
		cells := []string{string(b.Method), epsilonCell(b), deltaCell(b), slackCell(r, b)}
		for j, c := range cells {
			cells[j] = latexText(c)
			if i == r.Best && c != "" {
				cells[j] = "\\textbf{" + cells[j] + "}"
			}
		}
		if note := report.Plain(b.Note); note != "" {
			remarks = append(remarks, latexText(string(b.Method)+": "+note))
		}
		fmt.Fprintf(out, "    %s \\\\\n", strings.Join(cells, " & "))
	}
	fmt.Fprintf(out, "    \\hline\n  \\end{tabular}\n  \\caption{%s. %s.}\n\\end{table}\n", latexText(report.Heading(r)), latexText(report.Answer(r)))
	for _, text := range remarks {
		fmt.Fprintf(out, "%% %s\n", text)
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
