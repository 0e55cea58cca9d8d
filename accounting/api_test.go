package accounting_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/accounting/adaptive"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// The attacker of this file is a caller in a hurry: fields are forgotten, negative or no numbers, and
// methods are promoted from what is embedded. Nothing of it may be free or cheaper than it is.

// Two releases that embed Unsupported with one key cost 0.2 where they cost 5.1: such a type must not
// compile without a key of its own.
func TestUnsupportedHasNoKey(t *testing.T) {
	release := reflect.TypeFor[accounting.Release]()
	if _, has := reflect.TypeFor[accounting.Unsupported]().MethodByName("Key"); has ||
		reflect.TypeFor[accounting.Unsupported]().Implements(release) {
		t.Error("a type that embeds Unsupported is a Release without a key of its own")
	}
}

// promoted embeds a whole release and answers one question itself: its key is that of what it embeds.
type promoted struct {
	accounting.Release
	epsilon float64
}

func (p promoted) Approximate() (epsilon, delta float64, err error) { return p.epsilon, 0, nil }

func TestPromotedKeysAreNotFolded(t *testing.T) {
	embedded := accounting.PureDP(0.1)
	wraps := map[string]func(accounting.Release) accounting.Release{
		"plain":  func(r accounting.Release) accounting.Release { return r },
		"named":  func(r accounting.Release) accounting.Release { return accounting.WithName(r, "mine") },
		"group":  func(r accounting.Release) accounting.Release { return accounting.GroupPrivacy(r, 2) },
		"sample": func(r accounting.Release) accounting.Release { return accounting.Subsample(r, 0.5) },
		"run": func(r accounting.Release) accounting.Release {
			return accounting.Composite([]accounting.Entry{{Release: r, Count: 2}})
		},
		"part": func(r accounting.Release) accounting.Release {
			return accounting.PartOf(r, accounting.PureDP(0))
		},
		"block": func(r accounting.Release) accounting.Release {
			return accounting.Parallel([][]accounting.Entry{{{Release: r, Count: 2}}}, false)
		},
		"best": func(r accounting.Release) accounting.Release { return accounting.BestOf(r, accounting.Runs{Mean: 2}) },
	}
	for name, wrap := range wraps {
		a, b := wrap(promoted{embedded, 0.1}), wrap(promoted{embedded, 5})
		stack := []accounting.Entry{{Release: a, Count: 1}, {Release: b, Count: 1}}
		if folded := accounting.Fold(stack); len(folded) != 2 {
			t.Errorf("%s: two releases are folded into %d", name, len(folded))
		}
		got := accounting.Evaluate(context.Background(), accounting.Basic, stack, accounting.Target{})
		if name == "plain" && got.Epsilon < 5.1 {
			t.Errorf("ε = 0.1 and 5 cost %g", got.Epsilon)
		}
	}
	same := []accounting.Entry{{Release: promoted{embedded, 0.1}, Count: 1},
		{Release: promoted{embedded, 0.1}, Count: 1}}
	if len(accounting.Fold(same)) != 1 {
		t.Error("two equal releases are not folded")
	}
}

// computed embeds a release and answers by a function, such as one that sync.OnceValue returns.
type computed struct {
	accounting.Release
	of func() accounting.Release
}

func (c computed) Approximate() (epsilon, delta float64, err error) { return c.of().Approximate() }

// spoken embeds a release, and formats itself without its number.
type spoken struct {
	accounting.Release
	epsilon secret
}

func (s spoken) Approximate() (epsilon, delta float64, err error) { return float64(s.epsilon), 0, nil }
func (s spoken) GoString() string                                 { return "spoken" }

type secret float64

func (secret) String() string { return "secret" }

