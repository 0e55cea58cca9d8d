package draw

import (
	"strings"

	"epsiloscope/tui/text"
)

// Line is one line under construction. Whatever is put on it is cleaned, measured
// and cut, so that [Line.String] is always exactly as wide as asked.
type Line struct {
	pen  *Pen
	b    strings.Builder
	at   int
	room int
}

// Line starts a line of w cells. Six bytes a cell hold nearly all lines, with their inks.
func (p *Pen) Line(w int) *Line {
	l := &Line{pen: p, room: max(0, w)}
	l.b.Grow(6 * l.room)
	return l
}

// Row starts a line of a list, with a mark if it is selected, and is the ink of its words.
func (p *Pen) Row(w int, selected bool) (*Line, Ink) {
	if selected {
		return p.Line(w).Left(p.Accent, p.Glyphs.Select, 2), p.Accent
	}
	return p.Line(w).Left(p.Accent, " ", 2), p.Text
}

// Put writes s in an ink; what does not fit is cut with an ellipsis.
func (l *Line) Put(ink Ink, s string) *Line {
	s, w := l.fit(s, l.room-l.at)
	return l.write(ink, s, w)
}

// Left writes s flush left in a field of w cells.
func (l *Line) Left(ink Ink, s string, w int) *Line {
	from := l.at
	s, have := l.fit(s, min(w, l.room-l.at))
	return l.write(ink, s, have).To(from + w)
}

// Right writes s flush right in a field of w cells.
func (l *Line) Right(ink Ink, s string, w int) *Line {
	s, have := l.fit(s, w)
	if l.at+w > l.room { // the field does not stand on the line as a whole
		return l.To(l.at+w-have).Put(ink, s)
	}
	return l.To(l.at+w-have).write(ink, s, have)
}

// fit cleans s, cuts it to w cells and measures what is left. Nearly every text is
// plain and fits: it is walked once and not copied.
func (l *Line) fit(s string, w int) (string, int) {
	if have, ok := text.Plain(s); ok && have <= w && !l.pen.Glyphs.ASCII {
		return s, have
	}
	if long := l.pen.Spell(text.Clean(s)); l.pen.Glyphs.ASCII {
		if prose := strings.Count(long, " ") >= 4; prose && w > 0 {
			long = l.pen.Cut(long, w)
		}
		if len(long) <= w {
			return long, len(long)
		}
	}
	s = l.pen.Cut(l.clean(s), w)
	return s, text.Width(s)
}

// write appends a text that is clean, fits, and takes w cells.
func (l *Line) write(ink Ink, s string, w int) *Line {
	if s == "" {
		return l
	}
	if ink.before == "" {
		l.b.WriteString(s)
	} else {
		l.b.WriteString(ink.before)
		l.b.WriteString(s)
		l.b.WriteString(ink.after)
	}
	l.at += w
	return l
}

// run writes a glyph of the theme n times between two others, which may be none, if there is
// room. Each of them takes one cell.
func (l *Line) run(ink Ink, first, glyph string, n int, last string) *Line {
	n = max(0, n)
	w := min(1, len(first)) + n + min(1, len(last))
	if w == 0 || w > l.room-l.at {
		return l
	}
	l.b.WriteString(ink.before)
	l.b.WriteString(first)
	for range n {
		l.b.WriteString(glyph)
	}
	l.b.WriteString(last)
	l.b.WriteString(ink.after)
	l.at += w
	return l
}

// Figure writes a number in a field of w cells with its decimal point in a fixed
// column, so that numbers below each other can be compared at a glance.
func (l *Line) Figure(ink Ink, s string, w int) *Line {
	from := l.at
	whole := s
	if i := strings.IndexByte(s, '.'); i >= 0 {
		whole = s[:i]
	}
	lead := max(0, min(w-5-text.Width(whole), w-text.Width(s)))
	return l.To(from+lead).Left(ink, s, w-lead)
}

// To moves to a column, with blanks; it never moves back.
func (l *Line) To(column int) *Line {
	column = min(column, l.room)
	if column > l.at {
		l.b.WriteString(text.Space(column - l.at))
		l.at = column
	}
	return l
}

// Skip leaves n cells blank.
func (l *Line) Skip(n int) *Line { return l.To(l.at + n) }

// Raw writes a string that is already styled and whose width is known to be w.
func (l *Line) Raw(s string, w int) *Line {
	if l.at+w > l.room {
		return l
	}
	l.b.WriteString(s)
	l.at += w
	return l
}

// At is the column reached, Room how many cells are left.
func (l *Line) At() int { return l.at }

// Room is how many cells are left.
func (l *Line) Room() int { return l.room - l.at }

// String ends the line, filled to its width.
func (l *Line) String() string { return l.To(l.room).b.String() }

// Unfilled is the line as far as it was written, [Line.At] cells wide.
func (l *Line) Unfilled() string { return l.b.String() }

