package accounting

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/renyi"
	"epsiloscope/accounting/special"
)

// RDP is Rényi differential privacy at its best order; RDPPinned is at an order the user
// has chosen, RDPClassic by the classic conversion.
const (
	RDP        Method = "rdp"
	RDPPinned  Method = "rdp-pinned"
	RDPClassic Method = "rdp-classic"
)

// The curves add up at every order, also adaptively. α runs over all reals above 1, and
// α = ∞ is a candidate: for pure stacks it is the plain sum.
var rdpTheorem = Theorem{
	Method:    RDP,
	Label:     "RDP",
	Title:     "Rényi differential privacy, tight conversion",
	Authors:   "Mironov; Canonne, Kamath, Steinke",
	Year:      2020,
	Source:    "Mironov 2017 (CSF), Proposition 1; Canonne, Kamath & Steinke 2020 (NeurIPS), Proposition 12",
	Formula:   "ε = min over α > 1 of  r(α) + ln((α−1)/α) − (ln δ + ln α)/(α−1),   r(α) = Σ Kᵢ·Dα,ᵢ",
	Looseness: "One order α stands for the whole loss distribution: a moment bound on its tail.",
	Adaptive:  Adaptive{AdaptiveNotValid, "the true δ can be 1.80 times as large", "The Rényi order is chosen afterwards: fix it in advance, or use the mixture filter."},
	CiteKey:   "CanonneKS20",
	Slips: []string{
		"There is no upper limit on the order's divergence or on ρ; slides that ask for 0 ≤ ρ ≤ 1 add a condition the definition lacks.",
		"The divergence is (1/(α−1))·ln E[e^((α−1)L)] with L the logarithm of the ratio; slides sometimes print the ratio itself.",
	},
	AtOrder:  true,
	evaluate: func(_ context.Context, l *preparedStack) Bound { return evaluateRenyi(l, RDP, renyiToEpsilonLog) },
	steps:    renyiSteps,
}

var rdpPinnedTheorem = Theorem{
	Method:    RDPPinned,
	Label:     "RDP pinned",
	Title:     "Rényi differential privacy at a pinned order",
	Authors:   rdpTheorem.Authors,
	Year:      rdpTheorem.Year,
	Source:    rdpTheorem.Source,
	Formula:   "ε = r(α) + ln((α−1)/α) − (ln δ + ln α)/(α−1)   at the given α",
	Looseness: "As for RDP, and what the pinned order loses against the best one.",
	Adaptive:  Adaptive{AdaptiveValidIf, "the Rényi order was fixed in advance: it is the Rényi filter", ""},
	CiteKey:   rdpTheorem.CiteKey,
	AtOrder:   true,
	evaluate: func(_ context.Context, l *preparedStack) Bound {
		return evaluateRenyi(l, RDPPinned, renyiToEpsilonLog)
	},
	steps: renyiSteps,
}

var rdpClassicTheorem = Theorem{
	Method:    RDPClassic,
	Label:     "RDP classic",
	FormOf:    RDP,
	Title:     "Rényi differential privacy, classic conversion",
	Authors:   "Mironov",
	Year:      2017,
	Source:    "Rényi Differential Privacy (CSF 2017), Propositions 1 and 3",
	Formula:   "ε = min over α > 1 of  r(α) + ln(1/δ)/(α−1),   r(α) = Σ Kᵢ·Dα,ᵢ",
	Looseness: "As for RDP; the conversion drops a term that the tight one keeps.",
	Adaptive:  Adaptive{AdaptiveNotProven, "the Rényi order is chosen afterwards", "Fix the Rényi order in advance, or use the mixture filter."},
	CiteKey:   "Mironov17",
	AtOrder:   true,
	evaluate: func(_ context.Context, l *preparedStack) Bound {
		return evaluateRenyi(l, RDPClassic, renyiToEpsilonClassicLog)
	},
	steps: renyiSteps,
}

func renyiSteps(b Bound, in inputs) ([]string, float64) {
	alpha, r, logDelta := in["α"], in["r(α)"], special.Log(in["δ"])
	if math.IsInf(alpha, 1) {
		return []string{fmt.Sprintf("ε = r(∞) = %s", numeral.Upper(r))}, r
	}
	steps := bestRunSteps(b)
	if b.Method != RDPClassic {
		conversion, epsilon := conversionSteps("r(α)", alpha, r, logDelta)
		return append(steps, conversion...), epsilon
	}
	tail := -logDelta / (alpha - 1)
	return append(steps,
		fmt.Sprintf("ln(1/δ)/(α−1) = %s/%s = %s", numeral.Nearest(-logDelta), numeral.Nearest(alpha-1), numeral.Nearest(tail)),
		"ε = r(α) + ln(1/δ)/(α−1) = "+numeral.Sum(r+tail, r, tail),
	), r + tail
}

