package review

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"epsiloscope/accounting/numeral"
)

// Numbers in the words of a claim: where one ends, and in which signs numeral.Parse reads it. A number that two people
// may read as two numbers is not understood: ln 3/2, 1/2·3, 2^3^2, 1·5.

// signFolds are signs and commands of LaTeX that mean another sign. A dot may be a decimal point, and × is none.
var signFolds = strings.NewReplacer(
	"\\varepsilon", "ε", "\\epsilon", "ε", "\\delta", "δ", "\\leqslant", "≤", "\\leq", "≤", "\\le", "≤", "\\approx", "≈",
	"\\cdot", "×", "\\times", "×", "\\ln", "ln", "$", " ", "\\,", " ", "\\", " ", "{", "(", "}", ")",
	"ϵ", "ε", "ɛ", "ε", "ℇ", "ε", "𝛆", "ε", "𝛜", "ε", "𝜀", "ε", "𝜖", "ε", "𝜺", "ε", "𝝐", "ε", "𝝴", "ε", "𝞊", "ε", "𝞮", "ε",
	"𝛅", "δ", "𝛿", "δ", "𝜹", "δ", "𝝳", "δ", "𝞭", "δ", "ẟ", "δ", "ԑ", "ε", "є", "ε",
	"**", "^", "*", "×", "⋅", "·", "∙", "·", "⁄", "/", "∕", "/", "÷", "/",
	"−", "-", "‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-",
	"⩽", "≤", "≦", "≤", "<=", "≤", "≲", "≤", "⪅", "≤", "⩾", "≥", "≧", "≥", ">=", "≥", "＝", "=", "≡", "=", "＜", "<", "＞", ">",
	"≃", "≈", "≅", "≈", "∼", "≈", "~", "≈",
	"½", "(1/2)", "⅓", "(1/3)", "⅔", "(2/3)", "¼", "(1/4)", "¾", "(3/4)", "⅕", "(1/5)", "⅛", "(1/8)", "⅒", "(1/10)",
	"\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\ufeff", "", "\u00ad", "")

// superscripts are the digits of an exponent above the line.
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// decimalPattern is 3, 0.5, .5 or 1e-6.
const decimalPattern = `(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:e[+-]?[0-9]+)?`

// patterns find what numbers are made of.
type patterns struct{ fraction, decimal, exponent, raised, bareLog, powerOfTen, lostExponent *regexp.Regexp }

// forms returns the patterns, which are made when a claim is first read.
var forms = sync.OnceValue(func() patterns {
	return patterns{
		fraction: regexp.MustCompile(`\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}`),
		decimal:  regexp.MustCompile(`^` + decimalPattern),
		exponent: regexp.MustCompile(`^(?:\^[+-]?` + decimalPattern + `|\^\([+-]?` + decimalPattern + `\)|⁻?[` +
			superscripts + `]+)`),
		raised:       regexp.MustCompile(`⁻?[` + superscripts + `]+`),
		bareLog:      regexp.MustCompile(`ln *(` + decimalPattern + `)`),
		powerOfTen:   regexp.MustCompile(`^10[\^⁻` + superscripts + `]`),
		lostExponent: regexp.MustCompile(`[·×x] *10$`),
	}
})

// foldSigns returns a text in lower case in which every sign that the reader knows has one form.
func foldSigns(text string) string {
	text = forms().fraction.ReplaceAllString(text, "(($1)/($2))")
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

// plainSigns returns a number in signs that numeral.Parse reads: 10⁻⁶ as 10^(-6), ln 3 as ln(3), 5 x 3 as 5 × 3.
func plainSigns(number string) string {
	number = forms().raised.ReplaceAllStringFunc(number, func(s string) string {
		return "^(" + strings.Map(func(c rune) rune {
			if d := slices.Index([]rune(superscripts), c); d >= 0 {
				return '0' + rune(d)
			}
			return '-'
		}, s) + ")"
	})
	return strings.ReplaceAll(forms().bareLog.ReplaceAllString(number, "ln($1)"), "x", "×")
}

// startsNumber reports whether a number may begin here.
func (r *claimReader) startsNumber() bool {
	back := r.at
	defer func() { r.at = back }()
	for r.peek(0) == '(' {
		r.at++
	}
	switch c, next := r.peek(0), r.peek(1); c {
	case '.':
		return unicode.IsDigit(next)
	case 'e':
		return next == '^' || next == '⁻' || strings.ContainsRune(superscripts, next)
	default:
		return unicode.IsDigit(c) || r.word() == "ln"
	}
}

// readNumber reads a number and moves to its end; false if it is not understood.
func (r *claimReader) readNumber() (float64, bool) {
	start := r.at
	if r.numberEnd = start + longestNumber; !r.takeSum(0) {
		return 0, false
	}
	text := string(r.text[start:r.at])
	if r.peek(0) == '-' && forms().lostExponent.MatchString(text) {
		return 0, false // "7·10-9"
	}
	x, err := numeral.Parse(plainSigns(text))
	return x, err == nil && x >= 0
}

// longestNumber, longestDecimal and maxNested keep a hostile text from costing more than its length.
const (
	longestNumber  = 256 // characters, as for numeral.Parse
	longestDecimal = 64  // characters of one decimal or exponent
	maxNested      = 8   // parentheses
)

// takeSum moves beyond terms that are added, multiplied and divided; false if they may be read in two ways.
func (r *claimReader) takeSum(depth int) bool {
	divided := false
	for r.takeTerm(depth) {
		back := r.at
		r.skipSpace()
		switch {
		case r.take("+"):
			divided = false
		case r.take("/"):
			divided = true
		case r.takeTimes():
			if divided {
				return false // "1/2·3"
			}
		default:
			r.at = back
			return true
		}
		r.skipSpace()
	}
	return false
}

// takeTimes moves beyond a sign of multiplication; a dot between two digits may be a decimal point, unless a power of
// ten follows.
func (r *claimReader) takeTimes() bool {
	if r.peek(0) == '·' && unicode.IsDigit(r.peek(-1)) && unicode.IsDigit(r.peek(1)) {
		return forms().powerOfTen.MatchString(string(r.text[r.at+1:min(len(r.text), r.at+4)])) && r.take("·")
	}
	letter := r.peek(0) == 'x' && (unicode.IsDigit(r.peek(1)) || r.peek(1) == ' ' && unicode.IsDigit(r.peek(2)))
	return r.take("·") || r.take("×") || letter && r.take("x")
}

// takeTerm moves beyond a decimal, a power, a logarithm or a sum in parentheses.
func (r *claimReader) takeTerm(depth int) bool {
	log := r.take("ln")
	if log {
		r.skipSpace()
	}
	switch {
	case r.at > r.numberEnd:
		return false
	case depth < maxNested && r.take("("):
		r.skipSpace()
		inside := r.takeSum(depth + 1)
		r.skipSpace()
		if !inside || !r.take(")") {
			return false
		}
	case log:
		return r.takeMatch(forms().decimal) && !r.operatorFollows() // "ln 3/2"
	case r.peek(0) == 'e':
		r.at++
		return r.takeMatch(forms().exponent)
	default:
		if !r.takeMatch(forms().decimal) {
			return false
		}
	}
	return !r.takeMatch(forms().exponent) || !log // "ln(3)²"
}

// operatorFollows reports whether more of the number follows.
func (r *claimReader) operatorFollows() bool {
	back := r.at
	defer func() { r.at = back }()
	if r.takeMatch(forms().exponent) {
		return true
	}
	r.skipSpace()
	return strings.ContainsRune("+/·×^", r.peek(0)) || r.takeTimes()
}

// takeMatch moves beyond what a pattern finds here.
func (r *claimReader) takeMatch(pattern *regexp.Regexp) bool {
	found := pattern.FindString(string(r.text[r.at:min(len(r.text), r.at+longestDecimal)]))
	r.at += utf8.RuneCountInString(found)
	return found != ""
}

// numberWords are numbers and functions that are not read.
var numberWords = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "hundred", "thousand",
	"million", "billion", "unity", "nought", "naught", "point", "half", "third", "quarter", "fifth", "tenth", "hundredth", "thousandth", "millionth", "billionth",
	"log", "exp", "sqrt"}

