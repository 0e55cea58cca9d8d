package dialogs

import (
	"errors"
	"fmt"

	"epsiloscope/scenarios"
	"epsiloscope/tui/document"
)

// harmFields are the fields of a target by which a budget limits a harm instead of ε.
func harmFields(h scenarios.HarmLimit) []*formField {
	field := func(name, help string, x float64) *formField {
		f := number(document.OrNone("budget."+name), name, "", help, x)
		f.words = map[string]string{"tpr": "true-positive rate", "fpr": "false-positive rate"}[name]
		return f
	}
	return []*formField{
		field("advantage", "instead of ε: the largest membership advantage to stay within, such as 0.2", h.Advantage),
		field("tpr", "instead of ε: the largest share of members that a test may find (TPR), at the false-positive rate below", h.TPR),
		field("fpr", "the share of others accused at which the true-positive rate is limited (FPR), such as 0.01", h.FPR),
		field("reconstruction", "instead of ε: the largest success of guessing a secret of a record; without the output it is the prior below", h.Reconstruction),
		field("prior", "the success of the best guess at the secret without the output: the largest share that one guess covers", h.Prior),
	}
}

// harmLimit returns what the fields of harm say, held against the other budgets of the form.
func (f *form) harmLimit(epsilon float64) (scenarios.HarmLimit, error) {
	h := scenarios.HarmLimit{
		Advantage: f.number("advantage", 0), TPR: f.number("tpr", 0), FPR: f.number("fpr", 0),
		Reconstruction: f.number("reconstruction", 0), Prior: f.number("prior", 0),
	}
	given := 0
	for _, x := range []float64{epsilon, h.Advantage, h.TPR, h.Reconstruction} {
		if x != 0 {
			given++
		}
	}
	if given > 1 {
		return h, errors.New("give one budget, not several: ε, advantage, a true-positive rate at a false-positive rate, or reconstruction with prior; empty the others")
	}
	for _, pair := range []struct {
		limit, at           float64
		limitWords, atWords string
	}{
		{h.TPR, h.FPR, "true-positive rate", "false-positive rate"},
		{h.Reconstruction, h.Prior, "reconstruction", "prior"},
	} {
		switch {
		case pair.limit != 0 && pair.at == 0:
			return h, fmt.Errorf("give the %s too, above 0 and below 1: the %s is limited there", pair.atWords, pair.limitWords)
		case pair.limit == 0 && pair.at != 0:
			return h, fmt.Errorf("give the %s too: the %s says nothing without it", pair.limitWords, pair.atWords)
		}
	}
	return h, scenarios.Budget{Epsilon: epsilon, Harm: h}.Check()
}
