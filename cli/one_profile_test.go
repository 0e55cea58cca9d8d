package cli

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/gauge"
)

// number returns a field of the JSON that a command prints, by its path.
func number(t interface{ Fatalf(string, ...any) }, text string, path ...any) float64 {
	var at any
	if err := json.Unmarshal([]byte(text), &at); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := at.(map[string]any)
			at = m[p]
		case int:
			l, _ := at.([]any)
			if p >= len(l) {
				t.Fatalf("no %v of %v in %s", p, path, text)
			}
			at = l[p]
		}
	}
	x, ok := at.(float64)
	if !ok {
		t.Fatalf("no %v in %s", path, text)
	}
	return x
}

// drawStack draws a scenario of at most two entries, with a budget in terms of harm.
func drawStack(t *rapid.T) string { return drawLongStack(t, 2) }

// drawLongStack draws a scenario of at most so many entries, with a budget in terms of harm.
func drawLongStack(t *rapid.T, most int) string {
	f := func(name string, low, high float64) float64 {
		return math.Round(rapid.Float64Range(low, high).Draw(t, name)*1e4) / 1e4
	}
	var list []string
	for range rapid.IntRange(1, most).Draw(t, "entries") {
		count := rapid.IntRange(1, 4).Draw(t, "count")
		switch rapid.IntRange(0, min(6+most-2, 7)).Draw(t, "kind") {
		case 0:
			list = append(list, fmt.Sprintf("{mechanism: gaussian, sigma: %g, count: %d}", f("σ", 0.6, 5), count))
		case 1:
			list = append(list, fmt.Sprintf("{mechanism: gaussian, sigma: %g, sampling: {rate: %g}}", f("σ", 0.6, 3), f("q", 0.01, 0.5)))
		case 2:
			list = append(list, fmt.Sprintf("{mechanism: laplace, epsilon: %g, count: %d}", f("ε", 0.05, 1), count))
		case 3:
			list = append(list, fmt.Sprintf("{mechanism: approximate, epsilon: %g, delta: 1e-8}", f("ε", 0.05, 1.5)))
		case 4:
			list = append(list, fmt.Sprintf("{mechanism: %s, epsilon: %g, count: %d}", selection(), f("ε", 0.1, 1), count))
		case 5:
			list = append(list, fmt.Sprintf("{mechanism: zcdp, rho: %g}", f("ρ", 0.01, 1)))
		case 6:
			list = append(list, fmt.Sprintf("{mechanism: dp-sgd, noise_multiplier: %g, sampling_rate: 0.01, steps: 500}", f("z", 0.7, 2)))
		case 7:
			list = append(list, fmt.Sprintf("{mechanism: partition-selection, strategy: laplace, epsilon: %g, delta: 1e-7, count: %d}", f("ε", 0.1, 1), 3*count))
		}
	}
	return "version: 1\nbudget: {tpr: 0.9, fpr: 0.01, delta: 1e-6}\nstack: [" + strings.Join(list, ", ") + "]\n"
}

// selection is a mechanism that chooses. In the quick form it is another one: a selection costs a game at every point
// of a curve.
func selection() string {
	if gauge.All() {
		return "noisy-max"
	}
	return "laplace"
}

// oneProfile asks commands about one stack and compares what they say.
type oneProfile struct {
	t     *rapid.T
	stack string
	said  map[string]string // by arguments
}

func (o oneProfile) ask(args ...string) string {
	question := strings.Join(args, " ")
	if out, ok := o.said[question]; ok {
		return out
	}
	status, out, stderr := run(o.stack, args...)
	if status > 1 {
		o.t.Fatalf("%v of\n%s: %s", args, o.stack, stderr)
	}
	o.said[question] = out
	return out
}

// same fails unless a command has the number that the comparison has.
func (o oneProfile) same(command string, got, compared float64) {
	if got != compared {
		o.t.Fatalf("%s %v, compare %v:\n%s", command, got, compared, o.stack)
	}
}

