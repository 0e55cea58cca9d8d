package review

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
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
		case r.readPure():
		}
		if r.at <= start {
			r.at = start + 1
		}
	}
	return r.found
}

// epsilonNames and deltaNames are what words call the two; longer names come first.
var (
	epsilonNames = []string{"epsilon", "eps", "ε", "privacy budget", "privacy loss", "privacy parameter"}
	deltaNames   = []string{"delta", "δ", "failure probability", "probability of failure"}
)

// signFolds are signs and commands of LaTeX that mean another sign.
var signFolds = strings.NewReplacer(
	"\\varepsilon", "ε", "\\epsilon", "ε", "\\delta", "δ", "\\leqslant", "≤", "\\leq", "≤", "\\le", "≤", "\\approx", "≈",
	"\\cdot", "·", "\\times", "·", "\\ln", "ln", "$", " ", "\\,", " ", "\\", " ", "{", "(", "}", ")",
	"ϵ", "ε", "ɛ", "ε", "ℇ", "ε", "𝛆", "ε", "𝛜", "ε", "𝜀", "ε", "𝜖", "ε", "𝜺", "ε", "𝝐", "ε", "𝝴", "ε", "𝞊", "ε", "𝞮", "ε",
	"𝛅", "δ", "𝛿", "δ", "𝜹", "δ", "𝝳", "δ", "𝞭", "δ", "ẟ", "δ",
	"**", "^", "×", "·", "⋅", "·", "∙", "·", "*", "·", "⁄", "/", "∕", "/", "÷", "/", "−", "-", "‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-",
	"⩽", "≤", "≦", "≤", "<=", "≤", "≃", "≈", "≅", "≈", "∼", "≈", "~", "≈",
	"½", "(1/2)", "⅓", "(1/3)", "⅔", "(2/3)", "¼", "(1/4)", "¾", "(3/4)", "⅕", "(1/5)", "⅛", "(1/8)", "⅒", "(1/10)",
	"\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\ufeff", "", "\u00ad", "")

// foldSigns returns a text in lower case in which every sign that the reader knows has one form.
func foldSigns(text string) string {
	folded := strings.Map(func(c rune) rune {
		switch {
		case c >= '０' && c <= '９': // full width
			return c - '０' + '0'
		case c >= 0x1d7ce && c <= 0x1d7ff: // mathematical digits
			return (c-0x1d7ce)%10 + '0'
		case unicode.IsSpace(c):
			return ' '
		}
		return unicode.ToLower(c)
	}, signFolds.Replace(text))
	return signFolds.Replace(folded) // an Ε in capitals
}

// claimReader reads a claim from left to right.
type claimReader struct {
	text  []rune
	at    int
	found claimWords
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

// fillers are words between a name and its value.
var fillers = []string{"value", "of", "is", "was", "be", "at", "most", "below", "under", "up", "to", "no", "more", "than", "less", "about",
	"around", "approximately", "roughly", "only", "just", "equal", "equals", "parameter", "total", "overall", "budget", "loss",
	"guarantee", "bound", "level", "between", "from", "in", "as", "small", "low", "the", "a", "an", "smaller", "well"}

// maxSkipped is the number of other words between a name and its value, as in "epsilon, our parameter, is 0.5".
const maxSkipped = 5

// quantityWords are words with which another statement begins.
var quantityWords = []string{"ε", "δ", "ρ", "μ", "epsilon", "epsilons", "eps", "delta", "deltas", "rho", "mu"}

// numberWords are numbers that are not read.
var numberWords = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "half", "third", "quarter", "fifth",
	"tenth", "hundredth", "thousandth", "millionth", "log", "exp", "sqrt"}

// afterNumber are words that change the number before them, in a way that is not read.
var afterNumber = []string{"percent", "over", "divided", "times", "minus", "plus", "tenth", "tenths", "hundredth", "hundredths", "thousandth",
	"thousandths", "millionth", "millionths", "halves", "half", "thirds", "quarters"}

