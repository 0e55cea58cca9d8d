package document

import (
	"math"
	"strconv"
	"strings"
)

// Step moves x to the next number a person would pick, in the direction of by (+1
// or −1): the next one with the given count of significant digits, so that steps
// feel alike at 1e-6 and at 100 (0.1, 0.11, 0.12 … 0.99, 1, 1.1). A whole number
// moves by at least one. A number between two such values moves to the nearer one
// first.
func Step(x float64, by int, digits int, whole bool) float64 {
	if x <= 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	mantissa, exponent := decompose(x, digits)
	if whole && exponent < 0 { // below the digits asked for every whole number is a step
		next := math.Floor(x) + 1
		if by < 0 {
			next = math.Ceil(x) - 1
		}
		return max(next, 0)
	}
	next := math.Floor(mantissa+1e-9) + 1
	if by < 0 {
		next = math.Ceil(mantissa-1e-9) - 1
		if next < math.Pow10(digits-1) { // 0.10 is left downwards to 0.099
			next, exponent = math.Pow10(digits)-1, exponent-1
		}
	}
	return compose(next, exponent)
}

// Scale multiplies or divides by ten, keeping the digits.
func Scale(x float64, by int) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	mantissa, exponent := decompose(x, 15)
	return compose(math.Round(mantissa), exponent+by)
}

// decompose writes x as mantissa·10^exponent with digits before the point.
func decompose(x float64, digits int) (mantissa float64, exponent int) {
	before, after, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	mantissa, _ = strconv.ParseFloat(before, 64)
	exponent, _ = strconv.Atoi(after)
	return mantissa * math.Pow10(digits-1), exponent - digits + 1
}

// compose goes through text, because 12·10^−2 computed is not the float 0.12.
func compose(mantissa float64, exponent int) float64 {
	x, _ := strconv.ParseFloat(strconv.FormatFloat(mantissa, 'f', 0, 64)+"e"+strconv.Itoa(exponent), 64)
	return x
}
