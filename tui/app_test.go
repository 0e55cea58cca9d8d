package tui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestLook(t *testing.T) {
	for _, s := range [][2]int{{80, 24}, {120, 36}, {200, 55}, {60, 18}} {
		a := start(t, s[0], s[1], setup{})
		fmt.Println(ansi.Strip(a.View()))
	}
}
