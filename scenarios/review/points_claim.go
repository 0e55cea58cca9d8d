package review

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

// The point about the claim itself: what is proven, what is refuted, and what the claim's words say.

// upperEnd returns the smallest proven ε at the claim's δ; +Inf if there is none.
func (f *referee) upperEnd() float64 {
	least := math.Inf(1)
	for _, b := range f.result.Bounds {
		if b.Status == accounting.Valid {
			least = math.Min(least, b.Epsilon)
		}
	}
	return least
}

// lowerEnd returns the certified lower end at the claim's δ: 0 if there is none, +Inf if no finite ε exists.
func (f *referee) lowerEnd() float64 {
	n, ok := f.result.Bound(accounting.Numerical)
	switch {
	case f.claim.Delta == 0 && math.IsInf(f.upperEnd(), 1) && f.own.Releases():
		return math.Inf(1) // basic composition covers every stack that has a pure ε
	case !ok:
		return 0
	case n.Status == accounting.Vacuous:
		return math.Inf(1)
	case n.Status == accounting.Valid:
		return n.Lower
	}
	return 0
}

// claimUnit returns half a unit in the last digit of the claim, at most a twentieth of it: what a rounded claim may
// hide.
func claimUnit(claim float64) float64 {
	text := strconv.FormatFloat(claim, 'f', -1, 64)
	_, decimals, _ := strings.Cut(text, ".")
	return math.Min(0.5*math.Pow(10, -float64(len(decimals))), claim/20)
}

// roundsToClaim reports whether the certified lower end is above the claim and rounds to it.
func (f *referee) roundsToClaim() bool {
	l, claimed := f.lowerEnd(), f.claim.Epsilon
	return f.claim.Harm.Kind() == "" && l > accounting.BudgetLimit(claimed) && l <= claimed+claimUnit(claimed)
}

func (f *referee) claimPoint(context.Context) ([]Point, error) {
	p := &Point{Name: scenarios.PointClaim, Field: "claim.epsilon", Stated: f.claimQuote()}
	c, upper, lower := f.claim, f.upperEnd(), f.lowerEnd()
	switch {
	case !f.own.Releases():
		p.Sign, p.Says, p.Text = Ask, "nothing is released", "The stack has 0 enabled entries: nothing is released, so there is nothing to claim."
	case !c.IsSet():
		p.Sign, p.Says = Ask, "no claim and no budget"
		p.Text = "The file claims nothing and has no budget. What is proven is " + f.provenWords(upper) + "."
		p.Answers = []string{"claim: {epsilon: 1, delta: 1e-6}"}
	case c.Harm.Kind() != "":
		f.judgeHarm(p)
	case upper <= accounting.BudgetLimit(c.Epsilon) && f.wordsPromiseMore(p):
		p.Sign, p.Field = Ask, "claim.text"
		p.Text += fmt.Sprintf(" The file claims %s. Which of the two is claimed? Proven is %s.", c, f.provenWords(upper))
	case upper <= accounting.BudgetLimit(c.Epsilon):
		p.Sign, p.Says = OK, shownWithin(upper, c.Epsilon)+" ≤ "+numeral.Format(c.Epsilon)
		p.Text = fmt.Sprintf("Claimed is %s; proven is %s.", c, f.provenWords(upper))
	case math.IsInf(lower, 1):
		p.Sign, p.Says = Wrong, "no finite ε at δ = "+numeral.Format(c.Delta)
		p.Text = fmt.Sprintf("Claimed is %s. At that δ no finite ε exists. %s", c, f.whyInfinite())
	case f.roundsToClaim():
		write := numeral.Format(roundUpLike(upper, c.Epsilon))
		p.Sign, p.Says = Ask, "at least "+numeral.Lower(lower)+" > "+numeral.Format(c.Epsilon)
		p.Text = fmt.Sprintf("Claimed is %s, which is rounded down: ε is at least %s and at most %s. Write %s.", c, numeral.Lower(lower), numeral.Upper(upper), write)
		p.Answers = []string{"claim: {epsilon: " + write + ", delta: " + numeral.Format(c.Delta) + "}"}
	case lower > accounting.BudgetLimit(c.Epsilon):
		p.Sign, p.Says = Wrong, "at least "+numeral.Lower(lower)+" > "+numeral.Format(c.Epsilon)
		p.Text = fmt.Sprintf("Claimed is %s, and ε is certainly larger: at least %s%s.", c, numeral.Lower(lower), atMost(upper))
	default:
		p.Sign, p.Says = Ask, "claimed "+numeral.Format(c.Epsilon)+", proven "+numeral.Upper(upper)
		refuted := "no attack is known from which a lower end would follow"
		if lower > 0 {
			refuted = "the certified lower end is " + numeral.Lower(lower)
		}
		p.Text = fmt.Sprintf("Claimed is %s. No theorem proves it: the least proven ε is %s. Nothing refutes it: %s.", c, numeral.Upper(upper), refuted)
	}
	return []Point{*p}, nil
}

