package labs

import (
	"math"
	"math/cmplx"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// composition: the privacy loss of K releases is a random walk; theorems differ in
// how much of its distribution they use.
var composition = Lab{
	Name: "composition", Title: "The privacy loss as a random walk", Decks: "Gaboardi, Bellet",
	Summary:   "the loss of K releases: sampled histogram, exact distribution, and where each theorem puts ε",
	Adjacency: mechanisms.Replace, Unit: "person",
	Params: []param.Param{
		choice("mechanism", "what is released", "laplace", "randomized-response", "gaussian"),
		number("epsilon", "ε₀", "loss of one release (Gaussian: its μ)", 0.1, 1e-3, 5),
		whole("count", "K", "releases", 100, 8, 10_000),
		number("delta", "δ", "total δ", 1e-6, 1e-30, 0.4),
		whole("samples", "", "simulated runs", 20_000, 100, 500_000),
	},
	run: runComposition,
}

// walk is a kind of loss: how to draw it, and its characteristic function.
type walk struct {
	draw     func(*rand.Rand) float64
	phi      func(t float64) complex128
	mean, sd float64
	// atom is the probability of i steps down out of K, for a walk on a lattice of
	// step 2ε whose top is Kε; nil for a walk with a density.
	atom    func(k, i int) float64
	release accounting.Release
	item    param.Values
}

func walkOf(kind string, e float64) walk {
	expi := func(x float64) complex128 { return cmplx.Exp(complex(0, x)) }
	switch kind {
	case "randomized-response":
		m := mechanisms.RandomizedResponse{Epsilon: e, Categories: 2}
		p := m.Truth()
		return walk{
			draw: func(r *rand.Rand) float64 {
				if r.Float64() < p {
					return e
				}
				return -e
			},
			phi: func(t float64) complex128 { return complex(p, 0)*expi(t*e) + complex(1-p, 0)*expi(-t*e) },
			atom: func(k, i int) float64 {
				return math.Exp(special.LogBinomial(float64(k-i), float64(k), p))
			},
			mean: (2*p - 1) * e, sd: 2 * e * math.Sqrt(p*(1-p)),
			release: m.Releases(1)[0].Release, item: epsilonValue(e),
		}
	case "gaussian":
		g := mechanisms.Gaussian{Sigma: 1 / e, Sensitivity: 1}
		noise := g.Noise()
		return walk{
			// The loss of an output x = noise is (μ² − 2μ·x/σ)/2.
			draw:    func(r *rand.Rand) float64 { return e*e/2 - e*e*noise.Rand(r) },
			phi:     func(t float64) complex128 { return cmplx.Exp(complex(-t*t*e*e/2, t*e*e/2)) },
			mean:    e * e / 2,
			sd:      e,
			release: g.Releases(1)[0].Release,
			item:    param.Values{"sigma": param.NumberValue(g.Sigma)},
		}
	}
	m := mechanisms.Laplace{Epsilon: e, Sensitivity: 1}
	noise, b := m.Noise(), m.Scale()
	second := 0.5*e*e*(1+math.Exp(-e)) + 0.5*((e*e-4*e+8)-math.Exp(-e)*(e*e+4*e+8))
	mean := e + math.Expm1(-e)
	return walk{
		draw: func(r *rand.Rand) float64 {
			x := noise.Rand(r)
			return (math.Abs(x-1) - math.Abs(x)) / b
		},
		phi: func(t float64) complex128 {
			// Atoms ½ at ε and ½e^{−ε} at −ε, and density ¼e^{−(ε−L)/2} between.
			z := complex(0.5, t)
			between := complex(0.25*math.Exp(-e/2), 0) * (cmplx.Exp(z*complex(e, 0)) - cmplx.Exp(-z*complex(e, 0))) / z
			return 0.5*expi(t*e) + complex(0.5*math.Exp(-e), 0)*expi(-t*e) + between
		},
		mean: mean, sd: math.Sqrt(math.Max(0, second-mean*mean)),
		release: m.Releases(1)[0].Release, item: epsilonValue(e),
	}
}

func runComposition(s *trial) {
	k, n := s.whole("count"), s.whole("samples")
	w := walkOf(s.choice("mechanism"), s.number("epsilon"))
	r := s.rand(0)
	losses := make([]float64, n)
	e := s.number("epsilon")
	s.startSequence(Sequence{Columns: []string{"loss so far", "sum of ε", "advanced", "this loss"}, CurveCount: 3})
	for i := range losses {
		s.reportProgress(i, n)
		for at := range k {
			loss := w.draw(r)
			losses[i] += loss
			if i == 0 && s.keepsSteps() {
				s.addLossStep(float64(at+1), loss, losses[0], e)
			}
		}
	}
	mean, sd := w.mean*float64(k), w.sd*math.Sqrt(float64(k))
	seenMean, seenSD := stat.MeanStdDev(losses, nil)
	s.addFigure("mean loss", seenMean, "theory: "+text(mean))
	s.addFigure("deviation", seenSD, "theory: "+text(sd))

	lo, hi, bins := mean-5*sd, mean+5*sd, 60
	if s.choice("mechanism") == "randomized-response" {
		// The sums are 2ε apart: every bin holds the same number of them.
		step := 2 * s.number("epsilon")
		per := math.Max(1, math.Ceil((hi-lo)/step/60))
		bins = max(2, int((hi-lo)/(per*step)))
		lo = -float64(k)*s.number("epsilon") - step/2 + step*math.Floor((lo+float64(k)*s.number("epsilon"))/step)
		hi = lo + float64(bins)*per*step
	}
	xs, density := histogram(losses, lo, hi, bins)
	exact := w.histogram(k, lo, hi, bins, s.number("epsilon"))
	normal := mapEach(xs, func(x float64) float64 { return special.NormalPDF((x-mean)/sd) / sd })
	s.addChart(chart.Chart{Title: "Privacy loss of K releases", X: chart.Axis{Label: "loss"}, Y: chart.Axis{Label: "density"},
		Series: []chart.Series{{Name: "simulated", X: xs, Y: density, Step: true}, {Name: "exact", X: xs, Y: exact},
			{Name: "normal", X: xs, Y: normal, Faint: true}},
		Marks: s.listTheorems(w, k)})
	s.addSentence("The walk ends near %s ± %s.", text(mean), text(sd))
	if basic := s.out.Tables[0].Rows[0]; basic.Label == accounting.Basic.Name() {
		s.addSentence("Basic composition gives %s.", upperText(basic.Values[0]))
	}
	s.addSentence("ε holds at δ exactly if E[(1 − e^{ε−L})₊] ≤ δ. P(L > ε) ≤ δ is sufficient, not necessary: it is the larger of the two.")
	s.addLeak(lossLeak(losses, mean+sd))
	s.spend("releases", s.choice("mechanism"), w.item, float64(k))
}

// lossLeak returns the event that an output has a loss above epsilon, from losses sampled on D: (1 − e^{ε−L})₊ on
// average.
func lossLeak(losses []float64, epsilon float64) Leak {
	over := mapEach(losses, func(loss float64) float64 { return math.Max(0, -math.Expm1(epsilon-loss)) })
	mean, dev := stat.MeanStdDev(over, nil)
	return Leak{"all outputs whose loss is above ε", epsilon, mean, dev / math.Sqrt(float64(len(losses)))}
}

// addLossStep keeps release number at of the first simulated run.
func (s *trial) addLossStep(at, loss, total, epsilon float64) {
	sum, advanced := at*epsilon, accounting.AdvancedEpsilon(epsilon, s.number("delta"), at)
	likelier := "D"
	if loss < 0 {
		likelier = "D′"
	}
	if s.choice("mechanism") == "gaussian" { // no pure ε to add up
		sum, advanced = math.NaN(), math.NaN()
	}
	s.addStep(false, []float64{total, sum, advanced, loss}, "Release %s speaks for %s: its loss is %s, and together %s.", text(at), likelier, text(loss), text(total))
}

// listTheorems adds a table with the ε of each valid method, and returns lines at those of basic, advanced and
// numerical: more lines would be too close together.
func (s *trial) listTheorems(w walk, k int) (lines []chart.Mark) {
	stack := []accounting.Entry{{Release: w.release, Count: float64(k)}}
	table := Table{Title: "ε at δ = " + text(s.number("delta")), Columns: []string{"theorem", "ε"}, Costs: true}
	for _, b := range accounting.Compare(s.ctx, stack, accounting.Target{Delta: s.number("delta")}) {
		if b.Status == accounting.Valid {
			table.Rows = append(table.Rows, Row{b.Method.Name(), []float64{b.Epsilon}})
			if b.Method == accounting.Basic || b.Method == accounting.Advanced || b.Method == accounting.Numerical {
				lines = append(lines, chart.Vertical(b.Epsilon, b.Method.Name()))
			}
		}
	}
	s.addTable(table)
	return must(lines, s.ctx.Err())
}

// histogram returns the exact distribution of the K-fold loss over equal bins: the sum of its
// atoms on a lattice, else a Fourier series on a period that holds all but a negligible part of
// it.
func (w walk) histogram(k int, lo, hi float64, bins int, epsilon float64) []float64 {
	out, width := make([]float64, bins), (hi-lo)/float64(bins)
	if w.atom != nil {
		for i := range k + 1 {
			x := epsilon * float64(k-2*i)
			if bin := int(math.Floor((x - lo) / width)); bin >= 0 && bin < bins {
				out[bin] += w.atom(k, i) / width
			}
		}
		return out
	}
	centre := w.mean * float64(k)
	period := math.Max(hi-lo, 24*w.sd*math.Sqrt(float64(k)))
	for i := range out {
		out[i] = 1 / period
	}
	for m := 1; m <= 4000; m++ {
		t := 2 * math.Pi * float64(m) / period
		phi := cmplx.Pow(w.phi(t), complex(float64(k), 0)) * cmplx.Exp(complex(0, -t*centre))
		if cmplx.Abs(phi) < 1e-12 && m > 200 {
			break
		}
		sinc := math.Sin(t*width/2) / (t * width / 2)
		for i := range out {
			x := lo + (float64(i)+0.5)*width - centre
			out[i] += 2 / period * sinc * real(phi*cmplx.Exp(complex(0, -t*x)))
		}
	}
	return mapEach(out, func(x float64) float64 { return math.Max(0, x) })
}
