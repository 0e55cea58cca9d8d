package mechanisms

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
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
		v["of.epsilon"], v["of.domain"], v["of.protocol"] = param.NumberValue(of.Epsilon), param.WholeValue(of.Domain),
			param.ChoiceValue(string(of.Protocol))
	}
	m, err := New("shuffle", v)
	if err != nil {
		t.Fatal(err)
	}
	return m.(Shuffle)
}

// curveOfShuffle returns the upper curve of a round.
func curveOfShuffle(t testing.TB, of Mechanism, people float64) func(epsilon float64) float64 {
	pair, err := shuffleOf(t, of, people).Releases(1)[0].Release.Pair()
	if err != nil {
		t.Fatal(err)
	}
	return pair.Delta
}

// More people never cost more, at any ε: also where the bound over all inputs of the others ends, at
// 1024 people, and where it is no longer compared, at four times as many. The mesh of losses differs
// with the number of people, and a chord may be above by a thousandth of δ.
func TestShuffleOfMorePeopleCostsNoMore(t *testing.T) {
	for _, local := range gauge.Some(3, []float64{2, 0.5, 6}) {
		of := RandomizedResponse{local, 2}
		people := []float64{1, 2, 3, 30, 900, 1023, 1024, 1025, 1200, 2000, 4096, 4097, 40_000, 3e6, 1e9, 1e12}
		if !gauge.All() { // with both sides of each number at which the method changes
			people = []float64{2, 30, 1023, 1025, 4096, 4097, 3e6}
		}
		before := curveOfShuffle(t, of, people[0])
		for _, n := range people[1:] {
			now := curveOfShuffle(t, of, n)
			for _, share := range []float64{0, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.3, 0.6, 0.9} {
				if a, b := before(share*local), now(share*local); b > a*(1+2e-3)+1e-30 {
					t.Errorf("ε₀ %v, %v people: δ(%v) = %v, with fewer %v", local, n, share*local, b, a)
				}
			}
			before = now
		}
	}
}

// For any randomizer: more people never cost more, more rounds never less, ends are in order, and
// neither exceeds the local ε.
func TestShuffleInvariants(t *testing.T) {
	target := accounting.Target{Delta: 1e-6}
	gauge.Check(t, gauge.Cases(4, 200), func(t *rapid.T) {
		local := math.Exp(rapid.Float64Range(-4, 2.5).Draw(t, "ln ε₀"))
		domain := rapid.IntRange(2, 200).Draw(t, "domain")
		kinds := []Mechanism{Pure{local}, RandomizedResponse{local, float64(domain + 1)}}
		for _, p := range Protocols() {
			kinds = append(kinds, Frequency{Protocol: p, Epsilon: local, Domain: float64(domain)})
		}
		of := rapid.SampledFrom(kinds).Draw(t, "randomizer")
		people := math.Round(math.Exp(rapid.Float64Range(0, 20).Draw(t, "ln people")))
		more := math.Round(people * math.Exp(rapid.Float64Range(0, 4).Draw(t, "ln growth")))
		rounds := float64(rapid.IntRange(2, 30).Draw(t, "rounds"))
		cost := func(n, count float64) (lower, upper float64) {
			s := Shuffle{of, n}
			if err := s.validate(); err != nil {
				t.Fatal(err)
			}
			entries := s.Releases(1)
			entries[0].Count = count
			b := column(entries, target, accounting.Numerical)
			if lower, upper = b.Lower, b.Epsilon; lower > upper || upper > count*local*(1+1e-9) {
				t.Fatalf("%+v, %v people, %v rounds: [%v, %v]", of, n, count, lower, upper)
			}
			return lower, upper
		}
		lower, upper := cost(people, 1)
		if _, fewer := cost(more, 1); fewer > upper*(1+1e-3)+1e-12 {
			t.Fatalf("%+v: %v people cost %v, %v cost %v", of, people, upper, more, fewer)
		}
		if least, most := cost(people, rounds); most < upper*(1-1e-9) || least < lower*(1-1e-9) {
			t.Fatalf("%+v, %v people: one round costs [%v, %v], %v rounds [%v, %v]", of, people, lower, upper, rounds, least, most)
		}
	})
}

