package numeral

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// An e that no digit follows is no exponent, so "2e" is an error and not 2; 1_000_000 is one
// number.
var (
	literal = sync.OnceValue(func() *regexp.Regexp {
		const digits = `\d+(_\d+)*`
		return regexp.MustCompile(`^(` + digits + `(\.(` + digits + `)?)?|\.(` + digits + `)?)([eE][+-]?` + digits + `)?`)
	})
	word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*`) })
)

// number returns the value of a literal.
func number(text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("is too large for a number: %s", text)
	case err != nil:
		return 0, fmt.Errorf("is not a number: %s", Quote(text))
	case Vanishes(text, x):
		return 0, fmt.Errorf("is too small for a number: %s", text)
	}
	return x, nil
}

// Vanishes reports whether a literal that is not 0 was read as 0: a δ of 1e-400 is not none.
func Vanishes(text string, x float64) bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	return x == 0 && strings.ContainsAny(mantissa, "123456789")
}
