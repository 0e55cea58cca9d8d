package accounting

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"epsiloscope/accounting/pld"
)

// Refusal answers "no" to everything a theorem may ask, with a reason. Embed it in
// a release and override what the mechanism does know.
type Refusal struct {
	Label  string // the name used in notes
	Reason string // the answer to every question; a general one if empty
}

// Refused is a release nothing is known of, for the reason given.
func Refused(name, reason string) Release { return Refusal{name, reason} }

func (r Refusal) no(general string) error {
	if r.Reason != "" {
		return errors.New(r.Reason)
	}
	return errors.New(r.Label + " " + general)
}

func (r Refusal) Name() string { return r.Label }
func (r Refusal) Key() string  { return key("refused", r.Label, r.Reason) }

func (r Refusal) Approximate() (epsilon, delta float64, err error) {
	return 0, 0, r.no("states no (ε, δ) of its own")
}

func (r Refusal) Renyi(float64) (float64, error) {
	return math.Inf(1), r.no("has no Rényi curve")
}

func (r Refusal) Concentrated() (rho float64, err error) {
	return math.Inf(1), r.no("has no finite ρ")
}

// noGain is the answer of a sampled release that has no better ρ than without sampling.
func (r Refusal) noGain(by string) (rho float64, err error) {
	return math.Inf(1), errors.New("zCDP shows no gain by " + by + ": " + r.Label + " has no ρ better than without it")
}

func (r Refusal) Gaussian() (mu float64, err error) { return 0, r.no("is not Gaussian noise") }

func (r Refusal) Profile(float64) (delta float64, err error) {
	return 1, r.no("has no privacy profile")
}

func (r Refusal) Pair() (pld.Pair, error) {
	return pld.Pair{}, r.no("has no dominating pair")
}

// key joins the parts of a release's identity: words as they are, numbers in full.
func key(kind string, parts ...any) string {
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = fmt.Sprint(p)
	}
	return kind + "(" + strings.Join(words, ",") + ")"
}

// Named is the same release under another name in notes.
func Named(r Release, name string) Release { return named{r, name} }

type named struct {
	Release
	name string
}

func (n named) Name() string { return n.name }

// Unwrap is the release without its new name, for [behind].
func (n named) Unwrap() Release { return n.Release }

// behind finds a T behind the names that a release was given.
func behind[T any](r Release) (found T, ok bool) {
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
func pairOf(r Release) (pld.Pair, error) {
	pair, err := r.Pair()
	if err == nil && (pair.Remove == nil || pair.Add == nil) {
		_, err = Refusal{Label: r.Name()}.Pair()
	}
	return pair, err
}

// pairFrom makes a pair of those of other releases, once, when it is first asked for.
func pairFrom(of []Release, build func([]pld.Pair) pld.Pair) func() (pld.Pair, error) {
	return sync.OnceValues(func() (pld.Pair, error) {
		pairs := make([]pld.Pair, len(of))
		for i, r := range of {
			pair, err := pairOf(r)
			if err != nil {
				return pair, err
			}
			pairs[i] = pair
		}
		return build(pairs), nil
	})
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
