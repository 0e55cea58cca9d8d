package scenarios

import (
	"math"

	"epsiloscope/mechanisms"
)

// fourDigits is what a note shows of a number that is no cost.
func fourDigits(x float64) float64 { return mechanisms.RoundNumber(x, 4) }

// atLeast is x > 0 in four significant digits, rounded up: no note may understate
// a cost.
func atLeast(x float64) float64 {
	y := fourDigits(x)
	if y < x { // one unit of the fourth digit
		y = fourDigits(y + math.Pow(10, math.Floor(math.Log10(x))-3))
	}
	return math.Max(x, y)
}
