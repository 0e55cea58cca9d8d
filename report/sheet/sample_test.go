package sheet

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/review"
)

// sample returns a result with one bound of every status, made by hand, so that the
// outputs are tested apart from the theorems.
func sample() *scenarios.Result {
	inf := math.Inf(1)
	return &scenarios.Result{
		Name: "City open data", Unit: "resident-year", Adjacency: mechanisms.AddRemove, Rounds: 1,
		Target: accounting.Target{Epsilon: 6, Delta: 1e-6},
		Bounds: []accounting.Bound{
			{Method: accounting.Basic, Status: accounting.Valid, Epsilon: 12.8712, Delta: 1e-6, Note: "52 Gaussian releases share δ evenly"},
			{Method: accounting.Advanced, Status: accounting.Valid, Epsilon: 8.0201, Delta: 1e-6},
			{Method: accounting.Optimal, Status: accounting.NotApplicable, Epsilon: inf, Note: "Gaussian noise has no pure ε"},
			{Method: accounting.RDP, Status: accounting.Valid, Epsilon: 5.62, Delta: 1e-6, Alpha: 11.7},
			{Method: accounting.RDPPinned, Status: accounting.Valid, Epsilon: 100, Delta: 1e-6, Alpha: inf},
			{Method: accounting.ZCDP, Status: accounting.Vacuous, Epsilon: inf, Delta: 1e-6, Note: "the sum of ρ is infinite"},
			{Method: accounting.GDP, Status: accounting.Unproven, Epsilon: 5.0647, Delta: 1e-6, Note: "central limit, not a bound"},
			{Method: accounting.Numerical, Status: accounting.Valid, Epsilon: 5.3107, Lower: 5.3061, Delta: 1e-6},
		},
		Best: 7,
		Entries: []scenarios.EntryResult{
			{Index: 1, Mechanism: "laplace", Label: "districts", Count: 100, Share: 0.64},
			{Index: 2, Mechanism: "gaussian", Label: "weekly\x1b[31m", Count: 52, Share: 0.36},
			{Index: 3, Mechanism: "pure", Count: 1e12, Disabled: true},
		},
		Notes: []scenarios.Note{{Entry: 2, Note: mechanisms.Note{Code: "classic-gaussian", Text: "classic calibration holds for ε < 1 only"}}},
	}
}

// openPoints are two points of the sample that are not settled.
var openPoints = []review.Point{
	{Name: scenarios.PointDelta, Sign: review.Wrong, Text: "δ ≥ 1/n\x1b[31m.", Other: &review.Other{Answer: "δ = 1e-7", Epsilon: 6.3, Before: 5}},
	{Name: scenarios.PointUnit, Sign: review.Ask, Says: "none given", Text: "Whose data is one record?"},
}
