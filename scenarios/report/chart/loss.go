package chart

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"

	"epsiloscope/accounting"
	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/special"
	"epsiloscope/scenarios"
	"epsiloscope/scenarios/report"
	"epsiloscope/scenarios/report/curve"
)

// Loss is the distribution of the privacy loss of the whole stack: the density of
// L = ln(P[output on D]/P[output on D′]) when the output is drawn on D and when it is
// drawn on D′, with ε and the part of δ that each loss beyond it makes up. It is there
// to be looked at: the figures of ε come from the accountants.
func Loss(ctx context.Context, s *scenarios.Scenario, opt Options) (Chart, error) {
	stack, err := curve.Stack(s)
	if err != nil {
		return Chart{}, err
	}
	l, err := lossOf(stack)
	if err != nil {
		return Chart{}, err
	}
	at, by := lossEpsilon(ctx, stack, opt, opt.target(s))
	if err := ctx.Err(); err != nil {
		return Chart{}, err
	}
	if !(at < math.Inf(1)) {
		return Chart{}, fmt.Errorf("no theorem gives a finite ε here, so there is no loss to mark it in")
	}
	least := leastOfInterest(s.Budget.Delta)
	end := math.Max(1.15*at, lossEnd(stack, least))
	step := 4 * end / lossPoints
	if at > step { // a point of the grid, as a pure release has its loss there
		step = at / math.Floor(at/step)
	}
	masses := l.compose(step)
	here, there, beyond := lossCurves(masses, step, end, at, 4*opt.points())
	c := Chart{
		Title:  "the privacy loss of the whole stack",
		X:      Axis{Label: "privacy loss L", Min: -end, Max: end},
		Y:      Axis{Label: "density", Log: true, Min: least, Max: unset},
		Series: []Series{here, there, beyond},
		Marks:  []Mark{{X: at, Y: unset, Label: "ε = " + report.Upper(at)}},
		Notes:  l.notes(masses, step, at, by),
		Read:   at,
	}
	return c, nil
}

// lossEpsilon is the ε to mark: the numerical one if it is asked for, else the smallest
// closed one.
func lossEpsilon(ctx context.Context, stack []accounting.Entry, opt Options, target accounting.Target) (float64, accounting.Method) {
	if opt.Numerical {
		if b := accounting.Evaluate(ctx, accounting.Numerical, stack, target); b.Status == accounting.Valid {
			return b.Epsilon, b.Method
		}
	}
	bounds := accounting.Closed(stack, target)
	if i := accounting.Best(bounds); i >= 0 {
		return bounds[i].Epsilon, bounds[i].Method
	}
	return math.Inf(1), ""
}

// lossEnd is a loss that is exceeded hardly ever.
func lossEnd(stack []accounting.Entry, least float64) float64 {
	bounds := accounting.Closed(stack, accounting.Target{Delta: least})
	if i := accounting.Best(bounds); i >= 0 {
		return bounds[i].Epsilon
	}
	return 0
}

// lossSum is a sum of independent losses in one direction.
type lossSum struct {
	parts []lossPart
	exact bool   // all of it is normal
	way   string // which of two neighbours is D
}

type lossPart struct {
	pld.Loss
	count, mean float64 // mean of one loss on D, the KL divergence
	normal      bool    // N(mean, 2·mean) exactly: Gaussian noise
}

// lossOf takes the direction with the larger mean, which tells more.
func lossOf(stack []accounting.Entry) (*lossSum, error) {
	remove, add := &lossSum{exact: true, way: "with the record"}, &lossSum{exact: true, way: "without the record"}
	sums := [2]float64{}
	for _, e := range stack {
		pair, err := e.Release.Pair()
		if err != nil {
			return nil, fmt.Errorf("%s: only a bound on its loss is known, not the loss: %w", e.Release.Name(), err)
		}
		if pair.Remove == nil || pair.Add == nil {
			return nil, fmt.Errorf("%s: its loss is not known", e.Release.Name())
		}
		_, gaussian := e.Release.Gaussian()
		for i, d := range []*lossSum{remove, add} {
			loss := []pld.Loss{pair.Remove, pair.Add}[i]
			mean := loss.Renyi(1)
			if math.IsInf(mean, 0) || math.IsNaN(mean) {
				return nil, fmt.Errorf("%s: the loss may be infinite, and its mean is", e.Release.Name())
			}
			d.parts = append(d.parts, lossPart{loss, e.Count, mean, gaussian == nil})
			d.exact = d.exact && gaussian == nil
			sums[i] += e.Count * mean
		}
	}
	if len(remove.parts) == 0 {
		return nil, fmt.Errorf("nothing is released")
	}
	if sums[1] > sums[0]*(1+1e-12) {
		return add, nil
	}
	return remove, nil
}

// lossPoints is the size of the grid on which losses are added up.
const lossPoints = 1 << 13