// readQuantity reads a name and the values that it is said to have.
func (r *claimReader) readQuantity(names []string, into *[]float64) bool {
	start := r.at
	if !slices.ContainsFunc(names, r.take) {
		return false
	}
	letters := r.at-start > 1 // a word, which another one may only precede
	if letters && unicode.IsLetter(r.peekAt(start-1)) || letters && r.peek(0) != 's' && unicode.IsLetter(r.peek(0)) {
		r.at = start
		return false // "epsiloscope", "steps"
	}
	if letters {
		r.take("s")
	}
	if !r.standsAlone(start) {
		r.fail(start)
		return true
	}
	switch next := r.peek(0); {
	case next >= '₀' && next <= '₉', next == '_' && unicode.IsDigit(r.peek(1)):
		return true // ε₀ is another quantity
	case next == '_':
		for r.peek(0) == '_' || r.peek(0) == '(' || unicode.IsLetter(r.peek(0)) {
			r.at++
		}
		r.take(")")
	case next == '-' && unicode.IsLetter(r.peek(1)):
		r.readAdjective(names)
		return true
	case next == '^' || next == '/' || next == '·' || unicode.IsLetter(next) || unicode.Is(unicode.No, next):
		r.fail(start)
		return true
	}
	r.readValues(start, into)
	return true
}

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
		return i == 0 || !unicode.IsLetter(r.text[i-1]) && r.text[i-1] != '^' && r.text[i-1] != '·'
	}
	end := i + 1
	for i >= 0 && unicode.IsLetter(r.text[i]) {
		i--
	}
	if word := string(r.text[i+1 : end]); word == "ln" || word == "log" || word == "exp" {
		return false
	}
	return !unicode.IsDigit(before) && !strings.ContainsRune("^/·√+%)", before)
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

