package mechanisms

// selectionScale is the scale of the noise that makes a selection ε-DP: 2Δ/ε, as
// one record may raise one score and lower another; Δ/ε where it cannot.
func selectionScale(epsilon, sensitivity float64, monotone bool) float64 {
	if monotone {
		return sensitivity / epsilon
	}
	return 2 * sensitivity / epsilon
}