// Neither a function nor a method that formats may make two releases look the same.
func TestReleasesThatLookAlikeAreNotFolded(t *testing.T) {
	embedded := accounting.PureDP(0.1)
	exactly := func(epsilon float64, numbers ...any) accounting.Release {
		return accounting.Exact("noise", "laplace", accounting.Guarantees{
			Pure: epsilon, Renyi: func(float64) float64 { return epsilon }, Pair: func() pairs.Pair {
				return pairs.Pure(epsilon)
			},
		}, numbers...)
	}
	for name, of := range map[string]func(epsilon float64) accounting.Release{
		"function": func(epsilon float64) accounting.Release {
			return computed{embedded, func() accounting.Release { return accounting.PureDP(epsilon) }}
		},
		"formatted": func(epsilon float64) accounting.Release { return spoken{embedded, secret(epsilon)} },
		"pointer":   func(epsilon float64) accounting.Release { return &spoken{embedded, secret(epsilon)} },
		"nested":    func(epsilon float64) accounting.Release { return promoted{spoken{embedded, secret(epsilon)}, 0.1} },
		"kind of ours": func(epsilon float64) accounting.Release {
			return exactly(epsilon, 5.0) // the one by its scale, the other by its ε
		},
	} {
		stack := []accounting.Entry{{Release: of(0.1), Count: 1}, {Release: of(5), Count: 1}}
		if folded := accounting.Fold(stack); len(folded) != 2 {
			t.Errorf("%s: two releases are folded into %d", name, len(folded))
		}
		if got := accounting.Evaluate(context.Background(), accounting.Basic, stack,
			accounting.Target{}); name != "nested" && got.Epsilon < 5.1 {
			t.Errorf("%s: ε = 0.1 and 5 cost %g", name, got.Epsilon)
		}
	}
	for name, r := range map[string]accounting.Release{"formatted": spoken{embedded, 0.1}, "ours": promoted{exactly(5), 0.1}} {
		if folded := accounting.Fold([]accounting.Entry{{Release: r, Count: 1},
			{Release: r, Count: 1}}); len(folded) != 1 {
			t.Errorf("%s: two equal releases are not folded", name)
		}
	}
}

// A list that changes after a release was made of it changes nothing, and what rounding left out of probabilities is
// charged: at δ = 1e-12 a move of 5 with probability 9e-10 costs 6.19.
func TestMixturesKeepTheirLists(t *testing.T) {
	ask := func(r accounting.Release, delta float64) accounting.Bound {
		return accounting.Evaluate(t.Context(), accounting.Numerical, []accounting.Entry{{Release: r, Count: 1}},
			accounting.Target{Delta: delta})
	}
	shifts, weights := []float64{1, 5}, []float64{0.5, 0.5}
	kept := accounting.MixtureOfGaussians(shifts, weights)
	want := ask(accounting.MixtureOfGaussians([]float64{1, 5}, []float64{0.5, 0.5}), 1e-6)
	shifts[1], weights[0], weights[1] = 0.1, 1, 0
	if got := ask(kept, 1e-6); got.Epsilon != want.Epsilon || !got.Finite() {
		t.Errorf("ε = %v after the list was changed, %v before", got.Epsilon, want.Epsilon)
	}
	short, whole := ask(accounting.MixtureOfGaussians([]float64{5, 0}, []float64{0, 1 - 9e-10}), 1e-12),
		ask(accounting.MixtureOfGaussians([]float64{5, 0}, []float64{9e-10, 1 - 9e-10}), 1e-12)
	if short.Epsilon < whole.Lower*(1-1e-6) || whole.Lower < 6 {
		t.Errorf("ε = %v with 9e-10 left out, at least %v with it", short.Epsilon, whole.Lower)
	}
	if p := pairs.RevealedMixture([]float64{1 - 9e-7, 0},
		[]pairs.Pair{pairs.Pure(0), pairs.Pure(5)}); p.Delta(1) < 9e-7 {
		t.Errorf("δ = %v with 9e-7 of the weights left out", p.Delta(1))
	}
}

// answers is a release that says what it is told to.
type answers struct {
	accounting.Unsupported
	epsilon, delta, rho, mu, renyi, profile float64
	pair                                    pairs.Pair
}

func (answers) Key() string { return "answers" }
func (a answers) Approximate() (epsilon, delta float64, err error) {
	return a.epsilon, a.delta, nil
}
func (a answers) Renyi(float64) (float64, error)   { return a.renyi, nil }
func (a answers) Concentrated() (float64, error)   { return a.rho, nil }
func (a answers) Gaussian() (float64, error)       { return a.mu, nil }
func (a answers) Profile(float64) (float64, error) { return a.profile, nil }
func (a answers) Pair() (pairs.Pair, error)        { return a.pair, nil }