// conversionSteps returns the tight conversion of a Rényi divergence with its numbers put in, and the ε.
func conversionSteps(name string, alpha, r, logDelta float64) (lines []string, epsilon float64) {
	order := orderOf(alpha)
	first, second, sum := order.term, order.failure(logDelta), order.epsilon(r, logDelta)
	return []string{
		"ln((α−1)/α) = " + numeral.Nearest(first),
		fmt.Sprintf("−(ln δ + ln α)/(α−1) = −(%s + %s)/%s = %s", numeral.Nearest(logDelta), numeral.Nearest(special.Log(alpha)),
			numeral.Nearest(alpha-1), numeral.Nearest(second)),
		fmt.Sprintf("ε = %s + ln((α−1)/α) − (ln δ + ln α)/(α−1) = %s", name, numeral.Sum(sum, r, first, second)),
	}, sum
}

// hasStatedPoints reports whether a release is made from one whose Rényi curve is stated at some orders, and is a step
// between them.
func hasStatedPoints(r Release) bool { return strings.Contains(KeyOf(r), renyiPointsKey+"(") }

// hasCorners reports whether the Rényi curve of a release has corners: one that is stated at some orders, and that of
// the best of several runs.
func hasCorners(r Release) bool {
	return hasStatedPoints(r) || strings.Contains(KeyOf(r), bestOfKey+"(")
}

// isGroupOfBestRuns reports whether a release is the generic group bound of the best of several runs. The triangle
// inequality adds two orders of a curve that is flat up to one order and rises from there, so that the sum has narrow
// valleys.
func isGroupOfBestRuns(r Release) bool {
	g, ok := unwrapAs[group](r)
	if !ok {
		return false
	}
	_, ok = unwrapAs[*bestOf](g.inner)
	return ok
}

func evaluateRenyi(l *preparedStack, m Method, convert func(alpha, r, logDelta float64) float64) Bound {
	run, carried, err := l.rdpView()
	has := Condition{"every release has a Rényi curve, or an (ε, δ) whose δ is carried beside", err == nil}
	if err != nil {
		return refuse(m, err.Error(), has)
	}
	curve := curveOf(run)
	left, b, ok := deductStatedDelta(l, carried, has)
	if !ok {
		return b
	}
	logDelta := special.Log(left)
	alpha, epsilon, edge := math.Inf(1), curve(math.Inf(1)), false
	switch {
	case m == RDPPinned:
		alpha = l.target.Alpha
		epsilon = convert(alpha, curve(alpha), logDelta)
	case left > 0:
		search := renyi.LeastOrder
		if slices.ContainsFunc(l.entries, func(e Entry) bool {
			return hasStatedPoints(e.Release) || isGroupOfBestRuns(e.Release)
		}) {
			search = renyi.LeastOrderOfSteps
		}
		at, least, end := search(curve, func(alpha, r float64) float64 { return convert(alpha, r, logDelta) }, epsilon)
		if m == RDP && slices.ContainsFunc(l.entries, func(e Entry) bool { return hasCorners(e.Release) }) {
			// At one order the tight conversion is never above the classic one, whose search may end nearer to a
			// corner.
			classic, _, onEdge := search(curve, func(alpha, r float64) float64 {
				return renyiToEpsilonClassicLog(alpha, r, logDelta)
			}, epsilon)
			if value := convert(classic, curve(classic), logDelta); value < least {
				at, least, end = classic, value, onEdge
			}
		}
		if least < epsilon {
			alpha, epsilon, edge = at, least, end
		}
	case math.IsInf(epsilon, 1):
		return refuse(m, "with δ = 0 only the order α = ∞ counts, and not every release has a pure ε",
			append(b.Conditions, Condition{"δ > 0, or α = ∞", false})...)
	}
	b.Conditions = append(b.Conditions, Condition{"δ > 0, or α = ∞", true})
	b.Status, b.Epsilon, b.Delta, b.Alpha = Valid, epsilon, l.target.Delta, alpha
	if math.IsInf(alpha, 1) {
		b.By = Basic // the plain sum
		if len(carried) == 0 {
			b.Delta = 0 // pure: no δ was used
		}
	}
	b.Inputs = append([]Quantity{
		quantity("K", l.total(), "releases"),
		quantity("α", alpha, "Rényi order").as(Intermediate),
		quantity("r(α)", curve(alpha), "Rényi divergence of the whole stack at that order").as(Intermediate),
		quantity("δ", left, "what the conversion may use"),
	}, bestRuns(run.entries, alpha)...)
	pinned := m == RDPPinned
	switch {
	case pinned && math.IsInf(epsilon, 1):
		b.Note = join(b.Note, fmt.Sprintf("At α = %s there is no finite bound.", prose(alpha)))
	case math.IsInf(epsilon, 1):
		b.Status = Vacuous
		b.Note = join(b.Note, "No order gives a finite bound.")
	case edge:
		b.Note = join(b.Note, fmt.Sprintf("The best order α = %s lies at the edge of the searched range.", prose(alpha)))
	case math.IsInf(alpha, 1) && epsilon > 0 && !pinned:
		b.Note = join(b.Note, "The best order is α = ∞, where the bound is the sum of the pure ε.")
	}
	return b
}
