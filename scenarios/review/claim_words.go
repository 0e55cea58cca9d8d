package review

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What the words of a claim say of ε and δ. A reader of the claim believes its words, so they may not promise more than
// the numbers that are judged; and a number that is not understood may be any.

// claimWords holds the numbers that the words of a claim say.
type claimWords struct {
	epsilons []float64
	deltas   []float64 // 0 if they say that there is none
	unread   string    // the first statement about ε or δ that is not understood; "" if there is none
}

// sameNumber is the relative difference up to which a number in words is the one in the file: "4·10⁻¹⁰" and 4e-10.
const sameNumber = 1e-9

// leastOther returns the least number that is said, and true if it promises more than the claimed one: it is smaller,
// and the claimed one is not said.
func leastOther(said []float64, claimed float64) (float64, bool) {
	least := math.Inf(1)
	for _, x := range said {
		if math.Abs(x-claimed) <= sameNumber*claimed {
			return claimed, false
		}
		least = math.Min(least, x)
	}
	return least, least < claimed
}

// longestClaim is the number of characters of a claim that is read.
const longestClaim = 4000

// readClaim reads the words of a claim.
func readClaim(text string) claimWords {
	r := &claimReader{text: []rune(foldSigns(plain(text)))}
	if n := len(r.text); n > longestClaim {
		return claimWords{unread: string(r.text[:20]) + "… (" + strconv.Itoa(n) + " characters)"}
	}
	for r.at < len(r.text) {
		start := r.at
		switch {
		case r.readQuantity(epsilonNames, &r.found.epsilons):
		case r.readQuantity(deltaNames, &r.found.deltas):
		case r.readPair():
		case r.readBeforeDP():
		case r.readDP():
		case r.readPure():
		default:
			r.at = max(r.at, start+1)
			continue
		}
		r.at = max(r.at, start+1)
		r.readTo = r.at
	}
	return r.found
}

// epsilonNames and deltaNames are what words call the two; longer names come first.
var (
	epsilonNames = []string{"epsilon", "eps", "ε", "privacy budget", "privacy loss", "privacy parameter",
		"privacy-budget", "privacy-loss", "privacy-parameter"}
	deltaNames = []string{"delta", "δ", "failure probability", "probability of failure"}
)

// claimReader reads a claim from left to right.
type claimReader struct {
	text      []rune
	at        int
	readTo    int // where the last statement ended
	numberEnd int // where the number that is being read has to end
	found     claimWords
}

// peek returns the rune at an offset from the place; 0 beyond the ends.
func (r *claimReader) peek(offset int) rune {
	if i := r.at + offset; i >= 0 && i < len(r.text) {
		return r.text[i]
	}
	return 0
}

func (r *claimReader) skipSpace() {
	for r.peek(0) == ' ' {
		r.at++
	}
}

// take moves beyond a text if it stands here.
func (r *claimReader) take(text string) bool {
	n := len([]rune(text))
	if r.at+n > len(r.text) || string(r.text[r.at:r.at+n]) != text {
		return false
	}
	r.at += n
	return true
}

// fail notes what is not understood: the words around a place.
func (r *claimReader) fail(from int) {
	if r.found.unread == "" {
		until := min(len(r.text), max(r.at, from)+12)
		r.found.unread = strings.TrimSpace(string(r.text[max(0, from-2):until]))
	}
}

// word returns the word that stands here, without moving: letters only.
func (r *claimReader) word() string {
	end := r.at
	for end < len(r.text) && unicode.IsLetter(r.text[end]) {
		end++
	}
	return string(r.text[r.at:end])
}

// takeWord moves beyond the word that stands here and the space after it.
func (r *claimReader) takeWord() string {
	word := r.word()
	r.at += utf8.RuneCountInString(word)
	r.skipSpace()
	return word
}

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
	r.found.deltas = append(r.found.deltas, delta)
	return true
}

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
	into := r.boundedName()
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
