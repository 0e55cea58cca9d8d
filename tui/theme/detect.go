package theme

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/lucasb-eyer/go-colorful"
	"github.com/muesli/cancelreader"
)

// queryLimit is the time a terminal may take to report its background. A terminal that does not
// answer must not keep the first screen waiting.
const queryLimit = 150 * time.Millisecond

// Auto chooses the theme when the explorer starts: mono if NO_COLOR is set (see
// no-color.org: any non-empty value), otherwise the named palette for the
// background the terminal has. It reports false for an unknown name.
func Auto(name string, getenv func(string) string, in, out *os.File) (Theme, bool) {
	if getenv("NO_COLOR") != "" && (name == "" || name == "auto") {
		return ByName(Mono)
	}
	_, variants := ByName(name + "-light")
	if t, ok := ByName(name); ok && !variants {
		return t, true // no need to ask the terminal anything
	}
	return Pick(name, detect(getenv, in, out))
}

// detect reports whether the background is dark: from COLORFGBG if the terminal
// sets it, else by asking the terminal itself. It assumes dark when neither tells.
//
// It does not ask inside tmux and screen, which often answer for the wrong pane,
// nor over SSH, where an answer later than the limit would arrive as key presses.
func detect(getenv func(string) string, in, out *os.File) bool {
	if dark, ok := fromColorFGBG(getenv("COLORFGBG")); ok {
		return dark
	}
	term := getenv("TERM")
	multiplexed := strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux") || getenv("TMUX") != ""
	remote := getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != ""
	if multiplexed || remote || term == "" || term == "dumb" || term == "linux" {
		return true
	}
	if dark, ok := query(in, out); ok {
		return dark
	}
	return true
}

// fromColorFGBG reads "fg;bg" or "fg;default;bg" with ANSI colour numbers, as rxvt,
// Konsole and others set it: 7 and 9–15 are light backgrounds.
func fromColorFGBG(v string) (dark, ok bool) {
	parts := strings.Split(v, ";")
	if len(parts) < 2 {
		return false, false
	}
	bg, err := strconv.Atoi(parts[len(parts)-1])
	if err != nil || bg < 0 || bg > 15 {
		return false, false
	}
	return bg != 7 && bg < 9, true
}

// query asks with OSC 11, followed by a request for device attributes, which every
// terminal answers: its reply ends the wait where OSC 11 is unknown.
func query(in, out *os.File) (dark, ok bool) {
	if in == nil || out == nil || !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) {
		return false, false
	}
	state, err := term.MakeRaw(in.Fd())
	if err != nil {
		return false, false
	}
	defer func() { _ = term.Restore(in.Fd(), state) }()
	r, err := cancelreader.NewReader(in)
	if err != nil {
		return false, false
	}
	defer r.Close()
	if _, err := out.WriteString("\x1b]11;?\x1b\\\x1b[c"); err != nil {
		return false, false
	}
	timer := time.AfterFunc(queryLimit, func() { r.Cancel() })
	defer timer.Stop()
	var reply []byte
	buf := make([]byte, 64)
	for len(reply) < 1024 && !attributes().Match(reply) {
		n, err := r.Read(buf)
		reply = append(reply, buf[:n]...)
		if err != nil {
			break
		}
	}
	return parseBackground(string(reply))
}

var (
	attributes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\x1b\[\?[0-9;]*c`) })
	background = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})`)
	})
)

// parseBackground decides by relative luminance (WCAG 2.1); X11 colour parts have
// one to four hexadecimal digits.
func parseBackground(reply string) (dark, ok bool) {
	m := background().FindStringSubmatch(reply)
	if m == nil {
		return false, false
	}
	var c [3]float64
	for i, digits := range m[1:] {
		v, err := strconv.ParseUint(digits, 16, 32)
		if err != nil {
			return false, false
		}
		c[i] = float64(v) / float64(uint(1)<<(4*len(digits))-1)
	}
	return luminance(c[0], c[1], c[2]) < 0.18, true
}

// luminance returns the relative luminance of an sRGB colour with parts in [0, 1]
// (WCAG 2.1, "relative luminance").
func luminance(r, g, b float64) float64 {
	r, g, b = colorful.Color{R: r, G: g, B: b}.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}
