package accounting

import (
	"math/big"
	"strconv"
	"strings"
)

// WithQuotient returns a release whose pure ε is exactly dividend / divisor, as both are written: Laplace noise of
// scale 3 costs a third, and three such answers cost 1. Only a sum that has to be exact asks for it, by [ExactEpsilon].
// The release stays as it is if its ε is not that quotient in float64, if a number was not typed but computed, or if ε
// is the exact quotient.
func WithQuotient(r Release, dividend, divisor float64) Release {
	r = checkAnswers(r)
	epsilon, delta, err := r.Approximate()
	if err != nil || delta != 0 || !finite(epsilon, dividend, divisor) || divisor == 0 || epsilon != dividend/divisor {
		return r
	}
	if !MayBeWritten(dividend) || !MayBeWritten(divisor) { // a sensitivity that follows from a query is rounded
		return r
	}
	exact := new(big.Rat).Quo(shortestDecimal(dividend), shortestDecimal(divisor))
	if exact.Cmp(shortestDecimal(epsilon)) == 0 {
		return r
	}
	return quotient{r, exact}
}

// writtenDigits is the largest number of digits of a number that a person typed. What was computed has up to 17, and
// fewer than writtenDigits by chance only.
const writtenDigits = 10

// MayBeWritten reports whether a number has so few digits that a person may have typed it: then it is meant exactly.
// Any other was computed, and may lie below the exact value by its last digits.
func MayBeWritten(x float64) bool {
	mantissa, _, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	return len(strings.Replace(mantissa, ".", "", 1)) <= writtenDigits
}

// shortestDecimal returns the shortest decimal that stands for a number.
func shortestDecimal(x float64) *big.Rat {
	exact, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'e', -1, 64))
	return exact
}

// quotient is a release with the exact value of its pure ε.
type quotient struct {
	Release
	exact *big.Rat
}

func (q quotient) Key() string { return KeyOf(q.Release) + "=" + q.exact.String() }
func (quotient) ownKey()       {}

// Unwrap returns the release without the exact value, for [unwrapAs].
func (q quotient) Unwrap() Release { return q.Release }

// ExactEpsilon returns the pure ε of a release as an exact quotient; false if only its float64 is known.
func ExactEpsilon(r Release) (*big.Rat, bool) {
	q, ok := unwrapAs[quotient](r)
	if !ok {
		return nil, false
	}
	return new(big.Rat).Set(q.exact), true
}
