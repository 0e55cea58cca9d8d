package certificate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// MalformedError says why a file is no certificate.
type MalformedError struct{ Reason string }

func (e *MalformedError) Error() string { return e.Reason }

func malformedError(format string, args ...any) error {
	return &MalformedError{fmt.Sprintf(format, args...)}
}

// maxCharacters is the longest certificate that is read, and maxDepth its deepest nesting.
const (
	maxCharacters = 1_000_000
	maxDepth      = 8
)

var (
	decimal = lazyPattern(`^(0|[1-9][0-9]{0,7})(\.[0-9]{1,45})?(e-[1-9][0-9]?)?$`)
	whole   = lazyPattern(`^(0|[1-9][0-9]{0,7})$`)
)

// lazyPattern returns a regular expression that is compiled when it is first asked for, which most commands never do.
func lazyPattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// unreadable is the refusal of what is no JSON, or nested deeper than maxDepth. It has no place in the file: the two
// checkers would name different ones.
const unreadable = "not readable as JSON, or nested too deep"

// Parse reads a certificate. Its error is a [MalformedError]: an unknown, missing or repeated field, a number that is
// no plain decimal in quotation marks or out of range. check.py refuses with the same words, in the same order.
func Parse(data []byte) (*Certificate, error) {
	if !utf8.Valid(data) || utf8.RuneCount(data) > maxCharacters {
		return nil, malformedError("not UTF-8, or longer than 1,000,000 characters")
	}
	if !json.Valid(data) {
		return nil, malformedError(unreadable)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := checkStrict(dec, 0); err != nil {
		return nil, err
	}
	if err := checkFields(data); err != nil {
		return nil, err
	}
	c := new(Certificate)
	if err := json.Unmarshal(data, c); err != nil {
		return nil, malformedError(unreadable)
	}
	if _, err := newChecker(c); err != nil {
		return nil, err
	}
	return c, nil
}

// checkStrict walks through a value and refuses repeated fields, numbers without quotation marks,
// true, false and null.
func checkStrict(dec *json.Decoder, depth int) error {
	if depth > maxDepth {
		return malformedError(unreadable)
	}
	token, err := dec.Token()
	if err != nil {
		return malformedError(unreadable)
	}
	open, isDelim := token.(json.Delim)
	if !isDelim {
		if _, ok := token.(string); !ok {
			return malformedError("a value without quotation marks")
		}
		return nil
	}
	seen := map[string]bool{}
	for dec.More() {
		if open == '{' {
			token, _ := dec.Token()
			name, ok := token.(string)
			if !ok || seen[name] {
				return malformedError("a field occurs twice")
			}
			seen[name] = true
		}
		if err := checkStrict(dec, depth+1); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

var (
	fieldNames = []string{"format", "about", "releases", "delta", "eps_upper", "eps_lower", "h", "digits", "cut", "tests", "lower_direction"}
	aboutNames = []string{"scenario", "unit", "adjacency", "group", "rounds", "stack"}
)

// checkFields refuses unknown and missing fields, by their exact names: the JSON decoder alone would accept
// "Delta" for delta.
func checkFields(data []byte) error {
	top, err := readFields(data, fieldNames)
	if err != nil {
		return err
	}
	if _, err := readFields(top["about"], aboutNames); err != nil {
		return err
	}
	var releases []map[string]json.RawMessage
	if json.Unmarshal(top["releases"], &releases) != nil || len(releases) < 1 || len(releases) > 50 {
		return malformedError("releases: must be a list of 1 to 50")
	}
	for _, r := range releases {
		var kind string
		if r["kind"] == nil || json.Unmarshal(r["kind"], &kind) != nil || parameters[kind] == nil {
			return malformedError("kind: not one that this program knows")
		}
		if err := checkNames(r, append([]string{"kind", "count", "offset"}, parameters[kind]...)); err != nil {
			return err
		}
		if rows := r["outcomes"]; rows != nil && !arePairs(rows) {
			return malformedError("outcomes: must be pairs of masses")
		}
	}
	return nil
}

// arePairs reports whether a JSON value is a list of pairs of texts.
func arePairs(rows json.RawMessage) bool {
	var list [][]string
	if json.Unmarshal(rows, &list) != nil {
		return false
	}
	for _, v := range list {
		if len(v) != 2 {
			return false
		}
	}
	return true
}

// readFields returns the fields of a JSON object, which must be those in want.
func readFields(data json.RawMessage, want []string) (map[string]json.RawMessage, error) {
	var have map[string]json.RawMessage
	if json.Unmarshal(data, &have) != nil {
		have = nil
	}
	return have, checkNames(have, want)
}

// checkNames refuses fields other than those in want, and a list or an object in the place of a text.
func checkNames(have map[string]json.RawMessage, want []string) error {
	missing := func(name string) bool { return have[name] == nil }
	if len(have) != len(want) || slices.ContainsFunc(want, missing) {
		return malformedError("must have the fields %s, and no others", strings.Join(want, ", "))
	}
	for _, name := range want {
		if have[name][0] != '"' && name != "about" && name != "releases" && name != "outcomes" {
			return malformedError("%s: must be a text", name)
		}
	}
	return nil
}

// reader collects the first mistake of a certificate.
type reader struct{ err error }

// number reads a decimal of at most 45 places between two bounds, as an exact rational.
func (in *reader) number(name, text, low, high string) *big.Rat {
	digits := text
	if name == "offset" {
		digits = strings.TrimPrefix(text, "-")
	}
	value := new(big.Rat)
	switch {
	case in.err != nil:
	case !decimal().MatchString(digits):
		in.err = malformedError("%s: must be a plain decimal in quotation marks", name)
	default:
		value.SetString(text)
		scaled := new(big.Rat).Mul(value, new(big.Rat).SetInt(power(places)))
		if value.Cmp(rational(low)) < 0 || value.Cmp(rational(high)) > 0 || !scaled.IsInt() || tooFine(digits) {
			in.err = malformedError("%s: must be from %s to %s, with at most 45 decimals", name, low, high)
		}
	}
	return value
}

// tooFine reports whether a plain decimal is written with more than 45 places, zeros included.
func tooFine(text string) bool {
	mantissa, exponent, _ := strings.Cut(text, "e-")
	_, fraction, _ := strings.Cut(mantissa, ".")
	n := len(fraction)
	if exponent != "" {
		var e int
		fmt.Sscanf(exponent, "%d", &e)
		n += e
	}
	return n > places
}

func (in *reader) whole(name, text string, low, high int64) int64 {
	if in.err == nil && !whole().MatchString(text) {
		in.err = malformedError("%s: must be a whole number in quotation marks", name)
	}
	var n int64
	if in.err == nil {
		if fmt.Sscanf(text, "%d", &n); n < low || n > high {
			in.err = malformedError("%s: must be from %d to %d", name, low, high)
		}
	}
	return n
}

func (in *reader) require(ok bool, text string) {
	if in.err == nil && !ok {
		in.err = malformedError("%s", text)
	}
}

func rational(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("certificate: " + text + " is not a number")
	}
	return r
}

func power(n int64) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil) }

func toFloat(r *big.Rat) *big.Float { return newFloat().SetRat(r) }

// maxText is the largest number of characters of a text about the releases.
const maxText = 200

// isControl reports whether a character must not stand in a certificate. Every other one may, and is escaped where it
// is shown: which ones can be shown depends on the tables of Unicode that a program has.
func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r <= 0x9f || r == utf8.RuneError }

// isFit reports whether a text of a certificate is short and free of control characters.
func isFit(text string) bool {
	return utf8.RuneCountInString(text) <= maxText && !strings.ContainsFunc(text, isControl)
}

// FitText returns a text as a certificate takes it: at most 200 characters, with spaces for control characters.
func FitText(text string) string {
	var out []rune
	for _, r := range text {
		if isControl(r) {
			r = ' '
		}
		if out = append(out, r); len(out) == maxText {
			break
		}
	}
	return string(out)
}