// A release of ε = 1 with one answer that cannot be: no bound that uses it is below what the others say.
func TestWrongAnswersAreRefused(t *testing.T) {
	honest := answers{accounting.Unsupported{Label: "mine"}, 1, 0, 0.5, 1, 1, 0.5, pairs.Pure(1)}
	wrong := map[string]func(*answers, float64){
		"ε": func(a *answers, x float64) { a.epsilon = x },
		"δ": func(a *answers, x float64) { a.delta = x },
		"ρ": func(a *answers, x float64) { a.rho = x },
		"μ": func(a *answers, x float64) { a.mu = x },
		"r": func(a *answers, x float64) { a.renyi = x },
		"d": func(a *answers, x float64) { a.profile = x },
	}
	target := accounting.Target{Delta: 1e-6}
	truth := accounting.Evaluate(context.Background(), accounting.Numerical,
		[]accounting.Entry{{Release: accounting.PureDP(1), Count: 100}}, target).Lower
	for name, set := range wrong {
		for _, x := range []float64{-1, -100, math.Inf(-1)} {
			a := honest
			set(&a, x)
			for _, b := range accounting.Compare(context.Background(),
				[]accounting.Entry{{Release: a, Count: 100}}, target) {
				if b.Status == accounting.Valid && b.Epsilon < truth {
					t.Errorf("%s = %g: %s gives %g", name, x, b.Method, b.Epsilon)
				}
			}
		}
	}
	// (0, 0)-DP beside another cost: a forgotten field, not a release that sees no data.
	for _, b := range accounting.Compare(context.Background(),
		[]accounting.Entry{{Release: answers{Unsupported: accounting.Unsupported{Label: "mine"}, rho: 0.5}, Count: 1}},
		target) {
		if b.Status == accounting.Valid && b.Epsilon == 0 {
			t.Errorf("%s: free of cost", b.Method)
		}
	}
}

// extremes are what a field may be by mistake.
var extremes = []float64{0, -1, -1e-300, -1e300, math.NaN(), math.Inf(1), math.Inf(-1), 1e308, 5e-324, 1e200, 0.5, 1, 3}

// Every constructor with every combination of mistakes: a number that cannot be leaves no valid bound, and
// no bound is negative. The truth of a valid number is that of the constructor itself, tested elsewhere.
func TestConstructorsRefuseWhatCannotBe(t *testing.T) {
	inner := accounting.PureDP(1)
	finite := func(xs ...float64) bool {
		for _, x := range xs {
			if !(x >= 0) || math.IsInf(x, 1) {
				return false
			}
		}
		return true
	}
	positive := func(xs ...float64) bool { return finite(xs...) && !contains(xs, 0) }
	makers := map[string]struct {
		make  func(a, b, c float64) accounting.Release
		valid func(a, b, c float64) bool
	}{
		"pure":         {func(a, _, _ float64) accounting.Release { return accounting.PureDP(a) }, func(a, _, _ float64) bool { return finite(a) }},
		"approximate":  {func(a, b, _ float64) accounting.Release { return accounting.ApproximateDP(a, b) }, func(a, b, _ float64) bool { return finite(a, b) && b <= 1 }},
		"gaussian":     {func(a, _, _ float64) accounting.Release { return accounting.GaussianDP(a) }, func(a, _, _ float64) bool { return finite(a) }},
		"concentrated": {func(a, b, _ float64) accounting.Release { return accounting.ConcentratedDP(a, b) }, func(a, b, _ float64) bool { return finite(a, b) }},
		"range":        {func(a, _, _ float64) accounting.Release { return accounting.BoundedRangeDP(a) }, func(a, _, _ float64) bool { return finite(a) }},
		"sampled":      {func(a, _, _ float64) accounting.Release { return accounting.Subsample(inner, a) }, func(a, _, _ float64) bool { return a > 0 }},
		"replaced":     {func(a, _, _ float64) accounting.Release { return accounting.SampledReplace(inner, a) }, func(a, _, _ float64) bool { return a > 0 }},
		"revealed":     {func(a, _, _ float64) accounting.Release { return accounting.RevealedSample(inner, a) }, func(a, _, _ float64) bool { return a > 0 }},
		"group":        {func(a, _, _ float64) accounting.Release { return accounting.GroupPrivacy(inner, a) }, func(a, _, _ float64) bool { return positive(a) }},
		"fixed":        {func(a, b, c float64) accounting.Release { return accounting.FixedBatch(a, b, c) }, func(a, b, c float64) bool { return positive(a) && b > 0 && (c == 0 || c == 1) }},
		"allocated":    {func(a, b, _ float64) accounting.Release { return accounting.AllocatedPass(math.Min(a, 100), b) }, func(a, b, _ float64) bool { return a >= 1 && positive(b) }},
		"shuffled": {func(a, b, c float64) accounting.Release {
			return accounting.ShuffledPass(math.Min(a, 100), b, 0.1, c, false)
		}, func(a, b, c float64) bool { return a >= 1 && positive(b) && c >= 1 && !math.IsInf(c, 1) }},
		"at most": {func(a, b, _ float64) accounting.Release { return accounting.AtMostGaussian("m", a, b, "") }, func(a, b, _ float64) bool { return finite(a, b) && b <= a }},
		"points": {func(a, b, _ float64) accounting.Release {
			return accounting.RenyiPoints([]accounting.RenyiPoint{{Alpha: a, Value: b}})
		}, func(a, b, _ float64) bool { return a > 1 && finite(b) }},
		"best": {func(a, b, _ float64) accounting.Release {
			return accounting.BestOf(inner, accounting.Runs{Mean: math.Min(a, 1e9), Shape: b})
		}, func(a, b, _ float64) bool { return a >= 1 && b > -1 && !math.IsInf(b, 1) }},
	}
	for name, m := range makers {
		t.Run(name, func(t *testing.T) {
			gauge.Check(t, gauge.Cases(20, 100), func(t *rapid.T) {
				draw := func(s string) float64 { return rapid.SampledFrom(extremes).Draw(t, s) }
				a, b, c := draw("a"), draw("b"), draw("c")
				stack := []accounting.Entry{{Release: m.make(a, b, c), Count: 1}}
				target := accounting.Target{Delta: 1e-6}
				for _, bound := range accounting.ClosedForms(context.Background(), stack, target) {
					if bound.Status != accounting.Valid {
						continue
					}
					if !m.valid(a, b, c) {
						t.Fatalf("%v, %v, %v: %s gives %g", a, b, c, bound.Method, bound.Epsilon)
					}
					if !(bound.Epsilon >= 0) {
						t.Fatalf("%v, %v, %v: %s gives %g", a, b, c, bound.Method, bound.Epsilon)
					}
				}
			})
		})
	}
}

