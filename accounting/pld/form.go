package pld

// Form names a dominating pair: a family with its numbers and, if the release sees a sample only, the
// scheme and rate of sampling. It is what a certificate states, in words that do not depend on how
// this package computes.
type Form struct {
	Kind   string  // "gaussian", "laplace", "pure", "approximate", "bounded-range", "response", "discrete-gaussian", "discrete-laplace"
	Size   float64 // μ of gaussian, σ of discrete-gaussian, else ε (per unit of the query for discrete-laplace)
	Delta  float64 // of approximate
	Share  float64 // of response: the probability that the two data sets' answers differ in law
	Shift  int     // sensitivity of discrete noise
	Scheme Scheme
	Rate   float64 // of the sample; 0 without a scheme
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

// Form returns the name of the pair, or that of a pair which dominates it if exact is false. It returns false
// if neither has one.
func (p Pair) Form() (f Form, exact, ok bool) {
	remove, add := p.Remove.upper, p.Add.upper
	same := remove.form == add.form && remove.form.Kind != ""
	ordered := remove.form.Scheme != Mixed || !remove.added && add.added
	return remove.form, p.Remove.exact() && p.Add.exact(), same && ordered
}

// sample returns the form of a sampled release, if the release has one that is not sampled itself.
func (f Form) sample(s Scheme, rate float64) Form {
	if f.Kind == "" || f.Scheme != "" {
		return Form{}
	}
	f.Scheme, f.Rate = s, rate
	return f
}
