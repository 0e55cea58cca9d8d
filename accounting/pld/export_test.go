package pld

import "context"

// Computed counts the values of characteristic functions that had to be computed so far.
func (a *Accountant) Computed() int64 { return a.cache.Count() }

// Bytes returns about how much memory the vectors take that are kept.
func (a *Accountant) Bytes() int { return a.cache.Bytes() }

// Kept counts the intervals that are kept.
func (a *Accountant) Kept() int { return len(a.answers) }

// Forget drops the pairs that are kept because they are dear to make.
func Forget() {
	slowPairs.mu.Lock()
	defer slowPairs.mu.Unlock()
	slowPairs.pairs = nil
}

// Exactly returns what adding up losses one by one alone gives; ok is false where that is nothing.
func Exactly(parts []Part, delta, width float64) (i Interval, ok bool) {
	stack, err := enclose(context.Background(), parts, query{epsilonAt{}, []float64{delta}, width, true}, byCells)
	if err != nil {
		return i, false
	}
	i = stack.intervalAt(0)
	return i, i.Upper < 1e300
}

// BothWays returns every direction of a stack by the spectrum and one by one.
func BothWays(parts []Part, delta, width float64) [][2]Interval {
	q := query{epsilonAt{}, []float64{delta}, width, true}
	stack, err := enclose(context.Background(), parts, q)
	if err != nil {
		return nil
	}
	var out [][2]Interval
	for _, d := range stack {
		if certain, _ := d.failureProbability(); len(d.lines) == 0 || certain >= delta {
			continue
		}
		var both [2]Interval
		for i, m := range []method{bySpectrum, byCells} {
			d.known = []answer{{Interval: q.unknown()}}
			if err := (directions{d}).ask(context.Background(), q, m); err != nil {
				return nil
			}
			both[i] = d.known[0].Interval
		}
		out = append(out, both)
	}
	return out
}

// width returns the width of an interval relative to its upper end.
func (i Interval) width() float64 {
	if i.Upper == i.Lower {
		return 0
	}
	return (i.Upper - i.Lower) / i.Upper
}
