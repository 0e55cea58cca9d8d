package accounting

import (
	"errors"
	"math"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/renyi"
)

// Composite treats a run of several releases as one, as needed if one sample of the records serves the whole
// run. Stated (ε, δ) add up, curves and ρ add up, Gaussian noise stays Gaussian. Listing the entries in a stack
// instead is never worse; use this only to transform a run as a whole, as in Subsample(Composite(run), q).
//
// A run of one release is that release.
func Composite(entries []Entry) Release {
	l := prepareStack(entries, Target{})
	switch {
	case l.problem != "":
		return NewUnsupported("run", l.problem)
	case len(l.entries) == 0:
		return WithName(PureDP(0), "empty run")
	case len(l.entries) == 1 && l.entries[0].Count == 1:
		return l.entries[0].Release
	}
	var parts []any
	for _, e := range l.entries {
		parts = append(parts, KeyOf(e.Release), e.Count)
	}
	c := composite{keyed: newKeyed("run of "+l.entries[0].Release.Name(), "run", parts...), entries: l.entries}
	c.chords = &renyi.Table{Curve: curveOf(c)}
	return c
}

type composite struct {
	keyed
	entries []Entry      // folded
	chords  *renyi.Table // the summed curve, for profiles, which ask it over and over
}

func (c composite) Approximate() (epsilon, delta float64, err error) {
	for _, e := range c.entries {
		x, d, err := e.Release.Approximate()
		if err != nil {
			return 0, 0, err
		}
		epsilon += e.Count * x
		delta += e.Count * d
	}
	return epsilon, math.Min(1, delta), nil
}

func (c composite) sum(cost func(Release) (float64, error)) (total float64, err error) {
	for _, e := range c.entries {
		x, err := cost(e.Release)
		if err != nil {
			return math.Inf(1), err
		}
		total += e.Count * x
	}
	return total, nil
}

func (c composite) Renyi(alpha float64) (float64, error) {
	return c.sum(func(r Release) (float64, error) { return r.Renyi(alpha) })
}

func (c composite) Concentrated() (rho float64, err error) { return c.sum(Release.Concentrated) }

func (c composite) Gaussian() (mu float64, err error) {
	squares, err := c.sum(squaredMu)
	return math.Sqrt(squares), err
}

// squaredMu returns μ² of Gaussian noise, which adds up under composition.
func squaredMu(r Release) (float64, error) {
	mu, err := r.Gaussian()
	return mu * mu, err
}

// Profile returns the least of what the total (ε, δ) and the summed curve promise.
func (c composite) Profile(epsilon float64) (delta float64, err error) {
	if mu, err := c.Gaussian(); err == nil {
		return GaussianToDelta(mu, epsilon), nil
	}
	delta, known := totalProfile(c, c.chords.At, epsilon)
	if !known {
		return 1, errors.New("a run of several releases has a profile only through its total (ε, δ) or its Rényi curve")
	}
	return delta, nil
}

func (c composite) epsilonAt(logDelta float64) float64 { return totalToEpsilon(c, logDelta) }

// Pair returns the exact pair of runs of one pure ε, or of Gaussian noise; otherwise an upper
// estimate composed on a mesh, whose lower estimate is one of the releases.
func (c composite) Pair() (pairs.Pair, error) {
	if mu, err := c.Gaussian(); err == nil {
		return pairs.Gaussian(mu), nil
	}
	if len(c.entries) == 1 {
		if p, ok := unwrapAs[pure](c.entries[0].Release); ok {
			return pairs.RepeatedApproximate(p.epsilon, 0, c.entries[0].Count), nil
		}
	}
	parts, err := partsOf(c.entries)
	if err != nil {
		return pairs.Pair{}, err
	}
	run := pairs.Parallel([][]pairs.Part{parts}, false)
	return pairs.Bracket(run, run, "a run on one sample is composed on a mesh from above; the lower end knows one of its releases only, so the interval is not tight"), nil
}
