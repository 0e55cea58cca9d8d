package accounting

// AdaptiveStatus says whether a theorem's bound holds under fully adaptive composition, in
// which parameters, kinds and number of the releases may depend on earlier outputs.
type AdaptiveStatus string

const (
	AdaptiveValid     AdaptiveStatus = "valid"
	AdaptiveValidIf   AdaptiveStatus = "valid if"
	AdaptiveNotValid  AdaptiveStatus = "not valid"
	AdaptiveNotProven AdaptiveStatus = "not proven"
)

// Adaptive says whether a theorem's bound is valid under fully adaptive composition; see package
// adaptive for the filters and odometers it names.
type Adaptive struct {
	Status AdaptiveStatus
	// Reason is a clause without a full stop: the condition of [AdaptiveValidIf], else why
	// the status is what it is.
	Reason string
	Remedy string // a sentence: what to use instead, or what admits more; "" if nothing is better
}

// Clause returns status and reason without naming the mode of composition, for a place whose
// heading does: "not valid: the true δ can be 3.16 times as large".
func (a Adaptive) Clause() string {
	if a.Status == AdaptiveValidIf {
		return string(a.Status) + " " + a.Reason
	}
	return string(a.Status) + ": " + a.Reason
}

// String returns the whole: a sentence that names the mode of composition, and the remedy.
func (a Adaptive) String() string {
	const mode = " under fully adaptive composition"
	text := string(a.Status) + mode + ": " + a.Reason
	if a.Status == AdaptiveValidIf {
		text = string(AdaptiveValid) + mode + " if " + a.Reason
	}
	return join(Sentence(text), a.Remedy)
}
