package mechanisms

import (
	"cmp"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms/param"
)

// RandomizedResponse reports each record's category truthfully with probability
// e^ε/(e^ε + k − 1) and otherwise one of the k − 1 others, evenly (Warner 1965;
// Kairouz, Bonawitz, Ramage 2016 for k > 2).
type RandomizedResponse struct {
	Epsilon    float64 // > 0
	Categories float64 // k, a whole number ≥ 2
}

func randomizedResponseSpec() Spec {
	return Spec{
		Name: "randomized-response", Title: "Randomized response",
		Summary: "each person tells the truth with a known probability and lies otherwise",
		Params: []param.Param{
			optional(epsilonParam("privacy loss of one answer")),
			lessThan(0.5, optional(positive("gamma", "γ", "the true answer is given with probability ½ + γ (two categories)", 0.25, 0.01))),
			lessThan(1, optional(positive("truth", "p", "probability of telling the truth", 0.75, 0.01))),
			{
				Name: "categories", Symbol: "k", Help: "how many answers there are to choose from", Type: param.Whole,
				Min: 2, Max: maxCount, Default: param.WholeValue(2), Initial: param.WholeValue(2), Step: 1,
			},
		},
		Alternatives: []param.Alternative{{Sets: [][]string{{"epsilon"}, {"gamma"}, {"truth"}}}},
		build:        buildRandomizedResponse,
		Source:       "Warner 1965; Kairouz, Bonawitz, Ramage 2016",
		Local:        true, SizePublic: true, Reports: "category", NoError: onlyStated, NoAddRemoveNumber: problemCounted,
		Notes: []string{
			"It is ln 3 at γ = ¼ only; in general ε = ln((½+γ)/(½−γ)).",
			"The number of people is public: the guarantee is for replacing a record.",
		},
	}
}

func buildRandomizedResponse(r reader) (Mechanism, error) {
	rr := RandomizedResponse{Epsilon: r.number("epsilon"), Categories: r.number("categories")}
	given := "epsilon"
	switch {
	case r.has("gamma"):
		given = "gamma"
		if rr.Categories != 2 {
			return nil, param.Errorf("gamma", "is for two categories; give epsilon or truth")
		}
		rr.Epsilon = 2 * math.Atanh(2*r.number("gamma"))
	case r.has("truth"):
		given = "truth"
		p := r.number("truth")
		if p*rr.Categories <= 1 {
			return nil, param.Errorf("truth", "must be greater than 1/categories = %s, got %s: a lie would be likelier than the truth",
				numeral.Format(1/rr.Categories), numeral.Format(p))
		}
		rr.Epsilon = math.Log(p) + math.Log(rr.Categories-1) - math.Log1p(-p)
	}
	return rr, checkLoss(given, rr.Epsilon)
}

func (RandomizedResponse) Kind() string { return "randomized-response" }

// Truth returns the probability of reporting the true category.
func (r RandomizedResponse) Truth() float64 {
	return 1 / (1 + (r.Categories-1)*math.Exp(-r.Epsilon))
}

// Gamma returns the excess over ½ of the probability of the truth, for two categories.
func (r RandomizedResponse) Gamma() float64 { return 0.5 * math.Tanh(r.Epsilon/2) }

// Releases returns a report of every record, each with its own coins. With two categories it is
// the worst ε-DP release there is; with more it is less.
func (r RandomizedResponse) Releases(k float64) []accounting.Entry {
	return releasesOf(r, k, func() []accounting.Entry {
		const name = "Randomized response"
		if r.Categories == 2 {
			return []accounting.Entry{{Release: pure(name, r.Epsilon, 1), Count: k}}
		}
		curve := func(alpha float64) float64 { return responseRenyi(r.Epsilon, r.Categories, alpha) }
		return []accounting.Entry{{Count: k, Release: accounting.Exact(name, "response", accounting.Guarantees{
			Pure: r.Epsilon, Renyi: curve,
			Rho:  func() float64 { return responseRho(r.Epsilon, curve) },
			Pair: func() pairs.Pair { return pairs.Response(r.Epsilon, int(r.Categories)) },
		}, r.Epsilon, r.Categories)}}
	})
}

func (r RandomizedResponse) validate() error {
	return cmp.Or(requireWhole(2, maxCount, field{"Categories", r.Categories}), checkLoss("Epsilon", r.Epsilon))
}

// responseRenyi returns the divergence of two reports whose truths differ: they agree on
// all but two of the k categories.
func responseRenyi(epsilon, categories, alpha float64) float64 {
	// Weights over e^ε, lest it overflow: 1 for the truth, e^{−ε} for each other.
	norm := math.Log1p((categories - 1) * math.Exp(-epsilon))
	return special.DiscreteRenyi([]special.Outcome{
		{LogQ: -epsilon - norm, Loss: epsilon},
		{LogQ: math.Log(categories-2) - epsilon - norm, Loss: 0},
		{LogQ: -norm, Loss: -epsilon},
	}, alpha)
}

// responseRho returns the largest r(α)/α over α ≥ 1 (at k = 1000, ε = 0.1 it is 35 times the
// value at α = 1). With v = (α−½)², α(α−1) is v − ¼ and (α−1)·r(α) is the logarithm of
// m + (1−m)·cosh(ε√v)/cosh(ε/2), with m the weight of the answers that agree. That is convex
// and then concave in v, as sinh(√x)/√x, the product of all 1 + x/(nπ)², is log-concave. So
// r(α)/α, its slope from v = ¼, rises and then falls, and a search finds the top; a raise by
// 1e-9 is far more than it can miss. Prices in ledgers are compared to nine digits.
func responseRho(epsilon float64, curve func(alpha float64) float64) float64 {
	first, binary := curve(1), accounting.PureToConcentrated(epsilon)
	if first == 0 {
		return binary
	}
	ratio := func(x float64) float64 { return curve(math.Exp(x)) / math.Exp(x) }
	// Beyond ε/r(1) no ratio is above the first, as r(α) ≤ ε.
	top := special.Minimise(func(x float64) float64 { return -ratio(x) }, 0, math.Log(epsilon/first), 64)
	return math.Min(binary, -top.Value*(1+1e-9))
}

func (r RandomizedResponse) equivalents(param.Values) map[string]float64 {
	known := map[string]float64{"epsilon": r.Epsilon, "truth": r.Truth()}
	if r.Categories == 2 {
		known["gamma"] = r.Gamma()
	}
	return known
}
