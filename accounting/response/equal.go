package response

import (
	"math"

	"epsiloscope/accounting/special"
)

// equalResponses is the loss of count randomized responses with the same ε > 0: with X
// lies among them the loss is (count − 2X)·ε, and X is binomial.
//
// Positions are counted from the mean, y = (ℓ − E ℓ)/ε, so that neither the
// probability of a point nor its distance to the next loses digits at a count of
// 1e24. Neighbouring points differ by 2 in y.
type equalResponses Level

func (l equalResponses) tanh() float64 { return math.Tanh(l.Epsilon / 2) }

// mean returns E ℓ/ε = K·tanh(ε/2).
func (l equalResponses) mean() float64 { return l.Count * l.tanh() }

// spread returns the standard deviation of ℓ/ε.
func (l equalResponses) spread() float64 { return math.Sqrt(l.Count) / math.Cosh(l.Epsilon/2) }

// exact reports whether float64 distinguishes the points of the count.
func (l equalResponses) exact() bool { return l.Count < 1<<50 }

// logP returns ln P(ℓ = ε(mean + y)), y real: the binomial probability in deviance form
// (Loader 2000), which is log-concave in y. It is −Inf off the ends.
func (l equalResponses) logP(y float64) float64 {
	tau := l.tanh()
	u := y / l.Count // deviation of the mean sign (K−2X)/K from tanh(ε/2)
	truths := l.Count/2*(1+tau) + y/2
	lies := l.Count/(1+math.Exp(l.Epsilon)) - y/2
	tiny := 1e-6
	switch {
	case lies < -tiny || truths < -tiny:
		return math.Inf(-1)
	case lies < 0.5-tiny:
		return -l.Count * special.Softplus(-l.Epsilon)
	case truths < 0.5-tiny:
		return -l.Count * special.Softplus(l.Epsilon)
	}
	deviance := l.Count/2*(1+tau)*special.EntropyRemainder(u/(1+tau)) + l.lieDeviance(lies, y)
	return 0.5*(special.Log(l.Count)-special.Log(2*math.Pi)-special.Log(truths)-special.Log(lies)) - deviance +
		special.Stirling(l.Count) - special.Stirling(truths) - special.Stirling(lies)
}

// lieDeviance returns lies·ln(lies/e) − lies + e with e the expected number of lies, from
// the deviation y so that it does not cancel where the two are close.
func (l equalResponses) lieDeviance(lies, y float64) float64 {
	logE := special.Log(l.Count) - special.Softplus(l.Epsilon)
	e := math.Exp(logE)
	if x := -y / 2 / e; x < 10 {
		return e * special.EntropyRemainder(x)
	}
	return lies*(special.Log(lies)-logE) - lies + e
}

// slope returns the derivative of logP per lattice step of 2 upward (one lie fewer).
func (l equalResponses) slope(y float64) float64 {
	lies := l.Count/(1+math.Exp(l.Epsilon)) - y/2
	truths := l.Count/2*(1+l.tanh()) + y/2
	// d/dx of ln Γ is ψ(x+1) ≈ ln(x+½) + 1/(24(x+½)²); the sign of the small rest
	// does not matter, as the caller only leans on the slope to second order.
	return special.Log(lies+0.5) - special.Log(truths+0.5) + l.Epsilon
}

// epsilonAt returns the ε at δ, a hair upward.
func (l equalResponses) epsilonAt(delta float64) float64 {
	logDelta := special.Log(delta)
	excess := func(y float64) float64 { return math.Max(-1e300, l.excess(y)-logDelta) }
	low, high := l.bracket(logDelta, excess)
	if low == high {
		return 0
	}
	_, above := special.BracketRoot(func(v float64) float64 { return excess(low + v) }, 0, high-low, 1e-11)
	y := low + above
	if !l.exact() {
		y += 4 // which points are on the lattice is not known: go past the next one
	}
	return math.Max(0, l.Epsilon*(l.mean()+y)*(1+4e-16))
}

// bracket encloses the answer, starting from what a Gaussian of the same spread
// would give. Both ends are equal where the answer is 0.
func (l equalResponses) bracket(logDelta float64, excess func(float64) float64) (low, high float64) {
	top, bottom := l.Count-l.mean(), -l.mean()
	mu := l.spread() * l.Epsilon
	guess := (special.GaussianEpsilon(mu, logDelta) - mu*mu/2) / l.Epsilon
	if math.IsNaN(guess) {
		guess = 0
	}
	guess = math.Min(top, math.Max(bottom, guess))
	step := 0.05*l.spread() + 2
	low, high = guess, guess
	for excess(high) > 0 && high < top {
		low, high = high, math.Min(top, high+step)
		step *= 4
	}
	for low == guess || excess(low) <= 0 {
		if low <= bottom {
			return bottom, bottom
		}
		if excess(low) <= 0 {
			high = low
		}
		low = math.Max(bottom, low-step)
		step *= 4
		if excess(low) > 0 {
			break
		}
	}
	return low, high
}