// readValues reads what follows a name: a relation, then a number, a range or a list of them.
func (r *claimReader) readValues(start int, into *[]float64) {
	related, skipped := false, 0
	for reading := true; reading; {
		r.skipSpace()
		word := r.word()
		switch next := r.peek(0); {
		case slices.Contains([]rune("=≤<≈:≥>∈"), next):
			related = true
			r.at++
		case slices.Contains(numberWords, word) && (related || skipped == 0):
			r.fail(start)
			return
		case word == "" && slices.Contains([]rune(",)\"“”'’"), next) && !related:
			r.at++
		case word == "" || related || slices.Contains(quantityWords, word) || r.startsNumber():
			reading = false
		default:
			if !slices.Contains(fillers, word) {
				skipped++
			}
			reading = skipped <= maxSkipped
			if reading {
				r.at += len([]rune(word))
			}
		}
	}
	bracket := r.peek(0) == '['
	if bracket {
		r.at++
		r.skipSpace()
	}
	if r.peek(0) == '(' && r.isPair() {
		return // the pair is read next
	}
	if !r.startsNumber() {
		if related || bracket || r.peek(0) == '-' && unicode.IsDigit(r.peek(1)) {
			r.fail(start)
		}
		return
	}
	known := len(*into)
	for {
		x, ok := r.readExpression()
		if !ok {
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

// startsNumber reports whether a number may begin here.
func (r *claimReader) startsNumber() bool {
	switch c, next := r.peek(0), r.peek(1); c {
	case '.':
		return unicode.IsDigit(next)
	case '(':
		return unicode.IsDigit(next) || next == '.' || next == 'l'
	default:
		return unicode.IsDigit(c) || r.word() == "ln" || r.word() == "e" && next == '^'
	}
}

// isPair reports whether the parenthesis that opens here has a comma in it.
func (r *claimReader) isPair() bool {
	for i := r.at + 1; i < len(r.text); i++ {
		switch r.text[i] {
		case ',', ';':
			return true
		case ')':
			return false
		}
	}
	return false
}

// readExpression reads products, quotients and sums of numbers, and what must not follow one.
func (r *claimReader) readExpression() (float64, bool) {
	sum, ok := r.readProduct()
	for ok {
		back := r.at
		r.skipSpace()
		if !r.take("+") {
			r.at = back
			break
		}
		r.skipSpace()
		var x float64
		x, ok = r.readProduct()
		sum += x
	}
	return sum, ok && r.endsHere() && sum >= 0 && !math.IsInf(sum, 0) && !math.IsNaN(sum)
}

// notAfterNumber are the signs that may belong to a number before them, after a space too.
var notAfterNumber = []*unicode.RangeTable{unicode.Sm, unicode.Sk, unicode.So, unicode.No, unicode.M}

// endsHere reports whether nothing that belongs to the number before it stands here.
func (r *claimReader) endsHere() bool {
	next := r.peek(0)
	if next != 0 && !strings.ContainsRune(" ,.;:)]!?\"”'’»-…=", next) ||
		strings.ContainsRune(",.:'’", next) && unicode.IsDigit(r.peek(1)) {
		return false // "1,5", "1%", "1n"
	}
	back := r.at
	defer func() { r.at = back }()
	r.skipSpace()
	if after := r.peek(0); r.at > back && (unicode.IsDigit(after) || unicode.IsOneOf(notAfterNumber, after) ||
		strings.ContainsRune("%‰/·:^", after)) && !strings.ContainsRune("=<≤≈", after) {
		return false // "1 000", "1 / n"
	}
	word := r.word()
	if word == "per" {
		r.at += 3
		r.skipSpace()
		next := r.word()
		return next != "cent" && next != "mille" && next != "mil"
	}
	return !slices.Contains(afterNumber, word) && word != "e" && word != "n" && word != "x"
}

// readProduct reads a · b / c.
func (r *claimReader) readProduct() (float64, bool) {
	product, ok := r.readPower()
	for ok {
		back := r.at
		r.skipSpace()
		over := r.take("/")
		times := !over && (r.take("·") || r.peek(0) == 'x' && r.timesFollows() && r.take("x"))
		if !over && !times {
			r.at = back
			break
		}
		r.skipSpace()
		var x float64
		if x, ok = r.readPower(); over {
			x = 1 / x
		}
		product *= x
	}
	return product, ok
}

// timesFollows reports whether the letter x here stands between two numbers.
func (r *claimReader) timesFollows() bool {
	return unicode.IsDigit(r.peek(1)) || r.peek(1) == ' ' && unicode.IsDigit(r.peek(2))
}

// superscripts are the digits of an exponent above the line.
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// readPower reads a number with its exponent: 10^-6, 10⁻⁶.
func (r *claimReader) readPower() (float64, bool) {
	base, ok := r.readPrimary()
	if !ok {
		return 0, false
	}
	if r.take("^") {
		paren := r.take("(")
		sign := 1.0
		if r.take("-") {
			sign = -1
		} else {
			r.take("+")
		}
		x, ok := r.readDecimal()
		if paren && !r.take(")") {
			return 0, false
		}
		return math.Pow(base, sign*x), ok
	}
	return r.readSuperscript(base)
}

func (r *claimReader) readSuperscript(base float64) (float64, bool) {
	exponent, digits, sign := 0.0, 0, 1.0
	if r.take("⁻") {
		sign = -1
	}
	for {
		d := slices.Index([]rune(superscripts), r.peek(0))
		if d < 0 {
			break
		}
		exponent, digits = 10*exponent+float64(d), digits+1
		r.at++
	}
	if digits == 0 {
		return base, sign > 0
	}
	return math.Pow(base, sign*exponent), true
}

// readPrimary reads a decimal, a logarithm or an expression in parentheses.
func (r *claimReader) readPrimary() (float64, bool) {
	if r.word() == "ln" {
		r.at += 2
		r.skipSpace()
		x, ok := r.readPrimary() // ln 3⁴ is not read as either
		return math.Log(x), ok && x > 0 && r.peek(0) != '^' && !strings.ContainsRune(superscripts+"⁻", r.peek(0))
	}
	if r.take("(") {
		r.skipSpace()
		x, ok := r.readProduct()
		r.skipSpace()
		return x, ok && r.take(")")
	}
	return r.readDecimal()
}

// readDecimal reads 3, 0.5, .5 or 1e-6.
func (r *claimReader) readDecimal() (float64, bool) {
	start := r.at
	digits := func() {
		for r.peek(0) >= '0' && r.peek(0) <= '9' {
			r.at++
		}
	}
	digits()
	if r.peek(0) == '.' && unicode.IsDigit(r.peek(1)) {
		r.at++
		digits()
	} else if r.peek(0) == '.' && r.at > start && unicode.IsLetter(r.peek(1)) {
		return 0, false // "1.e-6"
	}
	if r.at == start {
		return 0, false
	}
	signed := r.peek(1) == '-' || r.peek(1) == '+'
	if r.peek(0) == 'e' && (unicode.IsDigit(r.peek(1)) || signed && unicode.IsDigit(r.peek(2))) {
		r.at += 2
		digits()
	}
	x, err := strconv.ParseFloat(string(r.text[start:r.at]), 64)
	return x, err == nil
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
	epsilon, ok := r.readProduct()
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
	delta, ok := r.readProduct()
	r.skipSpace()
	if !ok || delta >= 1 || !r.take(")") {
		r.fail(start)
		return true
	}
	r.found.deltas = append(r.found.deltas, delta)
	return true
}

// readBeforeDP reads the number of "0.5-DP".
func (r *claimReader) readBeforeDP() bool {
	start := r.at
	before := r.peek(-1)
	if !r.startsNumber() || unicode.IsLetter(before) || unicode.IsDigit(before) || before == '.' || before == ',' {
		return false
	}
	x, ok := r.readProduct()
	r.skipSpace()
	if !r.take("-") || !slices.Contains([]string{"dp", "ldp", "differential", "differentially", "local"}, r.word()) {
		r.at = start
		for unicode.IsDigit(r.peek(0)) || r.peek(0) == '.' {
			r.at++ // the digits are no number of their own
		}
		return false
	}
	if !ok {
		r.fail(start)
		return true
	}
	r.found.epsilons = append(r.found.epsilons, x)
	r.found.deltas = append(r.found.deltas, 0)
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
		(r.peek(0) == 'ε' || slices.Contains([]string{"dp", "ldp", "differential", "differentially", "privacy", "epsilon", "eps", "guarantee"}, next)):
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
