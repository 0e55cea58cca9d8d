package accounting

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/internal/gauge"
)

// The orders between columns that hold for every stack (each was searched for
// counter-examples against exact values before it was written down).

const slack = 1e-9 // relative: what the searches leave

func drawLog(t *rapid.T, name string, low, high float64) float64 {
	return math.Exp(rapid.Float64Range(math.Log(low), math.Log(high)).Draw(t, name))
}

func drawCount(t *rapid.T) float64 { return math.Round(drawLog(t, "count", 1, 1e5)) }

func drawDelta(t *rapid.T) float64 { return drawLog(t, "δ", 1e-30, 0.3) }

func drawPure(t *rapid.T) []Entry {
	stack := make([]Entry, rapid.IntRange(1, 4).Draw(t, "entries"))
	for i := range stack {
		stack[i] = Entry{PureDP(drawLog(t, "ε", 1e-6, 20)), drawCount(t)}
	}
	return stack
}

func drawGaussians(t *rapid.T) []Entry {
	stack := make([]Entry, rapid.IntRange(1, 4).Draw(t, "entries"))
	for i := range stack {
		stack[i] = Entry{GaussianDP(drawLog(t, "μ", 1e-5, 5)), drawCount(t)}
	}
	return stack
}

// drawRelease draws any release, transformed at times.
func drawRelease(t *rapid.T, depth int) Release {
	kinds := 11
	if depth > 0 {
		kinds = 15
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return PureDP(drawLog(t, "ε", 1e-6, 20))
	case 1:
		return ApproximateDP(drawLog(t, "ε", 1e-6, 20), drawLog(t, "δ₀", 1e-40, 1e-3))
	case 2:
		return ConcentratedDP(0, drawLog(t, "ρ", 1e-12, 10))
	case 3:
		return GaussianDP(drawLog(t, "μ", 1e-6, 5))
	case 4:
		return BoundedRangeDP(drawLog(t, "ε", 1e-6, 20))
	case 5:
		return laplace(drawLog(t, "ε", 1e-4, 20))
	case 6:
		return RenyiPoints([]RenyiPoint{{2, drawLog(t, "r₂", 1e-6, 1)}, {32, drawLog(t, "r₃₂", 1, 9)}})
	case 7:
		return FrequencyOracle(drawLog(t, "ε", 1e-3, 10), drawLog(t, "w", 0.01, 1))
	case 8:
		far := drawLog(t, "e^−ε₀", 1e-3, 0.9)
		return ShuffledReports(pairs.Reports{Epsilon: -math.Log(far), Weight: 1, Own: 1 / (1 + far),
			Other: far / (1 + far)}, math.Round(drawLog(t, "people", 1, 3000)))
	case 9:
		p := rapid.Float64Range(0.01, 0.9).Draw(t, "p")
		return MixtureOfGaussians([]float64{0, drawLog(t, "s", 1e-3, 3)}, []float64{1 - p, p})
	case 10:
		epsilon, delta := drawLog(t, "ε", 1e-3, 10), drawLog(t, "δ₀", 1e-40, 1e-3)
		return ApproximateWithPair("a threshold", "threshold", epsilon, delta, func() pairs.Pair {
			return pairs.NoisyThreshold(pairs.Laplace(epsilon), delta)
		})
	case 11:
		return Subsample(drawRelease(t, depth-1), drawLog(t, "q", 1e-4, 1))
	case 12:
		return GroupPrivacy(drawRelease(t, depth-1), float64(rapid.IntRange(1, 5).Draw(t, "k")))
	case 13:
		return Composite([]Entry{{drawRelease(t, depth-1), 3}, {drawRelease(t, depth-1), 1}})
	default:
		return Parallel([][]Entry{{{drawRelease(t, depth-1), 2}}, {{drawRelease(t, depth-1), 1}}},
			rapid.Bool().Draw(t, "replace"))
	}
}

func drawStack(t *rapid.T) []Entry {
	stack := make([]Entry, rapid.IntRange(0, 4).Draw(t, "entries"))
	for i := range stack {
		stack[i] = Entry{drawRelease(t, 1), math.Floor(drawLog(t, "count", 0.5, 1e8))}
	}
	return stack
}

func byMethod(bounds []Bound) map[Method]Bound {
	m := make(map[Method]Bound, len(bounds))
	for _, b := range bounds {
		if b.Fault != nil { // a contradiction leaves no valid bound that a test could compare
			panic(b.Fault)
		}
		m[b.Method] = b
	}
	return m
}

// notAbove fails if the first of two valid bounds exceeds the second.
func notAbove(t *rapid.T, bounds map[Method]Bound, small, large Method) {
	t.Helper()
	a, b := bounds[small], bounds[large]
	if a.Status != Valid || b.Status != Valid {
		return
	}
	if a.Epsilon > b.Epsilon*(1+slack)+1e-15 {
		t.Errorf("%s %.15g is above %s %.15g", small, a.Epsilon, large, b.Epsilon)
	}
}

func TestOrderOfColumnsOnPureStacks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := byMethod(ClosedForms(context.Background(), drawPure(t), Target{Delta: drawDelta(t)}))
		for _, m := range []Method{Basic, Advanced, AdvancedKOV, RDP, ZCDP} {
			notAbove(t, bounds, Optimal, m)
		}
		notAbove(t, bounds, AdvancedKOV, Advanced)
		notAbove(t, bounds, AdvancedKOV, Basic)
		notAbove(t, bounds, RDP, ZCDP)
		notAbove(t, bounds, RDP, Basic)
		notAbove(t, bounds, RDP, RDPClassic)
		notAbove(t, bounds, ZCDP, ZCDPClassic)
	})
}

