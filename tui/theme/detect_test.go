package theme

import (
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
)

func env(pairs ...string) func(string) string {
	return func(key string) string {
		for _, p := range pairs {
			if k, v, _ := strings.Cut(p, "="); k == key {
				return v
			}
		}
		return ""
	}
}

func TestDetectWithoutTerminal(t *testing.T) {
	for _, c := range []struct {
		env  []string
		dark bool
	}{
		{nil, true},
		{[]string{"COLORFGBG=15;0"}, true},
		{[]string{"COLORFGBG=0;15"}, false},
		{[]string{"COLORFGBG=0;default;7"}, false},
		{[]string{"COLORFGBG=0;8"}, true},
		{[]string{"COLORFGBG=broken"}, true},
		{[]string{"COLORFGBG=0;99"}, true},
		{[]string{"TERM=xterm-256color"}, true},
	} {
		if got := detect(env(c.env...), nil, nil); got != c.dark {
			t.Errorf("%v: dark = %t", c.env, got)
		}
	}
}

func TestParseBackground(t *testing.T) {
	for reply, want := range map[string]struct{ dark, ok bool }{
		"\x1b]11;rgb:ffff/ffff/ffff\x1b\\":           {false, true},
		"\x1b]11;rgb:1e1e/1e1e/1e1e\x07\x1b[?62;c":   {true, true},
		"\x1b]11;rgb:fd/f6/e3\x1b\\":                 {false, true}, // Solarized light
		"\x1b]11;rgb:00/2b/36\x1b\\":                 {true, true},  // Solarized dark
		"\x1b]11;rgba:ffff/ffff/ffff/ffff\x1b\\":     {false, true},
		"\x1b[?62;c":                                 {false, false},
		"\x1b]11;rgb:zz/zz/zz\x1b\\":                 {false, false},
		"":                                           {false, false},
		"\x1b]11;rgb:fffff/fffff/fffff\x1b\\ broken": {false, false},
	} {
		if dark, ok := parseBackground(reply); dark != want.dark || ok != want.ok {
			t.Errorf("%q: %t, %t", reply, dark, ok)
		}
	}
}

// terminal opens a pseudo-terminal that answers every question with reply.
func terminal(t *testing.T, reply string) (tty *os.File, asked func() string) {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal here:", err)
	}
	got := make(chan string, 1)
	go func() {
		buf := make([]byte, 256)
		n, _ := master.Read(buf)
		_, _ = master.WriteString(reply)
		got <- string(buf[:n])
	}()
	t.Cleanup(func() { tty.Close(); master.Close() })
	return tty, func() string { return <-got }
}

func TestDetectAsksTheTerminal(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		dark        bool
	}{
		{"light", "\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c", false},
		{"dark", "\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62;22c", true},
		{"does not know OSC 11", "\x1b[?6c", true},
		{"never answers", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			tty, asked := terminal(t, c.reply)
			if got := detect(env("TERM=xterm"), tty, tty); got != c.dark {
				t.Errorf("dark = %t", got)
			}
			if q := asked(); !strings.HasPrefix(q, "\x1b]11;?") {
				t.Errorf("asked %q", q)
			}
		})
	}
}

// Where an answer would be wrong or late the terminal is not asked at all: a query
// would fail the test by leaving a reader on a pseudo-terminal without a partner.
func TestDetectStaysSilent(t *testing.T) {
	for _, e := range [][]string{
		{"TERM=screen-256color"}, {"TERM=xterm", "TMUX=/tmp/x"}, {"TERM=xterm", "SSH_TTY=/dev/pts/1"},
		{"TERM=dumb"}, {"TERM=xterm", "COLORFGBG=15;0"},
	} {
		master, tty, err := pty.Open()
		if err != nil {
			t.Skip("no pseudo-terminal here:", err)
		}
		detect(env(e...), tty, tty)
		_, _ = tty.WriteString("mark")
		buf := make([]byte, 64)
		if n, _ := master.Read(buf); string(buf[:n]) != "mark" {
			t.Errorf("%v: wrote %q to the terminal", e, buf[:n])
		}
		tty.Close()
		master.Close()
	}
}

func TestAuto(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
		want string
		ok   bool
	}{
		{"auto", []string{"NO_COLOR=1"}, "mono", true},
		{"", []string{"NO_COLOR=1", "COLORFGBG=0;15"}, "mono", true},
		{"light", []string{"NO_COLOR=1"}, "light", true}, // an explicit wish; the renderer still drops colour
		{"auto", []string{"COLORFGBG=0;15"}, "light", true},
		{"colour-blind", []string{"COLORFGBG=0;15"}, "colour-blind-light", true},
		{"nonsense", nil, "dark", false},
	} {
		got, ok := Auto(c.name, env(c.env...), nil, nil)
		if got.Name != c.want || ok != c.ok {
			t.Errorf("Auto(%q) with %v = %s, %t; want %s, %t", c.name, c.env, got.Name, ok, c.want, c.ok)
		}
	}
}
