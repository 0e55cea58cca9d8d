package chart

import (
	"fmt"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/report/curve"
)

// KeepProbability is the probability that a group is shown, against the number of people in it, by every
// strategy with the same ε and δ.
var KeepProbability = Kind{"kept", "chance that a group is shown: by its number of people", "entry", false, plotKeepProbability}

func plotKeepProbability(v *view) (Chart, error) {
	i, p, err := entryOf[mechanisms.PartitionSelection](v, "selects no groups")
	if err != nil {
		return Chart{}, err
	}
	c := Chart{
		Title: fmt.Sprintf("chance that a group is shown by entry %d, against its people", i+1),
		X:     Axis{Label: "people in the group", Min: 1, Max: unset},
		Y:     Axis{Label: "probability", Min: 0, Max: 1},
		Read:  p.PeopleFor(0.95),
	}
	far := 0.0
	var strategies []mechanisms.PartitionSelection
	for _, s := range untilDone(v, mechanisms.Strategies()) {
		other, err := p.WithStrategy(s)
		if err != nil {
			c.Notes = append(c.Notes, fmt.Sprintf("%s: %v", s, err))
			continue
		}
		strategies, far = append(strategies, other), math.Max(far, other.PeopleFor(0.999))
	}
	people := make([]float64, 0, v.points())
	for _, n := range curve.LineSpace(1, far*1.1+1, 2*v.points()) {
		if n = math.Floor(n); len(people) == 0 || n > people[len(people)-1] {
			people = append(people, n)
		}
	}
	for _, s := range strategies {
		c.Series = append(c.Series, Series{Name: string(s.Strategy), X: people,
			Y: v.valuesOver(people, s.KeepProbability), Step: far < 60})
		c.Notes = append(c.Notes, fmt.Sprintf("%s: shown with 50, 95 and 99.9 %% from %s, %s and %s people%s", s.Strategy,
			report.FormatGiven(s.PeopleFor(0.5)), report.FormatGiven(s.PeopleFor(0.95)),
			report.FormatGiven(s.PeopleFor(0.999)), thresholdNote(s)))
	}
	return c, nil
}

func thresholdNote(p mechanisms.PartitionSelection) string {
	if p.Threshold() == 0 {
		return ""
	}
	return fmt.Sprintf(" (threshold %s, standard deviation %s)", report.Upper(p.Threshold()), report.Upper(p.Deviation()))
}
