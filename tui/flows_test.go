package tui

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest"

	"epsiloscope/internal/stand"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/tui/store"
)

// flow drives the explorer as a running program.
type flow struct {
	t    *testing.T
	m    *teatest.TestModel
	rest []byte // output read but not looked for yet
}

// Read gives what was left of the output first, then what comes.
func (f *flow) Read(p []byte) (int, error) {
	if len(f.rest) > 0 {
		n := copy(p, f.rest)
		f.rest = f.rest[n:]
		return n, nil
	}
	return f.m.Output().Read(p)
}

func newFlow(t *testing.T, s setup) *flow {
	t.Helper()
	a := start(t, 120, 36, s)
	return &flow{t: t, m: teatest.NewTestModel(t, a, teatest.WithInitialTermSize(120, 36))}
}

func (f *flow) keys(keys ...string) *flow {
	for _, k := range keys {
		f.m.Send(stand.Key(k))
	}
	return f
}

// until waits for a text on the screen. Bubble Tea writes a line only when it
// changes, so what was read beyond the text is kept for the next look.
func (f *flow) until(text string) *flow {
	f.t.Helper()
	var rest []byte
	teatest.WaitFor(f.t, f, func(out []byte) bool {
		_, after, found := bytes.Cut([]byte(ansi.Strip(string(out))), []byte(text))
		rest = after
		return found
	}, teatest.WithDuration(2*time.Minute), teatest.WithCheckInterval(5*time.Millisecond))
	f.rest = rest
	return f
}

func (f *flow) end() *App {
	f.t.Helper()
	a, ok := f.m.FinalModel(f.t, teatest.WithFinalTimeout(2*time.Minute)).(*App)
	if !ok {
		f.t.Fatal("the program ended without its model")
	}
	return a
}

func (f *flow) typing(s string) *flow {
	for _, r := range s {
		f.keys(string(r))
	}
	return f
}

func TestFlowAddEditUndoSaveReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan.yaml")
	st := store.Open(store.Locate(func(string) string { return t.TempDir() }))
	f := newFlow(t, setup{scenario: scenarios.New(), store: st, accountant: plan.New()})
	f.keys("a").typing("laplace").keys("enter").until("added Laplace")
	f.keys("enter").until("privacy loss").typing("0.25").keys("enter")
	f.keys("c").until("×1").keys("x").until("dropped").keys("u").until("undone")
	f.keys("s").until("Save as")
	for range 30 {
		f.keys("backspace")
	}
	f.typing(path).keys("enter").until("saved plan.yaml")
	f.keys("q")
	f.end()

	data, err := os.ReadFile(path)
	if err != nil || strings.Count(string(data), "mechanism: laplace") != 2 || !strings.Contains(string(data), "0.25") {
		t.Fatalf("saved %q, %v", data, err)
	}
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	a := start(t, 120, 36, setup{scenario: s, path: path})
	if len(a.Doc.Rows()) != 2 || a.Doc.Dirty() {
		t.Errorf("reopened with %d rows, dirty %t", len(a.Doc.Rows()), a.Doc.Dirty())
	}
	if got := st.Recent(); len(got) != 1 || got[0] != path {
		t.Errorf("recent files %v", got)
	}
}

func TestFlowOpenBundledAndChange(t *testing.T) {
	f := newFlow(t, setup{scenario: scenarios.New(), accountant: plan.New()})
	// An empty stack has no best order: one is on the screen when the bounds are there,
	// and α can be turned from then on.
	f.keys("o").until("search:").typing("welcome").keys("enter").until("auto 1")
	f.keys("+").until("0.11")
	f.keys("n", "n", "n", "+").until("pinned") // ε, K, δ, α
	f.keys("q").until("Unsaved changes").keys("d")
	a := f.end()
	if name := a.Doc.Scenario().Name; !strings.HasPrefix(name, "Welcome") {
		t.Errorf("opened %q", name)
	}
	if a.Doc.Scenario().Alpha <= 1 {
		t.Errorf("α = %v after pinning", a.Doc.Scenario().Alpha)
	}
}

func TestFlowQuitAsksAboutChanges(t *testing.T) {
	f := newFlow(t, setup{})
	f.keys("+", "q").until("Unsaved changes").keys("esc", "u", "q") // nothing is left to lose
	if a := f.end(); a.Doc.Dirty() {
		t.Error("still dirty after undo")
	}
}

func TestFlowInterruptTwiceLeaves(t *testing.T) {
	f := newFlow(t, setup{})
	f.keys("+", "ctrl+c").until("Unsaved changes").keys("ctrl+c")
	f.end()
}

// A program that ends while a computation runs takes it along.
func TestFlowQuitCancelsWork(t *testing.T) {
	f := newFlow(t, setup{})
	f.m.Send(tea.WindowSizeMsg{Width: 100, Height: 30})
	a := f.keys("u", "q").end()
	a.Jobs.Close()
	if a.Jobs.Ctx.Err() == nil {
		t.Error("the work was not cancelled")
	}
}

// What is solved in the background comes in above the theorem the user came for; it
// must not push it out of sight.
func TestWhyStaysAtTheTheorem(t *testing.T) {
	s := newScript(t, "adv-vs-basic-large")
	send(s.a, tea.WindowSizeMsg{Width: 80, Height: 24})
	s.press("knob.delta", "screen.why", "tab", "tab")
	if lines := strings.Split(ansi.Strip(s.a.View()), "\n"); !strings.Contains(lines[2], "advanced") {
		t.Errorf("the theorem about δ′ is not at the top:\n%s", strings.Join(lines, "\n"))
	}
}
