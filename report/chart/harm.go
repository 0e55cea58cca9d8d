package chart

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/risk"
	"epsiloscope/report/curve"
	"epsiloscope/scenarios"
)

// TPR plots the true-positive rate of the best membership test against its false-positive rate, on logarithmic axes
// as audits draw it: certified upper and lower ends, and the bound by (ε, δ) alone.
var TPR = Kind{"tpr", "TPR against FPR: true-positive against false-positive rate of a membership test", "numerical", true, truePositives}

// Bayes plots the certified ends of the share of right guesses about membership against the share of members.
var Bayes = Kind{"bayes", "right guesses against the prior: of an attacker who tests membership", "numerical", true, bayesSuccess}

// The looks of the series of harm: what is certified has that of the numerical accountant.
const (
	foundLook, foundAttackLook     = 3, 2
	clearedLook, clearedAttackLook = 4, 6
	aloneLook                      = 5
)

// The names of the series of harm.
const (
	foundSeries   = "found among members, at most"
	foundAttack   = "found by an attack"
	clearedSeries = "cleared among others, at most"
	clearedAttack = "cleared by an attack"
	rightSeries   = "right at most"
	rightAttack   = "right by an attack"
	guessingName  = "guessing"
	aloneSeries   = "(ε, δ) alone"
	aloneNote     = aloneSeries + ": what ε and δ allow if nothing else is known"
)

var errNoHarm = errors.New("no theorem gives a finite ε, so that nothing limits an attacker")

// FoundOnly returns the chart of true-positive rates without the curves of those cleared, which bound another
// quantity: with them it is a tangle.
func (c Chart) FoundOnly() Chart {
	cleared := func(s Series) bool { return s.Name == clearedSeries || s.Name == clearedAttack }
	if slices.ContainsFunc(c.Series, cleared) {
		c.Series, c.Rivals = slices.DeleteFunc(slices.Clone(c.Series), cleared), true
		c.Notes = slices.DeleteFunc(slices.Clone(c.Notes), func(n string) bool { return strings.HasPrefix(n, "cleared") })
	}
	return c
}

// profileAndBound returns the certified profile of the stack, off which every harm is read, and the bound whose (ε, δ)
// it improves on. Without the numerical accountant there is only the best closed bound, and the profile is nil.
func (v *view) profileAndBound() (*accounting.Profile, accounting.Bound, error) {
	stack, err := v.releases()
	if err != nil {
		return nil, accounting.Bound{}, err
	}
	target := v.target()
	if target.Delta == 0 {
		target.Delta = 1e-6
	}
	if !v.Numerical {
		bounds := accounting.ClosedForms(v, stack, target)
		if best := accounting.Best(bounds); best >= 0 {
			return nil, bounds[best], v.Err()
		}
		return nil, accounting.Bound{}, errNoHarm
	}
	profile, err := v.certifiedProfile()
	if err == nil {
		err = profile.LowerEndError()
	}
	if err != nil {
		return nil, accounting.Bound{}, fmt.Errorf("there is no certified curve: %w", err)
	}
	return profile, accounting.Evaluate(v, accounting.Numerical, stack, target), v.Err()
}

// certifiedProfile returns the profile of the stack, the same as behind every other page.
func (v *view) certifiedProfile() (*accounting.Profile, error) {
	if v.profile != nil {
		return v.profile, nil
	}
	r, err := scenarios.NewEvaluator().Evaluate(v, v.Scenario,
		scenarios.Options{Precision: withFinePrecision(v.target()).Precision})
	if err != nil {
		return nil, err
	}
	v.profile, err = r.Profile(v)
	return v.profile, err
}

// epsilonDeltaSeries returns the line that (ε, δ) alone gives, which the certified curve replaces.
func epsilonDeltaSeries(b accounting.Bound, xs []float64, of func(risk.Approximate, float64) float64) (Series, bool) {
	if b.Status != accounting.Valid || !b.Finite() {
		return Series{}, false
	}
	alone := risk.Approximate{Epsilon: b.Epsilon, Delta: b.Delta}
	return Series{Name: aloneSeries, X: xs, Y: curve.ValuesOver(xs, func(x float64) float64 { return of(alone, x) }),
		Look: aloneLook}, true
}

func upperEnds(ends []risk.Ends) (ys []float64) {
	for _, e := range ends {
		ys = append(ys, e.Upper)
	}
	return ys
}

func lowerEnds(ends []risk.Ends) (ys []float64) {
	for _, e := range ends {
		ys = append(ys, e.Lower)
	}
	return ys
}

