package labs

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// runningSums: noise on the running sums of a stream, by a binary tree and by the square
// root of the matrix of ones, at the same cost (Honaker 2015; Denisov et al. 2022;
// Fichtenberger, Henzinger & Upadhyay 2023).
var runningSums = Lab{
	Name: "running-sums", Title: "A tree and a square root at equal cost",
	Summary:   "running sums with noise from a binary tree and from the square root of the matrix, both for one Gaussian release: the root errs less than half as much",
	Adjacency: mechanisms.ZeroOut, Unit: "data point",
	Params: []param.Param{
		whole("steps", "T", "running sums released", 512, 2, 4096),
		number("mu", "μ", "what all of them cost together", 1, 0.01, 100),
		whole("runs", "", "simulated streams", 200, 10, 2000),
	},
	run: runRunningSums,
}

func runRunningSums(s *trial) {
	steps, mu, runs := s.whole("steps"), s.number("mu"), s.whole("runs")
	ways := []struct {
		by    mechanisms.Factorisation
		noise func(r *rand.Rand, z float64, out []float64)
	}{{mechanisms.Tree, treeNoise}, {mechanisms.SquareRoot, rootNoise}}
	table := Table{Title: "Root mean square error of a running sum, in clipping norms", Columns: []string{"noise", "measured", "exactly"}}
	p := chart.Chart{Title: "Error of the running sum after each step", X: chart.Axis{Label: "step"}, Y: chart.Axis{Label: "standard deviation, in clipping norms"}}
	at := spread(1, float64(steps), steps)
	var values param.Values
	for stream, way := range ways {
		var m mechanisms.Matrix
		m, values = matrixAt(way.by, steps, mu)
		exact, rms, err := m.RunningError(way.by)
		squares, noise, r := make([]float64, steps), must(make([]float64, steps), err), s.rand(uint64(stream))
		for i := range runs {
			s.reportProgress(stream*runs+i, len(ways)*runs)
			way.noise(r, m.NoiseMultiplier, noise)
			for t, x := range noise {
				squares[t] += x * x
			}
		}
		measured := math.Sqrt(floats.Sum(squares) / float64(steps*runs))
		table.Rows = append(table.Rows, Row{string(way.by), []float64{measured, rms}})
		p.Series = append(p.Series,
			chart.Series{Name: string(way.by) + ", measured", X: at,
				Y: mapEach(squares, func(sum float64) float64 { return math.Sqrt(sum / float64(runs)) })},
			chart.Series{Name: string(way.by) + ", exactly", X: at, Y: exact})
	}
	tree, root := table.Rows[0].Values, table.Rows[1].Values
	s.addFigure("tree, measured", tree[0], "over all steps of "+text(float64(runs))+" streams; exactly "+text(tree[1]))
	s.addFigure("square root, measured", root[0], "the same cost; exactly "+text(root[1]))
	s.addFigure("tree over square root", tree[0]/root[0], "how much more the tree errs")
	s.addTable(table)
	s.addChart(p)
	s.addSentence("Both cost one Gaussian release with μ = %[1]s. A record is in %[2]s nodes of the tree, so each needs √%[2]s times the noise of one, and a running sum adds up as many nodes as its number has ones in binary: the error jumps. The square root spreads the same cost evenly.",
		text(mu), text(math.Ceil(math.Log2(float64(steps)+1))))
	s.spend("running sums", "matrix", values, 1)
}

// matrixAt returns a factorisation with as much noise as makes it cost μ, and its values.
func matrixAt(f mechanisms.Factorisation, steps int, mu float64) (mechanisms.Matrix, param.Values) {
	values := param.Values{"factorisation": param.ChoiceValue(string(f)), "steps": param.WholeValue(float64(steps))}
	with := func(z float64) mechanisms.Matrix {
		values["noise_multiplier"] = param.NumberValue(z)
		return must(mechanisms.New("matrix", values)).(mechanisms.Matrix)
	}
	return with(with(1).Mu() / mu), values
}

// treeNoise fills out with the noise of every running sum: that of the finished nodes which make
// it up.
func treeNoise(r *rand.Rand, z float64, out []float64) {
	noise := mechanisms.GaussianNoise(z)
	nodes := make([]float64, 64) // by level: the noise of the finished node that the sum uses
	for t := range out {
		last := t + 1
		level := 0
		for ; last&(1<<level) == 0; level++ {
			nodes[level] = 0 // part of a larger node now
		}
		nodes[level] = noise.Rand(r)
		out[t] = 0
		for l := range nodes {
			out[t] += nodes[l]
		}
	}
}

// rootNoise fills out with the noise of every running sum: fresh noise at every step, weighted
// by the terms of (1−x)^{−1/2}.
func rootNoise(r *rand.Rand, z float64, out []float64) {
	noise := mechanisms.GaussianNoise(z)
	fresh := make([]float64, len(out))
	for t := range out {
		fresh[t] = noise.Rand(r)
		out[t] = 0
		c := 1.0
		for k := 0; k <= t; k++ {
			out[t] += c * fresh[t-k]
			c *= 1 - 1/(2*float64(k+1))
		}
	}
}
