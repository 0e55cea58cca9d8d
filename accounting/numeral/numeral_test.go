package numeral

import (
	"math"
	"strings"
	"testing"

	_ "epsiloscope/internal/gauge" // the seed of property tests

	"pgregory.net/rapid"
)

func TestArgument(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "a.ledger": "a.ledger", "été/2026-11.ledger": "été/2026-11.ledger", "my ledger": `"my ledger"`, "a;b": `"a;b"`, "~x": `"~x"`,
		"$(reboot)": "'$(reboot)'", "one's": `'one'\''s'`, "a\\b": `'a\b'`,
	} {
		if got := Argument(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	cases := []struct {
		text string
		want float64
	}{
		{"1e-6", 1e-6}, {" 0.5 ", 0.5}, {".5", 0.5}, {"5.", 5}, {"1_000_000", 1e6},
		{"ln(3)", math.Log(3)}, {"LN( 3 )", math.Log(3)}, {"1/800", 1.0 / 800}, {"sqrt(2)", math.Sqrt2},
		{"e^-32", math.Pow(math.E, -32)}, {"exp(-32)", math.Exp(-32)}, {"2*ln(3)", 2 * math.Log(3)},
		{"256/60000", 256.0 / 60000}, {"-2^2", -4}, {"2^3^2", 512}, {"(1+2)*3", 9}, {"8-3-2", 3}, {"8/4/2", 1},
		{"2^-1", 0.5}, {"- -3", 3}, {"+3", 3}, {"1e3", 1000}, {"1E+3", 1000}, {"e", math.E}, {"pi", math.Pi},
		{"log2(8)", 3}, {"log10(1000)", 3}, {"−1", -1}, {"2×3", 6}, {"√4", 2}, {"√(2+2)*3", 6},
	}
	for _, c := range cases {
		got, err := Parse(c.text)
		if err != nil || math.Abs(got-c.want) > 1e-15*math.Abs(c.want) {
			t.Errorf("%q: got %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	cases := []struct{ text, want string }{
		{"", "is empty; a number is expected"},
		{"abc", `is not a number: "abc" is unknown`},
		{"1 2", `is not a number: "2" is unexpected`},
		{"2e", `is not a number: "e" is unexpected`},
		{"1_", `is not a number: "_" is unexpected`},
		{"1__0", `is not a number: "__0" is unexpected`},
		{"1_.5", `is not a number: "_.5" is unexpected`},
		{"1/0", "divides by zero"},
		{"ln(0)", "is not a finite number"},
		{"ln(-1)", "is not a finite number"},
		{"exp(1000)", "is not a finite number"},
		{"1e999", "is too large for a number: 1e999"},
		{"1e-400", "is too small for a number: 1e-400"},
		{"1e-200*1e-200", "is too small for a number"},
		{"1e-200/1e200", "is too small for a number"},
		{"2^-1100", "is too small for a number"},
		{"1e-200^2", "is too small for a number"},
		{"exp(-1000)", "is too small for a number"},
		{"(1", "is not a number: a closing parenthesis is missing"},
		{"1+", "is not a number: it ends too early"},
		{"log(2)", "uses log, which has several meanings; write ln, log2 or log10"},
		{"ln 3", "is not a number: ln needs a parenthesis, as in ln(3)"},
		{".", `is not a number: "."`},
		{"NaN", `is not a number: "NaN" is unknown`},
		{"\x1b[31m", `is not a number: "\x1b[31m" is unexpected`},
		{strings.Repeat("(", 100) + "1" + strings.Repeat(")", 100), "is nested too deeply for a number"},
		{strings.Repeat("-", 100) + "1", "is nested too deeply for a number"},
		{strings.Repeat("1", 1000), "is too long for a number (more than 256 characters)"},
	}
	for _, c := range cases {
		if x, err := Parse(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q: got %v, %v; want %q", c.text, x, err, c.want)
		}
	}
}

func TestFormat(t *testing.T) {
	for want, x := range map[string]float64{
		"0.1": 0.1, "1e-6": 1e-6, "10000": 1e4, "1e6": 1e6, "1e12": 1e12, "60000": 60000, "-1": -1, "0": 0,
		"1234567": 1234567, "0.0001": 1e-4, "1e-5": 1e-5, "1.5e-7": 1.5e-7, "∞": math.Inf(1), "NaN": math.NaN(),
	} {
		if got := Format(x); got != want {
			t.Errorf("Format(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestFormatReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		got, err := Parse(Format(x))
		if err != nil || got != x {
			t.Fatalf("%v is written %s and reads back as %v, %v", x, Format(x), got, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1e-6", "ln(3)", "2*(1+e^-32)/sqrt(2)", "−√π", "((((", "1e+", "0x1p-2", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse(text)
		if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
			t.Fatalf("%q gave %v", text, x)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\x1b\n\x00") {
			t.Fatalf("%q: the message carries control characters: %q", text, err)
		}
	})
}

// Rounding is to the nearest, never out of the range of numbers, and what it leaves is
// written in no more digits.
func TestRound(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   string
	}{
		{0.0012345, 4, "0.001234"}, {1.0 / 3, 4, "0.3333"}, {2.0 / 3, 8, "0.66666667"}, {123456, 2, "120000"}, {-2.5, 4, "-2.5"}, {0, 4, "0"},
		{math.MaxFloat64, 4, "1.7976931348623157e308"}, {math.Inf(1), 4, "∞"}, {math.NaN(), 4, "NaN"},
	} {
		if got := Format(Round(c.x, c.digits)); got != c.want {
			t.Errorf("%g in %d digits: %s, want %s", c.x, c.digits, got, c.want)
		}
	}
}

// A cost in a note is never rounded below what it is.
func TestRoundUp(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{2, 2}, {12.7575, 12.76}, {12.7525, 12.76}, {8.28671, 8.287}, {8.28601, 8.287}, {9.9991, 10}, {1.0001e-7, 1.001e-7}, {math.MaxFloat64, math.MaxFloat64},
	} {
		if got := RoundUp(c.x, 4); math.Abs(got-c.want) > 1e-12*c.want || got < c.x {
			t.Errorf("RoundUp(%v, 4) = %v, want %v", c.x, got, c.want)
		}
	}
}

// Rounded to a side a number stays on it, has no more digits than asked for, and is within one
// unit of the last of them.
func TestRoundToASide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := math.Pow(10, rapid.Float64Range(-30, 30).Draw(t, "log x"))
		digits := rapid.IntRange(1, 12).Draw(t, "digits")
		up, down := RoundUp(x, digits), RoundDown(x, digits)
		if up < x || down > x || Round(up, digits) != up || Round(down, digits) != down {
			t.Fatalf("%v to %d digits: %v up, %v down", x, digits, up, down)
		}
		if unit := math.Pow(10, 1-float64(digits)); (up-down)/x > 1.001*unit {
			t.Fatalf("%v to %d digits: %v up, %v down, more than a unit apart", x, digits, up, down)
		}
	})
	if RoundUp(1000, 4) != 1000 || RoundDown(1000, 4) != 1000 || RoundDown(999.96, 4) != 999.9 ||
		RoundUp(1000.1, 4) != 1001 {
		t.Error("a round number moves")
	}
}
