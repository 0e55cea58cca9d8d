package peers

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

func training(t *testing.T, head, fields string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("", []byte("version: 1\n"+head+"stack:\n  - {mechanism: "+fields+"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func figuresOf(t *testing.T, s *scenarios.Scenario) map[string]ToolResult {
	t.Helper()
	list, err := AskTools(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]ToolResult{}
	for _, f := range list {
		tool, _, _ := strings.Cut(f.Peer, " ")
		name, _, _ := strings.Cut(f.Accountant, ",")
		if name == "statement" {
			name = f.Accountant
		}
		byName[tool+" "+name] = f
	}
	return byName
}

// Figures that the tools' own tests expect, or that they printed when run.
func TestPrintsWhatTheToolsPrint(t *testing.T) {
	printed := map[string]map[string]ToolResult{} // by scenario
	for _, c := range gauge.Some(2, []struct {
		head, fields, tool string
		epsilon, tolerance float64
		source             string
	}{
		{"budget: {delta: 1e-5}\n", "dp-sgd, noise_multiplier: 1.5, sampling_rate: 0.04, steps: 2249", "Opacus PRV", 6.777395712150674, 1e-5, "Opacus 1.5.4, tests/accountants_test.py"},
		{"budget: {delta: 1e-5}\n", "dp-sgd, noise_multiplier: 1.5, sampling_rate: 0.04, steps: 2250", "Opacus RDP", 7.32911117143, 1e-10, "the same"},
		{"budget: {delta: 1e-5}\n", "dp-sgd, noise_multiplier: 1.5, sampling_rate: 0.04, steps: 2249", "Opacus GDP", 6.595, 7.6e-4, "the same: between 6.59 and 6.60"},
		{"budget: {delta: 1/48000}\n", "dp-sgd, noise_multiplier: 3, sampling_rate: 0.2, steps: 50", "Opacus GDP", 1.835, 2.8e-3, "quoted as 1.83 in pytorch/opacus issue 643, cut there"},
		{"budget: {delta: 1e-5}\n", "dp-sgd, noise_multiplier: 1.5, sampling_rate: 0.04, steps: 2250", "dp_accounting PLD", 6.76879, 1e-5, "dp_accounting 0.6.0, run"},
		{"budget: {delta: 1e-5}\n", "dp-sgd, noise_multiplier: 0.35, sampling_rate: 0.01, steps: 120", "dp_accounting PLD", 18.6977407, 1e-4, "TF-Privacy, compute_dp_sgd_privacy_test.py, microbatching"},
		{"budget: {delta: 1e-5}\n", "dp-sgd, noise_multiplier: 0.7, sampling_rate: 0.01, steps: 120", "dp_accounting PLD", 2.4612381, 1e-4, "TF-Privacy, compute_dp_sgd_privacy_test.py, no microbatching"},
		{"budget: {delta: 1e-5}\n", "dp-sgd, noise_multiplier: 0.7, sampling_rate: 1, steps: 2", "dp_accounting PLD", 10.1224946, 1e-6, "the same, no sampling"},
		{"budget: {delta: 1e-5}\n", "dp-sgd, noise_multiplier: 0.7, sampling_rate: 0.01, steps: 120", "TF-Privacy statement, Poisson", 22.625, 1e-8, "the same, RDP, microbatching: 22.6248601, of which a statement prints three decimals"},
		{"budget: {delta: 1e-6}\nrecords: 10000\n", "dp-sgd, noise_multiplier: 2, batch: 64, epochs: 5", "TF-Privacy statement, once per epoch", 13.376, 5e-5, "the statement in the same file"},
		{"budget: {delta: 1e-6}\nrecords: 10000\n", "dp-sgd, noise_multiplier: 2, batch: 64, epochs: 5", "TF-Privacy statement, Poisson", 1.616, 4e-4, "the same"},
		{"budget: {delta: 1e-5}\nrecords: 60000\n", "dp-sgd, noise_multiplier: 1.3, batch: 150, epochs: 15", "TF-Privacy compute_dp_sgd_privacy", 0.7242234026109595, 1e-9, "the same"},
		{"budget: {delta: 1e-7}\nrecords: 100000\n", "dp-sgd, noise_multiplier: 1, batch: 100, epochs: 30", "TF-Privacy compute_dp_sgd_privacy", 1.4154988495444842, 1e-9, "the same"},
		{"budget: {delta: 1e-5}\nadjacency: replace\n", "dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 1000", "dp_accounting PLD", 2.8434, 2e-5, "dp_accounting 0.6.0, run"},
		{"budget: {delta: 1e-5}\nadjacency: replace\n", "dp-sgd, noise_multiplier: 2, sampling_rate: 0.01, steps: 1000, batches: fixed", "dp_accounting RDP", 1.4452982421210192, 1e-9, "dp_accounting 0.6.0, run"},
		{"budget: {delta: 1e-5}\n", "dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 1000, batches: truncated, max_batch: 550, records: 50000", "dp_accounting PLD", 4.8357, 2e-5, "dp_accounting 0.6.0, run"},
		{"budget: {delta: 1e-6}\nadjacency: zero-out\n", "matrix, factorisation: tree, steps: 1600, noise_multiplier: 8.83", "dp_accounting RDP", 1.7731924479, 1e-9, "dp_accounting 0.6.0, run"},
	}) {
		if printed[c.head+c.fields] == nil {
			printed[c.head+c.fields] = figuresOf(t, training(t, c.head, c.fields))
		}
		f := printed[c.head+c.fields][c.tool]
		if !(math.Abs(f.Epsilon-c.epsilon) <= c.tolerance*c.epsilon) {
			t.Errorf("%s of %s: %.9g (%s), want %.9g (%s)", c.tool, c.fields, f.Epsilon, f.Why, c.epsilon, c.source)
		}
	}
}

// A figure for another sampler, another neighbour or fewer records is told from one that
// holds; what a tool cannot price it is not asked to.
func TestStandings(t *testing.T) {
	const sgd = "dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 1000"
	for _, c := range gauge.Some(3, []struct {
		head, fields, tool string
		want               Standing
		why                string
	}{
		{"", sgd, "dp_accounting PLD", Same, "our pair"},
		{"", sgd, "Opacus PRV", Larger, "adds 0.01"},
		{"", sgd, "Opacus RDP", Larger, "order"},
		{"adjacency: zero-out\n", sgd + ", batches: shuffled", "Opacus PRV", TooSmall, "not shuffled"},
		{"adjacency: zero-out\n", sgd + ", batches: shuffled", "dp_accounting PLD", Refused, "no event"},
		{"adjacency: zero-out\n", sgd + ", batches: shuffled", "TF-Privacy statement, once per epoch", Larger, "microbatches"},
		{"adjacency: replace\n", sgd, "Opacus RDP", TooSmall, "not replace"},
		{"adjacency: replace\n", sgd, "dp_accounting RDP", Refused, "refuses"},
		{"adjacency: replace\n", sgd + ", batches: fixed", "dp_accounting RDP", TooSmall, "halved it prints 23.29"},
		{"", sgd + ", batches: fixed", "dp_accounting RDP", Refused, "refuses"},
		{"", sgd + ", batches: allocated", "Opacus RDP", Larger, "not allocated"},
		{"group: 3\n", sgd, "dp_accounting PLD", TooSmall, "not 3"},
		{"records: 60000\n", "dp-sgd, noise_multiplier: 1.1, batch: 256, epochs: 10", "Opacus RDP", Larger, "1/235"},
	}) {
		s := training(t, "budget: {delta: 1e-6}\n"+c.head, c.fields)
		r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := figuresOf(t, s)[c.tool]
		if got := f.Standing(r); got != c.want || !strings.Contains(f.Why, c.why) {
			t.Errorf("%s of %s%s: %q (%v, %s), want %q", c.tool, c.head, c.fields, got, f.Epsilon, f.Why, c.want)
		}
	}
}

// Anything but training is not asked about, nor is a δ of 0.
func TestNotAsked(t *testing.T) {
	for _, s := range []*scenarios.Scenario{
		training(t, "budget: {delta: 1e-6}\n", "laplace, epsilon: 1"),
		training(t, "", "dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 10"),
	} {
		if list, err := AskTools(context.Background(), s); err == nil {
			t.Errorf("%v", list)
		}
	}
}

// dp_accounting's PLD lies on a grid of 1e-4. If one step moves the loss by less than that, the grid
// decides what it prints: run with q = 1e-4, z = 10 and 1e5 steps at δ 1e-6 it printed 0.0298, where
// the pair costs 0.00969. Opacus' mesh has the same fault there, which is not followed.
func TestCoarseGridsAreFollowed(t *testing.T) {
	s := training(t, "budget: {delta: 1e-6}\n", "dp-sgd, noise_multiplier: 10, sampling_rate: 1e-4, steps: 100000")
	all := figuresOf(t, s)
	if f := all["dp_accounting PLD"]; f.PrintedEpsilon() != "0.02981" || !strings.Contains(f.Why, "grid of 1e-4 is coarser") {
		t.Errorf("it prints %v: %s", f.Epsilon, f.Why)
	}
	if f := all["Opacus PRV"]; f.HasValue() || !strings.Contains(f.Why, "mesh is coarser") {
		t.Errorf("Opacus prints %v: %s", f.Epsilon, f.Why)
	}
}

// At a small δ it prints ∞, as every composition moves 1e-15 to an infinite loss; between, rounding in
// its transform decides (run with q 0.01, z 1 and 1000 steps: 3.9152 at δ 1e-12, 6.817 at 1e-14), and
// no figure is claimed.
func TestSmallDeltasAreFollowedOrLeftOut(t *testing.T) {
	for _, c := range gauge.Some(2, []struct{ delta, want string }{{"1e-10", "3.290"}, {"1e-12", ""}, {"1e-14", ""}, {"1e-15", "∞"}, {"1e-20", "∞"}}) {
		s := training(t, "budget: {delta: "+c.delta+"}\n", "dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: 1000")
		f := figuresOf(t, s)["dp_accounting PLD"]
		if f.HasValue() != (c.want != "") || f.HasValue() && f.PrintedEpsilon() != c.want || f.Why == "" {
			t.Errorf("at δ %s it prints %s (%s), want %q", c.delta, f.PrintedEpsilon(), f.Why, c.want)
		}
	}
}

// If δ covers the whole divergence, dp_accounting prints 0 by both accountants (δ² > 1 − e^{−r} at one
// of its orders), and Opacus' formula, which has no such end, a negative ε.
func TestZeroAsDPAccountingPrintsIt(t *testing.T) {
	s := training(t, "budget: {delta: 0.1}\n", "dp-sgd, noise_multiplier: 5, sampling_rate: 1e-3, steps: 10")
	all := figuresOf(t, s)
	if f := all["dp_accounting RDP"]; f.Epsilon != 0 {
		t.Errorf("RDP prints %v", f.Epsilon)
	}
	if f := all["dp_accounting PLD"]; f.Epsilon != 0 {
		t.Errorf("PLD prints %v: %s", f.Epsilon, f.Why)
	}
	if f := all["Opacus RDP"]; !(f.Epsilon < 0) {
		t.Errorf("Opacus prints %v", f.Epsilon)
	}
}

// A statement has three decimals, rounded to the nearest (TF-Privacy, compute_dp_sgd_privacy_test.py).
func TestStatementsHaveTheirDigits(t *testing.T) {
	s := training(t, "budget: {delta: 1e-6}\nrecords: 10000\n", "dp-sgd, noise_multiplier: 2, batch: 64, epochs: 5")
	all := figuresOf(t, s)
	if once, poisson := all["TF-Privacy statement, once per epoch"], all["TF-Privacy statement, Poisson"]; once.PrintedEpsilon() != "13.376" || once.Epsilon != 13.376 ||
		poisson.PrintedEpsilon() != "1.616" {
		t.Errorf("%s and %s", once.PrintedEpsilon(), poisson.PrintedEpsilon())
	}
}

// TF-Privacy counts steps by its own division, without a tolerance: an epoch of ten batches at the
// rate 0.1·3 has one step more where the quotient is above a whole number by rounding.
func TestTFPrivacyCountsStepsByItself(t *testing.T) {
	rate, epochs := 0.1+0.2, 3*(0.1+0.2)*(1+1e-15) // math.ceil(epochs / rate) is 4 in Python too
	if math.Ceil(epochs/rate) != 4 {
		t.Fatal("the example does not show it")
	}
	j := job{delta: 1e-5, runs: []run{{mechanisms.DPSGD{SamplingRate: rate, NoiseMultiplier: 1,
		Steps: 3, Epochs: epochs}, 1}}}
	list, err := tfPrivacy(context.Background(), j)
	if err != nil {
		t.Fatal(err)
	}
	four, _ := dpAccountingLeast(dpAccountingOrders(), sumOf([]steps{{rate, 0.5, 4}}, absoluteRenyi), 1e-5)
	if list[1].PrintedEpsilon() != strconv.FormatFloat(four, 'f', 3, 64) {
		t.Errorf("it prints %v, four steps cost %v", list[1].Epsilon, four)
	}
}

// At a δ that alone covers the training, Opacus' PRV prints what its mesh extrapolates, 0.0090, −0.0932 or −0.0761 in
// trials: no number is shown in its place. Its GDP accountant takes equal entries, which are one history.
func TestOpacusAtItsEdges(t *testing.T) {
	ask := func(text string) map[string]ToolResult {
		s, err := scenarios.Parse("", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		all, err := AskTools(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		by := map[string]ToolResult{}
		for _, r := range all {
			by[r.Peer+" "+r.Accountant] = r
		}
		return by
	}
	const entry = "  - {mechanism: dp-sgd, noise_multiplier: 1, sampling_rate: 0.01, steps: %s}\n"
	covered := ask("version: 1\nbudget: {delta: 0.1}\nstack:\n" + strings.Replace(entry, "%s", "100", 1))["Opacus 1.5.4 PRV, its default"]
	if !math.IsNaN(covered.Epsilon) || !strings.Contains(covered.Why, "δ alone covers") {
		t.Errorf("PRV at δ = 0.1: %+v", covered)
	}
	one := ask("version: 1\nbudget: {delta: 1e-5}\nstack:\n" + strings.Replace(entry, "%s", "200", 1))["Opacus 1.5.4 GDP"]
	two := ask("version: 1\nbudget: {delta: 1e-5}\nstack:\n" + strings.Repeat(strings.Replace(entry, "%s", "100", 1), 2))["Opacus 1.5.4 GDP"]
	if math.IsNaN(one.Epsilon) || math.Abs(one.Epsilon-two.Epsilon) > 1e-12 {
		t.Errorf("200 steps: %+v; twice 100: %+v", one, two)
	}
}
