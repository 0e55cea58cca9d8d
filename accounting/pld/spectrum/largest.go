package spectrum

import (
	"context"
	"math"
)

// nextToLargest returns the interval that follows from the largest possible sum of losses alone.
// Above that sum s, δ is the mass at +∞. And losses within t of the largest of every release, of
// P-mass p each, add up to at least s − K·t: δ(ε) ≥ p^K·(1 − e^{ε−s+Kt}) for every t. For δ far
// below p^K this suffices. The same holds for a stack whose rarest losses are taken for infinite
// above and left out below.
func (s Stack) nextToLargest(ctx context.Context, delta, width float64) (out Interval, err error) {
	out.Upper = math.Inf(1)
	if s.Square > 0 || len(s.Lines) > 64 {
		return out, nil
	}
	for _, tail := range []float64{0, 1e-9, 1e-6, 1e-3, 0.1} {
		short := s
		if tail > 0 {
			short.Lines = make([]Line, len(s.Lines))
			for i, l := range s.Lines {
				short.Lines[i] = Line{Loss: l.Loss.Truncate(tail * delta / s.releases()), Count: l.Count}
			}
		}
		if out, err = out.meet(short.atLargest(delta, s)); err != nil || out.Narrow(width) || ctx.Err() != nil {
			break
		}
	}
	return out, err
}

// largest returns the largest sum of the losses, +Inf if there is none, and its round-off.
func (s Stack) largest() (most, slack float64) {
	if s.Square > 0 {
		return math.Inf(1), 0
	}
	slack = care * unit
	for _, l := range s.Lines {
		one := l.Count * l.Loss.Largest()
		most += one
		slack += unit * (care*math.Abs(one) + math.Abs(most))
	}
	if math.IsNaN(most) {
		return math.Inf(1), 0
	}
	return most, slack
}

// atLargest returns the interval of [Stack.nextToLargest] for a stack that may be truncated;
// whole is the untruncated stack.
func (s Stack) atLargest(delta float64, whole Stack) Interval {
	out := Interval{Upper: math.Inf(1)}
	var failing, certain float64
	for i, l := range s.Lines {
		failing += l.Count * math.Log1p(-math.Min(1, l.Loss.Top))
		certain += l.Count * math.Log1p(-math.Min(1, whole.Lines[i].Loss.Top-whole.Lines[i].Loss.Feared))
	}
	most, slack := s.largest()
	if math.IsInf(most, 1) {
		return out
	}
	if -math.Expm1(failing)*(1+1e-9) <= delta {
		out.Upper = math.Max(0, most+slack)
	}
	goal := math.Log(delta + math.Expm1(certain)*(1-1e-9))
	tries := 24
	if most == 0 || s.releases() > 200 { // of many releases the atoms only
		tries = 1
	}
	t := 0.0
	for k := range tries {
		log, moved := 0.0, 0.0
		for _, l := range s.Lines {
			level := l.Loss.Largest() - t
			mass, _ := l.Loss.MassAbove(math.Nextafter(level, math.Inf(-1)))
			log += l.Count * math.Log(mass*(1-1e-9))
			moved += l.Count * t
		}
		share := math.Exp(goal - log*(1+1e-14) + care*unit)
		if lower := most - slack - moved*(1+1e-9) + math.Log1p(-share) - care*unit; share < 1 && lower > out.Lower {
			out.Lower = lower
		}
		t = math.Abs(most) * 1e-13 * math.Pow(3, float64(k))
	}
	out.Lower = math.Min(out.Lower, out.Upper)
	return out
}
