package scale

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func odd(t *rapid.T, name string) float64 {
	if rapid.Bool().Draw(t, name+" odd") {
		return rapid.SampledFrom([]float64{0, 1, -1, math.Inf(1), math.Inf(-1), math.NaN(),
			math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e300, -1e300, 1e-300}).Draw(t, name)
	}
	return rapid.Float64().Draw(t, name)
}

// Whatever the ends, a scale is usable and its ticks are few, rising, and on it.
func TestScaleIsAlwaysUsable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo, hi := odd(t, "lo"), odd(t, "hi")
		if rapid.Bool().Draw(t, "narrow") { // ends that differ late, and round ones at that
			lo = float64(rapid.IntRange(1, 2000).Draw(t, "thousandths")) / 1000
			hi = lo + float64(rapid.IntRange(1, 200).Draw(t, "width"))*math.Pow10(-rapid.IntRange(1, 15).Draw(t, "digits"))
		}
		s := New(lo, hi, rapid.Bool().Draw(t, "log"))
		if !(s.Min < s.Max) || math.IsInf(s.Min, 0) || math.IsInf(s.Max, 0) || s.Log && s.Min <= 0 {
			t.Fatalf("unusable scale %+v", s)
		}
		if a, b := s.Fraction(s.Min), s.Fraction(s.Max); math.Abs(a) > 1e-9 || math.Abs(b-1) > 1e-9 {
			t.Fatalf("%+v: ends at %g and %g", s, a, b)
		}
		f := rapid.Float64Range(0, 1).Draw(t, "t")
		if back := s.Fraction(s.Value(f)); math.Abs(back-f) > 1e-6 {
			t.Fatalf("%+v: %g comes back as %g", s, f, back)
		}
		n := rapid.IntRange(1, 20).Draw(t, "n")
		ticks := s.Ticks(n)
		if len(ticks) > n+2 {
			t.Fatalf("%+v: %d ticks, asked for %d", s, len(ticks), n)
		}
		for i, k := range ticks {
			if !IsVisible(s.Fraction(k.Value)) || i > 0 && k.Value <= ticks[i-1].Value {
				t.Fatalf("%+v: tick %g out of place in %v", s, k.Value, ticks)
			}
			if i > 0 && k.Label == ticks[i-1].Label {
				t.Fatalf("%+v: label %q twice", s, k.Label)
			}
		}
		if nice := s.Nice(n); !IsVisible(nice.Fraction(s.Min)) || !IsVisible(nice.Fraction(s.Max)) {
			t.Fatalf("%+v: nice %+v cuts it", s, nice)
		}
	})
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		log    bool
		n      int
		want   string
	}{
		{0, 1, false, 5, "[0 0.2 0.4 0.6 0.8 1]"},
		{0, 7.3, false, 4, "[0 2 4 6]"},
		{-12, 12, false, 5, "[-10 -5 0 5 10]"},
		{0, 1e-7, false, 2, "[0 5e-8 1e-7]"},
		{99990, 100010, false, 4, "[99990 99995 100000 100005 100010]"},
		{1, 3000, true, 4, "[1 10 100 1000]"},
		{1, 3000, true, 12, "[1 2 5 10 20 50 100 200 500 1000 2000]"},
		{1, 3000, true, 8, "[1 3 10 30 100 300 1000 3000]"},
		{1e-14, 1, true, 8, "[1e-14 1e-12 1e-10 1e-8 1e-6 1e-4 1e-2 1]"},
		{20, 30, true, 5, "[20 22 24 26 28 30]"},
		{1e-300, 1e300, true, 4, "[1e-200 1 1e200]"},
	} {
		var labels []string
		for _, k := range New(c.lo, c.hi, c.log).Ticks(c.n) {
			labels = append(labels, k.Label)
		}
		if got := fmt.Sprint(labels); got != c.want {
			t.Errorf("%g to %g (log %t), %d: got %s, want %s", c.lo, c.hi, c.log, c.n, got, c.want)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		v      float64
		digits int
		want   string
	}{
		{0, 4, "0"}, {math.Copysign(0, -1), 4, "0"}, {0.05, 4, "0.05"}, {1e-6, 4, "1e-6"}, {2.5e7, 4, "2.5e7"},
		{5.3061, 4, "5.306"}, {12.8, 2, "13"}, {1500, 4, "1500"}, {9999.96, 5, "10000"}, {99999.6, 5, "1e5"},
		{0.001, 3, "0.001"}, {0.000999, 3, "9.99e-4"}, {-0.25, 4, "-0.25"}, {1e5, 3, "1e5"}, {12345, 2, "12345"},
		{math.NaN(), 4, "n/a"}, {math.Inf(1), 4, "inf"}, {math.Inf(-1), 4, "-inf"}, {5e-324, 3, "4.94e-324"},
	} {
		if got := Format(c.v, c.digits); got != c.want {
			t.Errorf("Format(%g, %d) = %q, want %q", c.v, c.digits, got, c.want)
		}
	}
}

// A printed number, read again, is the number to the digits asked for.
func TestFormatReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1e300, 1e300).Draw(t, "v")
		d := rapid.IntRange(1, 12).Draw(t, "digits")
		got, err := strconv.ParseFloat(Format(v, d), 64)
		if err != nil || math.Abs(got-v) > math.Abs(v)*math.Pow(10, float64(1-d))+1e-320 {
			t.Fatalf("%g in %d digits is %q (%v)", v, d, Format(v, d), err)
		}
	})
}

func ExampleScale_Ticks() {
	for _, t := range New(1, 3000, true).Ticks(5) {
		fmt.Println(t.Label)
	}
	// Output:
	// 1
	// 10
	// 100
	// 1000
}

// A day stands below the first of the ticks that have it, and the ticks are all there. Other names are written every
// time.
func TestDaysAreWrittenOnce(t *testing.T) {
	s := New(0, 6.5, false)
	s.Names = []string{"1 Nov", "2 Nov", "2 Nov", "2 Nov", "3 Nov", "2 Nov"}
	labels := func(n int) (list []string) {
		for _, tick := range s.Ticks(n) {
			list = append(list, tick.Label)
		}
		return list
	}
	if got := labels(6); !slices.Equal(got, s.Names) {
		t.Errorf("names: %q", got)
	}
	s.Days = true
	if got, want := labels(6), []string{"1 Nov", "2 Nov", "", "", "3 Nov", "2 Nov"}; !slices.Equal(got, want) {
		t.Errorf("days: %q, want %q", got, want)
	}
	if got, want := labels(3), []string{"2 Nov", "", ""}; !slices.Equal(got, want) {
		t.Errorf("every other: %q, want %q", got, want)
	}
}
