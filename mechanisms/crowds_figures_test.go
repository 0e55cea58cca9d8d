package mechanisms

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

// crowdFigure is a reference value of testdata/crowds.json: computed elsewhere, by sums, by
// quadrature or by recursion, each with its source in "how".
type crowdFigure struct {
	Name      string
	Inputs    map[string]any
	Quantity  string
	Value     float64
	Bound     string // exact, upper or lower
	Tolerance float64
}

func (f crowdFigure) in(name string) float64 { x, _ := f.Inputs[name].(float64); return x }

func (f crowdFigure) text(name string) string { x, _ := f.Inputs[name].(string); return x }

func crowdFigures(t testing.TB, prefix ...string) (list []crowdFigure) {
	all := gauge.ReadFigures[[]crowdFigure](t, "testdata/crowds.json")
	for _, f := range all {
		for _, p := range prefix {
			if strings.HasPrefix(f.Name, p) {
				list = append(list, f)
			}
		}
	}
	if len(list) == 0 {
		t.Fatalf("no reference value begins with %v", prefix)
	}
	return list
}

// crowdFiguresOfKinds returns those of each kind; the quick form the first and the last of each.
func crowdFiguresOfKinds(t testing.TB, kinds ...string) (list []crowdFigure) {
	for _, kind := range kinds {
		of := crowdFigures(t, kind)
		if last := len(of) - 1; last > 1 {
			of = slices.Concat(of[:1], of[last:], of[1:last][:gauge.Cases(0, last-1)])
		}
		list = append(list, of...)
	}
	return list
}

// holds compares a value with the reference, as what it is.
func (f crowdFigure) holds(t *testing.T, got float64) {
	t.Helper()
	if math.Abs(got-f.Value) > f.Tolerance*math.Abs(f.Value)+1e-300 {
		t.Errorf("%s: %v, reference %v", f.Name, got, f.Value)
	}
}

// columns are the bounds asked for by their stacks: several tables of figures ask about the same one.
var columns sync.Map

// column returns the bound of a method, among all of them as the program compares them. The quick form asks that
// method alone: nothing then caps the numerical bound, which holds without.
func column(entries []accounting.Entry, target accounting.Target, method accounting.Method) accounting.Bound {
	key := fmt.Sprint(accounting.Composite(entries).Key(), target, method)
	if known, ok := columns.Load(key); ok {
		return known.(accounting.Bound)
	}
	var b accounting.Bound
	if gauge.All() {
		bounds := accounting.Compare(context.Background(), entries, target)
		b = bounds[slices.IndexFunc(bounds, func(b accounting.Bound) bool { return b.Method == method })]
	} else {
		b = accounting.Evaluate(context.Background(), method, entries, target)
	}
	if b.Fault != nil {
		panic(b.Fault)
	}
	columns.Store(key, b)
	return b
}

// numericalEpsilon returns the certified interval of a stack.
func numericalEpsilon(t testing.TB, entries []accounting.Entry, target accounting.Target) (lower, upper float64) {
	t.Helper()
	b := column(entries, target, accounting.Numerical)
	if b.Status != accounting.Valid {
		t.Fatalf("numerical: %s", b.Note)
	}
	return b.Lower, b.Epsilon
}

func frequency(t testing.TB, protocol string, epsilon, domain float64) Frequency {
	v := param.Values{"protocol": param.ChoiceValue(protocol), "epsilon": param.NumberValue(epsilon), "domain": param.WholeValue(domain)}
	m, err := New("frequency", v)
	if err != nil {
		t.Fatal(err)
	}
	return m.(Frequency)
}

