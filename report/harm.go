package report

import (
	"fmt"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// HarmName words what a budget limits: "membership advantage", "TPR at FPR 0.01".
func HarmName(h scenarios.HarmLimit) string {
	switch h.Kind() {
	case scenarios.HarmAdvantage:
		return "membership advantage"
	case scenarios.HarmTPR:
		return "TPR at FPR " + FormatGiven(h.FPR)
	case scenarios.HarmReconstruction:
		return "reconstruction from prior " + FormatGiven(h.Prior)
	}
	return ""
}

// harmMeaning words a probability of harm as a sentence about an attacker.
func harmMeaning(h scenarios.HarmLimit, p float64) string {
	switch h.Kind() {
	case scenarios.HarmTPR:
		return fmt.Sprintf("an attacker who accuses %s of the others finds at most %s of the members", StatedPercent(h.FPR), Chance(p))
	case scenarios.HarmReconstruction:
		return fmt.Sprintf("an attacker who guesses a secret with success %s without the release guesses it with success at most %s with it", StatedPercent(h.Prior), Chance(p))
	}
	return fmt.Sprintf("no membership test's true-positive rate exceeds its false-positive rate by more than %s", Upper(p))
}

// harmDifference words one kind of harm of two scenarios: "membership advantage: at most 0.3829 → at most 0.1974".
func harmDifference(h scenarios.VersusHarm) string {
	return fmt.Sprintf("%s: at most %s → at most %s", HarmName(h.Limit), Upper(h.A.Upper), Upper(h.B.Upper))
}

// harmVerdict says whether a harm stays within its budget, and by what.
func harmVerdict(r *scenarios.Result) string {
	h := r.Harm
	name, least, limit := HarmName(h.Limit), h.LeastUpper(r.Bounds), h.Limit.Limit()
	by := "by the certified curve"
	if h.Note != "" {
		by = "through the (ε, δ) of theorems"
	}
	figure := fmt.Sprintf("%s at most %s, %s", name, Upper(least), by)
	switch {
	case h.Fits(r.Bounds) && r.IsOpen():
		return fmt.Sprintf("not known to fit the budget of %s: %s", FormatGiven(limit), r.OpenReason())
	case h.Fits(r.Bounds):
		return fmt.Sprintf("fits the budget of %s: %s", FormatGiven(limit), figure)
	case h.Note != "":
		return fmt.Sprintf("not known to fit the budget of %s: %s; there is no certified curve, as %s", FormatGiven(limit), figure, h.Note)
	}
	return fmt.Sprintf("over the budget of %s: %s", FormatGiven(limit), figure)
}

// ImpliedHarm returns the harm that one bound of a result implies, rounded up: the numerical bound by its certified
// curve, any other by its (ε, δ). It is 1 if the bound is not valid.
func ImpliedHarm(r *scenarios.Result, b accounting.Bound) float64 {
	if r.Harm == nil {
		return 1
	}
	through := r.Harm.Limit.HarmOf(b)
	if b.Method == accounting.Numerical {
		return min(through, r.Harm.Certified.Upper)
	}
	return through
}

// BestRow returns the row of the bound that a reader should take: the one that implies the least harm if the
// budget limits a harm, else the one with the smallest ε; −1 if there is none.
func BestRow(r *scenarios.Result) int {
	if r.Harm == nil {
		return r.Best
	}
	least, at := 1.0, -1
	for i, b := range r.Bounds {
		if harm := ImpliedHarm(r, b); b.Status == accounting.Valid && b.Finite() && harm < least {
			least, at = harm, i
		}
	}
	return at
}
