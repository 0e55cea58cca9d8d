package pairs

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A maximum lies nowhere below its curves, for losses that are equal but for their rounding too: two
// responses with ε = 1 beside one pure release with ε = 1 have 1 and 1 + 7e-15 among theirs.
func TestEnvelopeIsAbove(t *testing.T) {
	t.Run("responses", func(t *testing.T) {
		isAbove(t, []*Estimate{compact([]Part{{Response(1, 7), 2}}).Remove.upper, Pure(1).Remove.upper})
	})
	rapid.Check(t, func(t *rapid.T) {
		unit := math.Pow(10, rapid.Float64Range(-9, 1).Draw(t, "unit"))
		lists := make([]*Estimate, rapid.IntRange(2, 3).Draw(t, "lists"))
		for b := range lists {
			lists[b] = drawnList(t, unit)
		}
		isAbove(t, lists)
	})
}

// drawnList returns a list on a lattice, but for round-off that may be large.
func drawnList(t *rapid.T, unit float64) *Estimate {
	off := unit * rapid.SampledFrom([]float64{0, 1e-16, 1e-14, 1e-11, 1e-9, 1e-5}).Draw(t, "off")
	var points []atom
	most := rapid.IntRange(1, 6).Draw(t, "most")
	var p, q float64
	for k := -most; k <= most; k++ {
		x := float64(k)*unit + off*rapid.Float64Range(-1, 1).Draw(t, "moved")
		w := rapid.Float64Range(1e-3, 1).Draw(t, "weight") * math.Exp(x/2)
		points = append(points, atom{loss: x, p: w})
		p, q = p+w, q+w*math.Exp(-x)
	}
	shift := math.Log(q / p) // so that both masses add up to 1
	for i := range points {
		points[i].p /= p
		points[i].loss += shift
		points[i].q = points[i].p * math.Exp(-points[i].loss)
	}
	return newList("drawn", points, 0, 0, ulp)
}

func isAbove(t interface {
	Helper()
	Errorf(string, ...any)
}, lists []*Estimate) {
	t.Helper()
	most := envelope("max", lists)
	for _, l := range lists {
		for i, a := range l.list {
			for _, x := range []float64{a.loss, a.loss - 1e-3, (a.loss + l.list[max(i-1, 0)].loss) / 2} {
				if all, one := math.Exp(most.LogDelta(x)), math.Exp(
					l.LogDelta(x)); all < one*(1-1e-12)-1e-15*math.Abs(x) {
					t.Errorf("at %g the maximum is %.15g, and one of its curves %.15g", x, all, one)
				}
			}
		}
	}
}

// Lists with all of their mass at +∞ have no losses to connect: the envelope is the largest of these constants.
func TestEnvelopeOfInfiniteLosses(t *testing.T) {
	if e := envelope("", []*Estimate{estimate("a", nil, 0.3, 0), estimate("b", nil, 0.5, 0)}); e.top < 0.5 {
		t.Errorf("the envelope has %v at infinity, below 0.5", e.top)
	}
}
