package plan

import (
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// fieldOf is what an unknown is called in an entry, "" if it has none.
func fieldOf(e *scenarios.Entry, solve string) string {
	switch {
	case solve == "count":
		return solve
	case e.Parallel != nil, solve == "epsilon" && e.Values.Has("sigma"): // whose δ nobody stated
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

// Now is what an unknown is at present; false if it is not stated.
func Now(s *scenarios.Scenario, solve string, entry int) (float64, bool) {
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
	if m, _ := mechanisms.New(e.Mechanism, e.Values); !stated && solve == "steps" {
		if training, ok := m.(mechanisms.DPSGD); ok {
			training, err := training.Of(s.Records)
			return training.Steps, err == nil
		}
	}
	return v.Number, stated
}

// SolvableFor lists what [Planner.Plan] can solve for of one entry, the most telling first.
func SolvableFor(e scenarios.Entry) []string {
	var list []string
	for _, name := range []string{"sigma", "epsilon", "steps", "n", "count", "max_batch"} {
		field := fieldOf(&e, name)
		// Of two ways to state the same noise, the one in use is asked for.
		if field == "" || field == "sigma" && !e.Values.Has("sigma") && e.Values.Has("epsilon") {
			continue
		}
		if drawn := mechanisms.Drawing(e.Values["batches"].Text); name == "max_batch" && drawn != "" && drawn != mechanisms.Poisson && drawn != mechanisms.Truncated {
			continue // only Poisson samples are cut
		}
		list = append(list, name)
	}
	return list
}
