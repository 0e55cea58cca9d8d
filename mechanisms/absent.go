package mechanisms

import (
	"cmp"
	"math"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// absentField returns the field in whose unit an entry may give a number for absence: ε or ρ
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

// AbsentValues returns the values of an entry with its number for absence put in.
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

// WithAbsent returns the mechanism of the values with the number for absence put in.
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
	v, ok := m.(absentee)
	return a.AddRemove || ok && v.vouchesAbsence()
}

// AsAbsent reports whether the mechanism's number under an adjacency is about a record
// that is absent: under add-remove always, under zero-out where zeroing is the same.
func AsAbsent(m Mechanism, a Adjacency) bool {
	same := specOf(m).ZeroAbsent
	if z, ok := m.(absentee); ok {
		same = z.zeroIsAbsent()
	}
	return a == AddRemove || a == "" || a == ZeroOut && same
}

// Remarks on how a setting was applied.
var (
	NoteOwnSampling = Remark{"own-sampling", "DP-SGD samples records itself; the entry's own sampling is not counted on top of that."}
	NoteGroup       = Remark{"group-bound", "What is known of the mechanism does not scale with the group exactly; the general group bound is used."}

	NoteRevealed    = Remark{"sampling-under-replace", "The number holds where a record is changed, not where it is absent: sampling then only hides whether the record was drawn, so δ shrinks by the rate and ε stays. If the same number also bounds presence against absence, say also: add-remove."}
	NoteAlso        = Remark{"sampling-also", "The number is said to bound absence too, so sampling at rate q turns ε into ln(1+q(e^ε−1))."}
	NoteAlsoNumber  = Remark{"sampling-also", "Absence has a number of its own, so sampling is counted twice: the record leaves and another comes in, or it changes among the drawn; the smaller counts."}
	NoteAlsoIdle    = Remark{"also-idle", "also adds a claim for add-remove to a guarantee under replace. Here the stated guarantee is for add-remove already, so also has no effect."}
	NoteSGDReplace  = Remark{"sgd-replace", "Changing a record turns its clipped gradient round, by two clipping norms; the pair is exact."}
	NoteZeroOut     = Remark{"zero-out", "This holds where a zeroed record adds nothing and is not counted. If it may be counted, choose replace."}
	NoteZeroCounted = Remark{"sampling-under-zero-out", "A zeroed record may be counted, so sampling only hides whether it was drawn: δ shrinks by the rate and ε stays. If the same number also bounds presence against absence, say also: add-remove."}
	NoteZeroAnswer  = Remark{"counted-answers", "Randomized response hides the answer, not that there is one. Under zero-out this ε holds if a zeroed record answers like some other one; if it is silent, no ε does."}

	NoteCountedAnswers = Remark{"counted-answers", "Randomized response hides the answer, not that there is one. Under add-remove this ε holds only if people who do not take part send a random answer too; else choose replace. No amplification by sampling is applied."}
	NoteFixedN         = Remark{"fixed-n", "This holds while n is a constant of the computation, not counted from the data, and the data have at least n records."}
	NoteFixedNSampled  = Remark{"fixed-n", NoteFixedN.Text + " Divide by the stated n, not by how many were drawn; else no number holds."}
)

// problemMoves is why a block under replace has no price.
const problemMoves = "A record that changes may leave one branch for another, and nothing is said about its absence there. " +
	"Give also: add-remove to every entry of the branches, or moves: never if it is public who is in which branch."

// ProblemMoves returns why a block under replace with this mechanism has no price.
func ProblemMoves(m Mechanism) string {
	if spec := specOf(m); spec.Local {
		return problemMoves + " " + spec.Title + " can be counted: there only moves: never helps."
	}
	return problemMoves
}

// histogramRemark returns a remark if a sensitivity looks as if it were a histogram's under
// replace, and a record comes or goes.
func histogramRemark(s Spread, at Setting) []Remark {
	replaced := 2.0
	if s.Price < 1 { // Gaussian noise
		replaced = math.Sqrt2
	}
	if at.Adjacency != AddRemove || math.Abs(s.Sensitivity-replaced) > 1e-3 {
		return nil
	}
	return []Remark{{"histogram-number",
		"A histogram has Δ₁ = Δ₂ = 1 where a record comes or goes; 2 and √2 are its numbers under replace. The ε is safe, and larger than needed."}}
}
