package draw

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

// typeface is one of the Go fonts, embedded, so that every machine measures and
// draws the same.
type typeface struct {
	font *sfnt.Font
	mu   sync.Mutex
	buf  sfnt.Buffer
}

var regular, bold = load(goregular.TTF), load(gobold.TTF)

func load(ttf []byte) func() *typeface {
	return sync.OnceValue(func() *typeface {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			panic("draw: embedded font: " + err.Error()) // cannot happen: the bytes are compiled in
		}
		return &typeface{font: f}
	})
}

func face(isBold bool) *typeface {
	if isBold {
		return bold()
	}
	return regular()
}

// textWidth measures s in pixels at a size.
func textWidth(s string, size float64, isBold bool) float64 {
	f := face(isBold)
	f.mu.Lock()
	defer f.mu.Unlock()
	const em = 1000
	total := fixed.Int26_6(0)
	for _, r := range s {
		g, err := f.font.GlyphIndex(&f.buf, r)
		if err != nil {
			continue
		}
		a, err := f.font.GlyphAdvance(&f.buf, g, fixed.I(em), font.HintingNone)
		if err == nil {
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

// cut shortens s to a width in pixels.
func cut(s string, size, limit float64, isBold bool) string {
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

// wrap breaks s into at most n lines of a width in pixels.
func wrap(s string, size, limit float64, n int, isBold bool) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
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
