package review

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
)

// TestReadClaim reads wordings of ε and δ; a claim that is not understood has to say so.
func TestReadClaim(t *testing.T) {
	type said struct {
		epsilons, deltas []float64
		unread           bool
	}
	e := func(x ...float64) said { return said{epsilons: x} }
	d := func(x ...float64) said { return said{deltas: x} }
	both := func(x, y float64) said { return said{epsilons: []float64{x}, deltas: []float64{y}} }
	unread := said{unread: true}
	for text, want := range map[string]said{
		"":                                   {},
		"private":                            {},
		"4·ln 3 for f = ½ and h = 2":         {},
		"2.46145 at order 10":                {},
		"0.124 × 6.8 = 0.843":                {},
		"epsiloscope says so in 3 steps":     {},
		"epsilon is small":                   {},
		"ε₀ = 1 on each device":              {},
		"ε_1 = 0.5 on each device":           {},
		"ε = 1":                              e(1),
		"ε=1.":                               e(1),
		"ε = .5":                             e(.5),
		"EPSILON 1e-1":                       e(.1),
		"Eps: 0.5":                           e(.5),
		"epsilon of at most 4":               e(4),
		"an epsilon as low as 0.5, at least": e(.5),
		"ϵ ≤ 1":                              e(1),
		"𝜀 < 1":                              e(1),
		`$\varepsilon \leq 0.5$`:             e(.5),
		"ε = １.５":                            e(1.5),
		"ε\u200b = 1":                        e(1),
		"ε_total = 2":                        e(2),
		"ε = 1/2":                            e(.5),
		"ε = ½":                              e(.5),
		"ε = (1/2)":                          e(.5),
		"ε = 1 / 4 per user":                 e(.25),
		"ε = ln 3":                           e(math.Log(3)),
		"ε = ln(3) per report":               e(math.Log(3)),
		"ε = 4·ln 3":                         e(4 * math.Log(3)),
		"ε = 5 × 10^-1":                      e(.5),
		"ε = 5 x 10**-1":                     e(.5),
		"ε = 5·10⁻¹":                         e(.5),
		"ε = 5*10^{-1}":                      e(.5),
		"ε = 10 = 4 + 2 + 1 + 3 per user":    e(10),
		"ε = 0.25 + 0.25":                    e(.5),
		"ε between 1 and 2":                  e(1, 2),
		"ε = 1–2":                            e(1, 2),
		"ε from 1 to 2":                      e(1, 2),
		"ε ∈ [1, 2]":                         e(1, 2),
		"ε = 1 per week, ε = 3 in all":       e(1, 3),
		"epsilon, our parameter, equals 0.5": e(.5),
		"a privacy budget of 0.5":            e(.5),
		"privacy loss at most 2":             e(2),
		"(1, 10⁻⁶) per record":               both(1, 1e-6),
		"(1;1e-6)":                           both(1, 1e-6),
		"(ln 3, 10^-6)-DP":                   both(math.Log(3), 1e-6),
		"(ε, δ) = (0.5, 10⁻⁶)":               both(.5, 1e-6),
		"(ε, δ)-DP with ε = 1 and δ = 10**-6":     both(1, 1e-6),
		"ρ = 0.81 and, at δ = 10⁻¹⁰, ε = 8.9":     both(8.9, 1e-10),
		"ε of 1.453 at δ = 10⁻⁵":                  both(1.453, 1e-5),
		"(34.9, 7·10⁻⁹) per user":                 both(34.9, 7e-9),
		"0.5-DP":                                  both(.5, 0),
		"1/2-differentially private":              both(.5, 0),
		"δ < 1e-6":                                d(1e-6),
		"delta below 10^-6":                       d(1e-6),
		"failure probability 1e-9":                d(1e-9),
		"δ = 0":                                   d(0),
		"without δ":                               d(0),
		"there is no delta":                       d(0),
		"δ-free":                                  d(0),
		"pure DP":                                 d(0),
		"pure differential privacy for everybody": d(0),
		"ε-DP":                      d(0),
		"not pure DP":               {},
		"pure noise":                {},
		"ε = one half":              unread,
		"epsilon of one":            unread,
		"ε = log 3":                 unread,
		"ε = n/a":                   unread,
		"ε = 1/n":                   unread,
		"ε = 1,5":                   unread,
		"ε = 50%":                   unread,
		"ε = 50 %":                  unread,
		"ε = 50 per cent":           unread,
		"ε = 8 over 16":             unread,
		"ε = 8 : 16":                unread,
		"ε = 8¯¹":                   unread,
		"ε = 10-1":                  unread,
		"ε = -1":                    unread,
		"ε = ٠.٥":                   unread,
		"ε = 1.e-3":                 unread,
		"ε = 1 000":                 unread,
		"ε = 5 tenths":              unread,
		"2ε = 1":                    unread,
		"e^ε = 2":                   unread,
		"exp(ε) ≤ 2":                unread,
		"ln ε = 0":                  unread,
		"ε/2 = 1":                   unread,
		"ε² = 4":                    unread,
		"εpsilon = 0.5":             unread,
		"δ = 10-6":                  unread,
		"δ = 1/n":                   unread,
		"δ ≪ 1/n":                   {},
		"ε = 3 in 2 years":          e(3),
		"ε = 3 in two weeks":        e(3),
		"ε = 1 (see above)":         e(1),
		"ε = (ln 3)/2":              e(math.Log(3) / 2),
		"ε = e^-2":                  e(math.Exp(-2)),
		"0.5 DP for all":            e(.5),
		"0.5 differential privacy":  e(.5),
		"10 DP counts":              {},
		"at last — 0.5-DP":          both(.5, 0),
		"(ln(3), 10^-6)-DP":         both(math.Log(3), 1e-6),
		"with probability 1 − δ":    {},
		`ε = \frac{1}{10}`:          e(.1),
		`(\frac{1}{2}, 10^{-6})-DP`: both(.5, 1e-6),
		`(10^{-1}, 10^{-6})-DP`:     both(.1, 1e-6),
		// The name after its number, beside an aside, or in another sign.
		"0.5 ≥ ε":                           e(.5),
		"1/2 > ε > 0.1":                     e(.5, .1),
		"0 < ε":                             {},
		"1e-6 >= δ":                         d(1e-6),
		"2·0.5 = ε":                         unread,
		"2 - 1.5 = ε":                       unread,
		"ε (in total) = 0.5":                e(.5),
		"epsilon (per user, in total) 0.5":  e(.5),
		"ε (at δ = 1e-6) = 0.5":             both(.5, 1e-6),
		"privacy loss (ε, δ) = (0.5, 1e-6)": both(.5, 1e-6),
		"ε (in total)":                      {},
		"ε, δ = 0.5, 1e-6":                  {deltas: []float64{.5}, unread: true},
		"epsilon and delta: 0.5; 1e-6":      {deltas: []float64{.5}, unread: true},
		"ε ＝ 0.5":                           e(.5),
		"ε ≲ 0.5":                           e(.5),
		"ε ≪ 1":                             unread,
		"ε → 0.5":                           unread,
		"ε̂ = 0.5":                          unread,
		"`ε` = 0.5":                         e(.5),
		"∈ = 0.5":                           e(.5),
		"∈-DP":                              d(0),
		"answers ∈ [0, 1]":                  {},
		"eps. = 0.5":                        e(.5),
		"our eps. Pure DP holds":            d(0),
		"a small ε without δ":               d(0),
		"privacy budget ( 0.5, 1e-6 )":      both(.5, 1e-6),
		"privacy budget (≤ 0.5)":            e(.5),
		"ε ( = 0.5, with δ < 1e-6)":         both(.5, 1e-6),
		"a privacy-loss of 0.5":             e(.5),
		"0.5 differentially private":        e(.5),
		"0.5 differentially private tables": e(.5),
		"10 differentially private counts":  {},
		"(ε, δ)-DP":                         {},
		"[0.5, 1e-6]-DP":                    unread,
		"[ε, δ]-DP":                         {},
		"an epsilon under unity":            unread,
		"ε = 8 bits":                        unread,
		"ε = 8 (pure)":                      {[]float64{8}, []float64{0}, false},
		"ε = 8 ‱":                           unread,
		// Wordings that promise less than a careless reader reads.
		"ε = 2 ln 1.1":             unread,
		"ε = ln 3/2":               unread,
		"ε = ln(20)^2":             unread,
		"ε = 1/2·3":                unread,
		"ε = 1/2 × 3":              unread,
		"ε = 2 × 10-30":            unread,
		"ε = 2^3^2":                unread,
		"ε = 1·5":                  unread,
		"ε = 1·e-3":                unread,
		"ε = 5 (10⁻³)":             unread,
		"ε = 2·10-30":              unread,
		"ε = 2 − √3":               unread,
		"ε = 2 − α":                unread,
		"ε = 5-tenths":             unread,
		"ε = 1 in 10":              unread,
		"ε = 1 in a million":       unread,
		"ε = 1 of 1000":            unread,
		"ε = 1 hundred-thousandth": unread,
		"ε = 1_0":                  unread,
		"ε = (√2, 0)":              unread,
		"δ = 1e-400":               unread,
		"(ln .5, 1e-6)":            unread,
		"√2-DP":                    unread,
		"√1e-6-DP":                 unread,
		"√2 -DP":                   unread,
		"2 − 1.9-DP":               unread,
		"(2−1.9)-DP":               unread,
		"1e-61e-6-DP":              unread,
		"1e-61e-6 DP for all":      unread,
		"1 e-6-DP":                 unread,
		"1_6-DP":                   unread,
		"5ths-6-DP":                unread,
		"(1e-61e-6, 1e-9)-DP":      unread,
		"(1, 1e-61e-6)-DP":         {epsilons: []float64{1}, unread: true},
		"ε = 1e-61e-6":             unread,
		"privacy—0.5-DP":           both(.5, 0),
		"1; 0.5-DP":                both(.5, 0),
	} {
		got := readClaim(text)
		same := func(a, b []float64) bool {
			return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= sameNumber*y })
		}
		if !same(got.epsilons, want.epsilons) || !same(got.deltas, want.deltas) || (got.unread != "") != want.unread {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// TestLongClaim gives the reader a text whose parentheses would take it too deep.
func TestLongClaim(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(", gauge.Cases(2e4, 1e6)), strings.Repeat("(", 3000) + "1", strings.Repeat("1+", 1900) + "1",
	} {
		if got := readClaim("ε = " + text); got.unread == "" {
			t.Errorf("%d characters are read as %+v", len(text), got)
		}
	}
}

// TestClaimReaderIsCautious writes a number in a random form into random words: it is read as what it is, or less, or
// said not to be understood.
func TestClaimReaderIsCautious(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.IntRange(1, 9999).Draw(t, "digits")
		power := rapid.IntRange(0, 9).Draw(t, "power")
		value := float64(digits) * math.Pow(10, -float64(power))
		raised := strings.Map(func(c rune) rune { return []rune(superscripts)[c-'0'] }, fmt.Sprint(power))
		form := rapid.SampledFrom([]string{
			fmt.Sprint(value), fmt.Sprintf("%de-%d", digits, power), fmt.Sprintf("%dE−%d", digits, power),
			fmt.Sprintf("%d·10⁻%s", digits, raised), fmt.Sprintf("%d × 10^-%d", digits, power),
			fmt.Sprintf("%d*10**-%d", digits, power), fmt.Sprintf("%d/1%s", digits, strings.Repeat("0", power)),
			fmt.Sprintf(`%d \cdot 10^{-%d}`, digits, power), strings.Replace(fmt.Sprintf("%.9f", value), ".", ",", 1),
		}).Draw(t, "form")
		name := rapid.SampledFrom([]string{"ε", "epsilon", "ϵ", `\varepsilon`, "eps", "privacy budget"}).Draw(t, "name")
		relation := rapid.SampledFrom([]string{" = ", "≤", " of ", " is at most ", ": ", " < "}).Draw(t, "relation")
		around := rapid.SampledFrom([]string{"", " per user", ".", ", always", " (see above)", "; good", " and more", "-DP"})
		before := rapid.SampledFrom([]string{"", "we promise ", "at last: "}).Draw(t, "before")
		text := before + name + relation + form + around.Draw(t, "after")
		got := readClaim(text)
		if len(got.epsilons) == 0 && got.unread == "" {
			t.Fatalf("%q: nothing was read", text)
		}
		if got.unread == "" && slices.Min(got.epsilons) > value*(1+1e-9) {
			t.Fatalf("%q: read %v, said is %v", text, got.epsilons, value)
		}
	})
}

// FuzzClaimWords reads any words: never a panic, never a number that is none.
func FuzzClaimWords(f *testing.F) {
	for _, text := range []string{"(1, 10⁻⁶) per record", "ε = ln(3)/2", "δ < 10^{-6}", "pure 0.5-DP", "ε ∈ [1, 2", "e^ε = (", "10**"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := readClaim(text)
		for _, x := range slices.Concat(got.epsilons, got.deltas) {
			if !(x >= 0) || math.IsInf(x, 0) {
				t.Errorf("%q: %v", text, got)
			}
		}
	})
}