// wordsPromiseMore reports whether the words of the claim promise more than its numbers, or a number that is not
// understood, and says so in the point.
func (f *referee) wordsPromiseMore(p *Point) bool {
	c, said := f.claim, readClaim(f.claim.Text)
	epsilon, lessEpsilon := leastOther(said.epsilons, c.Epsilon)
	delta, lessDelta := leastOther(said.deltas, c.Delta)
	says := func(what string) { p.Says = "the text says " + what }
	text := "The words of the claim, “" + plain(c.Text) + "”, "
	instead := Claim{Epsilon: c.Epsilon, Delta: c.Delta}
	switch {
	case lessEpsilon:
		says("ε = " + numeral.Format(epsilon))
		p.Text = text + "say ε = " + numeral.Format(epsilon) + "."
		instead.Epsilon = epsilon
	case lessDelta:
		says("δ = " + numeral.Format(delta))
		p.Text = text + "say δ = " + numeral.Format(delta) + "."
		instead.Delta = delta
	case f.isBelowProven(p, "ρ", said.rhos, accounting.Release.Concentrated),
		f.isBelowProven(p, "μ", said.mus, accounting.Release.Gaussian):
		p.Text = text + p.Text
	case said.unread != "":
		says("“" + said.unread + "”")
		p.Text = text + "say “" + said.unread + "”, and that number is not understood."
	default:
		return false
	}
	p.Answers = []string{fmt.Sprintf("claim: {epsilon: %s, delta: %s, text: …}", numeral.Format(instead.Epsilon),
		numeral.Format(instead.Delta))}
	return true
}

// isBelowProven reports whether the words promise a parameter of another notion, ρ of zCDP or μ of Gaussian DP, that is
// not proven, and says so in the point. Several values that include the proven one promise no less.
func (f *referee) isBelowProven(p *Point, name string, said []float64,
	parameter func(accounting.Release) (float64, error)) bool {
	if len(said) == 0 {
		return false
	}
	proven := math.Inf(1)
	if stack, err := scenarios.Stack(f.own); err == nil {
		if x, err := parameter(accounting.Composite(stack)); err == nil {
			proven = x
		}
	}
	const rounded = 1e-9
	least := slices.Min(said)
	isSaid := slices.ContainsFunc(said, func(x float64) bool { return proven <= x*(1+rounded) && x <= 1.05*proven })
	if isSaid || proven <= least*(1+rounded) {
		return false
	}
	p.Says = "the text says " + name + " = " + numeral.Format(least)
	p.Text = "say " + name + " = " + numeral.Format(least) + "; "
	if math.IsInf(proven, 1) {
		p.Text += "no " + name + " of these releases is known."
	} else {
		p.Text += "proven is " + name + " ≤ " + numeral.Upper(proven) + "."
	}
	return true
}

// shownWithin writes an upper end that is within a limit; if rounding up would show more than the limit, the limit
// itself.
func shownWithin(upper, limit float64) string {
	text := numeral.Upper(upper)
	if x, err := numeral.Parse(text); err == nil && x > limit {
		return numeral.Format(limit)
	}
	return text
}

// claimQuote returns whose claim it is, in which words.
func (f *referee) claimQuote() string {
	var parts []string
	if text := plain(f.claim.Text); text != "" {
		parts = append(parts, "“"+text+"” (claim.text)")
	}
	if by := plain(f.claim.By); by != "" {
		parts = append(parts, by+" (claim.by)")
	}
	return strings.Join(parts, ", ")
}

// theoremPhrase returns a theorem after "by", by the name that tables have.
func theoremPhrase(m accounting.Method) string {
	if m == accounting.Numerical {
		return "the numerical accountant"
	}
	return m.Name() + " composition"
}

func atMost(upper float64) string {
	if math.IsInf(upper, 1) {
		return ""
	}
	return ", at most " + numeral.Upper(upper)
}

// roundUpLike rounds x up to the digits that the claim has.
func roundUpLike(x, claim float64) float64 {
	_, decimals, _ := strings.Cut(strconv.FormatFloat(claim, 'f', -1, 64), ".")
	unit := math.Pow(10, float64(max(2, len(decimals))))
	return math.Ceil(x*unit*(1-1e-12)) / unit
}

// provenWords returns what is proven at the claim's δ.
func (f *referee) provenWords(upper float64) string {
	if math.IsInf(upper, 1) {
		return "nothing: no theorem gives a finite ε"
	}
	b := f.result.BestBound()
	text := fmt.Sprintf("ε ≤ %s at δ = %s by %s", numeral.Upper(upper), numeral.Format(b.Delta), theoremPhrase(b.Method))
	if l := f.lowerEnd(); l > 0 {
		text += ", and ε ≥ " + numeral.Lower(l)
	}
	return text
}

// whyInfinite returns why the numerical accountant finds no finite ε.
func (f *referee) whyInfinite() string {
	if f.claim.Delta == 0 {
		b, _ := f.result.Bound(accounting.Basic)
		return b.Note
	}
	if n, ok := f.result.Bound(accounting.Numerical); ok && n.Note != "" {
		return n.Note
	}
	return "the releases need a larger δ."
}

// judgeHarm judges a claim about a harm, in its own unit.
func (f *referee) judgeHarm(p *Point) {
	h, limit := f.result.Harm, f.claim.Harm.Limit()
	upper, lower := 1.0, 0.0
	if h != nil {
		upper, lower = h.LeastUpper(f.result.Bounds), h.Certified.Lower
	}
	what := f.claim.Harm.Words()
	p.Says = numeral.Upper(upper) + " against " + numeral.Format(limit)
	p.Text = fmt.Sprintf("Claimed is that %s is at most %s; certified is a value between %s and %s.", what, numeral.Format(limit), numeral.Lower(lower), numeral.Upper(upper))
	switch {
	case upper <= limit:
		p.Sign = OK
	case lower > limit:
		p.Sign = Wrong
	default:
		p.Sign = Ask
	}
}
