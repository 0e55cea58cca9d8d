package plan

import (
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// fieldOf returns the name of an unknown in an entry, "" if it has none.
func fieldOf(e *scenarios.Entry, solve string) string {
	switch {
	case solve == "count":
		return solve
	case e.Parallel != nil, solve == "epsilon" && ownValues(e).Has("sigma"): // a σ has no stated δ at which to name an ε
		return ""
	}
	spec := e.Spec()
	if p, has := spec.Param(solve); has {
		return p.Name
	}
	for _, p := range spec.Params {
		if p.Alias == solve {
			return p.Name
		}
	}
	return ""
}

// ownValues returns the values of the mechanism itself; for a selection those of the mechanism
// it runs.
func ownValues(e *scenarios.Entry) param.Values {
	if _, values, ok := mechanisms.RunOf(e.Mechanism, e.Values); ok {
		return values
	}
	return e.Values
}

// CurrentValue returns the present value of an unknown; false if it is not stated.
func CurrentValue(s *scenarios.Scenario, solve string, entry int) (float64, bool) {
	switch {
	case solve == "scale":
		return 1, true
	case solve == "rounds":
		return s.Rounds, true
	case solve == "delta":
		return s.Budget.Delta, true
	case entry < 1 || entry > len(s.Stack):
		return 0, false
	}
	e := &s.Stack[entry-1]
	field := fieldOf(e, solve)
	if field == "count" {
		return e.Count, true
	}
	v, stated := e.Values[field]
	if training, ok := mechanisms.BuildAs[mechanisms.Batched](e.Mechanism, e.Values); ok && !stated && solve == "steps" {
		course, err := training.Schedule(s.Records)
		return course.Steps, err == nil
	}
	return v.Number, stated
}

// SolvableFor lists the unknowns that [Planner.Plan] can solve for in one entry, the most useful first.
func SolvableFor(e scenarios.Entry) []string {
	var list []string
	values := ownValues(&e)
	for _, name := range []string{"sigma", "epsilon", "steps", "n", "count", "max_batch"} {
		// If the noise can be stated in two ways, the one in use is listed.
		if fieldOf(&e, name) == "" || name == "sigma" && !values.Has("sigma") && values.Has("epsilon") {
			continue
		}
		if drawn := mechanisms.SamplingScheme(values["batches"].Text); name == "max_batch" && drawn != "" &&
			drawn != mechanisms.Poisson && drawn != mechanisms.Truncated {
			continue // only Poisson samples are cut
		}
		list = append(list, name)
	}
	return list
}
