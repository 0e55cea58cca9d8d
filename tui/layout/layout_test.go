package layout

import (
	"fmt"
	"testing"
)

// Every size from 1×1 to 300×100: the parts tile the screen without gap or overlap.
func TestArrangeTilesEverySize(t *testing.T) {
	for w := 1; w <= 300; w++ {
		for h := 1; h <= 100; h++ {
			for i, want := range []Want{
				{Focus: Bounds}, {Focus: Stack, Entries: 3}, {Focus: Chart, Chart: true, Entries: 1000},
				{Full: true}, {Single: true}, {Focus: Stack, Notice: 5, Entries: 3},
				{Bare: true}, {Bare: true, Chart: true}, {Bare: true, Single: true, Notice: 5},
			} {
				if err := tiles(Arrange(w, h, want), w, h); err != nil {
					t.Fatalf("%d×%d, want %d: %v", w, h, i, err)
				}
			}
		}
	}
}

func tiles(l Layout, w, h int) error {
	parts := append([]Rect{l.Header, l.Review, l.Tabs, l.Notice, l.Footer}, l.Slots[:]...)
	if l.Mode == TooSmall {
		parts = []Rect{l.Body}
	}
	area := 0
	for i, a := range parts {
		if !a.Visible() {
			continue
		}
		if a.X < 0 || a.Y < 0 || a.X+a.W > w || a.Y+a.H > h {
			return fmt.Errorf("%v sticks out", a)
		}
		area += a.W * a.H
		for _, b := range parts[:i] {
			if b.Visible() && a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
				return fmt.Errorf("%v and %v overlap", a, b)
			}
		}
	}
	if area != w*h {
		return fmt.Errorf("%d of %d cells are covered", area, w*h)
	}
	return nil
}

func TestModes(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want Mode
	}{{200, 55, Three}, {120, 36, Two}, {80, 24, Column}, {60, 18, Single}, {59, 18, TooSmall}, {60, 17, TooSmall}, {200, 24, Two}, {80, 60, Column}} {
		if got := Arrange(c.w, c.h, Want{}).Mode; got != c.want {
			t.Errorf("%d×%d: mode %d, want %d", c.w, c.h, got, c.want)
		}
	}
}

func ExampleArrange() {
	l := Arrange(120, 36, Want{})
	fmt.Println(l.Slots[Stack], l.Slots[Bounds], l.Slots[Detail].Visible())
	// Output: {0 2 56 10} {56 2 64 20} false
}

// The tabs of the first screen are not on the others, whose keys the digits are not.
func TestTabsAreOfTheFirstScreen(t *testing.T) {
	if first, other := Arrange(80, 24, Want{}), Arrange(80, 24, Want{Single: true}); !first.Tabs.Visible() || other.Tabs.Visible() || other.Body.H != first.Body.H+2 || !first.Review.Visible() || other.Review.Visible() {
		t.Errorf("tabs %v and %v, body %v and %v", first.Tabs, other.Tabs, first.Body, other.Body)
	}
}
