package tui

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/internal/stand"
	"epsiloscope/scenarios"
	"epsiloscope/teach/lectures"
)

// numbers types answers to questions that follow each other without counting their keys, and at once: each makes a plan
// anew. "" leaves an answer as it is.
func (s *script) numbers(texts ...string) *script {
	var all []tea.Cmd
	for i, text := range texts {
		if i > 0 {
			all = append(all, hit(s.a, "tab"))
			s.keys++
		}
		if text != "" {
			_, cmd := s.a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
			all = append(all, cmd)
		}
	}
	drain(s.a, tea.Batch(all...))
	return s
}

// From nothing to a saved plan with a statement and a picture.
func TestTaskFromNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s := newScript(t, "")
	s.press("new", "tab").typing("52").press("tab").typing("80").press("tab", "tab").typing("50000").press("tab").typing("2")
	s.press("tab", "tab", "tab", "tab").numbers("Weekly tables").sees("52 × Gaussian", "of 2 ✓", "δ = 1e-7")
	s.press("enter").sees("Weekly tables", "the scenario is built")
	s.press("save", "enter", "screen.statement", "export", "t", "esc", "chart.1", "export", "p").within(40)
	for _, name := range []string{"weekly-tables.yaml", "weekly-tables-statement.txt", "weekly-tables-epsilon-k.png"} {
		if found, _ := filepath.Glob(name); len(found) != 1 {
			all, _ := filepath.Glob("*")
			t.Errorf("no %s: %v, %s", name, all, s.a.Status.Text)
		}
	}
	saved, err := scenarios.Load("weekly-tables.yaml")
	if err != nil || len(saved.Stack) != 1 || saved.Stack[0].Count != 52 {
		t.Fatalf("%v, %+v", err, saved)
	}
	t.Logf("%d keys", s.keys)
}

// Several releases in one plan: the budget is divided over them, and it says how.
func TestStartWithSeveralReleases(t *testing.T) {
	s := newScript(t, "")
	s.press("new", "tab").numbers("52", "120").press("ctrl+a", "t", "tab").numbers("4", "", "500")
	s.press("ctrl+a", "right", "right", "tab").numbers("12", "6")
	s.press("ctrl+a", "m", "tab").numbers("5", "256").press("tab", "p", "ctrl+a", "ctrl+x")
	s.press("tab", "tab", "tab", "tab", "tab", "tab").numbers("3").press("up").numbers("50000") // that makes the first plan: all else is answered
	s.sees("52 × Gaussian", "4 × Laplace", "12 × Exponential", "DP-SGD", "of 3 ✓", "counts, 52 times, ±120")
	s.press("enter").sees("the scenario is built", "totals", "choice", "training")
	got := s.a.Doc.Scenario()
	if len(got.Stack) != 4 || !strings.Contains(got.Description, "share equally what is left") ||
		strings.ContainsAny(got.Description, "0123456789") {
		t.Errorf("%d entries, %q", len(got.Stack), got.Description)
	}
	if r := s.a.Full; r.Best < 0 || r.Bounds[r.Best].Epsilon > 3 || r.Bounds[r.Best].Epsilon < 2.9 {
		t.Errorf("ε = %v", r.Bounds[r.Best].Epsilon)
	}
	t.Logf("%d keys", s.keys)
}

// rightHalf is what stands right of the guided start's questions, with its lines joined.
func rightHalf(a *App) string {
	var words []string
	for line := range strings.Lines(ansi.Strip(a.View())) {
		if _, right, found := strings.Cut(line, "┃│"); found {
			words = append(words, strings.Fields(strings.TrimRight(right, "│ \n"))...)
		}
	}
	return strings.Join(words, " ")
}

// What would fit is told apart from what was chosen, and what is cut says so.
func TestStartTellsOffersFromChoices(t *testing.T) {
	s := newScript(t, "").press("new", "tab").numbers("52", "20", "", "50000")
	view := rightHalf(s.sees("Any one of these would fit:").a)
	offers, choices, found := strings.Cut(view, "As it is now:")
	if !found || strings.Contains(offers, "drop records so that it holds") || !strings.Contains(choices, "drop records so that it holds") {
		t.Errorf("a choice reads like an offer:\n%s", view)
	}
	s = newScript(t, "").press("new", "tab").numbers("52", "40", "", "20000")
	s.press("ctrl+a", "m", "tab").numbers("10", "200").press("tab", "p", "tab", "tab", "tab").numbers("8").sees("DP-SGD")
	send(s.a, tea.WindowSizeMsg{Width: 80, Height: 24})
	if view := ansi.Strip(s.a.View()); strings.Contains(view, "hundredth of 1/n") || !strings.Contains(view, "│ …") {
		t.Errorf("the end is cut without a sign:\n%s", view)
	}
}

// DP-SGD from nothing to ε.
func TestTaskTrainingFromNothing(t *testing.T) {
	s := newScript(t, "")
	s.press("new", "m", "tab").numbers("60", "256").press("tab", "p", "tab", "tab")
	s.numbers("60000", "3").press("enter")
	s.within(15).sees("DP-SGD", "training")
	if e := s.a.Doc.Scenario().Stack[0]; e.Values["batch"].Number != 256 || e.Values["epochs"].Number != 60 {
		t.Errorf("%v", e.Values)
	}
	if r := s.a.Result; r.Best < 0 || r.Bounds[r.Best].Epsilon > 3 {
		t.Errorf("ε = %v", r.Bounds[r.Best].Epsilon)
	}
	t.Logf("%d keys", s.keys)
}

