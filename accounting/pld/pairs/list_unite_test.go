package pairs

import (
	"math"
	"sort"
	"testing"

	"pgregory.net/rapid"

	_ "epsiloscope/internal/gauge" // the seed of property tests
)

// Wherever rounding took the missing mass from, most of all from the smallest losses, the united outcome
// of the real masses has no smaller a loss than the one in the list.
func TestUnitedLossIsNotOverstated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		missing := math.Exp(rapid.Float64Range(-25, -9).Draw(t, "ln missing"))
		list := make([]atom, rapid.IntRange(2, 12).Draw(t, "outcomes"))
		for i := range list {
			p, loss := math.Exp(rapid.Float64Range(-30, 0).Draw(t, "ln p")), rapid.Float64Range(-25, 2).Draw(t, "loss")
			list[i] = atom{loss, p, p * math.Exp(-loss)}
		}
		sort.Slice(list, func(i, j int) bool { return list[i].loss < list[j].loss })
		before := append([]atom(nil), list...)
		united, added := uniteSmallest(list, missing)
		n := len(before) - len(united) + 1
		if n == 1 {
			return // nothing was united
		}
		var p, q, realP, realQ float64
		lost := rapid.IntRange(1, n).Draw(t, "outcomes that lost mass") // the smallest, which is worst
		for i, a := range before[:n] {
			share := 1.0
			if i < lost {
				share += 2 * missing
			}
			p, q, realP, realQ = p+a.p, q+a.q, realP+a.p*share, realQ+a.q*share
		}
		if loss := math.Log(realP / realQ); united[0].loss > loss+1e-13 {
			t.Fatalf("%d outcomes with loss %v are listed with %v", n, loss, united[0].loss)
		}
		if math.Abs(united[0].q-q-added) > 1e-12*q || added < 0 || united[0].p != p {
			t.Fatalf("masses (%v, %v), listed (%v, %v), added %v", p, q, united[0].p, united[0].q, added)
		}
	})
}
