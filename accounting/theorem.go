package accounting

import (
	"context"
	"slices"
)

// Theorem is what is known about a method: enough to explain a bound, to cite it
// and to list it.
type Theorem struct {
	Method  Method
	Label   string // short, for a column: "RDP"
	Title   string // "Rényi differential privacy, tight conversion"
	Authors string
	Year    int
	Source  string // paper and number of the theorem
	Formula string // plain text
	Slack   string // where the bound gives away what it does
	// Filter says whether the figure holds where costs are chosen after looking at
	// earlier answers, and what to use instead; see package adaptive.
	Filter  string
	CiteKey string
	BibTeX  string

	evaluate func(context.Context, *ledger) Bound
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
