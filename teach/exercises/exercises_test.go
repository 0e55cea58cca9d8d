package exercises

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"epsiloscope/teach/lectures"
)

// Every question has an answer, the answer itself is right, and twice it is wrong.
func TestBundledQuestionsHaveAnswers(t *testing.T) {
	perDeck := map[string]int{}
	for _, e := range Library() {
		perDeck[e.Deck]++
		a, err := e.Answer(context.Background())
		if err != nil {
			t.Errorf("%s: %v", e.Question, err)
			continue
		}
		reply, wrong := string(a.Method), "basic"
		if a.Method == "" {
			reply, wrong = strconv.FormatFloat(a.Number, 'g', -1, 64), strconv.FormatFloat(2*a.Number, 'g', -1, 64)
		}
		if v, err := e.Check(context.Background(), reply); err != nil || !v.Right {
			t.Errorf("%s: its own answer %s is judged %+v, %v", e.Question, reply, v, err)
		}
		if v, err := e.Check(context.Background(), wrong); err != nil || v.Right {
			t.Errorf("%s: the wrong answer %s is judged %+v, %v", e.Question, wrong, v, err)
		}
		if e.Hint == "" || e.See == "" {
			t.Errorf("%s: a question needs a hint and a place that explains it", e.Question)
		}
	}
	for _, d := range lectures.Decks() {
		if perDeck[d.Key] < 3 {
			t.Errorf("the deck %s has %d questions", d.Key, perDeck[d.Key])
		}
	}
}

// Every question that comes with the program has a title of its own that fits the list beside the question.
func TestBundledQuestionsHaveTitles(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Library() {
		if n := utf8.RuneCountInString(e.Title); n == 0 || n > 35 || seen[e.Title] {
			t.Errorf("%s: the title %q is empty, too long or there twice", e.Question, e.Title)
		}
		seen[e.Title] = true
	}
}

// A method may be called as commands or as tables do; what is none is no wrong answer.
func TestMethodsByName(t *testing.T) {
	best := Exercise{Scenario: "bob-10000", Ask: Ask{Best: true}} // the optimal theorem
	for reply, right := range map[string]bool{"optimal": true, " Optimal KOV ": true, "RDP classic": false, "gdp": false} {
		if v, err := best.Check(context.Background(), reply); err != nil || v.Right != right {
			t.Errorf("%q is judged %+v, %v", reply, v, err)
		}
	}
	for _, reply := range []string{"abc", "3", "optimal?"} {
		if v, err := best.Check(context.Background(), reply); err == nil || !strings.Contains(err.Error(), " is no method; there are basic, ") {
			t.Errorf("%q is judged %+v, %v", reply, v, err)
		}
	}
}

// Figures that the decks or their corrections print.
func TestAnswersOfTheDecks(t *testing.T) {
	for question, want := range map[string]float64{
		"Bob is in 10,000 databases":         1 / 812.32, // Bassi, corrected
		"which ε each does the optimal":      1 / 715.52,
		"A hundred releases of ε = 0.1":      6.308230950,
		"Thresholdout with B = 100":          0.37670473974,      // √(2·200·ln 1e6)·0.005 + 200·0.005·(e^0.005 − 1)
		"Sparse vector with 200 positives":   0.7550050315,       // an exact binomial sum over 200 pairs
		"The median mechanism on ten":        5.991464547107983,  // 2 ln 20
		"Max-information: n = 10,000":        0.0025,             // τ²
		"how long is the noise":              0.3141043284423092, // the 95 % quantile of Gamma(10, 0.02)
		"The coin survey":                    1.0986122886681098,
		"ρ + 2√(ρ ln(1/δ))?":                 1.567427, // 0.05 + 2√(0.05·ln 1e5)
		"How large must σ be for a Gaussian": 3.730632, // rounded up
	} {
		found := false
		for _, e := range Library() {
			if strings.Contains(e.Question, question) {
				found = true
				if v, err := e.Check(context.Background(),
					strconv.FormatFloat(want, 'g', -1, 64)); err != nil || !v.Right {
					t.Errorf("%s: %v, %v", e.Question, v, err)
				}
			}
		}
		if !found {
			t.Errorf("no question contains %q", question)
		}
	}
}

