package review

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A name in the words of a claim and the values that it is said to have: "ε (in total) ≤ 0.5".

// fillers are words between a name and its value.
var fillers = []string{"value", "of", "is", "was", "be", "at", "most", "below", "under", "up", "to", "no", "more", "than", "less", "about",
	"around", "approximately", "roughly", "only", "just", "equal", "equals", "parameter", "total", "overall", "budget", "loss",
	"guarantee", "bound", "level", "between", "from", "in", "as", "small", "low", "the", "a", "an", "smaller", "well"}

// maxSkipped is the number of other words between a name and its value, as in "epsilon, our parameter, is 0.5".
const maxSkipped = 5

// quantityWords are words with which another statement begins.
var quantityWords = []string{"ε", "δ", "ρ", "μ", "epsilon", "epsilons", "eps", "delta", "deltas", "rho", "mu"}

// readQuantity reads a name and the values that it is said to have.
func (r *claimReader) readQuantity(names []string, into *[]float64) bool {
	start := r.at
	if !slices.ContainsFunc(names, r.take) && !(slices.Contains(names, "ε") && r.takeElement()) {
		return false
	}
	letters := r.at-start > 1 // a word, which another one may only precede
	if letters && unicode.IsLetter(r.peekAt(start-1)) || letters && r.peek(0) != 's' && unicode.IsLetter(r.peek(0)) {
		r.at = start
		return false // "epsiloscope", "steps"
	}
	if letters && !r.take("s") && r.endsWith("eps") && r.peek(0) == '.' && !unicode.IsLetter(r.peek(1)) {
		r.at++ // abbreviated
	}
	if !r.standsAlone(start) {
		r.fail(start)
		return true
	}
	next := r.peek(0)
	switch {
	case isSubscript(next), next == '_' && unicode.IsDigit(r.peek(1)):
		for isSubscript(r.peek(0)) || r.peek(0) == '_' || unicode.IsDigit(r.peek(0)) {
			r.at++
		}
		return true // ε₀ is another quantity
	case next == '_':
		for r.peek(0) == '_' || r.peek(0) == '(' || unicode.IsLetter(r.peek(0)) {
			r.at++
		}
		r.take(")")
	case next == '-' && unicode.IsLetter(r.peek(1)):
		r.readAdjective(names)
		return true
	case strings.ContainsRune("^/·×", next) || unicode.IsLetter(next) || unicode.Is(unicode.No, next):
		r.fail(start)
		return true
	}
	together := slices.Contains(names, "δ") && r.followsEpsilon(start) // "ε, δ = 0.5, 1e-6"
	r.readValues(start, into)
	if together && r.listGoesOn() {
		r.fail(start)
	}
	return true
}

// takeElement moves beyond an ∈ that stands for ε, as in texts copied from a PDF. Before a set it is the sign of one.
func (r *claimReader) takeElement() bool {
	after := strings.TrimLeft(string(r.text[r.at:min(len(r.text), r.at+8)]), "∈∊")
	after = strings.TrimLeft(after, " ")
	return after != "" && strings.ContainsRune("=≤<≈:-", []rune(after)[0]) && (r.take("∈") || r.take("∊"))
}

// endsWith reports whether a text stands before the place.
func (r *claimReader) endsWith(text string) bool {
	return strings.HasSuffix(string(r.text[:r.at]), text)
}

// followsEpsilon reports whether ε stands before a place, joined to what stands there by a comma or "and".
func (r *claimReader) followsEpsilon(at int) bool {
	before := strings.TrimRight(string(r.text[:at]), " ")
	for _, joint := range []string{",", ";", "&", " and"} {
		if first, ok := strings.CutSuffix(before, joint); ok {
			first = strings.TrimRight(first, " ")
			return slices.ContainsFunc(epsilonNames, func(name string) bool { return strings.HasSuffix(first, name) })
		}
	}
	return false
}

// listGoesOn reports whether another number follows behind a comma.
func (r *claimReader) listGoesOn() bool {
	back := r.at
	defer func() { r.at = back }()
	r.skipSpace()
	if !r.take(",") && !r.take(";") {
		return false
	}
	r.skipSpace()
	return r.startsNumber()
}

func isSubscript(c rune) bool { return c >= '₀' && c <= '₉' }

func (r *claimReader) peekAt(i int) rune { return r.peek(i - r.at) }

// standsAlone reports whether the name at a place is not part of a term such as 2ε, e^ε, ε/2, ln ε.
func (r *claimReader) standsAlone(start int) bool {
	i := start - 1
	if unicode.IsLetter(r.peekAt(i)) {
		return false
	}
	for i >= 0 && r.text[i] == ' ' {
		i--
	}
	if i < 0 {
		return true
	}
	before := r.text[i]
	if before == '(' { // exp(ε)
		return i == 0 || !unicode.IsLetter(r.text[i-1]) && !strings.ContainsRune("^·×", r.text[i-1])
	}
	end := i + 1
	for i >= 0 && unicode.IsLetter(r.text[i]) {
		i--
	}
	if word := string(r.text[i+1 : end]); word == "ln" || word == "log" || word == "exp" {
		return false
	}
	return !unicode.IsDigit(before) && !strings.ContainsRune("^/·×√+%)", before)
}

