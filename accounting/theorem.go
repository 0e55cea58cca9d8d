package accounting

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"epsiloscope/accounting/numeral"
)

// Theorem describes a method: enough to explain a bound, to cite it and to list it.
type Theorem struct {
	Method    Method
	Label     string // as tables, legends and sentences print it: "RDP"
	FormOf    Method // the theorem of which it is a classic or an improved form; "" if it is not a form of another
	Title     string // "Rényi differential privacy, tight conversion"
	Authors   string
	Year      int
	Source    string // paper and number of the theorem
	Formula   string // plain text
	Looseness string // where the bound gives away what it does
	Adaptive  Adaptive
	CiteKey   string   // of [BibTeX]
	Slips     []string // what slides print of it, and what holds instead
	AtOrder   bool     // it converts at one Rényi order, worth stating

	evaluate func(context.Context, *preparedStack) Bound
	// steps puts the numbers of a finite bound into the formula, term by term, and answers
	// what the terms amount to; NaN where the formula is not a sum.
	steps func(b Bound, in inputs) (lines []string, epsilon float64)
	// questions returns the questions students ask about the theorem, answered with the bound's
	// numbers.
	questions func(b Bound, in inputs) []Question
}

// Question is a question and the sentences that answer it.
type Question struct {
	Ask    string
	Answer []string
}

// inputs are numbers by symbol.
type inputs map[string]float64

// inputsOf returns the numbers of one selection; 0 is all that is about none, or about the only one.
func inputsOf(list []Quantity, selection int) inputs {
	in := inputs{}
	for _, q := range list {
		if q.Selection == selection {
			in[q.Symbol] = q.Value
		}
	}
	return in
}

func (in inputs) has(symbols ...string) bool {
	for _, s := range symbols {
		if _, ok := in[s]; !ok {
			return false
		}
	}
	return true
}

// Steps returns the theorem's formula with the bound's own numbers put in, line by line; none
// where there is no finite ε.
func (b Bound) Steps() []string {
	lines, _ := b.substitute()
	return lines
}

func (b Bound) substitute() (lines []string, epsilon float64) {
	if t, ok := TheoremOf(b.Method); ok && b.Finite() && len(b.Inputs) > 0 {
		return t.steps(b, inputsOf(b.Inputs, 0))
	}
	return nil, math.NaN()
}

// Questions returns the questions students ask about the bound's theorem; none if it has no
// bound for the stack.
func (b Bound) Questions() []Question {
	if t, ok := TheoremOf(b.Method); ok && b.Finite() && t.questions != nil {
		return t.questions(b, inputsOf(b.Inputs, 0))
	}
	return nil
}

// Name returns a theorem as tables, legends and sentences for people print it.
func (m Method) Name() string {
	if t, ok := TheoremOf(m); ok {
		return t.Label
	}
	return string(m)
}

// theorems in the order in which a comparison lists them; each is declared in its
// own file.
var theorems []Theorem

// init, not a plain initialiser: the numerical theorem falls back on the others.
func init() {
	theorems = []Theorem{
		basicTheorem, // first: the sum, with which the others are compared
		advancedTheorem,
		advancedKOVTheorem,
		optimalTheorem,
		rdpTheorem,
		rdpPinnedTheorem,
		rdpClassicTheorem,
		zcdpTheorem,
		zcdpClassicTheorem,
		gdpTheorem,
		numericalTheorem, // last: its upper end is never above the bounds before it
	}
}

//go:embed references.bib
var references string

// BibTeX returns the entry of a paper, by its key; "" if there is none.
func BibTeX(key string) string {
	for entry := range strings.SplitSeq(strings.TrimSpace(references), "\n\n") {
		if strings.Contains(entry, "{"+key+",") {
			return entry
		}
	}
	return ""
}

// Methods lists every theorem, in the order of a comparison.
func Methods() []Theorem { return slices.Clone(theorems) }

// TheoremOf finds the theorem behind a method.
func TheoremOf(m Method) (Theorem, bool) {
	for _, t := range theorems {
		if t.Method == m {
			return t, true
		}
	}
	return Theorem{}, false
}

// prose writes a number inside a note: at most four significant digits, rounded to the nearest,
// no trailing zeros: 0.25, 1e-8, 3.963e-7. Notes explain a bound; code that computes takes its
// numbers from Bound.Inputs.
func prose(x float64) string { return numeral.Short(x, 4, numeral.ToNearest) }

// proseUp returns prose rounded up, for what a bound comes to and what it spends of δ; proseDown
// returns prose rounded down, for what is left.
func proseUp(x float64) string   { return numeral.Short(x, 4, numeral.Up) }
func proseDown(x float64) string { return numeral.Short(x, 4, numeral.Down) }

// Sentence makes a reason a sentence: a capital first, a full stop last.
func Sentence(reason string) string {
	r, n := utf8.DecodeRuneInString(reason)
	if n == 0 {
		return ""
	}
	// "zCDP" and "ε" keep their first letter.
	if next, _ := utf8.DecodeRuneInString(reason[n:]); !unicode.IsUpper(next) && unicode.Is(unicode.Latin, r) {
		reason = string(unicode.ToUpper(r)) + reason[n:]
	}
	if !strings.HasSuffix(reason, ".") {
		reason += "."
	}
	return reason
}

// openReleases words the releases among which a δ is shared out.
func openReleases(n float64) string {
	if n == 1 {
		return "the one release that has only a profile"
	}
	return fmt.Sprintf("each of %.15g releases that have only a profile", n)
}

// join puts two sentences into one note.
func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

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
