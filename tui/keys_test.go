package tui

import (
	"regexp"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	_ "github.com/charmbracelet/x/exp/golden" // declares -update

	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
	"epsiloscope/tui/kit"
	"epsiloscope/tui/layout"
)

func TestKeysDocument(t *testing.T) {
	gauge.CompareDocument(t, "../docs/keys.md", keysMarkdown(), gauge.Markdown)
}

// On one screen a key means one thing; only a focused pane may take it first.
func TestNoKeyTwiceOnAScreen(t *testing.T) {
	a := start(t, 120, 36, setup{})
	for i, s := range a.screens {
		a.screen = i
		seen := map[string]string{}
		for _, table := range a.tables() {
			for _, b := range table.Bindings {
				if b.Do == nil || b.Name == "" || len(b.Keys()) == 0 {
					t.Errorf("%s: incomplete binding %+v", s.name, b)
				}
				for _, k := range b.Keys() {
					if was, twice := seen[k]; twice {
						t.Errorf("%s: %q is both %q and %q", s.name, k, was, b.Name)
					}
					seen[k] = b.Name
				}
			}
		}
	}
}

// Every action has an id of small words, which stands for one action only on a screen.
func TestActionsHaveIDs(t *testing.T) {
	a := start(t, 120, 36, setup{})
	form := regexp.MustCompile(`^[a-z]+(-[a-z]+)*(\.[a-z0-9]+(-[a-z]+)*)?$`)
	for _, table := range a.allTables() {
		for _, b := range table.Bindings {
			if !form.MatchString(b.ID) {
				t.Errorf("%s: %q has the id %q", table.Name, b.Name, b.ID)
			}
		}
	}
	for i, s := range a.screens {
		a.screen = i
		seen := map[string]string{}
		for _, table := range append([]kit.Table{a.paletteTable()}, a.tables()...) {
			for _, b := range table.Bindings {
				if was, twice := seen[b.ID]; twice {
					t.Errorf("%s: %s is both %q and %q", s.name, b.ID, was, b.Name)
				}
				seen[b.ID] = b.Name
			}
		}
	}
}

// The palette and the help offer exactly what the tables dispatch. The quick form looks for every third action in the
// palette.
func TestPaletteAndHelpShowEveryBinding(t *testing.T) {
	a := start(t, 200, 100, setup{})
	press(a, "help")
	shown := ansi.Strip(a.View())
	press(a, "esc")
	for _, table := range a.tables() {
		for i, b := range table.Bindings {
			if !strings.Contains(shown, b.Name) {
				t.Errorf("help lacks %q on one line, which has 55 characters", b.Name)
			}
			if i%gauge.Cases(3, 1) != 0 {
				continue
			}
			press(a, "commands", b.Name) // pasted, as it were
			if !strings.Contains(ansi.Strip(a.View()), b.Name+" ") {
				t.Errorf("the palette lacks %q", b.Name)
			}
			press(a, "esc")
		}
	}
}

// Where the help has one column, neither a key nor a line of it is cut.
func TestHelpCutsNothing(t *testing.T) {
	for _, screen := range []string{"esc", "$", "w"} {
		a := start(t, 80, 200, setup{})
		press(a, screen, "help")
		shown := ansi.Strip(a.View())
		if strings.Contains(shown, "…") {
			t.Errorf("%s: something is cut:\n%s", screen, shown)
		}
		for _, table := range a.tables() {
			for _, b := range table.Bindings {
				if !strings.Contains(shown, " "+b.Label()+" ") {
					t.Errorf("help lacks the keys %q", b.Label())
				}
			}
		}
	}
}

func TestPaletteRunsWhatItFinds(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "commands")
	typed(a, "duplicate")
	press(a, "enter")
	if n := len(a.Doc.Rows()); n != 4 {
		t.Errorf("%d rows after duplicating one of three", n)
	}
}

