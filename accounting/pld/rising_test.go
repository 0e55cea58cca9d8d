package pld

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// At large orders a sampled law looks at its top only: the divergence is that of a rule
// over all of it.
func TestSampledNodesAtLargeOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		epsilon := math.Exp(rapid.Float64Range(-4, 2.5).Draw(t, "ln ε"))
		q := math.Exp(rapid.Float64Range(-20, -0.01).Draw(t, "ln q"))
		inner := Laplace(epsilon)
		if rapid.Bool().Draw(t, "range") {
			inner = BoundedRange(epsilon)
		}
		alpha := math.Exp(rapid.Float64Range(math.Log(wholeOrder), math.Log(2e4)).Draw(t, "ln α"))
		if alpha*epsilon > 1000 {
			alpha = math.Max(wholeOrder+1, 1000/epsilon)
		}
		pair := Subsample(q, inner)
		for _, l := range []law{pair.Remove.(law), pair.Add.(law)} {
			got, want := renyi(l, alpha), renyi(everywhere{l}, alpha)
			if math.Abs(got-want) > 4*quadratureError*(1/alpha+want) {
				t.Errorf("%s at α = %v: D = %.15g, over all of it %.15g", l.Key(), alpha, got, want)
			}
		}
	})
}

// everywhere is a sampled law with nodes over all of its mass.
type everywhere struct{ law }

func (e everywhere) nodes(alpha float64) []node {
	var out []node
	switch s := e.law.(type) {
	case sampled:
		lo, hi, logScale := s.inner.(rising).rising()
		for _, n := range risingPanels(lo, hi, logScale, int((hi-lo)*alpha/2)+8) {
			out = append(out, node{s.loss(n.loss), n.logP + math.Log(s.q+(1-s.q)*math.Exp(-n.loss))})
		}
	case sampledAdd:
		lo, hi, logScale := s.inner.(rising).rising()
		for _, n := range risingPanels(lo, hi, logScale, int((hi-lo)*alpha/2)+8) {
			out = append(out, node{-sampled{q: s.q}.loss(-n.loss), n.logP})
		}
	}
	return out
}

// The closed divergence of bounded range is the summed one.
func TestBoundedRangeRenyi(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := boundedRange{math.Exp(rapid.Float64Range(-4, 3).Draw(t, "ln ε"))}
		alpha := 1 + math.Exp(rapid.Float64Range(-3, 8).Draw(t, "ln(α−1)"))
		if got, want := b.Renyi(alpha), renyi(b, alpha); math.Abs(got-want) > 1e-11*want {
			t.Errorf("ε = %v, α = %v: D = %.15g, summed %.15g", b.epsilon, alpha, got, want)
		}
	})
}
