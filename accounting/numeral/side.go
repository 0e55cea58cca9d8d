package numeral

// Side is the side to which a number is rounded, so that the sentence in which it stands stays true: a cost up, a lower
// end down. It is also the side of the truth on which an estimate lies.
type Side int

// The sides. A number that is neither a bound nor a part of one goes to the nearest.
const (
	Down      Side = -1
	ToNearest Side = 0
	Up        Side = +1
)
