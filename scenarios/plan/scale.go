package plan

import (
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
	"epsiloscope/scenarios"
)

// scaleNoise multiplies all noise of a stack by a factor, as [mechanisms.ScaleNoise] says.
func scaleNoise(stack []scenarios.Entry, factor float64, round rounding) error {
	scaled, err := scenarios.Map(stack, func(e *scenarios.Entry) error { return scaleEntry(e, factor, round) })
	copy(stack, scaled)
	return err
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
