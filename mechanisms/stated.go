package mechanisms

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// Guarantees that are stated without the mechanism behind them. Each is charged as the worst
// release that keeps it.

// Pure is any ε-DP release of which nothing else is known. It is charged as the
// worst one, randomized response with that ε.
type Pure struct{ Epsilon float64 }

func pureSpec() Spec {
	return Spec{
		Name: "pure", Title: "Pure ε-DP",
		Summary: "any release known only to be ε-differentially private",
		Params:  []param.Param{epsilonParam("privacy loss of one release")},
		build: func(r reader) (Mechanism, error) {
			epsilon, err := r.epsilon()
			return Pure{epsilon}, err
		},
		Source:  "Dwork, McSherry, Nissim, Smith 2006; Kairouz, Oh, Viswanath 2015 (worst case)",
		NoError: onlyStated,
		Notes: []string{
			"Some slides write δ for the ε of one query, and k = ε/δ for how many fit.",
			"Uniform noise on ±L, a slide's first example, is not ε-DP for any ε, as its support moves with the data: it gives everything away with δ = shift/(2L+1).",
		},
	}
}

func (Pure) Kind() string { return "pure" }

func (p Pure) Releases(k float64) []accounting.Entry {
	return releasesOf(p, k, func() []accounting.Entry {
		return oneRelease(pure("pure ε-DP release", p.Epsilon, k))
	})
}

func (p Pure) validate() error {
	return checkLoss("Epsilon", p.Epsilon)
}

// Notes of mechanisms that are priced by their guarantee alone.
const (
	onlyEpsilon         = "Nothing but ε is used: both ends of the numerical interval are those of the worst release with that ε, and an attack on this mechanism may reach less."
	onlyEpsilonAndDelta = "Nothing but ε and δ is used: both ends of the numerical interval are those of the worst release with them, and an attack on this mechanism may reach less."
)

// pure returns a release known only to be ε-DP, for k records and under the name used in notes.
func pure(name string, epsilon, k float64) accounting.Release {
	return accounting.GroupPrivacy(accounting.WithName(accounting.PureDP(epsilon), name), k)
}

// Approximate is any (ε, δ)-DP release of which nothing else is known. It is
// charged as the worst one (Kairouz, Oh, Viswanath 2015): everything is given away
// with probability δ, and otherwise randomized response is run.
type Approximate struct {
	Epsilon float64 // ≥ 0
	Delta   float64 // in [0, 1)
}

func approximateSpec() Spec {
	return Spec{
		Name: "approximate", Title: "Approximate (ε, δ)-DP",
		Summary: "any release known only to be (ε, δ)-differentially private",
		Params: []param.Param{
			atLeastZero(epsilonParam("privacy loss of one release")),
			lessThan(1, atLeastZero(positive("delta", "δ", "failure probability of one release", 1e-8, 10))),
		},
		build: func(r reader) (Mechanism, error) {
			a := Approximate{r.number("epsilon"), r.number("delta")}
			return a, checkLossOrNone("epsilon", a.Epsilon)
		},
		Source:  "Kairouz, Oh, Viswanath 2015",
		NoError: onlyStated, NoAddRemoveNumber: numberAmbiguousBesideDelta,
		Notes: []string{
			"Pr[|loss| ≤ ε] ≥ 1 − δ is sufficient for (ε, δ)-DP, not equivalent; exact is E[(1 − e^{ε−L})₊] ≤ δ.",
		},
	}
}

func (Approximate) Kind() string { return "approximate" }

func (a Approximate) Releases(k float64) []accounting.Entry {
	return releasesOf(a, k, func() []accounting.Entry {
		return oneRelease(accounting.GroupPrivacy(accounting.ApproximateDP(a.Epsilon, a.Delta), k))
	})
}

func (a Approximate) validate() error {
	if !(a.Delta >= 0 && a.Delta < 1) {
		return fmt.Errorf("field Delta must be at least 0 and below 1, got %s", numeral.Format(a.Delta))
	}
	return checkLossOrNone("Epsilon", a.Epsilon)
}

