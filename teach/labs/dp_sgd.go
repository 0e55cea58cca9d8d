package labs

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// dpSGD: a logistic model trained by noisy, clipped gradient steps on Poisson
// samples, with the privacy spent so far.
var dpSGD = Lab{
	Name: "dp-sgd", Title: "Noisy gradient descent", Decks: "Bellet, Gaboardi (moments)",
	Summary:   "a small model trained with clipping, Poisson sampling and Gaussian noise: loss, accuracy and ε by step",
	Adjacency: mechanisms.AddRemove, Unit: "data point",
	Params: []param.Param{
		number("noise_multiplier", "z", "noise, in units of the clipping norm", 1, 0.05, 100),
		number("sampling_rate", "q", "probability that a point takes part in a step", 0.02, 1e-4, 1),
		whole("steps", "T", "gradient steps", 400, 1, 20_000),
		whole("n", "n", "training points", 3000, 50, 50_000),
		whole("dimension", "d", "features", 5, 2, 50),
		number("clip", "C", "each gradient is scaled to at most this norm", 0.5, 1e-3, 100),
		number("rate", "", "learning rate", 2, 1e-4, 100),
		number("delta", "δ", "δ at which ε is read", 1e-5, 1e-30, 0.5),
	},
	run: runDPSGD,
}

func runDPSGD(s *trial) {
	n, d, steps := s.whole("n"), s.whole("dimension"), s.whole("steps")
	q, z, clip := s.number("sampling_rate"), s.number("noise_multiplier"), s.number("clip")
	m := mechanisms.DPSGD{NoiseMultiplier: z, SamplingRate: q, Steps: s.number("steps")}
	r := s.rand(0)
	train, test := generate(r, n, d), generate(r, 2000, d)
	if s.isNeighbour() {
		train.x[0] = make([]float64, d) // adds nothing to a gradient, as if the point were removed
	}
	w := make([]float64, d)
	noise := m.Step().Noise()
	var at, losses, accuracies []float64
	for t := 1; t <= steps; t++ {
		gradient := make([]float64, d)
		for i, x := range train.x {
			if r.Float64() >= q {
				continue
			}
			slope := -train.y[i] / (1 + math.Exp(train.y[i]*floats.Dot(w, x)))
			scale := math.Min(1, clip/math.Max(math.Abs(slope)*math.Sqrt(floats.Dot(x, x)), 1e-300))
			for j := range gradient {
				gradient[j] += scale * slope * x[j]
			}
		}
		noisy := make([]float64, d)
		for j := range noisy {
			noisy[j] = gradient[j] + clip*noise.Rand(r)
		}
		for j, g := range s.randomize(gradient, noisy, clip) {
			w[j] -= s.number("rate") * g / (q * float64(n))
		}
		if t == 1 || t == steps || t%max(1, steps/60) == 0 {
			s.reportProgress(t, steps)
			at, losses, accuracies = append(at, float64(t)), append(losses, test.loss(w)),
				append(accuracies, test.accuracy(w))
			s.publish(test.loss(w), test.accuracy(w))
		}
	}
	epsilons := mapEach(at, func(t float64) float64 {
		run := m
		run.Steps = t
		b := accounting.Evaluate(s.ctx, accounting.RDP, run.Releases(1), accounting.Target{Delta: s.number("delta")})
		if !b.Finite() {
			return math.NaN()
		}
		return b.Epsilon
	})
	plain := test.accuracy(train.minimise(1e-3, nil))
	s.addUpperBound("ε after the last step", epsilons[len(epsilons)-1], "RDP, at δ = "+text(s.number("delta")))
	s.addFigure("accuracy", accuracies[len(accuracies)-1], "without privacy: "+text(plain))
	s.addFigure("loss", losses[len(losses)-1], "logistic, on fresh points: on the training points it would leave the run without noise")
	s.addSentence("After %d steps the model is right on %s of fresh points; a model trained without privacy on %s.", steps, text(accuracies[len(accuracies)-1]), text(plain))
	s.addChart(chart.Chart{Title: "Privacy spent", X: chart.Axis{Label: "step"}, Y: chart.Axis{Label: "ε"},
		Series: []chart.Series{{Name: "ε (RDP)", X: at, Y: epsilons}}})
	s.addChart(chart.Chart{Title: "Training", X: chart.Axis{Label: "step"}, Y: chart.Axis{Label: "accuracy, loss"},
		Series: []chart.Series{{Name: "accuracy", X: at, Y: accuracies}, {Name: "loss", X: at, Y: losses}},
		Marks:  []chart.Mark{chart.Horizontal(plain, "accuracy without privacy")}})
	s.spend("training run", "dp-sgd", param.Values{
		"noise_multiplier": param.NumberValue(z), "sampling_rate": param.NumberValue(q), "steps": param.WholeValue(float64(steps))}, 1)
}
