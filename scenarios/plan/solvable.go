package plan

import (
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// SolvableFor lists what [Planner.Plan] can solve for of one entry, the most telling first.
func SolvableFor(e scenarios.Entry) []string {
	var list []string
	for _, name := range []string{"sigma", "epsilon", "steps", "n", "count", "max_batch"} {
		field, ok := fieldOf(&e, name)
		// Of two ways to state the same noise, the one in use is asked for.
		if !ok || name == "epsilon" && e.Values.Has("sigma") || field == "sigma" && !e.Values.Has("sigma") && e.Values.Has("epsilon") {
			continue
		}
		if drawn := mechanisms.Drawing(e.Values["batches"].Text); name == "max_batch" && drawn != "" && drawn != mechanisms.Poisson && drawn != mechanisms.Truncated {
			continue // only Poisson samples are cut
		}
		list = append(list, name)
	}
	return list
}
