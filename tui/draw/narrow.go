package draw

import (
	"strings"
	"unicode/utf8"
)

// narrow measures a string all of whose runes take exactly one cell and never join
// with their neighbours, and whose escape sequences only set colours. Nearly all
// that the explorer draws is of that kind, and walking grapheme clusters is the
// slowest part of a frame.
func narrow(s string) (w int, ok bool) {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= ' ' && c < 0x7f:
			w++
			i++
			continue
		case c == 0x1b:
			n := colour(s[i:])
			if n == 0 {
				return 0, false
			}
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !single(r) {
			return 0, false
		}
		w++
		i += n
	}
	return w, true
}

// Plain measures a string that needs no cleaning: all of its runes take one cell,
// and there are no escape sequences and not too many of them.
func Plain(s string) (w int, ok bool) {
	if len(s) > limit || strings.IndexByte(s, 0x1b) >= 0 {
		return 0, false
	}
	return narrow(s)
}

// colour returns the length of the SGR sequence s starts with, 0 if it is another.
func colour(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		c := s[i]
		switch {
		case c == 'm':
			return i + 1
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// single reports runes known to take one cell: the letters and signs of the
// interface. A test compares every one of them with what x/ansi says.
func single(r rune) bool { return r >= 0 && int(r) < len(singles) && singles[r] }

var singles = func() (known [0x2900]bool) {
	// Latin-1, Greek, boxes and blocks, braille
	spans := [][2]rune{{0x00c0, 0x00ff}, {0x0391, 0x03a1}, {0x03a3, 0x03c9}, {0x2500, 0x259f}, {0x2800, 0x28ff}}
	for _, span := range spans {
		for r := span[0]; r <= span[1]; r++ {
			known[r] = true
		}
	}
	for _, r := range "·×²³¹°½¼¾±–—−…“”‘’′″‖∞≤≥≠≈√∥∈⊆∇∝⊤⊥←↑→↓↔⌫★✓✗●▸▲■◆○△□◇‹›₀₁₂₄₊ᵢ⁰⁴⁵⁶⁷⁸⁹⁻⁺ⁿᵀℓℝ€" {
		known[r] = true
	}
	return known
}()