func contains(xs []float64, x float64) bool {
	for _, y := range xs {
		if x == y {
			return true
		}
	}
	return false
}

// The numerical accountant by itself: what cannot be has no finite upper end.
func TestPairsOfWhatCannotBe(t *testing.T) {
	for _, x := range []float64{-1, math.NaN(), math.Inf(-1)} {
		for name, p := range map[string]pairs.Pair{
			"gaussian": pairs.Gaussian(x), "laplace": pairs.Laplace(x), "range": pairs.BoundedRange(x), "pure": pairs.Pure(x),
			"approximate": pairs.Approximate(x, 0), "δ": pairs.Approximate(1, x), "response": pairs.Response(x, 3),
			"sampled": pairs.Subsample(x, pairs.Pure(1)), "replaced": pairs.SampledReplace(x, pairs.Pure(1)), "no rate": pairs.Subsample(0, pairs.Pure(1)),
			"draws": pairs.SampledGaussianGroup(x, 0.5, 2, false), "drawn": pairs.SampledGaussianGroup(1, x, 2, false), "none drawn": pairs.SampledGaussianGroup(1, 0.5, 0, false),
			"shuffled": pairs.ShuffledEpoch(10, x, 1, false), "allocated": pairs.Allocation(10, x), "batches": pairs.Allocation(x, 1),
			"discrete gaussian": pairs.DiscreteGaussian(x, 1), "discrete laplace": pairs.DiscreteLaplace(x, 1), "negative": pairs.DiscreteLaplace(1, -1),
			"power": pairs.RepeatedApproximate(x, 0, 3), "weights": pairs.RevealedMixture([]float64{x, 1}, []pairs.Pair{pairs.Pure(0), pairs.Pure(1)}),
			"light weights": pairs.RevealedMixture([]float64{0.1}, []pairs.Pair{pairs.Pure(1)}), "group of none": pairs.Group(pairs.Pure(1), 0),
			"missing": pairs.Subsample(0.5, pairs.Pair{}), "zero loss": pairs.Subsample(0.5, pairs.Pair{Remove: &pairs.Loss{}, Add: &pairs.Loss{}}),
		} {
			i, err := pld.Epsilon(context.Background(), []pairs.Part{{Pair: p, Count: 1}}, 1e-6, pld.Options{})
			if err == nil && !math.IsInf(i.Upper, 1) {
				t.Errorf("%s at %v: %v", name, x, i)
			}
		}
	}
	for _, p := range []pairs.Part{{Pair: pairs.Pure(1)}, {Pair: pairs.Pure(1), Count: -1},
		{Pair: pairs.Pure(1), Count: math.NaN()}, {Count: 1},
		{Pair: pairs.Pair{Remove: &pairs.Loss{}, Add: &pairs.Loss{}}, Count: 1}} {
		if i, err := pld.Epsilon(context.Background(), []pairs.Part{p}, 1e-6, pld.Options{}); err == nil {
			t.Errorf("%v: %v", p, i)
		}
	}
	if i, err := pld.Epsilon(context.Background(), []pairs.Part{{Pair: pairs.Pure(1), Count: 1}}, math.NaN(),
		pld.Options{}); err == nil {
		t.Errorf("δ = NaN: %v", i)
	}
}

