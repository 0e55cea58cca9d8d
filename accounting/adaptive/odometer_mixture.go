package adaptive

import "math"

const oneSidedSource = "Howard, Ramdas, McAuliffe & Sekhon 2021, one-sided normal mixture; Whitehouse, Ramdas, Rogers & Wu 2023, section 4"

// OneSidedMixture is the odometer that averages lines over a half-normal prior: with
// probability 1 − δ the loss stays below it at all times, for V = Σε² (or 2Σρ). γ is
// the V at which it should be sharp. It is the closed form, a little above the root.
func OneSidedMixture(v, gamma, delta float64) float64 {
	w := v + gamma
	return math.Sqrt(2*w*math.Log1p(math.Sqrt(w/gamma)/(2*delta))) + v/2
}
