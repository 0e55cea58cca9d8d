package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"epsiloscope/internal/gauge"
)

// idleScenario is the scenario on which flags are tried: several kinds of entry, all of them quick to price.
const idleScenario = `version: 1
name: Idle
unit: person
budget: {epsilon: 3, delta: 1e-6}
records: 10000
stack:
  - {mechanism: gaussian, sigma: 20, count: 3, sensitivity: 1}
  - {mechanism: laplace, epsilon: 0.1, count: 5, sensitivity: 1}
  - {mechanism: exponential, epsilon: 0.1, sensitivity: 1, candidates: {a: 5, b: 3, c: 1}}
`

// idleCalls are calls of the commands that print about a scenario or a topic. On each of them every flag of its command
// is tried.
var idleCalls = []string{
	"compare plan.yaml", "compare plan.yaml -o json", "compare plan.yaml other.yaml",
	"explain plan.yaml", "explain plan.yaml --margin",
	"curve plan.yaml epsilon-k --entry 2", "curve plan.yaml profile", "curve plan.yaml renyi", "curve plan.yaml noise", "curve plan.yaml utility", "curve plan.yaml cumulative",
	"plan plan.yaml --solve count --entry 2", "plan plan.yaml --solve scale", "plan plan.yaml --solve delta", "plan plan.yaml --solve rounds", "plan plan.yaml --solve count --entry 2 --all",
	"split two.yaml", "split two.yaml -o yaml",
	"review plan.yaml", "review plan.yaml -o json", "statement plan.yaml", "person plan.yaml", "share plan.yaml", "certify small.yaml", "certify --checker",
	"lab differencing", "lab differencing -o yaml", "lab", "proof", "proof advanced-composition", "proof advanced-composition plan.yaml", "exercise", "exercise 1", "exercise 1 --answer basic",
	"lectures", "scenarios", "scenarios list", "validate plan.yaml", "paths", "schema", "version", "client python", "completion bash",
	"export dp-accounting gauss.yaml", "export opacus training.yaml", "import csv table.csv",
	"audit --canaries 1000 --guesses 200 --correct 150", "audit gauss.yaml --canaries 1000 --guesses 200 --correct 195", "audit coarse.yaml --plan",
}

// idleValues are the values tried of each flag that takes one.
var idleValues = map[string][]string{
	"epsilon": {"0.7"}, "delta": {"1e-4"}, "alpha": {"7"}, "rounds": {"2"}, "group": {"2"}, "precision": {"0.05"}, "set": {"1.count=4", "1.epsilon=0.3", "people=30"},
	"advantage": {"0.01"}, "tpr": {"0.2"}, "fpr": {"0.01"}, "reconstruction": {"0.3"}, "prior": {"0.2"}, "method": {"rdp"}, "entry": {"1", "2"},
	"max-k": {"77"}, "points": {"7", "2"}, "numerical": {"false", "true"}, "width": {"900"}, "height": {"600"}, "solve": {"sigma"}, "error": {"900", "1=900"}, "lock": {"1"}, "weight": {"1=3"},
	"claim": {"2,1e-5"}, "certificate": {"nothing.json"}, "seed": {"5"}, "chart": {"1"}, "answer": {"3"}, "file": {"nothing.yaml"},
	"unit": {"visit"}, "canaries": {"900"}, "guesses": {"190"}, "correct": {"120"}, "members": {"10"}, "true-positives": {"5"}, "non-members": {"10"},
	"false-positives": {"5"}, "confidence": {"0.9"}, "power": {"0.9"}, "adjacency": {"replace"}, "scores": {"nothing.csv"}, "trials": {"runs"}, "rank": {"1"}, "planned": {"nothing.json"}, "fault": {"x"}, "calibrate": {"nothing.csv", "3"}, "threshold": {"1"},
}

// idleAllowed reports whether a flag may be given although it changes nothing: every command about a scenario takes the
// same overrides of it, so that a script can pass them to all; which of them a result depends on is for the theorems to
// say. A check that passes, a review with few questions, points of a chart of bars and a lab whose cost does not depend
// on the run change nothing either.
func idleAllowed(line, command, flag string) bool {
	return slices.Contains(targetNames, flag) && command != "export" ||
		slices.Contains([]string{"compare --check", "review --all", "curve --points"}, command+" --"+flag) || flag == "seed" && strings.HasSuffix(line, "-o yaml")
}