// Conversions of what cannot be give no guarantee.
func TestConversionsOfWhatCannotBe(t *testing.T) {
	for _, x := range []float64{-1, math.NaN(), math.Inf(-1)} {
		tight, _ := accounting.ConcentratedToEpsilon(x, 1e-6)
		for name, epsilon := range map[string]float64{
			"RDP": accounting.RenyiToEpsilon(2, x, 1e-6), "classic RDP": accounting.RenyiToEpsilonClassic(2, x, 1e-6), "zCDP": tight,
			"classic zCDP": accounting.ConcentratedToEpsilonClassic(x, 1e-6), "GDP": accounting.GaussianToEpsilon(x, 1e-6),
			"pure": accounting.PureToConcentrated(x), "classic pure": accounting.PureToConcentratedClassic(x), "advanced": accounting.AdvancedEpsilon(x, 1e-6, 2),
		} {
			if !math.IsInf(epsilon, 1) {
				t.Errorf("%s of %v: %g", name, x, epsilon)
			}
		}
		if d := accounting.GaussianToDelta(x, 1); d != 1 {
			t.Errorf("δ of μ = %v: %g", x, d)
		}
		if d := accounting.ConcentratedToDelta(x, 1); d != 1 {
			t.Errorf("δ of ρ = %v: %g", x, d)
		}
		for name, error := range map[string]float64{
			"GDP": accounting.GaussianTradeOff(x, 0.1), "GDP at a level": accounting.GaussianTradeOff(1, x),
			"profile": accounting.TradeOff(func(epsilon float64) float64 { return accounting.GaussianToDelta(1, epsilon) }, x),
		} {
			if error != 0 {
				t.Errorf("type II error of %s, %v: %g", name, x, error)
			}
		}
		if p := math.Min(accounting.Posterior(0.3, x), accounting.Posterior(x, 1)); p != 1 {
			t.Errorf("belief after %v: %g", x, p)
		}
		if p := math.Max(accounting.LeastPosterior(0.3, x), accounting.LeastPosterior(x, 1)); p != 0 {
			t.Errorf("least belief after %v: %g", x, p)
		}
		if mu := accounting.GaussianFromDP(x, 1e-6); mu != 0 {
			t.Errorf("ε = %v allows μ = %g", x, mu)
		}
	}
}

// Odometers of numbers that cannot be promise nothing, and allow nothing.
func TestOdometersOfWhatCannotBe(t *testing.T) {
	orders, weights := []float64{2, 8}, []float64{0.5, 0.5}
	for _, x := range []float64{-1, math.NaN(), math.Inf(-1)} {
		for name, bound := range map[string]float64{
			"line, V": adaptive.Line(x, 1, 1e-6), "line, ε": adaptive.Line(1, x, 1e-6), "line, δ": adaptive.Line(1, 1, x),
			"mixture, V": adaptive.OneSidedMixture(x, 1, 1e-6), "mixture, γ": adaptive.OneSidedMixture(1, x, 1e-6), "mixture, δ": adaptive.OneSidedMixture(1, 1, x),
			"orders, order": adaptive.MixtureOfOrders([]float64{2, x}, weights, []float64{1, 1}, 1e-6), "orders, weight": adaptive.MixtureOfOrders(orders, []float64{0.5, x}, []float64{1, 1}, 1e-6),
			"orders, sum": adaptive.MixtureOfOrders(orders, weights, []float64{1, x}, 1e-6), "orders, δ": adaptive.MixtureOfOrders(orders, weights, []float64{1, 1}, x),
		} {
			if !math.IsInf(bound, 1) {
				t.Errorf("%s = %v: %g", name, x, bound)
			}
		}
		if v := adaptive.LineVariance(x, 1e-6) + adaptive.LineVariance(1, x); v != 0 {
			t.Errorf("%v allows a variance of %g", x, v)
		}
	}
	for name, bound := range map[string]float64{
		"line at ε = 0": adaptive.Line(1, 0, 1e-6), "line at δ = 0": adaptive.Line(1, 1, 0), "line at δ = 1": adaptive.Line(1, 1, 1), "mixture at γ = 0": adaptive.OneSidedMixture(1, 0, 1e-6),
		"order 1": adaptive.MixtureOfOrders([]float64{1, 2}, weights, []float64{1, 1}, 1e-6), "too much weight": adaptive.MixtureOfOrders(orders, []float64{0.5, 0.6}, []float64{1, 1}, 1e-6),
		"no orders": adaptive.MixtureOfOrders(nil, nil, nil, 1e-6), "a sum is missing": adaptive.MixtureOfOrders(orders, weights, []float64{1}, 1e-6),
	} {
		if !math.IsInf(bound, 1) {
			t.Errorf("%s: %g", name, bound)
		}
	}
	if u := adaptive.MixtureOfOrders(orders, weights, []float64{1, 4}, 1e-6); !(u > 1 && u < 20) {
		t.Errorf("a mixture as it should be: %g", u)
	}
}

