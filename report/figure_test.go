package report

import (
	"math"
	"strconv"
	"strings"
	"testing"

	_ "epsiloscope/internal/gauge" // the seed of property tests

	"pgregory.net/rapid"
)

func TestFigure(t *testing.T) {
	for _, c := range []struct {
		x                           float64
		figure, upper, lower, short string
	}{
		{0, "0", "0", "0", "0"},
		{1, "1.000", "1.000", "1.000", "1"},
		{0.1, "0.1000", "0.1000", "0.1000", "0.1"},
		{1e-6, "1.000e-6", "1.000e-6", "1.000e-6", "1e-6"},
		{4.774567588108, "4.775", "4.775", "4.774", "4.775"},
		{1.76741, "1.767", "1.768", "1.767", "1.767"},
		{10 * 0.1, "1.000", "1.000", "1.000", "1"},
		{0.1 + 0.2, "0.3000", "0.3000", "0.3000", "0.3"},
		{99.999, "100.0", "100.0", "99.99", "100"},
		{9999.6, "10000", "10000", "9999", "10000"},
		{14062, "14060", "14070", "14060", "14062"},
		{123456, "123500", "123500", "123400", "123456"},
		{1e12, "1.000e12", "1.000e12", "1.000e12", "1e12"},
		{0.0012341, "0.001234", "0.001235", "0.001234", "0.001234"},
		{0.00012341, "1.234e-4", "1.235e-4", "1.234e-4", "1.234e-4"},
		{-2.5, "-2.500", "-2.500", "-2.500", "-2.5"},
		{1e-300, "1.000e-300", "1.000e-300", "1.000e-300", "1e-300"},
		{5e-324, "4.941e-324", "4.941e-324", "4.940e-324", "4.941e-324"},
		{math.Inf(1), "∞", "∞", "∞", "∞"},
		{math.NaN(), "–", "–", "–", "–"},
	} {
		for _, got := range []struct{ name, got, want string }{
			{"Figure", Nearest(c.x), c.figure}, {"Upper", Upper(c.x), c.upper},
			{"Lower", Lower(c.x), c.lower}, {"Short", Short(c.x), c.short},
		} {
			if got.got != got.want {
				t.Errorf("%s(%g) = %q, want %q", got.name, c.x, got.got, got.want)
			}
		}
	}
}

// A value is quoted on the side on which it costs no more: of an ε below, of a σ above.
func TestQuotedCostsNoMore(t *testing.T) {
	for _, c := range []struct {
		field string
		x     float64
		want  string
	}{
		{"epsilon", 1 / 812.318, "1/812.4"}, {"epsilon", 1.0 / 800, "1/800"}, {"epsilon", 1.0 / 49, "1/49"}, {"epsilon", 0.12346, "0.1234"},
		{"sigma", 12.3412, "12.35"}, {"sigma", 0.012341, "0.01235"},
	} {
		if got := EntryValue(c.field, c.x); got != c.want {
			t.Errorf("%s = %v is quoted as %s, want %s", c.field, c.x, got, c.want)
		}
	}
	if got := Fraction(0.05); got != "" {
		t.Errorf("0.05 is written as a fraction, %s", got)
	}
}

func TestTimes(t *testing.T) {
	for x, want := range map[float64]string{0.9954: "0.99×", 1: "1.00×", 1.0001: "1.00×", 1.249: "1.25×", 236.04: "236.04×"} {
		if got := FormatMultiple(x); got != want {
			t.Errorf("Times(%g) = %q, want %q", x, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for x, want := range map[float64]string{0: "0 %", 0.64: "64 %", 1: "100 %", 0.0031: "0.3 %", 1e-5: "<0.1 %", 0.0996: "10 %"} {
		if got := Percent(x); got != want {
			t.Errorf("Percent(%g) = %q, want %q", x, got, want)
		}
	}
}

// What a person reads stays within half a unit of the fourth digit; an upper
// figure is never below its number, a lower one never above.
func TestFigureRoundsTheRightWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := math.Exp(rapid.Float64Range(-600, 600).Draw(t, "ln x"))
		read := func(s string) float64 {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatalf("%q does not read as a number", s)
			}
			return v
		}
		if got := read(Nearest(x)); math.Abs(got-x) > 5.01e-4*x {
			t.Fatalf("Figure(%g) reads %g", x, got)
		}
		if got := read(Upper(x)); got < x*(1-2*wholePercent) {
			t.Fatalf("Upper(%g) reads %g, below it", x, got)
		}
		if got := read(Lower(x)); got > x*(1+2*wholePercent) {
			t.Fatalf("Lower(%g) reads %g, above it", x, got)
		}
		if s := Nearest(x); len(s) > 10 || strings.Contains(s, "e+") || strings.Contains(s, "e-0") {
			t.Fatalf("Figure(%g) = %q", x, s)
		}
	})
}
