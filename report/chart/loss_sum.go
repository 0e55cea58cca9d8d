package chart

import (
	"context"
	"errors"
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
	"epsiloscope/report"
)

// lossSum is a sum of independent losses in one direction.
type lossSum struct {
	parts     []pairs.Part
	direction pld.Direction // which of two neighbours is D
	mean      float64       // of the loss on D: the sum of the KL divergences
	exact     bool          // all of it is Gaussian noise
}

// lossOf returns the loss of a stack in the direction with the larger mean.
func lossOf(ctx context.Context, stack []accounting.Entry) (*lossSum, error) {
	l := &lossSum{exact: true}
	for _, e := range stack {
		pair, err := e.Release.Pair()
		if err != nil {
			return nil, fmt.Errorf("%s: only a bound on its loss is known, not the loss: %w", e.Release.Name(), err)
		}
		if pair.Remove == nil || pair.Add == nil {
			return nil, fmt.Errorf("%s: its loss is not known", e.Release.Name())
		}
		if mean := math.Max(pair.Remove.Renyi(1), pair.Add.Renyi(1)); math.IsInf(mean, 0) || math.IsNaN(mean) {
			return nil, fmt.Errorf("%s: its loss may be infinite, and then there is no curve to draw", e.Release.Name())
		}
		_, gaussian := e.Release.Gaussian()
		l.exact = l.exact && gaussian == nil
	}
	parts, err := accounting.Parts(ctx, stack)
	if err != nil || len(parts) == 0 {
		return nil, errors.Join(errors.New("nothing is released"), err)
	}
	l.parts = parts
	var means [2]float64
	for _, p := range parts {
		means[0] += p.Count * p.Pair.Remove.Renyi(1)
		means[1] += p.Count * p.Pair.Add.Renyi(1)
	}
	if l.mean = means[0]; means[1] > means[0]*(1+1e-12) {
		l.direction, l.mean = pld.WithoutRecord, means[1]
	}
	return l, nil
}

// curves returns the densities on D and on D′ at n points from −end to end, and the part of δ at
// every loss beyond ε. A loss L on D is the loss −L of D′ against D, and e^L times as likely
// there: so each density is computed where its losses are positive, where the tilt is accurate. Below `least` no point
// is drawn.
func (l *lossSum) curves(ctx context.Context, end, at, least float64, n int) (here, there, beyond Series, err error) {
	here = Series{Name: "on D", Pair: true}
	there = Series{Name: "on D′", Broken: true, Pair: true}
	beyond = Series{Name: "δ beyond ε", Step: true, Faint: true, Area: true}
	n = max(n/2, 8)
	step := end / float64(n)
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = (float64(i) + 0.5) * step
	}
	rare := 1e-6 * least // a density is the tail's probability times a rate
	own, err := pld.Density(ctx, l.parts, l.direction, xs, step, rare)
	if err != nil {
		return here, there, beyond, err
	}
	other, err := pld.Density(ctx, l.parts, pld.WithoutRecord-l.direction, xs, step, rare)
	if err != nil {
		return here, there, beyond, err
	}
	largest := pairs.LargestLoss(l.parts) // beyond which there is the smoothing only
	for i := -n; i < n; i++ {
		x := (float64(i) + 0.5) * step
		p, q := 0.0, 0.0
		if i >= 0 {
			p, q = own[i], own[i]*math.Exp(-x)
		} else {
			p, q = other[-1-i]*math.Exp(x), other[-1-i]
		}
		here.X, here.Y = append(here.X, x), append(here.Y, gapIfTiny(p))
		there.X, there.Y = append(there.X, x), append(there.Y, gapIfTiny(q))
		if d := p * -math.Expm1(at-x); x > at && at < largest*(1-1e-9) && !math.IsNaN(gapIfTiny(d)) {
			beyond.X, beyond.Y = append(beyond.X, x), append(beyond.Y, d)
		}
	}
	return here, there, beyond, nil
}

// gapIfTiny returns x, or a gap if x is too small to be drawn.
func gapIfTiny(x float64) float64 {
	if !(x > 1e-300) {
		return unset
	}
	return x
}

// notes returns notes with the mean and certified, or exact, probabilities of the loss.
func (l *lossSum) notes(ctx context.Context, at float64, by accounting.Method) ([]string, error) {
	mean, how := l.mean, "the curves are drawn, not certified"
	var above, delta float64
	switch {
	case l.exact:
		how = "Gaussian noise: both curves are normal, exactly"
		mu := math.Sqrt(2 * mean)
		above, delta = special.NormalCDF(mu/2-at/mu), accounting.GaussianToDelta(mu, at)
	case at < pairs.LargestLoss(l.parts)*(1-1e-9):
		var err error
		if _, delta, err = pld.DeltaAt(ctx, l.parts, at, pld.Options{}); err != nil {
			return nil, err
		}
		var unknown *pld.UnsupportedError
		if _, above, err = pld.TailProbability(ctx, l.parts, l.direction, at, pld.Options{}); errors.As(err, &unknown) {
			above, how = delta, "the curves are drawn after a pessimistic estimate, not certified"
		} else if err != nil {
			return nil, err
		}
	}
	way := "with the record"
	if l.direction == pld.WithoutRecord {
		way = "without the record"
	}
	about := "mean loss " + report.Short(mean) + "; "
	if math.IsInf(mean, 0) { // the pessimistic estimate has an infinite loss, even if the loss itself has none
		about = ""
	}
	if above <= delta && delta > 0 { // not known
		return []string{
			fmt.Sprintf("%sat ε = %s (%s) δ is at most %s", about, report.Upper(at), by.Name(), report.FormatGiven(delta)),
			"D is the data " + way + "; " + how,
		}, nil
	}
	return []string{
		fmt.Sprintf("%sthe loss exceeds ε = %s (%s) with probability %s", about, report.Upper(at), by.Name(), report.FormatGiven(above)),
		fmt.Sprintf("δ is the part of that in excess of ε, %s", report.FormatGiven(delta)),
		"D is the data " + way + "; " + how,
	}, nil
}
