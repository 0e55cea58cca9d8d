package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/ledger"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
)

// shellWords splits a command as a shell does, with quotes and nothing else.
func shellWords(command string) (words []string) {
	word, quote, open := "", rune(0), false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == 0 && r == ' ':
			if open || word != "" {
				words = append(words, word)
			}
			word, open = "", false
		default:
			word += string(r)
		}
	}
	return append(words, word)
}

// runs gives the command to the program as a shell would.
func runs(t *testing.T, command string) (status int, stderr string) {
	t.Helper()
	words := shellWords(command)
	if words[0] != "epsiloscope" {
		t.Fatalf("not a command of the program: %s", command)
	}
	status, _, stderr = run("", words[1:]...)
	return status, stderr
}

// The ledger that is offered for a plan within its budget grants that very plan: the command that opens it,
// run, and then every release of every entry one entry at a time, beginning with the one that is offered;
// and one release more is refused.
func TestOfferedLedgerGrantsThePlan(t *testing.T) {
	t.Chdir(t.TempDir())
	// Solved to just meet its budget: the upper end of a coarse interval would lie above it.
	edge, err := scenarios.Parse("edge.yaml", []byte("version: 1\nunit: one visitor's day\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: gaussian, sigma: 40, count: 12}\n  - {mechanism: laplace, epsilon: 0.05, count: 3, label: side}\n"))
	if err != nil {
		t.Fatal(err)
	}
	solved, err := plan.New().Plan(t.Context(), edge, plan.Request{Solve: "sigma", Entry: 1})
	if err != nil || !solved.Feasible {
		t.Fatal(err, solved.Note)
	}
	if err := solved.Apply(edge); err != nil {
		t.Fatal(err)
	}
	if err := edge.Save("edge.yaml"); err != nil {
		t.Fatal(err)
	}
	names := append([]string{"edge.yaml"}, gauge.Some(3, []string{"welcome", "dp-sgd", "adv-vs-basic-small", "dpsgd-tfprivacy", "gaussian-zcdp", "hair-colour", "bob-10000"})...)
	granted := 0
	for i, name := range names {
		s, err := scenarios.LoadNamed(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		file := fmt.Sprintf("%d.ledger", i)
		o, err := ledger.OfferFor(t.Context(), s, name, file)
		r, evaluated := scenarios.Evaluate(t.Context(), s, scenarios.Options{})
		if evaluated != nil {
			t.Fatal(evaluated)
		}
		fits := r.BestBound().Finite() && (s.Budget.Epsilon == 0 || r.BestBound().Fits(s.Budget.Epsilon))
		if err != nil {
			if fits && s.Unit != "" && s.Budget.Delta > 0 {
				t.Errorf("%s fits its budget, and no ledger is offered: %v", name, err)
			}
			continue
		}
		if status, stderr := runs(t, o.NewCommand); status != 0 {
			t.Errorf("%s: %s\n%s", name, o.NewCommand, stderr)
			continue
		}
		if l, err := o.Create(t.Context(), s, "again-"+file); err != nil {
			t.Errorf("%s: the explorer does not open the ledger that it offers: %v", name, err)
		} else {
			checkSamePromise(t, file, l)
		}
		if status, stderr := runs(t, fmt.Sprintf("epsiloscope ledger ask %s %s", file, name)); status != 0 {
			t.Errorf("%s: the whole plan does not fit: %s", name, stderr)
		}
		if status, stderr := runs(t, o.SpendCommand); status != 0 {
			t.Errorf("%s: %s\n%s", name, o.SpendCommand, stderr)
		}
		spent := false
		for k, e := range s.Stack {
			if e.Disabled {
				continue
			}
			n := e.Count * s.Rounds
			if !spent { // the offered one
				n, spent = n-1, true
			}
			if command := fmt.Sprintf("epsiloscope ledger spend %s %s --entry %d --count %.0f", file, name, k+1, n); n > 0 {
				if status, stderr := runs(t, command); status != 0 {
					t.Errorf("%s: %s\n%s", name, command, stderr)
				}
			}
		}
		if status, _ := runs(t, o.SpendCommand); status != 1 && o.Promise.Filter == "plan" {
			t.Errorf("%s: one release too many ends with status %d", name, status)
		}
		granted++
	}
	if granted < 2 {
		t.Errorf("only %d ledgers were offered", granted)
	}
}

// A plan over its budget is offered no ledger: one that promises the budget would refuse it.
func TestNoLedgerForAPlanOverItsBudget(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	s.Budget.Epsilon = 1
	if o, err := ledger.OfferFor(t.Context(), s, "welcome", "w.ledger"); err == nil || !strings.Contains(err.Error(), "more than the promised 1") {
		t.Errorf("%v, %+v", err, o)
	}
	s.Unit = ""
	if _, err := ledger.OfferFor(t.Context(), s, "welcome", "w.ledger"); err == nil || !strings.Contains(err.Error(), "needs a unit") {
		t.Error(err)
	}
}

// A count that cannot be, or of no entry, spends nothing.
func TestCountOfAnEntry(t *testing.T) {
	t.Chdir(t.TempDir())
	if status, _, stderr := run("", "ledger", "new", "w.ledger", "--plan", "welcome"); status != 0 {
		t.Fatal(stderr)
	}
	before, err := os.ReadFile("w.ledger")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, says string }{
		{"--count 1", "--count needs --entry"}, {"--entry 1 --count 0", "--count: must be at least 1"}, {"--entry 1 --count -3", "--count: must be at least 1"},
	} {
		status, _, stderr := run("", append([]string{"ledger", "spend", "w.ledger", "welcome"}, strings.Fields(c.args)...)...)
		if after, _ := os.ReadFile("w.ledger"); status != 2 || !strings.Contains(stderr, c.says) ||
			string(after) != string(before) {
			t.Errorf("%s: status %d, %s", c.args, status, stderr)
		}
	}
	status, stdout, stderr := run("", "ledger", "show", "w.ledger", "-o", "json")
	if status != 0 || strings.Count(stdout, `"request"`) != 3 || !strings.Contains(stdout, `"copies":100`) {
		t.Errorf("not every kind of the plan still fits: %s%s", stdout, stderr)
	}
}

// checkSamePromise holds a ledger that the explorer opened to the one that the command shown beside it opens.
func checkSamePromise(t *testing.T, file string, opened *ledger.Ledger) {
	t.Helper()
	l, err := ledger.NewFile(file).Read()
	if err != nil {
		t.Fatal(err)
	}
	of := func(l *ledger.Ledger) string {
		promise, err := json.Marshal(l.Promise)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s %s %s", promise, l.Open.Unit, l.Open.Adjacency)
	}
	if a, b := of(l), of(opened); a != b {
		t.Errorf("the command opens\n%s\nand the explorer\n%s", a, b)
	}
}
