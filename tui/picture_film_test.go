package tui

import (
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"maps"
	"slices"
)

// film is an animation: screens, each shown for a while.
type film struct {
	frames []*image.RGBA
	delays []int
}

// Add appends a screen shown for so many hundredths of a second.
func (f *film) Add(frame *image.RGBA, hundredths int) {
	f.frames, f.delays = append(f.frames, frame), append(f.delays, hundredths)
}

// Write writes the film as a GIF that runs for ever. All frames share the colours
// that occur most, and each holds only the part that has changed.
func (f *film) Write(w io.Writer) error {
	palette := commonColours(f.frames, 48)
	index := map[color.RGBA]uint8{}
	size := f.frames[0].Rect
	out := &gif.GIF{Config: image.Config{ColorModel: palette, Width: size.Dx(), Height: size.Dy()}}
	for i, frame := range f.frames {
		box := frame.Rect
		if i > 0 {
			box = changed(f.frames[i-1], frame)
		}
		part := image.NewPaletted(box, palette)
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				c := frame.RGBAAt(x, y)
				if i > 0 && c == f.frames[i-1].RGBAAt(x, y) {
					continue // what has not changed stays see-through, which packs well
				}
				k, known := index[c]
				if !known {
					k = uint8(1 + palette[1:].Index(c))
					index[c] = k
				}
				part.SetColorIndex(x, y, k)
			}
		}
		out.Image, out.Delay = append(out.Image, part), append(out.Delay, f.delays[i])
	}
	return gif.EncodeAll(w, out)
}

// paletted returns a picture in the colours that occur most, which packs much better.
func paletted(img *image.RGBA) *image.Paletted {
	palette := commonColours([]*image.RGBA{img}, 255)[1:]
	out := image.NewPaletted(img.Rect, palette)
	draw.Draw(out, img.Rect, img, img.Rect.Min, draw.Src)
	return out
}

// commonColours returns at most so many colours, those that cover most first: a terminal
// has a dozen, and the edges of letters blend between them. Of two that the eye does not
// tell apart one is enough, so that blends do not crowd out a colour that is rare.
func commonColours(frames []*image.RGBA, most int) color.Palette {
	area := map[color.RGBA]int{}
	for _, f := range frames {
		for i := 0; i < len(f.Pix); i += 4 {
			area[color.RGBA{f.Pix[i], f.Pix[i+1], f.Pix[i+2], 255}]++
		}
	}
	number := func(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }
	all := slices.SortedFunc(maps.Keys(area), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(area[b], area[a]), cmp.Compare(number(a), number(b)))
	})
	palette := color.Palette{color.RGBA{}} // 0 is see-through
	for _, c := range all {
		if len(palette) > most {
			break
		}
		if len(palette) == 1 || !alike(c, palette[1:].Convert(c).(color.RGBA)) {
			palette = append(palette, c)
		}
	}
	return palette
}

// alike reports that two colours are hardly told apart.
func alike(a, b color.RGBA) bool {
	r, g, u := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r+g*g+u*u < 12*12
}

// changed returns the smallest rectangle outside which two frames are the same.
func changed(a, b *image.RGBA) image.Rectangle {
	var box image.Rectangle
	for y := b.Rect.Min.Y; y < b.Rect.Max.Y; y++ {
		for x := b.Rect.Min.X; x < b.Rect.Max.X; x++ {
			if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if box.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return box
}
