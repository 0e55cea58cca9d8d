package mechanisms

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/mechanisms/param"
	"epsiloscope/mechanisms/selection"
)

// selectors returns the four ways to pick, of one ε, Δ and list of scores.
func selectors(epsilon, sensitivity float64, monotone bool, scores ...float64) map[string]Selector {
	items := param.ScoresValue(scores...).Items
	of := map[string]Selector{
		"exponential mechanism": Exponential{Epsilon: epsilon, Sensitivity: sensitivity, Monotone: monotone, Candidates: items},
	}
	for _, shape := range []string{"laplace", "exponential", "gumbel"} {
		of[shape] = NoisyMax{Epsilon: epsilon, Sensitivity: sensitivity, Monotone: monotone,
			Shape: shape, Candidates: items}
	}
	return of
}

// sound checks what holds of every selection: probabilities that sum to one, equal
// scores equally likely, higher ones at least as likely, theorems above what they
// bound, and no figure that is not a number.
func sound(t interface {
	Helper()
	Errorf(string, ...any)
}, what string, s *selection.Distribution) {
	t.Helper()
	total, least, most := 0.0, 1.0, 0.0
	for i, p := range s.Probabilities {
		if !(p >= 0 && p <= 1) {
			t.Errorf("%s: candidate %d has probability %v", what, i, p)
			return
		}
		if total += p; s.Items[i].Value == s.Best {
			least, most = math.Min(least, p), math.Max(most, p)
		}
	}
	if math.Abs(total-1) > 1e-9 || most-least > 1e-12*most {
		t.Errorf("%s: the sum is %v, the best have %v to %v", what, total, least, most)
	}
	worst := s.Best
	for i, item := range s.Items[:min(len(s.Items), 50)] {
		worst = math.Min(worst, item.Value)
		if s.Probabilities[i] > most*(1+1e-9) {
			t.Errorf("%s: candidate %d is likelier than the best", what, i)
		}
		exact, bound := s.TailAt(item.Value), s.BoundAt(item.Value)
		if !(exact >= 0 && exact <= 1 && bound >= exact*(1-1e-9) && bound <= 1) {
			t.Errorf("%s: at score %v exactly %v, by the theorem at most %v", what, item.Value, exact, bound)
		}
	}
	if e := s.MeanScore(); !(e <= s.Best && e >= worst) && len(s.Items) <= 50 {
		t.Errorf("%s: mean score %v of %v to %v", what, e, worst, s.Best)
	}
	if !(s.Right() > 0 && s.Right() <= 1) || math.IsNaN(s.Gap(0)) || math.IsNaN(s.Gap(3)) ||
		math.IsNaN(s.LossQuantile(0.05)) {
		t.Errorf("%s: right %v, gap %v", what, s.Right(), s.Gap(0))
	}
}

// Scores and sensitivities anywhere in the range of float64, tied or not.
func TestSelectionOfAnySize(t *testing.T) {
	size := rapid.SampledFrom([]float64{5e-324, 1e-308, 1e-300, 1e-9, 1, 1e9, 1e300, 1e308, math.MaxFloat64})
	rapid.Check(t, func(t *rapid.T) {
		epsilon := rapid.SampledFrom([]float64{1e-12, 0.01, 1, 30, 1e4}).Draw(t, "ε")
		sensitivity := size.Draw(t, "Δ")
		one := rapid.Custom(func(t *rapid.T) float64 {
			return size.Draw(t, "size") * rapid.SampledFrom([]float64{-1, -0.5, 0, 0.25, 1}).Draw(t, "part")
		})
		scores := rapid.SliceOfN(one, 1, 6).Draw(t, "scores")
		monotone := rapid.Bool().Draw(t, "monotone")
		for name, m := range selectors(epsilon, sensitivity, monotone, scores...) {
			s, err := m.Selection()
			if err != nil {
				t.Fatal(err)
			}
			sound(t, fmt.Sprintf("%s, ε %v, Δ %v, %v", name, epsilon, sensitivity, scores), s)
		}
	})
}

// A plan in other units picks the same: scores and sensitivity scaled together, up to
// where their differences have no float64.
func TestSelectionInOtherUnits(t *testing.T) {
	scores := []float64{1, -1, 0.25, 1, 0.5}
	for name, m := range selectors(3, 0.5, false, scores...) {
		plain, _ := m.Selection()
		for _, unit := range []float64{1e-300, 1e-9, 1e9, 1e300, 1e308, 1.7e308} {
			scaled := make([]float64, len(scores))
			for i, x := range scores {
				scaled[i] = x * unit
			}
			s, err := selectors(3, 0.5*unit, false, scaled...)[name].Selection()
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range plain.Probabilities {
				if math.Abs(s.Probabilities[i]-want) > 1e-9*want {
					t.Errorf("%s in units of %v: candidate %d has %v, not %v", name, unit, i, s.Probabilities[i], want)
				}
			}
			for i, x := range scaled {
				if got, want := s.BoundAt(x), plain.BoundAt(scores[i]); math.Abs(got-want) > 1e-9*want {
					t.Errorf("%s in units of %v: the theorem says %v, not %v", name, unit, got, want)
				}
			}
		}
	}
}

// Ties share; one candidate wins; of two at ±1e308 the better wins if the noise is
// small, and they are as good as tied if it is larger still.
func TestSelectionTies(t *testing.T) {
	equal := make([]float64, 1000)
	for _, c := range []struct {
		name                 string
		epsilon, sensitivity float64
		scores               []float64
		want                 float64 // probability of the first
	}{
		{"all equal", 1, 1, equal, 1.0 / 1000},
		{"all equal and huge", 1, 1, []float64{1e308, 1e308, 1e308, 1e308}, 0.25},
		{"one", 1, 1, []float64{-1e308}, 1},
		{"far apart", 1, 1, []float64{-1e308, 1e308}, 0},
		{"nothing apart", 1e-9, 1e308, []float64{-1e308, 1e308}, 0.5},
		{"smallest steps", 1, 1, []float64{5e-324, 0}, 0.5},
	} {
		for name, m := range selectors(c.epsilon, c.sensitivity, false, c.scores...) {
			s, err := m.Selection()
			if err != nil {
				t.Fatal(err)
			}
			sound(t, c.name+", "+name, s)
			if math.Abs(s.Probabilities[0]-c.want) > 1e-8 {
				t.Errorf("%s, %s: %v, want %v", c.name, name, s.Probabilities[0], c.want)
			}
		}
	}
}

// The privacy of a selection does not depend on its scores, however large or many.
func TestSelectionCostsItsEpsilon(t *testing.T) {
	for _, scores := range [][]float64{nil, {1e308, -1e308}, {0}, {1, 1, 1}} {
		for name, m := range selectors(0.7, 1e308, false, scores...) {
			for _, e := range m.(Mechanism).Releases(1) {
				epsilon, delta, err := e.Release.Approximate()
				if err != nil || epsilon != 0.7 || delta != 0 {
					t.Errorf("%s of %v: (%v, %v), %v", name, scores, epsilon, delta, err)
				}
			}
		}
	}
}
