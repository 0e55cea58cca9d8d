package mechanisms

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// The closed form is the recursion, for every number of people.
func TestOptimalSelectionIsTheRecursion(t *testing.T) {
	for _, epsilon := range []float64{1e-3, 0.1, 0.5, 1, 3, 20, 800} {
		for _, delta := range []float64{1e-12, 1e-5, 0.01, 0.3, 0.9} {
			p, kept := selectionOf(t, OptimalSelection, epsilon, delta, 1), 0.0
			for n := 1.0; n <= 40; n++ {
				grown := math.Min(math.Exp(epsilon)*kept+delta, 1-math.Exp(-epsilon)*(1-kept-delta))
				if kept = math.Min(1, grown); math.Abs(p.Kept(n)-kept) > 1e-12 {
					t.Fatalf("ε %v, δ %v: %v people are shown with %v, the recursion says %v", epsilon, delta, n, p.Kept(n), kept)
				}
			}
		}
	}
}

// hockeyStick returns δ at ε of two laws over the same outcomes.
func hockeyStick(epsilon float64, p, q []float64) (delta float64) {
	for i := range p {
		delta += math.Max(0, p[i]-math.Exp(epsilon)*q[i])
	}
	return delta
}

// Tiny data sets: up to three groups, every number of people in each, a person in every choice of
// up to k groups who comes, goes or, for the optimal strategy, moves. The attacker sees which
// groups are shown. Nothing exceeds the stated curve.
func TestPartitionSelectionByEnumeration(t *testing.T) {
	const groups, most = 3, 4
	shown := func(p PartitionSelection, people [groups]float64) []float64 {
		law := make([]float64, 1<<groups)
		for set := range law {
			law[set] = 1
			for g, n := range people {
				if kept := p.Kept(n); set>>g&1 == 1 {
					law[set] *= kept
				} else {
					law[set] *= 1 - kept
				}
			}
		}
		return law
	}
	for _, strategy := range Strategies() {
		for _, k := range []float64{1, 2} {
			p := selectionOf(t, strategy, 1.2, 0.05, k)
			var choices []int
			for set := range 1 << groups {
				if n := set&1 + set>>1&1 + set>>2; n > 0 && float64(n) <= k {
					choices = append(choices, set)
				}
			}
			curve := func(a Adjacency) func(epsilon float64) float64 {
				entries, _, err := Entries(p, Setting{Adjacency: a})
				if err != nil {
					return nil
				}
				pair, err := accounting.Composite(entries).Pair()
				if err != nil {
					t.Fatal(err)
				}
				return pair.Delta
			}
			addRemove, replace := curve(AddRemove), curve(Replace)
			check := func(delta func(float64) float64, a, b []float64) {
				for _, epsilon := range []float64{0, 0.3, 0.6, 1.2, 2.4} {
					for _, true := range []float64{hockeyStick(epsilon, a, b), hockeyStick(epsilon, b, a)} {
						if true > delta(epsilon)*(1+1e-9)+1e-15 {
							t.Fatalf("%s, k %v: δ(%v) is %v, stated %v", strategy, k, epsilon, true, delta(epsilon))
						}
					}
				}
			}
			var others [groups]float64
			for n := range most * most * most {
				others = [groups]float64{float64(n % most), float64(n / most % most), float64(n / most / most)}
				with := func(set int) []float64 {
					people := others
					for g := range people {
						people[g] += float64(set >> g & 1)
					}
					return shown(p, people)
				}
				for _, set := range choices {
					check(addRemove, with(set), with(0))
					if replace == nil {
						continue
					}
					for _, moved := range choices {
						check(replace, with(set), with(moved))
					}
				}
			}
		}
	}
}

// The stated ε and δ are what the entry costs, and k groups cost what is stated for all of them.
func TestPartitionSelectionKeepsItsPromise(t *testing.T) {
	for _, strategy := range Strategies() {
		for _, k := range []float64{1, 3, 40} {
			entries, _, err := Entries(selectionOf(t, strategy, 1, 1e-5, k), Setting{Adjacency: AddRemove})
			if err != nil {
				t.Fatal(err)
			}
			if _, upper := numericalEpsilon(t, entries, accounting.Target{Delta: 1e-5}); upper > 1+1e-9 {
				t.Errorf("%s, k %v: %v for ε = 1", strategy, k, upper)
			}
			// A hair above δ: at δ itself, rounding decides whether the lower end has anything left.
			if lower, _ := numericalEpsilon(t, entries, accounting.Target{Delta: 1e-5 * (1 + 1e-9)}); lower < 0.9 {
				t.Errorf("%s, k %v: at least %v for ε = 1", strategy, k, lower)
			}
		}
	}
}

func TestPartitionSelectionRefusals(t *testing.T) {
	number, whole := param.NumberValue, param.WholeValue
	good := param.Values{"epsilon": number(1), "delta": number(1e-5)}
	for _, c := range []struct {
		field string
		value param.Value
		want  string
	}{
		{"delta", number(0), "delta: must be greater than 0"},
		{"delta", number(1), "delta: must be"},
		{"partitions", whole(0), "partitions: must be a whole number"},
		{"partitions", number(1.5), "partitions: must be a whole number"},
		{"epsilon", number(0), "epsilon: must be greater than 0"},
		{"strategy", param.ChoiceValue("median"), "strategy: must be one of"},
	} {
		v := good.Clone()
		v[c.field] = c.value
		if _, err := New("partition-selection", v); err == nil || !strings.HasPrefix(err.Error(), strings.Split(c.want, ":")[0]+":") {
			t.Errorf("%s %v: %v", c.field, c.value, err)
		}
	}
	v := good.Clone()
	v["strategy"], v["delta"] = param.ChoiceValue("laplace"), number(0.7)
	if _, err := New("partition-selection", v); err == nil || !strings.Contains(err.Error(), "½") {
		t.Errorf("a threshold with δ above ½: %v", err)
	}
	if _, _, err := Entries(selectionOf(t, LaplaceThreshold, 1, 1e-5, 1), Setting{Adjacency: Replace}); err == nil {
		t.Error("a threshold under replace has a price")
	}
}

func BenchmarkPartitionSelection(b *testing.B) {
	for b.Loop() {
		p := selectionOf(b, GaussThreshold, 1, 1e-5, 10)
		p.PeopleFor(0.999)
	}
}

// Groups are drawn with the stated probability, by every strategy.
func TestDrawnGroups(t *testing.T) {
	const runs = 20_000
	r := rand.New(rand.NewPCG(3, 4))
	for _, strategy := range Strategies() {
		p := selectionOf(t, strategy, 1, 0.01, 2)
		for _, n := range []float64{0, 1, 5, p.PeopleFor(0.5), p.PeopleFor(0.95)} {
			shown := 0.0
			for range runs {
				if p.ShowsGroup(r, n) {
					shown += 1.0 / runs
				}
			}
			if want := p.Kept(n); math.Abs(shown-want) > 5*math.Sqrt(want*(1-want)/runs)+1e-12 {
				t.Errorf("%s, %v people: shown with %v, want %v", strategy, n, shown, want)
			}
		}
	}
}