func TestFrequencyFigures(t *testing.T) {
	for _, f := range crowdFigures(t, "oracle-w", "oracle-var", "oracle-rounds") {
		domain := f.in("k")
		if domain == 0 {
			domain = 64
		}
		o := frequency(t, f.text("oracle"), f.in("epsilon"), domain)
		if g := f.in("g"); g > 0 && o.HashRange() != g {
			t.Errorf("%s: hashed into %v values, reference %v", f.Name, o.HashRange(), g)
		}
		if size := f.in("om"); size > 0 && o.SubsetSize() != size {
			t.Errorf("%s: subsets of %v, reference %v", f.Name, o.SubsetSize(), size)
		}
		switch f.Quantity {
		case "weight":
			f.holds(t, o.Weight())
		case "variance_times_n":
			f.holds(t, o.Variance(0))
		case "eps":
			entries := o.Releases(1)
			entries[0].Count = f.in("rounds")
			lower, upper := numericalEpsilon(t, entries, accounting.Target{Delta: f.in("delta"), Precision: 1e-6})
			if lower > f.Value*(1+1e-8) || upper < f.Value*(1-1e-8) || upper > f.Value*(1+1e-5) {
				t.Errorf("%s: [%v, %v], reference %v", f.Name, lower, upper, f.Value)
			}
		}
	}
}

func selectionOf(t rapid.TB, strategy Strategy, epsilon, delta, partitions float64) PartitionSelection {
	m, err := New("partition-selection", param.Values{"epsilon": param.NumberValue(epsilon), "delta": param.NumberValue(delta),
		"partitions": param.WholeValue(partitions), "strategy": param.ChoiceValue(string(strategy))})
	if err != nil {
		t.Fatal(err)
	}
	return m.(PartitionSelection)
}

// With 100 groups per person optimal composition over the groups allows a larger ε for each than
// ε/100: half of δ for it, and half for the groups. The stack of those selections keeps (ε, δ).
func TestManyGroupsByOptimalComposition(t *testing.T) {
	f := crowdFigures(t, "partition-optimal-composition")[0]
	k, share := f.in("partitions"), f.in("delta")*f.in("delta_share")
	one := -math.Expm1(math.Log1p(-share) / k)
	p := selectionOf(t, OptimalSelection, f.in("inner_epsilon"), one, 1)
	f.holds(t, p.PeopleFor(0.5))
	entries := p.Releases(1)
	entries[0].Count = k
	if _, upper := numericalEpsilon(t, entries, accounting.Target{Delta: f.in("delta")}); upper > f.in("epsilon")*(1+1e-3) {
		t.Errorf("%v selections cost %v, want at most %v", k, upper, f.in("epsilon"))
	}
}

func TestPartitionSelectionFigures(t *testing.T) {
	for _, f := range crowdFigures(t, "partition-n", "partition-keep", "partition-plain", "threshold-") {
		strategy := OptimalSelection
		for _, s := range []Strategy{LaplaceThreshold, GeometricCount} {
			if strings.HasPrefix(f.Name, "threshold-"+string(s)) {
				strategy = s
			}
		}
		if strings.HasPrefix(f.Name, "threshold-gauss") {
			strategy = GaussThreshold
		}
		p := selectionOf(t, strategy, f.in("epsilon"), f.in("delta"), f.in("partitions"))
		first, second := p.crossovers()
		switch full := strings.Contains(f.Name, "gauss-full"); {
		case f.Quantity == "crossover_1":
			f.holds(t, first)
		case f.Quantity == "crossover_2":
			f.holds(t, second)
		case f.Quantity == "probability":
			f.holds(t, p.KeepProbability(f.in("people")))
		case f.Name == "partition-plain-k100-n50":
			f.holds(t, p.PeopleFor(0.5))
		case f.Quantity == "people":
			f.holds(t, p.PeopleFor(f.in("chance")))
		case strategy != GaussThreshold:
			f.holds(t, p.Threshold())
		case full && f.Quantity == "sigma":
			f.holds(t, p.sigma)
		case full:
			f.holds(t, p.Threshold())
		default: // half of δ for the noise, half for the threshold: what other libraries do
			half := selectionOf(t, GaussThreshold, f.in("epsilon"), f.in("delta")/2, f.in("partitions"))
			switch f.Quantity {
			case "sigma":
				f.holds(t, half.sigma)
			case "threshold":
				f.holds(t, half.Threshold())
			case "delta":
				f.Tolerance = 1e-7
				f.holds(t, half.gaussianDelta(half.sigma))
			}
		}
	}
}
