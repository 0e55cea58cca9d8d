package numeral

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Sum writes terms and their total so that what is printed adds up: total is rounded up as [Upper] does, each
// term down or up to the last place of that. It returns the whole equation, "7.110 + 1.816 = 8.926", and each term
// for a line of its own: as in the equation or, if that has more decimals, as [Nearest] writes it.
// If the total is not finite, every number is written as [Nearest] does.
func Sum(total float64, terms ...float64) (alone []string, equation string) {
	words, sum := make([]string, len(terms)), Upper(total)
	place := placeOf(sum)
	units := roundedUnits(place.count(sum), terms, place)
	for i, x := range terms {
		switch {
		case math.IsNaN(total) || math.IsInf(total, 0):
			words[i] = Nearest(x)
		case x == 0:
			words[i] = "0"
		default:
			words[i] = place.write(units[i])
		}
	}
	var b strings.Builder
	for i, word := range words {
		size, negative := strings.CutPrefix(word, "-")
		switch {
		case i == 0:
			b.WriteString(word)
		case negative:
			b.WriteString(" − " + size)
		default:
			b.WriteString(" + " + word)
		}
	}
	alone = slices.Clone(words)
	for i, x := range terms {
		if figure := Nearest(x); placeOf(figure).perOne() > place.perOne() {
			alone[i] = figure
		}
	}
	return alone, b.String() + " = " + sum
}

// roundedUnits rounds terms to whole units that add up to total, each down or up: up go those with the
// largest parts of a unit.
func roundedUnits(total float64, terms []float64, p place) []float64 {
	units, parts, order := make([]float64, len(terms)), make([]float64, len(terms)), make([]int, len(terms))
	missing := total
	for i, x := range terms {
		scaled := x * p.perOne()
		units[i], order[i] = math.Floor(scaled), i
		parts[i] = scaled - units[i]
		missing -= units[i]
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(parts[j], parts[i]) })
	for _, i := range order {
		if missing >= 1 {
			units[i]++
			missing--
		}
	}
	if missing != 0 && len(terms) > 0 { // the total is more than the terms: the largest covers the rest
		largest := slices.IndexFunc(terms, func(x float64) bool { return x == slices.Max(terms) })
		units[max(0, largest)] += missing
	}
	return units
}

// place is the last place of a printed number: how many decimals it has, how many of its
// whole digits are rounded away, and its power of ten if it is written with one.
type place struct {
	decimals, rounded, power int
	scientific               bool
}

func placeOf(text string) place {
	mantissa, exponent, scientific := strings.Cut(text, "e")
	whole, decimals, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	power, _ := strconv.Atoi(exponent)
	return place{len(decimals), max(0, len(whole)-shownDigits), power, scientific}
}

// perOne returns how many units of the place make 1.
func (p place) perOne() float64 { return math.Pow10(p.decimals - p.rounded - p.power) }

// count returns a number that was printed with the place in units of it.
func (p place) count(text string) float64 {
	mantissa, _, _ := strings.Cut(text, "e")
	x, _ := strconv.ParseFloat(mantissa, 64)
	return math.Round(x * math.Pow10(p.decimals-p.rounded))
}

// write prints a number of units.
func (p place) write(units float64) string {
	text := strconv.FormatFloat(units*math.Pow10(p.rounded-p.decimals)+0, 'f', p.decimals, 64)
	if p.scientific {
		text += "e" + strconv.Itoa(p.power)
	}
	return text
}
