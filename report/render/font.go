package render

import (
	"sort"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The Go fonts are embedded, so that every machine measures and draws the same.
var regular, bold = load(goregular.TTF), load(gobold.TTF)

func load(ttf []byte) func() *sfnt.Font {
	return sync.OnceValue(func() *sfnt.Font {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			panic("draw: embedded font: " + err.Error()) // cannot happen: the bytes are compiled in
		}
		return f
	})
}

func face(isBold bool) *sfnt.Font {
	if isBold {
		return bold()
	}
	return regular()
}

// textWidth measures s in pixels at a size.
func textWidth(s string, size float64, isBold bool) float64 {
	const em = 1000
	var buf sfnt.Buffer
	f, total := face(isBold), fixed.Int26_6(0)
	for _, r := range s {
		if g, err := f.GlyphIndex(&buf, r); err == nil {
			a, _ := f.GlyphAdvance(&buf, g, fixed.I(em), font.HintingNone) // 0 where it has none
			total += a
		}
	}
	return float64(total) / 64 / em * size
}

// clean removes what has no place in a label: control characters, direction
// overrides, broken bytes, and overlong text.
func clean(s string) string {
	if len(s) > 2000 {
		s = s[:2000]
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r == unicode.ReplacementChar, !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// cut cleans s and shortens it to a width in pixels.
func cut(s string, size, limit float64, isBold bool) string {
	s = clean(s)
	if textWidth(s, size, isBold) <= limit {
		return s
	}
	runes := []rune(s)
	// The longest beginning that fits with an ellipsis; the whole does not, even without.
	n := sort.Search(len(runes), func(n int) bool { return textWidth(string(runes[:n+1])+"…", size, isBold) > limit })
	if n == 0 {
		return ""
	}
	return strings.TrimRight(string(runes[:n]), " ") + "…"
}

// wrap cleans s and breaks it into at most n lines of a width in pixels.
func wrap(s string, size, limit float64, n int, isBold bool) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(clean(s)) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && textWidth(longer, size, isBold) > limit {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	if line != "" {
		lines = append(lines, line)
	}
	if len(lines) > n {
		lines[n-1] += "…"
		lines = lines[:n]
	}
	for i := range lines {
		lines[i] = cut(lines[i], size, limit, isBold)
	}
	return lines
}
