package accounting

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mathext"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/renyi"
	"epsiloscope/accounting/risk"
	"epsiloscope/accounting/special"
)

// curveOf returns the Rényi curve of a release, +Inf where it has none.
func curveOf(r Release) renyi.Curve {
	return func(alpha float64) float64 {
		v, err := r.Renyi(alpha)
		if err != nil || math.IsNaN(v) {
			return math.Inf(1)
		}
		return v
	}
}

// rdpView returns the stack as one composite with a Rényi curve. Entries that have only an (ε,
// δ) enter as pure ε; their δ is returned separately.
func (l *preparedStack) rdpView() (run composite, carried []statedCost, err error) {
	var pures []Entry
	for _, e := range l.entries {
		_, err := e.Release.Renyi(2)
		if err == nil {
			run.entries = append(run.entries, e)
			continue
		}
		epsilon, delta, none := e.Release.Approximate()
		if none != nil || !finite(epsilon, delta) {
			return composite{}, nil, err
		}
		pures = append(pures, Entry{PureDP(epsilon), e.Count})
		carried = append(carried, statedCost{epsilon, delta, e.Count})
	}
	run.entries = append(run.entries, pures...)
	return run, carried, nil
}

// logProfile returns ln δ(ε) of a release in the worse direction. Where the profile
// itself leaves the range of float64 the dominating pair answers instead.
func logProfile(r Release) func(epsilon float64) float64 {
	if mu, err := r.Gaussian(); err == nil {
		return func(epsilon float64) float64 { return special.LogGaussianProfile(mu, epsilon) }
	}
	pair, pairErr := pairOf(r)
	return func(epsilon float64) float64 {
		delta, err := r.Profile(epsilon)
		if err != nil || math.IsNaN(delta) {
			return 0
		}
		if delta > 1e-290 {
			return special.Log(delta)
		}
		if pairErr == nil {
			return pair.LogDelta(epsilon)
		}
		return special.Log(math.Max(delta, 1e-300)) // no digits below: do not promise less
	}
}

// inverse is a release whose profile is itself a conversion: ε at δ then takes one
// conversion instead of a search over many.
type inverse interface {
	epsilonAt(logDelta float64) float64
}

// curveToEpsilon returns the least ε that a Rényi curve gives at ln δ by the tight
// conversion.
func curveToEpsilon(curve renyi.Curve, logDelta float64) float64 {
	pure := curve(math.Inf(1))
	_, least, _ := renyi.LeastOrder(curve, func(alpha, r float64) float64 {
		return renyiToEpsilonLog(alpha, r, logDelta)
	}, pure)
	return math.Min(least, pure)
}

// curveToLogDelta returns the smallest ln δ at ε that a Rényi curve gives by the tight
// conversion.
func curveToLogDelta(curve renyi.Curve, epsilon float64) float64 {
	if epsilon >= curve(math.Inf(1)) {
		return math.Inf(-1)
	}
	_, least, _ := renyi.LeastOrder(curve, func(alpha, r float64) float64 {
		return renyiLogDelta(alpha-1, r, epsilon)
	}, math.Inf(1))
	return least
}

// totalProfile returns δ(ε) of a release that knows its total (ε, δ), its curve, or both: the
// less of what they promise. It is false where it knows neither.
func totalProfile(r Release, curve renyi.Curve, epsilon float64) (delta float64, known bool) {
	delta = 1
	if total, failed, err := r.Approximate(); err == nil {
		known, delta = true, math.Min(1, failed+(1-failed)*pureProfile(total, epsilon))
	}
	if _, err := r.Renyi(2); err == nil {
		known, delta = true, math.Min(delta, math.Exp(curveToLogDelta(curve, epsilon)))
	}
	return delta, known
}

// totalToEpsilon returns the ε at ln δ of such a release.
func totalToEpsilon(r Release, logDelta float64) float64 {
	least := math.Inf(1)
	if epsilon, delta, err := r.Approximate(); err == nil && (delta == 0 || special.Log(delta) <= logDelta) {
		least = epsilon
	}
	if _, err := r.Renyi(2); err == nil {
		least = math.Min(least, curveToEpsilon(curveOf(r), logDelta))
	}
	return least
}

// epsilonAt returns the ε of one release at ln δ, by its profile and rounded up. It is
// +Inf where no ε is known to reach that δ.
func epsilonAt(r Release, logDelta float64) float64 { return new(memoProfile).epsilonAt(r, logDelta) }

// epsilonAt returns the ε of r at ln δ; r must be the release this profile was built from.
func (f *memoProfile) epsilonAt(r Release, logDelta float64) float64 {
	if math.IsInf(logDelta, -1) {
		if epsilon, delta, err := r.Approximate(); err == nil && delta == 0 {
			return epsilon
		}
		return math.Inf(1)
	}
	if mu, err := r.Gaussian(); err == nil {
		return special.GaussianEpsilon(mu, logDelta)
	}
	if direct, ok := r.(inverse); ok {
		return direct.epsilonAt(logDelta)
	}
	if f.of == nil {
		f.of = logProfile(r)
	}
	return f.inverse(logDelta)
}

// memoProfile is ln δ(ε) of a release with the values computed so far; they bracket later searches.
type memoProfile struct {
	of             func(epsilon float64) float64
	points, values []float64 // by ε
}

func (f *memoProfile) logDelta(epsilon float64) float64 {
	i, known := slices.BinarySearch(f.points, epsilon)
	if !known {
		f.points, f.values = slices.Insert(f.points, i, epsilon), slices.Insert(f.values, i, f.of(epsilon))
	}
	return f.values[i]
}

