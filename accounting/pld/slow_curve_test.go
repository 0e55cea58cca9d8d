package pld_test

import (
	"context"
	"errors"
	"fmt"
	"math"

	"epsiloscope/accounting/pld"
	"epsiloscope/internal/gauge"
)

// curve is δ(ε) from below and from above.
type curve func(epsilon float64) (lower, upper float64)

// truth encloses the worst curve of all worlds, in both directions.
func (s stack) truth(fine, size int) curve {
	var all []enclosed
	for _, w := range s.worlds {
		for _, add := range [2]bool{false, true} {
			all = append(all, w.enclose(add, s.delta, fine, size))
		}
	}
	return func(epsilon float64) (lower, upper float64) {
		for _, e := range all {
			l, u := e.delta(epsilon)
			lower, upper = math.Max(lower, l), math.Max(upper, u)
		}
		return lower, upper
	}
}

// epsilon inverts the curve: the truth lies between. Infinite if the masses at
// infinite loss alone exceed δ.
func (c curve) epsilon(delta float64) (lower, upper float64) {
	solve := func(curve func(float64) float64) float64 {
		if curve(0) <= delta {
			return 0
		}
		lo, hi := 0.0, 1.0
		for ; curve(hi) > delta; hi *= 2 {
			if hi > 1e9 {
				return math.Inf(1)
			}
		}
		for range 60 {
			if mid := (lo + hi) / 2; curve(mid) > delta {
				lo = mid
			} else {
				hi = mid
			}
		}
		return hi
	}
	lower = solve(func(x float64) float64 { d, _ := c(x); return d })
	upper = solve(func(x float64) float64 { _, d := c(x); return d })
	return lower, upper
}

// rounding is what floating point may do to ε, relatively, and a thousandth of what it
// may do to δ.
const rounding = 1e-12

// slack returns what it may do to ε besides: the slow route knows the loss of each release
// as a logarithm, rounded at 1.
func (s stack) slack() (sum float64) {
	for _, p := range s.parts {
		sum += p.Count * 4e-16
	}
	return sum
}

// contradicts says what is wrong with an interval, if anything: δ must have been
// reached at the upper end, and not before the lower end.
func (c curve) contradicts(i pld.Interval, s stack) error {
	if math.IsNaN(i.Lower) || math.IsNaN(i.Upper) || i.Lower > i.Upper || i.Lower < 0 {
		return fmt.Errorf("[%g, %g] is no interval", i.Lower, i.Upper)
	}
	const far = 1e5 // beyond every loss drawn: δ there is the chance of an infinite one
	above, below := i.Upper*(1+rounding)+s.slack(), i.Lower*(1-rounding)-s.slack()
	if d, _ := c(math.Min(above, far)); !math.IsInf(i.Upper, 1) && d > s.delta*(1+1e3*rounding) {
		return fmt.Errorf("upper end %.12g: δ there is at least %.9g > %.9g", i.Upper, d, s.delta)
	}
	if _, d := c(math.Min(below, far)); i.Lower > 0 && d < s.delta*(1-1e3*rounding) {
		return fmt.Errorf("lower end %.12g: δ there is at most %.9g < %.9g", i.Lower, d, s.delta)
	}
	return nil
}

// contradictsProfile asks the accountant the other way round, for δ at its ε; in the quick
// form for fewer digits of it.
func (c curve) contradictsProfile(i pld.Interval, s stack) error {
	if math.IsInf(i.Upper, 1) || i.Upper == 0 {
		return nil
	}
	option := s.option
	if !gauge.Long() {
		option.Width = 1e-2
	}
	lower, upper, err := pld.DeltaAt(context.Background(), s.parts, i.Upper, option)
	if err != nil {
		return err
	}
	slack := i.Upper*rounding + s.slack()
	least, _ := c(i.Upper + slack)
	_, most := c(i.Upper - slack)
	if !(lower <= most*(1+1e3*rounding) && least <= upper*(1+1e3*rounding)) {
		return fmt.Errorf("δ(%.12g) lies in [%.9g, %.9g], not in [%.9g, %.9g]", i.Upper, least, most, lower, upper)
	}
	return nil
}

// contradictsSteps asks for ever narrower intervals: each must hold.
func (c curve) contradictsSteps(s stack) (wrong error) {
	err := pld.Refine(context.Background(), s.parts, s.delta, s.option, func(i pld.Interval) bool {
		wrong = errors.Join(wrong, c.contradicts(i, s))
		return true
	})
	return errors.Join(err, wrong)
}

func width(i pld.Interval) float64 {
	if i.Upper == i.Lower {
		return 0
	}
	return (i.Upper - i.Lower) / i.Upper
}

// nothing is an upper end that says 0, of which there is no share.
const nothing = 1e-9

// tooWide says whether an interval of a tight stack is wider than was asked for, or
// another one without saying so.
func (s stack) tooWide(i pld.Interval) error {
	want := s.option.Width
	if want == 0 {
		want = 1e-3
	}
	switch {
	case width(i) <= want || i.Upper <= nothing:
		return nil
	case i.Note == "":
		return fmt.Errorf("[%.9g, %.9g] is %.2g wide and does not say so", i.Lower, i.Upper, width(i))
	case s.tight:
		return fmt.Errorf("[%.9g, %.9g] is %.2g wide, asked for %g: %s %s", i.Lower, i.Upper, width(i), want, i.Form, i.Note)
	}
	return nil
}
