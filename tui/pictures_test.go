package tui

import (
	"context"
	"flag"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"epsiloscope/tui/theme"
)

var pictures = flag.Bool("pictures", false, "draw the pictures of the documentation")

const pictureFolder = "../docs/pictures"

// shots are the pictures of the documentation: the scenario, the keys pressed and
// the size of the screen.
var shots = []struct {
	name, theme, open string
	w, h              int
	keys              []string
}{
	{"home-dark", "dark", "", 120, 36, nil},
	{"home-light", "light", "", 120, 36, nil},
	{"home-80x24", "dark", "", 80, 24, nil},
	{"chart", "dark", "", 120, 36, []string{"1", "f"}},
	{"why", "light", "", 120, 36, []string{"w"}},
	{"map", "dark", "", 120, 36, []string{"v", "tab"}},
	{"labs", "dark", "", 120, 36, []string{"b", "enter"}},
}

// demo is the session of the animation: keys, and how long each is looked at, in
// hundredths of a second.
var demo = []struct {
	keys []string
	wait int
}{
	// Over the budget.
	{nil, 180}, {[]string{"+"}, 50}, {[]string{"+"}, 50}, {[]string{"+"}, 50}, {[]string{"+"}, 50}, {[]string{"+"}, 200},
	{[]string{"p"}, 240}, {[]string{"enter"}, 100}, {[]string{"esc"}, 160}, // and back: the ε that just fits
	{[]string{"1"}, 180}, {[]string{"w"}, 200}, {[]string{"esc", "0", "b"}, 200}, {[]string{" ", ".", ".", ".", ".", ".", ".", ".", ".", ".", ".", "."}, 90},
	{[]string{".", ".", ".", ".", ".", ".", ".", ".", ".", ".", ".", "."}, 90}, {[]string{"esc"}, 300}, // and a lab runs
}

// The animation tells what the page beside it says: over the budget, back, and a lab.
func TestDemoTellsItsStory(t *testing.T) {
	a := welcomed(t, 80, 24, setup{})
	var over, back, lab int
	for i, step := range demo {
		press(a, step.keys...)
		view := ansi.Strip(a.View())
		switch {
		case over == 0 && strings.Contains(view, "over the budget"):
			over = i
		case over > 0 && back == 0 && strings.Contains(view, "fits the budget"):
			back = i
		case back > 0 && lab == 0 && strings.Contains(view, "Step "):
			lab = i
		}
	}
	if over == 0 || back == 0 || lab == 0 {
		t.Errorf("over at %d, back at %d, a lab at %d", over, back, lab)
	}
}

// explorer opens the real thing, whose computations have all arrived.
func explorer(t *testing.T, look, open string, w, h int) *App {
	t.Helper()
	th, _ := theme.ByName(look)
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.TrueColor)
	doc, err := load(open, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := newApp(context.Background(), Options{theme: th, renderer: r, eager: true}, doc)
	t.Cleanup(a.Jobs.Close)
	drain(a, a.Init())
	send(a, tea.WindowSizeMsg{Width: w, Height: h})
	return a
}

// grounds are what the terminals of the pictures are set to.
var grounds = map[string]picturedScreen{
	"dark":  {Ink: color.RGBA{0xd8, 0xde, 0xe9, 255}, Ground: color.RGBA{0x14, 0x17, 0x1f, 255}},
	"light": {Ink: color.RGBA{0x22, 0x26, 0x2e, 255}, Ground: color.RGBA{0xfa, 0xfa, 0xf7, 255}},
}

func shot(t *testing.T, a *App, look string) *image.RGBA {
	t.Helper()
	img, missing := grounds[look].Draw(a.View(), a.w, a.h)
	if missing != "" {
		t.Errorf("there is no shape for %q", missing)
	}
	return img
}

// The pictures are made by the program itself:
//
//	go test ./tui -run Pictures -pictures
func TestPictures(t *testing.T) {
	if !*pictures {
		t.Skip("draws only with -pictures")
	}
	if err := os.MkdirAll(pictureFolder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, s := range shots {
		a := explorer(t, s.theme, s.open, s.w, s.h)
		press(a, s.keys...)
		keep(t, s.name+".png", func(w io.Writer) error {
			return (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(w, paletted(shot(t, a, s.theme)))
		})
	}
	var strip film
	a := explorer(t, "dark", "", 80, 24)
	for _, step := range demo {
		press(a, step.keys...)
		strip.Add(shot(t, a, "dark"), step.wait)
	}
	keep(t, "demo.gif", strip.Write)
}

func keep(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	f, err := os.Create(filepath.Join(pictureFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := write(f); err != nil {
		t.Fatal(err)
	}
}

// Every picture is there, small enough to load at once, and whole.
func TestPicturesAreWhole(t *testing.T) {
	for _, s := range shots {
		checkPicture(t, s.name+".png", func(r io.Reader) error { _, err := png.Decode(r); return err })
	}
	checkPicture(t, "demo.gif", func(r io.Reader) error { _, err := gif.DecodeAll(r); return err })
}

func checkPicture(t *testing.T, name string, decode func(io.Reader) error) {
	t.Helper()
	f, err := os.Open(filepath.Join(pictureFolder, name))
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > 300<<10 {
		t.Errorf("%s has more than 300 KiB", name)
	}
	if err := decode(f); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}
