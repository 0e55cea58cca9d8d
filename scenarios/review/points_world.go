package review

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios"
)

// Points about what is around the stack: time, access, other releases; and about the answer itself.

func (f *referee) periodPoint() *Point {
	w, short := scenarios.WindowOf(f.own.Unit)
	many := f.own.Deployment.Releases == "many" || f.own.Deployment.Data == "dynamic"
	p := &Point{Name: scenarios.PointPeriod, Sign: OK, Field: "unit"}
	unit := plain(f.own.Unit)
	switch {
	case short && w.PerYear > 1 && many && f.own.Rounds >= w.PerYear:
		p.Says = "a year of " + numeral.Format(f.own.Rounds) + " rounds"
		p.Text = fmt.Sprintf("The unit, “%s”, covers %s. Priced is a person who is in all %s rounds: with one round per %s that is a whole year.",
			unit, w.Words(), numeral.Format(f.own.Rounds), w.Span())
		return p
	case short && w.PerYear > 1 && (many || f.claimsAllTime(w)):
		years := math.Ceil(w.PerYear)
		p.Sign, p.Says = Ask, "the unit covers "+w.Words()
		why := "deployment says that releases go on"
		if f.claimsAllTime(w) {
			why = fmt.Sprintf("the claim speaks of people and of no time: “%s”", plain(f.claim.Text))
		}
		p.Text = fmt.Sprintf("The unit, “%s”, covers %s only, and %s. A person who is in the data all year has %s such units. Is %s all that anybody is promised?",
			unit, w.Words(), why, numeral.Format(years), w.Words())
		p.Other = newOther(
			numeral.Plural(int(f.own.Rounds), "round", "rounds"), fmt.Sprintf("one round per %s for a year", w.Span()),
			func(s *scenarios.Scenario) error {
				s.Rounds = years
				return nil
			})
	case !short && many && f.own.Rounds == 1 && kindOf(f.own.Unit) == unitSomebody:
		p.Sign, p.Field, p.Says = Ask, "rounds", "releases go on; one round is priced"
		p.Text = fmt.Sprintf("The unit, “%s”, covers all of time, and more releases may follow: deployment says “releases: %s, data: %s”. Are all of them in the stack?",
			unit, orNone(f.own.Deployment.Releases), orNone(f.own.Deployment.Data))
		p.Other = twoRounds()
	case !short && f.own.Rounds == 1 && f.saysItGoesOn(p):
	case f.own.Rounds > 1 || short:
		one := "one unit"
		if kindOf(unit) != unitMissing {
			one = oneUnit(unit)
		}
		p.Says = "all rounds fall on " + one
		p.Text = fmt.Sprintf("Priced is %s that is in all %s rounds.", one, numeral.Format(f.own.Rounds))
		if f.own.Rounds == 1 {
			p.Says = "one round"
			p.Text = fmt.Sprintf("The unit, “%s”, covers %s, and priced are the releases of 1 round.", unit, w.Words())
		}
		return p
	default:
		return nil
	}
	return f.settle(p)
}

// saysItGoesOn asks about rounds if the text says that releases are repeated, and reports whether it does.
func (f *referee) saysItGoesOn(p *Point) bool {
	words, raised := f.findWords(p.Name, func(it item) bool { return it.e.Count > 1 || isLocal(it.e) })
	if !raised || slices.ContainsFunc(f.items, func(it item) bool { return it.e.Count > 1 }) {
		return false // the entries count the repetitions
	}
	p.Sign, p.Field, p.Says = Ask, "rounds", "“"+words.quote+"”; one round is priced"
	p.Text = fmt.Sprintf("The text says “%s” (%s), and priced is 1 round. Are all releases in the stack?", words.quote, words.field)
	p.Answers = []string{"rounds: 12", `answers: {period: "yes, …"}`}
	p.Other = twoRounds()
	return true
}

// twoRounds is the cost if everything is released twice.
func twoRounds() *Other {
	return newOther("1 round", "2 rounds", func(s *scenarios.Scenario) error {
		s.Rounds *= 2
		return nil
	})
}

// claimsAllTime reports whether the words of the claim speak of people, and not of the span of time that the unit
// covers.
func (f *referee) claimsAllTime(w scenarios.Window) bool {
	words := strings.Fields(w.Name)
	spans := []string{singular(words[len(words)-1]), "daily", "weekly", "monthly", "hourly"}
	return f.claimedFor() == unitSomebody && findPhrase(f.claim.Text, spans) == ""
}

func orNone(text string) string {
	if text == "" {
		return "not stated"
	}
	return text
}

