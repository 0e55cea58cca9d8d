package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
)

// remarksOn returns the remarks on an evaluated scenario: what is not wrong, but a careful reader would ask about.
func remarksOn(s *Scenario, c *pricedStack, r *Result) []Remark {
	l := &remarkCollector{s: s}
	l.remarkOnScenario()
	seen := map[string]bool{} // the same remark only once, on the first entry it applies to
	for i := range s.Stack {
		for _, found := range entryRemarks(s, &s.Stack[i], c.notes[i]) {
			if key := found.Code + found.Text; !seen[key] {
				seen[key] = true
				l.found = append(l.found, Remark{i + 1, found})
			}
		}
	}
	l.remarkOnBounds(r)
	l.remarkOnWhole(r)
	return l.found
}

type remarkCollector struct {
	s     *Scenario
	found []Remark
}

func (l *remarkCollector) add(code, format string, args ...any) {
	l.found = append(l.found, Remark{Remark: mechanisms.Remark{Code: code, Text: fmt.Sprintf(format, args...)}})
}

func (l *remarkCollector) remarkOnScenario() {
	s := l.s
	if strings.TrimSpace(s.Unit) == "" {
		l.add("no-unit", "The unit is not given: ε has no meaning until it is stated whose data one record is.")
	}
	if s.Records > 0 && s.Budget.Delta >= 1/s.Records {
		l.add("delta-too-large", "δ = %s is not below 1/n = %s: publishing one random record whole would be allowed.",
			numeral.Format(s.Budget.Delta), numeral.Format(1/s.Records))
	}
	if answer := s.Answer(PointAdaptive); answer != "" && FirstWord(answer) == "yes" {
		l.add(AdaptiveCosts, "Costs were chosen after earlier answers were seen: these bounds hold for a plan fixed in advance, and may not be quoted. Of a ledger, quote its promise or its odometer.")
	}
	stated := 0.0
	for _, e := range s.Stack {
		if !e.Disabled {
			stated += deltaOfOneRun(e) * e.Count * s.Rounds
		}
	}
	if kept, other := findMemoisedPair(s.Stack); kept > 0 {
		l.add("memoised-level", "Entry %d is a memoised report, and entry %d is counted beside it as if its coins were independent. What is computed from the memoised report costs nothing more: "+
			"if entry %d is a report made from entry %d (RAPPOR's second level), disable one of them. The first is what all reports together cost, the second one report by itself.", kept, other, other, kept)
	}
	if !s.Releases() {
		l.add("empty-stack", "Nothing is released, so nothing is spent.")
	}
	if stated > 0 && stated >= s.Budget.Delta {
		l.add("delta-spent", "The entries state δ's of %s together; nothing is left of the budget's δ = %s.",
			numeral.Format(stated), numeral.Format(s.Budget.Delta))
	}
}

// findMemoisedPair returns the numbers, from 1, of a memoised report and of another enabled entry that may
// be a report made from it; 0 if there are no such two.
func findMemoisedPair(stack []Entry) (kept, other int) {
	for i, e := range stack {
		m, err := mechanisms.New(e.Mechanism, e.Values)
		if err != nil || e.Disabled || e.Parallel != nil {
			continue
		}
		f, oracle := m.(mechanisms.Frequency)
		_, stated := m.(mechanisms.Pure)
		spec, _ := mechanisms.Lookup(e.Mechanism)
		switch {
		case oracle && f.Memoised && kept == 0:
			kept = i + 1
		case other == 0 && !(oracle && f.Memoised) && (stated || spec.Local):
			other = i + 1
		}
	}
	if kept == 0 || other == 0 {
		return 0, 0
	}
	return kept, other
}

