package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Where the window is too small for a screen, no key acts on one: a dialog stays as it was,
// nothing is dropped or saved, and unsaved changes are not left.
func TestKeysActOnWhatIsSeen(t *testing.T) {
	small, large := tea.WindowSizeMsg{Width: 20, Height: 5}, tea.WindowSizeMsg{Width: 120, Height: 36}
	a := start(t, 120, 36, setup{})
	before := a.Doc.Version()
	send(a, small)
	press(a, "x", "t", "a", "s", "ctrl+n", "delete", ":")
	if a.Doc.Version() != before || len(a.Dialogs) > 0 {
		t.Errorf("version %d became %d, %d dialogs", before, a.Doc.Version(), len(a.Dialogs))
	}
	send(a, large)
	press(a, "a")
	typed(a, "gauss")
	was := a.View()
	send(a, small)
	press(a, "enter", "esc", "q", "ctrl+c")
	if send(a, large); a.View() != was {
		t.Errorf("another screen than before:\n%s", ansi.Strip(a.View()))
	}
	press(a, "esc", "+")
	send(a, small)
	if view := ansi.Strip(a.View()); !strings.Contains(view, "unsaved changes") {
		t.Errorf("it does not say that there are changes:\n%s", view)
	}
	if press(a, "q", "ctrl+c", "d"); a.quiet {
		t.Error("it left with unsaved changes")
	}
	send(a, large)
	press(a, "u")
	send(a, small)
	if press(a, "q"); !a.quiet {
		t.Error("it did not leave, with nothing to lose")
	}
}

// The catalogue is searched by the names of the scenario file too, and enter on nothing adds
// nothing: the keys after it are no commands.
func TestAddByTheNameInTheFile(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "a")
	typed(a, "select")
	if view := ansi.Strip(a.View()); !strings.Contains(view, "Best of runs") {
		t.Errorf("select does not find it:\n%s", view)
	}
	version := a.Doc.Version()
	typed(a, "zzz")
	if press(a, "enter", "x"); a.Doc.Version() != version || len(a.Dialogs) != 1 {
		t.Errorf("version %d became %d, %d dialogs", version, a.Doc.Version(), len(a.Dialogs))
	}
	press(a, "esc", ":")
	typed(a, "zzz")
	if press(a, "enter", "x"); a.Doc.Version() != version || len(a.Dialogs) != 1 {
		t.Errorf("commands: version %d became %d, %d dialogs", version, a.Doc.Version(), len(a.Dialogs))
	}
}