// A flag that is given changes what is printed, or is refused: a flag that is passed over would be believed.
func TestNoFlagIsIdle(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	gauss := "version: 1\nname: g\nunit: person\nbudget: {epsilon: 3, delta: 1e-6}\nstack:\n  - {mechanism: gaussian, sigma: 5, sensitivity: 1, count: 3}\n"
	coarse := gauss
	if !gauge.All() { // a weaker guarantee is planned for in less time
		coarse = strings.Replace(gauss, "sigma: 5", "sigma: 1.5", 1)
	}
	for name, text := range map[string]string{
		"plan.yaml": idleScenario, "other.yaml": strings.Replace(idleScenario, "count: 3", "count: 6", 1), "gauss.yaml": gauss,
		"coarse.yaml":   coarse,
		"two.yaml":      strings.Split(idleScenario, "  - {mechanism: exponential")[0],
		"small.yaml":    "version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 0.1, sensitivity: 1}]\n",
		"training.yaml": "version: 1\nbudget: {epsilon: 3, delta: 1e-6}\nstack: [{mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 10}]\n",
		"table.csv":     "mechanism,epsilon\nlaplace,0.1\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tried := map[string]bool{}
	for _, line := range callEach(idleCalls, "plan.yaml", func(c *cobra.Command) bool {
		return !slices.Contains(idleElsewhere, c.Name())
	}) {
		base := strings.Fields(line)
		cmd, _, err := new(app).root(nil).Find(base)
		if err != nil {
			t.Fatal(err)
		}
		tried[cmd.CommandPath()] = true
		before := outcome(base)
		if strings.HasPrefix(before, "2 ") {
			t.Errorf("%s: %s", line, before)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if cmd.Name() == "list" && f.Name == "review" && !gauge.All() {
				return // reviews the whole library, as the script review-library does in any case
			}
			if f.Name == "help" || f.Name == "output" || f.Name == "to" || f.Hidden || idleAllowed(line, cmd.Name(), f.Name) ||
				strings.Contains(line, "--"+f.Name) {
				return
			}
			if isIdle(t, f, base, before) {
				t.Errorf("%s --%s: nothing changes, and the flag is not refused", line, f.Name)
			}
		})
	}
	for _, cmd := range leaves(new(app).root(nil)) {
		path := cmd.CommandPath()
		if !tried[path] && !slices.Contains(idleElsewhere, cmd.Name()) && !strings.HasPrefix(path, "epsiloscope ledger ") &&
			cmd.HasAvailableLocalFlags() {
			t.Errorf("%s: no call of it is tried", path)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "float64" {
				t.Errorf("%s --%s takes NaN, and not 1/3: make it a numberFlag, with a check of what is allowed", path, f.Name)
			}
		})
	}
}

// callEach returns calls, and one of every command about a single scenario of which they have none.
func callEach(calls []string, scenario string, wanted func(*cobra.Command) bool) []string {
	calls = slices.Clone(calls)
	for _, cmd := range leaves(new(app).root(nil)) {
		name, rest, _ := strings.Cut(cmd.Use, " ")
		has := slices.ContainsFunc(calls, func(c string) bool { return strings.HasPrefix(c+" ", name+" ") })
		if rest == "FILE|NAME" && !cmd.Parent().HasParent() && !has && wanted(cmd) {
			calls = append(calls, name+" "+scenario)
		}
	}
	return calls
}

// idleElsewhere are commands whose flags are tried by other tests, or which have none.
var idleElsewhere = []string{"watch", "tour", "selfcheck", "show", "copy", "export"}

// isIdle reports whether a flag, with each of the values tried, leaves the outcome of a call as it was.
func isIdle(t *testing.T, f *pflag.Flag, base []string, before string) bool {
	values := idleValues[f.Name]
	if f.Value.Type() == "bool" && values == nil {
		values = []string{""}
	}
	if f.Name == "check" && f.Value.Type() != "bool" {
		values = []string{"nothing.json"}
	}
	if len(values) == 0 {
		t.Errorf("%v: no value of --%s is tried", base, f.Name)
	}
	for _, value := range values {
		flag := "--" + f.Name
		if value != "" {
			flag += "=" + value
		}
		if outcome(append(slices.Clone(base), flag)) != before {
			return false
		}
	}
	return true
}

// outcome runs the program and returns its status with all that it printed.
func outcome(args []string) string {
	var out, errs bytes.Buffer
	status := Main(args, strings.NewReader(""), &out, &errs)
	return string(rune('0'+status)) + " " + errs.String() + "\n" + out.String()
}

// --to is taken by every command that prints a document, and nothing is printed then.
func TestEveryDocumentGoesToAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	var without []string
	for _, cmd := range leaves(new(app).root(nil)) {
		if cmd.Flags().Lookup("to") == nil {
			without = append(without, strings.TrimPrefix(cmd.CommandPath(), "epsiloscope "))
		}
	}
	// These print no document, or a line that tells what they wrote.
	want := []string{"watch", "ledger cancel", "ledger commit", "ledger export", "ledger home", "ledger move", "ledger new", "ledger readmit", "ledger repair", "ledger spend", "tour", "scenarios copy"}
	slices.Sort(without)
	slices.Sort(want)
	if !slices.Equal(without, want) {
		t.Errorf("without --to: %v", without)
	}
	priced := "hair-colour" // in little time
	if gauge.All() {
		priced = "welcome"
	}
	for _, line := range []string{
		"compare welcome", "explain " + priced, "statement " + priced, "person " + priced, "schema", "client python", "scenarios show welcome", "scenarios list",
		"ledger schema", "completion fish", "lectures", "paths",
	} {
		args := strings.Fields(line)
		plain := strings.TrimPrefix(outcome(args), "0 \n")
		if strings.HasPrefix(plain, "2 ") {
			t.Fatalf("%s: %s", line, plain)
		}
		file := filepath.Join(t.TempDir(), "x.txt")
		if got := outcome(append(args, "--to", file)); got != "0 \n" {
			t.Errorf("%s: %s", line, got)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != plain {
			t.Errorf("%s: %v; the file differs from what is printed", line, err)
		}
	}
}

// Shells offer files only for flags that take one.
func TestFlagsWithoutFilesOfferNone(t *testing.T) {
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" || f.Hidden {
				return
			}
			args := append([]string{"__complete"}, strings.Fields(strings.TrimPrefix(cmd.CommandPath(), "epsiloscope"))...)
			got := outcome(append(args, "--"+f.Name, ""))
			files := strings.Contains(got, "\n:0\n")
			if files != slices.Contains(fileFlags, f.Name) {
				t.Errorf("%s --%s: files offered: %v\n%s", cmd.CommandPath(), f.Name, files, got)
			}
		})
		for _, below := range cmd.Commands() {
			if below.IsAvailableCommand() {
				visit(below)
			}
		}
	}
	visit(new(app).root(nil))
}
