package mechanisms

import (
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
)

// sampledRelease is a release on a Poisson sample, by its dominating pair.
type sampledRelease struct {
	accounting.Refusal
	inner accounting.Release
	rate  float64
}

func subsample(r accounting.Release, q float64) accounting.Release {
	return sampledRelease{accounting.Refusal{Label: "sampled " + r.Name()}, r, q}
}

func (s sampledRelease) Key() string { return keyOf("sampled "+s.inner.Key(), s.rate) }

func (s sampledRelease) Approximate() (epsilon, delta float64, err error) {
	epsilon, delta, err = s.inner.Approximate()
	return math.Log1p(s.rate * math.Expm1(epsilon)), s.rate * delta, err
}

func (s sampledRelease) Pair() (pld.Pair, error) {
	inner, err := s.inner.Pair()
	if err != nil {
		return inner, err
	}
	return pld.Subsample(s.rate, inner), nil
}

func (s sampledRelease) Renyi(alpha float64) (float64, error) {
	pair, err := s.Pair()
	if err != nil {
		return math.Inf(1), err
	}
	return pair.Renyi(alpha), nil
}

func (s sampledRelease) Profile(epsilon float64) (float64, error) {
	pair, err := s.Pair()
	if err != nil {
		return 1, err
	}
	return pair.Delta(epsilon), nil
}

func groupOf(r accounting.Release, k float64) accounting.Release {
	return accounting.Refused(r.Name(), "the group bound of this release is not known")
}

func replaced(r accounting.Release) accounting.Release {
	return accounting.Refused(r.Name(), "the guarantee under replace is not known")
}

func composite(entries []accounting.Entry) accounting.Release {
	return accounting.Refused(entries[0].Release.Name(), "the composed run cannot be sampled")
}
