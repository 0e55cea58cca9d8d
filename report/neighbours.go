package report

import (
	"fmt"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Neighbours are the words for what an adjacency compares.
type Neighbours struct {
	Short        string // for a line on a screen
	Fact         string // which data sets they are
	Relation     string // from one to the other, behind "with respect to"
	Alternatives string // what an attacker guesses between
	TestedFact   string // what an attacker wants to know
}

var neighbours = map[mechanisms.Adjacency]Neighbours{
	mechanisms.AddRemove: {
		Short: "add-remove one record", Fact: "data sets differing in one added record",
		Relation: "adding or removing one record", Alternatives: "in or out", TestedFact: "whether a person is in the data",
	},
	mechanisms.Replace: {
		Short: "replace one record", Fact: "data sets that differ in one record, changed to any other; their size is public",
		Relation: "changing one record", Alternatives: "which of two records a person has", TestedFact: "which of two records a person has",
	},
	mechanisms.ZeroOut: {
		Short: "blank one record", Fact: "data sets differing in one record made blank; their size is public",
		Relation: "putting a blank in the place of one record", Alternatives: "a person's record or a blank in its place",
		TestedFact: "whether a person's record is in the data or a blank in its place",
	},
}

// NeighboursOf words an adjacency.
func NeighboursOf(a mechanisms.Adjacency) Neighbours { return neighbours[a] }

// claimsFact lists the claims that the bound rests on. Under replace or zero-out these are
// claims that a guarantee holds under add-remove too, on which the cost of sampled entries and of moves between
// branches depends, and claims that no record moves.
func claimsFact(s *scenarios.Scenario) string {
	if s.Adjacency == mechanisms.AddRemove {
		return ""
	}
	var absent, still []string
	for i, e := range s.Stack {
		claimed := false
		for inner := range releasedEntries(s.Stack[i : i+1]) {
			m, ok := mechanisms.BuildAs[mechanisms.Mechanism](inner.Mechanism, inner.Values)
			used := inner.Sampling < 1 || e.Parallel != nil && e.Moves == ""
			// else the claim has no effect
			claimed = claimed || used && inner.Also.AddRemove &&
				!(ok && mechanisms.ClaimsAddRemove(m, mechanisms.Also{}))
		}
		if claimed {
			absent = append(absent, fmt.Sprint(i+1))
		}
		if e.Moves != "" && !e.Disabled {
			still = append(still, fmt.Sprint(i+1))
		}
	}
	var list []string
	if absent != nil {
		list = append(list, "that the stated guarantee of "+joinEntries(absent)+" also holds under add-remove")
	}
	if still != nil {
		list = append(list, "that it is public who is in which branch of "+joinEntries(still))
	}
	if list == nil {
		return ""
	}
	return "the bound rests on the claim " + strings.Join(list, ", and ")
}

func joinEntries(list []string) string {
	if len(list) > maxNamedEntries {
		list = append(list[:maxNamedEntries:maxNamedEntries], "…")
	}
	if len(list) == 1 {
		return "entry " + list[0]
	}
	return "entries " + strings.Join(list, ", ")
}
