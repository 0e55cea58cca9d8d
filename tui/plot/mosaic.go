package plot

import (
	"math/bits"

	"epsiloscope/tui/draw"
)

// block is a block element as the part of a cell it covers, 8×8 (bit 8·row + column).
type block struct {
	r    rune
	mask uint64
}

// blocks are the block elements that every terminal has, U+2580 to U+259F, up to exchanging ink
// and ground.
var blocks = func() []block {
	const left, right uint64 = 0x0f0f0f0f, 0xf0f0f0f0
	list := []block{{'▖', left << 32}, {'▗', right << 32}, {'▘', left}, {'▝', right}, {'▚', left | right<<32},
		{'▙', left | (left|right)<<32}, {'▟', right | (left|right)<<32}}
	for k := range 7 {
		list = append(list, block{'▁' + rune(k), ^uint64(0) << (8 * (7 - k))}, block{'▏' - rune(k), 0x0101010101010101 * (1<<(k+1) - 1)})
	}
	return list
}()

// drawMosaic draws the block element in two colours that is nearest to a picture of 8×8 kinds.
// Kind 0 is the terminal's own ground.
func (p *Plot) drawMosaic(x, y int, pic *[64]uint8, whole bool, on layer, tint func(kind int) draw.Tint) {
	c := &p.cells[y*p.w+x]
	if whole {
		ground := tint(int(pic[0])).Ground
		*c = cell{r: ' ', on: on, behind: ground, tint: ground}
		return
	}
	const kinds = 8
	var where [kinds]uint64
	for i, kind := range pic {
		where[kind%kinds] |= 1 << i
	}
	most := func(mask uint64) (kind, n int) { // the kind that most of a mask has
		n = -1
		for k, w := range where {
			if w == 0 {
				continue
			}
			if hits := bits.OnesCount64(w & mask); hits > n {
				kind, n = k, hits
			}
		}
		return kind, n
	}
	major, hits := most(^uint64(0))
	r, ink, ground := ' ', 0, major
	for _, b := range blocks {
		in, inside := most(b.mask)
		out, outside := most(^b.mask)
		if inside+outside > hits {
			hits, r, ink, ground = inside+outside, b.r, in, out
		}
	}
	var under *draw.Ink
	if major > 0 {
		under = tint(major).Ground
	}
	switch {
	case r == ' ' && major == 0:
	case r == ' ':
		*c = cell{r: ' ', on: on, behind: under, tint: under}
	case ink == 0: // the ground is never ink: reverse video cuts it out
		*c = cell{r: r, on: on, ink: tint(ground).Cut, tint: under}
	case ground == 0:
		*c = cell{r: r, on: on, ink: tint(ink).Ink, tint: under}
	default:
		*c = cell{r: r, on: on, ink: tint(ink).Ink, behind: tint(ground).Ground, tint: under}
	}
}
