package pairs

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
)

// Loss is the distribution of the privacy loss L = ln dP/dQ of one ordered pair (P, Q), which the numerical
// accountant composes. Only this package makes one, because a curve δ(ε) alone does not determine how it
// composes. For your own mechanism use one of the pairs here, or [Bracket] with two of them.
type Loss struct {
	key string
	// upper, a pessimistic estimate, dominates the loss; lower, an optimistic one, is
	// attained by some mechanism that the guarantee allows. Where the loss is known both are
	// the loss itself.
	upper, lower *Estimate
	note         string // why they differ
}

// Key identifies the distribution: equal keys mean equal distributions.
func (l *Loss) Key() string { return l.key }

// LogDelta returns ln of the hockey-stick curve δ(ε) = E_P[(1 − e^{ε−L})₊], for any real ε, of
// the pessimistic estimate.
func (l *Loss) LogDelta(epsilon float64) float64 { return l.upper.LogDelta(epsilon) }

// Renyi returns the Rényi divergence D_α(P‖Q) of the pessimistic estimate for α in [1, +Inf]: KL
// at 1, the largest loss at +Inf.
func (l *Loss) Renyi(alpha float64) float64 { return l.upper.Renyi(alpha) }

// exactLoss returns a loss that is known exactly: its pessimistic and its optimistic estimate are the same.
func exactLoss(l *Estimate) *Loss { return &Loss{l.key, l, l, ""} }

// Upper returns the pessimistic estimate.
func (l *Loss) Upper() *Estimate { return l.upper }

// Lower returns the optimistic estimate.
func (l *Loss) Lower() *Estimate { return l.lower }

// Note says why the two estimates differ; "" if they do not.
func (l *Loss) Note() string { return l.note }

// Exact reports whether both estimates of a loss are the loss itself.
func (l *Loss) Exact() bool { return l.upper.key == l.lower.key }

// mapEstimates applies do to the upper estimates and to the lower estimates of losses.
func mapEstimates(do func(...*Estimate) *Estimate, losses ...*Loss) *Loss {
	uppers, lowers, note := make([]*Estimate, len(losses)), make([]*Estimate, len(losses)), ""
	for i, l := range losses {
		uppers[i], lowers[i] = l.upper, l.lower
		if l.note != "" {
			note = l.note
		}
	}
	upper := do(uppers...)
	if slices.Equal(uppers, lowers) && note == "" {
		return exactLoss(upper)
	}
	lower := do(lowers...)
	return &Loss{upper.key + "|" + lower.key, upper, lower, note}
}

// Pair holds a dominating pair in both directions: Remove is the loss of the data
// set with the record against the one without, Add the reverse. A symmetric pair
// holds the same Loss twice. A stack is composed in one direction, then in the
// other, never mixed.
type Pair struct{ Remove, Add *Loss }

// SymmetricPair returns a pair that reads the same in both directions.
func SymmetricPair(l *Loss) Pair { return Pair{Remove: l, Add: l} }

// eachWay makes a pair of several by what is done to their losses in one direction. The
// other has a key of its own: equal keys would make the pair count as symmetric, and one
// direction would never be looked at.
func eachWay(key string, pairs []Pair, do func(key string, losses []*Loss) *Loss) Pair {
	var remove, add []*Loss
	for i, p := range pairs {
		p = p.orInvalid()
		pairs[i] = p
		remove, add = append(remove, p.Remove), append(add, p.Add)
	}
	if !slices.ContainsFunc(pairs, func(p Pair) bool { return !p.Symmetric() }) {
		return SymmetricPair(do(key, remove))
	}
	return Pair{Remove: do(key, remove), Add: do(key+"′", add)}
}

// bracketPair returns a pair with the upper estimates of upper and the lower estimates of lower.
func bracketPair(key string, upper, lower Pair, note string) Pair {
	return eachWay(key, []Pair{upper, lower}, func(key string, l []*Loss) *Loss {
		above := l[0].upper
		if l[0] != l[1] && above.finer != nil { // a finer one would bring its own lower estimate
			coarse := *above
			coarse.finer, above = nil, &coarse
		}
		return &Loss{key, above, l[1].lower, note}
	})
}

// Bracket returns a pair that upper dominates and that dominates lower, where lower is attained by an allowed
// mechanism.
func Bracket(upper, lower Pair, note string) Pair {
	upper, lower = upper.orInvalid(), lower.orInvalid()
	return bracketPair("between("+upper.Key()+","+lower.Key()+")", upper, lower, note)
}

// UpperOnly returns a pair that is dominated by p and otherwise unknown: its lower estimate is 0.
func UpperOnly(p Pair, note string) Pair {
	p = p.orInvalid()
	return eachWay("at-most("+p.Key()+")", []Pair{p}, func(key string, l []*Loss) *Loss {
		upper := *l[0].upper
		upper.finer = nil // it would bring its own lower estimate
		return &Loss{key, &upper, identicalPair().Remove.lower, note}
	})
}

// Symmetric reports whether both directions have the same loss.
func (p Pair) Symmetric() bool { return p.Remove.key == p.Add.key }

// Key identifies the pair: equal keys mean equal pairs.
func (p Pair) Key() string {
	if p.Symmetric() {
		return p.Remove.key
	}
	return p.Remove.key + "|" + p.Add.key
}

// LogDelta returns ln δ(ε) in the worse direction, for any real ε.
func (p Pair) LogDelta(epsilon float64) float64 {
	return p.worse(func(l *Loss) float64 { return l.LogDelta(epsilon) })
}

// Delta returns δ(ε) in the worse direction, for any real ε.
func (p Pair) Delta(epsilon float64) float64 { return math.Exp(p.LogDelta(epsilon)) }

// Renyi returns the Rényi divergence of order α ∈ [1, +Inf] in the worse direction,
// rounded upward where it is not a closed form.
func (p Pair) Renyi(alpha float64) float64 {
	return p.worse(func(l *Loss) float64 { return l.Renyi(alpha) })
}

func (p Pair) worse(of func(*Loss) float64) float64 {
	if p.Symmetric() {
		return of(p.Remove)
	}
	return math.Max(of(p.Remove), of(p.Add))
}

// number prints a parameter so that equal keys mean equal numbers.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// slowPairs keeps the last few pairs that are expensive to build: a stack is evaluated again and
// again.
var slowPairs pairCache

// Forget drops the pairs that are kept because they are expensive to build and returns their keys, for measurements of
// building them.
func Forget() []string {
	slowPairs.mu.Lock()
	defer slowPairs.mu.Unlock()
	keys := slices.Collect(maps.Keys(slowPairs.pairs))
	slowPairs.pairs = nil
	return keys
}

// maxSlowPairs is the number of pairs that slowPairs keeps: those of a few charts of 30 counts. A pair of a recursion,
// of shuffled reports or of allocated batches has 20 to 450 kB.
const maxSlowPairs = 128

type pairCache struct {
	mu    sync.Mutex
	pairs map[string]Pair
}

// get returns the pair with this key. One that was given up on the way has no losses, and is not kept.
func (c *pairCache) get(key string, make func() Pair) Pair {
	c.mu.Lock()
	p, known := c.pairs[key]
	c.mu.Unlock()
	if known {
		return p
	}
	if p = make(); p.Remove == nil {
		return p
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pairs) >= maxSlowPairs || c.pairs == nil {
		c.pairs = map[string]Pair{}
	}
	c.pairs[key] = p
	return p
}
