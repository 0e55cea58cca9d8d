package labs

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// erm: logistic regression without privacy, with noise on the result, and with
// noise in the objective.
var erm = Lab{
	Name: "erm", Title: "Private learning", Decks: "Park",
	Summary:   "logistic regression, plain, output- and objective-perturbed: accuracy against ε, the noise and both risk bounds",
	Adjacency: mechanisms.Replace, Unit: "data point",
	Params: []param.Param{
		number("epsilon", "ε", "privacy loss of the table, marked in the charts", 0.05, 1e-2, 100),
		whole("n", "n", "training points", 2000, 50, 20_000),
		whole("dimension", "d", "features", 5, 2, 20),
		number("regularization", "Λ", "strength of the regulariser", 0.01, 1e-5, 10),
		whole("trials", "", "repetitions at each ε", 20, 2, 1000),
	},
	run: runERM,
}

// smoothness bounds the second derivative of the logistic loss.
const smoothness = 0.25

func runERM(s *trial) {
	n, d, lambda := s.whole("n"), s.whole("dimension"), s.number("regularization")
	r := s.rand(0)
	train, test := generate(r, n, d), generate(r, 2000, d)
	if s.isNeighbour() {
		train.y[0] = -train.y[0]
	}
	plain := train.minimise(lambda, nil)
	output := func(epsilon float64) mechanisms.OutputPerturbation {
		return mechanisms.OutputPerturbation{Epsilon: epsilon, N: float64(n),
			Regularization: lambda, Dimension: float64(d)}
	}
	objective := func(epsilon float64) mechanisms.ObjectivePerturbation {
		return mechanisms.ObjectivePerturbation{Epsilon: epsilon, N: float64(n), Regularization: lambda,
			Dimension: float64(d), Smoothness: smoothness}
	}
	private := func(epsilon float64) (out, obj float64) {
		o := output(epsilon)
		b := direction(r, d, o.Noise().Rand(r))
		for j := range b {
			b[j] += plain[j]
		}
		b = s.randomize(plain, b, 2/(float64(n)*lambda))
		w := s.minimiseWithNoise(r, train, objective(epsilon))
		s.publish(test.accuracy(b), test.accuracy(w))
		return test.accuracy(b), test.accuracy(w)
	}
	epsilons, trials := logSpread(0.05, 10, 12), s.whole("trials")
	average := func(i int, epsilon float64) (out, obj float64) {
		for t := range trials {
			s.reportProgress(i*trials+t, (len(epsilons)+1)*trials)
			x, y := private(epsilon)
			out, obj = out+x/float64(trials), obj+y/float64(trials)
		}
		return out, obj
	}
	var outs, objs []float64
	for i, e := range epsilons {
		a, b := average(i, e)
		outs, objs = append(outs, a), append(objs, b)
	}
	base := test.accuracy(plain)
	out, obj := average(len(epsilons), s.number("epsilon"))
	s.addTable(Table{Title: "Accuracy on fresh data at ε = " + text(s.number("epsilon")), Columns: []string{"learned", "accuracy"}, Rows: []Row{
		{"without privacy", []float64{base}}, {"with noise in the objective", []float64{obj}}, {"with noise on the result", []float64{out}},
	}})
	s.addChart(chart.Chart{Title: "Accuracy on fresh data", X: chart.Axis{Label: "ε", Log: true}, Y: chart.Axis{Label: "accuracy"},
		Series: []chart.Series{{Name: "output", X: epsilons, Y: outs}, {Name: "objective", X: epsilons, Y: objs}},
		Marks:  []chart.Mark{chart.Horizontal(base, "not private"), chart.Vertical(s.number("epsilon"), "ε")}})

	o, p := output(s.number("epsilon")), objective(s.number("epsilon"))
	s.addFigure("accuracy, not private", base, "")
	s.addFigure("expected norm of the output noise", float64(d)*o.Scale(), "Gamma(d, 2/(nΛε)): the weights themselves have norm "+text(math.Sqrt(floats.Dot(plain, plain))))
	s.addFigure("ε′ left for the objective's noise", p.NoiseEpsilon(), "ε − 2 ln(1 + c/(nΛ)), or ε/2 with a stronger regulariser")
	s.addUpperBound("excess risk bound, output", o.ExcessRisk(0.05, smoothness, 1), "with probability 95 %")
	s.addUpperBound("excess risk bound, objective", p.ExcessRisk(0.05), "with probability 95 %; its noise has ε′, where the slide writes ε")
	s.addSentence("Both optima are minima of J; the slide writes arg max. Objective perturbation needs the exact minimiser.")

	norms := make([]float64, 4000)
	for i := range norms {
		norms[i] = o.Noise().Rand(r)
	}
	hi := o.Noise().Quantile(0.999)
	xs, density := histogram(norms, 0, hi, 40)
	curve := spread(hi/400, hi, 160)
	s.addChart(chart.Chart{Title: "Norm of the output noise", X: chart.Axis{Label: "norm"}, Y: chart.Axis{Label: "density"},
		Series: []chart.Series{{Name: "drawn", X: xs, Y: density, Step: true},
			{Name: "Gamma", X: curve, Y: mapEach(curve, o.Noise().Density)}}})
	s.addLeak(s.attackWeights(train, p))
	s.spend("weights learned with noise in the objective, at the ε of the table", "objective-perturbation", param.Values{
		"epsilon": param.NumberValue(p.Epsilon), "n": param.WholeValue(p.N), "regularization": param.NumberValue(lambda),
		"dimension": param.WholeValue(p.Dimension), "smoothness": param.NumberValue(smoothness)}, 1)
}

