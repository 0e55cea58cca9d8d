package ledger

import "epsiloscope/report"

// Quote is an ε of a ledger, whether it may be quoted, and why.
type Quote struct {
	Name     string // "promise", "odometer" or "fixed plan"
	Epsilon  string // "" if there is none
	Words    string
	Quotable bool
}

// Quotes returns the promise, the odometer and the ε of a fixed plan, with what decides whether each may be quoted. A
// broken promise may not, and nothing else then holds.
func (p Promise) Quotes(s *Status, broken bool) []Quote {
	promise := Quote{"promise", p.Epsilon, "fixed before the first release", true}
	if p.Blocks != "" {
		promise.Words += ", for each " + p.Blocks
	}
	if p.Window != "" {
		promise.Words += ", within any " + p.WindowText()
	}
	if broken {
		promise.Words, promise.Quotable = "broken: a release did not fit", false
	}
	odometer := Quote{Name: "odometer"}
	switch {
	case s.Odometer != nil && *s.Odometer == 0:
		odometer.Words = "nothing was released yet"
		return []Quote{promise, odometer}
	case s.Odometer != nil:
		odometer = Quote{odometer.Name, report.Upper(*s.Odometer), s.OdometerSense + p.Scope() + " (odometer: " + s.OdometerName + ")", true}
	case p.Window != "":
		odometer.Words = "releases outside the window still count for the people in them"
	case broken:
		odometer.Words = "none holds after the promise was broken"
	default:
		odometer.Words = "the " + s.Filter.Title + " has none"
	}
	list := []Quote{promise, odometer}
	if s.FixedPlan != nil && *s.FixedPlan > 0 {
		list = append(list, Quote{"fixed plan", report.Upper(*s.FixedPlan), "may not be quoted: costs may depend on earlier answers", false})
	}
	return list
}
