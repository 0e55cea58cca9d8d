package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"epsiloscope/tui/draw"
	"epsiloscope/tui/text"
)

// Dialog stands over the screen and sees every key first. It closes itself with
// App.pop.
type Dialog interface {
	HandleKey(tea.KeyMsg) tea.Cmd
	// View is the dialog as lines of one width, at most w×h.
	View(w, h int) []string
}

// receiver is a dialog that asked for something to be computed.
type receiver interface{ Receive(tea.Msg) tea.Cmd }

// mouser is a dialog that takes the mouse.
type mouser interface{ HandleMouse(tea.MouseMsg) tea.Cmd }

func (a *App) push(d Dialog) { a.dialogs = append(a.dialogs, d) }

func (a *App) pop() {
	if n := len(a.dialogs); n > 0 {
		a.dialogs = a.dialogs[:n-1]
	}
}

// boxed frames the lines of a dialog, with its keys on the last one: "enter take
// it   esc cancel".
func (a *App) boxed(title string, lines []string, foot string, w, h int) []string {
	inner, rows := draw.Inner(w, h)
	body := text.Box(lines, inner, rows-1)
	l := a.pen.Line(inner)
	if text.Width(foot) > inner { // the keys stay, the prose before them goes
		if prose, keys, ok := strings.Cut(foot, "   "); ok && strings.Contains(prose, ": ") {
			foot = keys
		}
	}
	for hint := range strings.SplitSeq(foot, "   ") {
		key, words, _ := strings.Cut(hint, " ")
		if strings.HasSuffix(key, ":") { // prose, not a key
			l.Put(a.pen.Muted, hint).Skip(3)
			continue
		}
		l.Put(a.pen.Key, key).Put(a.pen.Muted, " "+words).Skip(3)
	}
	return a.pen.Frame(draw.Frame{Title: title, Focus: true}, append(body, l.String()), w, h)
}

// confirm asks one question with a few answers, each on its own key.
type confirm struct {
	a        *App
	title    string
	question []string
	answers  []answer
}

type answer struct {
	key, text string
	do        func(*App) tea.Cmd
}

func (c *confirm) HandleKey(msg tea.KeyMsg) tea.Cmd {
	for _, x := range c.answers {
		if msg.String() == x.key {
			c.a.pop()
			if x.do == nil {
				return nil
			}
			return x.do(c.a)
		}
	}
	if msg.String() == "esc" {
		c.a.pop()
	}
	return nil
}

func (c *confirm) View(w, h int) []string {
	p := c.a.pen
	w = min(w-2, 72)
	inner, _ := draw.Inner(w, h)
	out := writer{p, inner, nil}
	for _, q := range c.question {
		out.prose(p.Text, q)
	}
	out.gap()
	for _, x := range c.answers {
		out.add(p.Line(inner).Skip(1).Left(p.Key, keyName(x.key), 6).Put(p.Text, x.text))
	}
	out.add(p.Line(inner).Skip(1).Left(p.Key, "esc", 6).Put(p.Muted, "cancel"))
	h = min(h, len(out.lines)+2)
	return p.Frame(draw.Frame{Title: c.title, Focus: true}, text.Box(out.lines, inner, h-2), w, h)
}
