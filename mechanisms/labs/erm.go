package labs

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// erm: logistic regression without privacy, with noise on the result, and with
// noise in the objective.
var erm = Lab{
	Name: "erm", Title: "Private learning", Decks: "Park",
	Summary: "logistic regression, plain, output- and objective-perturbed: accuracy against ε, the noise and both risk bounds",
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
	plain := train.minimise(lambda, nil)
	output := func(epsilon float64) mechanisms.OutputPerturbation {
		return mechanisms.OutputPerturbation{Epsilon: epsilon, N: float64(n), Regularization: lambda, Dimension: float64(d)}
	}
	objective := func(epsilon float64) mechanisms.ObjectivePerturbation {
		return mechanisms.ObjectivePerturbation{Epsilon: epsilon, N: float64(n), Regularization: lambda, Dimension: float64(d), Smoothness: smoothness}
	}
	private := func(epsilon float64) (out, obj float64) {
		o := output(epsilon)
		b := direction(r, d, o.Noise().Rand(r))
		for j := range b {
			b[j] += plain[j]
		}
		p := objective(epsilon)
		w := train.minimise(lambda+p.Extra(), direction(r, d, p.Noise().Rand(r)))
		return test.accuracy(b), test.accuracy(w)
	}
	epsilons, trials := logSpread(0.05, 10, 12), s.whole("trials")
	average := func(i int, epsilon float64) (out, obj float64) {
		for t := range trials {
			s.step(i*trials+t, (len(epsilons)+1)*trials)
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
	s.table(Table{Title: "Accuracy on fresh data at ε = " + text(s.number("epsilon")), Columns: []string{"learned", "accuracy"}, Rows: []Row{
		{"without privacy", []float64{base}}, {"with noise in the objective", []float64{obj}}, {"with noise on the result", []float64{out}},
	}})
	s.plot(Plot{Title: "Accuracy on fresh data", XLabel: "ε", YLabel: "accuracy", XLog: true,
		Series: []Series{{Name: "output", X: epsilons, Y: outs}, {Name: "objective", X: epsilons, Y: objs}},
		Lines:  []Line{horizontal(base, "not private"), vertical(s.number("epsilon"), "ε")}})

	o, p := output(s.number("epsilon")), objective(s.number("epsilon"))
	s.figure("accuracy, not private", base, "")
	s.figure("expected norm of the output noise", float64(d)*o.Scale(), "Gamma(d, 2/(nΛε)): the weights themselves have norm "+text(math.Sqrt(floats.Dot(plain, plain))))
	s.figure("ε′ left for the objective's noise", p.NoiseEpsilon(), "ε − 2 ln(1 + c/(nΛ)), or ε/2 with a stronger regulariser")
	s.figure("excess risk bound, output", o.ExcessRisk(0.05, smoothness, 1), "with probability 95 %")
	s.figure("excess risk bound, objective", p.ExcessRisk(0.05), "with probability 95 %")
	s.say("Both optima are minima of J; the slide writes arg max. Objective perturbation needs the exact minimiser.")

	norms := make([]float64, 4000)
	for i := range norms {
		norms[i] = o.Noise().Rand(r)
	}
	hi := o.Noise().Quantile(0.999)
	xs, density := histogram(norms, 0, hi, 40)
	curve := spread(hi/400, hi, 160)
	s.plot(Plot{Title: "Norm of the output noise", XLabel: "‖b‖", YLabel: "density",
		Series: []Series{{Name: "drawn", X: xs, Y: density, Steps: true}, {Name: "Gamma", X: curve, Y: each(curve, o.Noise().Density)}}})
	s.spend("learned weights", "objective-perturbation", param.Values{
		"epsilon": param.NumberValue(p.Epsilon), "n": param.WholeValue(p.N), "regularization": param.NumberValue(lambda),
		"dimension": param.WholeValue(p.Dimension), "smoothness": param.NumberValue(smoothness)}, 1)
}
