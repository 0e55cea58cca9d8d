package review

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

// item is an entry with its place.
type item struct {
	index int    // of the entry of the stack that it is, or is in, from 1
	path  string // as --set has it: "2", "4.1.2"
	e     *scenarios.Entry
}

// itemsOf lists the entries of a stack that are enabled, those in branches included, and those that are not.
func itemsOf(s *scenarios.Scenario) (enabled, disabled []item) {
	var walk func(prefix string, index int, stack []scenarios.Entry)
	walk = func(prefix string, index int, stack []scenarios.Entry) {
		for i := range stack {
			e, at := &stack[i], index
			if at == 0 {
				at = i + 1
			}
			path := prefix + strconv.Itoa(i+1)
			if e.Disabled {
				disabled = append(disabled, item{at, path, e})
				continue
			}
			enabled = append(enabled, item{at, path, e})
			for j, branch := range e.Parallel {
				walk(fmt.Sprintf("%s.%d.", path, j+1), at, branch)
			}
		}
	}
	walk("", 0, s.Stack)
	return enabled, disabled
}

// name returns the entry as a sentence names it: entry 2 (“counts by district”).
func (it item) name() string {
	text := "entry " + it.path
	if label := plain(it.e.Label); label != "" {
		text += " (“" + label + "”)"
	}
	return text
}

// plain returns a text of the file on one line, without control characters.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, text)), " ")
}

// namesOf lists entries in a sentence, three of them at most.
func namesOf(items []item) string {
	var names []string
	for i, it := range items {
		if i == 3 && len(items) > 4 {
			return strings.Join(names, "; ") + fmt.Sprintf("; and %d more", len(items)-i)
		}
		names = append(names, it.name())
	}
	return strings.Join(names, "; ")
}

// indicesOf returns the numbers of the entries, each once.
func indicesOf(items []item) (list []int) {
	for _, it := range items {
		if !slices.Contains(list, it.index) {
			list = append(list, it.index)
		}
	}
	return list
}

// problemOf returns what is wrong, without the file's name and place.
func problemOf(err error) string {
	if list, ok := errors.AsType[scenarios.Errors](err); ok && len(list) > 0 {
		return list[0].Field + ": " + list[0].Problem
	}
	if one, ok := errors.AsType[scenarios.FieldError](err); ok {
		return one.Field + ": " + one.Problem
	}
	return err.Error()
}

// makers make the points, in the order in which they are listed. Each returns nothing if the point is not about the
// scenario.
var makers = []func(*referee, context.Context) ([]Point, error){
	(*referee).claimPoint,
	(*referee).meaningPoint,
	simple((*referee).unitPoint),
	simple((*referee).contributionsPoint),
	simple((*referee).adjacencyPoint),
	simple((*referee).deltaPoint),
	simple((*referee).entryDeltaPoint),
	simple((*referee).sensitivityPoint),
	simple((*referee).groupsPoint),
	simple((*referee).branchesPoint),
	simple((*referee).boundsPoint),
	simple((*referee).batchesPoint),
	simple((*referee).reportsPoint),
	simple((*referee).periodPoint),
	simple((*referee).tuningPoint),
	simple((*referee).adaptivePoint),
	simple((*referee).unprotectedPoint),
	simple((*referee).othersPoint),
	simple((*referee).approximationPoint),
	simple((*referee).exposurePoint),
	(*referee).expectedPoint,
}

// simple wraps a point that needs no computing of its own.
func simple(make func(*referee) *Point) func(*referee, context.Context) ([]Point, error) {
	return func(f *referee, _ context.Context) ([]Point, error) {
		if p := make(f); p != nil {
			return []Point{*p}, nil
		}
		return nil, nil
	}
}

