package plan

import (
	"slices"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// scaleNoise multiplies all noise by a factor, as [mechanisms.ScaleNoise] says.
func scaleNoise(stack []scenarios.Entry, factor float64, round rounding) ([]scenarios.Entry, error) {
	return scenarios.Map(stack, func(e *scenarios.Entry) error { return scaleEntry(e, factor, round) })
}

// rounding shortens a number that noise was scaled to.
type rounding func(p param.Param, x float64) float64

// noisier rounds to the given digits, towards more noise.
func noisier(digits int) rounding {
	return func(p param.Param, x float64) float64 {
		if p.Noise > 0 {
			return numeral.RoundUp(x, digits)
		}
		return numeral.RoundDown(x, digits)
	}
}

// quieter rounds towards less noise.
func quieter(digits int) rounding {
	return func(p param.Param, x float64) float64 {
		p.Noise = -p.Noise
		return noisier(digits)(p, x)
	}
}

// scaleEntry multiplies the noise of one entry; no rounding keeps every digit.
func scaleEntry(e *scenarios.Entry, factor float64, round rounding) error {
	field, x, ok, err := mechanisms.ScaleNoise(e.Mechanism, e.Values, factor)
	if err != nil || !ok {
		return err
	}
	if spec := e.Spec(); round != nil {
		p, _ := spec.Param(field)
		x = round(p, x)
	}
	return e.SetNumber(field, x)
}

// scaleSome multiplies the noise of some entries.
func scaleSome(s *scenarios.Scenario, entries []int, factor float64, round rounding) (*scenarios.Scenario, error) {
	c := *s
	c.Stack = slices.Clone(s.Stack)
	for _, i := range entries {
		scaled, err := scaleNoise(s.Stack[i:i+1], factor, round)
		if err != nil {
			return nil, err
		}
		c.Stack[i] = scaled[0]
	}
	return &c, nil
}
