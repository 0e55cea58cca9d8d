package sheet

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// identifierPattern matches a name that a program can take for a column.
var identifierPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`) })

// IsIdentifier reports whether a text can head a column for programs.
func IsIdentifier(text string) bool { return identifierPattern().MatchString(text) }

// identifierWords maps characters of labels to identifiers.
var identifierWords = strings.NewReplacer(
	"α", "alpha", "β", "beta", "γ", "gamma", "δ", "delta", "ε", "epsilon", "μ", "mu", "ρ", "rho", "σ", "sigma", "θ", "theta",
	"η", "eta", "λ", "lambda", "Δ", "delta_f", "′", " prime", "²", " squared", "−", " minus ", "÷", " over ", "%", " percent", "+", " plus ", "ℓ", "l", "≥", " at least ", "≤", " at most ",
)

// Identifier returns the name of a column for programs made from its label for people: a label that is one already,
// such as a method's name, stays, and any other is spelled out in small letters with low lines between words ("ε(α)
// classic" is epsilon_alpha_classic).
func Identifier(label string) string {
	if IsIdentifier(label) {
		return label
	}
	if label == "" {
		return "item"
	}
	words := strings.FieldsFunc(strings.ToLower(identifierWords.Replace(label)), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if name := strings.Join(words, "_"); IsIdentifier(name) {
		return name
	}
	return "x_" + strings.Join(words, "_")
}