func (f *referee) adaptivePoint() *Point {
	d := f.own.Deployment
	interactive := d.Access == "interactive" || d.Product == "interactive-api" || d.Product == "sql-queries"
	if !interactive && f.own.Answer(scenarios.PointAdaptive) == "" {
		return nil
	}
	best := f.result.BestBound()
	theorem, _ := accounting.TheoremOf(best.Method)
	p := &Point{Name: scenarios.PointAdaptive, Sign: OK, Says: theoremPhrase(best.Method) + " allows it", effect: raises}
	if theorem.Adaptive.Status == accounting.AdaptiveValid {
		p.Text = fmt.Sprintf("The bound, ε ≤ %s by %s, also holds if costs are chosen after earlier answers were seen.", f.shownEpsilon(), theoremPhrase(best.Method))
		return p
	}
	p.Sign, p.Says = Ask, "costs chosen on the way"
	p.Text = fmt.Sprintf("The bound, ε ≤ %s by %s, is not valid if questions and their costs are chosen after earlier answers were seen. A ledger refuses what would break the claim: keep one and quote what it promises.",
		f.shownEpsilon(), theoremPhrase(best.Method))
	if interactive {
		p.Says, p.Text = "interactive access and no ledger", "Questions are asked one after another (deployment says interactive). "+p.Text
	}
	least := math.Inf(1)
	for _, b := range f.result.Bounds {
		t, _ := accounting.TheoremOf(b.Method)
		if b.Status == accounting.Valid && t.Adaptive.Status == accounting.AdaptiveValid {
			least = math.Min(least, b.Epsilon)
		}
	}
	p.Other = &Other{Now: "costs fixed before", Answer: "costs chosen on the way", Epsilon: least, Before: f.upperEnd()}
	p.effect = breaks
	if least <= accounting.BudgetLimit(f.claim.Epsilon) {
		p.effect = harmless
	}
	p.Answers = []string{"epsiloscope ledger new …", `answers: {adaptive: "no, …"}`}
	return f.settle(p)
}

func (f *referee) unprotectedPoint() *Point {
	p := f.deploymentPoint(scenarios.PointUnprotected, "deployment.unprotected", f.own.Deployment.Unprotected,
		"Published exactly, without noise: %s.",
		"What is published exactly, without noise? The file describes a deployment (“%s”) and does not say.")
	words, raised := f.findWords(scenarios.PointUnprotected, nil)
	if p != nil || !raised {
		return p
	}
	p = &Point{Name: scenarios.PointUnprotected, Sign: Ask, Field: "deployment.unprotected", Says: "“" + words.quote + "”"}
	p.Text = fmt.Sprintf("The text says “%s” (%s). Whatever is published exactly, or made from exact figures, is protected by no ε.",
		words.quote, words.field)
	p.Answers = []string{"deployment: {unprotected: …}", `answers: {unprotected: "none, …"}`}
	return f.settle(p)
}

func (f *referee) othersPoint() *Point {
	p := f.deploymentPoint(scenarios.PointOtherReleases, "deployment.others", f.own.Deployment.Others,
		"Other releases from the same data: %s. Their costs add up.",
		"Which other releases use the same data? The file describes a deployment (“%s”) and does not say. Their costs add up.")
	quote, field := f.moreReleases()
	if p != nil || quote == "" {
		return p
	}
	p = &Point{Name: scenarios.PointOtherReleases, Sign: Ask, Says: "“" + quote + "”, and fewer are priced"}
	p.Text = fmt.Sprintf("The text says “%s” (%s), and the stack has fewer. Is something released that is not in it?", quote, field)
	p.Answers = []string{"count: … (in the entry)", `answers: {other-releases: "none, …"}`}
	return f.settle(p)
}

// deploymentPoint is a point that a field of the deployment answers. It is not about a scenario that describes none.
func (f *referee) deploymentPoint(name scenarios.ReviewPoint, field, text, stated, question string) *Point {
	d := f.own.Deployment
	if d == (scenarios.Deployment{}) && f.own.Answer(name) == "" {
		return nil
	}
	text = plain(text)
	p := &Point{Name: name, Sign: OK, Field: field, Says: text}
	if text != "" {
		p.Stated = fmt.Sprintf("“%s” (%s)", text, field)
		p.Text = fmt.Sprintf(stated, p.Stated)
		return p
	}
	whose := plain(d.Curator)
	if whose == "" {
		whose = plain(f.own.Name)
	}
	p.Sign, p.Says, p.Text = Ask, "not stated", fmt.Sprintf(question, orNone(whose))
	p.Answers = []string{strings.Replace(field, ".", ": {", 1) + ": none}"}
	return f.settle(p)
}

