package mechanisms

import "math"

// Remarks on how a setting was applied; a scenario shows them as lints.
const (
	NoteOwnSampling = "DP-SGD samples records itself; the entry's own sampling is not counted on top of that."
	NoteGroup       = "What is known of the mechanism does not scale with the group exactly; the general group bound is used."

	NoteRevealed    = "The number holds where a record is changed, not where it is absent: sampling then only hides whether the record was drawn, so δ shrinks by the rate and ε stays. If the same number also bounds presence against absence, say also: add-remove."
	NoteAlso        = "The number is said to bound absence too, so sampling at rate q turns ε into ln(1+q(e^ε−1))."
	NoteAlsoNumber  = "Absence has a number of its own, so sampling is counted twice: the record leaves and another comes in, or it changes among the drawn; the smaller counts."
	NoteAlsoIdle    = "also says something of absence where a record is changed. Here the stated number is about absence already, so also has no effect."
	NoteSGDReplace  = "Changing a record turns its clipped gradient round, by two clipping norms; the pair is exact."
	NoteZeroOut     = "This holds where a zeroed record adds nothing and is not counted. If it may be counted, choose replace."
	NoteZeroCounted = "A zeroed record may be counted, so sampling only hides whether it was drawn: δ shrinks by the rate and ε stays. If the same number also bounds presence against absence, say also: add-remove."
	NoteZeroAnswer  = "Randomized response hides the answer, not that there is one. Under zero-out this ε holds if a zeroed record answers like some other one; if it is silent, no ε does."

	NoteCountedAnswers = "Randomized response hides the answer, not that there is one. Under add-remove this ε holds only if somebody who stays away sends a random answer all the same; else choose replace. Sampling is not counted as a gain."
	NoteFixedN         = "This holds while n is a constant of the computation, not counted from the data, and the data have at least n records."
	NoteFixedNSampled  = NoteFixedN + " Divide by the stated n, not by how many were drawn; else no number holds."
)

// problemMoves is why a block under replace has no price.
const problemMoves = "A record that changes may leave one branch for another, and nothing is said about its absence there. " +
	"Give also: add-remove to every entry of the branches, or moves: never if it is public who is in which branch."

// ProblemMoves is why a block under replace with this mechanism has no price.
func ProblemMoves(m Mechanism) string {
	if spec := specOf(m); spec.Local {
		return problemMoves + " " + spec.Title + " can be counted: there only moves: never helps."
	}
	return problemMoves
}

// histogramRemark is due where a sensitivity looks as if it were a histogram's under
// replace, and a record comes or goes.
func histogramRemark(s Spread, c Circumstances) []Remark {
	replaced := 2.0
	if s.Price < 1 { // Gaussian noise
		replaced = math.Sqrt2
	}
	if c.Adjacency != AddRemove || math.Abs(s.Sensitivity-replaced) > 1e-3 {
		return nil
	}
	return []Remark{{"histogram-number",
		"A histogram has Δ₁ = Δ₂ = 1 where a record comes or goes; 2 and √2 are its numbers under replace. The figure is safe, and dearer than needed."}}
}