// afterNumber are words that change the number before them, in a way that is not read.
var afterNumber = []string{"percent", "permille", "over", "divided", "times", "minus", "plus", "out", "part", "parts", "halves", "thirds",
	"quarters", "fifths", "tenths", "hundredths", "thousandths", "millionths", "billionths", "ln", "root", "basis", "bit", "bits", "milli",
	"micro"}

// notAfterNumber are the signs that may belong to a number before them, after a space too.
var notAfterNumber = []*unicode.RangeTable{unicode.Sm, unicode.Sk, unicode.So, unicode.No, unicode.M}

// endsHere reports whether nothing that belongs to the number before it stands here.
func (r *claimReader) endsHere() bool {
	next := r.peek(0)
	if next != 0 && !strings.ContainsRune(" ,.;:)]!?\"”'’»-…=", next) ||
		strings.ContainsRune(",.:'’", next) && unicode.IsDigit(r.peek(1)) || next == '.' && unicode.IsLetter(r.peek(1)) {
		return false // "1,5", "1%", "1n", "1.e-6"
	}
	back := r.at
	defer func() { r.at = back }()
	r.skipSpace()
	dash := r.take("-") // of a range, "5-tenths", "2 - √3"
	r.skipSpace()
	after, moved := r.peek(0), r.at > back
	switch {
	case moved && unicode.IsOneOf(notAfterNumber, after) && !strings.ContainsRune("=<≤≈", after):
		return false // "1 √2"
	case moved && !dash && (unicode.IsDigit(after) || strings.ContainsRune("%‰‱/·:^", after)):
		return false // "1 000", "1 / n"
	case moved && !dash && after == '(' && r.factorFollows():
		return false // "5 (1/10)"
	}
	return !r.changesNumber()
}

// factorFollows reports whether a number alone stands in the parenthesis that opens here.
func (r *claimReader) factorFollows() bool {
	back := r.at
	defer func() { r.at = back }()
	return r.takeTerm(0)
}

// changesNumber reports whether the words here change the number before them.
func (r *claimReader) changesNumber() bool {
	word := r.word()
	if slices.Contains(afterNumber, word) || slices.Contains(numberWords, word) {
		return true
	}
	letter := utf8.RuneCountInString(word) == 1 && !slices.Contains([]string{"a", "i"}, word)
	if letter && !slices.Contains(quantityWords, word) {
		return true // "1 n", "2 - c"
	}
	switch r.takeWord() {
	case "per":
		return slices.Contains([]string{"cent", "mille", "mil"}, r.word())
	case "in", "of":
		return r.isWhole()
	}
	return false
}

// countedWords are nouns that a number after "in" counts; before others it is the whole of which the one before is a
// part.
var countedWords = []string{"year", "quarter", "month", "week", "day", "hour", "round", "release", "publication", "epoch"}

// isWhole reports whether the number here makes the one before it a fraction, as in "1 in 10" and "1 in a million".
func (r *claimReader) isWhole() bool {
	if r.word() == "a" {
		r.takeWord()
	}
	word := r.takeWord()
	if word == "one" || !slices.Contains(numberWords, word) && !r.takeMatch(forms().decimal) {
		return false
	}
	r.skipSpace()
	return !slices.Contains(countedWords, singular(r.word()))
}
