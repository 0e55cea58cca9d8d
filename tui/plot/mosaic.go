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
		list = append(list, block{'▁' + rune(k), ^uint64(0) << (8 * (7 - k))},
			block{'▏' - rune(k), 0x0101010101010101 * (1<<(k+1) - 1)})
	}
	return list
}()

// shape is the block element that is nearest to a cell's kinds: its ink, its ground, and the kind that most of the
// cell has.
type shape struct {
	r                  rune
	ink, ground, major uint8
}

// maxShapes bounds what a plot remembers of shapes; a chart has some hundred, and they come again in every frame.
const maxShapes = 4096

// mosaic returns the cell with the block element in two colours that is nearest to the kinds in it. Kind 0 is the
// terminal's own ground; a cell without anything else is the zero value.
func (p *Plot) mosaic(k *kinds, on layer, tint func(kind int) draw.Tint) cell {
	s, known := p.shapes[*k]
	if !known {
		if s = nearestShape(k); p.shapes == nil || len(p.shapes) >= maxShapes {
			p.shapes = map[kinds]shape{}
		}
		p.shapes[*k] = s
	}
	var under *draw.Ink
	if s.major > 0 {
		under = tint(int(s.major)).Ground
	}
	switch {
	case s.r == ' ' && s.major == 0:
		return cell{}
	case s.r == ' ':
		return cell{r: ' ', on: on, behind: under, tint: under}
	case s.ink == 0: // the ground is never ink: reverse video cuts it out
		return cell{r: s.r, on: on, ink: tint(int(s.ground)).Cut, tint: under}
	case s.ground == 0:
		return cell{r: s.r, on: on, ink: tint(int(s.ink)).Ink, tint: under}
	}
	return cell{r: s.r, on: on, ink: tint(int(s.ink)).Ink, behind: tint(int(s.ground)).Ground, tint: under}
}

// nearestShape returns the block element of which most places have the right kind, in any two kinds.
func nearestShape(k *kinds) shape {
	var present [maxKinds]int // the kinds that occur
	n, major := 0, 0
	for kind, where := range k {
		if where != 0 {
			present[n] = kind
			n++
			if bits.OnesCount64(where) > bits.OnesCount64(k[major]) {
				major = kind
			}
		}
	}
	most := func(mask uint64) (kind, hits int) { // the kind that most of a mask has
		hits = -1
		for _, p := range present[:n] {
			if h := bits.OnesCount64(k[p] & mask); h > hits {
				kind, hits = p, h
			}
		}
		return kind, hits
	}
	hits := bits.OnesCount64(k[major])
	r, ink, ground := ' ', 0, major
	for _, b := range blocks {
		in, inside := most(b.mask)
		out, outside := most(^b.mask)
		if inside+outside > hits {
			hits, r, ink, ground = inside+outside, b.r, in, out
		}
	}
	return shape{r, uint8(ink), uint8(ground), uint8(major)}
}
