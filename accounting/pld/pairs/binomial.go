package pairs

import "math"

// roundoff is the largest relative error of one operation on numbers, 2⁻⁵³.
const roundoff = 1.0 / (1 << 53)

// windowDeviations is the number of deviations to which binomial masses are listed. By Bernstein's inequality less than
// e^{−windowDeviations²/2} < 1e-36 lies beyond windowDeviations deviations and a third of their
// square, on either side.
const windowDeviations = 13

// beyondWindow bounds what a list of binomial masses leaves out on both sides.
const beyondWindow = 1e-36

// binomialMasses lists P(X = first+i) of X ~ Bin(n, q), with a bound on the relative error of each
// mass and of each sum of them. Masses below 1e-290 may be wrong by up to 1e-290 besides.
type binomialMasses struct {
	mass  []float64
	first float64
	err   float64
	below float64 // at least P(X < first)
	above float64 // at least P(X > last)
}

// listBinomial returns the masses of Bin(n, q) around its mean, 0 ≤ q < 1, for a whole number n of
// at most maxPeople.
//
// Each mass is computed from its neighbour by three operations with the odds q/(1−q), which two
// more have rounded: five roundings per step from the mode, so 5·N for N masses. They are divided
// by their sum, which has the error of a mass and N additions; a sum of masses has N more. Together
// that is 2·5·N + 2·N + 1 roundings, and what lies beyond the list.
func listBinomial(n, q float64) binomialMasses {
	mean := n * q
	spread := windowDeviations*math.Sqrt(mean*(1-q)) + windowDeviations*windowDeviations/3
	first := math.Max(0, math.Floor(mean-spread))
	last := math.Min(n, math.Ceil(mean+spread))
	mode := math.Min(last, math.Max(first, math.Floor((n+1)*q)))
	b := binomialMasses{mass: make([]float64, int(last-first)+1), first: first}
	b.mass[int(mode-first)] = 1
	odds := q / (1 - q)
	for j := mode; j < last; j++ {
		b.mass[int(j-first)+1] = b.mass[int(j-first)] * (n - j) / (j + 1) * odds
	}
	for j := mode; j > first; j-- {
		b.mass[int(j-first)-1] = b.mass[int(j-first)] * j / (n - j + 1) / odds
	}
	sum := 0.0
	for _, m := range b.mass {
		sum += m
	}
	for i := range b.mass {
		b.mass[i] /= sum
	}
	b.err = recurrenceError(12, len(b.mass)) + beyondWindow
	if first > 0 {
		b.below = beyondWindow
	}
	if last < n {
		b.above = beyondWindow
	}
	return b
}

// recurrenceError returns the relative error of a number with perStep·steps + 16 roundings:
// (1+u)^k − 1 ≤ 1.01·k·u as long as k·u < 0.01.
func recurrenceError(perStep float64, steps int) float64 {
	return 1.01 * roundoff * (perStep*float64(steps) + 16)
}
