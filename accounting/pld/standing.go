package pld

import (
	"cmp"
	"context"
	"math"
)

// standing is what is known of every direction of a stack so far.
type standing struct {
	directions []direction
	known      []Interval // of each by itself
}

func newStanding(directions []direction) *standing {
	k := &standing{directions, make([]Interval, len(directions))}
	for i := range k.known {
		k.known[i].Upper = math.Inf(1)
	}
	return k
}

// least is a lower end of the whole stack.
func (k *standing) least() float64 {
	least := 0.0
	for _, i := range k.known {
		least = math.Max(least, i.Lower)
	}
	return least
}

// settled reports whether direction i can no longer be the maximum.
func (k *standing) settled(i int) bool { return k.known[i].Upper <= k.least() }

// spectral asks the spectrum of every direction, but for those whose losses have so few
// sums that they can be listed; done says that no direction that may be the worst one is
// left wide.
func (k *standing) spectral(ctx context.Context, delta, width float64) (done bool, err error) {
	left := make([]bool, len(k.directions))
	for i, d := range k.directions {
		if k.settled(i) {
			continue
		}
		evaluate := d.spectral
		if d.short() {
			evaluate = d.listed
		}
		e, done, err := evaluate(ctx, delta, width)
		if err != nil {
			return false, err
		}
		k.known[i] = k.known[i].meet(e)
		left[i] = !done
	}
	for i := range left {
		if left[i] && !k.settled(i) {
			return false, nil
		}
	}
	return true, nil
}

// fallBack bounds by Rényi divergences what is still wide, and from below by what any one
// release reveals.
func (k *standing) fallBack(delta, want float64) {
	for i, d := range k.directions {
		if k.settled(i) || k.known[i].near(k.least(), want) {
			continue
		}
		k.known[i] = d.fallBack(delta, "no composition of this stack came closer").meet(k.known[i])
	}
}

// exactly does without tilt and transform: it adds up the losses of the direction with the
// largest upper end one by one, and then of another, if that one has become the largest.
func (k *standing) exactly(ctx context.Context, delta, want float64) error {
	done := make([]bool, len(k.directions))
	for {
		worst := k.worst()
		if done[worst] || k.interval().narrow(want) {
			return nil
		}
		done[worst] = true
		e, err := k.directions[worst].exactly(ctx, delta, want, k.least(), k.known[worst])
		if err != nil {
			return err
		}
		k.known[worst] = e
	}
}

// worst is the direction with the largest upper end.
func (k *standing) worst() int {
	worst := 0
	for i := range k.known {
		if k.known[i].Upper > k.known[worst].Upper {
			worst = i
		}
	}
	return worst
}

// interval is that of the whole stack.
func (k *standing) interval() Interval {
	worst := k.worst()
	out := k.known[worst]
	out.Direction = k.directions[worst].name
	out.Estimate = out.Lower + (out.Upper-out.Lower)/3
	out.Lower = k.least()
	for _, d := range k.directions {
		out.Note = cmp.Or(d.note, out.Note)
	}
	return out
}
