package labs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
	"epsiloscope/scenarios"
)

// trial is a run in progress.
type trial struct {
	ctx      context.Context
	values   param.Values
	seed     uint64
	progress func(float64)
	out      *Outcome
	// transcript is nil outside tests.
	transcript *transcript
}

func (s *trial) number(name string) float64 { return s.values[name].Number }
func (s *trial) whole(name string) int      { return int(s.values[name].Number) }
func (s *trial) choice(name string) string  { return s.values[name].Text }

// rand returns an independent stream: two uses of one run never share their numbers.
func (s *trial) rand(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(s.seed, 0x9e3779b97f4a7c15*(stream+1)))
}

// reportProgress reports the fraction done, at most about a thousand times, and ends the run if its context has ended.
func (s *trial) reportProgress(done, total int) {
	if every := total >> 10; every > 1 && done%every != 0 {
		return
	}
	if s.progress != nil && total > 0 {
		s.progress(float64(done) / float64(total))
	}
	must(0, s.ctx.Err())
}

// stopped is the panic of a run that ends early; [Run] turns it into its error.
type stopped struct{ err error }

// must returns v; if err is not nil, it ends the run with it.
func must[T any](v T, err error) T {
	if err != nil {
		panic(stopped{err})
	}
	return v
}

func (s *trial) addFigure(name string, value float64, note string) {
	s.out.Figures = append(s.out.Figures, Figure{Name: name, Value: value, Note: note})
}

// addUpperBound adds a figure that bounds something from above, such as a privacy cost: it is rounded up wherever it is
// written.
func (s *trial) addUpperBound(name string, value float64, note string) {
	s.out.Figures = append(s.out.Figures, Figure{name, value, note, true})
}

func (s *trial) addSentence(format string, args ...any) {
	s.out.Says = append(s.out.Says, fmt.Sprintf(format, args...))
}

// addChart adds a chart. Readings of an axis of ε or δ are rounded up.
func (s *trial) addChart(c chart.Chart) {
	c.Y.Upper = c.Y.Label == "ε" || c.Y.Label == "δ"
	s.out.Charts = append(s.out.Charts, c)
}

func (s *trial) addTable(t Table) { s.out.Tables = append(s.out.Tables, t) }

func (s *trial) spendLaplace(label string, m mechanisms.Laplace, count float64) {
	values := epsilonValue(m.Epsilon)
	values["sensitivity"] = param.NumberValue(m.Sensitivity)
	s.spend(label, "laplace", values, count)
}

func (s *trial) spend(label, mechanism string, values param.Values, count float64) {
	s.out.Stack = append(s.out.Stack, scenarios.Entry{Mechanism: mechanism, Label: label, Count: math.Max(1, count),
		Sampling: 1, Values: values})
}

// refuseGuarantee declares that no ε covers the run, and why.
func (s *trial) refuseGuarantee(format string, args ...any) {
	s.out.NoGuarantee = fmt.Sprintf(format, args...)
}

// addLeak adds an attack on what was run, unless its δ is not positive: such an event shows nothing.
func (s *trial) addLeak(l Leak) {
	if l.Delta > 0 {
		s.out.Leaks = append(s.out.Leaks, l)
	}
}

// attackNoisyValue returns the attack on one number with noise: whether it lies above the middle of its values on two
// neighbours, which are shift apart.
func attackNoisyValue(event string, noise mechanisms.Noise, shift float64) Leak {
	return Leak{event, 0, noise.CDF(shift/2) - noise.CDF(-shift/2), 0}
}

// attackThreshold returns the attack on one comparison with a noisy threshold: whether a query is answered ⊤ that lies
// half of shift above the threshold on one neighbour and half of it below on the other.
func attackThreshold(thresholdScale, queryScale, shift float64) Leak {
	// P[Q − T ≥ t] for t ≥ 0, Laplace noise Q of scale b and T of scale a: (b²e^(−t/b) − a²e^(−t/a))/(2(b² − a²)).
	a, b, t := thresholdScale, queryScale, shift/2
	tail := (b*b*math.Exp(-t/b) - a*a*math.Exp(-t/a)) / (2 * (b*b - a*a))
	return Leak{"one query answered ⊤ that is above its threshold on D and below it on a neighbour", 0, 1 - 2*tail, 0}
}

// recordDerivedValue records that the run used x for a parameter, not the value given.
func (s *trial) recordDerivedValue(name string, x float64) {
	if s.out.derived == nil {
		s.out.derived = map[string]float64{}
	}
	s.out.derived[name] = x
}

// text returns a number for a sentence: four significant digits, whole numbers whole.
func text(x float64) string {
	if x == float64(int64(x)) && x > -1e9 && x < 1e9 {
		return strconv.FormatInt(int64(x), 10)
	}
	return numeral.Format(numeral.Round(x, 4))
}

// upperText returns an upper bound for a sentence: like [text], but rounded up.
func upperText(x float64) string {
	if !(x > 0) || math.IsInf(x, 1) || x == math.Trunc(x) {
		return text(x)
	}
	return numeral.Format(numeral.RoundUp(x, 4))
}

// quantile returns a quantile of a sample, by the nearest rank above.
func quantile(xs []float64, p float64) float64 {
	return stat.Quantile(p, stat.Empirical, slices.Sorted(slices.Values(xs)), nil)
}

// histogram counts a sample as a density over equal bins in [lo, hi].
func histogram(xs []float64, lo, hi float64, bins int) (centres, density []float64) {
	width := (hi - lo) / float64(bins)
	centres, density = spread(lo+width/2, hi-width/2, bins), make([]float64, bins)
	for _, x := range xs {
		if i := int(math.Floor((x - lo) / width)); i >= 0 && i < bins {
			density[i] += 1 / (float64(len(xs)) * width)
		}
	}
	return centres, density
}

// spread returns n points from lo to hi, evenly spaced; logSpread in the logarithm.
func spread(lo, hi float64, n int) []float64    { return floats.Span(make([]float64, n), lo, hi) }
func logSpread(lo, hi float64, n int) []float64 { return floats.LogSpan(make([]float64, n), lo, hi) }

func mapEach(xs []float64, f func(float64) float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}