// With a large ε₀ an honest answer is nearly certain, and the probability of another one has few
// digits if it is taken from 1. Among two or three people the attack is the best there is, so that
// both ends are the same but for rounding.
func TestShuffleEndsInOrderAtLargeEpsilon(t *testing.T) {
	for _, epsilon := range []float64{2, 6.727812138894691, 9, 14, 20, 33} {
		for _, p := range Protocols() {
			for _, domain := range []float64{2, 3, 50} {
				for _, people := range []float64{2, 3, 5} {
					pair, err := Shuffle{Frequency{Protocol: p, Epsilon: epsilon, Domain: domain},
						people}.Releases(1)[0].Release.Pair()
					if err != nil {
						t.Fatal(err)
					}
					for _, delta := range []float64{1e-12, 1e-6, 1e-3} {
						i, err := pld.Epsilon(t.Context(), []pairs.Part{{Pair: pair, Count: 1}}, delta, pld.Options{})
						if err != nil || !(i.Lower <= i.Upper) {
							t.Errorf("%s, ε₀ %v, domain %v, %v people, δ %v: [%v, %v] %v", p, epsilon, domain, people, delta, i.Lower, i.Upper, err)
						}
						if binary := p == GRR && domain == 2; binary && people == 2 && epsilon < 15 &&
							i.Lower < i.Upper*(1-1e-6) {
							t.Errorf("ε₀ %v, %v people, δ %v: [%v, %v] is wide", epsilon, people, delta, i.Lower, i.Upper)
						}
					}
				}
			}
		}
	}
}

// The pair of a round dominates each bound's own members: what any oracle costs is at most what a
// randomizer of the same ε₀ costs, at every ε, below 0 too.
func TestShuffleOfAnyRandomizerDominates(t *testing.T) {
	gauge.Check(t, gauge.Cases(6, 200), func(t *rapid.T) {
		local := math.Exp(rapid.Float64Range(-3, 2.3).Draw(t, "ln ε₀"))
		f := Frequency{Protocol: rapid.SampledFrom(Protocols()).Draw(t, "protocol"), Epsilon: local,
			Domain: float64(rapid.IntRange(2, 100).Draw(t, "domain"))}
		people := math.Round(math.Exp(rapid.Float64Range(0.7, 16).Draw(t, "ln people")))
		own, err := Shuffle{f, people}.Releases(1)[0].Release.Pair()
		generic, _ := Shuffle{Pure{local}, people}.Releases(1)[0].Release.Pair()
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []float64{-0.9, -0.1, 0, 0.01, 0.1, 0.5, 0.9} {
			if a, b := own.Delta(share*local), generic.Delta(share*local); a > b*(1+3e-3)+1e-30 {
				t.Fatalf("%+v, %v people: δ(%v) = %v, of any randomizer %v", f, people, share*local, a, b)
			}
		}
	})
}

// The curve of a round, mirrored, is itself: the pair is the same in both orders.
func TestShuffleMirror(t *testing.T) {
	pair, err := shuffleOf(t, RandomizedResponse{2, 3}, 500).Releases(1)[0].Release.Pair()
	if err != nil || !pair.Symmetric() {
		t.Fatal(err)
	}
	for _, x := range []float64{0.01, 0.1, 0.5, 1.5} {
		if got, want := pair.Delta(-x), -math.Expm1(-x)+math.Exp(-x)*pair.Delta(x); math.Abs(got-want) > 1e-9*want {
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
	for _, at := range []Setting{{}, {Adjacency: AddRemove}, {Adjacency: Replace, Sampling: 0.5},
		{Adjacency: Replace, Also: Also{AddRemove: true}}} {
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
