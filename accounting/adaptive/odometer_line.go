package adaptive

import "math"

const lineSource = "Whitehouse, Ramdas, Rogers & Wu 2023, section 4"

// lineVariance is the V at which advanced composition reaches ε:
// y* = (√(2ℓ+2ε) − √(2ℓ))² with ℓ = ln(1/δ).
func lineVariance(epsilon, delta float64) float64 {
	l := -math.Log(delta)
	root := 2 * epsilon / (math.Sqrt(2*l+2*epsilon) + math.Sqrt(2*l))
	return root * root
}

// Line is the odometer that is straight in V = Σε² (or 2Σρ), tuned to a budget ε: with
// probability 1 − δ the loss stays below it at all times. At the V where advanced
// composition reaches ε it equals it; farther away it is looser.
func Line(v, epsilon, delta float64) float64 {
	y, l := lineVariance(epsilon, delta), -math.Log(delta)
	return v/2 + math.Sqrt(y*l/2) + v*math.Sqrt(l/(2*y))
}
