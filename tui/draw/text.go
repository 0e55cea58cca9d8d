package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// limit is the largest number of runes of one string that are read: more than the widest
// terminal can show, so that a name of megabytes costs no more than a short one.
const limit = 2000

// Clean removes what could act on a terminal instead of being shown by it: control
// characters, escape sequences, bidirectional overrides, joiners and variation
// selectors (terminals disagree on their width), signs that join what follows them, and
// all but the first combining mark on a letter. Line breaks and tabs become spaces. What
// is left takes the same cells whatever is written before and after it.
func Clean(s string) string {
	if _, ok := Plain(s); ok {
		return s
	}
	var b strings.Builder
	n, marks, base := 0, 0, false
	for _, r := range s {
		if n++; n > limit {
			b.WriteRune('…')
			break
		}
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
			base = false
		case hidden(r) || ansi.StringWidth(string(r)+"a") <= ansi.StringWidth(string(r)):
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
			if marks++; base && marks == 1 {
				b.WriteRune(r)
			}
		case ansi.StringWidth("é"+string(r)) <= 1: // a mark with a cell of its own, a vowel of Hindi
			if base {
				b.WriteRune(r)
			}
		default:
			b.WriteRune(r)
			base, marks = r != ' ', 0
		}
	}
	return b.String()
}

// hidden reports runes that have no cell of their own: C0 and C1 controls, format
// characters (bidi, joiners, BOM), private use, surrogates and selectors.
func hidden(r rune) bool {
	switch {
	case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp):
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef: // variation selectors
		return true
	case r >= 0x1f3fb && r <= 0x1f3ff: // skin tones: a cell of their own in some terminals only
		return true
	}
	return false
}

// Width returns the number of cells s takes; escape sequences take none.
func Width(s string) int {
	if w, ok := narrow(s); ok {
		return w
	}
	return ansi.StringWidth(s)
}

// Cut shortens s to at most w cells, ending in "…" where something is lost.
func Cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if have, ok := narrow(s); ok && have <= w {
		return s
	}
	return ansi.Truncate(s, w, "…")
}

// CutPairs cuts symbols and their values, "ε 0.1 δ 1e-9": the last pairs are left out where
// not all fit, and a number is shown whole or not at all.
func CutPairs(s string, w int) string {
	if Width(s) <= w {
		return s
	}
	words := strings.Fields(s)
	for len(words) > 2 && Width(strings.Join(words, " "))+2 > w {
		words = words[:len(words)-2]
	}
	return strings.Join(words, " ") + " …"
}

// Left sets s flush left in exactly w cells.
func Left(s string, w int) string {
	s = Cut(s, w)
	return s + Space(w-Width(s))
}

// Space returns n blanks, none for a negative n.
func Space(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}

// blanks are a line of spaces, cut to length without copying.
var blanks = strings.Repeat(" ", 300)

// Box pads or cuts lines to exactly w×h cells.
func Box(lines []string, w, h int) []string {
	out := make([]string, max(0, h))
	copy(out, lines)
	for i, l := range out {
		out[i] = Left(l, w)
	}
	return out
}

// Wrap breaks prose into lines of at most w cells, between words where it can, and not
// inside a number.
func Wrap(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	if have, ok := narrow(s); ok && have <= w {
		return []string{s}
	}
	return strings.Split(breakable.Replace(ansi.Wrap(whole(s), w, "")), "\n")
}

// Signs at which no line is broken, and what they stand for.
const dash, blank = "\ue000", "\u00a0"

var breakable = strings.NewReplacer(dash, "-", blank, " ")

// whole puts such signs inside numbers (ε = 3, 2.335 – 2.336, 1e-6, 10 %, 20 × Laplace, σ 30) and formulas (1-δ),
// before the name of a flag, and for a hyphen between blanks, after which ansi.Wrap breaks one cell too late.
func whole(s string) string {
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	flag := func(i int) bool { return i >= 0 && i+2 < len(s) && s[i:i+2] == "--" && s[i+2] >= 'a' && s[i+2] <= 'z' }
	span := func(i int) int { // of a dash between two numbers that starts at i, with its blanks
		for _, between := range []string{" – ", " - "} {
			if strings.HasPrefix(s[i:], between) && digit(i-1) && digit(i+len(between)) {
				return len(between)
			}
		}
		return 0
	}
	unit := func(i int) bool { // what belongs to the number before it
		return strings.HasPrefix(s[i:], "%") || strings.HasPrefix(s[i:], "× ") || strings.HasPrefix(s[i:], "x ")
	}
	times := func(end int) bool { // of a product whose first factor is a number
		if end <= 2 {
			return false
		}
		before := s[:end+1]
		return strings.HasSuffix(before, " ×") && digit(end-3) || strings.HasSuffix(before, " x") && digit(end-2)
	}
	pair := func(i int) bool { // (ε, δ)
		between := func(before, after string) bool {
			return strings.HasSuffix(s[:i], before) && strings.HasPrefix(s[i:], after)
		}
		return between("(ε,", " δ)") || between("(eps,", " delta)")
	}
	symbol := func(end int) bool { // of the quantity whose value follows
		r, n := utf8.DecodeLastRuneInString(s[:end])
		return unicode.Is(unicode.Greek, r) && (n == end || s[end-n-1] == ' ' || s[end-n-1] == '(')
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == ' ' && span(i) > 0:
			n := span(i)
			b.WriteString(blank)
			b.WriteString(strings.Replace(s[i+1:i+n-1], "-", dash, 1))
			b.WriteString(blank)
			i += n - 1
		case s[i] == ' ' && (i > 0 && s[i-1] == '=' && digit(i+1) || strings.HasPrefix(s[i:], " = ") && digit(i+3)):
			b.WriteString(blank)
		case s[i] == ' ' && (unit(i+1) && digit(i-1) || times(i-1) || symbol(i) && digit(i+1) || pair(i)):
			b.WriteString(blank)
		case s[i] == '-' && (digit(i-1) || digit(i+1) || flag(i) || flag(i-1) ||
			strings.HasSuffix(s[:i], " ") && strings.HasPrefix(s[i+1:], " ")):
			b.WriteString(dash)
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
