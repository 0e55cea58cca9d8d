package review

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Guarantees in the words of a claim that name no quantity: "(0.5, 1e-6)", "0.5-DP", "pure DP".

// isPair reports whether the parenthesis that opens here has a comma in it, not only in one within it; if it is never
// closed, any comma.
func (r *claimReader) isPair() bool {
	depth, comma := 0, false
	for _, c := range r.text[r.at:] {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth == 1:
			return false
		case c == ')':
			depth--
		case c == ',' || c == ';':
			if depth == 1 {
				return true
			}
			comma = true
		}
	}
	return comma
}

// readPair reads (ε, δ) in parentheses.
func (r *claimReader) readPair() bool {
	start := r.at
	if r.peek(0) != '(' || !r.isPair() {
		return false
	}
	r.at++
	r.skipSpace()
	if !r.startsNumber() {
		r.at = start
		return false
	}
	epsilon, ok := r.readNumber()
	r.skipSpace()
	if !ok || !r.take(",") && !r.take(";") {
		r.fail(start)
		return true
	}
	r.found.epsilons = append(r.found.epsilons, epsilon)
	r.skipSpace()
	if !r.startsNumber() {
		return true // "(1, per user)", "(1, δ)"
	}
	delta, ok := r.readNumber()
	r.skipSpace()
	if !ok || delta >= 1 || !r.take(")") {
		r.fail(start)
		return true
	}
	if notion := strings.TrimLeft(string(r.text[r.at:]), " -"); strings.HasPrefix(notion, "rdp") ||
		strings.HasPrefix(notion, "rényi") || strings.HasPrefix(notion, "renyi") || strings.HasPrefix(notion, "zcdp") {
		r.fail(start) // a pair of another notion: an order and its divergence, ξ and ρ
		return true
	}
	r.found.deltas = append(r.found.deltas, delta)
	return true
}

// readRenyi passes the name of Rényi DP. A number that follows it is an order or a divergence, and is not read: "RDP of
// order 8 at most 0.5". How ε was computed is no statement: "by RDP, ε = 3".
func (r *claimReader) readRenyi() bool {
	start := r.at
	if unicode.IsLetter(r.peek(-1)) || !slices.ContainsFunc(renyiNames, r.take) {
		return false
	}
	for r.skipSpace(); ; r.skipSpace() {
		switch {
		case slices.Contains(relations, r.peek(0)):
			r.at++
		case slices.Contains(renyiWords, r.word()):
			r.takeWord()
		default:
			if r.startsNumber() {
				r.fail(start)
			}
			return true
		}
	}
}

// renyiNames are the names of Rényi DP; renyiWords are words between one and its numbers.
var (
	renyiNames = []string{"rdp", "rényi dp", "renyi dp", "rényi-dp", "renyi-dp", "rényi differential privacy",
		"renyi differential privacy"}
	renyiWords = []string{"guarantee", "bound", "divergence", "of", "at", "most", "is", "order", "orders", "alpha", "α"}
)

// dpWords are words to which a number is joined: "0.5-DP".
var dpWords = []string{"dp", "ldp", "differential", "differentially", "local"}

// readBeforeDP reads the number of "0.5-DP" and of "0.5 DP".
func (r *claimReader) readBeforeDP() bool {
	start := r.at
	before := r.peek(-1)
	if !r.startsNumber() || unicode.IsLetter(before) || unicode.IsDigit(before) || before == '.' || before == ',' {
		return false
	}
	alone := r.standsAlone(start) && !r.isPartOfDifference() && !r.followsNumber()
	x, ok := r.readNumber()
	end, spaced := r.at, r.peek(0) == ' '
	r.skipSpace()
	into := cmp.Or(r.boundedName(), r.otherNotion())
	joined := into == nil && r.take("-") && slices.Contains(dpWords, r.word())
	switch {
	case into != nil && (!ok || !alone || x >= 1 && into == &r.found.deltas):
		r.fail(start)
		return true
	case into != nil:
		*into = append(*into, x)
		return true
	case joined || spaced && r.namesDP(ok && x != math.Trunc(x)):
	case ok:
		r.at = end
		return false
	default:
		r.at = start
		for unicode.IsDigit(r.peek(0)) || r.peek(0) == '.' {
			r.at++ // the digits are no number of their own
		}
		return false
	}
	if !ok || !alone {
		r.fail(start)
		return true
	}
	r.found.epsilons = append(r.found.epsilons, x)
	if joined {
		r.found.deltas = append(r.found.deltas, 0)
	}
	return true
}

