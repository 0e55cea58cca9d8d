package spectrum

import (
	"fmt"
	"math"
)

// ContradictionError are two certified intervals for one number that exclude each other. One of them is wrong, and it
// is not known which: it is a fault of this program, and no answer is given.
type ContradictionError struct {
	First, Second [2]float64 // lower and upper ends
	Stack         string     // the releases that were composed; empty until the caller knows them
}

func (e *ContradictionError) Error() string {
	text := fmt.Sprintf("two certified intervals contradict each other: [%.17g, %.17g] and [%.17g, %.17g]",
		e.First[0], e.First[1], e.Second[0], e.Second[1])
	if e.Stack != "" {
		text += " for " + e.Stack
	}
	return text
}

// roundOff bounds the distance, relative to the upper end, by which the ends of two intervals may pass each other by
// rounding alone.
const roundOff = 1e-9

// Meet returns the larger lower end and the smaller upper end of two certified intervals for one number. Ends that pass
// each other by rounding become one, the larger; if they do so by more than a relative 1e-9 and more than nothing, a
// number below which the quantity counts as 0, the error is a [ContradictionError]. An interval with an end that is not
// a number says nothing.
func Meet(a, b [2]float64, nothing float64) (lower, upper float64, err error) {
	if math.IsNaN(b[0] + b[1]) {
		return a[0], a[1], nil
	}
	lower, upper = math.Max(a[0], b[0]), math.Min(a[1], b[1])
	if lower > upper*(1+roundOff)+nothing {
		return math.Min(a[0], b[0]), math.Max(a[1], b[1]), &ContradictionError{First: a, Second: b}
	}
	return lower, math.Max(lower, upper), nil
}