// ZCDP is any (ξ, ρ)-zero-concentrated release: D_α ≤ ξ + αρ for every α > 1 (Bun &
// Steinke 2016). ξ is nearly always 0.
type ZCDP struct{ Rho, Xi float64 }

func zcdpSpec() Spec {
	return Spec{
		Name: "zcdp", Title: "zCDP",
		Summary: "any release known only by its ρ (zero-concentrated DP)",
		Params: []param.Param{
			scalesWithNoise(-2, positive("rho", "ρ", "bound on Rényi divergence per order: D_α ≤ αρ", 0.1, 1.1)),
			atLeastZero(optional(positive("xi", "ξ", "offset of the bound, if it has one: D_α ≤ ξ + αρ", 0.1, 1.1))),
		},
		build: func(r reader) (Mechanism, error) {
			z := ZCDP{r.number("rho"), r.number("xi")}
			return z, cmp.Or(checkLossOrNone("xi", z.Xi), checkLoss("rho", z.Rho))
		},
		Source:  "Bun, Steinke 2016",
		NoError: onlyStated,
		Notes: []string{
			"A slide restricts ρ to [0, 1]; there is no upper limit (the US Census used 2.63).",
			"The Gaussian with the same ρ does not dominate it, so it has no numerical bound of its own.",
		},
	}
}

func (ZCDP) Kind() string { return "zcdp" }

func (z ZCDP) Releases(k float64) []accounting.Entry {
	return releasesOf(z, k, func() []accounting.Entry {
		return oneRelease(accounting.GroupPrivacy(accounting.ConcentratedDP(z.Xi, z.Rho), k))
	})
}

func (z ZCDP) validate() error {
	return cmp.Or(checkLossOrNone("Xi", z.Xi), checkLoss("Rho", z.Rho))
}

// RDP is any release known by points of its Rényi curve (Mironov 2017).
type RDP struct {
	Points []param.Item // Order > 1 and Value ≥ 0, by increasing order
}

func rdpSpec() Spec {
	return Spec{
		Name: "rdp", Title: "Rényi DP",
		Summary: "any release known by points of its Rényi curve",
		Params: []param.Param{{
			Name: "points", Symbol: "(α, ε(α))", Help: "Rényi orders with the divergence at each", Type: param.Points,
			Required: true,
			Initial: param.PointsValue(param.Item{Order: 2, Value: 0.02}, param.Item{Order: 8, Value: 0.08},
				param.Item{Order: 32, Value: 0.32}),
		}},
		build: func(r reader) (Mechanism, error) {
			points := slices.Clone(r.items("points"))
			slices.SortFunc(points, func(a, b param.Item) int { return cmp.Compare(a.Order, b.Order) })
			return RDP{points}, nil
		},
		Source:  "Mironov 2017",
		NoError: onlyStated, NoAddRemoveNumber: numberAmbiguousStated,
		Notes: []string{
			"Between the points the chord of (α − 1)·ε(α), which is convex, is an upper bound; above the largest order nothing is known.",
			"A slide has E[e^{(α−1)·Q(b₁)/Q(b₂)}]; the exponent needs the logarithm of the ratio.",
			"A slide restricts the divergence to [0, 1]; there is no upper limit.",
		},
	}
}

func (RDP) Kind() string { return "rdp" }

func (r RDP) Releases(k float64) []accounting.Entry {
	return releasesOf(r, k, func() []accounting.Entry {
		points := make([]accounting.RenyiPoint, len(r.Points))
		for i, p := range r.Points {
			points[i] = accounting.RenyiPoint{Alpha: p.Order, Value: p.Value}
		}
		return oneRelease(accounting.GroupPrivacy(accounting.RenyiPoints(points), k))
	})
}

func (r RDP) validate() error {
	if len(r.Points) == 0 {
		return errors.New("no Points are given")
	}
	for _, p := range r.Points {
		if !(p.Order > 1) || !(p.Value >= 0) || math.IsInf(p.Value, 1) {
			return errors.New("every point must have an Order above 1 and a Value that is a finite number of at least 0")
		}
	}
	return nil
}
