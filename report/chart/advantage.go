package chart

import (
	"math"
	"slices"
)

// smallAdvantage is the largest advantage of an attacker at which the two errors of a test lie so near to the
// diagonal of guessing that their picture would be one line.
const smallAdvantage = 0.1

// AboveGuessing returns a trade-off whose curves all but coincide with guessing as the advantage over it, 1 − type I
// − type II error, against the type I error, so that they can be distinguished; false for every other chart. An upper
// bound on the advantage is a lower one on the errors.
func (c Chart) AboveGuessing() (Chart, bool) {
	at := slices.IndexFunc(c.Marks, func(m Mark) bool { return m.Answer })
	if !c.Square || !c.Y.Lower || at < 0 || 1-c.Marks[at].X-c.Marks[at].Y >= smallAdvantage {
		return c, false
	}
	c.Title, c.Square = "an attacker's advantage over guessing", false
	c.Y = Axis{Label: "advantage over guessing", Min: 0, Max: unset, Upper: true}
	c.Series, c.Marks = slices.Clone(c.Series), slices.Clone(c.Marks)
	for i, s := range c.Series {
		above := make([]float64, len(s.Y))
		for k, y := range s.Y {
			above[k] = math.Max(0, 1-s.X[k]-y)
		}
		c.Series[i].Y = above
	}
	c.Marks[at].Y = 1 - c.Marks[at].X - c.Marks[at].Y
	return c, true
}