// reference lists every table of the explorer once, for the documentation.
func (a *App) reference() []kit.Table {
	tables := append([]kit.Table{}, a.general[1:]...)
	tables = append(tables, a.general[0])
	tables = append(tables, a.screens[0].tables...)
	for i := range layout.Slots {
		tables = append(tables, a.home.Pane(i).Keys())
	}
	for _, s := range a.screens[1:] {
		tables = append(tables, s.pane.Keys())
	}
	a.beginTour()
	return append(tables, a.tourTables()...)
}

// keysMarkdown returns the reference of every key, as docs/keys.md holds it.
func keysMarkdown() string {
	a := bareApp()
	defer a.Jobs.Close()
	var b strings.Builder
	b.WriteString("# Keys\n\nMade from the tables that dispatch them: `go test ./tui -run TestKeysDocument -update` writes this file.\n" +
		"In the explorer `?` shows the keys of the screen, and `:` finds any action by its name.\n" +
		"A configuration gives other keys to an action by its name in the last column: [Configuration](configuration.md).\n")
	for _, t := range a.reference() {
		if len(t.Bindings) == 0 {
			continue
		}
		b.WriteString("\n## " + t.Name + "\n\n| keys | what they do | action |\n|---|---|---|\n")
		for _, x := range t.Bindings {
			keys := make([]string, len(x.Keys()))
			for i, k := range x.Keys() {
				keys[i] = "`" + kit.KeyName(k) + "`"
			}
			b.WriteString("| " + strings.Join(keys, " ") + " | " + strings.ReplaceAll(x.Name, "|", "\\|") + " | `" + x.ID + "` |\n")
		}
	}
	return b.String()
}

// Keys that arrive in one message, as those of a held key do over a slow line, all count.
func TestKeysThatComeTogether(t *testing.T) {
	one, together := start(t, 120, 36, setup{}), start(t, 120, 36, setup{})
	press(one, "knob.up", "knob.up", "knob.up", "knob.next", "knob.up", "home.down", "knob.type", "5")
	send(together, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("+++n+j=5")})
	if want, got := plainView(one), plainView(together); got != want {
		t.Errorf("one by one:\n%s\ntogether:\n%s", want, got)
	}
	silent := start(t, 120, 36, setup{})
	send(silent, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("ujjj")})
	if !strings.Contains(plainView(silent), "nothing to undo") {
		t.Errorf("what the first of four keys has to say was never drawn:\n%s", plainView(silent))
	}
}

// In the narrowest window every digit still says what it shows.
func TestTabsOfTheNarrowestWindow(t *testing.T) {
	for _, keys := range [][]string{{"0"}, {"1"}, {"9"}} {
		a := start(t, 60, 18, setup{})
		press(a, keys...)
		if line := strings.Split(plainView(a), "\n")[2]; !strings.HasSuffix(strings.TrimSpace(line), "9 loss") {
			t.Errorf("after %s: %q", keys, line)
		}
	}
}

// Knobs that are out of sight are counted above those in sight.
func TestKnobsOutOfSightAreCounted(t *testing.T) {
	loaded, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	s := &script{t: t, a: start(t, 120, 36, setup{scenario: loaded})}
	s.sees("Knobs ─").press("stack.add").numbers("best of runs").press("enter").sees("Knobs, 1–6 of 8").press("knob.previous").sees("Knobs, 3–8 of 8", "▸ budget")
}

// The word by which an action is known finds it first: tour, share, theme names, and every screen by the first word of
// its title.
func TestPaletteFindsTheWordFirst(t *testing.T) {
	a := start(t, 120, 36, setup{})
	words := map[string]string{"tour": "Tour: ten short steps", "share": "Share: one HTML page", "picture": "Picture:", "save": "Save the scenario", "quit": "Quit", "undo": "Take the last change back", "help": "Show every key", "export": "Export", "open": "Open from the library"}
	for _, s := range a.screens[1:] {
		word, _, _ := strings.Cut(s.title, ":")
		words[strings.ToLower(word)] = s.title
	}
	for word, want := range words {
		press(a, "commands")
		typed(a, word)
		if !strings.Contains(plainView(a), "▸ "+want) {
			t.Errorf(":%s does not find %q first:\n%s", word, want, plainView(a))
		}
		press(a, "esc")
	}
}
