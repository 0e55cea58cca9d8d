package mechanisms

import (
	"cmp"
	"errors"
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

// Why some fields cannot be less, and what to do: the same words for a file, a flag and a struct.
const (
	reasonPeople     = ": at least the person herself reports. Give the number of honest reporters, or state the local reports without a shuffle"
	reasonDomain     = ": with one value there is nothing to report. Give the number of values a person may have"
	reasonPartitions = ": a person is in one group at least. Give the number of groups to which people are cut before the selection"
	reasonGroupDelta = ": with δ = 0 no group that is taken from the data may ever be shown. Give a small δ, or fix the groups without looking at the data and leave this entry out"
	reasonSum        = ": every record moves the answer by one of the sensitivities. Give a record that is left out the sensitivity 0"
)

// because adds a reason to an error, if there is one.
func because(err error, reason string) error {
	if err == nil {
		return nil
	}
	return errors.New(err.Error() + reason)
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
