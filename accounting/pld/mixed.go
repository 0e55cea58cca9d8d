package pld

import (
	"context"
	"math"
	"slices"

	"epsiloscope/accounting/pld/fft"
)

// maxCommon is the longest transform of the common grid: there are two per line.
const maxCommon = 1 << 18

// mixed composes each line on its own grid, where its atoms lie, and all lines on one
// common grid: the cost of moving is per line, not per release.
func (a *Accountant) mixed(ctx context.Context, d direction, s setting) (pairOfEnds, error) {
	w := s.window(34, 0)
	if !w.sound() {
		return pairOfEnds{}, outOfRange()
	}
	if out, done, err := a.blended(ctx, d, s, w, false); done || err != nil {
		return out, err
	}
	for fft.Length((w.hi-w.lo)/s.common+8) > maxCommon {
		s.common *= 1.2
	}
	out, _, err := a.blended(ctx, d, s, w, true)
	return out, err
}

// blended composes all lines on one common grid: through their few frequencies, if they
// suffice, else, if that is wanted, by transforms of the whole window.
func (a *Accountant) blended(ctx context.Context, d direction, s setting, w window, whole bool) (pairOfEnds, bool, error) {
	if !((w.hi-w.lo)/s.common < longest) {
		return pairOfEnds{}, false, nil
	}
	n := fft.Length((w.hi-w.lo)/s.common + 8)
	whole = whole || n <= maxCommon
	if !whole && len(d.lines) < fewLines {
		return pairOfEnds{}, false, nil
	}
	out := pairOfEnds{length: n, step: s.common, full: n >= maxCommon}
	for _, upper := range [2]bool{true, false} {
		shares := make([]*share, len(d.lines))
		lost, void, mean := 0.0, false, 0.0
		for i := range d.lines {
			if err := ctx.Err(); err != nil {
				return pairOfEnds{}, false, err
			}
			sh, err := a.shareFor(d.lines[i], s.outline.lines[i], s, upper)
			if err != nil {
				return pairOfEnds{}, false, err
			}
			shares[i] = sh
			void = void || sh.void
			lost += math.Log1p(-math.Min(sh.lost, 1))
			mean += sh.mean
		}
		if void && upper {
			return pairOfEnds{}, false, outOfRange()
		} else if void {
			out.low = vacuum{}
			break
		}
		lost = -math.Expm1(lost)
		around := w.moved(1, s.outline.total.mean, mean)
		var c composition
		ok := false
		if n >= longEnough {
			c, ok = blend(shares, s.common, around)
		}
		switch {
		case ok:
			out.full = false
		case whole:
			c = multiply(shares, s.common, around, n)
		default:
			return pairOfEnds{}, false, nil
		}
		if upper {
			out.up, out.lostUp = c, lost
		} else {
			out.low, out.lostLow = c, lost
		}
	}
	return out, true, nil
}

// longest is the number of points of the common grid that a line may be listed on.
const longest = 1 << 22

// longEnough is the length from which transforms of the whole window are avoided if
// possible, fewLines the number of lines below which it is not tried in vain.
const (
	longEnough = 1 << 12
	fewLines   = 8
)

// multiply composes shares on the common grid.
func multiply(shares []*share, step float64, w window, n int) composed {
	origin := 0.0
	for _, sh := range shares {
		origin += sh.origin
	}
	first := math.Floor((w.lo-origin)/step) - 1
	c := composed{start: origin + first*step, step: step}
	logAbove := outsideAll(shares, c.start+float64(n)*step, w.sUp)
	logBelow := outsideAll(shares, c.start-step/2, w.sDown)
	least, most := 0.0, 0.0 // indices between which all masses proper lie
	for _, sh := range shares {
		least += float64(sh.index[0])
		most += float64(sh.index[len(sh.index)-1])
	}
	if least >= first {
		logBelow = math.Inf(-1)
	}
	if most < first+float64(n) {
		logAbove = math.Inf(-1)
	}
	eta, noise := fft.Error(n), 0.0
	keep := len(shares)*n <= maxKept
	product := slices.Clone(shares[0].transform(n, keep))
	for i, sh := range shares {
		c.log += sh.log
		c.relative += sh.relative
		noise += 1.01 * sh.noise
		c.err += 1.01 * eta * math.Sqrt(sh.square)
		if i == 0 {
			continue
		}
		for k, b := range sh.transform(n, keep) {
			product[k] *= b
		}
	}
	var sum1, sum2 float64
	for _, b := range product {
		g := real(b)*real(b) + imag(b)*imag(b)
		sum2 += 2 * g
		sum1 += 2 * math.Sqrt(g)
	}
	c.err += 4*ulp*float64(len(shares))*sum1/float64(n) + eta*math.Sqrt(sum2/float64(n)) + ulp
	// Chernoff's bound holds for the masses proper; what stands for round-off may lie
	// anywhere.
	c.above, c.below = math.Exp(logAbove)+noise, math.Exp(logBelow)+noise
	y := fft.For(n).Inverse(product)
	offset := wrap(first, n)
	c.p = append(y[offset:], y[:offset]...)
	return c
}

// vacuum is a lower end that has lost all its mass: it claims nothing.
type vacuum struct{}

func (vacuum) root(_, delta, extra float64, _ bool) (float64, bool) {
	return math.Inf(1), delta <= extra
}
func (vacuum) curve(_, _ float64, _ bool) float64           { return 0 }
func (vacuum) logWeight(float64) float64                    { return math.Inf(-1) }
func (vacuum) errors(_, _ float64) (wrap, roundoff float64) { return 0, 0 }
