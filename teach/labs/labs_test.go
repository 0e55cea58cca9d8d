package labs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/gonum/floats"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// quick makes a lab finish in a moment without changing what it shows.
var quick = map[string]param.Values{
	"differencing":        {"repeats": param.WholeValue(200)},
	"randomized-response": {"surveys": param.WholeValue(300), "people": param.WholeValue(200)},
	"selection":           {"samples": param.WholeValue(2000)},
	"thresholdout":        {"trials": param.WholeValue(2), "features": param.WholeValue(200)},
	"adaptive-gaussian":   {"trials": param.WholeValue(20), "n": param.WholeValue(2000)},
	"generalization":      {"trials": param.WholeValue(20)},
	"erm":                 {"trials": param.WholeValue(2), "n": param.WholeValue(200)},
	"composition":         {"samples": param.WholeValue(2000)},
	"shuffled-batches":    {"samples": param.WholeValue(2000)},
	"shuffled-survey":     {"samples": param.WholeValue(500), "people": param.WholeValue(300), "colluders": param.WholeValue(150)},
	"frequency-oracles":   {"people": param.WholeValue(300), "runs": param.WholeValue(3)},
	"surviving-groups":    {"people": param.WholeValue(500), "runs": param.WholeValue(50)},
	"running-sums":        {"steps": param.WholeValue(64), "runs": param.WholeValue(20)},
	"tuning":              {"samples": param.WholeValue(2000)},
	"odometers":           {"samples": param.WholeValue(300)},
	"self-audit":          {"runs": param.WholeValue(200)},
	"dp-sgd":              {"steps": param.WholeValue(40), "n": param.WholeValue(400)},
}

// firstRun runs a lab with the first seed and few samples; several tests look at the same outcome.
func firstRun(name string) (*Outcome, error) {
	if known, ok := firstRuns.Load(name); ok {
		return known.(*Outcome), nil
	}
	out, err := Run(sharedAccountant(), name, Options{Seed: 1, Values: quick[name]})
	if err == nil {
		firstRuns.Store(name, out)
	}
	return out, err
}

var firstRuns sync.Map

func TestEveryLabRuns(t *testing.T) {
	ctx := sharedAccountant()
	for i, lab := range All() { // the quick form runs each a second time, with one seed or another in turn
		t.Run(lab.Name, func(t *testing.T) {
			out, err := firstRun(lab.Name)
			if err != nil {
				t.Fatal(err)
			}
			if i%2 == 0 || gauge.All() {
				again, err := Run(ctx, lab.Name, Options{Seed: 1, Values: quick[lab.Name]})
				if err != nil {
					t.Fatal(err)
				}
				if a, b := dump(out), dump(again); a != b {
					t.Errorf("two runs with one seed differ")
				}
			}
			if i%2 == 1 || gauge.All() {
				other, err := Run(ctx, lab.Name, Options{Seed: 2, Values: quick[lab.Name]})
				if err != nil {
					t.Fatal(err)
				}
				if dump(out) == dump(other) {
					t.Errorf("another seed changes nothing")
				}
			}
			if len(out.Figures) == 0 || len(out.Charts) == 0 || len(out.Says) == 0 ||
				(len(out.Stack) == 0) != (out.NoGuarantee != "") {
				t.Errorf("an outcome needs figures, plots, sentences, and a stack or a reason why there is none: %d %d %d %d",
					len(out.Figures), len(out.Charts), len(out.Says), len(out.Stack))
			}
			for _, f := range out.Figures {
				if math.IsNaN(f.Value) || math.IsInf(f.Value, 0) {
					t.Errorf("%s is %v", f.Name, f.Value)
				}
			}
			for _, c := range out.Charts {
				if r := unprintable(c); r != 0 {
					t.Errorf("%s: a picture has no sign for %q", c.Title, r)
				}
			}
			for _, item := range out.Stack {
				if _, err := mechanisms.New(item.Mechanism, item.Values); err != nil {
					t.Errorf("the stack item %s cannot be built: %v", item.Mechanism, err)
				}
			}
		})
	}
}

