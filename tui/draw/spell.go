package draw

import (
	"cmp"
	"strings"
	"unicode"
)

// words are signs of the field spelled out, for where there is room.
var words = strings.NewReplacer(
	" → ", " -> ", "≤", "<=", "≥", ">=", "≠", "!=", "∞", "inf", "±", "+-", "‖", "||", "✓", "OK", "✗", "X",
	"½", "1/2", "¼", "1/4", "¾", "3/4", "⊤", "yes", "⊥", "no", "∈", "in", "⊆", "within", "€", "EUR", "⌫", "bksp",
)

// letters are factors with a name, operators stand before what they act on.
var (
	letters = map[rune]string{
		'ε': "eps", 'δ': "delta", 'α': "alpha", 'σ': "sigma", 'ρ': "rho", 'μ': "mu", 'γ': "gamma", 'λ': "lambda", 'τ': "tau", 'β': "beta",
		'π': "pi", 'ξ': "xi", 'η': "eta", 'φ': "phi", 'Φ': "Phi", 'Δ': "Delta", 'Λ': "Lambda",
	}
	operators = map[rune]string{'Σ': "sum ", 'Π': "prod ", '∇': "grad ", '√': "sqrt"}
)

// raised and lowered signs: a run of them is written after one ^ or _.
var (
	raised = map[rune]string{
		'⁰': "0", '¹': "1", '²': "2", '³': "3", '⁴': "4", '⁵': "5", '⁶': "6", '⁷': "7", '⁸': "8", '⁹': "9",
		'⁻': "-", '⁺': "+", 'ⁿ': "n", 'ᵀ': "T",
	}
	lowered = map[rune]string{'₀': "0", '₁': "1", '₂': "2", '₄': "4", 'ᵢ': "i"}
)

// formulas spells out what formulas are made of: 2Δ₂/σ² is 2*Delta_2/sigma^2.
func formulas(s string) string {
	s = strings.NewReplacer("Σ ", "Σ", "Π ", "Π", "Δ∞", "Δ_∞").Replace(s)
	var b strings.Builder
	last := ' '
	for i, r := range s {
		b.WriteString(separator(last, r))
		word := cmp.Or(letters[r], operators[r], raised[r], lowered[r])
		switch {
		case word != "":
			b.WriteString(word)
		case r == '·' && product(s[:i], s[i+len("·"):]):
			b.WriteByte('*')
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// separator returns the sign that two neighbours need between them once they are spelled out.
func separator(last, r rune) string {
	latin := func(r rune) bool { return r < 0x80 && unicode.IsLetter(r) }
	factor := latin(last) || unicode.IsDigit(last) || cmp.Or(raised[last], lowered[last], letters[last]) != ""
	switch {
	case raised[r] != "" && raised[last] == "":
		return "^"
	case lowered[r] != "" && lowered[last] == "":
		return "_"
	case last == '√' && r != '(', last == 'Δ' && latin(r): // Δf is the sensitivity of f
		return " "
	case factor && cmp.Or(letters[r], operators[r]) != "", letters[last] != "" && latin(r):
		return "*"
	}
	return ""
}

// product tells the dot between two factors from the one between the parts of a line, which
// has blanks around it and words behind.
func product(before, after string) bool {
	if !strings.HasSuffix(before, " ") {
		return true
	}
	number := func(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
	before, after = strings.TrimRight(before, " "), strings.TrimLeft(after, " ")
	factor := number(after) || strings.HasPrefix(after, "Φ") || strings.HasPrefix(after, "(")
	return before != "" && number(before[len(before)-1:]) && factor
}

// signs are the signs of the field and of the interface as one ASCII character each: replacing
// them never moves a column.
var signs = map[rune]byte{
	'ε': 'e', 'δ': 'd', 'α': 'a', 'σ': 's', 'ρ': 'r', 'μ': 'm', 'γ': 'g', 'Δ': 'D', 'Λ': 'L', 'λ': 'l',
	'τ': 't', 'β': 'b', 'Σ': 'S', 'Φ': 'F', 'π': 'p',
	'×': 'x', '·': '-', '–': '-', '—': '-', '−': '-', '…': '~', '∞': '~', '≤': '<', '≥': '>',
	'′': '\'', '’': '\'', '“': '"', '”': '"', '∥': '|',
	'↑': '^', '↓': 'v', '←': '<', '→': '>', '↔': '-', '✓': 'y', '✗': 'X', '★': '*', '●': '*', '▸': '>',
	'²': '2', '√': 'V', '≈': '~', '∝': '~',
	'₁': '1', '₂': '2', 'ᵢ': 'i', '½': '.', '‹': '<', '›': '>', 'ö': 'o', 'ü': 'u', 'ä': 'a', 'ő': 'o', 'ń': 'n',
	'₀': '0', '₄': '4', '₊': '+', '‖': '|', '¼': '.', '¾': '.', '⊤': 'T', '⊥': 'F', '∈': 'e', '⊆': 'c',
	'∇': 'V', 'ℓ': 'l', 'ℝ': 'R', 'Π': 'P', 'η': 'n',
	'φ': 'f', 'ξ': 'x', '€': 'E', '÷': '/', '≠': '#', '″': '"', 'á': 'a', '³': '3', '¹': '1', '⁰': '0',
	'⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8',
	'⁹': '9', '⁻': '-', '⁺': '+', 'ⁿ': 'n', 'ᵀ': 'T', '⌫': '<',
	'é': 'e', '├': '|', '│': '|', '└': '`', '█': '#', '▌': '#', '░': '.', '━': '=', '─': '-', '▏': '|',
}

// Spell writes a text in ASCII where nothing else can be shown, Greek letters as words.
// Prose is spelled before it is set into lines, and cut where it does not fit; a number that
// does not fit its field has one character for each letter there.
func (p *Pen) Spell(s string) string {
	if !p.Glyphs.ASCII {
		return s
	}
	return p.spell(words.Replace(formulas(s)))
}

// Wrap sets prose into lines of at most w cells, as this terminal can show it.
func (p *Pen) Wrap(s string, w int) []string {
	return Wrap(p.Spell(Clean(s)), max(1, w))
}

// spell replaces what an ASCII terminal cannot show, cell for cell but for ±.
func (p *Pen) spell(s string) string {
	if !p.Glyphs.ASCII {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		c, known := signs[r]
		switch {
		case r < 0x80:
			b.WriteByte(byte(r))
		case known:
			b.WriteByte(c)
		case r == '±': // the one sign that no single character stands for
			b.WriteString("+-")
		default:
			b.WriteString(strings.Repeat("?", Width(string(r))))
		}
	}
	return b.String()
}
