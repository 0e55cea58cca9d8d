// Package response composes randomized responses exactly: they are the worst releases of
// which only ε is known (Kairouz, Oh & Viswanath 2015; Murtagh & Vadhan 2016).
package response

// Level is how often one ε > 0 occurs.
type Level struct{ Epsilon, Count float64 }

// Epsilon is the ε at δ > 0 of all levels together, a hair upward. It is false where
// several levels have too many combinations to be listed; one level may have any count.
func Epsilon(levels []Level, delta float64) (epsilon float64, ok bool) {
	if len(levels) == 1 {
		return lattice(levels[0]).epsilonAt(delta), true
	}
	return enumerate(levels, delta)
}
