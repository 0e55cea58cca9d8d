package sheet

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

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
	for _, cells := range lines {
		if len(cells) > 0 && (strings.HasPrefix(cells[0], "[") || strings.HasPrefix(cells[0], "*")) {
			cells[0] = "{}" + cells[0] // or it is an argument of the \\ before
		}
	}
	var caption []string
	for _, sentence := range sentences {
		if sentence != "" {
			caption = append(caption, report.UpperFirst(strings.TrimSuffix(sentence, "."))+".")
		}
	}
	head, rows := lines[0], lines[1:]
	for first := 0; first == 0 || first < len(rows); first += latexRows {
		if first > 0 {
			fmt.Fprintf(out, "\\clearpage\n")
		}
		fmt.Fprintf(out, "\\begin{table}\n  \\centering\n  \\begin{tabular}{%s}\n    \\hline\n", columns)
		fmt.Fprintf(out, "    %s \\\\\n    \\hline\n", strings.Join(head, " & "))
		for _, cells := range rows[first:min(first+latexRows, len(rows))] {
			fmt.Fprintf(out, "    %s \\\\\n", strings.Join(cells, " & "))
		}
		fmt.Fprintf(out, "    \\hline\n  \\end{tabular}\n")
		if first == 0 && len(caption) > 0 {
			fmt.Fprintf(out, "  \\caption{%s}\n", latexText(strings.Join(caption, " ")))
		}
		fmt.Fprintf(out, "\\end{table}\n")
	}
}

// latexRows is the largest number of rows on one page. LaTeX does not break a tabular: it would cut off what is
// longer, or stop.
const latexRows = 40

// latexMath are the signs that LaTeX reads as commands, prints as others or has in
// mathematics only.
var latexMath = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "_", `\_`, "#", `\#`, "$", `\$`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`,
	"ε₀", `$\varepsilon_0$`, "ε", `$\varepsilon$`, "δ′", `$\delta'$`, "δ″", `$\delta''$`, "δ", `$\delta$`, "Σ", `$\sum$`, "ρ", `$\rho$`, "α", `$\alpha$`, "μ", `$\mu$`, "σ", `$\sigma$`,
	"γ", `$\gamma$`, "Λ", `$\Lambda$`, "Δ₂", `$\Delta_2$`, "Δ₁", `$\Delta_1$`, "Δ", `$\Delta$`, "×", `$\times$`, "±", `$\pm$`, "≤", `$\le$`, "≥", `$\ge$`, "·", `$\cdot$`,
	"√", `$\sqrt{\ }$`, "−", `$-$`, "∞", `$\infty$`, "²", `$^2$`, "′", `$'$`, "–", "--", "“", "``", "”", "''", "’", "'", "…", `\dots{}`, "≈", `$\approx$`, "∝", `$\propto$`, "→", `$\to$`, "✓", `$\surd$`, "✗", `$\times$`, "⊥", `$\bot$`, "⊤", `$\top$`,
)

// latexSigns are further signs in mathematics, one by one.
var latexSigns = map[rune]string{
	'β': `\beta`, 'ζ': `\zeta`, 'η': `\eta`, 'θ': `\theta`, 'κ': `\kappa`, 'λ': `\lambda`, 'ν': `\nu`, 'ξ': `\xi`, 'π': `\pi`, 'τ': `\tau`, 'φ': `\phi`, 'ϕ': `\phi`,
	'χ': `\chi`, 'ψ': `\psi`, 'ω': `\omega`, 'ι': `\iota`, 'Γ': `\Gamma`, 'Θ': `\Theta`, 'Π': `\Pi`, 'Φ': `\Phi`, 'Ψ': `\Psi`, 'Ω': `\Omega`, 'Ξ': `\Xi`,
	'″': `''`, '‖': `\|`, '∇': `\nabla`, '∂': `\partial`, '∫': `\int`, '∑': `\sum`, '∏': `\prod`, '∈': `\in`, '∉': `\notin`, '⊆': `\subseteq`, '∪': `\cup`, '∩': `\cap`,
	'≠': `\ne`, '≡': `\equiv`, '≪': `\ll`, '≫': `\gg`, '∘': `\circ`, '⌈': `\lceil`, '⌉': `\rceil`, '⌊': `\lfloor`, '⌋': `\rfloor`, 'ℓ': `\ell`, '★': `\star`,
	'←': `\leftarrow`, '↔': `\leftrightarrow`, '⇒': `\Rightarrow`, '↑': `\uparrow`, '↓': `\downarrow`, '∼': `\sim`, '∗': `\ast`, '•': `\bullet`, '÷': `\div`,
	'¹': `^1`, '³': `^3`, '⁻': `^-`, '⁺': `^+`, '₊': `_+`, '₋': `_-`, 'ⁿ': `^n`, 'ᵀ': `^T`, 'ᵢ': `_i`, 'ⱼ': `_j`, 'ₖ': `_k`, 'ₙ': `_n`, '°': `^\circ`,
}

// latexText writes a text so that pdfLaTeX prints it with the packages that every class loads. A character that it has
// no sign for is named by its code point.
func latexText(s string) string {
	var b strings.Builder
	for _, r := range latexMath.Replace(s) {
		sign, known := latexSigns[r]
		switch {
		case known:
			b.WriteString("$" + sign + "$")
		case r >= '₀' && r <= '₉':
			fmt.Fprintf(&b, "$_%d$", r-'₀')
		case r == '⁰' || r >= '⁴' && r <= '⁹':
			fmt.Fprintf(&b, "$^%d$", r-'⁰')
		case printsInLaTeX(r):
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
	}
	return b.String()
}

// printsInLaTeX reports whether pdfLaTeX prints a character in its default encoding: ASCII, accented Latin letters, and
// the few signs beside them.
func printsInLaTeX(r rune) bool {
	switch {
	case r < unicode.MaxASCII:
		return r >= ' ' || r == '\n' || r == '\t'
	case strings.ContainsRune("½¼¾€§©£¡¿ßæøåÆØÅ", r):
		return true
	}
	return r >= 'À' && r <= 'ž' && unicode.IsLetter(r) && !strings.ContainsRune("ÐðÞþĐđŊŋĸŉĦħŦŧĿŀ", r)
}
