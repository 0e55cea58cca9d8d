package ledger

import (
	"strings"
	"testing"

	"epsiloscope/accounting/adaptive"
)

// What may be quoted follows from the promise and from how the ledger stands.
func TestQuotes(t *testing.T) {
	none, some := 0.0, 1.5
	about := Balance{Filter: adaptive.Description{Title: "basic filter"}}
	for name, c := range map[string]struct {
		promise Promise
		status  Status
		broken  bool
		want    string // name, ε and whether it may be quoted
		words   string
	}{
		"nothing yet":   {Promise{Epsilon: "4"}, Status{Balance: about, Odometer: &none, FixedPlan: &some}, false, "promise 4 true, odometer  false", "nothing was released yet"},
		"an odometer":   {Promise{Epsilon: "4"}, Status{Balance: about, Odometer: &some, OdometerName: "straight line"}, false, "promise 4 true, odometer 1.500 true", "(odometer: straight line)"},
		"a plan too":    {Promise{Epsilon: "4"}, Status{Balance: about, Odometer: &some, FixedPlan: &some}, false, "promise 4 true, odometer 1.500 true, fixed plan 1.500 false", "may not be quoted"},
		"a window":      {Promise{Epsilon: "4", Window: "7d"}, Status{Balance: about}, false, "promise 4 true, odometer  false", "releases outside the window still count"},
		"no odometer":   {Promise{Epsilon: "4", Blocks: "day"}, Status{Balance: about}, false, "promise 4 true, odometer  false", "the basic filter has none"},
		"broken, blank": {Promise{Epsilon: "4"}, Status{Balance: about}, true, "promise 4 false, odometer  false", "none holds after"},
	} {
		var got, words []string
		for _, q := range c.promise.Quotes(&c.status, c.broken) {
			got = append(got, q.Name+" "+q.Epsilon+" "+map[bool]string{true: "true", false: "false"}[q.Quotable])
			words = append(words, q.Words)
		}
		if strings.Join(got, ", ") != c.want || !strings.Contains(strings.Join(words, "\n"), c.words) {
			t.Errorf("%s: %v %q, want %s", name, got, words, c.want)
		}
	}
}
