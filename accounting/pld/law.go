package pld

import (
	"math"

	"epsiloscope/accounting/special"
)

// law is a Loss that the grid can cut into cells: atoms, a continuous part known
// through its tails under P and under Q, and what lies at ±∞. Everything the
// accountant does, it does through these few questions.
type law interface {
	Loss
	// span is the smallest interval with all finite losses.
	span() (lo, hi float64)
	// atoms lists the point masses in increasing order of loss.
	atoms() []atom
	// tails are those of the continuous part at x.
	tails(x float64) tails
	// continuous reports whether there is a continuous part at all.
	continuous() bool
	// ends are the P-mass at +∞ and the Q-mass at −∞.
	ends() (top, bottom float64)
	// nodes is a quadrature rule for the continuous part, good for E_P[e^{(α−1)L}].
	nodes(alpha float64) []node
	// reach is the largest Rényi order at which masses below the range of float64
	// cannot matter.
	reach() float64
}

// atom is a point mass: P-mass p and Q-mass q = p·e^{−loss}, both kept, since either
// may underflow alone.
type atom struct{ loss, p, q float64 }

// tails are the masses of the continuous part above and below a loss.
type tails struct{ upP, loP, upQ, loQ float64 }

// node is a point of a quadrature rule: a loss and ln of its P-weight.
type node struct{ loss, logP float64 }

// faces is implemented by a Loss whose exact curve is not at hand: ceiling dominates
// it, floor is dominated by it.
type faces interface {
	ceiling() law
	floor() law
	note() string
}

// quadratureError is the relative error allowed to a quadrature rule; sums are padded
// upward by it. The rules used converge geometrically and are far below it.
const quadratureError = 1e-12

// renyi is D_α of a law by exact sums over its atoms and quadrature of the rest.
// It is padded upward, hence a valid bound: domination orders every f-divergence.
func renyi(l law, alpha float64) float64 {
	_, hi := l.span()
	if top, _ := l.ends(); top > beyondFloat {
		return math.Inf(1)
	}
	if math.IsInf(alpha, 1) {
		return hi
	}
	if t, ok := l.(interface{ thinned() law }); ok {
		l = t.thinned()
	}
	theta := alpha - 1
	var small, spread float64 // Σ p·expm1(θL), or Σ p·L at θ = 0; and Σ p·|…|
	logs := make([]float64, 0, 512)
	add := func(loss, logP float64) {
		x := theta * loss
		logs = append(logs, logP+x)
		d := loss
		if theta > 0 {
			d = math.Expm1(math.Min(x, 700))
		}
		d *= math.Exp(logP)
		small += d
		spread += math.Abs(d)
	}
	for _, a := range l.atoms() {
		if a.p > 0 {
			add(a.loss, math.Log(a.p))
		}
	}
	for _, n := range l.nodes(alpha) {
		add(n.loss, n.logP)
	}
	pad := (quadratureError + 4e-16*math.Sqrt(float64(len(logs)))) * spread
	var d float64
	switch {
	case theta == 0:
		d = small + pad
	case small < 1: // M − 1 without the cancellation
		d = math.Log1p(small+pad) / theta
	default:
		sum := special.LogSumExp(logs)
		d = (sum + 1e-15*math.Abs(sum) + quadratureError) / theta
	}
	return math.Max(0, math.Min(d, hi))
}

// logDeltaOf is ln δ(ε) of a law from its atoms and tails:
// δ = P(L > ε) − e^ε Q(L > ε), atom by atom and tail by tail.
func logDeltaOf(l law, epsilon float64) float64 {
	top, _ := l.ends()
	sum := top
	for _, a := range l.atoms() {
		if a.loss > epsilon {
			sum -= a.p * math.Expm1(epsilon-a.loss)
		}
	}
	if !l.continuous() {
		return math.Min(0, math.Log(sum))
	}
	t := l.tails(epsilon)
	rest := special.LogSub(math.Log(t.upP), epsilon+math.Log(t.upQ))
	return math.Min(0, special.LogAdd(math.Log(sum), rest))
}
