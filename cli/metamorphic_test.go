package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
)

// Two ways of writing one plan must cost the same, whatever the figures are: no
// reference is needed to see that one of them is wrong.

// figures returns what compare says of each method: status and ε; nil if it refuses.
func figures(t *rapid.T, text string) map[string]figureOf {
	t.Helper()
	status, stdout, stderr := run(text, "compare", "-", "-o", "json", "--precision", "0.01")
	if status == statusInput && stdout == "" && stderr != "" {
		return nil
	}
	if status != statusDone {
		t.Fatalf("status %d: %s\n%s", status, stderr, text)
	}
	var got struct {
		Bounds []struct {
			Method, Status string
			Epsilon        *float64
			Lower          *float64 `json:"epsilon_lower"`
		}
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	out := map[string]figureOf{}
	for _, b := range got.Bounds {
		f := figureOf{status: b.Status, epsilon: math.Inf(1)}
		if b.Epsilon != nil {
			f.epsilon, f.lower = *b.Epsilon, *b.Epsilon
		}
		if b.Lower != nil {
			f.lower = *b.Lower
		}
		out[b.Method] = f
	}
	return out
}

type figureOf struct {
	status         string
	epsilon, lower float64
}

// alike fails unless every method in list (all if empty) says the same of both. The
// numerical intervals need only meet: another grid may have been laid.
func alike(t *rapid.T, a, b string, list ...string) {
	t.Helper()
	one, two := figures(t, a), figures(t, b)
	if (one == nil) != (two == nil) {
		t.Errorf("one is refused and the other is not:\n%s\n%s", a, b)
	}
	for method, x := range one {
		y, listed := two[method], len(list) == 0
		for _, m := range list {
			listed = listed || m == method
		}
		if !listed {
			continue
		}
		same := math.Abs(x.epsilon-y.epsilon) <= 1e-7*math.Abs(x.epsilon) || x.epsilon == y.epsilon
		if method == "numerical" {
			same = x.lower <= y.epsilon*(1+1e-12) && y.lower <= x.epsilon*(1+1e-12)
		}
		if x.status != y.status || !same {
			t.Errorf("%s: %s %.15g, rewritten %s %.15g\n%s\n%s", method, x.status, x.epsilon, y.status, y.epsilon, a, b)
		}
	}
}

func scenarioOf(delta float64, lines []string) string {
	return fmt.Sprintf("version: 1\nbudget: {delta: %v}\nstack:\n%s", delta, strings.Join(lines, ""))
}

// Another way to write the same plan: every column says the same.
func TestRewritingAStackChangesNothing(t *testing.T) {
	gauge.Sequential(t)
	gauge.Check(t, gauge.Cases(3, 50), func(t *rapid.T) {
		p := drawPlan(t)
		text := p.String()
		var methods []string // all
		switch rapid.IntRange(0, 6).Draw(t, "rewrite") {
		case 0:
			p.split(t)
		case 1: // a release that sees nothing
			p.items = append(p.items, item{entries: []entry{{"mechanism: approximate, epsilon: 0, delta: 0", rapid.IntRange(1, 9).Draw(t, "count")}}})
		case 2:
			p.items = append([]item{{entries: []entry{{"mechanism: pure, epsilon: 3, disabled: true", 5}}}}, p.items...)
		case 3: // rounds against the stack written out
			again := p.items
			for range p.rounds - 1 {
				p.items = append(p.items, again...)
			}
			p.rounds = 1
		case 4: // a claim about absence, where nobody is absent
			for i, it := range p.items {
				for j, e := range it.entries {
					if !strings.Contains(e.body, "sampling") {
						p.items[i].entries[j].body += claimed(e.body)
					}
				}
			}
		case 5: // one more branch like another
			for i, it := range p.items {
				if it.branches != nil {
					p.items[i].branches = append(it.branches, it.branches[0], it.branches[0])
					text = p.with(i, append(it.branches, it.branches[0])).String()
				}
			}
		default: // where there is no other branch everybody is in this one
			for i, it := range p.items {
				if it.branches != nil && p.adjacency == "add-remove" {
					text = p.with(i, it.branches[:1]).String()
					p.items[i] = item{entries: it.branches[0]}
					// The others take a block for one release, and so for a dearer one.
					methods = []string{"rdp", "rdp-classic", "zcdp", "zcdp-classic", "numerical"}
					break
				}
			}
		}
		p.shuffle(t)
		alike(t, text, p.String(), methods...)
	})
}

func TestUnitsDoNotMatter(t *testing.T) {
	gauge.Check(t, gauge.Cases(12, 100), func(t *rapid.T) {
		delta, e, unit := drawLog(t, "δ", 1e-9, 0.1), drawLog(t, "ε", 0.01, 2),
			math.Exp2(float64(rapid.IntRange(-20, 20).Draw(t, "unit")))
		count := rapid.IntRange(1, 50).Draw(t, "count")
		line := func(format string, args ...any) string {
			return scenarioOf(delta, []string{fmt.Sprintf("  - {"+format+", count: %d}\n", append(args, count)...)})
		}
		switch rapid.IntRange(0, 4).Draw(t, "mechanism") {
		case 0: // noise and sensitivity in another unit
			alike(t, line("mechanism: laplace, scale: %v, sensitivity: 1", 1/e), line("mechanism: laplace, scale: %v, sensitivity: %v", unit/e, unit))
		case 1:
			alike(t, line("mechanism: gaussian, sigma: %v, sensitivity: 1", 1/e), line("mechanism: gaussian, sigma: %v, sensitivity: %v", unit/e, unit))
		case 2: // Gaussians composed by hand
			n := float64(count)
			alike(t, line("mechanism: gaussian, sigma: %v", 4/e), scenarioOf(delta, []string{fmt.Sprintf("  - {mechanism: gaussian, sigma: %v}\n", 4/e/math.Sqrt(n))}),
				"rdp", "rdp-classic", "zcdp", "zcdp-classic", "gdp", "numerical")
		case 3: // scores and their sensitivity in another unit
			alike(t, line("mechanism: exponential, epsilon: %v, scores: [3, 2, 1]", e), line("mechanism: exponential, epsilon: %v, sensitivity: %v, scores: [%v, %v, %v]", e, unit, 3*unit, 2*unit, unit))
		default: // what is the same mechanism under another name
			alike(t, line("mechanism: geometric, epsilon: %v", e), line("mechanism: randomized-response, epsilon: %v", e))
		}
	})
}

// The chances of an exponential mechanism do not hang on the unit of its scores.
func TestScoresInAnotherUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := math.Exp2(float64(rapid.IntRange(-900, 900).Draw(t, "unit")))
		scores := rapid.SliceOfN(rapid.Float64Range(-50, 50), 2, 8).Draw(t, "scores")
		write := func(unit float64) string {
			var b strings.Builder
			for i, s := range scores {
				fmt.Fprintf(&b, "%v", s*unit)
				if i < len(scores)-1 {
					b.WriteString(", ")
				}
			}
			text := fmt.Sprintf("version: 1\nstack:\n  - {mechanism: exponential, epsilon: 0.7, sensitivity: %v, scores: [%s]}\n", unit, b.String())
			status, stdout, stderr := run(text, "curve", "-", "utility", "-o", "csv")
			if status != statusDone {
				t.Fatalf("status %d: %s\n%s", status, stderr, text)
			}
			return stdout
		}
		if a, b := firstNumbers(write(1)), firstNumbers(write(unit)); a != b {
			t.Errorf("unit %v: %s, without %s", unit, b, a)
		}
	})
}

// firstNumbers keeps of a utility table the probabilities, to ten digits.
func firstNumbers(table string) string {
	var out []string
	for i, line := range strings.Split(strings.TrimSpace(table), "\n") {
		cells := strings.Split(line, ",")
		if i == 0 || len(cells) < 2 {
			continue
		}
		for _, c := range cells {
			var x float64
			if _, err := fmt.Sscanf(c, "%g", &x); err == nil && x > 0 && x < 1 {
				out = append(out, fmt.Sprintf("%.10g", x))
				break
			}
		}
	}
	return strings.Join(out, " ")
}
