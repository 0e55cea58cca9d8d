package pld

import (
	"math"
	"slices"
	"sort"
)

// estimate is a list of losses with every P-mass raised (a pessimistic estimate, pad ≥ 0) or
// lowered (an optimistic one) by a relative pad, and then brought to a total of one with
// those at +∞: what is too much is taken from the smallest losses, what is missing is put
// there. With every P-mass a bound, so is the P-mass above any loss; and
// δ(ε) = E_P[(1 − e^{ε−L})₊], alone or composed, grows with the losses. The Q-mass of a
// pessimistic estimate is then at most 1.
func estimate(key string, list []atom, top, pad float64) *discrete {
	sort.Slice(list, func(i, j int) bool { return list[i].loss < list[j].loss })
	for i := range list {
		list[i].p *= 1 + pad
		list[i].q *= 1 + pad
	}
	sum, sumQ := top, 0.0
	for _, a := range list {
		sum += a.p
		sumQ += a.q
	}
	excess := sum - 1
	for i := range list {
		if excess <= 0 {
			break
		}
		taken := math.Min(excess, list[i].p)
		left := (list[i].p - taken) / list[i].p
		sumQ -= list[i].q * (1 - left)
		list[i].p *= left
		list[i].q *= left
		excess -= taken
	}
	if excess < 0 && len(list) > 0 {
		q := -excess * math.Exp(-list[0].loss)
		list[0].p -= excess
		list[0].q += q
		sumQ += q
	}
	list = slices.DeleteFunc(list, func(a atom) bool { return !(a.p > 0) })
	return newDiscrete(key, list, top, math.Max(0, 1-sumQ))
}
