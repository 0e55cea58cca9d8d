package mechanisms

import (
	"cmp"
	"math"

	"epsiloscope/mechanisms/numeral"
	"epsiloscope/mechanisms/param"
)

// absentField is the field in whose unit an entry may give a number for absence: ε or ρ
// where the values state one, the sensitivity where they state the noise.
func absentField(spec Spec, values param.Values) (string, error) {
	problem := cmp.Or(spec.NoAbsent, absentUnclear)
	switch {
	case spec.NoAbsent != "":
	case values["delta"].Number > 0:
		problem = absentBesideDelta
	case values["xi"].Number > 0: // which of two numbers would it be
	case values.Has("epsilon"):
		return "epsilon", nil
	case values.Has("rho"):
		return "rho", nil
	case values.Has("sigma") || values.Has("scale"):
		return "sensitivity", nil
	}
	return "", param.Errorf("also", "%s", problem)
}

// Why there is no number for absence.
const (
	leaveAbsent       = "leave it out if what is stated holds for absence too"
	absentUnclear     = "a number for absence is not clear here: " + leaveAbsent
	absentBesideDelta = "a number for absence is not clear beside a δ: state the noise (sigma and sensitivity), or " + leaveAbsent
	absentStated      = absentUnclear + ", or state pure (epsilon) or zcdp (rho) instead"
)

// AbsentValues are the values of an entry with its number for absence put in.
func AbsentValues(kind string, values param.Values, number float64) (param.Values, error) {
	spec, _ := Lookup(kind)
	field, err := absentField(spec, values)
	if err != nil {
		return nil, err
	}
	if !(number > 0) {
		return nil, param.Errorf("also", "the number for absence must be greater than 0, got %s", numeral.Format(number))
	}
	p, _ := spec.Param(field)
	own := values.Clone()
	own[field] = param.Value{Type: p.Type, Number: number}
	if kind == "geometric" && field == "epsilon" { // the noise stays: another ε is another number of its steps
		sensitivity := 1.0
		if values.Has("sensitivity") {
			sensitivity = values["sensitivity"].Number
		}
		steps := sensitivity * number / values["epsilon"].Number
		if whole := math.Round(steps); whole < 1 || math.Abs(steps-whole) > 1e-9*whole {
			return nil, param.Errorf("also", "geometric noise moves by whole numbers, so the number for absence must be a whole multiple of epsilon ÷ sensitivity")
		}
		own["sensitivity"] = param.WholeValue(math.Round(steps))
	}
	return own, nil
}

// problemCounted is why randomized response says nothing of absence.
const problemCounted = "randomized response hides the answer, not that there is one: reports can be counted, so its ε says nothing of absence"

// WithAbsent is the mechanism of the values with the number for absence put in.
func WithAbsent(kind string, values param.Values, number float64) (Mechanism, error) {
	own, err := AbsentValues(kind, values, number)
	if err != nil {
		return nil, err
	}
	m, err := New(kind, own)
	if err != nil {
		return nil, param.Errorf("also", "the number for absence: %s", err.Error())
	}
	return m, nil
}

// VouchesAbsence reports whether the entry's number says something of a record's absence
// where the setting is about a changed one: the user says so, or DP-SGD, which clips what
// one record adds.
func VouchesAbsence(m Mechanism, a Also) bool {
	v, ok := m.(voucher)
	return a.AddRemove || ok && v.vouchesAbsence()
}

// AsAbsent reports whether the mechanism's number under an adjacency is about a record
// that is absent: under add-remove always, under zero-out where zeroing is the same.
func AsAbsent(m Mechanism, a Adjacency) bool {
	same := specOf(m).ZeroAbsent
	if z, ok := m.(zeroable); ok {
		same = z.zeroIsAbsent()
	}
	return a == AddRemove || a == "" || a == ZeroOut && same
}
