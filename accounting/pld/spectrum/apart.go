package spectrum

import (
	"math"
	"strconv"

	"epsiloscope/accounting/pld/loss"
	"epsiloscope/accounting/special"
)

// cut takes the rarest losses of every line apart: the parts are the releases without rare
// losses, and what these add. ok is false if there are none, or if they are not rare.
func (s *truncated) cut(tail float64) (parts []*truncated, ok bool) {
	if tail > 0.2 {
		return nil, false
	}
	tail = floorPower(tail, 1)
	core, rest := *s, *s
	core.lines, rest.lines, rest.apart = make([]line, len(s.lines)), make([]line, len(s.lines)), true
	for i, l := range s.lines {
		if s.ctx.Err() != nil {
			return nil, false
		}
		rest.lines[i] = getOrCompute(s.ctx, s.cache, keyOf(l.key, keyParted, tail), func() (line, int) {
			below, above := l.Cut(tail)
			var out line
			if above.P > 0 {
				out.rare = &rareLoss{above, above.Of.Coarse()}
			}
			bytes := 0
			out.outlined, bytes = outline(below, l.key+"<"+strconv.FormatFloat(tail, 'x', -1, 64))
			return out, 2 * bytes
		})
		rest.lines[i].count = l.count
		core.lines[i] = line{outlined: rest.lines[i].outlined, count: l.count}
		ok = ok || rest.lines[i].rare != nil
	}
	return []*truncated{&core, &rest}, ok
}

// rareLoss holds the losses above the cut of one loss, and a coarse rule for them.
type rareLoss struct {
	loss.Part
	coarse loss.Rule
}

// estimate returns ln δ(ε) by the saddle point, and its tilt. It steers only.
func (s *truncated) estimate(epsilon float64) (log, theta float64) {
	theta, ok := s.tilt(aim(0, epsilon, 1, 0))
	if !ok || theta > 1e10 {
		return math.Inf(-1), theta
	}
	log, _, variance := s.outline(theta)
	return log - theta*epsilon - logSize(theta, variance), theta
}

// sharesAt returns approximately what the parts contribute to δ(ε), in units of the largest contribution.
func sharesAt(parts []*truncated, epsilon float64) []float64 {
	most, shares := math.Inf(-1), make([]float64, len(parts))
	for i, p := range parts {
		shares[i], _ = p.estimate(epsilon)
		most = math.Max(most, shares[i])
	}
	for i := range shares {
		shares[i] = math.Exp(shares[i] - most)
	}
	return shares
}

// guess returns approximately the ε at which the estimates add up to e^{goal}.
func guess(parts []*truncated, goal float64, known Interval) float64 {
	above := func(logE float64) bool {
		log := math.Inf(-1)
		for _, p := range parts {
			one, _ := p.estimate(math.Exp(logE))
			log = special.LogAdd(log, one)
		}
		return log > goal
	}
	lo, hi := math.Log(math.Max(1e-9, known.Lower)), math.Log(known.Upper)
	if math.IsInf(hi, 1) {
		for hi = math.Max(lo, -14) + math.Ln2; hi < 20 && above(hi); hi += math.Ln2 {
			lo = hi
		}
	}
	lo, hi = special.Bisect(lo, hi, 1e-3, above)
	return math.Exp((lo + hi) / 2)
}
