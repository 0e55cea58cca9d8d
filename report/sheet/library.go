package sheet

import (
	"strings"

	"epsiloscope/report"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

// ReviewedScenario is a bundled scenario with its review.
type ReviewedScenario struct {
	scenarios.Info
	Review *review.Review
}

// libraryColumns are the bundled scenarios with what a review says of each.
var libraryColumns = []Column[ReviewedScenario]{
	Words("name", "name", func(s ReviewedScenario) string { return s.Name }),
	{Key: "group", Value: func(s ReviewedScenario) any { return s.Group }},
	{Key: "title", Value: func(s ReviewedScenario) any { return s.Title }},
	{Head: "verdict", Show: func(s ReviewedScenario) string { return s.Review.Verdict.Words() },
		Key: "verdict", Value: func(s ReviewedScenario) any { return string(s.Review.Verdict) }},
	{Key: "claim", Programs: OnlyJSON, Value: func(s ReviewedScenario) any { return claimRecord(s.Review.Claim) }},
	{Key: "by", Value: func(s ReviewedScenario) any { return s.Review.Claim.By }},
	{Head: "claim", Show: func(s ReviewedScenario) string { return s.Review.Claim.String() }},
	{Head: "proven", Align: Decimal, Show: func(s ReviewedScenario) string {
		if !s.Review.Bound.Finite() {
			return ""
		}
		return report.Upper(s.Review.Bound.Epsilon)
	}, Key: "epsilon", Value: func(s ReviewedScenario) any { return finiteEpsilon(s.Review.Bound) }},
	{Key: "wrong", Programs: OnlyJSON, Value: func(s ReviewedScenario) any { return pointNames(s.Review, review.Wrong) }},
	{Key: "questions", Programs: OnlyJSON, Value: func(s ReviewedScenario) any { return pointNames(s.Review, review.Ask) }},
	{Head: "open points", Show: func(s ReviewedScenario) string {
		var parts []string
		for _, sign := range []review.Sign{review.Wrong, review.Ask} {
			if names := pointNames(s.Review, sign); len(names) > 0 {
				parts = append(parts, sign.Mark()+" "+strings.Join(names, ", "))
			}
		}
		return strings.Join(parts, "  ")
	}},
}

// pointNames returns the names of the points with a sign, never nil.
func pointNames(r *review.Review, sign review.Sign) []string {
	names := []string{}
	for _, p := range r.Questions() {
		if p.Sign == sign {
			names = append(names, string(p.Name))
		}
	}
	return names
}

// Library returns bundled scenarios with the verdict on the claim of each and the points that are not settled.
func Library(list []ReviewedScenario) *Sheet {
	s := NewSheet("", libraryColumns, list)
	s.Data = RecordsOf(libraryColumns, list)
	return s
}