// readAdjective reads what is joined to a name: "ε-DP", which has no δ by its definition.
func (r *claimReader) readAdjective(names []string) {
	r.at++
	switch r.word() {
	case "dp", "ldp", "differential", "differentially", "private":
		if slices.Contains(names, "ε") {
			r.found.deltas = append(r.found.deltas, 0)
		}
	case "free":
		if slices.Contains(names, "δ") {
			r.found.deltas = append(r.found.deltas, 0)
		}
	}
}

// skipToValue moves from a name to where its value may begin: beyond a relation, fillers and a few other words. related
// reports whether there was a relation; ok is false if a number in words stands there, which is not read. What stands
// between in parentheses is to be read afterwards: "ε (at δ = 1e-6) = 0.5". Its place is aside, 0 if there is none.
func (r *claimReader) skipToValue() (related bool, aside int, ok bool) {
	skipped := 0
	for {
		r.skipSpace()
		word, next, open := r.word(), r.peek(0), r.at
		switch {
		case slices.Contains(relations, next):
			related = true
			r.at++
			continue
		case slices.Contains(numberWords, word) && (related || skipped == 0):
			return related, aside, false
		case word == "" && slices.Contains([]rune(",)\"“”'’`′"), next) && !related:
			r.at++
			continue
		case next == '(' && r.relatesInside():
			r.at++
			continue
		case next == '(' && aside == 0 && r.takeAside():
			aside = open + 1
			continue
		case word == "" || related || slices.Contains(quantityWords, word) || r.startsNumber():
			return related, aside, true
		}
		if !slices.Contains(fillers, word) {
			skipped++
		}
		if skipped > maxSkipped {
			return related, aside, true
		}
		r.at += utf8.RuneCountInString(word)
	}
}

// readValues reads what follows a name: a relation, then a number, a range or a list of them.
func (r *claimReader) readValues(start int, into *[]float64) {
	name := r.at
	related, aside, ok := r.skipToValue()
	if aside > 0 {
		defer func() { r.at = aside }()
	}
	if !ok {
		r.fail(start)
		return
	}
	bracket := r.peek(0) == '['
	if bracket {
		r.at++
		r.skipSpace()
	}
	if r.peek(0) == '(' && r.isPair() {
		if related && !r.startsNumber() {
			r.fail(start)
		}
		return // the pair is read next
	}
	if !r.startsNumber() {
		negative := r.peek(0) == '-' && unicode.IsDigit(r.peek(1))
		if related || bracket || negative || r.strangeRelation(into == &r.found.deltas) {
			r.fail(start)
		}
		if i := slices.IndexFunc(r.text[name:r.at], unicode.IsLetter); i >= 0 {
			r.at = name + i // no value: the words are read for themselves, as in "our eps. Pure DP"
		}
		return
	}
	known := len(*into)
	for {
		x, ok := r.readNumber()
		if !ok || !r.endsHere() {
			r.fail(start)
			return
		}
		ofDelta := into == &r.found.deltas
		falls := len(*into) > known && x < (*into)[len(*into)-1] // "10-6" has lost its exponent
		if falls || ofDelta && x >= 1 {
			*into = (*into)[:known]
			r.fail(start)
			return
		}
		*into = append(*into, x)
		if !r.nextOfRange(bracket) {
			return
		}
	}
}

// relations are the signs between a name and its value.
var relations = []rune("=≤<≈:≥>∈")

// relatesInside reports whether the parenthesis that opens here starts with a relation: "ε (≤ 0.5)".
func (r *claimReader) relatesInside() bool {
	i := 1
	for r.peek(i) == ' ' {
		i++
	}
	return slices.Contains(relations, r.peek(i))
}

// takeAside moves beyond a parenthesis of words; false if it starts with a number or is never closed.
func (r *claimReader) takeAside() bool {
	back := r.at
	r.at++
	r.skipSpace()
	number := r.startsNumber()
	if r.at = back; number {
		return false
	}
	depth := 0
	for i, c := range r.text[r.at:] {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			r.at += i + 1
			return true
		}
	}
	return false
}

// strangeRelation reports whether a number follows a sign that is not read: "ε ≪ 1", "ε → 0.5". That δ is far below
// a number promises nothing certain.
func (r *claimReader) strangeRelation(ofDelta bool) bool {
	back := r.at
	defer func() { r.at = back }()
	for unicode.IsOneOf(notAfterNumber, r.peek(0)) && !(ofDelta && r.peek(0) == '≪') {
		r.at++
	}
	moved := r.at > back
	for slices.Contains([]rune(" =≤<≈:≥>"), r.peek(0)) {
		r.at++
	}
	return moved && r.startsNumber()
}

// nextOfRange moves to the next number of a range; it stays where it is if none follows.
func (r *claimReader) nextOfRange(bracket bool) bool {
	back := r.at
	r.skipSpace()
	joined := r.take("-") || r.take("…") || r.take("..") || bracket && (r.take(",") || r.take(";"))
	if word := r.word(); !joined && slices.Contains([]string{"to", "and", "or"}, word) {
		r.at += len(word)
		joined = true
	}
	r.skipSpace()
	if joined && r.startsNumber() {
		return true
	}
	r.at = back
	return false
}
