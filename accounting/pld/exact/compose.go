package exact

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/pld/spectrum"
)

// work composes lists, within limits.
type work struct {
	fineness      float64 // cells to a deviation around the mean, wider in proportion farther out
	spare         float64 // P-mass that one release may lose at either end
	side          numeral.Side
	maxListedSums float64 // sums that are listed each by itself
	left          float64 // products that may still be formed; negative once it gave up
}

// newWork returns the work of an estimate of a composition: one from above is up, one from below down.
func newWork(fineness float64, side numeral.Side) *work {
	return &work{fineness: fineness, spare: leftOut, side: side, maxListedSums: maxListedSums, left: maxProducts}
}

// widest returns the largest width that cells of a list may have at a loss x.
func (w *work) widest(l list) func(x float64) float64 {
	deviation := math.Sqrt(l.variance)
	return func(x float64) float64 { return (deviation + math.Abs(x-l.mean)/3) / w.fineness }
}

// edges cuts an interval into cells for a list.
func (w *work) edges(l list, lo, hi float64) []float64 {
	widest := w.widest(l)
	out := []float64{lo}
	for k := 1; out[k-1] < hi && k <= maxPoints; k++ {
		next := math.Min(hi, out[k-1]+widest(out[k-1])) // a largest loss that has mass stays as it is
		out = append(out, math.Max(next, math.Nextafter(out[k-1], math.Inf(1))))
	}
	return append(out, math.Max(hi, math.Nextafter(out[len(out)-1], math.Inf(1))))
}

// release returns a single release as a list; false if it has too many losses.
func (w *work) release(d loss.Distribution) (list, bool) {
	out := list{top: d.Top}
	out.mean, out.variance = d.Moments()
	for _, a := range d.Atoms {
		out.loss, out.p = append(out.loss, a.Loss), append(out.p, math.Exp(a.LogP))
		out.err = math.Max(out.err, unit*(4+math.Abs(a.LogP)+d.Rounded)+d.Slack)
		out.moved = math.Max(out.moved, roundingUnits*unit*math.Abs(a.Loss))
	}
	for i := range d.Densities {
		cells, below, above, ok := d.Densities[i].Cells(context.Background(), w.widest(out), w.spare/4, maxPoints)
		if !ok || len(cells) == 0 {
			return out, false
		}
		out.top += above
		if w.side == numeral.Up {
			out.loss, out.p = append(out.loss, cells[0].Lo), append(out.p, below)
		}
		for _, c := range cells {
			out.moved = math.Max(out.moved, 2*c.Moved)
			if w.side == numeral.Up {
				out.split(c.Lo, c.Hi, c.PHigh, c.RiseHigh)
			} else {
				out.merge(c.Lo, c.PLow, c.RiseLow)
			}
		}
		out.err = math.Max(out.err, 8*unit)
	}
	sort.Sort(byLoss(out))
	out.unite(out.moved / 4)
	out = w.shorten(w.trim(out, 1))
	return out, len(out.p) > 0
}

// compose returns the composition of all releases, the lines with the fewest sums first.
func (w *work) compose(lines []spectrum.Line) (all list, ok bool) {
	lists := make([]list, len(lines))
	order := make([]int, len(lines))
	for i, l := range lines {
		if lists[i], ok = w.release(l.Loss); !ok {
			return all, false
		}
		order[i] = i
	}
	size := func(i int) float64 { return float64(len(lists[i].p)-1) * lines[i].Count }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(size(i), size(j)) })
	all = zeroLoss()
	for _, i := range order {
		if all, ok = w.times(all, w.power(lists[i], lines[i].Count)); !ok {
			return all, false
		}
		all = w.shorten(w.trim(all, lines[i].Count))
	}
	return all, w.left >= 0
}

// power composes copies of one release: by the binomial distribution if there are two losses and few
// sums of them, else by squaring.
func (w *work) power(l list, count float64) list {
	if len(l.p) == 2 && count < maxBinomialSums {
		return w.trim(binomial(l, count), count)
	}
	out, ok := zeroLoss(), true
	for done, copies := 0.0, 1.0; ; copies *= 2 {
		if left := (count - done) / copies; math.Mod(left, 2) == 1 {
			done += copies
			if out, ok = w.times(out, l); !ok {
				return out
			}
			out = w.trim(out, done)
		}
		if done >= count {
			return out
		}
		if l, ok = w.times(l, l); !ok {
			return out
		}
		l = w.trim(l, 2*copies)
	}
}