// Filters take no request with a forgotten count or release.
func TestFiltersRefuseForgottenFields(t *testing.T) {
	plan := []accounting.Entry{{Release: accounting.PureDP(0.1), Count: 3}}
	for _, kind := range []adaptive.Kind{adaptive.Basic, adaptive.ZCDP, adaptive.Mixture, adaptive.Plan} {
		f, err := adaptive.New(adaptive.Promise{Filter: kind, Epsilon: 1, Delta: 1e-6, Plan: plan, Rungs: []float64{1}})
		if err != nil {
			t.Fatal(kind, err)
		}
		for _, e := range []accounting.Entry{{Release: accounting.PureDP(0.1)},
			{Release: accounting.PureDP(0.1), Count: -1}, {Count: 1}} {
			if cost, err := f.Price([]accounting.Entry{e}); err == nil {
				t.Errorf("%s takes %v for %v", kind, e, cost)
			}
		}
	}
}

// panics is a release at which the numerical accountant breaks down.
type panics struct{ answers }

func (panics) Pair() (pairs.Pair, error) { panic("index out of range [7]") }

// A panic is a fault of the program: it is told as one, with its text, and not as a reason of privacy.
func TestPanicsAreInternalErrors(t *testing.T) {
	stack := []accounting.Entry{{Release: panics{answers{accounting.Unsupported{Label: "mine"}, 1, 0, 0.5, 1, 1, 0.5,
		pairs.Pair{}}}, Count: 1}}
	target := accounting.Target{Delta: 1e-6}
	b := accounting.Evaluate(context.Background(), accounting.Numerical, stack, target)
	if b.Fault == nil || !strings.Contains(b.Note, "index out of range [7]") || !strings.Contains(b.Note, "report") ||
		b.Status != accounting.NotApplicable {
		t.Errorf("%+v", b)
	}
	if strings.Contains(b.Note, "dominating pair") {
		t.Errorf("a fault of the program is told as a reason of privacy: %s", b.Note)
	}
	err := accounting.Refine(context.Background(), stack, target, func(accounting.Bound) bool { return true })
	if err == nil || !strings.Contains(err.Error(), "index out of range [7]") {
		t.Errorf("Refine: %v", err)
	}
	if _, upper, err := accounting.DeltaAt(context.Background(), stack, 1, 0); err == nil || upper != 1 ||
		!strings.Contains(err.Error(), "internal error") {
		t.Errorf("DeltaAt: %g, %v", upper, err)
	}
}

