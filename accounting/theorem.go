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

// Theorem is what is known about a method: enough to explain a bound, to cite it
// and to list it.
type Theorem struct {
	Method   Method
	Label    string // as tables, legends and sentences print it: "RDP"
	Title    string // "Rényi differential privacy, tight conversion"
	Authors  string
	Year     int
	Source   string // paper and number of the theorem
	Formula  string // plain text
	Slack    string // where the bound gives away what it does
	Adaptive Adaptive
	CiteKey  string   // of [BibTeX]
	Slips    []string // what slides print of it, and what holds instead
	AtOrder  bool     // it converts at one Rényi order, worth stating

	evaluate func(context.Context, *preparedStack) Bound
	// steps puts the numbers of a finite bound into the formula, term by term, and answers
	// what the terms amount to; NaN where the formula is not a sum.
	steps func(b Bound, in inputs) (lines []string, epsilon float64)
	// questions are what students ask about it, answered with the bound's numbers.
	questions func(b Bound, in inputs) []Question
}

// Question is a question and the sentences that answer it.
type Question struct {
	Ask    string
	Answer []string
}

// inputs are numbers by symbol.
type inputs map[string]float64

func inputsOf(list []Quantity) inputs {
	in := inputs{}
	for _, q := range list {
		in[q.Symbol] = q.Value
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

// Steps is the theorem's formula with the bound's own numbers put in, line by line; none
// where there is no finite ε.
func (b Bound) Steps() []string {
	lines, _ := b.substitute()
	return lines
}

func (b Bound) substitute() (lines []string, epsilon float64) {
	if t, ok := TheoremOf(b.Method); ok && b.Finite() && len(b.Inputs) > 0 {
		return t.steps(b, inputsOf(b.Inputs))
	}
	return nil, math.NaN()
}

// Questions are what students ask about the bound's theorem; none where it has nothing to
// say of the stack.
func (b Bound) Questions() []Question {
	if t, ok := TheoremOf(b.Method); ok && b.Finite() && t.questions != nil {
		return t.questions(b, inputsOf(b.Inputs))
	}
	return nil
}

// Name is a theorem as tables, legends and sentences for people print it.
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
		basicTheorem, advancedTheorem, advancedKOVTheorem, optimalTheorem,
		rdpTheorem, rdpPinnedTheorem, rdpClassicTheorem,
		zcdpTheorem, zcdpClassicTheorem, gdpTheorem, numericalTheorem,
	}
}

//go:embed references.bib
var references string

// BibTeX is the entry of a paper, by its key; "" if there is none.
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

// prose writes a number inside a note as people write it: at most four significant
// digits, rounded to the nearest, no trailing zeros: 0.25, 1e-8, 3.963e-7. Notes
// explain a figure; whoever computes with one takes it from Bound.Inputs.
func prose(x float64) string { return numeral.Short(x, 4, 0) }

// proseUp is prose rounded up, for what a bound comes to and what it spends of δ; below is
// prose rounded down, for what is left.
func proseUp(x float64) string   { return numeral.Short(x, 4, +1) }
func proseDown(x float64) string { return numeral.Short(x, 4, -1) }

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