// TestOneProfile asks every command for the same things on random stacks: a true-positive rate, the advantage and ε.
// They agree to the last digit, and the rates are those of one curve.
func TestOneProfile(t *testing.T) {
	gauge.Check(t, gauge.Cases(1, 8), func(rt *rapid.T) {
		o := oneProfile{rt, drawStack(rt), map[string]string{}}
		comparison := o.ask("compare", "-", "-o", "json")
		if strings.Contains(comparison, `"risk": null`) {
			return
		}
		o.compareHarm(comparison)
		o.compareEpsilon(comparison)
		o.checkOneCurve(comparison)
	})
}

// compareHarm asks person, curve, margin, plan, the table and the statement for the harm of the comparison.
func (o oneProfile) compareHarm(comparison string) {
	t := o.t
	tpr, advantage := number(t, comparison, "risk", "tpr", 1, "tpr"), number(t, comparison, "risk", "advantage")
	person := o.ask("person", "-", "-o", "json")
	o.same("person", number(t, person, "rates", 1, "true_positive_rate"), tpr)
	o.same("person", number(t, person, "advantage"), advantage)
	o.same("curve tpr", curveAt(t, o.ask("curve", "-", "tpr", "-o", "csv"), "0.01"), tpr)
	certified := strings.Contains(comparison, `"epsilon_lower"`)
	if status, out, _ := run(o.stack, "curve", "-", "profile", "-o", "csv"); status == 0 && certified && strings.Contains(out, "numerical") {
		o.same("curve profile", curveAt(t, out, "0"), advantage)
	}
	if certified {
		o.same("plan --solve delta", number(t, o.ask("plan", "-", "--solve", "delta", "--epsilon", "0", "-o", "json"), "value"), advantage)
	}
	if got := o.ask("margin", "-", "-o", "json"); strings.Contains(got, `"method": "numerical"`) {
		o.same("margin", number(t, got, "tpr"), tpr)
	}
	said := numeral.Upper(tpr)
	for _, text := range []string{o.ask("compare", "-"), o.ask("statement", "-")} {
		if tpr < 1 && !strings.Contains(text, "at most "+said) {
			t.Fatalf("no %s in\n%s", said, text)
		}
	}
}

// compareEpsilon asks person, statement, explain and margin for the ε of the comparison.
func (o oneProfile) compareEpsilon(comparison string) {
	t := o.t
	epsilon := number(t, comparison, "best", "epsilon")
	o.same("person", number(t, o.ask("person", "-", "-o", "json"), "epsilon"), epsilon)
	o.same("statement", number(t, o.ask("statement", "-", "-o", "json"), "guarantee", "epsilon"), epsilon)
	o.same("margin", number(t, o.ask("margin", "-", "-o", "json"), "epsilon"), epsilon)
	type bound struct {
		Method  string
		Epsilon *float64
	}
	var compared struct{ Bounds []bound }
	var explained []bound
	if err := errors.Join(json.Unmarshal([]byte(comparison), &compared),
		json.Unmarshal([]byte(o.ask("explain", "-", "-o", "json")), &explained)); err != nil {
		t.Fatal(err)
	}
	// The best bound under a harm is that of the least harm, which need not have the least ε.
	least := func(bounds []bound) float64 {
		least := math.Inf(1)
		for _, b := range bounds {
			if b.Epsilon != nil && b.Method != "gdp" { // an approximation of Gaussian DP is no bound
				least = math.Min(least, *b.Epsilon)
			}
		}
		return least
	}
	if a, b := least(explained), least(compared.Bounds); a < b || math.IsInf(b, 1) {
		t.Fatalf("explain %v, compare %v:\n%s", a, b, o.stack)
	}
}

// checkOneCurve checks that the rates of the comparison are those of one trade-off function.
func (o oneProfile) checkOneCurve(comparison string) {
	t := o.t
	advantage := number(t, comparison, "risk", "advantage")
	before, low := 0.0, 0.0
	for i := range 3 {
		fpr := number(t, comparison, "risk", "tpr", i, "fpr")
		upper, lower := number(t, comparison, "risk", "tpr", i, "tpr"), number(t, comparison, "risk", "tpr", i, "tpr_lower")
		if lower > upper || upper < before || lower < low || upper > (advantage+fpr)*(1+1e-12) {
			t.Fatalf("at %v: [%v, %v] after %v, advantage %v:\n%s", fpr, lower, upper, before, advantage, o.stack)
		}
		before, low = upper, lower
	}
}

