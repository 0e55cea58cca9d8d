package selection

import (
	"math"
	"testing"
)

// Grouping close scores must not change what a long list gives: the same scores
// kept apart and grouped.
func TestGroupedLevels(t *testing.T) {
	depths := make([]float64, 1500)
	for i := range depths {
		depths[i] = -20 * math.Sqrt(float64(i)/1500)
	}
	for name, rule := range map[string]func([]level) []float64{"laplace": laplaceMax, "exponential": permuteAndFlip} {
		apart := rule(group(depths, 0))
		groups := group(depths, levelWidth)
		together := rule(groups)
		for _, i := range []int{0, 5, 300, 1499} {
			g := find(groups, depths[i])
			got := together[g] * math.Exp(depths[i]-groups[g].depth)
			if math.Abs(got-apart[i]) > 2e-3*apart[i] {
				t.Errorf("%s, depth %v: %v grouped, %v apart", name, depths[i], got, apart[i])
			}
		}
	}
}
