package scenarios

import (
	"strconv"
	"strings"
)

// Window is the span of time to which a unit such as "user-day" is limited; Year is the number of such spans
// per year.
type Window struct {
	Name    string // "day"
	PerYear float64
}

// Span returns the span after "per" or "every": "day", "six hours".
func (w Window) Span() string {
	if w.Name == "6h" {
		return "six hours"
	}
	return w.Name
}

// Words returns one such span as a sentence names it: "one day", "six hours", "3 days".
func (w Window) Words() string {
	if span := w.Span(); strings.Contains(span, " ") {
		return span
	}
	return "one " + w.Name
}

// windows are the spans of time that [WindowOf] looks for in a unit, in the singular.
var windows = []Window{
	{"6h", 4 * 365}, {"hour", 24 * 365}, {"day", 365}, {"week", 52}, {"month", 12}, {"quarter", 4}, {"year", 1}, {"yr", 1},
}

// WindowOf finds the last window in a unit, such as "person-month" or "user, 6 hours";
// false if the unit covers all of time.
func WindowOf(unit string) (Window, bool) {
	words := strings.FieldsFunc(strings.ToLower(unit), func(r rune) bool {
		return r == '-' || r == '/' || r == ' ' || r == ',' || r == '–'
	})
	for i := len(words) - 1; i >= 1; i-- { // the first word is whose data it is
		for _, w := range windows {
			if words[i] != w.Name && words[i] != w.Name+"s" {
				continue
			}
			if n, err := strconv.Atoi(words[i-1]); err == nil && n > 1 && i > 1 {
				return Window{words[i-1] + " " + words[i], w.PerYear / float64(n)}, true
			}
			return w, true
		}
	}
	return Window{}, false
}
