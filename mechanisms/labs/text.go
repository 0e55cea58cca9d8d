package labs

import (
	"strconv"

	"epsiloscope/mechanisms"
)

// text is a number for a sentence: four significant digits, whole numbers whole.
func text(x float64) string {
	if x == float64(int64(x)) && x > -1e9 && x < 1e9 {
		return strconv.FormatInt(int64(x), 10)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil { // too large for four digits of a float64
		rounded = x
	}
	return mechanisms.FormatNumber(rounded)
}