// compose is the probability on D of each loss on a grid with 0 in its middle: the
// product of the parts' transforms, each raised to its count.
func (l *lossSum) compose(step float64) (masses []float64) {
	fft := fourier.NewFFT(lossPoints)
	total := make([]complex128, lossPoints/2+1)
	for k := range total {
		total[k] = 1
	}
	for _, p := range l.parts {
		var of func(k int) complex128
		if p.normal || math.Sqrt(2*p.mean) < 4*step { // exact, or so many so small that the sum is normal
			of = func(k int) complex128 {
				w := 2 * math.Pi * float64(k) / (lossPoints * step)
				return cmplx.Exp(complex(-p.count*p.mean*w*w, -p.count*p.mean*w))
			}
		} else {
			once := fft.Coefficients(nil, dotted(p.Loss, step))
			of = func(k int) complex128 { return cmplx.Pow(once[k], complex(p.count, 0)) }
		}
		for k := range total {
			total[k] *= of(k)
		}
	}
	circle := fft.Sequence(nil, total)
	masses = make([]float64, lossPoints)
	for i := range masses {
		masses[i] = math.Max(0, circle[(i+lossPoints/2)%lossPoints]/lossPoints)
	}
	return masses
}

// dotted puts one loss on the grid around 0 so that δ(ε) is exact at every point
// (Doroshenko et al. 2022, connecting the dots), index 0 being the loss 0.
func dotted(loss pld.Loss, step float64) []float64 {
	masses := make([]float64, lossPoints)
	delta := func(i int) float64 { return math.Exp(loss.LogDelta(float64(i) * step)) }
	// The slope of δ against e^ε is minus the probability on D′ of a larger loss.
	before, here := delta(-lossPoints/2-1), delta(-lossPoints/2)
	slope := (before - here) / (math.Exp(-lossPoints/2*step) * -math.Expm1(-step))
	for i := -lossPoints / 2; i < lossPoints/2; i++ {
		x := math.Exp(float64(i) * step)
		after := delta(i + 1)
		next := (here - after) / (x * math.Expm1(step))
		if m := x * (slope - next); m > 4e-15/step { // less is round-off
			masses[(i+lossPoints)%lossPoints] = m
		}
		here, slope = after, next
	}
	return masses
}

// lossCurves are the densities on D and on D′ over n points from −end to end, and the
// part of δ at every loss beyond ε.
func lossCurves(masses []float64, step, end, at float64, n int) (here, there, beyond Series) {
	here = Series{Name: "on D"}
	there = Series{Name: "on D′", Broken: true}
	beyond = Series{Name: "δ beyond ε", Step: true, Faint: true}
	per := max(1, int(2*end/step/float64(n)))
	for from := 0; from+per <= len(masses); from += per {
		x := (float64(from-len(masses)/2) + float64(per-1)/2) * step
		if x < -end || x > end {
			continue
		}
		p, q, d := 0.0, 0.0, 0.0
		for i := from; i < from+per; i++ {
			loss := float64(i-len(masses)/2) * step
			p += masses[i]
			q += masses[i] * math.Exp(-loss)
			d += masses[i] * math.Max(0, -math.Expm1(at-loss))
		}
		width := float64(per) * step
		here.X, here.Y = append(here.X, x), append(here.Y, visible(p/width))
		there.X, there.Y = append(there.X, x), append(there.Y, visible(q/width))
		if x > at && !math.IsNaN(visible(d/width)) {
			beyond.X, beyond.Y = append(beyond.X, x), append(beyond.Y, d/width)
		}
	}
	return here, there, beyond
}

// visible is a density above the round-off of the transforms.
func visible(x float64) float64 {
	if x < 1e-13 {
		return unset
	}
	return x
}

// notes reads the figures off the masses.
func (l *lossSum) notes(masses []float64, step, at float64, by accounting.Method) []string {
	mean, above, delta := 0.0, 0.0, 0.0
	for i, m := range masses {
		loss := float64(i-len(masses)/2) * step
		mean += m * loss
		if loss > at+step/4 {
			above += m
			delta += m * -math.Expm1(at-loss)
		}
	}
	how := "an approximation on a grid, to look at and not a bound"
	if l.exact {
		how = "Gaussian noise: both curves are normal, exactly"
		mean = 0
		for _, p := range l.parts {
			mean += p.count * p.mean
		}
		mu := math.Sqrt(2 * mean)
		above, delta = special.NormalCDF(mu/2-at/mu), accounting.GaussianToDelta(mu, at)
	} else if above < 1e-12 { // round-off
		above, delta = 0, 0
	}
	return []string{
		fmt.Sprintf("mean loss %s; it exceeds ε = %s (%s) with probability %s", report.Short(mean), report.Upper(at), by.Name(), report.Short(above)),
		fmt.Sprintf("δ is the part of that in excess of ε, %s", report.Short(delta)),
		"D is the data " + l.way + "; " + how,
	}
}
