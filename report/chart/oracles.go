package chart

import (
	"fmt"
	"math"

	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/report/curve"
)

// Oracles is the error of a rare value's estimated share against the size of the domain, by every
// frequency oracle at the ε of the entry.
var Oracles = Kind{"oracles", "error of estimated shares: against the domain, by frequency oracle", "entry", false, oracles}

func oracles(v *view) (Chart, error) {
	i, f, err := entryOf[mechanisms.Frequency](v, "is no frequency oracle")
	if err != nil {
		return Chart{}, err
	}
	f.Hashes, f.Memoised = 1, false // each with its own default parameters
	people, of := f.People, " times √n"
	if people == 0 {
		people = v.Records
	}
	if people == 0 {
		people = 1
	} else {
		of = " with " + report.FormatGiven(people) + " people"
	}
	domains := []float64{}
	for _, k := range curve.WholeSpace(math.Max(64, 4*f.Domain), v.points()) {
		if k >= 2 {
			domains = append(domains, k)
		}
	}
	c := Chart{
		Title: fmt.Sprintf("error of a rare value by frequency oracle, at the ε = %s of entry %d", report.FormatGiven(f.Epsilon), i+1),
		X:     Axis{Label: "values in the domain", Log: true},
		Y:     Axis{Label: "standard deviation of a share" + of, Log: true},
		Read:  f.Domain,
		Marks: []Mark{Vertical(f.Domain, "domain")},
	}
	best := f
	for _, protocol := range untilDone(v, mechanisms.Protocols()) {
		deviation := func(k float64) float64 {
			o := f
			o.Protocol, o.Domain, o.AnyHash = protocol, k, false
			return math.Sqrt(o.Variance(0) / people)
		}
		c.Series = append(c.Series, Series{Name: string(protocol), X: domains, Y: v.valuesOver(domains, deviation)})
		o := f
		if o.Protocol = protocol; o.Variance(0) < best.Variance(0) {
			best = o
		}
	}
	c.Notes = []string{
		fmt.Sprintf("least error in this domain: %s (variance times n %s, %s for %s)", best.Protocol, report.Nearest(best.Variance(0)), report.Nearest(f.Variance(0)), f.Protocol),
		fmt.Sprintf("without subset selection, grr is best below 3e^ε + 2 = %s values", report.Nearest(3*math.Exp(f.Epsilon)+2)),
	}
	return c, nil
}
