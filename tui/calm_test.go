package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/teach/lectures"
	"epsiloscope/tui/draw"
	"epsiloscope/tui/layout"
)

var formRows = regexp.MustCompile(`(advanced KOV|RDP classic|zCDP classic) +(α=\S+ +)?[0-9.]+ `)

// Home lists one row per theorem: the classic and improved forms are folded, a key opens and folds
// them, and the cursor steps over what is folded.
func TestOtherFormsAreFolded(t *testing.T) {
	a := start(t, 120, 36, setup{})
	rows := func() int { return len(formRows.FindAllString(ansi.Strip(a.View()), -1)) }
	if n := rows(); n != 0 || !onScreen(a, "B 3 more forms: advanced KOV, RDP classic, zCDP classic") {
		t.Errorf("%d forms are listed:\n%s", n, ansi.Strip(a.View()))
	}
	if press(a, "home.forms"); rows() != 3 || !onScreen(a, "B fold") {
		t.Errorf("opened, %d forms are listed:\n%s", rows(), ansi.Strip(a.View()))
	}
	press(a, "tab", "tab", "down", "down")
	if m := a.home.Theorem(); m != accounting.AdvancedKOV {
		t.Fatalf("the cursor is on %s", m)
	}
	if press(a, "home.forms"); rows() != 0 || a.home.Theorem() != accounting.Advanced {
		t.Errorf("folded, %d forms are listed and the cursor is on %s", rows(), a.home.Theorem())
	}
	if press(a, "down"); a.home.Theorem() != accounting.Optimal {
		t.Errorf("the cursor stepped to %s", a.home.Theorem())
	}
}

// A form that is the best bound is never folded: the answer has its row.
func TestBestBoundIsNeverFolded(t *testing.T) {
	a := start(t, 120, 36, setup{})
	r := *a.Result
	r.Best = slices.IndexFunc(r.Bounds, func(b accounting.Bound) bool { return b.Method == accounting.AdvancedKOV })
	a.Result, a.Full = &r, &r
	if found := formRows.FindAllString(ansi.Strip(a.View()), -1); len(found) != 1 || !onScreen(a, "★ advanced KOV") {
		t.Errorf("%q are listed:\n%s", found, ansi.Strip(a.View()))
	}
}

// A topic whose value is that of a classic conversion opens it; another scenario has it folded again.
func TestLecturesOpenTheFormsTheyNeed(t *testing.T) {
	a := start(t, 120, 36, setup{})
	for _, needs := range []bool{true, false} {
		topic := topicThat(t, needs)
		drain(a, a.Follow(topic.Scenario(), topic.Scenario(), topic.Methods()...))
		if found := formRows.MatchString(ansi.Strip(a.View())); found != needs {
			t.Errorf("%q: needed %t, listed %t:\n%s", topic.Slides, needs, found, ansi.Strip(a.View()))
		}
	}
}

// topicThat finds a topic with a scenario that needs another form of a theorem, or does not.
func topicThat(t *testing.T, needs bool) lectures.Topic {
	t.Helper()
	for _, d := range lectures.Decks() {
		for _, topic := range d.Topics {
			needed := slices.Contains(topic.Methods(), accounting.ZCDPClassic)
			if topic.Scenario() != "" && len(topic.Methods()) > 0 && needed == needs {
				return topic
			}
		}
	}
	t.Fatalf("no topic needs it: %t", needs)
	return lectures.Topic{}
}

