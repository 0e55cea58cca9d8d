package peers

import (
	"fmt"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/pairs"
)

// steps are Poisson-sampled Gaussian steps as a tool counts them.
type steps struct{ q, z, count float64 }

func sumOf(all []steps, curve func(q, z, alpha float64) float64) func(alpha float64) float64 {
	return func(alpha float64) (sum float64) {
		for _, s := range all {
			sum += s.count * curve(s.q, s.z, alpha)
		}
		return sum
	}
}

func partsOf(all []steps) (parts []pairs.Part) {
	for _, s := range all {
		pair, err := accounting.Subsample(accounting.GaussianDP(1/s.z), s.q).Pair()
		if err == nil {
			parts = append(parts, pairs.Part{Pair: pair, Count: s.count})
		}
	}
	return parts
}

// joinReasons joins two reasons; the first may be "".
func joinReasons(a, b string) string {
	return strings.TrimPrefix(a+"; "+b, "; ")
}

// orderNote words which order of its list a Rényi accountant uses.
func orderNote(orders []float64, alpha float64) string {
	last := orders[len(orders)-1]
	if alpha == last {
		return fmt.Sprintf("one Rényi order, its last of %d, %s: a larger would be better", len(orders), numeral.Format(last))
	}
	return fmt.Sprintf("one Rényi order, %s of its %d, for the whole loss", numeral.Format(alpha), len(orders))
}
