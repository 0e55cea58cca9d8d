package mechanisms

import (
	"math"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

func shuffleOf(t testing.TB, of Mechanism, people float64) Shuffle {
	v := param.Values{"people": param.WholeValue(people), runKind: param.ChoiceValue(of.Kind())}
	switch of := of.(type) {
	case RandomizedResponse:
		v["of.epsilon"], v["of.categories"] = param.NumberValue(of.Epsilon), param.WholeValue(of.Categories)
	case Pure:
		v["of.epsilon"] = param.NumberValue(of.Epsilon)
	case Frequency:
		v["of.epsilon"], v["of.domain"], v["of.protocol"] = param.NumberValue(of.Epsilon), param.WholeValue(of.Domain), param.ChoiceValue(string(of.Protocol))
	}
	m, err := New("shuffle", v)
	if err != nil {
		t.Fatal(err)
	}
	return m.(Shuffle)
}

// The reference values of the upper end are those of the clones; the all-inputs bound, for few
// people, and a finer mesh may be below them. Attacks on the same setting never are above.
func TestShuffleFigures(t *testing.T) {
	for _, f := range crowdFigures(t, "shuffle-binary", "shuffle-pure", "shuffle-rounds", "shuffle-exact", "shuffle-bucketed", "shuffle-rdp", "oracle-shuffled", "shuffle-rho") {
		var of Mechanism = RandomizedResponse{f.in("local_epsilon"), 2}
		if f.text("randomizer") == "pure" || strings.Contains(f.Name, "-pure-") {
			of = Pure{f.in("local_epsilon")}
		}
		if name := f.text("oracle"); name != "" {
			domain := math.Max(64, f.in("k"))
			of = frequency(t, strings.TrimSuffix(name, "64"), f.in("epsilon"), domain)
		}
		s := shuffleOf(t, of, f.in("people"))
		entries, _, err := Entries(s, Setting{Adjacency: Replace, Count: f.in("rounds")})
		if err != nil {
			t.Fatal(err)
		}
		if alpha := f.in("alpha"); alpha > 0 {
			got, _ := entries[0].Release.Renyi(alpha)
			if f.Quantity == "rdp_over_alpha" {
				got /= alpha
			}
			if got < f.Value*(1-1e-9) && s.People > 1024 || got > f.Value*1.001 && alpha < 100 { // the mesh is coarse for very large orders
				t.Errorf("%s: %v, reference %v", f.Name, got, f.Value)
			}
			continue
		}
		lower, upper := numericalEpsilon(t, entries, accounting.Target{Delta: f.in("delta")})
		switch clone := strings.Contains(f.Name, "bucketed"); {
		case f.Bound == "upper" && (upper < f.Value*(1-1e-4) || upper > f.Value*1.001):
			t.Errorf("%s: upper end %v, reference %v", f.Name, upper, f.Value)
		case f.Bound == "lower" && !clone && (lower > upper || math.Abs(lower-f.Value) > 1e-3*f.Value):
			t.Errorf("%s: lower end %v, reference %v", f.Name, lower, f.Value)
		}
	}
}

// Small worlds: up to six people, every input of the others, every oracle: the law of the multiset
// of reports, listed. Nothing exceeds the upper end, and the lower end is attained.
func TestShuffleByEnumeration(t *testing.T) {
	for _, c := range []struct {
		of     Mechanism
		domain int
		most   int
	}{
		{RandomizedResponse{0.2, 2}, 2, 6}, {RandomizedResponse{1, 2}, 2, 6}, {RandomizedResponse{3, 2}, 2, 6},
		{RandomizedResponse{1, 3}, 3, 5}, {RandomizedResponse{3, 3}, 3, 5}, {RandomizedResponse{2, 4}, 4, 4},
		{frequency(t, "oue", 1, 3), 3, 3}, {frequency(t, "sue", 1, 3), 3, 3}, {frequency(t, "olh", 0.5, 2), 2, 3},
		{frequency(t, "hadamard", 1, 4), 4, 4}, {frequency(t, "subset", 0.5, 4), 4, 4}, {frequency(t, "oue", 3, 2), 2, 4},
	} {
		f, ok := c.of.(Frequency)
		if rr, is := c.of.(RandomizedResponse); is {
			f, ok = Frequency{Protocol: GRR, Epsilon: rr.Epsilon, Domain: rr.Categories}, true
		}
		if !ok {
			t.Fatal("no law")
		}
		laws := make([][]float64, c.domain)
		for x := range laws {
			laws[x] = reportLaw(f, x)
		}
		for n := 2; n <= c.most; n++ {
			pair, err := shuffleOf(t, c.of, float64(n)).Releases(1)[0].Release.Pair()
			if err != nil {
				t.Fatal(err)
			}
			generic, _ := shuffleOf(t, Pure{f.Epsilon}, float64(n)).Releases(1)[0].Release.Pair()
			inputs(n-1, c.domain, func(others []int) {
				base := map[string]float64{strings.Repeat("\x00", len(laws[0])): 1}
				for _, x := range others {
					base = withReport(base, laws[x])
				}
				p, q := withReport(base, laws[0]), withReport(base, laws[1])
				for _, at := range []float64{0, 0.1, 0.3, 0.5, 0.8, 0.97} {
					epsilon := at * f.Epsilon
					d, e := 0.0, 0.0
					for k := range p {
						d += math.Max(0, p[k]-math.Exp(epsilon)*q[k])
						e += math.Max(0, q[k]-math.Exp(epsilon)*p[k])
					}
					found := math.Max(d, e)
					if found > pair.Delta(epsilon)*(1+1e-9)+1e-14 || found > generic.Delta(epsilon)*(1+1e-9)+1e-14 {
						t.Fatalf("%+v, %d people, others %v: δ(%v) = %v, priced %v (any randomizer %v)", c.of, n, others, epsilon, found, pair.Delta(epsilon), generic.Delta(epsilon))
					}
				}
			})
		}
	}
}

// inputs calls back with every multiset of n values below domain.
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

// withReport returns the law of a multiset of reports, as counts, with one report more.
func withReport(base map[string]float64, law []float64) map[string]float64 {
	out := map[string]float64{}
	for counts, p := range base {
		for y, w := range law {
			next := []byte(counts)
			next[y]++
			out[string(next)] += p * w
		}
	}
	return out
}

// More people never cost more, more rounds never less, ends are in order, and neither exceeds the
// local ε; a shuffle of one person is her report.
func TestShuffleInvariants(t *testing.T) {
	target := accounting.Target{Delta: 1e-6}
	for _, of := range []Mechanism{RandomizedResponse{2, 2}, RandomizedResponse{3, 5}, Pure{1}, frequency(t, "oue", 4, 50)} {
		before := math.Inf(1)
		for _, n := range []float64{1, 2, 30, 900, 1200, 40_000, 3e6, 1e9, 1e12} {
			s := shuffleOf(t, of, n)
			one := s.Releases(1)
			lower, upper := numericalEpsilon(t, one, target)
			if lower > upper || upper > s.LocalEpsilon()*(1+1e-9) {
				t.Errorf("%+v, %v people: [%v, %v]", of, n, lower, upper)
			}
			if upper > before*(1+1e-6) && n != 1200 { // there the bound over all inputs ends
				t.Errorf("%+v: %v people cost %v, fewer %v", of, n, upper, before)
			}
			before = upper
			if n == 40_000 {
				more := s.Releases(1)
				more[0].Count = 5
				if _, five := numericalEpsilon(t, more, target); five < upper {
					t.Errorf("%+v: five rounds cost %v, one %v", of, five, upper)
				}
			}
		}
	}
}

// The curve of a round, mirrored, is itself: the pair is the same in both orders.
func TestShuffleMirror(t *testing.T) {
	pair, err := shuffleOf(t, RandomizedResponse{2, 3}, 500).Releases(1)[0].Release.Pair()
	if err != nil || !pair.Symmetric() {
		t.Fatal(err)
	}
	for _, x := range []float64{0.01, 0.1, 0.5, 1.5} {
		if got, want := pair.Delta(-x), -math.Expm1(-x)+math.Exp(-x)*pair.Delta(x); got < want*(1-1e-9) {
			t.Errorf("δ(%v) = %v, mirrored %v", -x, got, want)
		}
	}
}

func TestShuffleRefusals(t *testing.T) {
	choice, whole, number := param.ChoiceValue, param.WholeValue, param.NumberValue
	good := param.Values{runKind: choice("randomized-response"), "of.epsilon": number(1), "people": whole(100)}
	for _, c := range []struct {
		field string
		value param.Value
	}{
		{"people", whole(0)}, {"people", number(1.5)}, {runKind, choice("gaussian")}, {runKind, choice("approximate")}, {runKind, choice("shuffle")}, {"of.epsilon", number(0)}, {"of.categories", whole(1)},
	} {
		v := good.Clone()
		v[c.field] = c.value
		if _, err := New("shuffle", v); err == nil || !strings.HasPrefix(err.Error(), c.field+":") {
			t.Errorf("%s %v: %v", c.field, c.value, err)
		}
	}
	s := shuffleOf(t, RandomizedResponse{1, 2}, 100)
	for _, at := range []Setting{{}, {Adjacency: AddRemove}, {Adjacency: Replace, Sampling: 0.5}, {Adjacency: Replace, Also: Also{AddRemove: true}}} {
		if _, _, err := Entries(s, at); err == nil {
			t.Errorf("%+v has a price", at)
		}
	}
	if r := accounting.ShuffledReports(s.reports(), math.NaN()); r.Key() == "" {
		t.Error("no reason")
	}
}

func BenchmarkShuffleTenRounds(b *testing.B) {
	people := 1e6
	for b.Loop() {
		people++ // pairs are kept: another number of people is another pair
		entries := shuffleOf(b, RandomizedResponse{4, 2}, people).Releases(1)
		entries[0].Count = 10
		numericalEpsilon(b, entries, accounting.Target{Delta: 1e-6, Precision: 1e-3})
	}
}