// points makes all points of the review.
func (f *referee) points(ctx context.Context) ([]Point, error) {
	var list []Point
	for _, make := range makers {
		found, err := make(f, ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return f.addAnswers(list), nil
}

// askInWords ends a question that its sentences do not ask with the question itself, so that it can be mailed as it is.
func askInWords(list []Point) {
	for i := range list {
		p := &list[i]
		rule, _ := scenarios.AnswerRuleOf(p.Name)
		if p.Sign == Ask && rule.Question != "" && !strings.Contains(p.Text, "?") {
			p.Text += " " + rule.Question
		}
	}
}

// openIfDenied are the points that the author's answer opens again, though a field settles them: both cannot be true.
var openIfDenied = []scenarios.ReviewPoint{
	scenarios.PointAdjacency, scenarios.PointDelta, scenarios.PointSensitivity, scenarios.PointBatches,
}

// addAnswers lets no answer of the author go unheard: one about which no point speaks becomes a point, and one that
// denies what a field says opens its point again.
func (f *referee) addAnswers(list []Point) []Point {
	for _, rule := range scenarios.AnswerRules() {
		answer := f.own.Answer(rule.Point)
		if answer == "" {
			continue
		}
		i := slices.IndexFunc(list, func(p Point) bool { return p.Name == rule.Point })
		if i < 0 {
			p := &Point{Name: rule.Point, Sign: Ask, Text: "Nothing in the stack is about that, so nothing of it is priced."}
			list = append(list, *f.settle(p))
			continue
		}
		denied := slices.Contains(rule.Opens, scenarios.FirstWord(answer))
		if p := &list[i]; denied && p.Sign == OK && slices.Contains(openIfDenied, p.Name) {
			p.Sign, p.Stated = Ask, ""
			f.settle(p)
		}
	}
	return list
}

// settle applies the author's answer to a question: the point becomes stated, or wrong if the answer says so.
func (f *referee) settle(p *Point) *Point {
	rule, _ := scenarios.AnswerRuleOf(p.Name)
	if p.Sign == Ask && p.Answers == nil && rule.Question != "" {
		for _, word := range slices.Concat(rule.Settles, rule.Opens) {
			p.Answers = append(p.Answers, fmt.Sprintf("answers: {%s: \"%s, …\"}", p.Name, word))
		}
	}
	if p.Field == "" {
		p.Field = "answers." + string(p.Name)
	}
	answer := plain(f.own.Answer(p.Name))
	if answer == "" || p.Sign != Ask {
		return p
	}
	quote := fmt.Sprintf("“%s” (answers.%s)", answer, p.Name)
	if slices.Contains(rule.Settles, scenarios.FirstWord(answer)) {
		p.Sign, p.Stated, p.Says = OK, quote, answer
		p.Text = rule.Question + " The author answers: " + quote + "."
		return p
	}
	p.Says = answer
	said := rule.Question + " The author answers: " + quote + ". "
	if fault, wrong := wrongIfAnswered[p.Name]; wrong {
		p.Sign, p.Text, p.Answers = Wrong, said+fault, nil // it is answered
		return p
	}
	p.Text = said + p.Text
	return p
}

// isSettled reports whether the author's answer settles a point.
func (f *referee) isSettled(p scenarios.ReviewPoint) bool {
	rule, _ := scenarios.AnswerRuleOf(p)
	return slices.Contains(rule.Settles, scenarios.FirstWord(f.own.Answer(p)))
}

// wrongIfAnswered are the points that an answer shows to be wrong, each with what is wrong then.
var wrongIfAnswered = map[scenarios.ReviewPoint]string{
	scenarios.PointContributions:  "Priced is one record of a person only.",
	scenarios.PointSensitivity:    "Then one unit can move the answer further than Δ says, and that is not priced.",
	scenarios.PointGroups:         "Then the list of groups gives people away, with whatever noise on the counts, and no partition-selection is in the stack.",
	scenarios.PointBranches:       "Priced is one branch per person.",
	scenarios.PointBoundsFromData: "Looking a bound up in the data is a release of its own, and that is not priced.",
	scenarios.PointBatches:        "Priced are batches that are drawn another way.",
	scenarios.PointTuning:         "Each run costs, also one that was thrown away; priced is one.",
}

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
		p.Sign, p.Says = Ask, numeral.Lower(lower)+" > "+numeral.Format(c.Epsilon)
		p.Text = fmt.Sprintf("Claimed is %s, which is rounded down: ε is at least %s and at most %s. Write %s.", c, numeral.Lower(lower), numeral.Upper(upper), write)
		p.Answers = []string{"claim: {epsilon: " + write + ", delta: " + numeral.Format(c.Delta) + "}"}
	case lower > accounting.BudgetLimit(c.Epsilon):
		p.Sign, p.Says = Wrong, numeral.Lower(lower)+" > "+numeral.Format(c.Epsilon)
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

// longestNoun is the longest unit that a line names; a longer one is called a unit.
const longestNoun = 24

// unitNoun returns the unit as a noun: "visitor" of "one visitor, all visits". A time that belongs to it stays: "user,
// 6 hours".
func unitNoun(unit string) string {
	noun := plain(unit)
	first, rest, more := strings.Cut(noun, " ")
	if more && slices.Contains([]string{"one", "a", "an", "each", "every", "any"}, strings.ToLower(first)) {
		noun = rest
	}
	if _, timed := scenarios.WindowOf(noun); !timed {
		for _, aside := range []string{",", " with ", " ("} {
			noun, _, _ = strings.Cut(noun, aside)
		}
	}
	if noun = strings.TrimSpace(noun); noun == "" || utf8.RuneCountInString(noun) > longestNoun {
		return "unit"
	}
	return noun
}

// oneUnit returns one of the units: "one person".
func oneUnit(unit string) string { return "one " + unitNoun(unit) }

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
