package review

import "testing"

// TestUnitNoun names units as a line of the review does: those of the bundled scenarios, and what people type.
func TestUnitNoun(t *testing.T) {
	for unit, want := range map[string]string{
		"person": "person", "user-day": "user-day", "one visitor, all visits": "visitor", "visitor, all visits": "visitor",
		"person with up to five records": "person", "user and value": "user and value", "housing unit": "housing unit",
		"user, 6 hours": "user, 6 hours", "A household": "household", "an employee (of the town)": "employee",
		"each phone": "phone", "one": "one", "": "unit", ", all": "unit", "Einwohnerin": "Einwohnerin",
		"whoever lived in the county in the year before": "unit", "line\nbreak": "line break",
	} {
		if got := unitNoun(unit); got != want {
			t.Errorf("%q is named %q, want %q", unit, got, want)
		}
	}
}
