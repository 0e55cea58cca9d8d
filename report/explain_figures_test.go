package report_test

import (
	"context"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// figure is a number as it is printed, with the size of its last place.
type figure struct {
	text        string
	value, last float64
}

var figureShape = regexp.MustCompile(`^-?\d+(?:\.\d+)?(?:e-?\d+)?$`)

func figureOf(text string) (figure, bool) {
	text = strings.TrimSuffix(strings.ReplaceAll(text, "−", "-"), ".")
	if !figureShape.MatchString(text) {
		return figure{}, false
	}
	mantissa, exponent, _ := strings.Cut(text, "e")
	power, _ := strconv.Atoi(exponent)
	whole, decimals, broken := strings.Cut(mantissa, ".")
	if significant := strings.TrimRight(whole, "0"); !broken && len(whole) > 4 {
		power += len(whole) - max(4, len(significant)) // a place above the ones is rounded away
	}
	value, _ := strconv.ParseFloat(text, 64)
	return figure{text, value, math.Pow10(power - len(decimals))}, true
}

// contradicts reports whether two figures cannot be of one number: they differ by more than rounding the one to the
// places of the other does, half a unit of the last place, or a whole one for what is rounded to one side.
func (f figure) contradicts(g figure, oneSided bool) bool {
	coarser, apart := math.Max(f.last, g.last), math.Abs(f.value-g.value)
	if f.last == g.last {
		return apart > f.last/2
	}
	if oneSided {
		return apart > coarser*(1+1e-9)
	}
	return apart > coarser/2*(1+1e-9)
}

// term is one of a sum, without its sign.
type term struct {
	text     string
	negative bool
}

// termsOf divides a sum where it is in no brackets.
func termsOf(side string) (list []term) {
	depth, now := 0, term{}
	for i, word := range strings.Fields(side) {
		sign := word == "+" || word == "−"
		switch {
		case depth == 0 && sign && i > 0:
			list = append(list, now)
			now = term{negative: word == "−"}
			continue
		case now.text == "":
			now.text = strings.TrimLeft(word, "-−")
			now.negative = now.negative != (now.text != word)
		default:
			now.text += " " + word
		}
		depth += strings.Count(word, "(") - strings.Count(word, ")")
	}
	return append(list, now)
}

// clauseEnd matches what stands between the equations of a line: "ρ = 20, ln(1/δ) = 13.8: ε = 43.5" has three.
var clauseEnd = regexp.MustCompile(`[,:;] `)

// figuresIn returns what the equations of a line say of their symbols: "a + b = 1 + 2 = 3 ≤ 4" what a is, and b.
func figuresIn(line string) map[string]figure {
	found := map[string]figure{}
	for _, clause := range clauseEnd.Split(line, -1) {
		addFigures(found, clause)
	}
	return found
}

// addFigures adds what one equation says.
func addFigures(found map[string]figure, equation string) {
	sides := strings.Split(equation, " = ")
	for i, side := range sides[1:] {
		side, _, _ = strings.Cut(side, " ≤ ")
		for _, earlier := range sides[:i+1] {
			names, values := termsOf(earlier), termsOf(side)
			if len(names) != len(values) {
				continue
			}
			for k, name := range names {
				f, ok := figureOf(values[k].text)
				if _, symbolic := figureOf(name.text); !ok || symbolic {
					continue
				}
				if name.negative != values[k].negative {
					f.value, f.text = -f.value, "-"+f.text
				}
				found[name.text] = f
			}
		}
	}
}

func TestFiguresOfALine(t *testing.T) {
	for line, want := range map[string]map[string]string{
		"ρ = 20.00, ln(1/δ) = 13.82: ε = 43.51":             {"ρ": "20.00", "ln(1/δ)": "13.82", "ε": "43.51"},
		"ε = a + √(2 b) = 7.1091 + 1.8164 = 8.9255 ≤ 8.926": {"a": "7.1091", "√(2 b)": "1.8164", "ε": "8.9255"},
		"x = −(p + q)/2 = −3":                               {"(p + q)/2": "3", "x": "-3"},
	} {
		got := map[string]string{}
		for symbol, f := range figuresIn(line) {
			got[symbol] = f.text
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// An explanation prints one quantity as one number: what stands among its inputs, in an equation and in the answer to
// a question is rounded alike, or to further places.
func TestExplanationsPrintOneNumberForOneQuantity(t *testing.T) {
	compared := 0
	stated := regexp.MustCompile(`\S+ = -?[0-9][0-9.e-]*`) // within the prose of an answer
	for _, it := range gauge.Some(3, scenarios.LibraryInfos()) {
		s, err := scenarios.LoadBundled(it.Name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(it.Name, err)
		}
		for _, e := range report.Explain(r) {
			seen, oneSided := map[string]figure{}, map[string]bool{}
			say := func(symbol string, f figure) {
				if old, ok := seen[symbol]; ok {
					compared++
					if old.contradicts(f, oneSided[symbol]) {
						t.Errorf("%s, %s: %s is %s and %s", it.Name, e.Bound.Method, symbol, old.text, f.text)
					}
					return
				}
				seen[symbol] = f
			}
			for _, q := range e.Bound.Inputs {
				oneSided[q.Name()] = q.Role != accounting.Intermediate
				if f, ok := figureOf(report.RoundQuantity(q)); ok {
					say(q.Name(), f)
				}
			}
			lines := slices.Clone(e.Steps)
			for _, q := range e.Questions {
				lines = append(lines, stated.FindAllString(strings.Join(q.Answer, " "), -1)...)
			}
			for _, line := range lines {
				for symbol, f := range figuresIn(strings.TrimPrefix(line, "with ξ: ")) {
					if symbol != "ε" && symbol != "δ′" { // of several values, one at each point of the text
						say(symbol, f)
					}
				}
			}
		}
	}
	if compared < gauge.Cases(30, 100) {
		t.Errorf("only %d figures were compared", compared)
	}
}
