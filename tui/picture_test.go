package tui

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"testing"
)

var (
	white = color.RGBA{255, 255, 255, 255}
	black = color.RGBA{0, 0, 0, 255}
	red   = color.RGBA{255, 0, 0, 255}
	dark  = picturedScreen{Ink: white, Ground: black}
)

// covered returns how many pixels of a cell are not black, and of those how many have a
// colour.
func covered(img *image.RGBA, column int, c color.RGBA) (n, pure int) {
	for y := range cellH {
		for x := range cellW {
			switch img.RGBAAt(column*cellW+x, y) {
			case black:
			case c:
				pure++
				fallthrough
			default:
				n++
			}
		}
	}
	return n, pure
}

func TestDraw(t *testing.T) {
	img, missing := dark.Draw("\x1b[38;2;255;0;0m█\x1b[0m ▄A\x1b[7m \x1b[27mε⣿", 7, 1)
	if size := img.Rect.Size(); missing != "" || size != image.Pt(7*9, 18) {
		t.Errorf("%v, no shape for %q", size, missing)
	}
	for column, want := range []struct {
		c         color.RGBA
		low, high int
		pure      bool // no blend of ink and ground
	}{
		{red, 162, 162, true}, {white, 0, 0, true}, {white, 81, 81, true}, {white, 20, 80, false},
		{white, 162, 162, true}, {white, 20, 80, false}, {white, 60, 80, true},
	} {
		n, pure := covered(img, column, want.c)
		if n < want.low || n > want.high || want.pure && pure != n {
			t.Errorf("column %d: %d pixels, %d of them pure, want %d to %d", column, n, pure, want.low, want.high)
		}
	}
}

// Lines of neighbouring cells meet.
func TestFramesJoin(t *testing.T) {
	img, _ := dark.Draw("╭─╮", 3, 1)
	for x := cellW / 2; x < 2*cellW+cellW/2; x++ {
		if img.RGBAAt(x, cellH/2) != white {
			t.Fatalf("a gap at %d", x)
		}
	}
}

func TestMissingIsTold(t *testing.T) {
	if _, missing := dark.Draw("漢", 2, 1); missing != "漢" {
		t.Errorf("%q", missing)
	}
}

func TestFilm(t *testing.T) {
	var f film
	a, _ := dark.Draw("ab", 2, 1)
	b, _ := dark.Draw("aX", 2, 1)
	f.Add(a, 10)
	f.Add(b, 20)
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&out)
	if err != nil || len(g.Image) != 2 || g.Delay[1] != 20 {
		t.Fatalf("%v", err)
	}
	if g.Image[1].Rect.Min.X < cellW {
		t.Errorf("the second frame repeats what did not change: %v", g.Image[1].Rect)
	}
}
