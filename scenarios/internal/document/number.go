package document

import (
	"strings"

	"epsiloscope/mechanisms"
)

// Number reads a number, or a formula as flags and the explorer read it: 256/60000. One
// in quotes is text.
func Number(v *Node) (float64, bool) {
	if x, ok := v.Float(); ok || v.Kind != Scalar || v.Style != Plain || !strings.ContainsAny(v.Text, FormulaSigns) {
		return x, ok
	}
	x, err := mechanisms.ParseNumber(v.Text)
	return x, err == nil
}

// FormulaSigns are what tells a formula from a word.
const FormulaSigns = "-+*/^("
