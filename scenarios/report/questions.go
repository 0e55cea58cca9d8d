package report

import (
	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

// Questions are what students ask about advanced composition, answered with the numbers of
// the scenario. It is empty where the theorem has nothing to say of the stack.
func Questions(r *scenarios.Result) []accounting.Question {
	for _, b := range r.Bounds {
		if list := b.Questions(Writing); len(list) > 0 {
			return list
		}
	}
	return nil
}
