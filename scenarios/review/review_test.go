package review_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

func load(t testing.TB, path string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t testing.TB, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("test.yaml", []byte("version: 1\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sharedAccountant returns a context whose numerical accountant all reviews share.
var sharedAccountant = sync.OnceValue(func() context.Context {
	return scenarios.NewEvaluator().Context(context.Background())
})

func reviewOf(t testing.TB, s *scenarios.Scenario) *review.Review {
	t.Helper()
	r, err := review.New(sharedAccountant(), s, nil, review.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// reviews are the whole reviews of the files, which several tests look at.
var reviews sync.Map

// reviewOfFile returns a file and its whole review.
func reviewOfFile(t testing.TB, path string) (*scenarios.Scenario, *review.Review) {
	t.Helper()
	s := load(t, path)
	if known, ok := reviews.Load(path); ok {
		return s, known.(*review.Review)
	}
	r := reviewOf(t, s)
	reviews.Store(path, r)
	return s, r
}

// alongside are points whose fault shows in others too: an ε that is too small, or a Δ that says nothing of how much
// one unit contributes.
var alongside = map[scenarios.ReviewPoint]bool{
	scenarios.PointApproximation: true, scenarios.PointEntryDelta: true,
	scenarios.PointExposure: true, scenarios.PointContributions: true,
}

// TestFaulty plays an author who hides a fault: each file in testdata/faulty has one, and its first line says which
// point finds it, with which sign and verdict.
func TestFaulty(t *testing.T) {
	files, _ := filepath.Glob("testdata/faulty/*.yaml")
	if len(files) < 20 {
		t.Fatalf("%d faulty files", len(files))
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			line, _, _ := strings.Cut(string(text), "\n")
			want := strings.Fields(strings.TrimPrefix(line, "# finds: "))
			s, r := reviewOfFile(t, path)
			checkQuotes(t, path, s, r)
			p, ok := r.Point(scenarios.ReviewPoint(want[0]))
			if !ok || string(p.Sign) != want[1] || string(r.Verdict) != want[2] {
				t.Errorf("point %v %s, verdict %s; want %v", ok, p.Sign, r.Verdict, want)
			}
			for _, other := range r.Questions() {
				if other.Name != p.Name && !alongside[p.Name] {
					t.Errorf("beside the fault: %s %s: %s", other.Sign, other.Name, other.Text)
				}
			}
			if p.Text == "" || p.Says == "" {
				t.Errorf("the point says nothing: %+v", p)
			}
		})
	}
}

// TestSound plays an author who states everything: no question is asked of any of them, whether or not other numbers
// are computed.
func TestSound(t *testing.T) {
	files, _ := filepath.Glob("testdata/sound/*.yaml")
	if len(files) < 20 {
		t.Fatalf("%d sound files", len(files))
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			_, r := reviewOfFile(t, path)
			for _, p := range r.Questions() {
				t.Errorf("%s %s: %s", p.Sign, p.Name, p.Text)
			}
			if r.Verdict != review.HoldsWhatever {
				t.Errorf("verdict %s, claim %s", r.Verdict, r.Claim)
			}
		})
	}
}

// TestQuickAgrees compares the review of home with the whole one: the same signs and the same verdict.
// Who changes a scenario is not told that it must not be quoted because of what its file expects.
func TestExpectedBeforeAChange(t *testing.T) {
	s := parse(t, "unit: person\nbudget: {epsilon: 3, delta: 1e-6}\n"+
		"stack:\n  - {mechanism: laplace, epsilon: 1, sensitivity: 1}\n"+
		"expect:\n  - {method: basic, epsilon: 2}\n")
	for changed, sign := range map[bool]review.Sign{false: review.Wrong, true: review.Ask} {
		r, err := review.Quick(sharedAccountant(), s, nil, review.Options{Changed: changed})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(r.Points, func(p review.Point) bool { return p.Name == scenarios.PointExpected })
		if i < 0 || r.Points[i].Sign != sign {
			t.Errorf("changed %v: %+v", changed, r.Points)
		}
	}
}

func TestQuickAgrees(t *testing.T) {
	files, _ := filepath.Glob("testdata/*/*.yaml")
	for _, path := range gauge.Some(2, files) {
		s, whole := reviewOfFile(t, path)
		result, err := scenarios.Evaluate(sharedAccountant(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		quick, err := review.Quick(sharedAccountant(), s, result, review.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if quick.Headline() != whole.Headline() || quick.Verdict != whole.Verdict {
			t.Errorf("%s: home says %q, the review %q", path, quick.Headline(), whole.Headline())
		}
		for _, p := range whole.Points {
			if q, ok := quick.Point(p.Name); !ok || q.Sign != p.Sign {
				t.Errorf("%s: %s is %s on home and %s in the review", path, p.Name, q.Sign, p.Sign)
			}
		}
	}
}

// TestOtherNumbers checks both numbers of each point that has another answer, to the last printed digit: the present
// one against a comparison of the file, the other against one of a file that was edited by hand to say so. Where theory
// has a closed form, the other number is also that.
func TestOtherNumbers(t *testing.T) {
	const (
		head    = "unit: person\nadjacency: add-remove\nrecords: 50000\nbudget: {epsilon: 9, delta: 1e-6}\n"
		replace = "unit: person\nadjacency: replace\nrecords: 50000\nbudget: {epsilon: 9, delta: 1e-6}\n"
		zeroOut = "unit: person\nadjacency: zero-out\nrecords: 50000\nbudget: {epsilon: 9, delta: 1e-6}\n"
		silent  = "unit: person\nrecords: 50000\nbudget: {epsilon: 9, delta: 1e-6}\n"
		steps   = "stack: [{mechanism: dp-sgd, noise_multiplier: 2, sampling_rate: 0.1, steps: 10%s}]"
		days    = "stack: [{%sparallel: [[{mechanism: laplace, label: Monday, epsilon: 0.3}], [{mechanism: laplace, label: Tuesday, epsilon: 0.4}]]}]"
	)
	for _, c := range []struct {
		name, asked, told string
		point             scenarios.ReviewPoint
		theory            float64 // 0 if there is no closed form
	}{
		{"Δ 1 against 2, Laplace", head + "stack: [{mechanism: laplace, scale: 10, count: 5}]",
			head + "stack: [{mechanism: laplace, scale: 10, sensitivity: 2, count: 5}]", scenarios.PointSensitivity, 0},
		// One Gaussian release of μ = √5/10 becomes one of √5/5: Balle and Wang 2018, theorem 8, solved for ε.
		{"Δ 1 against 2, Gaussian", head + "stack: [{mechanism: gaussian, sigma: 10, count: 5}]",
			head + "stack: [{mechanism: gaussian, sigma: 10, sensitivity: 2, count: 5}]", scenarios.PointSensitivity, 1.994526900696342},
		{"one record against two", head + "stack: [{mechanism: gaussian, sigma: 10, count: 5}]",
			head + "group: 2\nstack: [{mechanism: gaussian, sigma: 10, count: 5}]", scenarios.PointContributions, 1.994526900696342},
		{"people sampled, or their records", head + "stack: [{mechanism: laplace, scale: 10, query: {kind: count, total: 5}, sampling: {rate: 0.1}}]",
			head + "stack: [{mechanism: laplace, scale: 10, query: {kind: count, total: 5}}]", scenarios.PointContributions, 0.5},
		// The σ of (1, 1e-7) is 1/0.2137362718753506.
		{"Δ 1 against 2, calibrated", head + "stack: [{mechanism: gaussian, epsilon: 1, delta: 1e-7}]",
			head + "stack: [{mechanism: gaussian, sigma: 4.678663138, sensitivity: 2}]", scenarios.PointSensitivity, 1.8984442780167496},
		{"Poisson against shuffled, zero-out", zeroOut + fmt.Sprintf(steps, ""), zeroOut + fmt.Sprintf(steps, ", batches: shuffled"), scenarios.PointBatches, 0},
		{"Poisson against shuffled, add-remove", head + fmt.Sprintf(steps, ""), zeroOut + fmt.Sprintf(steps, ", batches: shuffled"), scenarios.PointBatches, 0},
		// δ = 1 − e^{(ε − ε₀)/2} for one Laplace release of ε₀ = 0.2.
		{"add-remove against replace", silent + "stack: [{mechanism: laplace, scale: 10}]",
			replace + "stack: [{mechanism: laplace, scale: 10, sensitivity: 2}]", scenarios.PointAdjacency, 0.2 + 2*math.Log1p(-1e-6)},
		{"add-remove against replace, by query", silent + "stack: [{mechanism: laplace, scale: 300, query: {kind: histogram, max_groups: 3, per_group: 5}}]",
			replace + "stack: [{mechanism: laplace, scale: 300, query: {kind: histogram, max_groups: 3, per_group: 5}}]", scenarios.PointAdjacency, 0.1 + 2*math.Log1p(-1e-6)},
		// One randomized response of ε₀ = 0.5: δ = (e^ε₀ − e^ε)/(1 + e^ε₀).
		{"one person against many", replace + "stack: [{mechanism: randomized-response, epsilon: 0.5, count: 8}]",
			replace + "stack: [{mechanism: randomized-response, epsilon: 0.5}]", scenarios.PointReports, math.Log(math.Exp(0.5) - 1e-6*(1+math.Exp(0.5)))},
		{"one branch against both", head + fmt.Sprintf(days, ""), head + fmt.Sprintf(days, "max_branches: 2, "), scenarios.PointBranches, 0},
		{"one run against three", head + fmt.Sprintf(steps, ""), head + fmt.Sprintf(steps, ", count: 3"), scenarios.PointTuning, 0},
	} {
		r := reviewOf(t, parse(t, c.asked))
		p, ok := r.Point(c.point)
		if !ok || !p.Other.IsKnown() {
			t.Errorf("%s: no number: %+v", c.name, p)
			continue
		}
		if now := compared(t, c.asked); numeral.Upper(r.Bound.Epsilon) != now {
			t.Errorf("%s: the review says %s now, a comparison %s", c.name, numeral.Upper(r.Bound.Epsilon), now)
		}
		if other := compared(t, c.told); numeral.Upper(p.Other.Epsilon) != other {
			t.Errorf("%s: %s with the other answer, the file that says so %s", c.name, numeral.Upper(p.Other.Epsilon), other)
		}
		if c.theory != 0 && math.Abs(p.Other.Epsilon-c.theory) > 1e-4*c.theory {
			t.Errorf("%s: %v with the other answer, in theory %v", c.name, p.Other.Epsilon, c.theory)
		}
	}
}

// compared returns the ε that a comparison of a file prints.
func compared(t *testing.T, text string) string {
	t.Helper()
	r, err := scenarios.Evaluate(context.Background(), parse(t, text), scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return numeral.Upper(r.BestBound().Epsilon)
}

// TestClaimedEpsilonNeedsNoNewResult gives the result of a file to a review of another ε at the same δ: it is used as
// it is.
func TestClaimedEpsilonNeedsNoNewResult(t *testing.T) {
	s := parse(t, "unit: record\nadjacency: add-remove\nrecords: 50000\nbudget: {epsilon: 3, delta: 1e-6}\nclaim: {epsilon: 2}\nstack: [{mechanism: gaussian, sigma: 3}]")
	result, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := review.Quick(context.Background(), s, result, review.Options{})
	if err != nil || r.Result != result {
		t.Errorf("the comparison was computed anew (%v)", err)
	}
	atAnother := review.Options{Claim: &review.Claim{Epsilon: 2, Delta: 1e-9, From: "--claim"}}
	if r, err = review.Quick(context.Background(), s, result, atAnother); err != nil || r.Result == result {
		t.Errorf("the comparison at another δ was used (%v)", err)
	}
}

// TestWorstJointly asks for the verdict that holds whatever the answers: both answers together must stay within the
// claim.
func TestWorstJointly(t *testing.T) {
	text := func(budget string) string {
		return "unit: record\nrecords: 50000\nbudget: {epsilon: " + budget + ", delta: 1e-6}\nstack: [{mechanism: laplace, epsilon: 0.1}]"
	}
	// Each answer alone gives 0.2, both 0.4.
	for budget, want := range map[string]review.Verdict{"0.3": review.HoldsAsStated, "0.5": review.HoldsWhatever} {
		r := reviewOf(t, parse(t, text(budget)))
		if r.Verdict != want || r.Count(review.Ask) != 2 || math.Abs(r.Worst-0.4) > 1e-3 {
			t.Errorf("budget %s: %s with %d questions, at worst %g; want %s", budget, r.Verdict, r.Count(review.Ask), r.Worst, want)
		}
	}
}

// TestClaimSources checks which claim is judged, and at which δ.
func TestClaimSources(t *testing.T) {
	s := parse(t, "unit: record\nadjacency: add-remove\nbudget: {epsilon: 3, delta: 1e-6}\nclaim: {epsilon: 2, by: Bureau}\nstack: [{mechanism: gaussian, sigma: 3}]")
	if c := review.ClaimOf(s); c.Epsilon != 2 || c.Delta != 1e-6 || c.From != "claim" || c.By != "Bureau" {
		t.Errorf("the file's claim is %+v", c)
	}
	s.Claim = scenarios.Claim{}
	if c := review.ClaimOf(s); c.Epsilon != 3 || c.From != "budget" {
		t.Errorf("the budget is %+v", c)
	}
	given := review.Claim{Epsilon: 1, Delta: 1e-9, From: "--claim"}
	r, err := review.New(context.Background(), s, nil, review.Options{Claim: &given})
	if err != nil || r.Claim != given || r.Verdict != review.DoesNotHold {
		t.Errorf("the given claim: %v %v", r, err)
	}
	s.Budget = scenarios.Budget{}
	if r := reviewOf(t, s); r.Verdict != review.NotDecided || r.Claim.IsSet() {
		t.Errorf("nothing is claimed: %s", r.Verdict)
	}
}

// TestWordsOfAClaim checks that the words of a claim may not promise more than the numbers that are judged.
func TestWordsOfAClaim(t *testing.T) {
	const text = "unit: record\nadjacency: add-remove\nbudget: {epsilon: 3, delta: 1e-6}\n" +
		"claim: {epsilon: 3, text: \"%\"}\nstack: [{mechanism: gaussian, sigma: 3}]"
	for words, want := range map[string]review.Sign{
		"private": review.OK, "ε = 3": review.OK, "ε ≤ 3.0 in 2 years": review.OK, "(3, 10⁻⁶) per record": review.OK,
		"ε = 1 per week, ε = 3 in all": review.OK, "epsilon of at most 4": review.OK, "ε₀ = 1 on each device": review.OK,
		"ε between 1 and 3": review.OK, "δ = 10⁻⁵": review.OK, "not pure DP": review.OK, "(6/2, 1e-6)": review.OK,
		"ε = 1.": review.Ask, "epsilon is 0.5": review.Ask, "EPSILON 1e-1": review.Ask, "epsilon = .5": review.Ask,
		"(2.9, 10⁻⁶)": review.Ask, "ε = 1/2": review.Ask, "ε = ln 3": review.Ask, "a privacy budget of 1": review.Ask,
		"0.5-DP": review.Ask, "ε = one": review.Ask, "ε = 30 %": review.Ask, "e^ε = 3": review.Ask, "ε between 1 and 2": review.Ask,
		"ε = 3 and δ < 10⁻⁹": review.Ask, "(3, 10^-7)": review.Ask, "ε = 3, pure DP": review.Ask, "ε = 3, without δ": review.Ask,
		"3-DP": review.Ask, "δ = 10-9": review.Ask,
		// one release with σ = 3 has ρ = 1/18 and μ = 1/3
		"0.0556-zCDP": review.OK, "ρ = 1/18": review.OK, "ρ = 0.01 per week, 0.0556 zCDP in all": review.OK, "1-zCDP": review.OK,
		"1/3-GDP": review.OK, "μ = 0.334 (GDP)": review.OK, "a mean of μ = 0.1": review.OK,
		"0.05-zCDP": review.Ask, "ρ = 0.01": review.Ask, "rho ≤ 0.055 zCDP": review.Ask, "ρ < one": review.Ask, "0.3-GDP": review.Ask,
		"μ-GDP with μ = 0.3": review.Ask, "(8, 0.01)-RDP": review.Ask, "(8, 0.01) Rényi DP": review.Ask, "(0, 0.01)-zCDP": review.Ask,
		"an RDP guarantee (8, 0.01)": review.Ask, "RDP of order 8 at most 0.01": review.Ask, "Rényi-DP: 0.01 at α = 8": review.Ask,
		"ε = 3 by RDP": review.OK, "by RDP, ε = 3": review.OK, "RDP accounting of 10 releases": review.OK,
	} {
		r := reviewOf(t, parse(t, strings.Replace(text, "%", words, 1)))
		undecided := r.Verdict == review.NotDecided
		if p, ok := r.Point(scenarios.PointClaim); !ok || p.Sign != want || undecided != (want == review.Ask) {
			t.Errorf("%q: %v, %s: %s", words, p.Sign, r.Verdict, p.Text)
		}
	}
}

// TestDisabledEntries checks that a review says which entries are not released.
func TestDisabledEntries(t *testing.T) {
	r := reviewOf(t, parse(t, "unit: record\nadjacency: add-remove\nbudget: {epsilon: 3, delta: 1e-6}\n"+
		"stack: [{mechanism: gaussian, sigma: 3}, {mechanism: pure, label: raw counts, epsilon: 9, disabled: true}]"))
	const want = "entry 2 (“raw counts”) is not released, and not priced: “disabled: true”"
	if !slices.Contains(r.Stated, want) {
		t.Errorf("stated is %q, want %q among them", r.Stated, want)
	}
}

// TestNegation checks that a word raises a question, and that a negation before it raises none.
func TestNegation(t *testing.T) {
	const text = "unit: record\nadjacency: add-remove\nrecords: 50000\nbudget: {epsilon: 1, delta: 1e-6}\ndescription: %\nstack: [{mechanism: laplace, epsilon: 0.1}]"
	for words, raises := range map[string]bool{
		"rows with 5 or more people": true, "SELECT x GROUP BY y": true, "there is no GROUP BY in it": false, "the top 10 words": true, "it is not the top 10": false,
		"a group by itself": true, "rows never HAVING fewer": false, "it doesn't GROUP BY": false,
	} {
		r := reviewOf(t, parse(t, strings.Replace(text, "%", words, 1)))
		if _, raised := r.Point(scenarios.PointGroups); raised != raises {
			t.Errorf("%q raises the question: %v", words, raised)
		}
	}
}

// TestSuperlatives checks that "the most popular" raises the question of groups, unless an entry chooses it privately.
func TestSuperlatives(t *testing.T) {
	const text = "unit: record\nadjacency: add-remove\nrecords: 50000\nbudget: {epsilon: 1}\n" +
		"description: counts of the most popular routes\nstack: [{mechanism: laplace, epsilon: 0.1}%]"
	for more, raises := range map[string]bool{
		"": true,
		", {mechanism: exponential, epsilon: 0.1}":                                                                 false,
		", {mechanism: laplace, epsilon: 0.1, label: the most common names}":                                       true,
		", {mechanism: noisy-max, epsilon: 0.1, label: the most common name}":                                      false,
		", {mechanism: exponential, epsilon: 0.1}, {mechanism: laplace, epsilon: 0.1, label: most frequent words}": true,
	} {
		r := reviewOf(t, parse(t, strings.Replace(text, "%", more, 1)))
		if p, raised := r.Point(scenarios.PointGroups); (raised && p.Sign == review.Ask) != raises {
			t.Errorf("%q raises the question: %v", more, raised)
		}
	}
}

// BenchmarkReview measures the whole review of the bundled scenario that takes longest.
func BenchmarkReview(b *testing.B) {
	s, err := scenarios.LoadBundled("batches-little-noise-shuffled")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := review.New(context.Background(), s, nil, review.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMattersOfAScenario names, for each matter that a careful reader would ask about, the point that says it and its
// sign; "" if no question is asked.
func TestMattersOfAScenario(t *testing.T) {
	const training = "stack: [{mechanism: dp-sgd, noise_multiplier: 1.1, sampling_rate: 0.01, steps: 10000, batches: poisson}]"
	for _, c := range []struct {
		text  string
		point scenarios.ReviewPoint
		sign  review.Sign
		says  string
	}{
		{"stack: [{mechanism: pure, epsilon: 1}]", scenarios.PointUnit, review.Ask, "Whose data"},
		{"unit: x\nstack: []", scenarios.PointClaim, review.Ask, "nothing is released"},
		{"records: 1000\nbudget: {epsilon: 1, delta: 1e-3}\nstack: [{mechanism: pure, epsilon: 1}]", scenarios.PointDelta, review.Wrong, "records: 1000"},
		{"budget: {epsilon: 1, delta: 1e-5}\nstack: [{mechanism: approximate, epsilon: 1, delta: 1e-5}, {mechanism: pure, epsilon: 0.1}]", scenarios.PointEntryDelta, review.Wrong, "No theorem proves"},
		{"unit: person\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: sparse-vector, epsilon: 1, delta: 1e-6, positives: 200, threshold: 50}]", scenarios.PointEntryDelta, "", ""},
		{"stack: [{mechanism: laplace, epsilon: 1, label: average age}]", scenarios.PointSensitivity, review.Ask, "average"},
		{"unit: visit\nstack: [{mechanism: pure, epsilon: 1}]", scenarios.PointContributions, review.Ask, "several"},
		{"unit: training example\nstack: [{mechanism: pure, epsilon: 1}]", scenarios.PointContributions, review.OK, ""},
		{"unit: person\nstack: [{mechanism: laplace, scale: 1, query: {kind: count, total: 5}, sampling: {rate: 0.1}}]", scenarios.PointContributions, review.Ask, "drawn one by one"},
		{"unit: person\nanswers: {contributions: \"no, drawn whole\"}\nstack: [{mechanism: laplace, scale: 1, query: {kind: count, total: 5}, sampling: {rate: 0.1}}]",
			scenarios.PointContributions, review.OK, "Are records drawn one by one? The author answers: “no, drawn whole”"},
		{"unit: user-day\nrounds: 30\nstack: [{mechanism: pure, epsilon: 1}]", scenarios.PointPeriod, review.OK, "30 rounds"},
		{"unit: person\nbudget: {epsilon: 5.1, delta: 1e-5}\n" + training, scenarios.PointApproximation, review.Wrong, "Only the central-limit"},
		{"unit: person\nbudget: {epsilon: 5.3, delta: 1e-5}\n" + training, scenarios.PointApproximation, review.OK, ""},
		{"unit: person\nadjacency: add-remove\nstack: [{mechanism: laplace, scale: 10, sensitivity: 20, query: {kind: histogram, max_groups: 3, per_group: 5}}]",
			scenarios.PointSensitivity, review.OK, "Δ₁ = 20 as stated; 15 would do"},
		{"adjacency: replace\nstack: [{mechanism: laplace, epsilon: 1}]", scenarios.PointSensitivity, review.Ask, "1 for a count and 2 for a histogram"},
	} {
		p, ok := reviewOf(t, parse(t, c.text)).Point(c.point)
		if ok != (c.sign != "") || p.Sign != c.sign || !strings.Contains(p.Text, c.says) {
			t.Errorf("%s: %s is %q: %s; want %q with %q", c.text, c.point, p.Sign, p.Text, c.sign, c.says)
		}
	}
}

// TestMemoisedReports enables both levels of RAPPOR, which are priced as if their coins were independent.
func TestMemoisedReports(t *testing.T) {
	s, err := scenarios.LoadBundled("rappor-chrome")
	if err != nil {
		t.Fatal(err)
	}
	if _, asked := reviewOf(t, s).Point(scenarios.PointReports); asked {
		t.Error("a disabled second level is asked about")
	}
	s.Stack[1].Disabled = false
	p, asked := reviewOf(t, s).Point(scenarios.PointReports)
	if !asked || p.Sign != review.Ask || !strings.Contains(p.Text, "memoised") {
		t.Errorf("both levels are counted, and the point is %+v", p)
	}
}

// TestHurried plays a colleague in a hurry: files with several faults at once, each of which is found, and named in the
// first line.
func TestHurried(t *testing.T) {
	files, _ := filepath.Glob("testdata/hurried/*.yaml")
	if len(files) < 6 {
		t.Fatalf("%d files", len(files))
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		var found []string
		loaded, r := reviewOfFile(t, path)
		checkQuotes(t, path, loaded, r)
		for _, p := range r.Questions() {
			found = append(found, p.Sign.Mark()+string(p.Name))
		}
		if want := strings.TrimPrefix(line, "# finds: "); strings.Join(found, " ") != want {
			t.Errorf("%s: %s, want %s", path, strings.Join(found, " "), want)
		}
	}
}
