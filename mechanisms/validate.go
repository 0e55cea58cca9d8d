package mechanisms

import (
	"cmp"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
)

// validator is a mechanism that checks its own fields: a struct with a forgotten or negative field
// would cost nothing, or less. Every mechanism of the catalogue is one; what [New] builds is valid.
type validator interface {
	Mechanism
	validate() error
}

// Validate returns an error if a field of the mechanism was forgotten or cannot be. [Entries] and
// Releases check it too.
func Validate(m Mechanism) error {
	if m == nil {
		return fmt.Errorf("no mechanism is given")
	}
	if v, ok := m.(validator); ok {
		return v.validate()
	}
	return nil
}

// releasesOf returns the releases of one run for a person with k records, or one that says why the
// mechanism has none.
func releasesOf(m validator, k float64, build func() []accounting.Entry) []accounting.Entry {
	err := m.validate()
	if err == nil && !(k >= 1 && !math.IsInf(k, 1)) {
		err = fmt.Errorf("the number of records of a person must be at least 1, got %s", numeral.Format(k))
	}
	if err != nil {
		return oneRelease(accounting.NewUnsupported(specOf(m).Title, m.Kind()+": "+err.Error()))
	}
	return build()
}

// field is a number of a mechanism's struct, by its name there.
type field struct {
	name  string
	value float64
}

// requirePositive returns an error for the first field that is not a finite number above 0.
func requirePositive(fields ...field) error {
	for _, f := range fields {
		if !(f.value > 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("%s must be a finite number above 0, got %s", f.name, numeral.Format(f.value))
		}
	}
	return nil
}

// requireAtLeastZero returns an error for the first field that is not a finite number of at least 0.
func requireAtLeastZero(fields ...field) error {
	for _, f := range fields {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("%s must be a finite number of at least 0, got %s", f.name, numeral.Format(f.value))
		}
	}
	return nil
}

// requireWhole returns an error for the first field that is not a whole number from least to most.
func requireWhole(least, most float64, fields ...field) error {
	for _, f := range fields {
		if !(f.value >= least && f.value <= most) || f.value != math.Trunc(f.value) {
			return fmt.Errorf("%s must be a whole number from %s to %s, got %s", f.name, numeral.Format(least), numeral.Format(most), numeral.Format(f.value))
		}
	}
	return nil
}

// validateNoise checks the ε and the sensitivity of a mechanism whose noise has their ratio as its scale.
func validateNoise(epsilon, sensitivity float64) error {
	if err := cmp.Or(requirePositive(field{"Sensitivity", sensitivity}), checkLoss("Epsilon", epsilon)); err != nil {
		return err
	}
	return requirePositive(field{"Sensitivity / Epsilon", sensitivity / epsilon})
}