func (f *referee) approximationPoint() *Point {
	if !f.own.Releases() {
		return nil
	}
	p := &Point{Name: scenarios.PointApproximation, Sign: OK, Says: "the answer is a proof"}
	best := f.result.BestBound()
	p.Text = fmt.Sprintf("ε = %s is a proven bound, by %s, not an approximation.", f.shownEpsilon(), theoremPhrase(best.Method))
	if !best.Finite() {
		p.Says = "nothing is proven"
		p.Text = fmt.Sprintf("No theorem gives a finite ε at δ = %s, and no approximation takes its place.", numeral.Format(f.claim.Delta))
	}
	gdp, _ := f.result.Bound(accounting.GDP)
	limit := accounting.BudgetLimit(f.claim.Epsilon)
	if gdp.Status == accounting.Unproven && f.claim.Epsilon > 0 && gdp.Epsilon <= limit && f.upperEnd() > limit {
		p.Sign, p.Says = Wrong, "only the central limit fits"
		p.Text = fmt.Sprintf("Only the central-limit approximation, ε ≈ %s, is within %s, and that is not a bound; proven is %s.", numeral.Upper(gdp.Epsilon), numeral.Format(f.claim.Epsilon), f.shownEpsilon())
	}
	return p
}

// nearZero is the ε below which a stated (ε, δ) is about its δ.
const nearZero = 0.1

func (f *referee) exposurePoint() *Point {
	n := f.own.Records
	if n == 0 {
		n = 1000
	}
	var exposed []item
	headline := false
	delta := 0.0
	for _, it := range f.items {
		if it.e.Mechanism != "approximate" {
			continue
		}
		e, d := it.e.Values["epsilon"].Number, it.e.Values["delta"].Number
		if e <= nearZero && d >= 1/n {
			exposed = append(exposed, it)
			headline = headline || e == 0
			delta = math.Max(delta, d)
		}
	}
	if len(exposed) == 0 {
		return nil
	}
	p := &Point{Name: scenarios.PointExposure, Sign: Ask, Entries: indicesOf(exposed),
		Says: "δ = " + numeral.Format(delta) + " is the headline"}
	p.Text = fmt.Sprintf("δ = %s matters here, not ε: with that probability a person is exposed altogether, by %s.", numeral.Format(delta), namesOf(exposed))
	if headline {
		p.Sign = Wrong
		p.Text = fmt.Sprintf("ε = 0 must not be the headline, but δ = %s: with that probability a person is exposed altogether, by %s.", numeral.Format(delta), namesOf(exposed))
	}
	return f.settle(p)
}

func (f *referee) expectedPoint(ctx context.Context) ([]Point, error) {
	if len(f.own.Expect) == 0 {
		return nil, nil
	}
	p := Point{Name: scenarios.PointExpected, Sign: OK, Field: "expect", Says: numeral.Plural(len(f.own.Expect), "value", "values") + " reproduced"}
	p.Text = fmt.Sprintf("The file expects %s, all reproduced.", numeral.Plural(len(f.own.Expect), "value", "values"))
	known := f.result
	if known.Target.Delta != f.own.DeltaOfEpsilon() { // it is at the δ of the claim
		known = nil
	}
	wrong := scenarios.CheckExpectations(f.ev.Context(ctx), "", f.own, known)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch {
	case len(wrong) > 0 && f.opt.Changed:
		p.Sign, p.Says = Ask, "values from before the change"
		p.Text = "The scenario was changed since it was read, and the file expects a value that is not reproduced " +
			"now: " + wrong[0].Problem + ". Correct expect, or take it out, before the file is passed on."
	case len(wrong) > 0:
		p.Sign, p.Says, p.Text = Wrong, "another value", "The file expects a value that is not reproduced: "+wrong[0].Problem+"."
	}
	return []Point{p}, nil
}

// provenBounds lists what is proven at the claim's δ: every valid bound with its theorem, the least first.
func (f *referee) provenBounds() []string {
	bounds := slices.DeleteFunc(slices.Clone(f.result.Bounds), func(b accounting.Bound) bool {
		return b.Status != accounting.Valid
	})
	slices.SortStableFunc(bounds, func(a, b accounting.Bound) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
	var list []string
	for _, b := range bounds[:min(3, len(bounds))] {
		t, _ := accounting.TheoremOf(b.Method)
		text := fmt.Sprintf("ε ≤ %s at δ = %s: %s (%s)", numeral.Upper(b.Epsilon), numeral.Format(b.Delta), t.Title, t.Source)
		if b.Method == accounting.Numerical && b.Lower > 0 {
			text = fmt.Sprintf("%s ≤ ε ≤ %s at δ = %s: %s (%s)",
				numeral.Lower(b.Lower), numeral.Upper(b.Epsilon), numeral.Format(b.Delta), t.Title, t.Source)
		}
		list = append(list, text)
	}
	return list
}

// statements lists what the author says, quoted, with the field, and which entries are said not to be released.
func (f *referee) statements(points []Point) (list []string) {
	for _, p := range points {
		if p.Stated != "" {
			list = append(list, string(p.Name)+": "+p.Stated)
		}
	}
	for _, it := range f.disabled {
		list = append(list, it.name()+" is not released, and not priced: “disabled: true”")
	}
	return list
}