func truePositives(v *view) (Chart, error) {
	profile, bound, err := v.profileAndBound()
	if err != nil {
		return Chart{}, err
	}
	limit := v.Budget.Harm
	const usualFPR = 0.01 // of published audits
	xs := append(curve.LogSpace(1e-5, 0.5, v.points()), usualFPR, 0.7, 0.9, 0.99)
	for _, x := range []float64{limit.FPR, limit.Prior} {
		if x > 0 {
			xs = append(xs, x)
		}
	}
	xs = curve.SortDistinct(xs)
	c := Chart{
		Title: "TPR against FPR",
		X:     Axis{Label: "false-positive rate", Log: true, Min: 1e-5, Max: 1},
		Y:     Axis{Label: "true-positive rate", Log: true, Min: 1e-5, Max: 1, Upper: true},
		Read:  usualFPR,
	}
	if profile != nil {
		found, cleared, err := profile.Rates(v, xs)
		if err != nil {
			return Chart{}, err
		}
		c.Series = append(c.Series, Series{Name: foundSeries, X: xs, Y: upperEnds(found), Look: foundLook},
			Series{Name: foundAttack, X: xs, Y: lowerEnds(found), Broken: true, Attack: true, Look: foundAttackLook})
		c.Winner, c.Rivals = foundSeries, profile.Symmetric() // else the curves bound two quantities
		if !profile.Symmetric() {
			c.Series = append(c.Series, Series{Name: clearedSeries, X: xs, Y: upperEnds(cleared), Look: clearedLook},
				Series{Name: clearedAttack, X: xs, Y: lowerEnds(cleared), Broken: true, Attack: true,
					Look: clearedAttackLook})
			c.Notes = append(c.Notes, "cleared among others: the share of the others that a test can clear, against the share of members that it clears wrongly")
		}
	}
	if line, ok := epsilonDeltaSeries(bound, xs, risk.Approximate.TruePositiveRate); ok {
		c.Series, c.Notes = append(c.Series, line), append(c.Notes, aloneNote)
	}
	c.Series = append(c.Series, Series{Name: guessingName, X: xs, Y: xs, Faint: true})
	switch limit.Kind() {
	case scenarios.HarmTPR:
		c.Read = limit.FPR
		c.Marks = append(c.Marks, Mark{X: limit.FPR, Y: limit.TPR, Label: "budget", Alert: true})
	case scenarios.HarmReconstruction:
		c.Read = limit.Prior
		c.Marks = append(c.Marks, Mark{X: limit.Prior, Y: limit.Reconstruction, Label: "budget", Alert: true})
		c.Notes = append(c.Notes, "an attacker who guesses a secret with success κ without the release guesses it with success at most the rate at κ with it")
	}
	return c, nil
}

func bayesSuccess(v *view) (Chart, error) {
	profile, bound, err := v.profileAndBound()
	if err != nil {
		return Chart{}, err
	}
	xs := curve.SortDistinct(append(curve.LineSpace(0.005, 0.995, v.points()), 0.5))
	c := Chart{
		Title: "right guesses against the prior",
		X:     Axis{Label: "share of members among the candidates", Min: 0, Max: 1},
		Y:     Axis{Label: "right guesses", Min: 0.5, Max: 1, Upper: true},
		Read:  0.5, Rivals: true,
	}
	if profile != nil {
		right, err := profile.BayesSuccesses(v, xs)
		if err != nil {
			return Chart{}, err
		}
		c.Winner = rightSeries
		c.Series = append(c.Series, Series{Name: rightSeries, X: xs, Y: upperEnds(right), Look: foundLook},
			Series{Name: rightAttack, X: xs, Y: lowerEnds(right), Broken: true, Attack: true, Look: foundAttackLook})
	}
	if line, ok := epsilonDeltaSeries(bound, xs, risk.Approximate.BayesSuccess); ok {
		c.Series, c.Notes = append(c.Series, line), append(c.Notes, aloneNote)
	}
	c.Series = append(c.Series, Series{Name: guessingName, X: xs, Y: curve.ValuesOver(xs,
		func(x float64) float64 { return math.Max(x, 1-x) }), Faint: true})
	return c, nil
}

// addAttack adds to the trade-off chart what an attack certainly reaches, the line that (ε, δ) alone gives, and the
// operating point of the budget. It adds nothing if there is no certified curve.
func (v *view) addAttack(c *Chart, xs []float64) error {
	profile, bound, err := v.profileAndBound()
	if err != nil {
		return v.Err()
	}
	inside := xs[1 : len(xs)-1] // 0 and 1 are no levels
	found, _, err := profile.Rates(v, inside)
	if err != nil {
		return v.Err()
	}
	misses := []float64{unset}
	for _, e := range found {
		misses = append(misses, 1-e.Lower)
	}
	c.Series = append(c.Series, Series{Name: foundAttack, X: xs, Y: append(misses, unset), Broken: true, Attack: true,
		Look: foundAttackLook})
	if line, ok := epsilonDeltaSeries(bound, xs, func(a risk.Approximate, x float64) float64 {
		if x <= 0 || x >= 1 {
			return 1 - math.Max(x, a.Delta)
		}
		return 1 - a.TruePositiveRate(x)
	}); ok {
		c.Series, c.Notes = append(c.Series, line), append(c.Notes, aloneNote)
	}
	switch h := v.Budget.Harm; h.Kind() {
	case scenarios.HarmTPR:
		c.Marks = append(c.Marks, Mark{X: h.FPR, Y: 1 - h.TPR, Label: "budget", Alert: true})
	case scenarios.HarmReconstruction:
		c.Marks = append(c.Marks, Mark{X: h.Prior, Y: 1 - h.Reconstruction, Label: "budget", Alert: true})
	case scenarios.HarmAdvantage:
		c.Marks = append(c.Marks, Mark{X: (1 - h.Advantage) / 2, Y: (1 - h.Advantage) / 2, Label: "budget", Alert: true})
	}
	return nil
}
