package review

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What the words of a claim say of ε, δ, ρ and μ. A reader of the claim believes its words, so they may not promise
// more than the numbers that are judged; and a number that is not understood may be any.

// claimWords holds the numbers that the words of a claim say.
type claimWords struct {
	epsilons []float64
	deltas   []float64 // 0 if they say that there is none
	rhos     []float64 // of zCDP
	mus      []float64 // of Gaussian DP
	unread   string    // the first statement about one of them that is not understood; "" if there is none
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
	words := string(r.text)
	gaussian := strings.Contains(words, "gdp") || strings.Contains(words, "gaussian d")
	for r.at < len(r.text) {
		start := r.at
		switch {
		case r.readQuantity(epsilonNames, &r.found.epsilons):
		case r.readQuantity(deltaNames, &r.found.deltas):
		case r.readQuantity(rhoNames, &r.found.rhos):
		case gaussian && r.readQuantity(muNames, &r.found.mus): // else μ may be a mean
		case r.readRenyi():
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

// What words call the quantities; longer names come first.
var (
	epsilonNames = []string{"epsilon", "eps", "ε", "privacy budget", "privacy loss", "privacy parameter",
		"privacy-budget", "privacy-loss", "privacy-parameter"}
	deltaNames = []string{"delta", "δ", "failure probability", "probability of failure"}
	rhoNames   = []string{"rho", "ρ"}
	muNames    = []string{"mu", "μ"}
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
