package mechanisms

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms/param"
)

// reportLaw lists the probabilities of all reports of an oracle about the given value, from the
// protocol's own description: nothing here knows the weight w.
func reportLaw(o Frequency, value int) (law []float64) {
	k, e := int(o.Domain), math.Exp(o.Epsilon)
	unary := func(own, other float64) {
		for set := range 1 << k {
			p := 1.0
			for v := range k {
				one := other
				if v == value {
					one = own
				}
				if set>>v&1 == 0 {
					one = 1 - one
				}
				p *= one
			}
			law = append(law, p)
		}
	}
	switch o.Protocol {
	case GRR:
		for v := range k {
			if law = append(law, 1/(e+float64(k)-1)); v == value {
				law[v] *= e
			}
		}
	case OUE:
		unary(0.5, 1/(e+1))
	case SUE:
		unary(math.Sqrt(e)/(math.Sqrt(e)+1), 1/(math.Sqrt(e)+1))
	case OLH: // every function of the domain, evenly: any two values collide with probability 1/g
		g := int(o.HashRange())
		functions := int(math.Pow(float64(g), float64(k)))
		for f := range functions {
			hash := f / int(math.Pow(float64(g), float64(value))) % g
			for y := range g {
				p := 1 / (e + float64(g) - 1) / float64(functions)
				if y == hash {
					p *= e
				}
				law = append(law, p)
			}
		}
	case Hadamard:
		rows := 1 << bits.Len(uint(k-1))
		for row := range rows {
			bit := bits.OnesCount(uint(row&value)) & 1
			for y := range 2 {
				p := 1 / (e + 1) / float64(rows)
				if y == bit {
					p *= e
				}
				law = append(law, p)
			}
		}
	case Subset:
		size := int(o.SubsetSize())
		sum := 0.0
		for set := range 1 << k {
			if bits.OnesCount(uint(set)) != size {
				continue
			}
			p := 1.0
			if set>>value&1 == 1 {
				p = e
			}
			law, sum = append(law, p), sum+p
		}
		for i := range law {
			law[i] /= sum
		}
	}
	return law
}

// Every oracle, every pair of values: the listed reports have exactly the stated curve.
func TestFrequencyByEnumeration(t *testing.T) {
	for _, protocol := range Protocols() {
		for _, domain := range []float64{2, 3, 4, 5} {
			for _, epsilon := range []float64{0.3, 1, 2} {
				if protocol == OLH && epsilon > 1 && domain > 4 {
					continue // too many functions
				}
				o := frequency(t, string(protocol), epsilon, domain)
				release := o.Releases(1)[0].Release
				for x := range int(domain) {
					for y := range x {
						p, q := reportLaw(o, x), reportLaw(o, y)
						for _, at := range []float64{0, epsilon / 3, epsilon * 0.9, epsilon, 2 * epsilon} {
							stated, _ := release.Profile(at)
							if found := hockeyStick(at, p, q); math.Abs(found-stated) > 1e-12 {
								t.Fatalf("%s, k %v, ε %v: δ(%v) = %v between %d and %d, stated %v", protocol, domain, epsilon, at, found, x, y, stated)
							}
						}
					}
				}
			}
		}
	}
}

// A hash family in which values never collide costs more than collisions with probability 1/g,
// and no more than hash: any says.
func TestHashWithoutCollisions(t *testing.T) {
	const epsilon = 1.0
	o := frequency(t, "olh", epsilon, 3)
	g, e := o.HashRange(), math.Exp(epsilon)
	p := []float64{e / (e + g - 1), 1 / (e + g - 1)} // the two hashes that differ; the others agree
	found := hockeyStick(0.5, p, []float64{p[1], p[0]})
	stated, _ := o.Releases(1)[0].Release.Profile(0.5)
	o.AnyHash = true
	safe, _ := o.Releases(1)[0].Release.Profile(0.5)
	if found <= stated || found > safe*(1+1e-12) {
		t.Errorf("without collisions δ is %v; stated %v for uniform hashes, %v for any", found, stated, safe)
	}
}

// The chosen size of a subset has the least variance of all sizes, and is never worse than grr.
func TestSubsetSizeIsBest(t *testing.T) {
	for domain := 2.0; domain <= 60; domain++ {
		for _, epsilon := range []float64{0.05, 0.5, 1, 2, 5} {
			o := frequency(t, "subset", epsilon, domain)
			for size := 1.0; size < domain; size++ {
				if o.subsetVariance(size) < o.subsetVariance(o.SubsetSize())*(1-1e-12) {
					t.Errorf("k %v, ε %v: %v is better than the chosen %v", domain, epsilon, size, o.SubsetSize())
				}
			}
		}
	}
}

