package pairs

import "cmp"

// Form names a dominating pair: a family with its numbers and, if the release sees a sample only, the
// scheme and rate of sampling. It is what a certificate states, in words that do not depend on how
// this package computes.
type Form struct {
	// "gaussian", "laplace", "pure", "approximate", "bounded-range", "response", "discrete-gaussian",
	// "discrete-laplace"
	Kind   string
	Size   float64 // μ of gaussian, σ of discrete-gaussian, else ε (per unit of the query for discrete-laplace)
	Delta  float64 // of approximate
	Share  float64 // of response: the probability that the answer depends on the data set
	Shift  int     // sensitivity of discrete noise
	Scheme Scheme
	Rate   float64 // of the sample; 0 without a scheme
	Reason string  // why the pair has no name; empty if Kind is not
}

// Scheme says how the sample of a [Form] enters its pair.
type Scheme string

const (
	// Mixed is (1−q)Q + qP against Q, and the reverse for add: a Poisson sample under add-remove.
	Mixed Scheme = "mixed"
	// Opposite is a Poisson sample under replace, Gaussian noise: (1−q)N(0,1) + qN(μ,1) against
	// (1−q)N(0,1) + qN(−μ,1).
	Opposite Scheme = "opposite"
	// Mirrored is δ(ε) = q·δ₀(ln(1+(e^ε−1)/q)) for ε ≥ 0, mirrored below: a sample under replace whose
	// inner pair bounds a changed record and presence against absence alike.
	Mirrored Scheme = "mirrored"
)

// Form returns the name of the pair; exact is false if it is that of a pair which dominates it. If there is
// no such name, ok is false and the form has only the reason.
func (p Pair) Form() (f Form, exact, ok bool) {
	remove, add := p.Remove.upper, p.Add.upper
	ordered := remove.form.Scheme != Mixed || !remove.added && add.added
	switch {
	case remove.form.Kind == "":
		return Form{Reason: cmp.Or(remove.form.Reason, byTable)}, false, false
	case remove.form != add.form || !ordered:
		return Form{Reason: "its two directions are not those of one named pair"}, false, false
	}
	return remove.form, p.Remove.Exact() && p.Add.Exact(), true
}

// Why a pair has no name.
const (
	byTable   = "its dominating pair is a table that this program computes, which a certificate would have to believe"
	byNormals = "its dominating pair mixes more normal distributions than the checker knows"
	byLot     = "its dominating pair is one of several, and it is revealed which: the checker knows this only for one pure release or none"
	byScheme  = "its dominating pair is sampled, and the checker does not know the pair before sampling"
)

// sample returns the form of a sample of the release; a form that is sampled already gets none.
func (f Form) sample(s Scheme, rate float64) Form {
	switch {
	case f.Scheme != "":
		return Form{Reason: "it is sampled twice"}
	case f.Kind == "":
		return Form{Reason: cmp.Or(f.Reason, byScheme)}
	}
	f.Scheme, f.Rate = s, rate
	return f
}
