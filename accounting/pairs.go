package accounting

import "epsiloscope/accounting/pld"

// pairOf asks a release for its pair and makes sure that both directions are there.
func pairOf(r Release) (pld.Pair, error) {
	pair, err := r.Pair()
	if err == nil && (pair.Remove == nil || pair.Add == nil) {
		_, err = Refusal{Label: r.Name()}.Pair()
	}
	return pair, err
}
