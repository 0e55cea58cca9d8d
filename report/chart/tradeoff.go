package chart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/report"
	"epsiloscope/report/curve"
)

// Tradeoff plots the trade-off function: the least type II error of a test between two neighbouring data
// sets against its type I error, computed from the profiles.
var Tradeoff = Kind{"tradeoff", "trade-off function: type II against type I error of a test", "method numerical", true, tradeoff}

func tradeoff(v *view) (Chart, error) {
	xs := curve.SortDistinct(append(curve.LineSpace(0, 1, v.points()), curve.LogSpace(1e-6, 0.01, 13)...))
	certified, advantage, note, err := v.certifiedTradeoff(xs)
	if err != nil {
		return Chart{}, err
	}
	closed := *v // the certified trade-off function needs no profile
	closed.Numerical = false
	set, err := closed.profiles()
	switch {
	case err != nil && certified == nil && note != "":
		return Chart{}, errors.New(note)
	case err != nil && certified == nil:
		return Chart{}, err
	case err != nil:
		set = &profileSet{}
	}
	if note != "" {
		set.notes = append([]string{note}, set.notes...)
	}
	c := Chart{
		Title: "trade-off function",
		X:     Axis{Label: "type I error (false-positive rate)", Min: 0, Max: 1},
		Y:     Axis{Label: "misses (type II error)", Min: 0, Max: 1, Lower: true},
		Notes: set.notes, Rivals: true, Square: true,
	}
	best, least := accounting.Numerical, math.Inf(1)
	if certified != nil {
		least = advantage
		c.Series = append(c.Series, Series{Name: string(accounting.Numerical), X: xs, Y: certified})
	}
	mu, gaussian := curve.GaussianSum(set.stack)
	for _, p := range untilDone(v, set.curves) {
		known := func(epsilon float64) float64 { // at an ε without a δ the theorem bounds nothing
			if d := p.At(epsilon); d < 1 {
				return d
			}
			return 1
		}
		at := func(x float64) float64 { return accounting.TradeOff(known, x) }
		if p.method == accounting.GDP && gaussian {
			at = func(x float64) float64 { return accounting.GaussianTradeOff(mu, x) }
		}
		c.Series = append(c.Series, Series{Name: string(p.method), X: xs, Y: curve.ValuesOver(xs, at)})
		d := known(0)
		if d < least*(1-sameAdvantage) || d <= least*(1+sameAdvantage) && p.method == set.answer.Method {
			best, least = p.method, math.Min(d, least)
		}
	}
	by := best.Name()
	if advantage < 1 && certified == nil { // what every other page says, though one theorem may be a little below it
		least, by = advantage, "all closed forms together"
	}
	c.Series = append(c.Series, Series{Name: "guessing", X: xs, Y: curve.ValuesOver(xs,
		func(x float64) float64 { return 1 - x }), Faint: true, Shade: true})
	c.markOperatingPoint(string(best), least)
	if v.Numerical && v.wants(accounting.Numerical) {
		if err := v.addAttack(&c, xs); err != nil {
			return Chart{}, err
		}
	}
	c.Notes = slices.Insert(c.Notes, 0, fmt.Sprintf("at even odds an attacker is right at most %s of the time (%s)",
		report.Chance((1+least)/2), by))
	return c, nil
}

// sameAdvantage is the relative difference of two advantages up to which round-off alone tells them apart: more than
// [accounting.TieWidth], as an advantage is a difference of probabilities, and a small one has lost digits.
const sameAdvantage = 1e-9

// markOperatingPoint marks where the attacker of the best bound has the largest advantage over guessing: the point
// drawn that is next to it. The words say the advantage itself, which no point drawn may attain.
func (c *Chart) markOperatingPoint(best string, advantage float64) {
	for _, s := range c.Series {
		if s.Name != best {
			continue
		}
		at, most := -1, 0.0
		for i, y := range s.Y {
			if a := 1 - s.X[i] - y; a > most {
				at, most = i, a
			}
		}
		if at >= 0 {
			c.Read = s.X[at]
			c.Marks = append(c.Marks, Mark{X: s.X[at], Y: s.Y[at], Label: "largest advantage " + report.Upper(advantage), Answer: true})
		}
	}
}

// certifiedTradeoff returns the certified trade-off function at xs and the membership advantage, both the same as in
// the sentences for a person. The function is nil if the numerical accountant is not asked for, or does not apply: then
// the note says why, and the advantage is that of all closed forms together.
func (v *view) certifiedTradeoff(xs []float64) (misses []float64, advantage float64, note string, err error) {
	if !v.Numerical || !v.wants(accounting.Numerical) {
		return nil, 1, "", nil
	}
	profile, err := v.certifiedProfile()
	advantage = 1
	if err == nil {
		misses, advantage, err = typeIIErrors(v, profile, xs)
	}
	if err == nil {
		err = profile.LowerEndError()
	}
	if err != nil && v.Err() == nil && accounting.FaultOf(err) == nil {
		return nil, advantage, "no numerical profile: " + report.LowerFirst(err.Error()), nil
	}
	return misses, advantage, "", v.Err()
}

// typeIIErrors returns, for each type I error from 0 to 1, a type II error that no test can beat, whichever data set
// is its null hypothesis, and the membership advantage.
func typeIIErrors(ctx context.Context, profile *accounting.Profile, xs []float64) (misses []float64, advantage float64,
	err error) {
	ends, err := profile.Advantage(ctx)
	if err != nil {
		return nil, 1, err
	}
	inside := slices.DeleteFunc(slices.Clone(xs), func(x float64) bool { return x <= 0 || x >= 1 })
	found, cleared, err := profile.Rates(ctx, inside)
	if err != nil {
		return nil, 1, err
	}
	never, err := profile.FailureProbability(ctx)
	if err != nil {
		return nil, 1, err
	}
	for _, x := range xs {
		i, ok := slices.BinarySearch(inside, x)
		switch {
		case ok:
			misses = append(misses, 1-math.Max(found[i].Upper, cleared[i].Upper))
		case x >= 1:
			misses = append(misses, 0)
		default:
			misses = append(misses, 1-never)
		}
	}
	return misses, ends.Upper, nil
}