// boundedName returns the list of the name that stands behind a relation here, which is passed: "0.5 ≥ ε" bounds ε. It
// is nil where nothing of the kind stands; "0 < ε" bounds it from below.
func (r *claimReader) boundedName() *[]float64 {
	back := r.at
	for strings.ContainsRune("=≥>≈", cmp.Or(r.peek(0), ' ')) {
		r.at++
	}
	if r.at > back {
		r.skipSpace()
		name := r.word()
		switch {
		case slices.Contains(epsilonNames, name):
			return &r.found.epsilons
		case slices.Contains(deltaNames, name):
			return &r.found.deltas
		}
	}
	r.at = back
	return nil
}

// otherNotion returns the list of the quantity of zCDP or of Gaussian DP, if that notion stands here: "0.5-zCDP".
func (r *claimReader) otherNotion() *[]float64 {
	back := r.at
	r.take("-")
	switch r.word() {
	case "zcdp":
		return &r.found.rhos
	case "gdp":
		return &r.found.mus
	}
	r.at = back
	return nil
}

// namesDP reports whether the guarantee stands here, and not how many have it: "10 DP counts". So many releases are
// a whole number.
func (r *claimReader) namesDP(broken bool) bool {
	back := r.at
	defer func() { r.at = back }()
	first, second := r.takeWord(), r.takeWord()
	if first == "differentially" && second == "private" {
		return broken || !unicode.IsLetter(r.peek(0))
	}
	return first == "differential" && second == "privacy" || (first == "dp" || first == "ldp") && second == singular(second)
}

// isPartOfDifference reports whether the number here is part of a difference: 2 - 1.9.
func (r *claimReader) isPartOfDifference() bool {
	before := strings.TrimRight(string(r.text[:r.at]), " ")
	minuend, minus := strings.CutSuffix(before, "-")
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(minuend, " "))
	return minus && isEndOfNumber(last)
}

// followsNumber reports whether another number, or the e of an exponent, stands before the number here without a space
// between them: 1e-61e-6 is no number, and its last digit none of its own.
func (r *claimReader) followsNumber() bool {
	start := r.at
	for c := r.peekAt(start - 1); unicode.IsLetter(c) || unicode.IsDigit(c) || c != 0 && strings.ContainsRune("-_.,:'’", c); {
		start--
		c = r.peekAt(start - 1)
	}
	before := string(r.text[start:r.at])
	return before == "e-" || strings.ContainsFunc(before, unicode.IsDigit)
}

// isEndOfNumber reports whether a number may end with a sign.
func isEndOfNumber(c rune) bool {
	return unicode.IsDigit(c) || strings.ContainsRune(")"+superscripts, c)
}

// readDP reads the "-DP" of a number that was not read.
func (r *claimReader) readDP() bool {
	start := r.at
	end := start // of what stands before
	for r.peekAt(end-1) == ' ' {
		end--
	}
	known := r.readTo >= end
	if strings.ContainsRune("]>⟩", cmp.Or(r.peekAt(end-1), ' ')) { // [0.5, 1e-6]-DP
		end--
	}
	if known || !isEndOfNumber(r.peekAt(end-1)) || !r.take("-") || !slices.Contains(dpWords, r.word()) {
		r.at = start
		return false
	}
	r.fail(max(0, start-10))
	return true
}

// readPure reads "pure DP" and "without δ".
func (r *claimReader) readPure() bool {
	if unicode.IsLetter(r.peek(-1)) {
		return false
	}
	start := r.at
	word := r.word()
	r.at += len([]rune(word))
	r.skipSpace()
	r.take("-")
	next := r.word()
	switch {
	case slices.Contains([]string{"pure", "purely"}, word) &&
		(r.peek(0) == 'ε' || r.peek(0) == ')' || slices.Contains([]string{"dp", "ldp", "differential", "differentially", "privacy", "epsilon", "eps", "guarantee"}, next)):
		if !isNegated(wordsOf(string(r.text[:start]))) {
			r.found.deltas = append(r.found.deltas, 0)
		}
	case slices.Contains([]string{"no", "without", "zero"}, word) && (next == "delta" || next == "δ"):
		r.found.deltas = append(r.found.deltas, 0)
		r.at += len([]rune(next))
		return true
	}
	r.at = start
	return false
}
