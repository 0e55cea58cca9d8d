package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

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

func drawStack(t *rapid.T) string {
	f := func(name string, low, high float64) float64 {
		return math.Round(rapid.Float64Range(low, high).Draw(t, name)*1e4) / 1e4
	}
	var list []string
	for range rapid.IntRange(1, 2).Draw(t, "entries") {
		count := rapid.IntRange(1, 4).Draw(t, "count")
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			list = append(list, fmt.Sprintf("{mechanism: gaussian, sigma: %g, count: %d}", f("σ", 0.6, 5), count))
		case 1:
			list = append(list, fmt.Sprintf("{mechanism: gaussian, sigma: %g, sampling: {rate: %g}}", f("σ", 0.6, 3), f("q", 0.01, 0.5)))
		case 2:
			list = append(list, fmt.Sprintf("{mechanism: laplace, epsilon: %g, count: %d}", f("ε", 0.05, 1), count))
		case 3:
			list = append(list, fmt.Sprintf("{mechanism: approximate, epsilon: %g, delta: 1e-8}", f("ε", 0.05, 1.5)))
		case 4:
			list = append(list, fmt.Sprintf("{mechanism: noisy-max, epsilon: %g, count: %d}", f("ε", 0.1, 1), count))
		case 5:
			list = append(list, fmt.Sprintf("{mechanism: zcdp, rho: %g}", f("ρ", 0.01, 1)))
		case 6:
			list = append(list, fmt.Sprintf("{mechanism: dp-sgd, noise_multiplier: %g, sampling_rate: 0.01, steps: 500}", f("z", 0.7, 2)))
		}
	}
	return "version: 1\nbudget: {tpr: 0.9, fpr: 0.01, delta: 1e-6}\nstack: [" + strings.Join(list, ", ") + "]\n"
}

// TestOneProfile asks every command for the same things on random stacks: a true-positive rate, the advantage and ε. They agree to the last
// digit, and the rates are those of one curve.
func TestOneProfile(t *testing.T) {
	cases := 0
	rapid.Check(t, func(rt *rapid.T) {
		if cases++; cases > gauge.Cases(4, 100) {
			return
		}
		stack := drawStack(rt)
		ask := func(args ...string) string {
			status, out, stderr := run(stack, args...)
			if status > 1 {
				rt.Fatalf("%v of\n%s: %s", args, stack, stderr)
			}
			return out
		}
		person := ask("person", "-", "-o", "json")
		comparison := ask("compare", "-", "-o", "json")
		if strings.Contains(comparison, `"risk": null`) {
			return
		}
		tpr := number(rt, comparison, "risk", "tpr", 1, "tpr")
		if got := number(rt, person, "rates", 1, "true_positive_rate"); got != tpr {
			rt.Fatalf("person %v, compare %v:\n%s", got, tpr, stack)
		}
		if got := curveAt(rt, ask("curve", "-", "tpr", "-o", "csv"), "0.01"); got != tpr {
			rt.Fatalf("curve %v, compare %v:\n%s", got, tpr, stack)
		}
		advantage := number(rt, comparison, "risk", "advantage")
		if got := number(rt, person, "advantage"); got != advantage {
			rt.Fatalf("advantage: person %v, compare %v:\n%s", got, advantage, stack)
		}
		before, low := 0.0, 0.0
		for i := range 3 {
			fpr := number(rt, comparison, "risk", "tpr", i, "fpr")
			upper, lower := number(rt, comparison, "risk", "tpr", i, "tpr"), number(rt, comparison, "risk", "tpr", i, "tpr_lower")
			if lower > upper || upper < before || lower < low || upper > (advantage+fpr)*(1+1e-12) {
				rt.Fatalf("at %v: [%v, %v] after %v, advantage %v:\n%s", fpr, lower, upper, before, advantage, stack)
			}
			before, low = upper, lower
		}
	})
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
