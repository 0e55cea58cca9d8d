package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/report/curve"
	"epsiloscope/scenarios"
)

// Fact is a line of the fact sheet.
type Fact struct{ Name, Text string }

// otherNotions returns the cost of the releases under the privacy notions whose costs add up.
func otherNotions(s *scenarios.Scenario) string {
	stack, err := scenarios.Stack(s)
	if err != nil {
		return ""
	}
	var list []string
	if rho, ok := curve.ConcentratedSum(stack); ok {
		list = append(list, fmt.Sprintf("%s-zCDP", Upper(rho)))
	}
	if mu, ok := curve.GaussianSum(stack); ok {
		list = append(list, fmt.Sprintf("%s-GDP", Upper(mu)))
	}
	return strings.Join(list, ", ")
}

func unitFact(s *scenarios.Scenario) string {
	return cmp.Or(Plain(s.Unit), "not given: the guarantee means nothing until it is said whose data one record is")
}

func adjacencyFact(a mechanisms.Adjacency) string { return string(a) + ": " + NeighboursOf(a).Fact }

// contributionBounds returns how many of the enabled entries bound what one person contributes, and how many there are.
func contributionBounds(s *scenarios.Scenario) (bounded, all int) {
	for _, e := range scenarios.EnabledEntries(s.Stack) {
		all++
		d, err := s.Sensitivity(e)
		if e.Mechanism == "partition-selection" || err == nil && e.Query.IsSet() && d.Assumed == "" {
			bounded++
		}
	}
	return bounded, all
}

func groupFact(s *scenarios.Scenario) string {
	bounded, all := contributionBounds(s)
	switch {
	case s.Group > 1:
		return fmt.Sprintf("holds for a person with up to %s records (group privacy); the bounds include it", numeral.Format(s.Group))
	case bounded > 0 && bounded == all:
		return "what one person contributes is bounded by the queries; the sensitivities include it"
	case bounded > 0:
		return "what one person contributes is bounded by the queries of some entries; all others count one record per person"
	}
	return "one record per person; a person with g records has a weaker guarantee (pure ε grows to g·ε, ρ to g²·ρ)"
}

func deltaFact(s *scenarios.Scenario, b accounting.Bound) string {
	delta, share := FormatGiven(b.Delta), Short(1/s.Records)
	below := b.Delta < 1/s.Records
	// the digits that differ must show
	if below && numeral.RoundUp(b.Delta, digits) >= numeral.Round(1/s.Records, digits) {
		delta, share = numeral.Format(b.Delta), numeral.Format(1/s.Records)
	}
	switch {
	case b.Delta == 0:
		return "0: the bound on ε holds without exception"
	case s.Records > 0 && below:
		return fmt.Sprintf("%s, below 1/n = %s for the %s records", delta, share, FormatGiven(s.Records))
	case s.Records > 0:
		return fmt.Sprintf("%s, NOT below 1/n = %s: publishing one random record whole would be allowed", delta, share)
	}
	return delta + "; the number of records, n, is not given"
}

// trustFact says who must be trusted: some mechanisms can run with the people themselves.
func trustFact(s *scenarios.Scenario) string {
	if model := s.Deployment.Model; model != "" {
		return model + ", as stated: " + map[string]string{
			"central": "a curator holds the data, is trusted with them and adds the noise", "local": "every person adds noise before anything is sent",
			"shuffle":   "every person adds noise, and a shuffler that does not collude with the curator hides who sent what",
			"federated": "the data stay with the people, and the one who combines their updates is trusted with these",
		}[model]
	}
	var local []string
	central := false
	for _, e := range scenarios.EnabledEntries(s.Stack) {
		spec, _ := mechanisms.Lookup(e.Mechanism)
		if title := strings.ToLower(spec.Title); !spec.Local {
			central = true
		} else if !slices.Contains(local, title) {
			local = append(local, title)
		}
	}
	switch {
	case local != nil && central:
		return "mixed: " + strings.Join(local, " and ") + " may run with the people themselves; all else needs a trusted curator who holds the data"
	case local != nil:
		return "local if every answer is randomised by the person before it is sent; then no other party sees it"
	}
	return "central: a curator holds the data, is trusted with them and adds the noise; recipients see the results only"
}

