package pld

import "math"

// bracket is a loss whose exact curve is not at hand: upper dominates it, and lower
// is attained by some mechanism the promise allows. Its curve and its divergences
// are those of upper.
type bracket struct {
	key          string
	upper, lower *law
	text         string
}

func (b *bracket) Key() string                      { return b.key }
func (b *bracket) LogDelta(epsilon float64) float64 { return b.upper.LogDelta(epsilon) }
func (b *bracket) Renyi(alpha float64) float64      { return b.upper.Renyi(math.Max(1, alpha)) }
func (b *bracket) ceiling() *law                    { return b.upper }
func (b *bracket) floor() *law                      { return b.lower }
func (b *bracket) note() string                     { return b.text }

// faces is implemented by a Loss whose exact curve is not at hand: ceiling, a pessimistic
// estimate, dominates it; floor, an optimistic one, is dominated by it.
type faces interface {
	ceiling() *law
	floor() *law
	note() string
}

// bracketed is a pair taken apart into what dominates it and what it dominates.
type bracketed struct {
	upper, lower Pair
	note         string
}

// facesOf takes a pair of brackets apart; ok is false for exact pairs.
func facesOf(p Pair) (bracketed, bool) {
	r, okR := p.Remove.(faces)
	a, okA := p.Add.(faces)
	if !okR || !okA {
		return bracketed{}, false
	}
	return bracketed{
		Pair{r.ceiling(), a.ceiling()}, Pair{r.floor(), a.floor()}, r.note(),
	}, true
}

// twoFaced joins what dominates a pair and what it dominates.
func twoFaced(key string, upper, lower Pair, note string) Pair {
	join := func(direction string, u, l Loss) Loss {
		ul, okU := u.(*law)
		ll, okL := l.(*law)
		if !okU || !okL {
			return u
		}
		return &bracket{key + direction, ul, ll, note}
	}
	if upper.Symmetric() && lower.Symmetric() {
		return symmetric(join("", upper.Remove, lower.Remove))
	}
	return Pair{join("", upper.Remove, lower.Remove), join("′", upper.Add, lower.Add)}
}

// Between is a pair known from above and from below only: upper dominates it, lower is
// attained by something it allows.
func Between(upper, lower Pair, note string) Pair {
	if f, ok := facesOf(upper); ok {
		upper = f.upper
	}
	if f, ok := facesOf(lower); ok {
		lower = f.lower
	}
	return twoFaced("between("+upper.Key()+","+lower.Key()+")", upper, lower, note)
}