// The header of the ledger's screen is about the ledger: above a damaged file nothing is green, and
// no ε of the draft on the stack stands there.
func TestLedgerHeaderIsAboutTheLedger(t *testing.T) {
	source, err := os.ReadFile("ledgerview/testdata/mobility.ledger")
	if err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(t.TempDir(), "damaged.ledger")
	if err := os.WriteFile(damaged, []byte(strings.Replace(string(source), `"by":"`, `"by":"x`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, state := range map[string]string{"ledgerview/testdata/mobility.ledger": "✓ holds", damaged: "✗ not valid"} {
		a := start(t, 120, 36, setup{ledger: path, scenario: scenarios.New()})
		line, _, _ := strings.Cut(a.View(), "\n")
		plain := strings.TrimRight(ansi.Strip(line), " ")
		named := strings.Contains(plain, filepath.Base(path)) && strings.HasSuffix(plain, state)
		if !named || strings.Contains(plain, "ε") || strings.Contains(plain, "new") {
			t.Errorf("the header of %s is %q", path, plain)
		}
		green, _, _ := strings.Cut(a.Pen.Good.Render("x"), "x")
		if strings.Contains(line, green) != strings.HasPrefix(state, "✓") {
			t.Errorf("wrongly green, or not: %q", line)
		}
	}
}

// In the smallest terminal the chart and the stack stand alone, and the header keeps ε in sight.
func TestSmallPagesShowEpsilon(t *testing.T) {
	a := start(t, 60, 18, setup{})
	want := "ε = " + report.Upper(a.Full.BestBound().Epsilon)
	for page, slot := range map[string]layout.Slot{"chart": layout.Chart, "stack": layout.Stack} {
		a.home.FocusOn(slot)
		line, _, _ := strings.Cut(ansi.Strip(a.View()), "\n")
		if !a.home.Lay.Slots[slot].Visible() || !strings.Contains(line, want) {
			t.Errorf("above the %s stands %q", page, line)
		}
	}
}

// What an attack costs is no success: its ε is not green, however it is drawn.
func TestAttackIsNotGreen(t *testing.T) {
	a := start(t, 120, 36, setup{})
	drain(a, a.Follow("lab:differencing", ""))
	press(a, "enter")
	cost := regexp.MustCompile(`ε = [0-9.]+ at δ = 1e-6 by RDP, adjacency`)
	found := false
	for line := range strings.SplitSeq(a.View(), "\n") {
		at := cost.FindStringIndex(line)
		if at == nil {
			continue
		}
		found = true
		before := line[:at[0]]
		for _, ink := range []draw.Ink{a.Pen.Good, a.Pen.Winner} {
			if green, _, _ := strings.Cut(ink.Render("x"), "x"); strings.HasSuffix(before, green) {
				t.Errorf("it is green: %q", line)
			}
		}
	}
	if !found {
		t.Errorf("the cost is not on the screen:\n%s", ansi.Strip(a.View()))
	}
}

// The words of a table of keys begin in one column, however long its keys are.
func TestHelpSetsWordsInOneColumn(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		a := start(t, size[0], size[1], setup{})
		tables := append(a.paneTable(), a.tables()...)
		press(a, "help")
		pages := map[string]bool{}
		for range 12 {
			for line := range strings.SplitSeq(ansi.Strip(a.View()), "\n") {
				pages[line] = true
			}
			press(a, "pgdown")
		}
		seen := 0
		for _, table := range tables {
			column := 0
			for _, b := range table.Bindings {
				label := a.Label(b)
				first := strings.Fields(b.Name)[0]
				row := regexp.MustCompile(`[┃ ] ` + regexp.QuoteMeta(label) + ` +(` + regexp.QuoteMeta(first) + `)`)
				for line := range pages {
					found := row.FindStringSubmatchIndex(line)
					if found == nil || !strings.Contains(line, "┃") {
						continue
					}
					at := draw.Width(line[:found[2]])
					if seen++; column != 0 && at != column {
						t.Errorf("%v, %s: the words of %q begin at %d, others at %d:\n%s", size, table.Name, label, at, column, line)
					}
					column = at
				}
			}
		}
		if seen < 30 {
			t.Errorf("%v: %d keys were found", size, seen)
		}
	}
}

// The help sets a long sentence in its own column: no line of it begins under a key.
func TestHelpWrapsUnderItsText(t *testing.T) {
	a := start(t, 80, 24, setup{})
	press(a, "help")
	for range 8 {
		for line := range strings.SplitSeq(ansi.Strip(a.View()), "\n") {
			if at := strings.Index(line, "┃  "); at >= 0 && strings.HasSuffix(strings.TrimRight(line, " "), "┃") {
				inside := strings.TrimSuffix(strings.TrimRight(line[at+len("┃"):], " "), "┃")
				words := strings.TrimLeft(inside, " ")
				if inset := len(inside) - len(words); words != "" && inset > 2 && inset < 17 {
					t.Errorf("a line begins under a key: %q", line)
				}
			}
		}
		press(a, "pgdown")
	}
}
