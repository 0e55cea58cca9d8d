package report

import (
	"strconv"

	"epsiloscope/scenarios/lectures/exercises"
)

// ExerciseAnswer is the engine's answer to an exercise, for people.
func ExerciseAnswer(a exercises.Answer) string {
	switch {
	case a.Method != "":
		return string(a.Method)
	case a.Whole:
		return strconv.FormatFloat(a.Number, 'f', -1, 64)
	}
	return Figure(a.Number)
}
