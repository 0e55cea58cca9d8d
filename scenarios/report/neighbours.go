package report

import (
	"fmt"
	"strings"

	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Neighbours are the words for what an adjacency compares.
type Neighbours struct {
	Short    string // for a line on a screen
	Fact     string // which data sets they are
	Relation string // from one to the other, behind "with respect to"
	Between  string // what an attacker guesses between
	Tested   string // what an attacker wants to know
}

var neighbours = map[mechanisms.Adjacency]Neighbours{
	mechanisms.AddRemove: {
		Short: "add/remove one record", Fact: "data sets of which one has one record more",
		Relation: "adding or removing one record", Between: "in and out", Tested: "whether somebody is in the data",
	},
	mechanisms.Replace: {
		Short: "replace one record", Fact: "data sets that differ in one record, changed to any other; their size is public",
		Relation: "changing one record", Between: "two records somebody might have", Tested: "which of two records somebody has",
	},
	mechanisms.ZeroOut: {
		Short: "blank one record", Fact: "data sets of which one has a blank in the place of one record; their size is public",
		Relation: "putting a blank in the place of one record", Between: "somebody's record and a blank in its place",
		Tested: "whether somebody's record is in the data or a blank in its place",
	},
}

// NeighboursOf words an adjacency.
func NeighboursOf(a mechanisms.Adjacency) Neighbours { return neighbours[a] }

// claimsFact lists what the figure rests on and nobody has derived: what is claimed of
// absence, where neighbours do not come and go, and of who moves between branches.
func claimsFact(s *scenarios.Scenario) string {
	if s.Adjacency == mechanisms.AddRemove {
		return ""
	}
	var absent, still []string
	for i := range s.Stack {
		where := fmt.Sprint(i + 1)
		if e := &s.Stack[i]; !e.Disabled {
			claimed := false
			eachEntry(s.Stack[i:i+1], func(e *scenarios.Entry) { claimed = claimed || e.Also.AddRemove })
			if claimed {
				absent = append(absent, where)
			}
			if e.Moves != "" {
				still = append(still, where)
			}
		}
	}
	var list []string
	if absent != nil {
		list = append(list, "that the numbers of "+entriesNamed(absent)+" also bound the presence of a record against its absence")
	}
	if still != nil {
		list = append(list, "that it is public who is in which branch of "+entriesNamed(still))
	}
	if list == nil {
		return ""
	}
	return "the figure rests on the claim " + strings.Join(list, ", and ")
}

func entriesNamed(list []string) string {
	if len(list) > listed {
		list = append(list[:listed:listed], "…")
	}
	if len(list) == 1 {
		return "entry " + list[0]
	}
	return "entries " + strings.Join(list, ", ")
}
