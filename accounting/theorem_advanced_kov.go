package accounting

import (
	"context"
	"fmt"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/special"
)

// AdvancedKOV is the improved closed form of advanced composition.
const AdvancedKOV Method = "advanced-kov"

// The total is 1 − (1−δ′)·Π(1−δ_i), not the plain sum of the δ's.
var advancedKOVTheorem = Theorem{
	Method:    AdvancedKOV,
	Label:     "advanced KOV",
	FormOf:    Advanced,
	Title:     "Advanced composition, improved closed form",
	Authors:   "Kairouz, Oh, Viswanath",
	Year:      2015,
	Source:    "The Composition Theorem for Differential Privacy (ICML 2015), Theorem 3.5",
	Formula:   "ε = min{ Σ Kᵢεᵢ,  B + √(2 ln(1/δ′)·S),  B + √(2 ln(e + √S/δ′)·S) },  B = Σ Kᵢεᵢ tanh(εᵢ/2), S = Σ Kᵢεᵢ²,  at  δ = 1 − (1−δ′)·Π(1−δᵢ)^Kᵢ",
	Looseness: "The mean loss is exact; what remains is the concentration inequality for its spread.",
	Adaptive:  Adaptive{AdaptiveNotProven, "only the form with √(2 ln(1/δ′)·Σε²) is", "Use the zCDP filter, which costs less."},
	CiteKey:   "KairouzOV15",
	evaluate:  func(_ context.Context, l *preparedStack) Bound { return evaluateSplit(l, kov) },
	steps:     kovSteps,
}

// kov is the closed form of Kairouz, Oh and Viswanath. It splits −ln(1−δ), because independent failures add
// up there.
var kov = splitForm{
	method: AdvancedKOV,
	budget: func(delta float64, c *entryCosts) (left float64) {
		return -math.Log1p(-math.Max(0, remainingDelta(delta, hazard(c.stated))))
	},
	split: func(left, share, n float64) (prime, each float64) {
		return -math.Expm1(-share * left), -math.Expm1(-(1 - share) * left / n)
	},
	mean: func(m moments) Quantity {
		return quantity("Σε·tanh(ε/2)", m.tanh, "mean loss").as(Intermediate)
	},
	epsilon: func(m moments, prime float64) (float64, string) {
		near, far := kovSpreads(m.squares, prime)
		second, third := m.tanh+near, m.tanh+far
		switch least := math.Min(m.sum, math.Min(second, third)); least {
		case m.sum:
			return least, "The least of the three terms is the plain sum."
		case second:
			return least, "The least of the three terms is the one with ln(1/δ′)."
		default:
			return least, "The least of the three terms is the one with ln(e + √Σε²/δ′)."
		}
	},
}

// kovSpreads returns two bounds on the distance from its mean that the total loss exceeds with probability at
// most δ′.
func kovSpreads(squares, prime float64) (near, far float64) {
	root := math.Sqrt(squares)
	return math.Sqrt(-2*special.Log(prime)) * root, root * math.Sqrt(2*special.Log(math.E+root/prime))
}

func kovSteps(_ Bound, in inputs) ([]string, float64) {
	sum, mean := in["Σε"], in["Σε·tanh(ε/2)"]
	near, far := kovSpreads(in["Σε²"], in["δ′"])
	least := math.Min(sum, math.Min(mean+near, mean+far))
	return []string{
		fmt.Sprintf("Σε = %s", numeral.Upper(sum)),
		"Σε·tanh(ε/2) + √(2 ln(1/δ′)·Σε²) = " + numeral.Sum(mean+near, mean, near),
		"Σε·tanh(ε/2) + √(2Σε²·ln(e + √(Σε²)/δ′)) = " + numeral.Sum(mean+far, mean, far),
		fmt.Sprintf("ε = the smallest = %s", numeral.Upper(least)),
	}, least
}

// splitForm is a closed form that uses a part δ′ of δ itself; the rest covers the δ's of the releases.
type splitForm struct {
	method Method
	// budget returns the δ left after the stated ones, in the form's own measure.
	budget func(delta float64, c *entryCosts) (left float64)
	// split gives δ′ and the δ of each of n releases that have only a profile.
	split func(left, share, n float64) (prime, each float64)
	// epsilon is the form itself, with a remark on which of its terms won.
	epsilon func(m moments, prime float64) (float64, string)
	// mean is its term for the mean loss.
	mean func(m moments) Quantity
}