// The client for Python has the ε and the plan that the commands print, to the last digit.
func TestOneProfileInPython(t *testing.T) {
	python := pythonHere(t)
	stack := "version: 1\nbudget: {epsilon: 3, delta: 1e-6}\nstack: [{mechanism: gaussian, sigma: 2.764, sampling: {rate: 0.3}}, " +
		"{mechanism: " + selection() + ", epsilon: 0.3, count: 3}]\n"
	status, comparison, stderr := run(stack, "compare", "-", "-o", "json")
	status2, planned, stderr2 := run(stack, "plan", "-", "--solve", "delta", "-o", "json")
	if status > 1 || status2 > 1 {
		t.Fatal(stderr, stderr2)
	}
	out, err := python("-c", `
import epsiloscope as e
entries = [{"mechanism": "gaussian", "sigma": 2.764, "sampling": {"rate": 0.3}}, {"mechanism": "`+selection()+`", "epsilon": 0.3, "count": 3}]
print(repr(e.price(entries, 1e-6).epsilon), repr(e.plan(entries, "delta", 3.0, 1e-6).value))`)
	want := fmt.Sprintln(number(t, comparison, "best", "epsilon"), number(t, planned, "value"))
	if got := strings.Replace(string(out), "e-0", "e-", 2); err != nil || got != strings.Replace(want, "e-0", "e-", 2) {
		t.Errorf("Python %q, the commands %q, %v", out, want, err)
	}
}

// harmFigures are figures that two commands once told differently, each with the truth.
var harmFigures = []struct {
	name, budget, stack string
	path                []any
	command             string
	least, most         float64
}{
	{"cleared 16.1 % instead of 2.67 %", "tpr: 0.9, fpr: 0.001", "{mechanism: gaussian, sigma: 0.3878, sampling: {rate: 0.2661}}, {mechanism: pure, epsilon: 1.487, count: 2}",
		[]any{"rates", 0, "true_negative_rate"}, "person", 0.0266, 0.0267},
	{"table 0.003733, JSON 0.0852", "tpr: 0.9, fpr: 0.001", besideStated, []any{"risk", "tpr", 0, "tpr"}, "compare", 0.003731, 0.003733},
	{"0.149 for 0.0075", "reconstruction: 0.5, prior: 0.002", besideStated, []any{"risk", "reconstruction"}, "compare", 0.00745, 0.0075},
	{"the same of a person", "tpr: 0.9, fpr: 0.001", besideStated, []any{"rates", 0, "true_positive_rate"}, "person", 0.003731, 0.003733},
	{"0.953 where 5/4·ε proves 0.64", "tpr: 0.9, fpr: 0.001", "{mechanism: noisy-max, epsilon: 1, noise: laplace, count: 30}", []any{"risk", "tpr", 0, "tpr"}, "compare", 0.3, 0.64},
}

const besideStated = "{mechanism: gaussian, sigma: 2.764, sampling: {rate: 0.003521}}, {mechanism: approximate, epsilon: 1.311, delta: 1.936e-8}"

func TestHarmFigures(t *testing.T) {
	for _, f := range gauge.Some(2, harmFigures) {
		status, out, stderr := run("version: 1\nbudget: {"+f.budget+", delta: 1e-6}\nstack: ["+f.stack+"]\n", f.command, "-", "-o", "json")
		if status > 1 {
			t.Fatalf("%s: %s", f.name, stderr)
		}
		if got := number(t, out, f.path...); got < f.least || got > f.most {
			t.Errorf("%s: %v, not within %v and %v", f.name, got, f.least, f.most)
		}
	}
}

