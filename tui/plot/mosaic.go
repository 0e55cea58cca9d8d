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

// mosaic returns the cell with the block element in two colours that is nearest to the kinds in it. Kind 0 is the terminal's
// own ground; a cell without anything else is the zero value.
func mosaic(k *kinds, on layer, tint func(kind int) draw.Tint) cell {
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
	switch {
	case n == 2: // what is not of one kind is of the other
		one, other := present[0], present[1]
		total := bits.OnesCount64(k[one])
		for _, b := range blocks {
			size, inside := bits.OnesCount64(b.mask), bits.OnesCount64(k[one]&b.mask)
			outside := total - inside
			in, out := one, one
			if size-inside > inside {
				inside, in = size-inside, other
			}
			if 64-size-outside > outside {
				outside, out = 64-size-outside, other
			}
			if inside+outside > hits {
				hits, r, ink, ground = inside+outside, b.r, in, out
			}
		}
	case n > 2:
		for _, b := range blocks {
			in, inside := most(b.mask)
			out, outside := most(^b.mask)
			if inside+outside > hits {
				hits, r, ink, ground = inside+outside, b.r, in, out
			}
		}
	}
	var under *draw.Ink
	if major > 0 {
		under = tint(major).Ground
	}
	switch {
	case r == ' ' && major == 0:
		return cell{}
	case r == ' ':
		return cell{r: ' ', on: on, behind: under, tint: under}
	case ink == 0: // the ground is never ink: reverse video cuts it out
		return cell{r: r, on: on, ink: tint(ground).Cut, tint: under}
	case ground == 0:
		return cell{r: r, on: on, ink: tint(ink).Ink, tint: under}
	}
	return cell{r: r, on: on, ink: tint(ink).Ink, behind: tint(ground).Ground, tint: under}
}