// evaluateSplit evaluates a splitForm. If every release states an (ε, δ), δ′ is all that they leave of δ; if
// some have only a profile, the share of δ′ is searched for the least ε.
func evaluateSplit(l *preparedStack, f splitForm) Bound {
	c := l.entryCosts()
	met := Condition{"every release has an (ε, δ) or a profile", c.err == nil}
	if c.err != nil {
		return refuse(f.method, c.err.Error(), met)
	}
	positive := Condition{"δ′ > 0", false}
	if l.target.Delta == 0 {
		return refuse(f.method, "it needs a δ′ above 0, and the total δ is 0", met, positive)
	}
	_, stated := c.sums()
	left := f.budget(l.target.Delta, c)
	if !(left > 0) {
		taken, total := numeral.FormatDistinct(stated, l.target.Delta)
		return vacuous(fmt.Sprintf("the stated δ's add up to %s and leave nothing of the total δ of %s for δ′", taken, total), met, positive)
	}
	positive.Holds = true
	n := c.profileOnlyCount()
	share := 1.0
	if n > 0 {
		share = bestShare(c, f, left, n)
	}
	prime, each := f.split(left, share, math.Max(1, n))
	m := momentsAt(c, each)
	epsilon, term := f.epsilon(m, prime)
	b := Bound{Status: Valid, Epsilon: epsilon, Delta: l.target.Delta, Conditions: []Condition{met, positive},
		Inputs: []Quantity{
			quantity("K", l.total(), "releases"),
			quantity("δ′", prime, "what the theorem keeps of δ"),
			quantity("Σδ", stated, "sum of the stated δ"),
			quantity("Σε", m.sum, "sum of ε over all releases").as(Cost),
			quantity("Σε²", m.squares, "sum of ε² over all releases").as(Intermediate),
			f.mean(m),
		}}
	if b.Note = term; epsilon == m.sum {
		b.By = Basic
	}
	if n > 0 {
		b.Inputs = append(b.Inputs, quantity("δᵢ", each, "share of δ for each release with only a profile"))
		b.Note = join(fmt.Sprintf("δ is split where ε is least: δ′ = %s, and %s for %s.",
			proseUp(prime), proseUp(each), openReleases(n)), term)
	} else if stated > 0 {
		b.Note = join(fmt.Sprintf("The stated δ's take %s of δ and leave δ′ = %s.", proseUp(stated), proseUp(prime)), term)
	}
	return b
}

// momentsAt returns the sums over all releases, with each release that has only a profile taken at δ = each.
func momentsAt(c *entryCosts, each float64) (m moments) {
	for _, s := range c.stated {
		m.add(s.epsilon, s.count)
	}
	for i, e := range c.profileOnly {
		m.add(c.profiles[i].epsilonAt(e.Release, special.Log(each)), e.Count)
	}
	return m
}

// bestShare searches for the best share of δ′ in δ, on a logit scale. Any share is valid, so the search is
// shorter for long stacks, to stay linear in their length.
func bestShare(c *entryCosts, f splitForm, left, n float64) float64 {
	points := max(5, min(17, 2000/len(c.profileOnly)))
	if c.hasNestedSearch() {
		points = 7
	}
	try := func(u float64) float64 {
		prime, each := f.split(left, 1/(1+math.Exp(-u)), n)
		epsilon, _ := f.epsilon(momentsAt(c, each), prime)
		return epsilon
	}
	if len(c.profileOnly) <= 100 && !c.hasNestedSearch() {
		return 1 / (1 + math.Exp(-special.Minimise(try, -12, 12, points).At))
	}
	at, least := 0.0, math.Inf(1)
	for i := range points {
		u := -4 + 8*float64(i)/float64(points-1)
		if y := try(u); y < least {
			at, least = u, y
		}
	}
	return 1 / (1 + math.Exp(-at))
}

// hasNestedSearch reports whether the ε of a release that has only a profile is itself found by a search over
// orders, so that a search around it would take minutes.
func (c *entryCosts) hasNestedSearch() bool {
	for _, e := range c.profileOnly {
		if _, ok := e.Release.(inverse); ok {
			return true
		}
	}
	return false
}
