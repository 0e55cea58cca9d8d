package numeral

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Sum writes an equation of terms and their total, an upper bound: "7.1095 + 1.8164 = 8.9259 ≤ 8.926". Each term is
// rounded to the nearest, as [Nearest] writes it wherever else it stands, and what is printed adds up: with the
// decimals of [Upper] of the total where it does so there, "3.20 + 11.56 = 14.76", else with more, and then the
// total as [Upper] has it comes last. If the total is not finite, every number is written as [Nearest] does.
func Sum(total float64, terms ...float64) string { return SumOfBounds(total, 0, terms...) }

// SumOfBounds writes an equation as [Sum] does, of which the first so many terms are upper bounds themselves: they are
// rounded up, with no fewer decimals than [Upper] gives them.
func SumOfBounds(total float64, bounds int, terms ...float64) string {
	bound := Upper(total)
	if math.IsNaN(total) || math.IsInf(total, 0) {
		words := make([]string, len(terms))
		for i, x := range terms {
			words[i] = Nearest(x)
		}
		return joinTerms(words) + " = " + bound
	}
	coarse := placeOf(bound)
	least := coarse
	least.rounded = 0 // no whole digit of a term is rounded away
	most := least.count(bound)
	start := 0
	for _, x := range terms[:bounds] {
		if own := placeOf(Upper(x)); own.scientific == least.scientific && own.power == least.power {
			start = max(start, min(moreDecimals, own.decimals-least.decimals))
		}
	}
	for further := start; further <= moreDecimals; further++ {
		p := least.finer(further)
		units, all := p.round(terms, bounds)
		if limit := most * math.Pow10(further); all == limit || all < limit && (further > 0 || coarse.rounded > 0) {
			return p.equation(terms, units, all, limit, bound)
		}
	}
	units := roundedUnits(most, terms, least)
	return least.equation(terms, units, most, most, bound)
}

// moreDecimals is the largest number of decimals that [Sum] adds until the terms are no more than the total.
const moreDecimals = 3

// joinTerms writes a sum of printed numbers.
func joinTerms(words []string) string {
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
	return b.String()
}

// roundedUnits rounds terms to whole units that add up to total, each down or up: up go those with the
// largest parts of a unit. It is for terms that, each rounded to the nearest, are more than their total at every place.
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

// finer returns the place so many decimals further on.
func (p place) finer(decimals int) place {
	p.decimals += decimals
	return p
}

// round returns terms in units of the place, the first ones rounded up and all others to the nearest, and their sum.
func (p place) round(terms []float64, up int) (units []float64, all float64) {
	for i, x := range terms {
		scaled := x * p.perOne()
		nearest := math.Round(scaled)
		if i < up && scaled-nearest > sameDistance*math.Abs(nearest) {
			nearest++
		}
		units = append(units, nearest)
		all += nearest
	}
	return units, all
}

// equation writes terms in units of the place, what they add up to, and the bound where that is more.
func (p place) equation(terms, units []float64, all, limit float64, bound string) string {
	words := make([]string, len(terms))
	for i, x := range terms {
		if words[i] = "0"; x != 0 {
			words[i] = p.write(units[i])
		}
	}
	if all == limit {
		return joinTerms(words) + " = " + bound
	}
	return joinTerms(words) + " = " + p.write(all) + " ≤ " + bound
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
