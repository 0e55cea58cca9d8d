package mechanisms

import (
	"cmp"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// addRemoveField returns the field in whose unit an entry may state a number for add-remove: ε or ρ if the
// values state one, the sensitivity if they state the noise.
func addRemoveField(spec Spec, values param.Values) (string, error) {
	problem := cmp.Or(spec.NoAddRemoveNumber, numberAmbiguous)
	switch {
	case spec.NoAddRemoveNumber != "":
	case values["delta"].Number > 0:
		problem = numberAmbiguousBesideDelta
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

// Why an entry cannot state a number for add-remove.
const (
	leaveNumberOut             = "leave it out if the stated number holds under add-remove too"
	numberAmbiguous            = "a number for add-remove is ambiguous here: " + leaveNumberOut
	numberAmbiguousBesideDelta = "a number for add-remove is ambiguous beside a δ: state the noise (sigma and sensitivity), or " + leaveNumberOut
	numberAmbiguousStated      = numberAmbiguous + ", or state pure (epsilon) or zcdp (rho) instead"
)

// AddRemoveValues returns the values of an entry with its number for add-remove in place of the stated one.
func AddRemoveValues(kind string, values param.Values, number float64) (param.Values, error) {
	spec, _ := Lookup(kind)
	field, err := addRemoveField(spec, values)
	if err != nil {
		return nil, err
	}
	if !(number > 0) {
		return nil, param.Errorf("also", "the number for add-remove must be greater than 0, got %s", numeral.Format(number))
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
			return nil, param.Errorf("also", "geometric noise moves by whole numbers, so the number for add-remove must be a whole multiple of epsilon ÷ sensitivity")
		}
		own["sensitivity"] = param.WholeValue(math.Round(steps))
	}
	return own, nil
}

// problemCounted is why the ε of randomized response does not hold under add-remove.
const problemCounted = "randomized response hides the answer, not the participation: reports can be counted, so its ε does not hold under add-remove"

// WithAddRemoveNumber returns the mechanism of the values with the number for add-remove in place of the
// stated one.
func WithAddRemoveNumber(kind string, values param.Values, number float64) (Mechanism, error) {
	own, err := AddRemoveValues(kind, values, number)
	if err != nil {
		return nil, err
	}
	m, err := New(kind, own)
	if err != nil {
		return nil, param.Errorf("also", "the number for add-remove: %s", err.Error())
	}
	return m, nil
}

// ClaimsAddRemove reports whether a guarantee under replace is also one under add-remove: because the user
// claims it, or because the mechanism bounds both, as DP-SGD does by clipping.
func ClaimsAddRemove(m Mechanism, a Also) bool {
	v, ok := m.(adjacencyAware)
	return a.AddRemove || ok && v.boundsAddRemove()
}

// BoundsAddRemove reports whether the mechanism's guarantee under an adjacency also bounds adding or removing
// a record: always under add-remove, and under zero-out if zeroing a record has the same effect as removing
// it.
func BoundsAddRemove(m Mechanism, a Adjacency) bool {
	same := specOf(m).ZeroOutIsRemoval
	if z, ok := m.(adjacencyAware); ok {
		same = z.zeroingRemoves()
	}
	return a == AddRemove || a == "" || a == ZeroOut && same
}

// Notes on how a setting was applied.
var (
	NoteOwnSampling = Note{"own-sampling", "DP-SGD samples records itself; the entry's own sampling gives no further amplification."}
	NoteGroup       = Note{"group-bound", "No group bound of its own is known for the mechanism; the general group bound is used, which need not be tight."}

	NoteRevealed    = Note{"sampling-under-replace", "This guarantee is for replacing a record, not for adding or removing one. Sampling then hides only whether the record was sampled: δ is multiplied by the rate, ε is unchanged. If the same number also holds under add-remove, set also: add-remove."}
	NoteAlso        = Note{"sampling-also", "The number is claimed to hold under add-remove too, so sampling at rate q turns ε into ln(1+q(e^ε−1))."}
	NoteAlsoNumber  = Note{"sampling-also", "Add-remove has its own number, so amplification is computed both as a removal plus an addition and as a replacement within the sample; the smaller bound is used."}
	NoteAlsoIdle    = Note{"also-idle", "also adds a claim for add-remove to a guarantee under replace. Here the stated guarantee is for add-remove already, so also has no effect."}
	NoteSGDReplace  = Note{"sgd-replace", "Replacing a record can reverse its clipped gradient, a change of two clipping norms; the pair is exact."}
	NoteZeroOut     = Note{"zero-out", "This holds if a zeroed record adds nothing and is not counted. If it may be counted, use replace."}
	NoteZeroCounted = Note{"sampling-under-zero-out", "A zeroed record may be counted, so sampling hides only whether it was sampled: δ is multiplied by the rate, ε is unchanged. If the same number also holds under add-remove, set also: add-remove."}
	NoteZeroAnswer  = Note{"counted-answers", "Randomized response hides the answer, not the participation. Under zero-out this ε holds if a zeroed record still sends the report of some valid answer; if it sends none, no ε holds."}

	NoteCountedAnswers = Note{"counted-answers", "Randomized response hides the answer, not the participation. Under add-remove this ε holds only if people who do not take part send a random report too; otherwise use replace. No amplification by sampling is applied."}
	NoteFixedN         = Note{"fixed-n", "This holds if n is a constant of the computation, not counted from the data, and the data have at least n records."}
	NoteFixedNSampled  = Note{"fixed-n", NoteFixedN.Text + " Divide by the stated n, not by the number of sampled records; otherwise no ε holds."}
)

// problemMoves is why a block under replace is not supported.
const problemMoves = "A replaced record may move from one branch to another, and the entries there have no add-remove guarantee. " +
	"If their numbers also hold under add-remove, set also: add-remove for every entry of the branches; or set moves: never if it is public who is in which branch."

// ProblemMoves returns why a block under replace with this mechanism is not supported.
func ProblemMoves(m Mechanism) string {
	if spec := specOf(m); spec.Local {
		return problemMoves + " " + spec.Title + " sends reports that can be counted, so only moves: never helps."
	}
	return problemMoves
}

// histogramNote returns a note if, under add-remove, a sensitivity is that of a histogram under replace.
func histogramNote(s Spread, at Setting) []Note {
	replaced := 2.0
	if s.Price < 1 { // Gaussian noise
		replaced = math.Sqrt2
	}
	if at.Adjacency != AddRemove || math.Abs(s.Sensitivity-replaced) > 1e-3 {
		return nil
	}
	return []Note{{"histogram-number",
		"A histogram has Δ₁ = Δ₂ = 1 under add-remove; 2 and √2 are its values under replace. The bound is valid but larger than needed."}}
}
