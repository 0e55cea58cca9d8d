package document

import (
	"strings"

	"epsiloscope/mechanisms/numeral"
)

// Number reads a number, or a formula as flags and the explorer accept it: 256/60000. In
// quotes it is text.
func Number(v *Node) (float64, bool) {
	if x, ok := v.Float(); ok || v.Kind != Scalar || v.Style != Plain || !strings.ContainsAny(v.Text, FormulaSigns) {
		return x, ok
	}
	x, err := numeral.Parse(v.Text)
	return x, err == nil
}

// FormulaSigns tell a formula from a word.
const FormulaSigns = "-+*/^("
