package review

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/query"
	"epsiloscope/scenarios"
)

// Points about the data: whose they are, how many records somebody has, which data sets are neighbours, and δ.

// tellingAdvantage is the membership advantage from which on a claim is asked about: it allows nearly everybody to be
// recognised.
const tellingAdvantage = 0.9

// maxCertified is the longest stack whose advantage is certified from its profile; that of a longer one follows from
// (ε, δ).
const maxCertified = 200

func (f *referee) meaningPoint(ctx context.Context) ([]Point, error) {
	if !f.own.Releases() {
		return nil, nil
	}
	advantage := 1.0
	for _, b := range f.result.Bounds {
		advantage = math.Min(advantage, scenarios.HarmLimit{Advantage: 1}.HarmOf(b))
	}
	// A long stack takes too long to compose.
	if len(f.items) <= maxCertified && (f.whole || advantage >= tellingAdvantage) {
		advantage = math.Min(advantage, f.certifiedAdvantage(f.ev.Context(ctx)))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &Point{Name: scenarios.PointMeaning, Sign: OK, Says: "advantage at most " + numeral.Upper(advantage), effect: harmless}
	right := percent((1 + advantage) / 2)
	p.Text = fmt.Sprintf("Whoever guesses from the output whether a record is in the data, at even odds, is right at most %s of the time; a coin is right half of the time (membership advantage at most %s).",
		right, numeral.Upper(advantage))
	if advantage >= tellingAdvantage {
		p.Sign = Ask
		p.Text = fmt.Sprintf("Whoever guesses from the output whether a record is in the data, at even odds, may be right %s of the time (membership advantage up to %s): nearly everybody may be recognised.",
			right, numeral.Upper(advantage))
	}
	return []Point{*f.settle(p)}, nil
}

// profileSlack is the relative width that a profile may have at ε = 0; most are narrower.
const profileSlack = 1e-6

// certifiedAdvantage returns an upper end of the membership advantage, 1 if there is none. One point of the profile
// suffices if its sign is plain and it is written with the digits that other pages read off the whole profile.
func (f *referee) certifiedAdvantage(ctx context.Context) float64 {
	if ends, err := f.result.Advantage(ctx); err == nil {
		plain := ends.Upper < tellingAdvantage || ends.Upper > 1.01*tellingAdvantage
		if plain && (!f.whole || numeral.Upper(ends.Lower) == numeral.Upper(ends.Upper*(1+profileSlack))) {
			return ends.Upper
		}
	}
	if profile, err := f.result.Profile(ctx); err == nil {
		if ends, err := profile.Advantage(ctx); err == nil {
			return ends.Upper
		}
	}
	return 1
}

// percent writes a share in percent, rounded up.
func percent(x float64) string { return numeral.Upper(math.Min(100, 100*x)) + " %" }

func (f *referee) unitPoint() *Point {
	p := &Point{Name: scenarios.PointUnit, Sign: OK, Field: "unit", Says: plain(f.own.Unit)}
	if kindOf(f.own.Unit) == unitMissing {
		p.Sign, p.Answers = Ask, []string{"unit: person"}
		p.Says, p.Text = "none given", "The file gives no unit"
		if text := plain(f.own.Unit); text != "" {
			p.Says, p.Text = text, "The file says unit: “"+text+"”"
		}
		p.Text = fmt.Sprintf("Whose data is one record: a person's, a device's, a single visit? %s. ε = %s protects one such unit and nothing more.", p.Text, f.shownEpsilon())
		return p
	}
	p.Stated = fmt.Sprintf("“%s” (unit)", plain(f.own.Unit))
	p.Text = fmt.Sprintf("The file states unit: %s. ε protects the data of one such unit.", plain(f.own.Unit))
	return p
}

// shownEpsilon returns the proven ε for a sentence.
func (f *referee) shownEpsilon() string { return numeral.Upper(f.upperEnd()) }

func (f *referee) contributionsPoint() *Point {
	if !f.own.Releases() {
		return nil
	}
	p := &Point{Name: scenarios.PointContributions, Sign: OK}
	unit, kind := plain(f.own.Unit), kindOf(f.own.Unit)
	bounded, open := f.splitByBound()
	switch {
	case f.contradictingBounds(p):
		return p
	case kind == unitMissing:
		return nil // the unit is asked for first
	case f.claimedForSeveral() != "" && f.own.Group <= 1:
		p.Sign, p.Entries, p.Other = Ask, indicesOf(f.items), f.twoEvents()
		p.Says = "the claim says “" + f.claimedForSeveral() + "”"
		p.Text = fmt.Sprintf("The unit is “%s”, and the claim speaks of several together: “%s”. Is the guarantee meant for all of them at once?",
			unit, plain(f.claim.Text))
		p.Other.Now, p.Other.Answer = "1 "+unitNoun(unit), "2 together"
		p.Answers = []string{"group: 2", `answers: {contributions: "no, …"}`}
		return f.settle(p)
	case f.own.Group > 1:
		p.Field, p.Says = "group", "up to "+numeral.Format(f.own.Group)+" records per person"
		p.Text = fmt.Sprintf("The file states group: %s, so up to that many records of one person are covered.", numeral.Format(f.own.Group))
		p.Stated = fmt.Sprintf("“%s” (group)", numeral.Format(f.own.Group))
		return p
	case kind == unitRecord && f.own.Answer(p.Name) == "" && f.claimedFor() != unitSomebody:
		p.Says, p.Text = "the unit is a record", fmt.Sprintf("The unit is %s: a record by itself, not all records of a person.", oneUnit(unit))
		return p
	case kind == unitEvent || kind == unitRecord:
		// What one of them contributes says nothing of somebody who has several.
		p.Sign, p.Entries, p.Other = Ask, indicesOf(f.items), f.twoEvents()
		return f.askAboutEvents(p)
	case len(bounded) > 0 && len(open) == 0:
		p.Says = "bounded in every entry"
		p.Text = fmt.Sprintf("Every entry bounds what %s contributes: %s.", oneUnit(unit), namesOf(bounded))
		return f.askAboutSampledRecords(p)
	case len(open) == 0:
		p.Says = "stated for " + oneUnit(unit)
		p.Text = fmt.Sprintf("Every entry is a guarantee, or a report, that the file states for all records of %s: %s.", oneUnit(unit), namesOf(f.items))
		return p
	}
	p.Sign, p.Entries, p.Other = Ask, indicesOf(open), f.twoRecords()
	p.Answers = []string{"query: {kind: …, max_groups: …, per_group: …} (in the entry)", "group: 2", `answers: {contributions: "no, …"}`}
	p.Says = "no limit stated per " + unitNoun(unit)
	p.Text = fmt.Sprintf("The unit is “%s”, and nothing in the file limits how many records one of them has in %s. Can anybody have several?", unit, namesOf(open))
	return f.settle(p)
}

// askAboutSampledRecords asks whether whole units are sampled in entries whose queries allow one of them several
// records. Drawn one by one, some record of a unit is drawn more often than the rate says; without sampling the number
// holds whichever way they are drawn.
func (f *referee) askAboutSampledRecords(p *Point) *Point {
	sampled := slices.DeleteFunc(slices.Clone(f.items), func(it item) bool { return !it.e.SamplesPeople() })
	if len(sampled) == 0 {
		return p
	}
	p.Sign, p.Entries = Ask, indicesOf(sampled)
	p.Other = newOther("drawn whole", "records one by one", func(s *scenarios.Scenario) (err error) {
		s.Stack, err = scenarios.Map(s.Stack, func(e *scenarios.Entry) error {
			if e.SamplesPeople() {
				e.Sampling = 1
			}
			return nil
		})
		return err
	})
	p.Answers = []string{`answers: {contributions: "no, drawn whole"}`, "sampling: left out (in the entry)"}
	p.Says = "sampled: whole, or record by record?"
	question := fmt.Sprintf("Several records of %s may be in %s, which is sampled. Are records drawn one by one?",
		oneUnit(f.own.Unit), namesOf(sampled))
	p.Text = question
	if f.settle(p); p.Sign == OK {
		p.Text = question + fmt.Sprintf(" The author answers: “%s” (answers.%s).", plain(f.own.Answer(p.Name)), p.Name)
	}
	return p
}

// askAboutEvents asks whether somebody has several of the events or records that are the unit. The words of the claim
// say whose guarantee it is: one that is stated for an event is true of events, whoever has several; one that speaks of
// people is wrong then; one that says neither remains open.
func (f *referee) askAboutEvents(p *Point) *Point {
	unit, words := plain(f.own.Unit), plain(f.claim.Text)
	answer := plain(f.own.Answer(p.Name))
	rule, _ := scenarios.AnswerRuleOf(p.Name)
	several := slices.Contains(rule.Opens, scenarios.FirstWord(answer))
	p.Says = "each " + unitNoun(unit) + " by itself"
	p.Answers = []string{"group: 2", `answers: {contributions: "no, …"}`}
	p.Text = fmt.Sprintf("The unit is “%s”: a person with several is protected for each by itself, not for all together.", unit)
	said := fmt.Sprintf(" %s The author answers: “%s” (answers.%s).", rule.Question, answer, p.Name)
	subject := f.claimedFor()
	switch {
	case !several && answer != "":
		p.Sign, p.Says, p.Stated = OK, answer, fmt.Sprintf("“%s” (answers.%s)", answer, p.Name)
		p.Text += said
		return p
	case subject == unitEvent && answer != "":
		p.Sign, p.Says, p.Stated, p.effect = OK, answer, fmt.Sprintf("“%s” (answers.%s)", answer, p.Name), harmless
		p.Text += fmt.Sprintf(" The claim says so too: “%s”.", words) + said
		return p
	case subject == unitEvent:
		p.effect, p.Answers = harmless, []string{`answers: {contributions: "yes, …"}`, `answers: {contributions: "no, …"}`}
		p.Text += fmt.Sprintf(" The claim says so too: “%s”. Does anybody have several?", words)
		return p
	case subject == unitSomebody && several:
		p.Sign, p.Says, p.Answers = Wrong, answer, nil
		p.Text += said + fmt.Sprintf(" The claim speaks of people: “%s”.", words)
		return p
	case subject == unitSomebody:
		p.Text += fmt.Sprintf(" The claim speaks of people: “%s”. Does anybody have several?", words)
	case several:
		p.Says = answer
		p.Text += said + fmt.Sprintf(" Is the claim, %s, meant for %s, or for a person?", f.claim, oneUnit(unit))
		p.Answers = []string{fmt.Sprintf(`claim: {epsilon: %s, text: "… per %s"}`, numeral.Format(f.claim.Epsilon), unit), "group: 2"}
		p.Field = "claim.text"
		return p
	default:
		p.Text += " Does anybody have several?"
	}
	return f.settle(p)
}

// twoRecords is the cost if everybody may have two records.
func (f *referee) twoRecords() *Other {
	asked := slices.ContainsFunc(f.items, func(it item) bool { return it.e.Query.IsSet() || it.e.Branches > 1 })
	return newOther("1 record", "2 records each", func(s *scenarios.Scenario) error {
		if !asked {
			s.Group = math.Max(2, 2*s.Group)
			return nil
		}
		// Beside queries there is no group: two records move the answers that are not bounded twice as far.
		return halveNoiseOf(s, func(e *scenarios.Entry) bool { return !boundsContributions(e) && !isLocal(e) })
	})
}

// twoEvents is the cost for somebody who has two of the events that are the unit: that of a group of two, in which each
// moves an answer by the Δ that its query allows.
func (f *referee) twoEvents() *Other {
	now := "1 " + unitNoun(f.own.Unit)
	return newOther(now, "2 of them by one person", func(s *scenarios.Scenario) (err error) {
		s.Stack, err = scenarios.Map(s.Stack, func(e *scenarios.Entry) error {
			if !e.Query.IsSet() {
				return nil
			}
			if e.Mechanism == "discrete-gaussian" { // a group of several cells has no price
				return errors.New("discrete Gaussian noise on the cells of a query is not priced for a group")
			}
			*e = *s.WithSensitivity(e)
			e.Query = query.Query{}
			return nil
		})
		s.Group = 2
		return err
	})
}

// splitByBound returns the entries that bound what one unit contributes, and those that leave it open. Guarantees that
// the file states, and reports that people make themselves, hold for a unit as they are: they are in neither list,
// unless the query of another entry bounds contributions and so leaves open whether they do.
func (f *referee) splitByBound() (bounded, open []item) {
	queried := slices.ContainsFunc(f.items, func(it item) bool {
		return it.e.Query.IsSet() && boundsContributions(it.e)
	})
	settled := f.isSettled(scenarios.PointSensitivity) // Δ was worked out for all that one unit contributes
	for _, it := range f.items {
		has, _ := hasSensitivity(it.e)
		switch {
		case it.e.Parallel != nil:
		case boundsContributions(it.e) || has && settled:
			bounded = append(bounded, it)
		case (isStated(it.e) || isLocal(it.e)) && !queried:
		default:
			open = append(open, it)
		}
	}
	return bounded, open
}

func (f *referee) adjacencyPoint() *Point {
	now := string(f.own.Adjacency)
	p := &Point{Name: scenarios.PointAdjacency, Sign: OK, Field: "adjacency", Says: now, effect: raises}
	p.Text = fmt.Sprintf("The file states adjacency: %s. Compared are data sets that differ in one record, %s.", now, changedRecord[f.own.Adjacency])
	p.Stated = "“" + now + "” (adjacency)"
	other := newOther(now, "adjacency replace", replaceAdjacency)
	words, raised := f.findWords(p.Name, nil)
	if f.own.HasStatedAdjacency() && raised && f.own.Adjacency == mechanisms.AddRemove {
		p.Sign, p.Stated, p.Other = Ask, "", other
		p.Says = now + ", and the text says “" + words.quote + "”"
		p.Text += fmt.Sprintf(" The text says “%s” (%s).", words.quote, words.field)
		p.Answers = []string{"adjacency: replace", `answers: {adjacency: "yes, …"}`}
		return f.settle(p)
	}
	if f.own.HasStatedAdjacency() {
		return p
	}
	p.Sign, p.Stated, p.Answers = Ask, "", []string{"adjacency: add-remove", "adjacency: replace", "adjacency: zero-out"}
	p.Says = now + ", by default"
	p.Text = fmt.Sprintf("The file does not say in what neighbouring data sets differ. Priced is the default, %s: one record %s. If it is replaced by another one, the answers can move twice as far.",
		now, changedRecord[f.own.Adjacency])
	p.Other = other
	return f.settle(p)
}

// changedRecord says of the record in which neighbours differ what happens to it.
var changedRecord = map[mechanisms.Adjacency]string{
	mechanisms.AddRemove: "added or removed",
	mechanisms.Replace:   "replaced by another",
	mechanisms.ZeroOut:   "blanked",
}

// replaceAdjacency turns a scenario under add-remove into one under replace, with every sensitivity doubled.
func replaceAdjacency(s *scenarios.Scenario) error {
	if s.Adjacency != mechanisms.AddRemove {
		return nil
	}
	s.Adjacency = mechanisms.Replace
	if _, err := s.DropMonotone(); err != nil {
		return err
	}
	return halveNoise(s)
}

func (f *referee) deltaPoint() *Point {
	if !f.own.Releases() {
		return nil
	}
	d, n := f.claim.Delta, f.own.Records
	p := &Point{Name: scenarios.PointDelta, Sign: OK, Field: "records", Says: "δ = " + numeral.Format(d)}
	if d == 0 {
		p.Field, p.Says, p.Text = "budget.delta", "δ = 0", "The claim is pure: δ = 0."
		return p
	}
	tenth := "δ = " + numeral.Short(0.1/n, 4, numeral.ToNearest)
	at := newOther("δ = "+numeral.Format(d), tenth, func(s *scenarios.Scenario) error {
		s.Budget.Delta = 0.1 / n
		return nil
	})
	limit := 1 / n
	of := fmt.Sprintf("1/n = %s (records: %s)", numeral.Short(limit, 3, numeral.ToNearest), numeral.Format(n))
	switch {
	case !(n > 0):
		p.Sign, p.Answers = Ask, []string{"records: 100000"}
		p.Says += ", n not given"
		p.Text = fmt.Sprintf("How many units, n, are in the data? δ = %s is small enough, a tenth of 1/n, up to n = %s. From n = %s on it is 1/n or more, and that allows publishing one person's whole record.",
			numeral.Format(d), numeral.Short(math.Floor(0.1/d*(1+1e-12)), 4, numeral.Down),
			numeral.Short(math.Ceil(1/d*(1-1e-12)), 4, numeral.Up))
	case d <= 0.1*limit*(1+1e-9):
		p.Says += ", 1/n = " + numeral.Short(limit, 3, numeral.ToNearest)
		p.Text = fmt.Sprintf("δ = %s is at most a tenth of %s.", numeral.Format(d), of)
	case d < limit*(1-1e-9):
		p.Sign, p.Other, p.Field = Ask, at, "budget.delta"
		p.Says += ", 1/n = " + numeral.Short(limit, 3, numeral.ToNearest)
		p.Text = fmt.Sprintf("δ = %s is below %s, but not by a factor of ten, as is usual.", numeral.Format(d), of)
		p.Answers = []string{"budget: {delta: " + numeral.Short(0.1/n, 2, numeral.Down) + "}", `answers: {delta: "yes, …"}`}
	default:
		p.Sign, p.Other, p.Field = Wrong, at, "budget.delta"
		p.Says += ", 1/n = " + numeral.Short(limit, 3, numeral.ToNearest)
		p.Text = fmt.Sprintf("δ = %s is not below %s: it allows publishing one person's whole record, chosen at random.", numeral.Format(d), of)
	}
	return f.settle(p)
}

func (f *referee) entryDeltaPoint() *Point {
	sum, releases := 0.0, 0.0
	var stating []item
	for _, it := range f.items {
		if it.path != fmt.Sprint(it.index) || it.e.Parallel != nil {
			continue // branches do not add up
		}
		releases += it.e.Count * f.own.Rounds
		if d := statedDelta(it.e); d > 0 {
			sum += d * it.e.Count * f.own.Rounds
			stating = append(stating, it)
		}
	}
	if sum == 0 || sum < f.claim.Delta*(1-1e-9) || sum <= f.claim.Delta*(1+1e-9) && releases == 1 {
		return nil
	}
	p := &Point{Name: scenarios.PointEntryDelta, Sign: Ask, Entries: indicesOf(stating), Field: "budget.delta", effect: harmless,
		Says: numeral.Upper(sum) + " of δ = " + numeral.Format(f.claim.Delta)}
	p.Text = fmt.Sprintf("The entries' own δ add up to %s, in %s, and the claim's δ is %s: nothing of it is left for theorems that need some to compose them.",
		numeral.Upper(sum), namesOf(stating), numeral.Format(f.claim.Delta))
	if f.upperEnd() > accounting.BudgetLimit(f.claim.Epsilon) {
		p.Sign = Wrong
		p.Text += " No theorem proves the claim."
		return p
	}
	p.Text += fmt.Sprintf(" The claim is still proven, by %s.", theoremPhrase(f.result.BestBound().Method))
	return f.settle(p)
}

// statedDelta returns the δ that the releases of one run of an entry state.
func statedDelta(e *scenarios.Entry) (sum float64) {
	m, err := mechanisms.New(e.Mechanism, e.Values)
	if err != nil {
		return 0
	}
	for _, r := range m.Releases(1) {
		if _, delta, err := r.Release.Approximate(); err == nil {
			sum += delta * r.Count
		}
	}
	return sum
}
