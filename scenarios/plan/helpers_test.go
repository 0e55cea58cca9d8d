package plan

import (
	"math"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/scenarios"
)

func figureOf(r *scenarios.Result, m accounting.Method) accounting.Bound {
	for _, b := range r.Bounds {
		if b.Method == m {
			return b
		}
	}
	return accounting.Bound{Epsilon: math.NaN()}
}

func targetOf(s *scenarios.Scenario) accounting.Target {
	t, _ := s.Target(0)
	return t
}

func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*math.Max(math.Abs(a), math.Abs(b))
}

func mustParse(t testing.TB, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
