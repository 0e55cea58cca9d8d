package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// Cumulative plots the ε of the first n entries against n, by the methods asked for (else basic and the best of all),
// with the budget as a line. A long stack is sampled at
// about as many entries as there are points.
var Cumulative = Kind{"cumulative", "ε so far, entry by entry: of the whole stack up to each", "method numerical", true, cumulative}

func cumulative(v *view) (Chart, error) {
	after := prefixLengths(len(v.Stack), v.points())
	l := &sweep{view: v, now: float64(len(v.Stack)), stack: func(n float64) ([]accounting.Entry, error) {
		part := *v.Scenario
		part.Stack = v.Stack[:int(n)]
		return scenarios.Stack(&part)
	}}
	found, err := l.evaluateAt(after)
	if err != nil {
		return Chart{}, err
	}
	values, best := found.values, found.best
	// a bound on all entries also holds for the first ones; the last point is computed more finely
	for i := len(best) - 2; i >= 0; i-- {
		best[i] = math.Min(best[i], best[i+1])
	}
	c := Chart{
		Title: "ε so far, entry by entry",
		X:     Axis{Label: "entry", Min: 0, Max: float64(len(v.Stack)), Names: entryNames(v.Stack)},
		Y:     Axis{Label: "ε", Min: 0, Max: unset, Upper: true},
		Read:  float64(len(v.Stack)), Rivals: true,
	}
	methods, unasked := v.Methods, len(v.Methods) == 0
	if unasked {
		methods = []accounting.Method{accounting.Basic}
	}
	for _, m := range methods {
		if y := values[m]; y != nil {
			c.Series = append(c.Series, Series{Name: string(m), X: after, Y: y, Step: true, Faint: unasked})
		}
	}
	if unasked {
		c.Series = append(c.Series, Series{Name: bestBound, X: after, Y: best, Step: true})
	}
	if budget := v.Budget.Epsilon; budget > 0 {
		c.MarkBudget(budget)
		if i := slices.IndexFunc(best, func(y float64) bool { return y > accounting.BudgetLimit(budget) }); i >= 0 {
			note := "the budget is passed at entry " + report.Short(after[i])
			label := report.Plain(v.Stack[int(after[i])-1].Label)
			if i > 0 && after[i] > after[i-1]+1 { // it was not computed after every one
				note, label = fmt.Sprintf("the budget is passed at one of the entries %s to %s", report.Short(after[i-1]+1), report.Short(after[i])), ""
			}
			if label != "" {
				note += ", “" + label + "”"
			}
			c.Notes = append(c.Notes, note)
		}
	}
	if y, n := values[accounting.Basic], len(best)-1; unasked && y != nil && y[n] > maxScaleMultiple*best[n] {
		c.Notes = append(c.Notes, fmt.Sprintf("basic ends at ε = %s, above the picture", report.Upper(y[n])))
	}
	last := "after the only entry"
	if len(v.Stack) > 1 {
		last = fmt.Sprintf("after all %d", len(v.Stack))
	}
	c.markAnswer(last)
	return c, nil
}

// entryNames returns the entries on an axis, in ASCII and the fewer letters the more there are;
// none for a long stack.
func entryNames(stack []scenarios.Entry) []string {
	const most, all = 40, 66
	if len(stack) > most {
		return nil
	}
	letters := max(14, all/max(1, len(stack)))
	ascii := func(s string) string {
		if strings.IndexFunc(s, func(r rune) bool { return r > '~' }) >= 0 {
			return ""
		}
		return s
	}
	var names []string
	for i, e := range stack {
		spec, _ := mechanisms.Lookup(e.Mechanism)
		name := cmp.Or(ascii(report.Plain(e.Label)), ascii(spec.Title), strconv.Itoa(i+1))
		names = append(names, Elide(name, letters))
	}
	return names
}

// prefixLengths returns 0, n, and about as many steps between as there are points.
func prefixLengths(n, points int) []float64 {
	list := []float64{0}
	step := math.Max(1, math.Ceil(float64(n)/float64(points)))
	for x := step; x < float64(n); x += step {
		list = append(list, x)
	}
	if n > 0 {
		list = append(list, float64(n))
	}
	return list
}

// Elide returns an ASCII name in at most n letters, with its beginning and its end: names often differ in their last
// letters.
func Elide(name string, n int) string {
	const dots = ".."
	if len(name) <= n {
		return name
	}
	keep := max(0, n-len(dots))
	return strings.TrimSpace(name[:(keep+1)/2]) + dots + strings.TrimSpace(name[len(name)-keep/2:])
}
