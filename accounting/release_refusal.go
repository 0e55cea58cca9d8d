package accounting

import (
	"errors"
	"math"
	"sync"

	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/renyi"
)

// Unsupported implements [Release] by returning its reason from every method. Embed it and override the methods
// that a release supports. It has no Key: a release that embeds it has to say itself what makes it
// interchangeable with another, or it does not compile.
type Unsupported struct {
	Label  string // the name used in notes
	Reason string // the answer to every question; a general one if empty
}

// NewUnsupported returns a release of which nothing is known, for the reason given.
func NewUnsupported(name, reason string) Release {
	return keyed{Unsupported{Label: name, Reason: reason}, "unsupported(" + name + "," + reason + ")"}
}

func (r Unsupported) no(general string) error {
	if r.Reason != "" {
		return errors.New(r.Reason)
	}
	return errors.New(r.Label + " " + general)
}

func (r Unsupported) Name() string { return r.Label }

func (r Unsupported) Approximate() (epsilon, delta float64, err error) {
	return 0, 0, r.no("states no (ε, δ) of its own")
}

func (r Unsupported) Renyi(float64) (float64, error) {
	return math.Inf(1), r.no("has no Rényi curve")
}

func (r Unsupported) Concentrated() (rho float64, err error) {
	return math.Inf(1), r.no("has no finite ρ")
}

// noGain returns the answer of a sampled release that has no better ρ than without sampling.
func (r Unsupported) noGain(by string) (rho float64, err error) {
	return math.Inf(1), errors.New("zCDP shows no gain by " + by + ": " + r.Label + " has no ρ better than without it")
}

func (r Unsupported) Gaussian() (mu float64, err error) { return 0, r.no("is not Gaussian noise") }

func (r Unsupported) Profile(float64) (delta float64, err error) {
	return 1, r.no("has no privacy profile")
}

func (r Unsupported) Pair() (pairs.Pair, error) {
	return pairs.Pair{}, r.no("has no dominating pair")
}

// WithName returns the same release under another name in notes.
func WithName(r Release, name string) Release { return named{checkAnswers(r), name} }

type named struct {
	Release
	name string
}

func (n named) Name() string { return n.name }
func (n named) Key() string  { return KeyOf(n.Release) }
func (named) ownKey()        {}

// Unwrap returns the release without its new name, for [unwrapAs].
func (n named) Unwrap() Release { return n.Release }

// unwrapAs returns r as a T, removing names added by WithName.
func unwrapAs[T any](r Release) (found T, ok bool) {
	for {
		if found, ok = r.(T); ok {
			return found, true
		}
		w, wrapped := r.(interface{ Unwrap() Release })
		if !wrapped {
			return found, false
		}
		r = w.Unwrap()
	}
}

// pairOf asks a release for its pair and makes sure that both directions are there.
func pairOf(r Release) (pairs.Pair, error) {
	pair, err := r.Pair()
	if err == nil && (pair.Remove == nil || pair.Add == nil) {
		_, err = Unsupported{Label: r.Name()}.Pair()
	}
	return pair, err
}

// derived is the common part of releases built from other releases: a lazily built pair and its
// memoised Rényi divergences.
type derived struct {
	keyed
	pair func() (pairs.Pair, error)
	memo renyi.Memo
}

func (m *derived) Pair() (pairs.Pair, error) { return m.pair() }

// divergence returns D_α of the pair, +Inf if there is none.
func (m *derived) divergence(alpha float64) float64 {
	pair, err := m.pair()
	if err != nil {
		return math.Inf(1)
	}
	return m.memo.At(alpha, pair.Renyi)
}

// newDerived returns the base of a release whose pair is built from those of other releases, when it is first
// needed.
func newDerived(about keyed, build func([]pairs.Pair) pairs.Pair, of ...Release) *derived {
	return &derived{keyed: about, pair: sync.OnceValues(func() (pairs.Pair, error) {
		pairs := make([]pairs.Pair, len(of))
		for i, r := range of {
			pair, err := pairOf(r)
			if err != nil {
				return pair, err
			}
			pairs[i] = pair
		}
		return build(pairs), nil
	})}
}

// finite reports whether every value is a number and at least 0.
func finite(values ...float64) bool {
	for _, v := range values {
		if !(v >= 0) || math.IsInf(v, 1) {
			return false
		}
	}
	return true
}
