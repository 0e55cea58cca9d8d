package mechanisms

import (
	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// Pure is any ε-DP release of which nothing else is known. It is charged as the
// worst one, randomized response with that ε.
type Pure struct{ Epsilon float64 }

var pureSpec = Spec{
	Name: "pure", Title: "Pure ε-DP",
	Summary: "any release known only to be ε-differentially private",
	Params:  []param.Param{epsilonParam("privacy loss of one release")},
	build:   buildPure,
	Source:  "Dwork, McSherry, Nissim, Smith 2006; Kairouz, Oh, Viswanath 2015 (worst case)",
	NoError: onlyStated,
	Notes: []string{
		"Some slides write δ for the ε of one query, and k = ε/δ for how many fit.",
		"Uniform noise on ±L, a slide's first example, is not ε-DP for any ε, as its support moves with the data: it gives everything away with δ = shift/(2L+1).",
	},
}

func buildPure(r reader) (Mechanism, error) {
	epsilon, err := r.epsilon()
	return Pure{Epsilon: epsilon}, err
}

func (Pure) Kind() string { return "pure" }

func (p Pure) Releases() []accounting.Entry { return once(pure("pure ε-DP release", p.Epsilon)) }

// pure is a release known only to be ε-DP, under the name used in notes.
func pure(name string, epsilon float64) accounting.Release {
	return accounting.Named(accounting.PureDP(epsilon), name)
}

// stepsOf is that release for k records: k steps, each known only to be ε-DP.
func stepsOf(name string, epsilon, k float64) accounting.Release {
	return accounting.GroupOf(pure(name, epsilon), k)
}