// unprintable returns a sign among the words of a chart that the font of pictures lacks; 0 if there is none.
func unprintable(c chart.Chart) rune {
	words := []string{c.Title, c.X.Label, c.Y.Label}
	for _, s := range c.Series {
		words = append(words, s.Name)
	}
	for _, m := range c.Marks {
		words = append(words, m.Label)
	}
	font, _ := sfnt.Parse(goregular.TTF)
	for _, r := range strings.Join(words, "") {
		if glyph, err := font.GlyphIndex(nil, r); glyph == 0 || err != nil {
			return r
		}
	}
	return 0
}

// dump returns an outcome as text, gaps and all.
func dump(o *Outcome) string { return fmt.Sprint(o.Figures, o.Tables, o.Charts, o.Says) }

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, lab := range All() {
		if _, err := Run(ctx, lab.Name, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want the context's error", lab.Name, err)
		}
	}
}

func TestRefusesBadParameters(t *testing.T) {
	var names []string
	for _, lab := range All() {
		names = append(names, lab.Name)
	}
	for _, c := range []struct {
		lab, want string
		values    param.Values
	}{
		{"nope", `unknown lab "nope"; the labs are ` + strings.Join(names, ", "), nil},
		{"differencing", "epsilon: must be at least 0.001 and at most 100, got -1", epsilonValue(-1)},
	} {
		_, err := Run(context.Background(), c.lab, Options{Values: c.values})
		if err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

// The figures the decks and their corrections name.
func TestLectureFigures(t *testing.T) {
	figure := func(lab, name string, values param.Values) float64 {
		t.Helper()
		out, err := Run(context.Background(), lab, Options{Seed: 7, Values: values})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range out.Figures {
			if f.Name == name {
				return f.Value
			}
		}
		t.Fatalf("%s has no figure %q", lab, name)
		return 0
	}
	for _, c := range []struct {
		lab, name string
		values    param.Values
		want, tol float64
	}{
		// 400 − 395
		{"differencing", "difference", quick["differencing"], 5, 0},
		// γ = ¼
		{"randomized-response", "ε", quick["randomized-response"], math.Log(3), 1e-12},
		// hair colour, others at 400
		{"exponential", "P(not the best)", nil, 0.019813, 1e-4},
		{"exponential", "theorem's shortfall", param.Values{"example": param.ChoiceValue("nationality"), "epsilon": param.NumberValue(1)}, 8.7726, 1e-4}, // 2(ln 4 + 3)
		{"exponential", "P(not the best)", param.Values{"example": param.ChoiceValue("price-bellet-one-item")}, // Bellet's own profits 3, 3.01, 4, 0 at ε = 5, Δ = 4.01
			1 - 1/(1+math.Exp(-5/8.02)+math.Exp(-5*0.99/8.02)+math.Exp(-20/8.02)), 1e-12},
		{"differencing", "exact answer with the person", quick["differencing"], 400, 0}, // 108 people, 0 to 5 cigarettes
		{"sparse-vector", "positives by the slide's rule", param.Values{"positives": param.WholeValue(5)}, 6, 0},
		{"generalization", "largest ε the theorem allows", param.Values{"n": param.WholeValue(10000), "tau": param.NumberValue(0.05), "trials": param.WholeValue(10), "queries": param.WholeValue(2)}, 0.049652, 1e-4},
	} {
		if got := figure(c.lab, c.name, c.values); math.Abs(got-c.want) > c.tol*math.Abs(c.want) {
			t.Errorf("%s, %s: got %v, want %v", c.lab, c.name, got, c.want)
		}
	}
}

// A plain holdout is fooled, Thresholdout is not; both by more than chance.
func TestThresholdoutPreventsOverfitting(t *testing.T) {
	out, err := Run(context.Background(), "thresholdout", Options{Seed: 3, Values: param.Values{"trials": param.WholeValue(6)}})
	if err != nil {
		t.Fatal(err)
	}
	plain, private := out.Figures[0].Value, out.Figures[1].Value
	// A vote's accuracy on 2048 rows has deviation 0.011; six trials make it 0.0045.
	if plain < 0.04 {
		t.Errorf("the plain holdout should overfit, showed only %v too much", plain)
	}
	if math.Abs(private) > plain/2 {
		t.Errorf("Thresholdout overfits by %v, the plain holdout by %v", private, plain)
	}
}

// The exact distribution of the walk agrees with the simulated one: every bin
// within 6 deviations of a binomial count.
func TestCompositionMatchesExact(t *testing.T) {
	for _, kind := range []string{"laplace", "randomized-response", "gaussian"} {
		const n = 20_000
		out, err := Run(context.Background(), "composition", Options{Seed: 5, Values: param.Values{
			"mechanism": param.ChoiceValue(kind), "samples": param.WholeValue(n)}})
		if err != nil {
			t.Fatal(err)
		}
		sim, exact := out.Charts[0].Series[0], out.Charts[0].Series[1]
		width := sim.X[1] - sim.X[0]
		total := 0.0
		for i := range sim.Y {
			p := exact.Y[i] * width
			total += p
			if dev := math.Abs(sim.Y[i]*width-p) / math.Sqrt(math.Max(p, 1.0/n)/n); dev > 6 {
				t.Errorf("%s at %v: simulated %v, exact %v (%.1f deviations)", kind, sim.X[i], sim.Y[i]*width, p, dev)
			}
		}
		if math.Abs(total-1) > 1e-4 {
			t.Errorf("%s: the exact distribution sums to %v within ±5 deviations", kind, total)
		}
		if order := out.Charts[0].Order(); order[len(order)-1] != 1 {
			t.Errorf("%s: the normal approximation is drawn over the exact distribution: %v", kind, order)
		}
	}
}

// The minimiser is exact: its gradient vanishes.
func TestMinimiserIsExact(t *testing.T) {
	r := (&trial{seed: 1}).rand(0)
	p := generate(r, 300, 4)
	b := direction(r, 4, 2)
	w := p.minimise(0.05, b)
	for j := range w {
		g := 0.05*w[j] + b[j]/300
		for i, x := range p.x {
			g -= p.y[i] * x[j] / (1 + math.Exp(p.y[i]*floats.Dot(w, x))) / 300
		}
		if math.Abs(g) > 1e-12 {
			t.Errorf("gradient %d is %v", j, g)
		}
	}
}

func BenchmarkLabs(b *testing.B) {
	for _, lab := range All() {
		b.Run(lab.Name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if _, err := Run(context.Background(), lab.Name, Options{Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Once its budget is spent Thresholdout must not show the holdout any more: what is
// shown then is the training set, and the lab says so.
func TestThresholdoutStopsWhenSpent(t *testing.T) {
	h := new(trial).newHoldout(mechanisms.Thresholdout{Budget: 1, Sigma: 1e-6, N: 1000, Threshold: 0.1},
		rand.New(rand.NewPCG(1, 2)))
	if v := h.ask(0.9, 0.5); math.Abs(v-0.5) > 1e-3 {
		t.Errorf("the answer that was paid for is %v", v)
	}
	if v := h.ask(0.9, 0.5); v != 0.9 {
		t.Errorf("beyond the budget it shows %v", v)
	}
	out, err := Run(context.Background(), "thresholdout", Options{Seed: 1, Values: param.Values{
		"trials": param.WholeValue(1), "features": param.WholeValue(100), "budget": param.WholeValue(3)}})
	if err != nil || !strings.Contains(strings.Join(out.Says, " "), "The budget was spent") {
		t.Errorf("%v, %v", out, err)
	}
}
