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
	}{
		{200, 55, Three}, {120, 36, Two}, {80, 24, Column}, {60, 18, Single},
		{59, 18, TooSmall}, {60, 17, TooSmall}, {200, 24, Two}, {80, 60, Column},
	} {
		if got := Arrange(c.w, c.h, Want{}).Mode; got != c.want {
			t.Errorf("%d×%d: mode %d, want %d", c.w, c.h, got, c.want)
		}
	}
}

func ExampleArrange() {
	l := Arrange(120, 36, Want{})
	fmt.Println(l.Slots[Stack], l.Slots[Bounds], l.Slots[Detail].Visible())
	// Output: {0 2 56 7} {56 2 64 16} false
}

// The tabs are a line where the bounds or a chart stand alone, on the first screen; else they are in the frame of the
// chart. Other screens have none: the digits are not their keys.
func TestTabsAreOfTheFirstScreen(t *testing.T) {
	for _, c := range []struct {
		want Want
		tabs bool
	}{{Want{}, false}, {Want{Chart: true}, true}, {Want{Full: true}, true}, {Want{Single: true}, false}} {
		l := Arrange(80, 24, c.want)
		if l.Tabs.Visible() != c.tabs || l.Review.Visible() == c.want.Single {
			t.Errorf("%+v: tabs %v, review %v", c.want, l.Tabs, l.Review)
		}
	}
	if l := Arrange(70, 20, Want{}); !l.Tabs.Visible() {
		t.Error("one pane at a time, without tabs")
	}
}

// A chart is on the screen from the start wherever there are more panes than one; at the usual size it has at least
// nine rows of plot above a stack of three (the frame, two titles and the axis take six), and what a short stack does
// not need is its own.
func TestChartFromTheStart(t *testing.T) {
	for w := 80; w <= 240; w += 7 {
		for h := 24; h <= 80; h++ {
			for _, entries := range []int{1, 3, 12, 1000} {
				l := Arrange(w, h, Want{Entries: entries, Bounds: 7})
				if c, b := l.Slots[Chart], l.Slots[Bounds]; c.H < 5 || b.H < FoldedBounds || l.Slots[Stack].H < 4 {
					t.Fatalf("%d×%d, %d entries: %v", w, h, entries, l.Slots)
				}
			}
		}
	}
	short, long := Arrange(120, 36, Want{Entries: 3, Bounds: 7}), Arrange(120, 36, Want{Entries: 12, Bounds: 7})
	if short.Slots[Chart].H < 9+6 || long.Slots[Chart].H >= short.Slots[Chart].H {
		t.Errorf("the chart has %d lines beside three entries, %d beside twelve", short.Slots[Chart].H, long.Slots[Chart].H)
	}
}