func mechanismFact(s *scenarios.Scenario) string {
	var list []string
	more := 0
	for _, e := range s.Stack {
		if e.Disabled {
			continue
		}
		if len(list) == maxNamedEntries {
			more++
			continue
		}
		text := e.WithoutScores().Describe()
		if m, ok := mechanisms.BuildAs[mechanisms.ReleaseTeller](e.Mechanism, e.Values); ok {
			text += ", releasing " + m.ReleasedText() + ","
		}
		if label := Plain(e.Label); label != "" {
			text += " for “" + label + "”"
		}
		list = append(list, strings.TrimSuffix(Plain(text), ","))
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("and %d more entries", more))
	}
	if len(list) == 0 {
		return "none: nothing is released"
	}
	return strings.Join(list, "; ")
}

// sensitivityFact returns the sensitivities that follow from queries; "" if there are none. A query states what the
// releasing program does, so the fact says that nothing else enforces it.
func sensitivityFact(s *scenarios.Scenario) string {
	list := s.Reasons()
	if len(list) == 0 {
		return ""
	}
	if more := len(list) - maxNamedEntries; more > 0 {
		list = append(list[:maxNamedEntries], fmt.Sprintf("and %d more", more))
	}
	return Plain(strings.Join(list, "; ")) + ". " + queriesAssume
}

// queriesAssume says what sensitivities from queries rest on.
const queriesAssume = "This holds if the releasing program cuts values and drops records as the queries state; nothing else enforces it"

// maxNamedEntries is the number of entries a statement names one by one.
const maxNamedEntries = 12

func compositionFact(s *scenarios.Scenario) string {
	entries, parallel := 0, false
	releases := 0.0
	for _, e := range s.Stack {
		if !e.Disabled {
			entries++
			releases += e.Count * s.Rounds
			parallel = parallel || e.Parallel != nil
		}
	}
	composed := ""
	if stack, err := scenarios.Stack(s); err == nil && !parallel {
		k := 0.0
		for _, e := range stack {
			k += e.Count
		}
		if k != releases { // steps of a training, positives of a sparse vector
			composed = ", which counts as " + FormatGiven(k)
			if releases > 1 {
				composed = ", which count as " + FormatGiven(k)
			}
		}
	}
	if releases == 1 && !parallel && s.Rounds <= 1 {
		return "one release" + composed
	}
	text := countText(releases, "release", "releases")
	if entries > 1 {
		text += " in " + countText(float64(entries), "entry", "entries")
	}
	text += composed + ", composed sequentially and adaptively"
	if s.Rounds > 1 {
		text += fmt.Sprintf(", in %s rounds", FormatGiven(s.Rounds))
	}
	if parallel {
		text += "; branches on disjoint parts of the data in parallel"
		for _, e := range s.Stack {
			if e.Branches > 1 && !e.Disabled {
				text += fmt.Sprintf(", one person in up to %s of them", FormatGiven(e.Branches))
				break
			}
		}
	}
	return text
}

func accuracyFact(s *scenarios.Scenario) string {
	var list []string
	for _, row := range AccuracyOf(s) {
		if len(list) == maxNamedEntries {
			list = append(list, "…")
			break
		}
		switch {
		case row.Reason != "", row.Picks: // how well a pick does depends on the scores, which stay private
		default:
			item := Plain(row.What) + " ±" + Upper(row.Accuracy.Each)
			if unit := row.Accuracy.Unit; unit != "answer" {
				item += " (" + unit + ")"
			}
			list = append(list, item)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "error at 95 % confidence, each in the units of its answer: " + strings.Join(list, "; ")
}

func countText(n float64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return FormatGiven(n) + " " + many
}
