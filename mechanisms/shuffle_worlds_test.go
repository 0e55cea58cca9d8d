package mechanisms

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
)

// A world is all that up to six people can report: the law of the multiset of their reports, listed
// for every input of the others. Reports whose probabilities are in the same proportion for every
// value say the same, and are counted as one.

// reportClasses returns the probability of each class of reports, for every value of the domain.
func reportClasses(o Frequency) [][]float64 {
	k := int(o.Domain)
	laws := make([][]float64, k)
	for x := range laws {
		laws[x] = reportLaw(o, x)
	}
	classes, known := make([][]float64, k), map[string]int{}
	for y := range laws[0] {
		proportions := ""
		for x := range laws {
			proportions += fmt.Sprintf("%.6f ", math.Log(laws[x][y]/laws[0][y]))
		}
		i, seen := known[proportions]
		if !seen {
			i = len(known)
			known[proportions] = i
			for x := range classes {
				classes[x] = append(classes[x], 0)
			}
		}
		for x := range classes {
			classes[x][i] += laws[x][y]
		}
	}
	return classes
}

// multiset is the number of reports of each class, three bits each.
type multiset [2]uint64

func (m multiset) with(class int) multiset {
	m[class/16] += 1 << (3 * (class % 16))
	return m
}

// addReport returns the law of a multiset of reports with one report more.
func addReport(base map[multiset]float64, law []float64) map[multiset]float64 {
	out := make(map[multiset]float64, 2*len(base))
	for counts, p := range base {
		for y, w := range law {
			out[counts.with(y)] += p * w
		}
	}
	return out
}

// inputs calls do with every multiset of n values below domain.
func inputs(n, domain int, do func([]int)) {
	var walk func(list []int, from int)
	walk = func(list []int, from int) {
		if len(list) == n {
			do(list)
			return
		}
		for x := from; x < domain; x++ {
			walk(append(list, x), x)
		}
	}
	walk(nil, 0)
}

// worstShuffle returns, at each ε, the largest δ over all inputs of the others and both orders.
func worstShuffle(classes [][]float64, n int, epsilons []float64) []float64 {
	worst := make([]float64, len(epsilons))
	inputs(n-1, len(classes), func(others []int) {
		base := map[multiset]float64{{}: 1}
		for _, x := range others {
			base = addReport(base, classes[x])
		}
		p, q := addReport(base, classes[0]), addReport(base, classes[1])
		for i, epsilon := range epsilons {
			a, d, e := math.Exp(epsilon), 0.0, 0.0
			for k, x := range p {
				d += math.Max(0, x-a*q[k])
				e += math.Max(0, q[k]-a*x)
			}
			worst[i] = math.Max(worst[i], math.Max(d, e))
		}
	})
	return worst
}

// Every oracle with up to four values and up to six people: nothing exceeds the upper end, be the
// randomizer named or only its ε, and no lower end exceeds what some input gives.
func TestShuffleByEnumeration(t *testing.T) {
	deltas := gauge.Some(2, []float64{1e-4, 0.01, 0.1})
	check := func(of Mechanism, f Frequency, n int) {
		s := shuffleOf(t, of, float64(n))
		pair, err := s.Releases(1)[0].Release.Pair()
		if err != nil {
			t.Fatal(err)
		}
		generic, _ := shuffleOf(t, Pure{f.Epsilon}, float64(n)).Releases(1)[0].Release.Pair()
		var at []float64
		for _, delta := range deltas {
			lower, _ := numericalEpsilon(t, s.Releases(1), accounting.Target{Delta: delta})
			at = append(at, lower)
		}
		for _, share := range []float64{0, 0.1, 0.3, 0.5, 0.8, 0.97} {
			at = append(at, share*f.Epsilon)
		}
		for i, found := range worstShuffle(reportClasses(f), n, at) {
			if found > pair.Delta(at[i])*(1+1e-10) || found > generic.Delta(at[i])*(1+1e-10) {
				t.Errorf("%+v, %d people: δ(%v) = %v, priced %v (any randomizer %v)", of, n, at[i], found, pair.Delta(at[i]), generic.Delta(at[i]))
			}
			if i < len(deltas) && at[i] > 0 && found < deltas[i]*(1-1e-9) {
				t.Errorf("%+v, %d people: the lower end %v at δ = %v, but no input gives more than δ = %v there", of, n, at[i], deltas[i], found)
			}
		}
	}
	for _, epsilon := range []float64{0.2, 1, 3} {
		for n := 2; n <= 6; n++ {
			rr := RandomizedResponse{epsilon, 2}
			check(rr, Frequency{Protocol: GRR, Epsilon: epsilon, Domain: 2}, n)
			check(Pure{epsilon}, Frequency{Protocol: GRR, Epsilon: epsilon, Domain: 2}, n) // which it may be
		}
	}
	for _, protocol := range Protocols() {
		for domain := 2; domain <= 4; domain++ {
			for _, epsilon := range gauge.Some(2, []float64{0.5, 1, 3}) {
				if protocol == OLH && epsilon > 1 && domain > 2 {
					continue // up to 21⁴ functions
				}
				f := frequency(t, string(protocol), epsilon, float64(domain))
				// Up to some tens of thousands of multisets.
				most := gauge.Cases(3, 5)
				if len(reportClasses(f)[0]) <= 8 {
					most = gauge.Cases(5, 6)
				}
				for n := 2; n <= most; n++ {
					check(f, f, n)
				}
			}
		}
	}
}

