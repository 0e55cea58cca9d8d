package pld

import "context"

// Computed counts the values of characteristic functions that had to be computed so far.
func (a *Accountant) Computed() int64 { return a.cache.Count() }

// Bytes is about how much memory the vectors take that are kept.
func (a *Accountant) Bytes() int { return a.cache.Bytes() }

// Forget drops the pairs that are kept because they are dear to make.
func Forget() {
	games.mu.Lock()
	defer games.mu.Unlock()
	games.pairs = nil
}

// Exactly is what adding up losses one by one alone gives; ok is false where that is nothing.
func Exactly(parts []Part, delta, width float64) (i Interval, ok bool) {
	directions, err := directionsOf(context.Background(), parts, true)
	if err != nil {
		return i, false
	}
	if err := directions.exactly(context.Background(), delta, width); err != nil {
		return i, false
	}
	i = directions.interval()
	return i, i.Upper < 1e300
}

// BothWays is every direction of a stack by the spectrum and one by one.
func BothWays(parts []Part, delta, width float64) [][2]Interval {
	stack, err := directionsOf(context.Background(), parts, true)
	if err != nil {
		return nil
	}
	var out [][2]Interval
	for _, d := range stack {
		if certain, _ := d.lost(); len(d.lines) == 0 || certain >= delta {
			continue
		}
		if _, err := d.spectral(context.Background(), delta, width); err != nil {
			return nil
		}
		e := d.known
		d.known = unknown
		one := directions{d}
		if err := one.exactly(context.Background(), delta, width); err != nil {
			return nil
		}
		out = append(out, [2]Interval{{Lower: e.Lower, Upper: e.Upper}, one.interval()})
	}
	return out
}
