package tui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/internal/gauge"
	"epsiloscope/tui/draw"
)

// exact fails unless the view is exactly w×h and holds no control character but
// the escape sequences of its own styles.
func exact(t testing.TB, a *App, what string) {
	t.Helper()
	if err := inexact(a); err != nil {
		t.Fatalf("%s at %d×%d: %v", what, a.w, a.h, err)
	}
}

func inexact(a *App) error {
	lines := strings.Split(a.View(), "\n")
	if len(lines) != a.h {
		return fmt.Errorf("%d lines", len(lines))
	}
	for i, l := range lines {
		if w := draw.Width(l); w != a.w {
			return fmt.Errorf("line %d is %d wide: %q", i, w, ansi.Strip(l))
		}
		if at := control(l); at >= 0 {
			return fmt.Errorf("line %d holds a control character: %q", i, l[at:])
		}
	}
	return nil
}

// control returns where a control character stands, C1 included; -1 if none does. The one
// that starts a colour is left to harmless.
func control(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' && c != 0x1b, c == 0x7f, c == 0xc2 && s[i+1] < 0xa0:
			return i
		}
	}
	return -1
}

// The largest terminal of the walk.
const walkWidth, walkHeight = 300, 100

// walkSizes returns the sizes a sight is walked through. The long form is every one from
// 1×1 on. The short form has every 25th width and every tenth height, each beside one
// of the heights and widths where something changes, and ten others at random; the quick
// form every hundredth width and height and one other. Which they are differs from sight to sight but not from run to
// run, so that all sights together meet every width and every height.
func walkSizes(sight int) (sizes [][2]int) {
	if gauge.Long() {
		for i := range walkWidth * walkHeight {
			sizes = append(sizes, [2]int{i%walkWidth + 1, i/walkWidth + 1})
		}
		return sizes
	}
	heights, widths := []int{18, 24, 28, 36, 55, 100, 17}, []int{60, 80, 110, 120, 170, 200, 300, 59}
	apart, above, others := gauge.Cases(100, 25), gauge.Cases(100, 10), gauge.Cases(1, 10)
	for w := 1 + sight%apart; w <= walkWidth; w += apart {
		sizes = append(sizes, [2]int{w, heights[(w/apart+sight)%len(heights)]})
	}
	for h := 1 + sight%above; h <= walkHeight; h += above {
		sizes = append(sizes, [2]int{widths[(h/above+sight)%len(widths)], h})
	}
	random := rand.New(rand.NewPCG(4, uint64(sight)))
	for range others {
		sizes = append(sizes, [2]int{1 + random.IntN(walkWidth), 1 + random.IntN(walkHeight)})
	}
	if testing.Short() { // the race detector has nothing to find in a view
		sizes = sizes[len(sizes)-others:]
	}
	return sizes
}

// Every sight at every size: as many lines as the terminal has, each as wide as it.
func TestWalk(t *testing.T) {
	frames := 0
	for i, p := range gauge.Some(5, sights()) {
		t.Run(p.name, func(t *testing.T) {
			a := p.open(t, 120, 36)
			if view := ansi.Strip(a.View()); !strings.Contains(view, p.sees) {
				t.Errorf("%q is not on the screen:\n%s", p.sees, view)
			} else if strings.Contains(view, " + - ") && !bound(a, "+") {
				t.Errorf("+ and - are offered and do nothing:\n%s", view)
			}
			if view := ansi.Strip(a.View()); strings.Contains(view, "one one ") { // a unit may begin so
				t.Errorf("a word stands twice:\n%s", view)
			}
			for _, s := range walkSizes(i) {
				a.Update(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
				exact(t, a, p.name)
				frames++
			}
		})
	}
	t.Logf("%d of %d sights, %d frames", len(gauge.Some(5, sights())), len(sights()), frames)
}

// bound reports whether the screen acts on a key.
func bound(a *App, key string) bool {
	for _, table := range a.tables() {
		for _, b := range table.Bindings {
			if slices.Contains(b.Keys(), key) {
				return true
			}
		}
	}
	return false
}

func TestTooSmallSaysWhatIsNeeded(t *testing.T) {
	a := start(t, 40, 10, setup{})
	if v := a.View(); !strings.Contains(v, "60×18") || !strings.Contains(v, "40×10") {
		t.Errorf("%q", v)
	}
	exact(t, a, "too small")
}

// A key pressed at one size must not leave another size broken.
func TestResizeBetweenModes(t *testing.T) {
	a := start(t, 60, 18, setup{})
	for i, k := range []string{"tab", "tab", "3", "f", "0", "w", "esc", "tab", "z", "Z", "5", "tab"} {
		press(a, k)
		for _, s := range [][2]int{{200, 55}, {80, 24}, {120, 36}, {60, 18}, {30, 8}, {120, 28}} {
			send(a, tea.WindowSizeMsg{Width: s[0], Height: s[1]})
			exact(t, a, fmt.Sprintf("after key %d", i))
		}
	}
}
