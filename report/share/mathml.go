package share

import (
	"html"
	"regexp"
	"strings"
	"sync"
)

// lazyPattern returns a regular expression that is compiled when it is first asked for, which most commands never do.
func lazyPattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// scripted finds a short base with one exponent or index: e^{−ε}, e^(−x), S_j, f(y)_i. A longer word before an
// underscore is a name, not a formula.
var scripted = lazyPattern(`(^|[^\pL_])((?:[\pL∞Σ]{1,2}|[\pN]+|\))[′*∞]?)([\^_])(\{[^{}]*\}|\([^()]*\)|[−-]?[\pL\pN]{1,3}[′]?)`)

// typeset returns a text as HTML in which exponents, indices and sums are MathML, which browsers draw without a script.
func typeset(text string) markup {
	var b strings.Builder
	for {
		at := scripted().FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		if isName(text[at[8]:at[9]], text[at[1]:]) {
			b.WriteString(html.EscapeString(text[:at[1]]))
			text = text[at[1]:]
			continue
		}
		b.WriteString(html.EscapeString(text[:at[4]]))
		tag := "msup"
		if text[at[6]:at[7]] == "_" {
			tag = "msub"
		}
		script := text[at[8]:at[9]]
		if strings.HasPrefix(script, "{") || strings.HasPrefix(script, "(") {
			script = script[1 : len(script)-1]
		}
		b.WriteString("<math><" + tag + ">" + mathBase(text[at[4]:at[5]]) + "<mrow>" + mathRow(script) + "</mrow></" + tag + "></math>")
		text = text[at[1]:]
	}
	b.WriteString(html.EscapeString(text))
	return markup(b.String())
}

// isName reports whether an index without braces goes on as a name does: max_groups.
func isName(script, rest string) bool {
	return !strings.HasPrefix(script, "{") && !strings.HasPrefix(script, "(") && nameGoesOn().MatchString(rest)
}

var (
	nameGoesOn = lazyPattern(`^[\pL\pN_]`)
	word       = lazyPattern(`^[\pL′]+$`)
)

// mathBase returns what carries an exponent or an index. A sum sign before it stays outside of it in meaning and before
// it in print.
func mathBase(base string) string {
	if rest, isSum := strings.CutPrefix(base, "Σ"); isSum && rest != "" {
		return "<mrow><mo>∑</mo><mi>" + html.EscapeString(rest) + "</mi></mrow>"
	}
	if base == ")" {
		return "<mo>)</mo>"
	}
	return "<mi>" + html.EscapeString(base) + "</mi>"
}

// mathToken finds the parts of a script: an index in it, a number, a word, a sign.
var mathToken = lazyPattern(`Σ|exp|ln|log|min|max|(\pL)_([\pL\pN]+)|\pN+(?:\.\pN+)?|\pL′?|\s+|.`)

// mathRow returns the tokens of a script as MathML.
func mathRow(script string) string {
	var b strings.Builder
	for _, at := range mathToken().FindAllStringSubmatch(script, -1) {
		token := html.EscapeString(at[0])
		switch {
		case at[1] != "":
			b.WriteString("<msub><mi>" + html.EscapeString(at[1]) + "</mi><mi>" + html.EscapeString(at[2]) + "</mi></msub>")
		case strings.TrimSpace(token) == "":
		case at[0] == "Σ":
			b.WriteString("<mo>∑</mo>")
		case token[0] >= '0' && token[0] <= '9':
			b.WriteString("<mn>" + token + "</mn>")
		case word().MatchString(at[0]):
			b.WriteString("<mi>" + token + "</mi>")
		default:
			b.WriteString("<mo>" + token + "</mo>")
		}
	}
	return b.String()
}