// Recover fails with a fault that its work met, even if that went on without the bound; another error passes as it is.
func TestRecoverTellsOfFaultsThatWorkPassedOver(t *testing.T) {
	stack := []accounting.Entry{{Release: panics{answers{accounting.Unsupported{Label: "mine"}, 1, 0, 0.5, 1, 1, 0.5,
		pairs.Pair{}}}, Count: 1}}
	passOver := func(ctx context.Context) error {
		accounting.Compare(ctx, stack, accounting.Target{Delta: 1e-6})
		return nil
	}
	other := errors.New("other")
	for name, c := range map[string]struct {
		do    func(context.Context) error
		fault bool
		err   error
	}{
		"a fault passed over":       {passOver, true, nil},
		"within another":            {func(ctx context.Context) error { _ = accounting.Recover(ctx, passOver); return other }, true, nil},
		"a panic":                   {func(context.Context) error { panic("index out of range [7]") }, true, nil},
		"the harm of the stack":     {func(ctx context.Context) error { _, _ = accounting.NewProfile(ctx, stack, nil, nil, false); return nil }, true, nil},
		"the corners":               {func(ctx context.Context) error { accounting.ProfileCorners(ctx, stack); return nil }, true, nil},
		"another error":             {func(context.Context) error { return other }, false, other},
		"nothing":                   {func(context.Context) error { return nil }, false, nil},
		"a fault outside its sight": {func(context.Context) error { return passOver(context.Background()) }, false, nil},
	} {
		err := accounting.Recover(context.Background(), c.do)
		if fault := accounting.FaultOf(err); c.fault != (fault != nil) || fault != nil && fault.Text != "index out of range [7]" ||
			!c.fault && err != c.err {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// promiseOf fills a promise as it should be, but for up to two fields, which are what a field may be by mistake.
func promiseOf(t *rapid.T, kind adaptive.Kind, plan []accounting.Entry) adaptive.Promise {
	wild := append([]float64{1e-6, 2, 8}, extremes...)
	one, other, field := rapid.IntRange(0, 12).Draw(t, "a wrong field"), rapid.IntRange(0, 12).Draw(t, "another"), 0
	draw := func(s string, good float64) float64 {
		if field++; field == one || field == other {
			return rapid.SampledFrom(wild).Draw(t, s)
		}
		return good
	}
	list := func(s string, good ...float64) (list []float64) {
		for i, x := range good {
			list = append(list, draw(fmt.Sprint(s, i), x))
		}
		return list
	}
	p := adaptive.Promise{Filter: kind, Epsilon: draw("ε", 3), Delta: draw("δ", 1e-5),
		Failures: draw("failures", 0), Alpha: draw("α", 8),
		Odometer: rapid.SampledFrom([]string{"", "line", "mixture", "other"}).Draw(t, "odometer")}
	switch kind {
	case adaptive.Mixture:
		p.Orders, p.Weights = list("order", 2, 8, 32), list("weight", 0.25, 0.5, 0.25)
	case adaptive.Plan:
		p.Plan, p.Rungs = plan, list("rung", 1.5, 3)
	}
	if rapid.Bool().Draw(t, "with a budget") {
		p.Budget = big.NewInt(rapid.SampledFrom([]int64{-1, 0, 1, 7, 1e15, math.MaxInt64}).Draw(t, "budget"))
	}
	return p
}

// What a filter grants keeps its promise, and an odometer is no smaller than what was granted truly costs, whatever the
// promise was filled with: the truth is the certified lower end for the same releases fixed in advance. A sum that no
// releases have, with a negative, missing or foreign part, is granted by none.
func TestFiltersWithFieldsThatCannotBe(t *testing.T) {
	gauge.Sequential(t)
	kinds := []adaptive.Kind{adaptive.Basic, adaptive.ZCDP, adaptive.GDP, adaptive.Mixture, adaptive.Plan}
	made := map[adaptive.Kind]int{}
	gauge.Check(t, gauge.Cases(300, 2000), func(t *rapid.T) {
		kind := rapid.SampledFrom(kinds).Draw(t, "filter")
		release := rapid.SampledFrom([]accounting.Release{accounting.PureDP(0.1),
			accounting.GaussianDP(0.2)}).Draw(t, "release")
		plan := []accounting.Entry{{Release: release, Count: 4}}
		p := promiseOf(t, kind, plan)
		f, err := adaptive.New(p)
		if err != nil {
			return
		}
		cost, err := f.Price([]accounting.Entry{{Release: release, Count: 1}})
		if err != nil {
			return
		}
		made[kind]++
		odometer, quotes := f.Odometer()
		copies, bounded := adaptive.LargestFitting(func(n *big.Int) bool { return f.Fits(cost.Times(n)) == nil })
		if !bounded {
			t.Fatalf("%+v grants any number of %s", p, release.Name())
		}
		// whether the ε of a plan is that of its releases is checked where it is read
		if n, _ := new(big.Float).SetInt(copies).Float64(); n > 0 && kind != adaptive.Plan {
			truth := accounting.Evaluate(context.Background(), accounting.Numerical,
				[]accounting.Entry{{Release: release, Count: n}}, accounting.Target{Delta: p.Delta, Precision: 1e-3})
			if p.Delta > 0 && truth.Lower > p.Epsilon*(1+1e-9) {
				t.Fatalf("%+v grants %s copies of %s, which cost %g", p, copies, release.Name(), truth.Lower)
			}
			if u := odometer.At(cost.Times(copies)); quotes && p.Delta > 0 && truth.Lower > u*(1+1e-9) {
				t.Fatalf("%+v quotes %g for what costs %g", p, u, truth.Lower)
			}
		}
		i := rapid.IntRange(0, len(cost.Parts)-1).Draw(t, "part")
		for name, wrong := range map[string]adaptive.Cost{
			"a negative part": {Parts: replaced(cost.Parts, i, big.NewInt(-1))}, "a missing part": {Parts: replaced(cost.Parts, i, nil)},
			"a part too many": {Parts: append(slices.Clone(cost.Parts), big.NewInt(0))}, "a negative δ": {Parts: cost.Parts, Failures: big.NewInt(-1)},
		} {
			if err := f.Fits(wrong); err == nil {
				t.Fatalf("%s grants %s: %v", kind, name, wrong)
			}
			if quotes && !math.IsInf(odometer.At(wrong), 1) {
				t.Fatalf("%s quotes %g for %s: %v", kind, odometer.At(wrong), name, wrong)
			}
		}
	})
	for _, kind := range kinds {
		if made[kind] == 0 && gauge.All() && !testing.Short() { // fewer cases may miss a kind
			t.Errorf("no %s filter was made", kind)
		}
	}
}

func replaced(list []*big.Int, i int, x *big.Int) []*big.Int {
	list = slices.Clone(list)
	list[i] = x
	return list
}

// The paths to a bound beside the theorems, with every mistake in a count, a δ, an ε or a level: what cannot be is an
// error or no guarantee, and what can be is no smaller than the certified lower end.
func TestPathsToABoundRefuseWhatCannotBe(t *testing.T) {
	ctx := context.Background()
	releases := []accounting.Release{accounting.PureDP(0.1), accounting.GaussianDP(0.2)}
	if gauge.All() { // seconds for some counts
		releases = append(releases, accounting.Subsample(accounting.GaussianDP(1), 0.1))
	}
	gauge.Check(t, gauge.Cases(60, 200), func(t *rapid.T) {
		draw := func(s string) float64 {
			return rapid.SampledFrom(append([]float64{1e-6, 2, 100}, extremes...)).Draw(t, s)
		}
		count, delta, epsilon, level := draw("count"), draw("δ"), draw("ε"), draw("level")
		release := rapid.SampledFrom(releases).Draw(t, "release")
		stack := []accounting.Entry{{Release: release, Count: count}}
		canBe := count > 0 && !math.IsInf(count, 1) // a part of a release counts as one
		if !canBe || !(delta >= 0) {                // at δ ≥ 1 every ε holds
			for _, b := range append(accounting.Compare(ctx, stack, accounting.Target{Delta: delta}),
				accounting.Evaluate(ctx, accounting.Numerical, stack, accounting.Target{Delta: delta})) {
				if b.Status == accounting.Valid {
					t.Fatalf("%v copies at δ %v: %s gives %g", count, delta, b.Method, b.Epsilon)
				}
			}
			if bounds, err := adaptive.RungBounds(ctx, stack, delta, 2, 1e-2); err == nil {
				t.Fatalf("%v copies at δ %v: rungs %v", count, delta, adaptive.Rungs(bounds))
			}
		}
		least := -math.Expm1(epsilon) // δ at a negative ε, whatever is released
		if !canBe || math.IsNaN(epsilon) {
			least = 1
		}
		least *= 1 - 1e-12
		_, upper, err := accounting.DeltaAt(ctx, stack, epsilon, 1e-2)
		if err == nil && upper < least {
			t.Fatalf("%v copies at ε %v: δ = %g", count, epsilon, upper)
		}
		h, err := accounting.NewProfile(ctx, stack, nil, nil, false)
		if err != nil {
			return
		}
		if !canBe {
			t.Fatalf("%v copies have a harm", count)
		}
		if tpr, err := h.TruePositiveRate(ctx, level); err == nil &&
			(!(level >= 0 && level <= 1) && tpr.Upper < 1 || tpr.Upper < level) {
			t.Fatalf("true-positive rate %v at level %v", tpr, level)
		}
		if d, err := h.Delta(ctx, epsilon); err == nil && d.Upper < least {
			t.Fatalf("δ = %v at ε %v", d, epsilon)
		}
	})
}

// An exact release without a pure ε is refused in words that hold for every such release, of noise or not, and also if
// it is (ε, δ)-DP for a δ that an ε of its own comes with.
func TestExactWithoutPureSaysWhatIsKnown(t *testing.T) {
	release := accounting.Exact("Truncated response", "truncated", accounting.Guarantees{
		Pure: math.Inf(1), Renyi: func(float64) float64 { return math.Inf(1) },
		Pair: func() pairs.Pair { return pairs.Approximate(1, 1e-3) },
	})
	_, _, err := release.Approximate()
	if err == nil || err.Error() != "Truncated response has no pure ε: its guarantee is a δ for every ε, not one (ε, δ)" {
		t.Errorf("it says %v", err)
	}
}
