package scenarios_test

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// notSmallest says how the best bound of a result differs from what docs/tables.md promises: the smallest proven bound,
// the certified upper end among them or, if a bound at δ = 0 reads the same, that one. It is "" if it does not.
func notSmallest(r *scenarios.Result) string {
	least := math.Inf(1)
	for _, b := range r.Bounds {
		if b.Status == accounting.Valid {
			least = math.Min(least, b.Epsilon)
		}
		if b.Interval != nil && b.Status == accounting.Valid {
			least = math.Min(least, b.Interval.Upper)
		}
	}
	switch {
	case r.Best < 0 && math.IsInf(least, 1):
		return ""
	case r.Best < 0:
		return "nothing is best"
	}
	best := r.Bounds[r.Best]
	switch stronger := best.Delta == 0 && r.Target.Delta > 0; {
	case best.Status != accounting.Valid:
		return string(best.Status)
	case best.Epsilon <= least*(1+1e-14): // an end is rounded outwards
		return ""
	case stronger && numeral.Upper(best.Epsilon) == numeral.Upper(least):
		return ""
	}
	return numeral.Format(best.Epsilon) + " by " + string(best.Method) + ", and the smallest is " + numeral.Format(least)
}

// The best bound of every bundled scenario is the smallest proven one, at every stage of its refinement.
func TestBestOfLibraryIsSmallest(t *testing.T) {
	library := loadLibrary(t)
	for _, name := range gauge.Some(12, slices.Sorted(maps.Keys(library))) {
		s := library[name]
		err := scenarios.NewEvaluator().Refine(context.Background(), s, scenarios.Options{},
			func(r *scenarios.Result) bool {
				if problem := notSmallest(r); problem != "" {
					t.Errorf("%s: %s", name, problem)
				}
				return true
			})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
