package sheet

import (
	"cmp"
	"fmt"
	"slices"

	"epsiloscope/report"
)

// beliefColumns are a suspicion before and after the release.
var beliefColumns = []Column[report.Belief]{
	Number("suspicion before", "prior", Right, report.StatedPercent, func(b report.Belief) float64 { return b.Prior }),
	asResult(Number("at most after", "most", Right, report.Chance, func(b report.Belief) float64 { return b.Most })),
	Number("at least after", "least", Right, report.ChanceDown, func(b report.Belief) float64 { return b.Least }),
	{Bar: func(b report.Belief) Bar { return Bar{b.Prior, b.Most} }},
}

// rateColumns state the share of members that the best test finds.
var rateColumns = []Column[report.Rate]{
	Number("false-positive rate", "false_positive_rate", Right, report.StatedPercent, func(r report.Rate) float64 { return r.False }),
	asResult(Number("found among members, at most", "true_positive_rate", Right, report.Chance, func(r report.Rate) float64 { return r.True })),
	{Bar: func(r report.Rate) Bar { return Bar{r.False, r.True} }},
}

// clearedColumns state the share of others that the best test clears.
var clearedColumns = []Column[report.Rate]{
	Number("false-negative rate", "false_negative_rate", Right, report.StatedPercent, func(r report.Rate) float64 { return r.False }),
	asResult(Number("cleared among others, at most", "true_negative_rate", Right, report.Chance, func(r report.Rate) float64 { return r.Cleared })),
	{Bar: func(r report.Rate) Bar { return Bar{r.False, r.Cleared} }},
}

// bothRateColumns are the columns for programs: true-positive and true-negative rate at one rate of errors.
var bothRateColumns = append(slices.Clone(rateColumns), clearedColumns[1])

// deploymentColumns set the release among real ones; a deployment without a source is the scenario itself.
var deploymentColumns = []Column[report.Deployment]{
	{Key: "name", Value: func(d report.Deployment) any { return d.Name }},
	{Key: "unit", Value: func(d report.Deployment) any { return d.Unit }},
	{Head: "ε", Align: Decimal, Show: deploymentEpsilon, Role: deploymentRole, Key: "epsilon", Value: func(d report.Deployment) any { return d.Epsilon }},
	Number("δ", "delta", Right, report.Short, func(d report.Deployment) float64 { return d.Delta }),
	{Head: "deployment", Show: report.Deployment.Label, Role: deploymentRole},
	{Head: "unit", Show: func(d report.Deployment) string { return d.Unit }},
	Words("source", "source", func(d report.Deployment) string { return d.Source }),
}

// deploymentEpsilon writes a reported ε as it was given, and a bound of ours rounded up.
func deploymentEpsilon(d report.Deployment) string {
	if d.Source == "" {
		return report.Upper(d.Epsilon)
	}
	return report.Short(d.Epsilon)
}

func deploymentRole(d report.Deployment) report.Role {
	if d.Source == "" {
		return report.Result
	}
	return report.Text
}

// Person returns what the release means for a person: what an attacker can do, how far a suspicion can grow, and where
// ε stands among real deployments. As CSV it is the rates of the best test.
func Person(p *report.Person) *Sheet {
	columns := rateColumns
	if p.IsOneSided() {
		columns = bothRateColumns
	}
	return &Sheet{
		Title: fmt.Sprintf("what ε = %s at δ = %s means for %s", report.Upper(p.Epsilon), report.FormatGiven(p.Delta),
			report.CoveredUnit(p.Unit, p.Rounds)),
		Lines: report.Lines(report.Note, "ε by "+report.TheoremPhrase(p.Method)),
		More:  slices.Concat(testSheets(p), []*Sheet{suspicionSheet(p), deploymentSheet(p)}),
		exact: csvOf(columns, p.Rates),
		Data: Record{
			{"epsilon", p.Epsilon}, {"delta", p.Delta}, {"method", p.Method}, {"unit", p.Unit},
			{"advantage", p.Advantage}, {"rates", RecordsOf(bothRateColumns, p.Rates)}, {"curve", p.Curve},
			{"beliefs", RecordsOf(beliefColumns, p.Beliefs)}, {"except", p.ExceptionBound}, {"deployments", RecordsOf(deploymentColumns, p.Deployments)},
		},
	}
}

// testSheets returns how many members the best test finds and, if that has bounds of its own, how many others it
// clears.
func testSheets(p *report.Person) []*Sheet {
	found := &Sheet{Title: "the best test for " + p.TestedFact(), Lines: report.Lines(report.Text, p.HarmLines()...),
		Grid: GridOf(rateColumns, p.Rates), Notes: report.Lines(report.Note, "From "+p.Curve+".")}
	if !p.IsOneSided() {
		return []*Sheet{found}
	}
	return []*Sheet{found, {Grid: GridOf(clearedColumns, p.Rates),
		Notes: report.Lines(report.Note, "Found among members, cleared among others: clearing a person is another test, with bounds of its own.")}}
}

func suspicionSheet(p *report.Person) *Sheet {
	return &Sheet{Title: "how far a suspicion about a person can grow", Lines: report.Lines(report.Text, p.SuspicionLines()...),
		Grid: GridOf(beliefColumns, p.Beliefs)}
}

// deploymentSheet sets the release among deployments with the same unit.
func deploymentSheet(p *report.Person) *Sheet {
	if len(p.Deployments) == 0 {
		return &Sheet{Title: "among real deployments",
			Notes: report.Lines(report.Note, "None in the library has this unit; values for another unit cannot be compared.")}
	}
	rows := slices.Clone(p.Deployments)
	if p.ComparedBound.Finite() {
		rows = append(rows, report.Deployment{Name: "this scenario", Epsilon: p.ComparedBound.Epsilon, Delta: p.ComparedBound.Delta})
		slices.SortStableFunc(rows, func(a, b report.Deployment) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
	}
	s := &Sheet{Title: "among deployments with the same unit, as reported", Grid: GridOf(deploymentColumns, rows),
		Notes: report.Lines(report.Note, "Whether an ε is large or small depends on the unit, the δ and the data; we attach no label.")}
	if p.PlaceText != "" {
		s.AddText("This one stands " + p.PlaceText + ".")
	}
	return s
}
