package pld

import (
	"math"
	"strconv"
)

// Pairs: both directions of a loss.

// symmetric is a pair that reads the same in both directions.
func symmetric(l Loss) Pair { return Pair{Remove: l, Add: l} }

// Symmetric reports whether both directions have the same loss.
func (p Pair) Symmetric() bool { return p.Remove.Key() == p.Add.Key() }

// Key identifies the pair: equal keys mean equal pairs.
func (p Pair) Key() string {
	if p.Symmetric() {
		return p.Remove.Key()
	}
	return p.Remove.Key() + "|" + p.Add.Key()
}

// LogDelta is ln δ(ε) in the worse direction, for any real ε.
func (p Pair) LogDelta(epsilon float64) float64 {
	d := p.Remove.LogDelta(epsilon)
	if !p.Symmetric() {
		d = math.Max(d, p.Add.LogDelta(epsilon))
	}
	return d
}

// Delta is δ(ε) in the worse direction, for any real ε.
func (p Pair) Delta(epsilon float64) float64 { return math.Exp(p.LogDelta(epsilon)) }

// Renyi is the Rényi divergence of order α ∈ [1, +Inf] in the worse direction,
// rounded upward where it is not a closed form.
func (p Pair) Renyi(alpha float64) float64 {
	d := p.Remove.Renyi(alpha)
	if !p.Symmetric() {
		d = math.Max(d, p.Add.Renyi(alpha))
	}
	return d
}

// number prints a parameter so that equal keys mean equal numbers.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
