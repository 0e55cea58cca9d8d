package pld

import "math"

// bracket is a loss whose exact curve is not at hand: upper, a pessimistic estimate,
// dominates it, and lower, an optimistic one, is attained by some mechanism the promise
// allows. Its curve and its divergences are those of upper.
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

// refinable is a loss whose estimates can be brought closer to each other, so many times.
type refinable struct {
	*bracket
	finer func(times float64) Loss
}

// each does to both estimates of a loss what is done to one.
func each(key string, l Loss, do func(*law) *law) Loss {
	if exact, ok := l.(*law); ok {
		return do(exact)
	}
	return &bracket{key, do(l.ceiling()), do(l.floor()), l.note()}
}

// twoFaced joins what dominates a pair and what it dominates.
func twoFaced(key string, upper, lower Pair, note string) Pair {
	remove := &bracket{key, upper.Remove.ceiling(), lower.Remove.floor(), note}
	if upper.Symmetric() && lower.Symmetric() {
		return symmetric(remove)
	}
	return Pair{remove, &bracket{key + "′", upper.Add.ceiling(), lower.Add.floor(), note}}
}

// Between is a pair known from above and from below only: upper dominates it, lower is
// attained by something it allows.
func Between(upper, lower Pair, note string) Pair {
	return twoFaced("between("+upper.Key()+","+lower.Key()+")", upper, lower, note)
}

// Noted is a symmetric pair with another note, if it has one.
func Noted(p Pair, note string) Pair {
	if b, ok := p.Remove.(*bracket); ok {
		with := *b
		with.text = note
		return symmetric(&with)
	}
	return p
}
