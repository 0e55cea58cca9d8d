package chart

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/internal/samples"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// hair returns the lectures' choice of a hair colour: 500, 400, 400, 400 at ε = 0.1.
func hair(epsilon float64) *scenarios.Scenario {
	return samples.One("exponential", param.Values{
		"epsilon": param.NumberValue(epsilon),
		"candidates": param.CandidatesValue(
			param.Item{Name: "brown", Value: 400}, param.Item{Name: "dark", Value: 500},
			param.Item{Name: "blond", Value: 400}, param.Item{Name: "red", Value: 400}),
	}, 1, 1e-6)
}

func build(t *testing.T, kind string, s *scenarios.Scenario, opt Options) Chart {
	t.Helper()
	k, err := FindKind(kind)
	if err != nil {
		t.Fatal(err)
	}
	c, err := k.Build(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func series(t *testing.T, c Chart, name string) Series {
	t.Helper()
	for _, s := range c.Series {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("%s has no series %q", c.Title, name)
	return Series{}
}

func hasMark(c Chart, text string) bool {
	for _, m := range c.Marks {
		if strings.Contains(m.Label, text) {
			return true
		}
	}
	for _, n := range c.Notes {
		if strings.Contains(n, text) {
			return true
		}
	}
	return false
}

// Where advanced composition starts to win: at 29 queries of ε = 0.1 (δ = 1e-5),
// never at ε = 1.
func TestCrossings(t *testing.T) {
	c := build(t, "epsilon-k", samples.Pure(0.1, 1, 1e-5), Options{})
	if !hasMark(c, "K = 29: advanced beats basic") {
		t.Errorf("no crossing at 29: %+v %q", c.Marks, c.Notes)
	}
	if !hasMark(c, "budget 1") {
		t.Error("the budget is not marked")
	}
	c = build(t, "epsilon-k", samples.Pure(1, 1, 1e-5), Options{})
	if !hasMark(c, "advanced does not beat basic up to K = 1000") {
		t.Errorf("a crossing at ε = 1: %+v %q", c.Marks, c.Notes)
	}
	// Of 3,515 steps a run, advanced composition wins at first: by compare, 824669.9 against 824812.5 at 340 runs, and
	// 827738.7 against 827512.0 at 341.
	s, err := scenarios.LoadBundled("dp-sgd")
	if err != nil {
		t.Fatal(err)
	}
	if c = build(t, "epsilon-k", s, Options{}); !hasMark(c, "K = 341: basic beats advanced") || hasMark(c, "does not beat") {
		t.Errorf("no crossing at 341: %+v %q", c.Marks, c.Notes)
	}
	// Against an entry's count, the same.
	c = build(t, "epsilon-k", samples.Pure(0.1, 7, 1e-5), Options{Entry: 1})
	if !hasMark(c, "K = 29: advanced beats basic") || !hasMark(c, "K = 7: ε = 0.6991") {
		t.Errorf("against a count: %+v %q", c.Marks, c.Notes)
	}
}

// The counts of a numerical curve are few, close enough for a line, and each has the ε of its own comparison.
func TestNumericalCountsEqualComparisons(t *testing.T) {
	s := samples.Gaussian(10, 1, 1e-6)
	ys := series(t, build(t, "epsilon-k", s, Options{Numerical: true}), "numerical")
	if len(ys.X) > 20 || ys.X[len(ys.X)-1] != 1000 {
		t.Errorf("%d counts: %v", len(ys.X), ys.X)
	}
	for i, k := range ys.X {
		if i > 0 && k > ys.X[i-1]+1 && k/ys.X[i-1] > 1.55 { // a whole number next to 1.45 times the one before
			t.Errorf("%v follows %v", k, ys.X[i-1])
		}
		s.Stack[0].Count = k
		result, err := scenarios.Evaluate(t.Context(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range result.Bounds {
			if b.Method == accounting.Numerical && b.Epsilon != ys.Y[i] {
				t.Errorf("K = %v: ε %v, and %v in a comparison", k, ys.Y[i], b.Epsilon)
			}
		}
	}
}

func TestEpsilonKEqualsTheComparison(t *testing.T) {
	s := samples.Pure(0.1, 1, 1e-6)
	s.Rounds = 100
	c := build(t, "epsilon-k", s, Options{Methods: []accounting.Method{accounting.Optimal, accounting.Basic}})
	if len(c.Series) != 2 || c.Series[0].Name != "basic" {
		t.Fatalf("series: %v", c.Series)
	}
	optimal := series(t, c, "optimal")
	for i, k := range optimal.X {
		if k == 100 && math.Abs(optimal.Y[i]-4.774567588108) > 1e-9 { // users' figure, theory
			t.Errorf("optimal at K = 100: %v", optimal.Y[i])
		}
	}
	for i := 1; i < len(optimal.Y); i++ {
		if optimal.Y[i] < optimal.Y[i-1] {
			t.Errorf("ε falls from K = %v to %v", optimal.X[i-1], optimal.X[i])
		}
	}
}

// The curve's minimum is the bound, at the order it names.
func TestRenyiOptimum(t *testing.T) {
	s := samples.Gaussian(10, 1000, 1e-6)
	s.Alpha = 4
	c := build(t, "renyi", s, Options{})
	line, r := series(t, c, "ε(α)"), series(t, c, "r(α)")
	least, at := math.Inf(1), 0.0
	for i, y := range line.Y {
		if y < least {
			least, at = y, line.X[i]
		}
		if want := line.X[i] * 5; math.Abs(r.Y[i]-want) > 1e-12*want { // K·α/(2σ²)
			t.Errorf("r(%g) = %g, want %g", line.X[i], r.Y[i], want)
		}
	}
	stack, err := scenarios.Stack(s)
	if err != nil {
		t.Fatal(err)
	}
	b := accounting.Evaluate(context.Background(), accounting.RDP, stack, accounting.Target{Delta: 1e-6})
	if math.Abs(least-b.Epsilon) > 1e-12 || at != b.Alpha {
		t.Errorf("minimum %g at %g, the bound is %g at %g", least, at, b.Epsilon, b.Alpha)
	}
	if !hasMark(c, "best α = ") || !hasMark(c, "pinned α = 4") {
		t.Errorf("marks: %+v", c.Marks)
	}
	if _, ok := c.RatioToBest(); ok { // the conversion divided by itself would be a flat line
		t.Error("a Rényi curve has a ratio to the best bound")
	}
}

// A sampled release has many orders at which nothing can be seen: half of those computed lie in the picture, which
// holds the best order and the steep rise behind it.
func TestRenyiOrdersLieInThePicture(t *testing.T) {
	s, err := scenarios.LoadBundled("dp-sgd")
	if err != nil {
		t.Fatal(err)
	}
	c := build(t, "renyi", s, Options{Points: 30})
	line, shown, last := series(t, c, "ε(α)"), 0, 0.0
	for i, alpha := range line.X {
		if alpha >= c.X.Min && alpha <= c.X.Max {
			shown, last = shown+1, line.Y[i]
		}
	}
	if shown < 15 || c.Read < c.X.Min || c.Read > c.X.Max || last < c.Y.Max {
		t.Errorf("%d orders between %v and %v, up to ε = %v of %v; the best is %v", shown, c.X.Min, c.X.Max, last, c.Y.Max, c.Read)
	}
}

// Without a δ there is no picture to look for, and all orders that are asked for are drawn; and a chart has two ends,
// however few they are.
func TestRenyiHasTheOrdersAskedFor(t *testing.T) {
	if line := series(t, build(t, "renyi", samples.Gaussian(1, 1, 0), Options{Points: 30}), "r(α)"); len(line.X) != 30 {
		t.Errorf("%d orders of 30", len(line.X))
	}
	for _, points := range []int{2, 3} {
		if c := build(t, "renyi", samples.Pure(1e6, 1e12, 1e-6), Options{Points: points}); !(c.X.Min < c.X.Max) {
			t.Errorf("%d points from %v to %v", points, c.X.Min, c.X.Max)
		}
	}
}

// No curve of a profile ends in the air: each goes down to the least δ of interest, or beyond the right end.
func TestProfilesGoDownToTheAxis(t *testing.T) {
	s, err := scenarios.LoadBundled("dp-sgd")
	if err != nil {
		t.Fatal(err)
	}
	c := build(t, "profile", s, Options{Numerical: true})
	for _, line := range c.Series {
		if n := len(line.X); line.Y[n-1] > 1.01e-9 && line.X[n-1] < c.Focus {
			t.Errorf("%s ends at δ(%v) = %v", line.Name, line.X[n-1], line.Y[n-1])
		}
	}
}

// The profile of a pure ε = 1 ends in (1, 0), which a logarithmic axis does not have: the curve goes down to the axis
// there, and never lies below (e − e^ε)/(e + 1) (Kairouz, Oh and Viswanath 2015). Where
// it falls by decades its points are so close that the line between two is as steep as the profile.
func TestProfileOfAPureReleaseGoesDown(t *testing.T) {
	for _, delta := range []float64{0, 1e-6} {
		c := build(t, "profile", samples.Pure(1, 1, delta), Options{Numerical: true})
		for _, name := range []string{"numerical", "optimal", "rdp"} {
			line := series(t, c, name)
			for i, e := range line.X {
				if exact := math.Max(0, (math.E-math.Exp(e))/(math.E+1)); line.Y[i] < exact*(1-1e-9) {
					t.Errorf("%s: δ(%v) = %v is below %v", name, e, line.Y[i], exact)
				}
				if i > 0 && line.Y[i] < line.Y[i-1]/101 && line.X[i]-line.X[i-1] > 1e-8 {
					t.Errorf("%s falls from δ(%v) = %v to δ(%v) = %v", name, line.X[i-1], line.Y[i-1], e, line.Y[i])
				}
			}
			last := slices.IndexFunc(line.Y, math.IsNaN)
			if last < 0 {
				last = len(line.Y)
			}
			if math.Abs(line.X[last-1]-1) > 0.02 || line.Y[last-1] > 3e-7 {
				t.Errorf("%s ends at δ(%v) = %v", name, line.X[last-1], line.Y[last-1])
			}
		}
	}
}

// For Gaussian noise the GDP profile is exact, and the others lie above it.
func TestProfilesLieAboveTheExactOne(t *testing.T) {
	c := build(t, "profile", samples.Gaussian(1, 1, 1e-5), Options{})
	exact := series(t, c, "gdp")
	for i, e := range exact.X {
		if want := accounting.GaussianToDelta(1, e); math.Abs(exact.Y[i]-want) > 1e-12*want {
			t.Errorf("δ(%g) = %g, want %g", e, exact.Y[i], want)
		}
		for _, name := range []string{"rdp", "zcdp"} {
			if y := series(t, c, name).Y[i]; y < exact.Y[i]*(1-1e-12) {
				t.Errorf("%s: δ(%g) = %g is below the truth %g", name, e, y, exact.Y[i])
			}
		}
	}
}

// A profile reads off what the comparison says: of (ξ, ρ)-zCDP, whose ξ is no part of ρ, too.
func TestProfileOfAnOffset(t *testing.T) {
	s := samples.One("zcdp", param.Values{"rho": param.NumberValue(0.0003), "xi": param.NumberValue(0.009)}, 100, 0.3)
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{ClosedFormsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(r.Bounds, func(b accounting.Bound) bool { return b.Method == accounting.ZCDP })
	epsilon := r.Bounds[at].Epsilon
	profile := series(t, build(t, "profile", s, Options{}), "zcdp")
	for i, x := range profile.X {
		if x > epsilon && profile.Y[i] > 0.3 {
			t.Fatalf("δ = %v at ε = %v; the comparison has ε = %v at δ = 0.3", profile.Y[i], x, epsilon)
		}
	}
}

// Where a theorem has no δ at a small ε, an attacker's errors come from the others.
func TestTradeoffOfAnOffset(t *testing.T) {
	s, err := scenarios.LoadBundled("zcdp-offset")
	if err != nil {
		t.Fatal(err)
	}
	misses := series(t, build(t, "tradeoff", s, Options{}), "zcdp")
	for i, x := range misses.X {
		if y := misses.Y[i]; !(y >= 0 && y <= 1-x) || x <= 0.001 && y < 0.98 {
			t.Errorf("%v misses at %v false alarms", y, x)
		}
	}
}

// Reference: G_1(0.05) = 0.7404889771585559 (Dong, Roth & Su); nobody who knows
// less than the exact curve promises a larger error.
func TestTradeoff(t *testing.T) {
	c := build(t, "tradeoff", samples.Gaussian(1, 1, 1e-5), Options{Points: 101})
	exact, guess := series(t, c, "gdp"), series(t, c, "guessing")
	seen := false
	for i, x := range exact.X {
		if math.Abs(x-0.05) < 1e-12 {
			seen = true
			if math.Abs(exact.Y[i]-0.7404889771585559) > 1e-10 {
				t.Errorf("G(0.05) = %v", exact.Y[i])
			}
		}
		if exact.Y[i] > guess.Y[i]+1e-12 {
			t.Errorf("at %g an attacker does worse than guessing: %g", x, exact.Y[i])
		}
		for _, name := range []string{"rdp", "zcdp"} {
			if y := series(t, c, name).Y[i]; y > exact.Y[i]+1e-9 || y < 0 {
				t.Errorf("%s promises %g at %g, the truth is %g", name, y, x, exact.Y[i])
			}
		}
	}
	if !seen {
		t.Error("0.05 is not on the grid")
	}
}

// The advantage of a Gaussian with μ = 1 is 2Φ(½) − 1 = 0.38292 (Dong, Roth & Su); the words beside the point say so,
// rounded up, though no point of a coarse grid attains it.
func TestTradeoffSaysTheAdvantage(t *testing.T) {
	for _, numerical := range []bool{false, true} {
		c := build(t, "tradeoff", samples.Gaussian(1, 1, 1e-5), Options{Points: 11, Numerical: numerical})
		if !hasMark(c, "largest advantage 0.3830") {
			t.Errorf("numerical %v: %+v", numerical, c.Marks)
		}
	}
}

// A density holds nearly all its mass on the chart, and D′ is D moved by Δ.
func TestNoise(t *testing.T) {
	s := samples.One("laplace", param.Values{"epsilon": param.NumberValue(0.5)}, 1, 1e-6)
	c := build(t, "noise", s, Options{Points: 400})
	for _, name := range []string{"on D", "on D′", "Gaussian at equal cost"} {
		d, mass := series(t, c, name), 0.0
		for i := 1; i < len(d.X); i++ {
			mass += (d.X[i] - d.X[i-1]) * (d.Y[i] + d.Y[i-1]) / 2
		}
		if mass < 0.95 || mass > 1.001 {
			t.Errorf("%s: mass %g", name, mass)
		}
	}
	// Laplace with b = 2: 95 % within b·ln 20 = 5.9915 (users' table, row 11), rounded up as everywhere.
	if !hasMark(c, "95 % within ±5.992") {
		t.Errorf("marks: %+v", c.Marks)
	}
	c = build(t, "noise", samples.One("geometric", param.Values{"epsilon": param.NumberValue(0.5)}, 1, 1e-6), Options{})
	if d := series(t, c, "on D"); !d.Step || c.Y.Label != "probability" {
		t.Error("a discrete distribution is not drawn as steps")
	}
}

// At equal cost, many releases: Gaussian noise is the smaller one, and turning the
// Gaussian back into Laplace noise gives the Laplace it came from.
func TestEqualCostRoundTrip(t *testing.T) {
	ctx := context.Background()
	l := mechanisms.Laplace{Epsilon: 0.1, Sensitivity: 1}
	n, _, ok := equalCost(ctx, l, 100, 1e-6)
	if !ok {
		t.Fatal("no Gaussian at equal cost")
	}
	sigma := n.Quantile(0.975) / 1.959963984540054
	if sigma >= math.Sqrt2*l.Scale() {
		t.Errorf("σ = %g is no better than Laplace noise of deviation %g", sigma, math.Sqrt2*l.Scale())
	}
	back, _, ok := equalCost(ctx, mechanisms.Gaussian{Sigma: sigma, Sensitivity: 1}, 100, 1e-6)
	if !ok {
		t.Fatal("no Laplace at equal cost")
	}
	if b := back.Quantile(0.975) / math.Log(20); math.Abs(b-10) > 1e-3 {
		t.Errorf("b = %g, want 10", b)
	}
}

// The hair colours: exact 0.019813 against the theorem's 0.026952 (users' table,
// row 1).
func TestUtility(t *testing.T) {
	c := build(t, "utility", hair(0.1), Options{})
	if len(c.Bars) != 4 || c.Bars[0].Label != "dark" || c.Bars[0].Caption() != "dark (500)" || !c.Bars[0].Best || c.Bars[1].Best {
		t.Fatalf("bars: %+v", c.Bars)
	}
	sum := 0.0
	for _, b := range c.Bars {
		sum += b.Value
	}
	exact, theorem := series(t, c, "exact P(score as low)"), series(t, c, "theorem")
	if math.Abs(sum-1) > 1e-12 || math.Abs(exact.Y[1]-0.019813) > 1e-6 || math.Abs(theorem.Y[3]-0.026952) > 1e-6 {
		t.Errorf("sum %g, exact %v, theorem %v", sum, exact.Y, theorem.Y)
	}
	if exact.Y[1] != exact.Y[3] {
		t.Error("candidates of one score have different tails")
	}
	short := build(t, "utility", hair(0.1), Options{MaxBars: 3})
	if len(short.Bars) != 3 || short.Bars[2].Label != "2 others" || math.Abs(short.Bars[2].Value-2*c.Bars[1].Value) > 1e-15 {
		t.Errorf("bars: %+v", short.Bars)
	}
}

// The theorem's bound on a wrong hair colour crosses 1 % at ε = 0.1198.
func TestTailAgainstEpsilon(t *testing.T) {
	c := build(t, "utility-epsilon", hair(0.1198), Options{})
	theorem, exact := series(t, c, "theorem"), series(t, c, "exact")
	for i, e := range theorem.X {
		if e == 0.1198 && math.Abs(theorem.Y[i]-0.01) > 2e-5 {
			t.Errorf("bound at %g: %g", e, theorem.Y[i])
		}
		if exact.Y[i] > theorem.Y[i] {
			t.Errorf("at %g the theorem %g is below the truth %g", e, theorem.Y[i], exact.Y[i])
		}
	}
}

func TestLedgerEndsAtTheComparison(t *testing.T) {
	s := samples.Pure(0.1, 5, 1e-6)
	s.Stack = append(s.Stack, samples.Gaussian(40, 10, 1e-6).Stack...)
	s.Stack = append(s.Stack, samples.Pure(0.3, 1, 0).Stack...)
	c := build(t, "ledger", s, Options{})
	basic := series(t, c, "basic")
	if len(basic.Y) != 4 || basic.Y[0] != 0 || math.Abs(basic.Y[1]-0.5) > 1e-12 {
		t.Fatalf("ledger: %v", basic)
	}
	stack, err := scenarios.Stack(s)
	if err != nil {
		t.Fatal(err)
	}
	bounds := accounting.ClosedForms(context.Background(), stack, accounting.Target{Delta: 1e-6})
	best := series(t, c, "best bound")
	if want := bounds[accounting.Best(bounds)].Epsilon; best.Y[3] != want {
		t.Errorf("the ledger ends at %g, the comparison says %g", best.Y[3], want)
	}
}

// Where the whole fits, nothing before it passes the budget, however coarsely that is computed.
func TestLedgerNeverPassesABudgetThatTheWholeFits(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	s.Stack = append(s.Stack, samples.Pure(1e-9, 1, 0).Stack...)
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Budget.Epsilon = r.Bounds[r.Best].Epsilon
	c := build(t, "cumulative", s, Options{Numerical: true, Precision: 0.1})
	if y := series(t, c, "best bound").Y; !slices.IsSorted(y) || slices.ContainsFunc(c.Notes,
		func(n string) bool { return strings.Contains(n, "passed") }) {
		t.Errorf("%v of %g; %q", y, s.Budget.Epsilon, c.Notes)
	}
}

// A chart that nobody waits for any more is dropped.
func TestChartsStopWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := hair(0.1)
	s.Stack = append(s.Stack, samples.Gaussian(10, 1, 0).Stack...)
	sums, err := scenarios.NewEntry("matrix")
	if err != nil {
		t.Fatal(err)
	}
	training, err := scenarios.NewEntry("dp-sgd")
	if err != nil {
		t.Fatal(err)
	}
	groups, err := scenarios.NewEntry("partition-selection")
	if err != nil {
		t.Fatal(err)
	}
	reports, err := scenarios.NewEntry("frequency")
	if err != nil {
		t.Fatal(err)
	}
	s.Stack, s.Adjacency = append(s.Stack, sums, training), mechanisms.ZeroOut
	// Charts of mechanisms that leave the others without a curve.
	alone := map[string]scenarios.Entry{"kept": groups, "oracles": reports}
	for _, k := range Kinds() {
		if _, err := k.Build(ctx, s, Options{Numerical: true}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
	// Nor may it matter when the context ends.
	for _, k := range Kinds() {
		for _, looks := range gauge.Some(2, []int64{2, 1, 9, 4}) {
			s := s
			if e, ok := alone[k.Name]; ok {
				s = s.Clone()
				s.Stack, s.Adjacency = []scenarios.Entry{e}, mechanisms.AddRemove
			}
			if _, err := k.Build(gauge.LookedAt(looks), s, Options{Points: 8}); err != nil &&
				!errors.Is(err, context.Canceled) {
				t.Errorf("%s: after %d looks %v", k.Name, looks, err)
			}
		}
	}
}

// Every chart says in words why it cannot be drawn.
func TestChartsThatCannotBeDrawn(t *testing.T) {
	for _, c := range []struct {
		kind string
		s    *scenarios.Scenario
		opt  Options
		want string
	}{
		{"noise", samples.Pure(1, 1, 0), Options{}, "there is no such chart here: no entry adds noise to a number"},
		{"noise", samples.Pure(1, 1, 0), Options{Entry: 1}, "entry 1: pure adds no noise to a number"},
		{"noise", samples.Pure(1, 1, 0), Options{Entry: 2}, "there is no entry 2; the stack has 1"},
		{"utility", samples.Pure(1, 1, 0), Options{}, "there is no such chart here: no entry picks candidates"},
		{"epsilon-k", samples.Pure(1, 1, 0), Options{Entry: 5}, "there is no entry 5; the stack has 1"},
	} {
		k, _ := FindKind(c.kind)
		if _, err := k.Build(context.Background(), c.s, c.opt); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %q", c.kind, err, c.want)
		}
	}
	if _, err := FindKind("pie"); err == nil || !strings.HasPrefix(err.Error(), `there is no curve "pie"; known: epsilon-k, `) || !strings.Contains(err.Error(), ", profile, ") {
		t.Errorf("an unknown curve: %v", err)
	}
}

// A chart that prices other scenarios than the one that is shown may be refused where that one is not. The refusal has
// the place of an entry in a file, and a screen shows it as it is.
func TestRefusalsOfChartsNameNoPlaceInAFile(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome") // with queries, which leave no other group size
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Kinds() {
		_, err := k.Build(context.Background(), s, Options{Points: 3})
		if err != nil && strings.Contains(err.Error(), "stack[") {
			t.Errorf("%s: %q; say in the words of the chart why it cannot be drawn", k.Name, err)
		}
	}
}

// One column a series, a header row, no gap but an empty cell.
func TestChartCSV(t *testing.T) {
	for _, c := range []Chart{
		build(t, "epsilon-k", samples.Gaussian(10, 1, 1e-6), Options{Points: 8}),
		build(t, "utility", hair(0.1), Options{}),
		{X: Axis{Label: "x"}, Series: []Series{{Name: "a", X: []float64{1, 2}, Y: []float64{3, math.NaN()}}, {Name: "b", X: []float64{2, 3}, Y: []float64{math.Inf(1), 5}}}},
	} {
		var b strings.Builder
		if err := c.Sheet().Write(&b, "csv"); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		want := 1 + len(c.Series)
		if len(c.Bars) > 0 {
			want++
		}
		if len(rows) < 2 || len(rows[0]) != want {
			t.Errorf("%s: %d columns, want %d", c.Title, len(rows[0]), want)
		}
		if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
			t.Errorf("not a number in:\n%s", b.String())
		}
	}
}

// What a legend reads off at the K that is set is what the table prints, however
// coarse the rest of the curve.
func TestEpsilonKReadsTheTable(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	c := build(t, "epsilon-k", s, Options{Numerical: true, Precision: 1e-2, Points: 4})
	r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil || c.Read != s.Rounds {
		t.Fatal(err, c.Read)
	}
	for _, b := range r.Bounds {
		if !b.Finite() {
			continue
		}
		curve := series(t, c, string(b.Method))
		if i := slices.Index(curve.X, c.Read); i < 0 || curve.Y[i] != b.Epsilon {
			t.Errorf("%s: %v read off at K = %v, %v in the table", b.Method, curve.Y, c.Read, b.Epsilon)
		}
	}
}

// Where the accountant's own upper end is larger than that of RDP it quotes RDP's, and the chart
// says from where on: its curve would seem to jump.
func TestBorrowed(t *testing.T) {
	rdp := []float64{2, 3, 5, 7}
	for _, c := range []struct {
		own  []float64
		from int
	}{{[]float64{1, 2, 5, 7}, 2}, {[]float64{2, 2, 4, 6}, 4}, {rdp, 0}, {nil, 4}} {
		values := map[accounting.Method][]float64{accounting.RDP: rdp}
		if c.own != nil {
			values[accounting.Numerical] = c.own
		}
		if from := firstFromRDP(values, len(rdp)); from != c.from {
			t.Errorf("%v: from %d, not %d", c.own, from, c.from)
		}
	}
	s, err := scenarios.Parse("s.yaml", []byte("version: 1\nbudget: {epsilon: 2, delta: 1e-7}\nstack: [{mechanism: gaussian, sigma: 51, count: 64}, {mechanism: exponential, epsilon: 0.2565, outputs: 8, count: 4}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if c := build(t, "epsilon-k", s, Options{Numerical: true, Precision: 1e-2, Points: 5}); !slices.Contains(c.Notes, "from R = 178 on the numerical bound is that of RDP: its own is larger") {
		t.Errorf("%q", c.Notes)
	}
}

// Stated δ's that use up the total end the axis, and no race is called lost there.
func TestEpsilonKEndsWithTheDelta(t *testing.T) {
	s, err := scenarios.LoadBundled("recurve-mistake")
	if err != nil {
		t.Fatal(err)
	}
	c := build(t, "epsilon-k", s, Options{})
	if c.X.Max > 10 || !hasMark(c, "no theorem gives a finite ε beyond about R = 2") || losesToAdvanced(c) {
		t.Errorf("the axis ends at %v; %q", c.X.Max, c.Notes)
	}
}

// A theorem that has no finite ε any more is beaten by one that has.
func TestRaceAgainstNoFigure(t *testing.T) {
	s := samples.Pure(700, 1, 1e-6)
	s.Stack[0].Count = 1e6
	if c := build(t, "epsilon-k", s, Options{}); losesToAdvanced(c) {
		t.Errorf("%q", c.Notes)
	}
}

// losesToAdvanced reports whether a chart says that RDP does not beat advanced composition.
func losesToAdvanced(c Chart) bool {
	return slices.ContainsFunc(c.Notes, func(s string) bool { return strings.HasPrefix(s, "RDP does not beat") })
}

// The chart says who wins where. Curves that cannot be told apart are not taken for different winners.
func TestEpsilonKNamesTheWinner(t *testing.T) {
	for _, c := range []struct {
		scenario string
		options  Options
		want     string
	}{
		{"adv-vs-basic-small", Options{Numerical: true, Points: 20}, "smallest ε: numerical throughout"},
		{"eps-one-never", Options{Numerical: true, Points: 20}, "smallest ε: optimal KOV throughout"},
		{"adv-vs-basic-large", Options{Methods: []accounting.Method{accounting.Basic, accounting.Advanced}},
			"smallest ε: basic, then advanced"},
	} {
		s, err := scenarios.LoadBundled(c.scenario)
		if err != nil {
			t.Fatal(err)
		}
		if got := build(t, "epsilon-k", s, c.options); !slices.Contains(got.Notes, c.want) {
			t.Errorf("%s: %q, not %q", c.scenario, got.Notes, c.want)
		}
	}
}

// At equal cost the square root beats the tree; figures of n = 1000 and μ = 1 as an
// independent program finds them from the matrices.
func TestRunningSums(t *testing.T) {
	s, err := scenarios.LoadBundled("running-sums-tree")
	if err != nil {
		t.Fatal(err)
	}
	c, err := RunningSums.Build(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{"tree: root mean square 7.027", "honaker: root mean square 5.357", "sqrt: root mean square 3.102", "banded-sqrt: the number of bands is not given"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in %q", want, notes)
		}
	}
	if len(c.Series) != 3 || c.Series[2].Y[len(c.Series[2].Y)-1] < 3.26500 ||
		c.Series[2].Y[len(c.Series[2].Y)-1] > 3.26501 {
		t.Errorf("the square root ends at %v", c.Series)
	}
}

// Faint curves all look alike, so a chart has one at most.
func TestOneFaintCurve(t *testing.T) {
	for _, name := range gauge.Some(2, []string{"welcome", "dpsgd-abadi", "running-sums-tree", "exponential-million"}) {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range Kinds() {
			c, _ := k.Build(context.Background(), s, Options{Points: 5})
			faint := slices.DeleteFunc(slices.Clone(c.Series), func(s Series) bool { return !s.Faint })
			if len(faint) > 1 {
				t.Errorf("%s, %s: %s and %s look the same", name, k.Name, faint[0].Name, faint[1].Name)
			}
		}
	}
}

// A long stack is not computed after every entry: which of them passes the budget is then
// said no more precisely than it is known.
func TestLedgerPassesBetweenPoints(t *testing.T) {
	text := "version: 1\nbudget: {epsilon: 7.5}\nstack:\n" + strings.Repeat("  - {mechanism: pure, epsilon: 1}\n", 20)
	s, err := scenarios.Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for points, want := range map[int]string{20: "the budget is passed at entry 8", 4: "the budget is passed at one of the entries 6 to 10"} {
		c, err := Cumulative.Build(context.Background(), s, Options{Points: points})
		if err != nil || len(c.Notes) == 0 || c.Notes[0] != want {
			t.Errorf("%d points: %q, %v; want %q", points, c.Notes, err, want)
		}
	}
}

// The axis of K ends at three times the crossing of basic and advanced composition, where the picture shows it: in
// “one of everything” they meet at R = 17, far above RDP. Without one it ends where the best bound has used three
// budgets, and never before three times the present K.
func TestTheAxisOfKEndsWhereItsMessageDoes(t *testing.T) {
	for name, want := range map[string]struct{ label, end string }{
		"adv-vs-basic-small": {"K", "105"}, "adv-vs-basic-large": {"K", "120"}, "eps-one-never": {"K", ""}, "welcome": {"R", "10"}, "everything-at-once": {"R", ""},
	} {
		s, err := scenarios.LoadBundled(name)
		if err != nil {
			t.Fatal(err)
		}
		c := build(t, "epsilon-k", s, Options{})
		if c.X.Label != want.label || c.X.Log || c.Y.Log || c.X.Min != 0 || c.Y.Min != 0 || c.Focus < c.Read {
			t.Errorf("%s: %+v up to %g, read at %g", name, c.X, c.Focus, c.Read)
		}
		if want.end != "" && fmt.Sprint(c.Focus) != want.end {
			t.Errorf("%s: the axis ends at %g, want %s", name, c.Focus, want.end)
		}
		answers := slices.DeleteFunc(slices.Clone(c.Marks), func(m Mark) bool { return !m.Answer })
		if len(answers) != 1 || answers[0].X != c.Read {
			t.Errorf("%s: answers %+v", name, answers)
		}
		if log, ok := c.LogAxes(); !ok || !log.X.Log || !log.Y.Log || log.X.Min != 1 {
			t.Errorf("%s: %+v", name, log.X)
		}
	}
}

// K counts releases of the only entry, whatever the rounds; of several entries R counts the rounds.
func TestOneK(t *testing.T) {
	text := func(rounds, entries int) string {
		return fmt.Sprintf("version: 1\nbudget: {delta: 1e-6}\nrounds: %d\nstack:\n", rounds) + strings.Repeat("  - {mechanism: laplace, epsilon: 0.1, sensitivity: 1, count: 20}\n", entries)
	}
	for _, c := range []struct {
		rounds, entries int
		label           string
		now             float64
	}{{1, 1, "K", 20}, {4, 1, "K", 20}, {1, 2, "R", 1}, {4, 2, "R", 4}} {
		s, err := scenarios.Parse("f.yaml", []byte(text(c.rounds, c.entries)))
		if err != nil {
			t.Fatal(err)
		}
		got := build(t, "epsilon-k", s, Options{Points: 8})
		if got.X.Label != c.label || got.Read != c.now {
			t.Errorf("%d rounds of %d entries: %s = %g", c.rounds, c.entries, got.X.Label, got.Read)
		}
		basic := series(t, got, "basic")
		i := slices.Index(basic.X, c.now)
		if want := 0.1 * 20 * float64(c.rounds*c.entries); i < 0 || math.Abs(basic.Y[i]-want) > 1e-9 {
			t.Errorf("%d rounds of %d entries: basic is %v at now, want %g", c.rounds, c.entries, basic.Y, want)
		}
	}
}

// A chart is called by one name: the title of a chart of the whole stack begins with the heading of its kind.
func TestTitlesBeginWithTheHeading(t *testing.T) {
	s, err := scenarios.LoadBundled("welcome")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Kind{Profile, Renyi, Loss, Tradeoff, TPR, Bayes, Noise, Cumulative} {
		c, err := k.Build(t.Context(), s, Options{Points: 5})
		if err != nil {
			t.Fatal(err)
		}
		if title := report.UpperFirst(c.Title); !strings.HasPrefix(title, k.Heading()) {
			t.Errorf("%s is called %q above the chart and %q in lists", k.Name, title, k.Heading())
		}
	}
}