// The advantage is the same with and without the record, however loose the curves of a group are: the chart's was
// 0.99693003 where the comparison had 0.99692642.
func TestAdvantageOfGroups(t *testing.T) {
	stack := "version: 1\ngroup: 3\nrounds: 5\nbudget: {epsilon: 4, delta: 1e-6}\n" +
		"stack: [{mechanism: randomized-response, epsilon: 0.08344, categories: 30, count: 3}, " +
		"{mechanism: mixture-of-gaussians, sigma: 0.5868, sensitivities: [0, 1, 2], probabilities: [0.9, 0.05, 0.05], count: 7}, " +
		"{mechanism: pure, epsilon: 0.06411}]\n"
	if !gauge.All() { // with different ends in its directions too: 0.25589 instead of 0.25531
		stack = "version: 1\ngroup: 3\nbudget: {epsilon: 4, delta: 1e-6}\n" +
			"stack: [{mechanism: mixture-of-gaussians, sigma: 0.3, sensitivities: [0, 1], probabilities: [0.9, 0.1]}]\n"
	}
	_, comparison, _ := run(stack, "compare", "-", "--harm", "-o", "json")
	_, chart, _ := run(stack, "curve", "-", "profile", "--points", fmt.Sprint(gauge.Cases(2, 3)), "-o", "csv")
	advantage := number(t, comparison, "risk", "advantage")
	if a := curveAt(t, chart, "0"); a != advantage {
		t.Errorf("the chart %v, compare %v", a, advantage)
	}
	if gauge.All() { // what TestOneProfile asks of every stack
		_, person, _ := run(stack, "person", "-", "-o", "json")
		if b := number(t, person, "advantage"); b != advantage {
			t.Errorf("person %v, compare %v", b, advantage)
		}
	}
}

// A harm that every σ keeps within the budget is answered without a search; it took 38.7 s and ended at σ = 0.005.
func TestPlanWhereEveryNoiseFits(t *testing.T) {
	status, out, stderr := run("version: 1\nbudget: {tpr: 0.1911, fpr: 0.004017, delta: 1e-6}\nstack: [{mechanism: gaussian, sigma: 1, sampling: {rate: 0.02179}}, {mechanism: pure, epsilon: 0.2563}]\n",
		"plan", "-", "--solve", "sigma", "--entry", "1")
	if status != 0 || !strings.Contains(out, "The target allows even 1e-9, the end of the range.") {
		t.Errorf("%d: %s%s", status, out, stderr)
	}
}

func curveAt(t interface{ Fatalf(string, ...any) }, text, x string) float64 {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, r := range rows {
		if r[0] == x {
			y, err := strconv.ParseFloat(r[1], 64)
			if err != nil {
				t.Fatalf("%v", err)
			}
			return y
		}
	}
	t.Fatalf("no row %s in %s", x, text)
	return 0
}

// What a chart says in words is the number that compare and review print: ε beside the answer's mark, and the
// advantage of an attacker.
func TestChartsSayTheSameNumbers(t *testing.T) {
	said := func(pattern string, args ...string) string {
		t.Helper()
		_, out, errs := run("", args...)
		found := regexp.MustCompile(pattern).FindStringSubmatch(out)
		if found == nil {
			t.Fatalf("%v says nothing like %s:\n%s%s", args, pattern, out, errs)
		}
		return found[1]
	}
	for _, s := range gauge.Some(4, []string{
		"welcome", "dp-sgd", "hair-colour", "adv-vs-basic-large", "noisy-max", "gaussian-zcdp", "private-training",
		"monthly-dashboard", "alarms", "census-dhc", "gboard-es", "wikimedia-pageviews",
	}) {
		epsilon := said(`(?m)^ε = (\S+) at`, "compare", s)
		for chart, pattern := range map[string]string{
			"profile": `(?m)^ε = (\S+) at δ`, "epsilon-k": `(?m): ε = (\S+)$`,
		} {
			if got := said(pattern, "curve", s, chart, "--points", fmt.Sprint(gauge.Cases(2, 5))); got != epsilon {
				t.Errorf("%s: the chart %s says ε = %s, compare %s", s, chart, got, epsilon)
			}
		}
		advantage := said(`advantage at most (\d\S+)`, "review", s)
		if got := said(`largest advantage (\S+)`, "curve", s, "tradeoff", "--points", "5"); got != advantage {
			t.Errorf("%s: the chart says an advantage of %s, review %s", s, got, advantage)
		}
	}
}
