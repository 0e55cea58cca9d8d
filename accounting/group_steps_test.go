package accounting

import "testing"

// A group of many is halved again and again, and every order of it asks for hundreds of orders of the step: they are
// those of a grid, and the bound is at most a thousandth above what the orders themselves give, and never below.
func TestStepsOfALargeGroupAreAskedOnce(t *testing.T) {
	asked := 0
	step := counted{MixtureOfGaussians([]float64{0, 0.5}, []float64{0.9, 0.1}), &asked}
	onGrid := newGroup(step, 9, "group", nil).(group)
	direct := onGrid
	direct.step = curveOf(step.Release)
	for alpha := 1.5; alpha < 6; alpha += 0.25 {
		value, exact := onGrid.triangle(alpha, 9), direct.triangle(alpha, 9)
		if value < exact*(1-1e-12) || value > exact*1.001 {
			t.Errorf("at α = %v it is %v, directly %v", alpha, value, exact)
		}
	}
	if asked > 600 {
		t.Errorf("the step was asked for %d orders", asked)
	}
}
