package mechanisms

import (
	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// Approximate is any (ε, δ)-DP release of which nothing else is known. It is
// charged as the worst one (Kairouz, Oh, Viswanath 2015): everything is given away
// with probability δ, and otherwise randomized response is run.
type Approximate struct {
	Epsilon float64 // ≥ 0
	Delta   float64 // in [0, 1)
}

var approximateSpec = Spec{
	Name: "approximate", Title: "Approximate (ε, δ)-DP",
	Summary: "any release known only to be (ε, δ)-differentially private",
	Params: []param.Param{
		atLeastZero(epsilonParam("privacy loss of one release")),
		below(1, atLeastZero(positive("delta", "δ", "failure probability of one release", 1e-8, 10))),
	},
	build:   buildApproximate,
	Source:  "Kairouz, Oh, Viswanath 2015",
	NoError: onlyStated, NoAbsent: absentBesideDelta,
	Notes: []string{
		"Pr[|loss| ≤ ε] ≥ 1 − δ is sufficient for (ε, δ)-DP, not equivalent; exact is E[(1 − e^{ε−L})₊] ≤ δ.",
	},
}

func buildApproximate(r reader) (Mechanism, error) {
	a := Approximate{Epsilon: r.number("epsilon"), Delta: r.number("delta")}
	if a.Epsilon == 0 {
		return a, nil
	}
	return a, checkLoss("epsilon", a.Epsilon)
}

func (Approximate) Kind() string { return "approximate" }

func (a Approximate) Releases() []accounting.Entry {
	return once(accounting.ApproximateDP(a.Epsilon, a.Delta))
}
