package accounting

import (
	"math"
	"testing"

	"epsiloscope/accounting/numeral"
)

func TestProse(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {1, "1"}, {0.25, "0.25"}, {1e-8, "1e-8"}, {3.96283e-7, "3.963e-7"}, {6.03717e-9, "6.037e-9"},
		{0.0001, "1e-4"}, {0.00012345, "1.235e-4"}, {12.7575, "12.76"}, {12345, "12345"}, {999949, "999949"}, {1e6, "1e6"},
		{-0.5, "-0.5"}, {1e-300, "1e-300"}, {9999.9, "10000"}, {math.Inf(1), "∞"},
	} {
		if got := prose(c.x); got != c.want {
			t.Errorf("prose(%v) = %q, want %q", c.x, got, c.want)
		}
	}
}

// What is spent is never more than a note says, and what is left never less.
func TestProseOnOneSide(t *testing.T) {
	for _, c := range []struct {
		x            float64
		below, above string
	}{
		{0, "0", "0"}, {0.25, "0.25", "0.25"}, {1e-8, "1e-8", "1e-8"}, {1e-6 / 3, "3.333e-7", "3.334e-7"}, {2e-6 / 3, "6.666e-7", "6.667e-7"},
		{12.7575, "12.75", "12.76"}, {12.7525, "12.75", "12.76"}, {9999.9, "9999", "10000"}, {9.9999e-7, "9.999e-7", "1e-6"}, {0.00099996, "9.999e-4", "0.001"},
		{123456.7, "123400", "123500"}, {1234567, "1.234e6", "1.235e6"}, {0.99999, "0.9999", "1"}, {math.Nextafter(1e-7, 1), "1e-7", "1e-7"}, {math.Nextafter(1e-7, 0), "1e-7", "1e-7"}, {math.Inf(1), "∞", "∞"},
		{5e-324, "4.94e-324", "4.941e-324"},
	} {
		if a, b := proseDown(c.x), proseUp(c.x); a != c.below || b != c.above {
			t.Errorf("%v lies between %s and %s, want %s and %s", c.x, a, b, c.below, c.above)
		}
	}
}

// A sum that is over by a little must not read as equal to what it is over.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		x, y float64
		a, b string
	}{
		{1.0000004e-6, 1e-6, "1.0000004e-6", "1e-6"}, {2e-6, 1e-6, "2e-6", "1e-6"}, {1, 1, "1", "1"}, {12.7575, 3, "12.76", "3"}, {12.7525, 3, "12.76", "3"},
		{12347, 12346.9, "12347", "12346.9"}, {12345.1, 12345, "12350", "12345"},
	} {
		if a, b := numeral.FormatDistinct(c.x, c.y); a != c.a || b != c.b {
			t.Errorf("numeral.Apart(%v, %v) = %q, %q, want %q, %q", c.x, c.y, a, b, c.a, c.b)
		}
	}
}