func TestOrderOfColumnsOnGaussians(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := byMethod(ClosedForms(context.Background(), drawGaussians(t), Target{Delta: drawDelta(t)}))
		for _, m := range []Method{Basic, Advanced, AdvancedKOV, RDP, ZCDP} {
			notAbove(t, bounds, GDP, m)
		}
		notAbove(t, bounds, RDP, ZCDP)
		notAbove(t, bounds, ZCDP, RDP) // Gaussian noise lies on the line
	})
}

func TestEveryBoundIsANumberOrSaysWhy(t *testing.T) {
	gauge.Check(t, gauge.Cases(25, 100), func(t *rapid.T) {
		for _, b := range ClosedForms(context.Background(), drawStack(t), Target{Delta: drawDelta(t), Alpha: 3}) {
			switch {
			case math.IsNaN(b.Epsilon) || b.Epsilon < 0:
				t.Errorf("%s: ε = %g", b.Method, b.Epsilon)
			case b.Finite() && math.IsInf(b.Epsilon, 1):
				t.Errorf("%s is %s but infinite", b.Method, b.Status)
			case !b.Finite() && (b.Note == "" || !math.IsInf(b.Epsilon, 1)):
				t.Errorf("%s is %s without a reason", b.Method, b.Status)
			}
		}
	})
}

func TestPermutationAndCopiesChangeNothing(t *testing.T) {
	gauge.Check(t, gauge.Cases(30, 100), func(t *rapid.T) {
		stack := drawStack(t)
		target := Target{Delta: drawDelta(t)}
		want := ClosedForms(context.Background(), stack, target)
		split := slices.Clone(stack)
		for i, e := range stack {
			if e.Count >= 2 { // K copies in one entry, or in two
				part := math.Max(1, math.Floor(e.Count/3))
				split[i].Count = part
				split = append(split, Entry{e.Release, e.Count - part})
			}
		}
		slices.Reverse(split)
		for i, b := range ClosedForms(context.Background(), split, target) {
			same := b.Status == want[i].Status &&
				(b.Epsilon == want[i].Epsilon || math.Abs(b.Epsilon-want[i].Epsilon) <= 1e-7*want[i].Epsilon)
			if !same {
				t.Errorf("%s: %s %.15g, rearranged %s %.15g", b.Method, want[i].Status, want[i].Epsilon, b.Status, b.Epsilon)
			}
		}
	})
}

func TestCostGrowsWithCountAndShrinksWithDelta(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stack, delta := drawPure(t), drawDelta(t)
		more := slices.Clone(stack)
		more[0].Count++
		base := byMethod(ClosedForms(context.Background(), stack, Target{Delta: delta}))
		for _, b := range ClosedForms(context.Background(), more, Target{Delta: delta}) {
			if a := base[b.Method]; a.Finite() && b.Finite() && b.Epsilon < a.Epsilon*(1-slack) {
				t.Errorf("%s falls from %.15g to %.15g with one release more", b.Method, a.Epsilon, b.Epsilon)
			}
		}
		for _, b := range ClosedForms(context.Background(), stack, Target{Delta: delta / 2}) {
			if a := base[b.Method]; a.Finite() && b.Finite() && b.Epsilon < a.Epsilon*(1-slack) {
				t.Errorf("%s falls from %.15g to %.15g at half of δ", b.Method, a.Epsilon, b.Epsilon)
			}
		}
	})
}

// Transforms never promise more than they may.
func TestTransformsOnlyMoveTheRightWay(t *testing.T) {
	gauge.Check(t, gauge.Cases(10, 100), func(t *rapid.T) {
		r := drawRelease(t, 0)
		q := drawLog(t, "q", 1e-3, 0.99)
		sampled, grouped, replaced := Subsample(r, q), GroupPrivacy(r, 3), AddRemoveToReplace(r)
		for _, alpha := range []float64{1.01, 1.5, 2, 8, 100} {
			plain, err := r.Renyi(alpha)
			if err != nil {
				continue
			}
			if v, err := sampled.Renyi(alpha); err != nil || v > plain*(1+slack) {
				t.Errorf("α=%g: sampled %g (%v), without %g", alpha, v, err, plain)
			}
			for _, g := range []Release{grouped, replaced} {
				if v, err := g.Renyi(alpha); err != nil || v < plain*(1-slack) {
					t.Errorf("α=%g: a group costs %g (%v), one record %g", alpha, v, err, plain)
				}
			}
		}
	})
}

func TestOneReleaseUnderBasicIsItsProfile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mu, delta := drawLog(t, "μ", 1e-6, 10), drawDelta(t)
		b := Evaluate(context.Background(), Basic, []Entry{{GaussianDP(mu), 1}}, Target{Delta: delta})
		if b.Epsilon == 0 {
			return
		}
		if got := GaussianToDelta(mu, b.Epsilon); math.Abs(got-delta) > 1e-9*delta || got > delta*(1+1e-12) {
			t.Errorf("δ(ε) = %.15g, want %.15g", got, delta)
		}
	})
}