// Attacker: a student who is told "right" and releases with the answer. Of a planned number no reply is right that
// exceeds the budget, by however little; the other side has its tolerance.
func TestOverspendingIsNeverRight(t *testing.T) {
	planned := 0
	for _, e := range Library() {
		a, err := e.Answer(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if (e.Ask.Plan != nil) != (a.Overspends != 0) {
			t.Errorf("%s: a planned number has a side that overspends, and no other number has: %d", e.Question, a.Overspends)
		}
		if e.Ask.Plan == nil || a.Whole {
			continue
		}
		planned++
		for _, off := range []float64{1e-9, 1e-4, 0.009} {
			over := strconv.FormatFloat(a.Number*(1+off*float64(a.Overspends)), 'g', -1, 64)
			if v, err := e.Check(context.Background(), over); err != nil || v.Right || !strings.Contains(v.Why, "exceeds the budget") {
				t.Errorf("%s: %s overspends and is judged %+v, %v", e.Question, over, v, err)
			}
			kept := strconv.FormatFloat(a.Number*(1-off*float64(a.Overspends)), 'g', -1, 64)
			if v, err := e.Check(context.Background(), kept); err != nil || !v.Right {
				t.Errorf("%s: %s keeps the budget and is judged %+v, %v", e.Question, kept, v, err)
			}
		}
	}
	if planned != 4 { // 3, 8, 9 and 17
		t.Errorf("%d planned numbers", planned)
	}
}

// The deck's own conversion is right too, and the verdict says which theorem gave which. Order 19.66 and ε 2.729 are
// those of the classic conversion (an independent program).
func TestDecksOwnTheorem(t *testing.T) {
	for _, c := range []struct {
		number int
		reply  string
		right  bool
		why    string
	}{
		{14, "19.66", true, "by RDP classic as in the deck; RDP gives"}, {14, "17.22", true, "by RDP; RDP classic, as in the deck, gives"}, {14, "25", false, "too large"},
		{6, "2.729", true, "by RDP classic as in the deck; RDP gives"}, {6, "2.4003", true, "by RDP; RDP classic, as in the deck, gives 2.7"}, {6, "2.55", false, "too large"},
	} {
		v, err := Library()[c.number-1].Check(context.Background(), c.reply)
		if err != nil || v.Right != c.right || !strings.Contains(v.Why, c.why) {
			t.Errorf("%d, %s: %+v, %v", c.number, c.reply, v, err)
		}
	}
}

// A question that is answered by a stated ε names it, and its scenario.
func TestQuestionsNameTheirScenario(t *testing.T) {
	for number, words := range map[int][]string{7: {"pricing-machan", "ε = 20"}, 18: {"erm-logistic", "ε = 1"}} {
		for _, word := range words {
			if q := Library()[number-1].Question; !strings.Contains(q, word) {
				t.Errorf("question %d does not say %q: %s", number, word, q)
			}
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"exercises: []\n":                 "there are no exercises",
		"exercises:\n  - {question: q}\n": "questions.yaml:2: exercise 1: scenario: must name",
		"exercises:\n  - {question: q, scenario: welcome, ask: {best: true}}\n  - question: r\n    scenario: nothing\n    ask: {best: true}\n": "questions.yaml:3: exercise 2: scenario: ",
		"exercises:\n  - {question: q, scenario: welcome, ask: {bound: advaned}}\n":                                                            "no method called \"advaned\"",
		"exercises:\n  - {question: q, scenario: welcome, ask: {error: 9}}\n":                                                                  "the stack has no entry 9",
		"exercises:\n  - {question: q, scenario: welcome, ask: {plan: {solve: epsilon, entry: -1}}}\n":                                         "the stack has no entry -1",
		"exercises:\n  - question: q\n    scenaro: welcome\n":                                                                                  ":3:5: exercises[1].scenaro: unknown field; did you mean scenario?",
		"exercises:\n  - {question: q, scenario: welcome}\n":                                                                                   "exercise 1: ask: give one of",
		"exercises:\n  - {question: q, scenario: welcome, ask: {best: true, order: true}}\n":                                                   "got 2",
		"exercises:\n  - {question: q, scenario: welcome, ask: {best: true}, answer: 3}\n":                                                     "answer",
		"exercises:\n  - {question: q, scenario: welcome, ask: {best: true}, tolerance: 2}\n":                                                  "tolerance: must be",
	} {
		path := filepath.Join(t.TempDir(), "questions.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// A question may be about a scenario that stands beside the file, wherever one is.
func TestScenarioBesideTheQuestions(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"mine.yaml":      "version: 1\nbudget: {epsilon: 3}\nstack: [{mechanism: pure, epsilon: 0.5, count: 4}]\n",
		"questions.yaml": "exercises:\n  - {deck: week 3, question: The sum?, scenario: mine.yaml, ask: {bound: basic}}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Load(filepath.Join(folder, "questions.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := list[0].Check(context.Background(), "2"); err != nil || !v.Right {
		t.Errorf("%+v, %v", v, err)
	}
}