// listedLoss is a probability at a loss.
type listedLoss struct{ loss, p float64 }

// worstPair returns the losses of the pair whose curve is the largest over all inputs of n binary
// reports: the upper envelope of the lines P(E) − a·Q(E), E any event {y ≤ k} or {y ≥ k}. The law
// of the others' ones is computed report by report.
func worstPair(n int, epsilon float64) []listedLoss {
	type line struct{ q, p float64 }
	var lines []line
	s := 1 / (1 + math.Exp(epsilon))
	for ones := range n {
		f := []float64{1}
		for i := range n - 1 {
			one := s
			if i < ones {
				one = 1 - s
			}
			g := make([]float64, len(f)+1)
			for y, x := range f {
				g[y] += x * (1 - one)
				g[y+1] += x * one
			}
			f = g
		}
		f = append(f, 0)
		p, q := 0.0, 0.0
		for y := range f {
			before := 0.0
			if y > 0 {
				before = f[y-1]
			}
			p, q = p+(1-s)*f[y]+s*before, q+s*f[y]+(1-s)*before
			lines = append(lines, line{q, p})
		}
	}
	lines = slices.DeleteFunc(lines, func(l line) bool { return l.p < 1e-200 || l.q < 1e-200 })
	slices.SortFunc(lines, func(a, b line) int {
		switch {
		case a.q > b.q || a.q == b.q && a.p > b.p:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	lines = append(lines, line{})
	crossing := func(a, b line) float64 { return (a.p - b.p) / (a.q - b.q) }
	var hull []line
	for _, l := range lines {
		if m := len(hull); m > 0 && hull[m-1].q-l.q <= 1e-14*l.q && hull[m-1].p >= l.p {
			continue
		}
		for len(hull) > 0 && hull[len(hull)-1].p <= l.p {
			hull = hull[:len(hull)-1]
		}
		for len(hull) > 1 && crossing(hull[len(hull)-2], hull[len(hull)-1]) >= crossing(hull[len(hull)-1], l) {
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, l)
	}
	var list []listedLoss
	rest := 1.0
	for i := range len(hull) - 1 {
		if a := crossing(hull[i], hull[i+1]); a > 1 { // below 1 the curve is the same mirrored
			q := hull[i].q - hull[i+1].q
			list = append(list, listedLoss{math.Log(a), a * q}, listedLoss{-math.Log(a), q})
			rest -= (a + 1) * q
		}
	}
	return append(list, listedLoss{0, rest})
}

// composedEpsilon returns ε at δ of k rounds, by direct convolution on a lattice: every loss is
// split into its neighbours with the same masses under both laws, which is a little too much.
func composedEpsilon(list []listedLoss, k int, step, delta float64) float64 {
	one, first := []float64{}, 0
	cells := map[int]float64{}
	for _, l := range list {
		i := math.Floor(l.loss / step)
		up := l.p * math.Expm1(i*step-l.loss) / math.Expm1(-step)
		cells[int(i)] += l.p - up
		cells[int(i)+1] += up
	}
	for i := range cells {
		first = min(first, i)
	}
	for i, p := range cells {
		for len(one) <= i-first {
			one = append(one, 0)
		}
		one[i-first] += p
	}
	sum := []float64{1}
	for range k {
		next := make([]float64, len(sum)+len(one)-1)
		for i, x := range sum {
			if x < 1e-22 {
				continue
			}
			for j, y := range one {
				next[i+j] += x * y
			}
		}
		sum = next
	}
	low, high := 0.0, float64(k)*30
	for range 60 {
		mid, d := (low+high)/2, 0.0
		for i, p := range sum {
			if loss := float64(k*first+i) * step; loss > mid {
				d -= p * math.Expm1(mid-loss)
			}
		}
		if d > delta {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// Rounds of binary reports against the pair over all inputs, built and composed by other means.
func TestShuffleRoundsOfAllInputs(t *testing.T) {
	cases := []struct {
		people        int
		epsilon, step float64
		rounds        int
		above         float64
	}{
		{2, 1, 1e-3, 5, 1e-3}, {12, 2, 2e-3, 4, 2e-3}, {60, 1, 1e-3, 5, 1e-3}, {150, 3, 2e-3, 3, 1e-3},
	}
	if gauge.Long() {
		cases = append(cases, cases[0])
		cases[4].people, cases[4].epsilon, cases[4].step, cases[4].rounds, cases[4].above = 1000, 2, 4e-4, 10, 1e-4
	}
	for _, c := range cases {
		truth := composedEpsilon(worstPair(c.people, c.epsilon), c.rounds, c.step, 1e-6)
		entries := shuffleOf(t, RandomizedResponse{c.epsilon, 2}, float64(c.people)).Releases(1)
		entries[0].Count = float64(c.rounds)
		lower, upper := numericalEpsilon(t, entries, accounting.Target{Delta: 1e-6})
		if upper < truth*(1-1e-5) || upper > truth*(1+c.above) || lower > truth*(1+1e-9) {
			t.Errorf("%d people, ε %v, %d rounds: [%v, %v], by convolution %v", c.people, c.epsilon, c.rounds, lower, upper, truth)
		}
	}
}
