package certify

import (
	"context"
	"math"
	"math/big"
	"strconv"
	"testing"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/certificate"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// truncatedGeometric returns count releases of whole noise between −n and n of weight e^(−ε·|y|), shifted by 1 or not:
// a table that reads the same in both directions, with P-mass where Q has none. It returns this mass too.
func truncatedGeometric(count, delta string, eps float64, n int) (c *certificate.Certificate, infinite float64) {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(40), nil)
	var total float64
	for y := -n; y <= n; y++ {
		total += math.Exp(-eps * math.Abs(float64(y)))
	}
	masses, middle := make([]*big.Int, 2*n+1), new(big.Int).Set(unit)
	for i := range masses {
		weight := new(big.Float).SetFloat64(math.Exp(-eps*math.Abs(float64(i-n))) / total)
		masses[i], _ = weight.Mul(weight, new(big.Float).SetInt(unit)).Int(nil)
		middle.Sub(middle, masses[i])
	}
	masses[n].Add(masses[n], middle) // what rounding left
	text := func(i int) string {
		if i < 0 || i >= len(masses) {
			return "0"
		}
		return plainDecimal(new(big.Rat).SetFrac(masses[i], unit))
	}
	r := certificate.Release{Kind: "finite", Count: count, Within: "0", Rest: "0", Offset: offsetBelow}
	for i := range len(masses) + 1 {
		r.Outcomes = append(r.Outcomes, [2]string{text(i), text(i - 1)})
	}
	return &certificate.Certificate{Format: certificate.Format, Releases: []certificate.Release{r}, Delta: delta,
		Upper: "99999", Lower: "0", Step: plainDecimal(new(big.Rat).SetFloat64(eps)), Digits: "26", Cut: "1e-18",
		Tests: "4", LowerWay: "remove"}, math.Exp(-eps*float64(n)) / total
}

// TestClaimsOfInfiniteLosses compares what is claimed of a table with P-mass at loss +∞ with what the checker proves.
// From below, the estimate left that mass out: it claimed 1.19694955 where 1.19729825 can be proved.
func TestClaimsOfInfiniteLosses(t *testing.T) {
	for _, s := range []struct {
		count, delta string
		eps          float64
		n            int
	}{{"12", "1e-6", 0.125, 130}, {"1", "1e-3", 0.5, 16}, {"100", "1e-4", 0.125, 130}, {"12", "1e-6", 0.125, 250}} {
		c, infinite := truncatedGeometric(s.count, s.delta, s.eps, s.n)
		got, want := estimatePair(c.Releases[0]).failure(), number(s.count)*infinite
		if !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("%+v: failures of %v, want %v", s, got, want)
		}
		claimed, e, err := claim(context.Background(), c, true)
		if err != nil {
			t.Errorf("%+v: %v", s, err)
			continue
		}
		upper, lower, err := claimed.Prove(context.Background(), true)
		if err != nil || upper == nil || lower == nil {
			t.Errorf("%+v: proved %v and %v: %v", s, upper, lower, err)
			continue
		}
		high, _ := upper.Float64()
		low, _ := lower.Float64()
		if more := number(e.Upper) - high; !(more >= 0 && more <= 1e-6) {
			t.Errorf("%+v: claimed ε ≤ %s, proved %v", s, e.Upper, high)
		}
		if less := low - number(e.Lower); !(less >= 0 && less <= 1e-6) {
			t.Errorf("%+v: claimed ε ≥ %s, proved %v", s, e.Lower, low)
		}
	}
}

// TestEstimatesFollowThePairs holds the estimate of every release of the library against δ(ε) of the pair that the
// accountant composes, and what is claimed of each kind against what the Go checker proves.
func TestEstimatesFollowThePairs(t *testing.T) {
	proved := map[string]bool{}
	for _, info := range scenarios.LibraryInfos() {
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		stack, err := scenarios.Stack(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range stack {
			n, err := nameRelease(entry)
			if err != nil || n.Kind == "" {
				continue // refused, or free
			}
			n.Count = "1"
			pair, err := entry.Release.Pair()
			if err != nil {
				t.Fatal(err)
			}
			_, exact, _ := pair.Form()
			p := estimatePair(n.Release)
			for _, epsilon := range []float64{0, 0.01, 0.03, 0.1, 0.3, 1, 3} {
				for isAdd, way := range map[bool]*pairs.Loss{false: pair.Remove, true: pair.Add} {
					got, want := p.curve(isAdd, math.Exp(epsilon)), math.Exp(way.Upper().LogDelta(epsilon))
					if slack := 1e-10 + 1e-9*want; got < want-slack || exact && got > want+slack {
						t.Fatalf("%s: %v: the estimate has δ(%v) = %v, the accountant %v (added %t): correct estimate_pair.go, or what fill writes",
							info.Name, n.Release, epsilon, got, want, isAdd)
					}
				}
			}
			if !proved[n.Kind] {
				proved[n.Kind] = true
				provesItsClaim(t, n)
			}
		}
	}
}

// provesItsClaim certifies 100 copies of a release: enough to see an estimate of the lower end that is not stable. The
// quick form takes one on batches of a fixed size, which has no lower end and is dear to check, 5 of Gaussian noise,
// whose curve is known, and 20 of it sampled.
func provesItsClaim(t *testing.T, n namedRelease) {
	c := &certificate.Certificate{Format: certificate.Format, Releases: []certificate.Release{n.Release}, Delta: "1e-4",
		Upper: "99999", Lower: "0", Tests: "4", LowerWay: "remove"}
	copies := 100
	switch n.Kind {
	case "fixed_batch_gaussian":
		copies = gauge.Cases(1, 100)
	case "gaussian":
		copies = gauge.Cases(5, 100)
	case "sampled_gaussian":
		copies = gauge.Cases(20, 100)
	}
	n.count, c.Releases[0].Count = float64(copies), strconv.Itoa(copies)
	chooseParameters(c, []namedRelease{n})
	chooseOffsets(c)
	c, _, err := claim(context.Background(), c, n.tight)
	if err != nil {
		t.Fatalf("%v: %v", n.Release, err)
	}
	v, err := c.Check(context.Background())
	if err != nil || !v.Proved {
		t.Errorf("%d copies of %v: %s (%v). The checkers have another pair than estimate_pair.go, or a table whose losses are multiples of no number, "+
			"of which the estimate of the lower end is not stable: then fill sets n.tight to false", copies, n.Release, v.Line, err)
	}
}

// number reads a decimal.
func number(text string) float64 {
	x, _ := rational(text).Float64()
	return x
}