// deltaOfOneRun returns the δ that the releases of one run state. The δ of a sparse vector only
// sets its noise; the runs are charged as pure.
func deltaOfOneRun(e Entry) (sum float64) {
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

// entryRemarks returns the remarks on an entry, and those that its price came with.
func entryRemarks(s *Scenario, e *Entry, notes []mechanisms.Remark) (found []mechanisms.Remark) {
	if e.Disabled {
		return nil
	}
	for _, branch := range e.Parallel {
		for i := range branch {
			found = append(found, entryRemarks(s.ForBranch(), &branch[i], nil)...)
		}
	}
	at := mechanisms.Setting{Adjacency: s.Adjacency, Records: s.Records, Count: e.Count, Delta: s.Budget.Delta}
	return slices.Concat(found, mechanisms.Remarks(e.Mechanism, s.WithSensitivity(e).Values, at), labelRemarks(s, e), sensitivityRemarks(s, e), queryRemarks(s, e), notes)
}

// sensitivityRemarks returns the remark on an entry under replace that does not state its sensitivity, if it is one.
func sensitivityRemarks(s *Scenario, e *Entry) []mechanisms.Remark {
	if name, stated := sensitivityField(e); s.Adjacency == mechanisms.Replace && name != "" && !stated && !e.Query.IsSet() {
		return []mechanisms.Remark{{Code: SensitivityOpen, Text: "The " + name + " " + sensitivityQuestion + "; until then --check fails."}}
	}
	return nil
}

// queryRemarks returns the remark on an entry that states a larger sensitivity than follows from its query, if it does.
func queryRemarks(s *Scenario, e *Entry) []mechanisms.Remark {
	d, err := s.Sensitivity(e)
	if err != nil || d.Least == 0 {
		return nil
	}
	return []mechanisms.Remark{{Code: "sensitivity-above-query", Text: fmt.Sprintf(
		"The stated sensitivity, %s, is used. It is larger than what follows from the query, %s = %s: %s.", numeral.Format(d.Value), d.Norm.Symbol(), numeral.Upper(d.Least), d.Why)}}
}

// AdaptiveCosts is the code of the remark on costs that were chosen after earlier answers were seen.
const AdaptiveCosts = "adaptive-costs"

// SensitivityOpen is the code of the remark on a sensitivity that is not stated under replace.
const SensitivityOpen = "sensitivity-under-replace"

// remarkOnBounds adds the remarks that depend on the bounds.
func (l *remarkCollector) remarkOnBounds(r *Result) {
	rdp, _ := r.Bound(accounting.RDP)
	if rdp.Status == accounting.Valid && strings.Contains(rdp.Note, "edge") {
		l.add("alpha-edge", "The best Rényi order lies at the edge of the range searched; a better one may exist beyond.")
	}
	if gdp, _ := r.Bound(accounting.GDP); gdp.Status == accounting.Unproven {
		l.add("gdp-approximate", "The GDP value is a central-limit approximation, not a bound: it may be too small.")
	}
	pinned, asked := r.Bound(accounting.RDPPinned)
	if asked && rdp.Status == accounting.Valid && (!pinned.Finite() || pinned.Epsilon > 1.1*rdp.Epsilon) {
		l.add("alpha-pinned", "The pinned order α = %s costs more than a tenth over the best one, α = %s.",
			numeral.Format(r.Target.Alpha), numeral.Nearest(rdp.Alpha))
	}
}

// remarkOnWhole adds the remarks on unit, rounds and expectations taken together.
func (l *remarkCollector) remarkOnWhole(r *Result) {
	s := l.s
	if w, ok := WindowOf(s.Unit); ok && s.Rounds > 1 {
		l.add("window-rounds", "The unit covers one %s, and the stack runs %s times on it. If a round is another %s, one unit meets one round only; "+
			"the bound shown is for a person who takes part in all of them.", w.Name, numeral.Format(s.Rounds), w.Name)
	}
	if singleEvent(s.Unit) && s.Group == 1 {
		l.add("unit-not-person", "The unit is one %s, not a person: a person with several is protected for each separately, not for all together. Give group, or bound what one person contributes.", s.Unit)
	}
	gdp, _ := r.Bound(accounting.GDP)
	if gdp.Status == accounting.Unproven && r.Target.Epsilon > 0 && slices.ContainsFunc(s.Expect, func(e Expectation) bool { return e.Method == accounting.GDP }) {
		l.add("gdp-as-bound", "An expected value is taken from the central-limit approximation, which is not a bound.")
	}
}

// gdpOnly is the remark for a budget that the central limit fits and no valid bound does.
var gdpOnly = Remark{Remark: mechanisms.Remark{Code: "gdp-as-bound", Text: "Only the central-limit approximation fits the budget, and that is not a bound: it does not count."}}

// remarkGDP adds or removes [gdpOnly]. It is called again when the numerical bound, which comes last, is known.
func (r *Result) remarkGDP() {
	r.Remarks = slices.DeleteFunc(slices.Clone(r.Remarks), func(l Remark) bool { return l == gdpOnly })
	gdp, _ := r.Bound(accounting.GDP)
	if limit := r.Target.Epsilon; gdp.Status == accounting.Unproven && gdp.Epsilon <= limit && r.Best >= 0 && r.BestBound().Epsilon > limit {
		r.Remarks = append(r.Remarks, gdpOnly)
	}
}

// meanWords are words in a label for an answer that is divided by the number of records, or
// cut to a range.
var meanWords = []string{"mean", "average", "rate", "share", "median", "percentage", "percent"}

// labelRemarks returns the remark on a label that names a mean, if the adjacency is add-remove.
func labelRemarks(s *Scenario, e *Entry) []mechanisms.Remark {
	if s.Adjacency != mechanisms.AddRemove {
		return nil
	}
	words := strings.FieldsFunc(strings.ToLower(e.Label), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, w := range words {
		if slices.Contains(meanWords, strings.TrimSuffix(w, "s")) {
			return []mechanisms.Remark{{Code: "mean-under-add-remove", Text: fmt.Sprintf(
				"The label says %s: under add-remove the divisor changes with the data. A sensitivity over a public n, or over the range, is valid under replace only.", w)}}
		}
	}
	return nil
}