// inverse returns the least ε ≥ 0 at which it is down to ln δ, rounded up; +Inf where that is
// beyond 1e30.
func (f *memoProfile) inverse(logDelta float64) float64 {
	excess := func(epsilon float64) float64 {
		return math.Max(f.logDelta(epsilon)-logDelta, -1e300) // −Inf would spoil the interpolation
	}
	if excess(0) <= 0 {
		return 0
	}
	rung := func(i int) float64 { return math.Ldexp(1e-12, 3*i) }
	i := 13 // 0.55: an ε is seldom far from there
	for i > 0 && !(excess(rung(i-1)) > 0) {
		i--
	}
	for excess(rung(i)) > 0 {
		if i++; rung(i) > 1e30 {
			return math.Inf(1)
		}
	}
	low := 0.0
	if i > 0 {
		low = rung(i - 1)
	}
	first, _ := slices.BinarySearch(f.points, low)
	last, _ := slices.BinarySearch(f.points, rung(i))
	below := first + 1 + sort.Search(last-first-1, func(j int) bool { return excess(f.points[first+1+j]) <= 0 })
	_, above := special.BracketRoot(excess, f.points[below-1], f.points[below], 1e-13)
	return above
}

// TradeOff returns an attacker's smallest type II error at type I error x, from the
// profile δ(ε) of the worse direction (Wasserman & Zhou 2010; Dong, Roth & Su
// 2022, Proposition 6): the largest over ε ≥ 0 of 0, 1−δ−e^ε·x and e^{−ε}(1−δ−x).
// Every ε gives a true lower bound on the error, so the search may miss the best
// one without overstating the privacy. The answer is rounded down.
func TradeOff(profile func(epsilon float64) float64, x float64) float64 {
	if !(x >= 0 && x < 1) {
		return 0
	}
	const rounding = 0x1p-50 // of three numbers up to 1 and their differences
	worst := func(epsilon float64) float64 {
		left := 1 - profile(epsilon) - rounding
		return -math.Max(left-math.Exp(epsilon)*x, math.Exp(-epsilon)*(left-x))
	}
	best := worst(0)
	m := special.Minimise(func(u float64) float64 {
		return worst(math.Exp(u))
	}, special.Log(1e-9), special.Log(1e4), 90)
	return math.Max(0, -math.Min(best, m.Value))
}

// GaussianTradeOff returns G_μ(x) = Φ(Φ⁻¹(1−x) − μ), the exact curve of a μ-GDP release. It is 0, no
// guarantee, unless μ is at least 0 and x at least 0 and below 1.
func GaussianTradeOff(mu, x float64) float64 {
	switch {
	case !(mu >= 0) || !(x >= 0 && x < 1):
		return 0
	case x == 0:
		return 1
	}
	return special.NormalCDF(-mathext.NormalQuantile(x) - mu)
}

// Posterior bounds an attacker's belief after a release of pure ε, from a prior. It is 1 unless the prior is a
// probability and ε at least 0.
func Posterior(prior, epsilon float64) float64 {
	if !(prior >= 0 && prior <= 1) || !(epsilon >= 0) {
		return 1
	}
	// π·e^ε/(π·e^ε + 1 − π), divided by e^ε so that it cannot overflow.
	rest := (1 - prior) * math.Exp(-epsilon)
	if prior == 0 {
		return 0
	}
	return prior / (prior + rest)
}

// LeastPosterior bounds an attacker's belief after a release of pure ε from below, from a prior. It is 0 unless the
// prior is a probability and ε at least 0.
func LeastPosterior(prior, epsilon float64) float64 {
	if !(prior >= 0 && prior <= 1) || !(epsilon >= 0) {
		return 0
	}
	if prior == 1 {
		return 1
	}
	left := prior * math.Exp(-epsilon) // π·e^−ε/(π·e^−ε + 1 − π)
	return left / (left + 1 - prior)
}

// ProfileCorners returns the ε at which the profile of a stack has a corner; see [pairs.Corners].
func ProfileCorners(ctx context.Context, stack []Entry) (corners []float64) {
	_ = withParts(ctx, stack, 0, func(parts []pairs.Part, _ pld.Options) error {
		corners = pairs.Corners(parts)
		return nil
	})
	return corners
}

// Advantage returns certified ends of the membership advantage of a stack, δ at ε = 0, without the rest of its profile.
// The error says why the numerical accountant cannot compose the stack.
func Advantage(ctx context.Context, stack []Entry) (ends risk.Ends, err error) {
	err = withParts(ctx, stack, advantageWidth, func(parts []pairs.Part, opt pld.Options) (err error) {
		ends.Lower, ends.Upper, err = pld.DeltaAt(ctx, parts, 0, opt)
		return err
	})
	if err != nil {
		return risk.Ends{Lower: 0, Upper: 1}, err
	}
	return ends, nil
}

// advantageWidth is the relative width of ε asked for the advantage, for which a few milliseconds suffice: at ε = 0 the
// interval of δ is far narrower than that.
const advantageWidth = 2.5e-3

// withParts calls use with what the numerical accountant composes for a stack.
func withParts(ctx context.Context, stack []Entry, precision float64, use func([]pairs.Part, pld.Options) error) error {
	l := prepareStack(stack, Target{Precision: precision})
	if l.problem != "" {
		return errors.New(l.problem)
	}
	parts, err := l.parts(ctx)
	if err != nil {
		return err
	}
	return recoverPanic(ctx, func() error { return use(parts, l.options()) })
}