// minimiseWithNoise returns weights learned with noise in the objective.
func (s *trial) minimiseWithNoise(r *rand.Rand, train points, m mechanisms.ObjectivePerturbation) []float64 {
	lambda := m.Regularization + m.Extra()
	w := s.randomize(nil, train.minimise(lambda, direction(r, int(m.Dimension), m.Noise().Rand(r))), 2)
	if s.transcript != nil {
		// The noise that leads to these weights is −n times the gradient, which one record with ‖x‖ ≤ 1 moves by at
		// most 2.
		gradient, _ := train.derivatives(w, lambda)
		floats.Scale(m.N, gradient)
		s.transcript.last().exact = gradient
	}
	return w
}

// attackWeights returns the attack on weights learned with noise in the objective, by their exact likelihoods on the
// data and on a neighbour whose first label is the other one: all weights that are likelier on the data.
func (s *trial) attackWeights(train points, m mechanisms.ObjectivePerturbation) Leak {
	other := points{train.x, slices.Clone(train.y)}
	other.y[0] = -other.y[0]
	r, lambda := s.rand(1), m.Regularization+m.Extra()
	over := make([]float64, attackedRuns)
	for i := range over {
		w := train.minimise(lambda, direction(r, int(m.Dimension), m.Noise().Rand(r)))
		loss := train.logLikelihood(w, lambda, 1/m.Scale()) - other.logLikelihood(w, lambda, 1/m.Scale())
		over[i] = math.Max(0, -math.Expm1(-loss))
	}
	mean, dev := stat.MeanStdDev(over, nil)
	return Leak{"weights that are likelier on the data than with one label changed", 0, mean, dev / math.Sqrt(attackedRuns)}
}

// attackedRuns is the number of trainings that attackWeights draws.
const attackedRuns = 60

// logLikelihood returns the logarithm of the density of weights learned with noise b in the objective, but for a
// constant. The weights are minimal for one b alone, whose density is proportional to exp(−β‖b‖); it changes with the
// weights by n times the Hessian.
func (p points) logLikelihood(w []float64, lambda, beta float64) float64 {
	d, n := len(w), float64(len(p.x))
	gradient, hessian := p.derivatives(w, lambda)
	var factors mat.Cholesky
	factors.Factorize(mat.NewSymDense(d, hessian))
	return factors.LogDet() - beta*n*floats.Norm(gradient, 2)
}

// points is a classification problem: ‖x‖ ≤ 1, labels ±1.
type points struct {
	x [][]float64
	y []float64
}

// generate draws points of which the first coordinates tell the label, with noise.
func generate(r *rand.Rand, n, d int) points {
	p := points{}
	for range n {
		y := 1.0
		if r.IntN(2) == 0 {
			y = -1
		}
		x := make([]float64, d)
		for j := range x {
			x[j] = r.NormFloat64()
			if j < 2 {
				x[j] += 1.2 * y
			}
		}
		floats.Scale(1/math.Max(1, floats.Norm(x, 2)), x)
		p.x, p.y = append(p.x, x), append(p.y, y)
	}
	return p
}

// accuracy returns the share of points classified right.
func (p points) accuracy(w []float64) float64 {
	right := 0.0
	for i := range p.x {
		if p.y[i]*floats.Dot(w, p.x[i]) > 0 {
			right++
		}
	}
	return right / float64(len(p.x))
}

func (p points) loss(w []float64) float64 {
	sum := 0.0
	for i := range p.x {
		sum += math.Log1p(math.Exp(-p.y[i] * floats.Dot(w, p.x[i])))
	}
	return sum / float64(len(p.x))
}

// minimise finds the exact minimiser of mean logistic loss + Λ/2‖w‖² + b·w/n by
// Newton's method; the objective is strongly convex, so it converges. Objective
// perturbation is private only for the exact minimiser.
func (p points) minimise(lambda float64, b []float64) []float64 {
	d, n := len(p.x[0]), float64(len(p.x))
	w := make([]float64, d)
	for range 50 {
		gradient, hessian := p.derivatives(w, lambda)
		if b != nil {
			floats.AddScaled(gradient, 1/n, b)
		}
		var factors mat.Cholesky
		var step mat.VecDense
		factors.Factorize(mat.NewSymDense(d, hessian))
		must(0, factors.SolveVecTo(&step, mat.NewVecDense(d, gradient)))
		floats.Sub(w, step.RawVector().Data)
		if mat.Norm(&step, math.Inf(1)) < 1e-12 {
			break
		}
	}
	return w
}

// derivatives returns the gradient of mean logistic loss + Λ/2‖w‖² and the upper half of its Hessian, row by row.
func (p points) derivatives(w []float64, lambda float64) (gradient, hessian []float64) {
	d, n := len(w), float64(len(p.x))
	gradient, hessian = make([]float64, d), make([]float64, d*d)
	for j := range gradient {
		gradient[j] = lambda * w[j]
		hessian[j*d+j] = lambda
	}
	for i, x := range p.x {
		s := 1 / (1 + math.Exp(p.y[i]*floats.Dot(w, x)))
		slope, bend := p.y[i]*s/n, s*(1-s)/n
		for j, v := range x {
			gradient[j] -= slope * v
			for k := j; k < d; k++ {
				hessian[j*d+k] += bend * v * x[k]
			}
		}
	}
	return gradient, hessian
}

// direction returns a random vector of the given length.
func direction(r *rand.Rand, d int, length float64) []float64 {
	v := make([]float64, d)
	for j := range v {
		v[j] = r.NormFloat64()
	}
	floats.Scale(length/floats.Norm(v, 2), v)
	return v
}
