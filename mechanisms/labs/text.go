package labs

import (
	"strconv"

	"epsiloscope/mechanisms/numeral"
)

// text is a number for a sentence: four significant digits, whole numbers whole.
func text(x float64) string {
	if x == float64(int64(x)) && x > -1e9 && x < 1e9 {
		return strconv.FormatInt(int64(x), 10)
	}
	return numeral.Format(numeral.Round(x, 4))
}
