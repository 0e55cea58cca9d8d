package reading

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"epsiloscope/accounting"
	"epsiloscope/exchange/peers"
	"epsiloscope/internal/stand"
	"epsiloscope/report"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
	"epsiloscope/tui/document"
	"epsiloscope/tui/export"
	"epsiloscope/tui/kit"
)

func shell(t *testing.T, text string) *kit.Shell {
	t.Helper()
	s, err := scenarios.Parse("f.yaml", []byte("version: 1\nbudget: {epsilon: 1, delta: 1e-5}\n"+text+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	sh := stand.Shell(t, s)
	if sh.Result, err = scenarios.Evaluate(t.Context(), s, scenarios.Options{}); err != nil {
		t.Fatal(err)
	}
	sh.Full = sh.Result
	return sh
}

// The statement of one document is not read, nor exported, as that of the next.
func TestStatementIsOfItsDocument(t *testing.T) {
	sh := shell(t, "name: first\nstack: [{mechanism: laplace, epsilon: 0.1}]")
	p := NewStatement(sh)
	st := stand.New(t, sh, p, 120, 36)
	st.Run(p.Refresh())
	if !strings.Contains(st.View(), "“first”") {
		t.Fatalf("no statement:\n%s", st.View())
	}
	other := scenarios.New()
	other.Name = "second"
	sh.Doc, sh.Pending = document.New(other), true
	if view := st.View(); strings.Contains(view, "“first”") || strings.Contains(p.Share().Text, "“first”") {
		t.Errorf("the statement of another document:\n%s", view)
	}
}

// A central limit is no bound: it neither fits a budget nor exceeds it.
func TestWhyMarksWhatIsNoBound(t *testing.T) {
	sh := shell(t, "stack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 100}]")
	w := NewWhy(sh, func() accounting.Method { return accounting.GDP }, noReview)
	st := stand.New(t, sh, w, 120, 60)
	w.OnShow()
	st.Run(w.Refresh())
	st.View()
	for line := range strings.Lines(w.Share().Text) {
		if strings.Contains(line, "GDP  ") && (!strings.Contains(line, "not a bound") || strings.Contains(line, "budget")) {
			t.Errorf("an approximation as a bound: %s", line)
		}
	}
	if !strings.Contains(st.View(), "ε ≈ 0.45") {
		t.Errorf("no approximation:\n%s", st.View())
	}
}

// The screens of a person, of other tools and of differences say what the command line prints, line for line.
func TestScreensSayWhatTheCommandLinePrints(t *testing.T) {
	sh := shell(t, "unit: training example\nstack: [{mechanism: dp-sgd, noise_multiplier: 1.1, sampling_rate: 0.01, steps: 300}]")
	before := sh.Doc.Scenario()
	person, err := report.NewPerson(t.Context(), before, sh.Result)
	if err != nil {
		t.Fatal(err)
	}
	figures, err := peers.AskTools(t.Context(), before)
	if err != nil {
		t.Fatal(err)
	}
	said := func(pane kit.Pane) string {
		st := stand.New(t, sh, pane, 300, 60)
		st.Run(pane.(interface{ Refresh() tea.Cmd }).Refresh())
		st.View()
		return pane.(interface{ Share() export.Subject }).Share().Text
	}
	holds := func(screen string, want ...string) {
		t.Helper()
		screen = strings.NewReplacer("━", "", "─", "").Replace(screen) // bars, which a command does not print
		flat := strings.ToLower(strings.Join(strings.Fields(screen), " "))
		for _, text := range want {
			for line := range strings.Lines(text) {
				line = strings.ToLower(strings.Join(strings.Fields(strings.TrimPrefix(line, "!")), " "))
				if !strings.Contains(flat, line) {
					t.Errorf("the screen does not say %q:\n%s", line, screen)
				}
			}
		}
	}
	printed := func(s *sheet.Sheet) string {
		var b strings.Builder
		if err := s.Write(&b, "table"); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if !person.IsOneSided() {
		t.Error("the second table of the best test is not tried")
	}
	holds(said(NewPerson(sh)), printed(sheet.Person(person)))
	holds(said(NewPeers(sh)), printed(peers.Sheet(figures, sh.Result)))
}

// Whether the plan fits now is not said by a theorem that has not been asked yet.
func TestWhyWaitsForTheBound(t *testing.T) {
	sh := shell(t, "stack: [{mechanism: gaussian, sigma: 10}]")
	w := NewWhy(sh, func() accounting.Method { return "" }, noReview)
	st := stand.New(t, sh, w, 120, 60)
	line := func() string {
		st.Run(w.Refresh())
		_, after, _ := strings.Cut(st.View(), "    numerical      σ = ")
		words, _, _ := strings.Cut(after, "\n")
		return words
	}
	if !strings.Contains(line(), "✓") {
		t.Errorf("it fits, and it says %q", line())
	}
	bounds := sh.Result.Bounds
	sh.Result = &scenarios.Result{Target: sh.Result.Target, Bounds: bounds[:len(bounds)-1], Best: -1}
	sh.Full, sh.Pending = nil, true
	if said := line(); said == "" || strings.ContainsAny(said, "✓✗") {
		t.Errorf("nothing is known, and it says %q", said)
	}
}

// The answer stands first: the best bound and whether it fits, then why the theorems differ.
func TestWhyBeginsWithTheAnswer(t *testing.T) {
	sh := shell(t, "stack: [{mechanism: gaussian, sigma: 10}]")
	st := stand.New(t, sh, NewWhy(sh, func() accounting.Method { return "" }, noReview), 120, 60)
	first := strings.Split(st.View(), "\n")[1]
	best := sh.Full.BestBound()
	if want := "ε = " + report.Upper(best.Epsilon) + " at δ = 1e-5, by "; !strings.Contains(first, want) || !strings.Contains(first, "✓") {
		t.Errorf("it begins with %q, not with %q", first, want)
	}
}

// Under replace an entry that does not say how far a changed record moves its answer has no ✓ beside a
// budget; conditions of theorems keep theirs.
func TestOpenSensitivityIsNotSaidToFit(t *testing.T) {
	sh := shell(t, "adjacency: replace\nstack: [{mechanism: laplace, epsilon: 0.1}]")
	p := NewWhy(sh, func() accounting.Method { return "" }, noReview)
	st := stand.New(t, sh, p, 120, 40)
	st.Run(p.Refresh())
	first, _, _ := strings.Cut(st.View()[strings.Index(st.View(), "ε = "):], "\n")
	if strings.Contains(first, "✓") || !strings.Contains(first, "?") {
		t.Errorf("a sensitivity is open: %q", first)
	}
}

// noReview is a review that has not been made yet.
func noReview() (*review.Review, bool) { return nil, false }

// A form of a theorem is solved for only if it gives less than the theorem; so is one whose theorem has no valid bound.
func TestLooserFormsAreNotSolvedFor(t *testing.T) {
	bounds := func(of accounting.Status, theorem, form float64) []accounting.Bound {
		return []accounting.Bound{
			{Method: accounting.Advanced, Status: of, Epsilon: theorem},
			{Method: accounting.AdvancedKOV, Status: accounting.Valid, Epsilon: form},
		}
	}
	for _, c := range []struct {
		bounds []accounting.Bound
		want   bool
	}{
		{bounds(accounting.Valid, 2, 1), true},
		{bounds(accounting.Valid, 2, 2), false},
		{bounds(accounting.Valid, 2, 3), false},
		{bounds(accounting.NotApplicable, 0, 3), true},
	} {
		if got := coveredMethods(c.bounds); got[accounting.AdvancedKOV] != c.want || !got[accounting.Numerical] {
			t.Errorf("%+v: %v", c.bounds, got)
		}
	}
}

// Without a training the screen of other tools says what can be compared, and names examples that can be opened.
// Without a δ it says what is missing.
func TestOthersSayWhatCanBeCompared(t *testing.T) {
	said := func(stack string, delta float64) string {
		sh := shell(t, "stack: [{mechanism: "+stack+"}]")
		s := sh.Doc.Scenario().Clone()
		s.Budget.Delta = delta
		sh.Doc.Replace(s, "δ", false)
		pane := NewPeers(sh)
		st := stand.New(t, sh, pane, 120, 60)
		st.Run(pane.(interface{ Refresh() tea.Cmd }).Refresh())
		return st.View()
	}
	view := said("laplace, epsilon: 0.1", 1e-6)
	for _, words := range []string{"on trainings only", "press o and type the name", "dpsgd-abadi", "Training with DP-SGD"} {
		if !strings.Contains(view, words) {
			t.Errorf("no %q:\n%s", words, view)
		}
	}
	if len(trainings()) < 10 {
		t.Errorf("only %d examples have a training", len(trainings()))
	}
	for _, it := range trainings()[:3] {
		s, err := scenarios.LoadBundled(it.Name)
		if err == nil && s.Budget.Delta > 0 {
			_, err = peers.AskTools(t.Context(), s)
		}
		if err != nil {
			t.Errorf("%s is no example: %v", it.Name, err)
		}
	}
	view = said("dp-sgd, noise_multiplier: 1.1, sampling_rate: 0.01, steps: 300", 0)
	if !strings.Contains(view, "t sets the δ") || strings.Contains(view, "dpsgd-abadi") {
		t.Errorf("without a δ:\n%s", view)
	}
}

// Without colours the heads of a bar's two ends are told apart by the signs of its parts, which stand there only where
// the bars do.
func TestBarsAreExplainedWithoutColours(t *testing.T) {
	sh := shell(t, "stack: [{mechanism: laplace, epsilon: 1}]")
	for w, explained := range map[int]bool{120: true, 80: true, 60: false} {
		p := NewPerson(sh)
		st := stand.New(t, sh, p, w, 60)
		st.Run(p.(interface{ Refresh() tea.Cmd }).Refresh())
		view := ansi.Strip(st.View())
		for _, head := range []string{"━ false-positive rate  ─ found among members", "━ suspicion before  ─ at most after"} {
			if strings.Contains(view, head) != explained {
				t.Errorf("%d cells: %q stands there: %v, in\n%s", w, head, !explained, view)
			}
		}
	}
}
