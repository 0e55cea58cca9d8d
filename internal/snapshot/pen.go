package snapshot

import (
	"image/color"
	"strconv"
	"strings"
)

// pen is how a cell is written.
type pen struct {
	ink, ground          color.RGBA
	bold, faint, reverse bool
}

// after is the pen after a colour sequence (SGR); other sequences change nothing.
func (p pen) after(seq string, s Screen) pen {
	body, ok := strings.CutPrefix(seq, "\x1b[")
	body, ends := strings.CutSuffix(body, "m")
	if !ok || !ends {
		return p
	}
	codes := strings.Split(body, ";")
	for i := 0; i < len(codes); i++ {
		switch code := codes[i]; code {
		case "", "0":
			p = pen{ink: s.Ink, ground: s.Ground}
		case "1":
			p.bold = true
		case "2":
			p.faint = true
		case "22":
			p.bold, p.faint = false, false
		case "7":
			p.reverse = true
		case "27":
			p.reverse = false
		case "39":
			p.ink = s.Ink
		case "49":
			p.ground = s.Ground
		case "38", "48":
			if i+4 < len(codes) && codes[i+1] == "2" {
				c := color.RGBA{part(codes[i+2]), part(codes[i+3]), part(codes[i+4]), 255}
				if code == "38" {
					p.ink = c
				} else {
					p.ground = c
				}
				i += 4
			}
		}
	}
	return p
}

func part(s string) uint8 {
	n, _ := strconv.ParseUint(s, 10, 8)
	return uint8(n)
}

// colours are those a terminal would show.
func (p pen) colours() (ink, ground color.RGBA) {
	ink, ground = p.ink, p.ground
	if p.reverse {
		ink, ground = ground, ink
	}
	if p.faint {
		ink = mix(ink, ground, 0.6)
	}
	return ink, ground
}

// mix is part of a and the rest of b.
func mix(a, b color.RGBA, part float64) color.RGBA {
	m := func(x, y uint8) uint8 { return uint8(part*float64(x) + (1-part)*float64(y)) }
	return color.RGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 255}
}