// A question that is not answered stops enter; nothing is guessed.
func TestStartAsks(t *testing.T) {
	a := start(t, 120, 36, setup{})
	before := a.Doc
	press(a, "new", "t", "enter", "enter", "enter")
	if a.Doc != before || len(a.Dialogs) != 1 {
		t.Error("a plan was made of nothing")
	}
	press(a, "esc")
	if a.Doc != before || len(a.Dialogs) != 0 {
		t.Error("esc does not leave it as it was")
	}
}

// What is wrong with an answer is said of the answer, not of the question.
func TestStartSaysWhatIsWrong(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "new", "tab", "tab", "tab", "x")
	if view := plainView(a); !strings.Contains(view, "Counts one person is in? The answer is not a number") {
		t.Errorf("it says\n%s", view)
	}
}

// A second mechanism in a full budget: the way out is named.
func TestAddingToAFullBudgetOffersDivide(t *testing.T) {
	s := newScript(t, "")
	s.press("new", "tab", "tab", "tab", "tab").numbers("50000").press("enter")
	s.press("stack.copy") // the same again
	if !strings.Contains(s.a.Status.Text, "divides it among the entries") {
		t.Errorf("it says %q", s.a.Status.Text)
	}
}

// From any topic of the lectures to its lab and back. What the lab computes is not waited
// for, so that the first esc may be needed to stop it.
func TestTaskTopicToItsLabAndBack(t *testing.T) {
	a := start(t, 120, 36, setup{})
	press(a, "screen.lectures")
	found := 0
	for _, deck := range lectures.Decks() {
		for _, topic := range deck.Topics {
			i := slices.IndexFunc(topic.See, func(to lectures.Link) bool { return to.Kind() == "lab" })
			if i >= 0 {
				found++
				keys := 1
				a.Jobs.Eager = false
				a.Update(stand.Key(string(rune('1' + i))))
				a.Jobs.Eager = true
				if a.screenName() != "labs" {
					t.Fatalf("%s: its lab is not shown", topic.Slides)
				}
				for ; a.screenName() != "lectures" && keys < 10; keys++ {
					press(a, "esc")
				}
				if keys > 4 {
					t.Errorf("%s: %d keys to its lab and back", topic.Slides, keys)
				}
			}
			press(a, "down")
		}
	}
	if found < 10 {
		t.Errorf("only %d topics have a lab", found)
	}
}

// Where the terminal has the room, every question of a new plan is in sight, whichever is asked.
func TestEveryQuestionIsInSight(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 36}} {
		a := start(t, size[0], size[1], setup{})
		for press(a, "new"); ; press(a, "tab") {
			if !onScreen(a, "What will be released?") || !onScreen(a, "What is it called?") {
				t.Fatalf("%v:\n%s", size, plainView(a))
			}
			if onScreen(a, "▸ What is it called?") {
				break
			}
		}
	}
}

// A wrong answer of a release whose questions are folded away is marked where the release is.
func TestStartMarksWhatIsFolded(t *testing.T) {
	s := newScript(t, "").press("new", "tab").numbers("x").press("ctrl+a")
	s.sees("counts, x times ✗")
	if s.press("enter"); onScreen(s.a, "x times") {
		t.Error("enter does not go to the answer that is wrong")
	}
}

// Where more than one mechanism serves, a key takes the other one, and the plan says that it was chosen.
func TestStartChoosesTheMechanism(t *testing.T) {
	s := newScript(t, "").press("new", "tab").numbers("12").press("tab", "tab", "tab").numbers("50000")
	s.sees("12 × Gaussian", "ctrl+t laplace").press("ctrl+t").sees("12 × Laplace", "Laplace noise, as chosen", "ctrl+t gaussian", "of 1 ✓")
	s.press("enter")
	if got := s.a.Doc.Scenario(); got.Stack[0].Mechanism != "laplace" || strings.ContainsAny(got.Description, "0123456789") {
		t.Errorf("%s, %q", got.Stack[0].Mechanism, got.Description)
	}
}

// Randomized response is one of the kinds: the letters stand beside what they choose, and the adjacency that it needs
// comes with it.
func TestStartWithASurvey(t *testing.T) {
	s := newScript(t, "").press("new").sees("c counts · t totals", "m a trained model", "What is it called?")
	s.press("s", "tab", "tab").numbers("2", "5000").sees("Randomized response", "of 1 ✓", "no, only change")
	s.press("enter")
	if got := s.a.Doc.Scenario(); got.Stack[0].Mechanism != "randomized-response" || got.Adjacency != "replace" || s.a.Refusal != nil {
		t.Errorf("%+v, %s, %v", got.Stack[0], got.Adjacency, s.a.Refusal)
	}
	for key, want := range map[string]string{"c": "← counts →", "t": "← totals →", "o": "← a choice →", "m": "← a trained model →"} {
		newScript(t, "").press("new", key).sees(want)
	}
}

// What is said so far is not cut where the screen has room for it.
func TestStartIsNotCut(t *testing.T) {
	s := newScript(t, "").press("new", "tab").numbers("52", "20")
	s.press("ctrl+a", "t", "tab").numbers("4", "", "500")
	s.press("ctrl+a", "o", "tab").numbers("12", "6", "50000", "3")
	if view := rightHalf(s.a); !strings.Contains(view, "at most a hundredth of 1/n") || strings.Contains(view, "…") {
		t.Errorf("it is cut:\n%s", plainView(s.a))
	}
}
