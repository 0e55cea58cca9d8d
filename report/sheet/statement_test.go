package sheet

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/internal/samples"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/plan"
	"epsiloscope/scenarios/review"
)

func statementOf(t testing.TB, name string) *report.Statement {
	t.Helper()
	st, known := statements[name]
	if !known {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		st = *stateOf(t, s, scenarios.Options{})
		statements[name] = st
	}
	return &st
}

// statements are those made so far, which most tests only read.
var statements = map[string]report.Statement{}

// sharedAccountant returns a context whose numerical accountant all statements share.
var sharedAccountant = sync.OnceValue(func() context.Context {
	return scenarios.NewEvaluator().Context(context.Background())
})

// stateOf returns the statement of a scenario that is evaluated with these options.
func stateOf(t testing.TB, s *scenarios.Scenario, opt scenarios.Options) *report.Statement {
	t.Helper()
	r, err := scenarios.Evaluate(sharedAccountant(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	st, err := report.NewStatement(sharedAccountant(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// What NIST SP 800-226 asks of a guarantee is in every statement.
func TestStatementIsComplete(t *testing.T) {
	for _, name := range gauge.Some(2, []string{"welcome", "msft-broadband", "dpsgd-abadi", "five-records-each", "census-pl94", "coin-survey"}) {
		st := statementOf(t, name)
		have := map[string]string{}
		for _, f := range st.Facts {
			have[f.Name] = f.Text
		}
		for _, want := range []string{"Guarantee", "Theorem", "Unit of privacy", "Adjacency", "Group", "δ", "Trust model", "Mechanisms", "Sampling", "Composition"} {
			if have[want] == "" {
				t.Errorf("%s: the fact sheet lacks %q", name, want)
			}
		}
		if len(st.NotCovered) < 5 || len(st.References) < 2 {
			t.Errorf("%s: %+v", name, st)
		}
		for _, want := range []string{"ε", "satisf", st.References[0].Key} {
			if !strings.Contains(st.Paragraph, want) {
				t.Errorf("%s: the paragraph lacks %q: %s", name, want, st.Paragraph)
			}
		}
		for _, r := range st.References {
			if !strings.Contains(r.BibTeX, "{"+r.Key+",") {
				t.Errorf("%s: %s has no BibTeX entry", name, r.Key)
			}
		}
	}
}

// A training run: Poisson is an assumption, the bound without it is stated, and an
// example is not a person.
func TestStatementOfTraining(t *testing.T) {
	st := statementOf(t, "dpsgd-abadi")
	var b strings.Builder
	if err := Statement(st).Write(&b, "text"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Poisson", "Without amplification by sampling ε would be", "shuffled", "training example", "noise", "certified"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the statement lacks %q:\n%s", want, b.String())
		}
	}
}

// Scores are computed from the data and must not be published with the statement,
// nor what follows from them.
func TestStatementKeepsScoresPrivate(t *testing.T) {
	st := statementOf(t, "welcome")
	for _, format := range report.StatementFormats {
		var b strings.Builder
		if err := Statement(st).Write(&b, format); err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"520", "480", "harbour", "right answer", "best candidate"} {
			if strings.Contains(b.String(), secret) {
				t.Errorf("%s gives %q away", format, secret)
			}
		}
	}
}

func TestStatementFormats(t *testing.T) {
	st := statementOf(t, "welcome")
	st.Title = `50 % of {braces} & _under_ $x$ \ #1`
	for _, format := range report.StatementFormats {
		var b strings.Builder
		if err := Statement(st).Write(&b, format); err != nil || b.Len() < 200 {
			t.Errorf("%s: %v, %q", format, err, b.String())
		}
		switch format {
		case "json":
			var j struct {
				Guarantee struct{ Epsilon, Delta float64 }
				Facts     map[string]string
			}
			if err := json.Unmarshal([]byte(b.String()), &j); err != nil ||
				j.Guarantee.Epsilon != st.Bound.Epsilon || j.Facts["Adjacency"] == "" {
				t.Errorf("%v, %+v", err, j)
			}
		case "latex":
			if !strings.Contains(b.String(), `50 \% of \{braces\} \& \_under\_ \$x\$ \textbackslash{} \#1`) || !strings.Contains(b.String(), `\cite{`) {
				t.Error(b.String())
			}
			if strings.ContainsAny(b.String()[:strings.Index(b.String(), "\n%")], "εδρα≤×±“”") {
				t.Errorf("signs that LaTeX text does not have:\n%s", b.String())
			}
		}
	}
	r := sample()
	r.Best = -1
	if _, err := report.NewStatement(context.Background(), scenarios.New(), r); err == nil {
		t.Error("there is nothing to state")
	}
}

// The paragraph quotes the bound rounded up, never down.
func TestStatementRoundsUp(t *testing.T) {
	s := samples.Pure(0.33333333, 1, 0)
	r, _ := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	st, err := report.NewStatement(context.Background(), s, r)
	if err != nil || !strings.Contains(st.Paragraph, "ε = 0.3334") {
		t.Errorf("%v: %s", err, st.Paragraph)
	}
}

// Rounded to four digits δ would be 3.334e-5, which is not below 3.333e-5.
func TestStatementComparesDeltaInFull(t *testing.T) {
	s := samples.Pure(0.1, 100, 3.333312345e-5) // so many that δ buys something
	s.Records = 30_000
	r, _ := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	st, err := report.NewStatement(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range st.Facts {
		if strings.Contains(f.Text, "below 1/n") && strings.HasPrefix(f.Text, "3.333312345e-5, below 1/n = 3.33333333") {
			return
		}
	}
	t.Error(st.Facts)
}

func TestQuestions(t *testing.T) {
	s := samples.Pure(0.00125, 10000, math.Exp(-32))
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	list := questions(r)
	if len(list) != 3 {
		t.Fatalf("%+v", list)
	}
	text := ""
	for _, q := range list {
		text += q.Ask + " " + strings.Join(q.Answer, " ") + "\n"
	}
	for _, want := range []string{"factor 2", "Azuma", "1.000 + 0.016 = 1.016", "Σε(e^ε−1) = 0.01563", "Why can δ′ not be 0", "basic composition", "n²", "10000 releases"} {
		if !strings.Contains(text, want) {
			t.Errorf("the answers lack %q:\n%s", want, text)
		}
	}
	var b strings.Builder
	if err := Explain(s, r, report.Explain(r)).Write(&b, "table"); err != nil || !strings.Contains(b.String(), "Where does the factor 2 come from?") {
		t.Error(b.String())
	}
	b.Reset()
	if err := Explain(s, r, report.Explain(r, accounting.Basic)).Write(&b, "table"); err != nil ||
		strings.Contains(b.String(), "factor 2 come from") {
		t.Error("the questions are about advanced composition alone")
	}
	if q := questions(sample()); q != nil {
		t.Errorf("%+v", q)
	}
}

func TestSheets(t *testing.T) {
	ctx, ev := context.Background(), plan.New()
	s, err := scenarios.LoadBundled("bob-10000")
	if err != nil {
		t.Fatal(err)
	}
	all, err := ev.All(ctx, s, plan.Request{Solve: "epsilon"})
	if err != nil {
		t.Fatal(err)
	}
	margins, err := ev.Margins(ctx, s, accounting.RDP, scenarios.Options{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	other := s.Clone()
	other.Rounds = 2
	versus, err := ev.Versus(ctx, s, other, scenarios.Options{ClosedFormsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	split, err := ev.Rebalance(ctx, s, plan.RebalanceRequest{Method: accounting.RDP})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := scenarios.Evaluate(ctx, s, scenarios.Options{})
	person, err := report.NewPerson(ctx, s, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sheet *Sheet
		wants []string
	}{
		{Plans(s, s.Budget, all), []string{"by every theorem", "★", "93 %"}},
		{Margins(s, margins), []string{"dropping saves", "one more round would add"}},
		{Versus(versus), []string{"rounds", "difference", "costs", "times as much"}},
		{Splits(s, split, nil), []string{"proportions", "after"}},
		{Person(person), []string{"1 %", "advantage", "as reported", "US Census"}},
	} {
		for _, format := range []string{"table", "markdown", "csv", "json"} {
			var b strings.Builder
			if err := c.sheet.Write(&b, format); err != nil || b.Len() == 0 {
				t.Errorf("%s as %s: %v", c.sheet.Title, format, err)
			}
			if strings.ContainsAny(b.String(), "\x1b\r") || strings.Contains(b.String(), "NaN") {
				t.Errorf("%s as %s:\n%s", c.sheet.Title, format, b.String())
			}
			if format != "table" {
				continue
			}
			for _, want := range c.wants {
				if !strings.Contains(b.String(), want) {
					t.Errorf("%s lacks %q:\n%s", c.sheet.Title, want, b.String())
				}
			}
		}
	}
}

// What is quoted is never below the bound, and says for how many records it holds.
func TestStatementIsOnTheSafeSide(t *testing.T) {
	s, err := scenarios.Parse("group.yaml", []byte("version: 1\nunit: person\ngroup: 3\nbudget: {delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.10001, count: 1}\n  - {mechanism: approximate, epsilon: 0.1, delta: 1e-9}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Best = 0 // basic: 3·0.20001 = 0.60003
	st, err := report.NewStatement(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ε = 0.6001", "up to 3 records of one person"} {
		if !strings.Contains(st.Paragraph, want) {
			t.Errorf("the paragraph lacks %q: %s", want, st.Paragraph)
		}
	}
}

// Neither a name nor a label becomes an image, a link or an address to click, and no
// backslash of theirs undoes what keeps it so.
func TestStatementMarkdownStaysDead(t *testing.T) {
	for _, hostile := range []string{"![a](http://example.org/x)", "[x](javascript:alert)", `\[x](javascript:alert)`, `\\[x](y)`, "www.example.org", "<img src=x>", "[DworkRV10](http://example.org)"} {
		s := samples.Pure(0.1, 10, 1e-6)
		s.Name, s.Unit, s.Stack[0].Label = hostile, hostile, hostile
		st := stateOf(t, s, scenarios.Options{ClosedFormsOnly: true})
		var b strings.Builder
		if err := Statement(st).Write(&b, "markdown"); err != nil {
			t.Fatal(err)
		}
		escaped := false
		for i, c := range b.String() {
			if c == '[' && !escaped || strings.HasPrefix(b.String()[i:], "://") || strings.HasPrefix(b.String()[i:], "www.") ||
				strings.HasPrefix(b.String()[i:], "<i") {
				t.Fatalf("%s is alive: …%s", hostile, b.String()[max(0, i-20):min(b.Len(), i+40)])
			}
			escaped = c == '\\' && !escaped
		}
	}
}

// Every adjacency has its words, and the sentences are true of how an entry is priced
// under it: only under replace, and only where nothing is claimed of absence, may the
// draw be known (the gain then is that of a revealed sample).
func TestStatementOfNeighbours(t *testing.T) {
	for _, a := range scenarios.ScenarioField("adjacency").Choices {
		if n := report.NeighboursOf(mechanisms.Adjacency(a)); n.Short == "" || n.Fact == "" || n.Relation == "" ||
			n.Alternatives == "" || n.TestedFact == "" {
			t.Errorf("%s: %+v", a, n)
		}
	}
	const secret, open = "and who is sampled stays secret", "who is sampled need not stay secret"
	for _, c := range []struct{ adjacency, stack, want, not string }{
		{"add-remove", "{mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}}", secret, open},
		{"add-remove", "{mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}, also: add-remove}", secret, "claim"},
		{"replace", "{mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}}", open, secret},
		{"replace", "{mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}, also: add-remove}", secret, open},
		{"replace", "{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.1, steps: 1}", secret, open},
		{"replace", "{mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}}, {mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.1, steps: 1}", secret, open},
		{"zero-out", "{mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}}", secret, open},
		{"zero-out", "{mechanism: laplace, epsilon: 1}", "with respect to putting a blank in the place of one record", "claim"},
		{"replace", "{mechanism: laplace, epsilon: 1}", "none is assumed", "claim"},
		{"replace", "{mechanism: laplace, epsilon: 1, also: add-remove}", "none is assumed", "claim"},
		{"replace", "{mechanism: laplace, epsilon: 1, sampling: {rate: 0.1}, also: add-remove}", "the bound rests on the claim that the stated guarantee of entry 1 also holds under add-remove", "branch"},
		{"replace", "{parallel: [[{mechanism: laplace, epsilon: 1, also: add-remove}], []]}", "the bound rests on the claim that the stated guarantee of entry 1 also holds", "public who"},
		{"replace", "{parallel: [[{mechanism: laplace, epsilon: 1}], []], moves: never}", "the bound rests on the claim that it is public who is in which branch of entry 1", "add-remove"},
	} {
		s, err := scenarios.Parse("x", []byte("version: 1\nbudget: {delta: 1e-6}\nadjacency: "+c.adjacency+"\nstack: ["+c.stack+"]\n"))
		if err != nil {
			t.Fatal(err)
		}
		st := stateOf(t, s, scenarios.Options{ClosedFormsOnly: true})
		text := st.Paragraph
		for _, f := range st.Facts {
			text += "\n" + f.Text
		}
		if !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("%s, %s: want %q and not %q:\n%s", c.adjacency, c.stack, c.want, c.not, text)
		}
	}
}

func questions(r *scenarios.Result) (list []accounting.Question) {
	for _, e := range report.Explain(r) {
		list = append(list, e.Questions...)
	}
	return list
}

// The questions of a statement are those of the review, word for word, wrong points first. Attacker: an author who
// quotes the paragraph of a file whose δ would allow publishing a record.
func TestStatementAsksWhatTheReviewAsks(t *testing.T) {
	s, err := scenarios.Parse("f.yaml", []byte("version: 1\nrecords: 1000\nbudget: {epsilon: 9, delta: 1e-3}\nstack: [{mechanism: gaussian, sigma: 2}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	st, err := report.NewStatement(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	found, err := review.New(context.Background(), s, r, review.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked := report.PointLines(found.Questions())
	if len(asked) < 3 || !strings.HasPrefix(asked[0], "✗ delta: ") || !slices.Equal(asked, st.Open[:len(asked)]) {
		t.Errorf("the review asks %q, the statement %q", asked, st.Open)
	}
	i := slices.IndexFunc(st.Facts, func(f report.Fact) bool { return f.Name == "Review" })
	if i < 0 || !strings.HasPrefix(st.Facts[i].Text, "must not be quoted") {
		t.Errorf("the facts are %+v", st.Facts)
	}
}