func TestFrequencyRefusals(t *testing.T) {
	number, whole, choice := param.NumberValue, param.WholeValue, param.ChoiceValue
	good := param.Values{"protocol": choice("oue"), "epsilon": number(1), "domain": whole(8)}
	for field, value := range map[string]param.Value{"domain": whole(1), "people": whole(0), "epsilon": number(-1),
		"protocol": choice("rappor"), "hash": choice("any")} {
		v := good.Clone()
		v[field] = value
		if _, err := New("frequency", v); err == nil || !strings.HasPrefix(err.Error(), field+":") {
			t.Errorf("%s %v: %v", field, value, err)
		}
	}
	if _, _, err := Entries(frequency(t, "oue", 1, 8),
		Setting{Adjacency: Replace, Also: Also{AddRemove: true}}); err == nil {
		t.Error("reports can be counted, and say nothing of absence")
	}
}

func BenchmarkFrequency(b *testing.B) {
	for b.Loop() {
		o := frequency(b, "subset", 1, 1000)
		if _, err := o.EstimateError(0.05, 1, 1e5); err != nil {
			b.Fatal(err)
		}
		_ = accounting.ClosedForms(context.Background(), o.Releases(1), accounting.Target{Delta: 1e-6})
	}
}

// Drawn reports support each value as often as the listed ones do, for every oracle.
func TestDrawnReports(t *testing.T) {
	const n, domain = 40_000, 5
	r := rand.New(rand.NewPCG(7, 8))
	for _, protocol := range Protocols() {
		o := frequency(t, string(protocol), 0.8, domain)
		own, other := o.support()
		counts := make([]float64, domain)
		for range n {
			o.AddReport(r, 2, counts)
		}
		for v, count := range counts {
			want := other
			if v == 2 {
				want = own
			}
			if deviation := math.Sqrt(want * (1 - want) / n); math.Abs(count/n-want) > 5*deviation {
				t.Errorf("%s: value %d is supported by %v of the reports, want %v", protocol, v, count/n, want)
			}
		}
		if got := o.EstimateShare(own); math.Abs(got-1) > 1e-12 {
			t.Errorf("%s: all have the value, estimated %v", protocol, got)
		}
	}
}

// A memoised report is priced once: more runs, or a shuffle of it, are refused. With h hashes two
// values differ in up to 2h bits, each flipped by itself: four bits of RAPPOR, listed.
func TestMemoisedReports(t *testing.T) {
	v := param.Values{"protocol": param.ChoiceValue("sue"), "epsilon": param.NumberValue(4 * math.Log(3)), "domain": param.WholeValue(128),
		"hashes": param.WholeValue(2), "reports": param.ChoiceValue("memoised")}
	m, err := New("frequency", v)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Entries(m, Setting{Adjacency: Replace, Count: 2}); err == nil ||
		!strings.HasPrefix(err.Error(), "reports: a memoised report is made once") {
		t.Errorf("two runs of a memoised report: %v", err)
	}
	entries, _, err := Entries(m, Setting{Adjacency: Replace, Count: 1})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := accounting.Composite(entries).Pair()
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []float64{0, 1, 2, 3, 4} {
		found := 0.0
		for set := range 16 { // each of the four bits is kept with probability ¾
			p, q := 1.0, 1.0
			for bit := range 4 {
				if set>>bit&1 == 1 {
					p, q = p*0.75, q*0.25
				} else {
					p, q = p*0.25, q*0.75
				}
			}
			found += math.Max(0, p-math.Exp(at)*q)
		}
		if stated := pair.Delta(at); math.Abs(found-stated) > 1e-12 {
			t.Errorf("δ(%v) = %v, stated %v", at, found, stated)
		}
	}
	if _, err := New("shuffle", param.Values{runKind: param.ChoiceValue("frequency"), "people": param.WholeValue(100), "of.protocol": v["protocol"], "of.epsilon": v["epsilon"],
		"of.domain": v["domain"], "of.reports": v["reports"]}); err == nil || !strings.HasPrefix(err.Error(), "of.reports:") {
		t.Errorf("a shuffle of memoised reports: %v", err)
	}
	if (Shuffle{Of: m, People: 100}).validate() == nil {
		t.Error("a shuffle of memoised reports, as a struct")
	}
	v["protocol"] = param.ChoiceValue("oue")
	if _, err := New("frequency", v); err == nil || !strings.HasPrefix(err.Error(), "hashes:") {
		t.Errorf("hashes of oue: %v", err)
	}
}
