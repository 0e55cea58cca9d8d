package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// run calls the program in this process.
func run(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

// drawScenario writes a random scenario of any mechanisms of the catalogue, each
// parameter up to ten thousand times off where an editor would start it, with counts
// to 1e12; up to ten times and to 1e6 in the quick form, as a few of the others take ten seconds.
func drawScenario(t *rapid.T) string {
	delta := rapid.SampledFrom([]float64{0, 1e-300, 1e-12, 1e-6, 0.1}).Draw(t, "δ")
	r := ranges{most: 1e6, factor: 10}
	if gauge.All() {
		r = ranges{most: 1e12, factor: 1e4}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nname: random\nadjacency: %s\n", rapid.SampledFrom(scenarios.ScenarioField("adjacency").Choices).Draw(t, "adjacency"))
	fmt.Fprintf(&b, "budget: {epsilon: %g, delta: %g}\n", drawLog(t, "ε", 1e-2, 1e2), delta)
	fmt.Fprintf(&b, "rounds: %g\ngroup: %d\nstack:\n", math.Floor(drawLog(t, "rounds", 1, math.Sqrt(r.most))),
		rapid.SampledFrom([]int{1, 1, 1, 3}).Draw(t, "group"))
	for i := range rapid.IntRange(1, 4).Draw(t, "entries") {
		spec := rapid.SampledFrom(mechanisms.Catalogue()).Draw(t, fmt.Sprint("mechanism ", i))
		fmt.Fprintf(&b, "  - mechanism: %s\n    count: %g\n", spec.Name, math.Floor(drawLog(t, "count", 1, r.most)))
		initial := spec.Initials()
		around := ""
		for _, p := range spec.Params { // in this order, so that a failure can be replayed
			v, ok := initial[p.Name]
			if !ok {
				continue
			}
			if outer, inner, nested := strings.Cut(p.Name, "."); nested {
				if p.Name == spec.Varies {
					p.Choices = []string{v.Text} // the other fields are those of this one
				}
				if outer != around {
					fmt.Fprintf(&b, "    %s:\n", outer)
				}
				around, p.Name = outer, "  "+inner
			}
			r.write(t, &b, p, v)
		}
		b.WriteString(rapid.SampledFrom([]string{"", "    sampling: {rate: 0.1}\n"}).Draw(t, "sampling"))
		b.WriteString(rapid.SampledFrom([]string{"", "", "    also: add-remove\n", "    also: {add-remove: 0.5}\n"}).Draw(t, "also"))
	}
	if rapid.IntRange(0, 3).Draw(t, "block") == 0 {
		fmt.Fprintf(&b, "  - parallel:\n      - [{mechanism: pure, epsilon: 0.1%s}]\n      - []\n%s",
			rapid.SampledFrom([]string{"", ", also: add-remove"}).Draw(t, "also"), rapid.SampledFrom([]string{"", "    moves: never\n"}).Draw(t, "moves"))
	}
	return b.String()
}

// ranges are how far a drawn scenario goes: the largest count, and the factor
// around the value an editor starts with.
type ranges struct{ most, factor float64 }

func (r ranges) write(t *rapid.T, b *strings.Builder, p param.Param, v param.Value) {
	switch p.Type {
	case param.Number, param.Whole:
		x := v.Number * drawLog(t, p.Name, 1/r.factor, r.factor)
		if p.Type == param.Whole {
			x = math.Ceil(x)
		}
		if p.CheckNumber(x) != "" {
			x = v.Number
		}
		fmt.Fprintf(b, "    %s: %g\n", p.Name, x)
	case param.Choice:
		fmt.Fprintf(b, "    %s: %s\n", p.Name, rapid.SampledFrom(p.Choices).Draw(t, p.Name))
	case param.Flag:
		fmt.Fprintf(b, "    %s: %v\n", p.Name, rapid.Bool().Draw(t, p.Name))
	case param.Scores:
		fmt.Fprintf(b, "    scores: [3, 2, 2, %g]\n", rapid.Float64Range(-1e6, 1e6).Draw(t, "score"))
	case param.Points:
		fmt.Fprintf(b, "    points: {2: 0.1, 8: 0.5}\n")
	}
}

func drawLog(t *rapid.T, name string, low, high float64) float64 {
	return math.Exp(rapid.Float64Range(math.Log(low), math.Log(high)).Draw(t, name))
}

// Whatever the scenario, the JSON parses, every number in it is finite, what has no
// number says why, and the best bound is the smallest valid one.
func TestJSONOfRandomScenarios(t *testing.T) {
	gauge.Sequential(t)
	gauge.Check(t, gauge.Cases(4, 30), func(t *rapid.T) {
		text := drawScenario(t)
		status, stdout, stderr := run(text, "compare", "-", "-o", "json", "--precision", "0.05")
		if status == statusInput { // parameters that do not go together
			if stdout != "" || stderr == "" {
				t.Fatalf("refused with %q on stdout and %q on stderr:\n%s", stdout, stderr, text)
			}
			t.Skip("refused")
		}
		if status != statusDone {
			t.Fatalf("status %d: %s\n%s", status, stderr, text)
		}
		var got struct {
			Bounds []struct {
				Method, Status, Note string
				Epsilon              *float64
				Delta                float64
				Lower                *float64 `json:"epsilon_lower"`
			}
			Best *struct {
				Method  string
				Epsilon float64
			}
		}
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatalf("%v\n%s", err, stdout)
		}
		least := math.Inf(1)
		for _, b := range got.Bounds {
			switch b.Status {
			case "valid", "approximate":
				if b.Epsilon == nil || *b.Epsilon < 0 || b.Lower != nil && *b.Lower > *b.Epsilon {
					t.Fatalf("%s is %s without a sound ε:\n%s\n%s", b.Method, b.Status, stdout, text)
				}
				if b.Status == "valid" {
					least = math.Min(least, *b.Epsilon)
				}
			default:
				if b.Epsilon != nil || b.Note == "" {
					t.Fatalf("%s is %s and does not say why:\n%s\n%s", b.Method, b.Status, stdout, text)
				}
			}
		}
		quoted := got.Best == nil
		for _, b := range got.Bounds { // the smallest, or a pure one that reads the same
			quoted = quoted || b.Status == "valid" && b.Method == got.Best.Method && *b.Epsilon == got.Best.Epsilon &&
				(*b.Epsilon == least || b.Delta == 0 && numeral.Upper(*b.Epsilon) == numeral.Upper(least))
		}
		if got.Best == nil != math.IsInf(least, 1) || !quoted {
			t.Fatalf("the best bound is not the smallest valid one, %g:\n%s\n%s", least, stdout, text)
		}
	})
}