func (l *Line) clean(s string) string { return l.pen.spell(text.Clean(s)) }

// Cut shortens s to w cells, with a sign that something is lost.
func (p *Pen) Cut(s string, w int) string {
	if p.Glyphs.ASCII && text.Width(s) > w && w > 0 {
		return text.Cut(s, w)[:w-1] + p.Glyphs.Ellipsis
	}
	return text.Cut(s, w)
}

// words are the letters of the field spelled out, for where there is room.
var words = strings.NewReplacer(
	"ε", "eps", "δ", "delta", "α", "alpha", "σ", "sigma", "ρ", "rho", "μ", "mu", "γ", "gamma", "λ", "lambda", "τ", "tau", "β", "beta",
	"Δ", "Delta", "Σ", "sum ", "≤", "<=", "≥", ">=", "∞", "inf", "±", "+-", "√(", "sqrt(", "√", "sqrt ", "✓", "OK", "✗", "no",
	"½", "1/2", "¼", "1/4", "¾", "3/4", "‖", "||", "ξ", "xi", "η", "eta", "φ", "phi", "Φ", "Phi", "Π", "prod ", "⊤", "yes", "⊥", "no",
	"∈", "in", "⊆", "within", "∇", "grad ", "€", "EUR", "≠", "!=", "⌫", "bksp",
)

// powers are raised signs; a run of them is written after one ^.
var powers = map[rune]byte{
	'⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9', '⁻': '-', '⁺': '+', 'ⁿ': 'n', 'ᵀ': 'T',
}

// lower writes raised signs on the line, 10^-5, and a dot between factors as a star: the
// dot between parts of a line has blanks around it.
func lower(s string) string {
	var b strings.Builder
	raised, last := false, ' '
	for _, r := range s {
		if r == '·' && last != ' ' {
			r = '*'
		}
		last = r
		c, power := powers[r]
		switch {
		case power && !raised:
			b.WriteByte('^')
			fallthrough
		case power:
			b.WriteByte(c)
		default:
			b.WriteRune(r)
		}
		raised = power
	}
	return b.String()
}

// signs are the same, and the typographic signs of the interface, as one ASCII
// character each: replacing them never moves a column.
var signs = map[rune]byte{
	'ε': 'e', 'δ': 'd', 'α': 'a', 'σ': 's', 'ρ': 'r', 'μ': 'm', 'γ': 'g', 'Δ': 'D', 'Λ': 'L', 'λ': 'l', 'τ': 't', 'β': 'b', 'Σ': 'S', 'Φ': 'F', 'π': 'p',
	'×': 'x', '·': '-', '–': '-', '—': '-', '−': '-', '…': '~', '∞': '~', '≤': '<', '≥': '>', '′': '\'', '’': '\'', '“': '"', '”': '"', '∥': '|',
	'↑': '^', '↓': 'v', '←': '<', '→': '>', '↔': '-', '✓': 'y', '✗': 'n', '★': '*', '●': '*', '▸': '>', '²': '2', '√': 'V', '≈': '~', '∝': '~',
	'₁': '1', '₂': '2', 'ᵢ': 'i', '½': '.', '‹': '<', '›': '>', 'ö': 'o', 'ü': 'u', 'ä': 'a', 'ő': 'o', 'ń': 'n',
	'₀': '0', '₄': '4', '₊': '+', '‖': '|', '¼': '.', '¾': '.', '⊤': 'T', '⊥': 'F', '∈': 'e', '⊆': 'c', '∇': 'V', 'ℓ': 'l', 'ℝ': 'R', 'Π': 'P', 'η': 'n',
	'φ': 'f', 'ξ': 'x', '€': 'E', '÷': '/', '≠': '#', '″': '"', 'á': 'a', '³': '3', '¹': '1', '⁰': '0', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8',
	'⁹': '9', '⁻': '-', '⁺': '+', 'ⁿ': 'n', 'ᵀ': 'T', '⌫': '<',
	'é': 'e', '├': '|', '│': '|', '└': '`', '█': '#', '▌': '#', '░': '.', '━': '=', '─': '-', '▏': '|',
}

// Spell writes a text in ASCII where nothing else can be shown, Greek letters as words.
// Prose is spelled before it is set into lines, and cut where it does not fit; a figure that
// does not fit its field has one character for each letter there.
func (p *Pen) Spell(s string) string {
	if !p.Glyphs.ASCII {
		return s
	}
	return p.spell(words.Replace(lower(s)))
}

// spell replaces what an ASCII terminal cannot show, cell for cell but for ±.
func (p *Pen) spell(s string) string {
	if !p.Glyphs.ASCII {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch c, known := signs[r]; {
		case r < 0x80:
			b.WriteByte(byte(r))
		case known:
			b.WriteByte(c)
		case r == '±': // the one sign that no single character stands for
			b.WriteString("+-")
		default:
			b.WriteString(strings.Repeat("?", text.Width(string(r))))
		}
	}
	return b.String()
}
