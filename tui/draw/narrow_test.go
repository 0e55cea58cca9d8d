package draw

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestSingleRunesTakeOneCell(t *testing.T) {
	for r := rune(0x80); r < 0x30000; r++ {
		if single(r) && (ansi.StringWidth(string(r)) != 1 || ansi.StringWidth("x"+string(r)+"x") != 3) {
			t.Errorf("%U %q does not take one cell", r, r)
		}
	}
}

func TestWidthIsThatOfAnsi(t *testing.T) {
	piece := rapid.OneOf(rapid.SampledFrom([]string{"ε = 5.31", "\x1b[1;38;5;12m", "\x1b[0m", "日本", "e\u0301", "▄▖", "\x1b[2J", "\x1b]0;x\x07", "⣀⡠"}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		s := ""
		for _, p := range rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces") {
			s += p
		}
		if got, want := Width(s), ansi.StringWidth(s); got != want {
			t.Fatalf("Width(%q) = %d, ansi says %d", s, got, want)
		}
	})
}
