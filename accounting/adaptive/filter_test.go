package adaptive

import (
	"context"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
)

// Ten books of 1,000 steps of DP-SGD (q 0.01, z 1) at δ 1e-6 each: 4.7369 up to step
// 5,000, 6.9097 at the end; the plan as one book at 1e-5 costs 6.1906.
func TestLadder(t *testing.T) {
	tickets := []accounting.Entry{{Release: dpSGD, Count: 10000}}
	books, err := RungBounds(context.Background(), tickets, 1e-5, 10, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	rungs := Rungs(books)
	promise := Promise{Filter: Plan, Epsilon: rungs[9], Delta: 1e-5, Plan: tickets, Rungs: rungs}
	want, tolerance := figureOf(t, "ladder10_T5000")
	for _, c := range []struct {
		steps, want float64
	}{{5000, want}, {10000, 6.9097}} {
		if got := quoted(t, promise, dpSGD, c.steps); math.Abs(got-c.want) > tolerance*c.want {
			t.Errorf("after %v steps: %.6g, want %v", c.steps, got, c.want)
		}
	}
	f := mustNew(t, promise)
	o, _ := f.Odometer()
	first, err := f.Price([]accounting.Entry{{Release: dpSGD, Count: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for n, rung := range map[int64]float64{0: 0, 1: rungs[0], 1000: rungs[0], 1001: rungs[1],
		9000: rungs[8], 9001: rungs[9]} {
		if got := o.At(first.Times(big.NewInt(n))); got != rung {
			t.Errorf("after %d steps: %v, want %v", n, got, rung)
		}
	}
	if words := o.Sense(first); !strings.Contains(words, "over all runs, with the rung reached") || !strings.Contains(words, "not a guarantee conditional on the rung") {
		t.Error(words)
	}
	if err := f.Fits(first.Times(big.NewInt(10001))); err == nil {
		t.Error("a step too many is admitted")
	}
	single, err := RungBounds(context.Background(), tickets, 1e-5, 1, 1e-3)
	if err != nil || math.Abs(single[0].Epsilon-6.1906) > 1e-3*6.1906 {
		t.Errorf("the plan as one book: %v, %v", single, err)
	}
	if _, err := New(Promise{Filter: Plan, Epsilon: 6, Delta: 1e-5, Plan: tickets, Rungs: Rungs(single)}); err == nil {
		t.Error("a plan that costs 6.19 is promised at 6")
	}
}

// Tickets of one kind that stand apart in the plan are of one kind in every book: the first
// book of two holds one of them.
func TestLadderOfEqualTickets(t *testing.T) {
	one := accounting.GaussianDP(1)
	tickets := []accounting.Entry{{Release: one, Count: 1}, {Release: one, Count: 1}}
	books, err := RungBounds(context.Background(), tickets, 1e-5, 2, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	rungs := Rungs(books)
	got := quoted(t, Promise{Filter: Plan, Epsilon: rungs[1], Delta: 1e-5, Plan: tickets, Rungs: rungs}, one, 1)
	if want := accounting.GaussianToEpsilon(1, 0.5e-5); got < want*(1-1e-9) {
		t.Errorf("one release of two costs %g and is quoted as %g", want, got)
	}
}

// Weights that add up to 1 as people write them, and to a little more.
func TestWeightsAddUpToOne(t *testing.T) {
	_, weights, err := Promise{Orders: []float64{2, 3, 4},
		Weights: []float64{0.3333333334, 0.3333333334, 0.3333333334}}.orders()
	if sum := weights[0] + weights[1] + weights[2]; err != nil || sum > 1+1e-15 {
		t.Errorf("1 + %g, %v", sum-1, err)
	}
}

// ρ is not known, or not as a number: what counts is the pure ε, in the theorem and in the filter.
func TestReleaseWithoutFiniteRho(t *testing.T) {
	for _, rho := range []float64{math.Inf(1), math.NaN()} {
		r := unbounded{accounting.PureDP(0.5), rho}
		want := accounting.Evaluate(context.Background(), accounting.ZCDP,
			[]accounting.Entry{{Release: r.Release, Count: 3}}, accounting.Target{Delta: 1e-6})
		got := accounting.Evaluate(context.Background(), accounting.ZCDP, []accounting.Entry{{Release: r, Count: 3}},
			accounting.Target{Delta: 1e-6})
		if got.Status != accounting.Valid || got.Epsilon != want.Epsilon {
			t.Errorf("ρ = %g: %s %g, want %g", rho, got.Status, got.Epsilon, want.Epsilon)
		}
		f := mustNew(t, Promise{Filter: ZCDP, Epsilon: 3, Delta: 1e-6})
		cost, err := f.Price([]accounting.Entry{{Release: r, Count: 3}})
		pure, _ := f.Price([]accounting.Entry{{Release: r.Release, Count: 3}})
		if err != nil || !cost.Equal(pure) {
			t.Errorf("ρ = %g: %v, %v", rho, cost, err)
		}
		failing := unbounded{accounting.ApproximateDP(0.5, 1e-9), rho}
		if _, err := f.Price([]accounting.Entry{{Release: failing, Count: 3}}); err == nil {
			t.Errorf("ρ = %g beside a δ is taken", rho)
		}
	}
}

// unbounded is a release with another ρ.
type unbounded struct {
	accounting.Release
	rho float64
}

func (u unbounded) Key() string                    { return "unbounded" }
func (u unbounded) Concentrated() (float64, error) { return u.rho, nil }

// Two kinds of tickets: the rung is that of the smallest book that holds both, and
// every kind has its own end.
func TestPlanOfTwoKinds(t *testing.T) {
	a, b := accounting.PureDP(0.1), accounting.GaussianDP(0.05)
	tickets := []accounting.Entry{{Release: a, Count: 4}, {Release: b, Count: 8}, {Release: a, Count: 2}}
	f := mustNew(t, Promise{Filter: Plan, Epsilon: 9, Delta: 1e-6, Plan: tickets,
		Rungs: []float64{1, 2}}).(checkedFilter).Filter.(stagedPlan)
	cost := func(na, nb float64) Cost {
		var request []accounting.Entry
		for _, e := range []accounting.Entry{{Release: a, Count: na}, {Release: b, Count: nb}} {
			if e.Count > 0 { // a count of 0 is refused
				request = append(request, e)
			}
		}
		c, err := f.Price(request)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, c := range []struct {
		a, b float64
		rung int
		fits bool
	}{{0, 0, 0, true}, {3, 4, 1, true}, {4, 0, 2, true}, {0, 5, 2, true}, {6, 8, 2, true},
		{7, 0, 2, false}, {0, 9, 2, false}} {
		sum := cost(c.a, c.b)
		if got := f.rungReached(sum); got != c.rung {
			t.Errorf("%v and %v: rung %d, want %d", c.a, c.b, got, c.rung)
		}
		if got := f.Fits(sum) == nil; got != c.fits {
			t.Errorf("%v and %v: fits %v", c.a, c.b, got)
		}
	}
	if _, err := f.Price([]accounting.Entry{{Release: accounting.PureDP(0.09), Count: 1}}); err == nil ||
		!strings.Contains(err.Error(), "plan's own releases") {
		t.Errorf("a release that is not in the plan: %v", err)
	}
}

// What each filter cannot take, and the words for it.
func TestRefusals(t *testing.T) {
	gauss, leak := accounting.GaussianDP(0.05), accounting.ApproximateDP(0.1, 1e-8)
	for _, c := range []struct {
		promise Promise
		release accounting.Release
		want    string
	}{
		{Promise{Filter: Basic, Epsilon: 1, Delta: 1e-6}, gauss, "an ε, or an (ε, δ), of its own"},
		{Promise{Filter: GDP, Epsilon: 1, Delta: 1e-6}, leak, "Gaussian noise that is not sampled"},
		{Promise{Filter: GDP, Epsilon: 1, Delta: 1e-6}, dpSGD, "Gaussian noise that is not sampled"},
		{Promise{Filter: ZCDP, Epsilon: 1, Delta: 1e-6}, accounting.RenyiPoints([]accounting.RenyiPoint{{Alpha: 4, Value: 0.1}}), "a finite ρ"},
		{Promise{Filter: Mixture, Epsilon: 4, Delta: 1e-6, Alpha: 8}, accounting.RenyiPoints([]accounting.RenyiPoint{{Alpha: 4, Value: 0.1}}), "order 8"},
		{Promise{Filter: ZCDP, Epsilon: 1, Delta: 1e-6}, leak, "nothing of the promised δ is set aside"},
		{Promise{Filter: ZCDP, Epsilon: 1, Delta: 1e-6, Failures: 1e-9}, leak, "above the 1e-09 set aside"},
	} {
		f := mustNew(t, c.promise)
		cost, err := f.Price([]accounting.Entry{{Release: c.release, Count: 1}})
		if err == nil {
			err = f.Fits(cost)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v", c.promise.Filter, c.release.Name(), err)
		}
	}
}

// The filter of μ² needs a release to be μ-GDP, not to be Gaussian noise.
func TestGDPFilterTakesBounds(t *testing.T) {
	f, err := New(Promise{Filter: GDP, Epsilon: 1, Delta: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	noise, err := f.Price([]accounting.Entry{{Release: accounting.GaussianDP(0.1), Count: 3}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []accounting.Release{accounting.AtMostGaussian("a tree", 0.1, 0.05, ""),
		accounting.ShuffledPass(100, 10, 0.01, 1, false)} {
		if got, err := f.Price([]accounting.Entry{{Release: r, Count: 3}}); err != nil || !got.Equal(noise) {
			t.Errorf("%s: %v, Gaussian noise costs %v; %v", r.Name(), got, noise, err)
		}
	}
}

// Gaussian noise dominates a pure ε: at every ε the δ of randomized response is at most that of the noise, and at one
// it is the same.
func TestGDPFilterTakesPureReleases(t *testing.T) {
	f := mustNew(t, Promise{Filter: GDP, Epsilon: 1, Delta: 1e-6})
	cost, err := f.Price([]accounting.Entry{{Release: accounting.PureDP(0.5), Count: 1}})
	if err != nil || math.Abs(float(cost.part(0), unit)-0.389241966476) > 1e-9 {
		t.Errorf("μ² of ε 0.5: %v, %v", cost, err)
	}
	for _, epsilon := range []float64{1e-9, 1e-3, 0.1, 0.5, 1, 3, 10, 30} {
		mu := accounting.PureToGaussian(epsilon)
		closest := math.Inf(1)
		for i := range 400 {
			at := epsilon * float64(i) / 400
			pure, _ := accounting.PureDP(epsilon).Profile(at)
			noise, _ := accounting.GaussianDP(mu).Profile(at)
			if noise < pure*(1-1e-9) {
				t.Errorf("ε %g: at %g the noise has δ %g and the response %g", epsilon, at, noise, pure)
			}
			closest = math.Min(closest, noise/pure)
		}
		if closest > 1+1e-5 {
			t.Errorf("ε %g: μ %g is %g times more than needed", epsilon, mu, closest)
		}
	}
}

func TestPromisesThatAreNone(t *testing.T) {
	for _, c := range []struct {
		promise Promise
		want    string
	}{
		{Promise{Filter: "numerical", Epsilon: 1, Delta: 1e-6}, "3.16 times"},
		{Promise{Filter: "optimal", Epsilon: 1, Delta: 1e-6}, "1.38 times"},
		{Promise{Filter: "rdp-free", Epsilon: 1, Delta: 1e-6}, "1.80 times"},
		{Promise{Filter: "folklore"}, "basic, zcdp"},
		{Promise{Filter: ZCDP, Epsilon: 1}, "needs a δ above 0"},
		{Promise{Filter: ZCDP, Epsilon: math.NaN(), Delta: 1e-6}, "promised ε"},
		{Promise{Filter: ZCDP, Epsilon: 0, Delta: 1e-6}, "nothing could ever be spent"},
		{Promise{Filter: ZCDP, Epsilon: 1e-12, Delta: 1e-6}, "nothing could ever be spent"}, // less than one unit
		{Promise{Filter: ZCDP, Epsilon: 1, Delta: 1}, "below 1"},
		{Promise{Filter: ZCDP, Epsilon: 1, Delta: 1e-6, Failures: 1e-6}, "needs a part of it"},
		{Promise{Filter: ZCDP, Epsilon: 1, Delta: 1e-6, Failures: 1e-5}, "set aside"},
		{Promise{Filter: ZCDP, Epsilon: 1, Delta: 1e-6, Odometer: "stitched"}, "line or mixture"},
		{Promise{Filter: GDP, Epsilon: 1, Delta: 1e-6, Failures: 1e-9}, "sets no δ aside"},
		{Promise{Filter: "rdp", Epsilon: 1, Delta: 1e-6, Alpha: 8}, "mixture of one Rényi order"},
		{Promise{Filter: "advanced", Epsilon: 1, Delta: 1e-6}, "zcdp or basic grants as much"},
		{Promise{Filter: Mixture, Epsilon: 1, Delta: 1e-6, Alpha: 1}, "fixed in advance"},
		{Promise{Filter: Mixture, Epsilon: 1, Delta: 1e-6, Alpha: 2}, "nothing could ever be spent"},
		{Promise{Filter: Mixture, Epsilon: 1, Delta: 1e-6, Alpha: math.Inf(1)}, "basic filter"},
		{Promise{Filter: Mixture, Epsilon: 1, Delta: 1e-6, Orders: []float64{2, 2}}, "twice"},
		{Promise{Filter: Mixture, Epsilon: 1, Delta: 1e-6, Orders: []float64{2, 20}, Weights: []float64{1}}, "1 weights"},
		{Promise{Filter: Mixture, Epsilon: 1, Delta: 1e-6, Orders: []float64{2, 20}, Weights: []float64{0.5, 0.4}}, "not to 1"},
		{Promise{Filter: Mixture, Epsilon: 1, Delta: 1e-6, Orders: []float64{2, 20}, Weights: []float64{1, 0}}, "above 0"},
		{Promise{Filter: Mixture, Epsilon: 1, Delta: 1e-6, Orders: []float64{2, 3}}, "larger orders"},
		{Promise{Filter: Plan, Epsilon: 1, Delta: 1e-6}, "no release to spend"},
	} {
		if f, err := New(c.promise); err == nil || f != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.promise, err, c.want)
		}
	}
}

func TestInterleaving(t *testing.T) {
	for _, c := range []struct {
		promise Promise
		want    bool
	}{
		{Promise{Filter: ZCDP, Epsilon: 1, Delta: 1e-6}, true},
		{Promise{Filter: ZCDP, Epsilon: 1, Delta: 1e-6, Failures: 1e-7}, false},
		{Promise{Filter: Mixture, Epsilon: 3, Delta: 1e-6}, false},
		{Promise{Filter: Mixture, Epsilon: 3, Delta: 1e-6, Alpha: 8}, true},
		{Promise{Filter: Mixture, Epsilon: 3, Delta: 1e-6, Failures: 1e-7, Alpha: 8}, false},
	} {
		if got := mustNew(t, c.promise).Describe().Concurrent; got != c.want {
			t.Errorf("%+v: %v", c.promise, got)
		}
	}
}

var promises = []Promise{
	{Filter: Basic, Epsilon: 2, Delta: 1e-6},
	{Filter: ZCDP, Epsilon: 2, Delta: 1e-6, Failures: 1e-7},
	{Filter: Mixture, Epsilon: 2, Delta: 1e-6, Failures: 1e-7, Alpha: 20},
	{Filter: Mixture, Epsilon: 3, Delta: 1e-6, Failures: 1e-7, Orders: []float64{4, 8, 16}},
}

// Sums are exact: in any order, in any parts, and taken back they are what they were.
func TestSumsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, err := New(rapid.SampledFrom(promises).Draw(t, "promise"))
		if err != nil {
			t.Fatal(err)
		}
		var costs []Cost
		whole := Cost{}
		for range rapid.IntRange(1, 8).Draw(t, "releases") {
			epsilon := math.Pow(10, rapid.Float64Range(-12, 0).Draw(t, "log ε"))
			delta := rapid.SampledFrom([]float64{0, 1e-39, 1e-30, 3e-9}).Draw(t, "δ")
			n := rapid.IntRange(1, 1000).Draw(t, "n")
			release := accounting.ApproximateDP(epsilon, delta)
			cost, err := f.Price([]accounting.Entry{{Release: release, Count: float64(n)}})
			if err != nil {
				t.Fatal(err)
			}
			one, _ := f.Price([]accounting.Entry{{Release: release, Count: 1}})
			if !one.Times(big.NewInt(int64(n))).Equal(cost) {
				t.Fatal("n copies do not cost n times one")
			}
			if true1 := new(big.Float).SetInt(one.Failures); delta > 0 &&
				true1.Cmp(big.NewFloat(delta*1e40*(1-1e-15))) < 0 {
				t.Fatalf("δ %g is counted as %s", delta, one.Failures)
			}
			costs = append(costs, cost)
			whole = whole.Plus(cost)
		}
		back := Cost{}
		for i := range costs {
			back = back.Plus(costs[len(costs)-1-i])
		}
		if !back.Equal(whole) {
			t.Fatal("another order, another sum")
		}
		for _, c := range costs {
			back = back.Minus(c)
		}
		if !back.Equal(Cost{}) {
			t.Fatal("something is left of nothing")
		}
	})
}

// What fits: a part of a sum that fits fits too; spent grows with the sum and stays
// within the budget; Most is the last that fits.
func TestFitsIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, err := New(rapid.SampledFrom(promises).Draw(t, "promise"))
		if err != nil {
			t.Fatal(err)
		}
		var sum Cost
		for range rapid.IntRange(0, 6).Draw(t, "releases") {
			release := accounting.PureDP(rapid.Float64Range(0.001, 0.3).Draw(t, "ε"))
			cost, err := f.Price([]accounting.Entry{{Release: release, Count: 1}})
			if err != nil {
				t.Fatal(err)
			}
			before := f.Spent(sum)
			largest, bounded := LargestFitting(func(n *big.Int) bool { return f.Fits(sum.Plus(cost.Times(n))) == nil })
			err = f.Fits(sum.Plus(cost))
			if (err == nil) != (largest.Sign() > 0) || !bounded {
				t.Fatalf("Most %s, Fits %v", largest, err)
			}
			if err == nil {
				sum = sum.Plus(cost)
			}
			after := f.Spent(sum)
			// The mixture's is a quotient of floating point numbers.
			if err == nil && after.Cmp(before) < 0 || after.Cmp(f.Budget()) > 0 {
				t.Fatalf("spent %s, then %s, of %s", before, after, f.Budget())
			}
			if err == nil {
				next := new(big.Int).Add(largest, big.NewInt(1))
				if f.Fits(sum.Plus(cost.Times(next))) == nil {
					t.Fatal("more than the largest fits")
				}
			}
		}
	})
}

func TestDecimal(t *testing.T) {
	for _, c := range []struct {
		amount string
		digits int
		want   string
	}{{"3750000000000", unit, "0.00375"}, {"0", unit, "0"}, {"1000000000000000", unit, "1"},
		{"1", failureUnit, "0." + strings.Repeat("0", 39) + "1"}, {"10", 0, "10"}} {
		n, _ := new(big.Int).SetString(c.amount, 10)
		if got := Decimal(n, c.digits); got != c.want {
			t.Errorf("%s: %s, want %s", c.amount, got, c.want)
		}
	}
	// 0.1 is what a person wrote, not the binary number next to it.
	if n, err := roundUp(0.1, unit); err != nil || n.String() != "100000000000000" {
		t.Errorf("0.1 is %s units, %v", n, err)
	}
	if n, err := roundUp(5e-324, unit); err != nil || n.String() != "1" {
		t.Errorf("the smallest number is %s units, %v", n, err)
	}
	if _, err := roundUp(math.Inf(1), unit); err == nil {
		t.Error("infinity has units")
	}
}

func TestEveryFilterCanBeCited(t *testing.T) {
	plan := Promise{Filter: Plan, Epsilon: 9, Delta: 1e-6,
		Plan: []accounting.Entry{{Release: dpSGD, Count: 1}}, Rungs: []float64{1}}
	for _, p := range append([]Promise{plan, {Filter: GDP, Epsilon: 1, Delta: 1e-6}}, promises...) {
		about := mustNew(t, p).Describe()
		if !strings.Contains(accounting.BibTeX(about.CiteKey), "{"+about.CiteKey+",") || about.Rule == "" ||
			about.Needs == "" || about.Source == "" {
			t.Errorf("%s: %+v", p.Filter, about)
		}
	}
}

// What holds only for selections settled beforehand is no ticket: which is spent next may be
// chosen after earlier answers.
func TestPlanRefusesFixedSelections(t *testing.T) {
	_, err := newPlan(Promise{Epsilon: 1, Delta: 1e-6,
		Plan: []accounting.Entry{{Release: accounting.FixedRangeDP(0.1), Count: 3}}, Rungs: []float64{0.5}})
	if err == nil || !strings.Contains(err.Error(), "queries: adaptive") {
		t.Errorf("%v", err)
	}
}

// A cost of one unit of δ is no cost of nothing: 10³⁴ of them fit into 1e-6.
func TestMostOfTheSmallestCost(t *testing.T) {
	f, err := New(Promise{Filter: Basic, Epsilon: 1, Delta: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	cost := newCost(1)
	cost.Failures.SetInt64(1)
	n, bounded := LargestFitting(func(n *big.Int) bool { return f.Fits(cost.Times(n)) == nil })
	if !bounded || n.Cmp(power(34)) != 0 {
		t.Errorf("%v, %v", n, bounded)
	}
}

// The δ of a mixture is a supremum: it is found to the digits of its margin also where the
// largest order is so large that it lies next to the end of where it is searched.
func TestMixtureIsASupremum(t *testing.T) {
	for _, largest := range []float64{64, 1e6, 1e9, 1e12} {
		orders, weights, sums := []float64{2, largest}, []float64{0.5, 0.5}, []float64{0.5, 1}
		got := logMixtureDelta(orders, weights, sums, 1)
		for u := math.Log(math.Log1p(1 / (largest - 1))); u < 0; u += 0.01 {
			above := math.Exp(u)
			if at := math.Log(-math.Expm1(-above)) - logMixture(orders, weights, sums, 1+above); at > got+1e-6 {
				t.Errorf("order %g: ln δ is at least %v, found %v", largest, at, got)
				break
			}
		}
	}
}
