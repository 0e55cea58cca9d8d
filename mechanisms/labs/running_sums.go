package labs

import (
	"math"
	"math/rand/v2"

	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
)

// runningSums: noise on the running sums of a stream, by a binary tree and by the square
// root of the matrix of ones, at the same cost (Honaker 2015; Denisov et al. 2022;
// Fichtenberger, Henzinger & Upadhyay 2023).
var runningSums = Lab{
	Name: "running-sums", Title: "A tree and a square root at equal cost", Decks: "beyond the decks",
	Summary: "running sums with noise from a binary tree and from the square root of the matrix, both for one Gaussian release: the root errs less than half as much",
	Params: []param.Param{
		whole("steps", "T", "running sums released", 512, 2, 4096),
		number("mu", "μ", "what all of them cost together", 1, 0.01, 100),
		whole("runs", "", "simulated streams", 200, 10, 2000),
	},
	run: runRunningSums,
}

func runRunningSums(s *trial) {
	steps, mu, runs := s.whole("steps"), s.number("mu"), s.whole("runs")
	squares := map[mechanisms.Factorisation][]float64{}
	draw := map[mechanisms.Factorisation]func(*rand.Rand, float64, []float64){mechanisms.Tree: treeNoise, mechanisms.SquareRoot: rootNoise}
	both := []mechanisms.Factorisation{mechanisms.Tree, mechanisms.SquareRoot}
	exact := map[mechanisms.Factorisation][]float64{}
	rms := map[mechanisms.Factorisation]float64{}
	for stream, f := range both {
		m := matrixAt(f, steps, mu)
		var err error
		exact[f], rms[f], err = m.RunningError(f)
		must(0, err)
		squares[f] = make([]float64, steps)
		noise, r := make([]float64, steps), s.rand(uint64(stream))
		for i := range runs {
			s.step(stream*runs+i, len(both)*runs)
			draw[f](r, m.NoiseMultiplier, noise)
			for t, x := range noise {
				squares[f][t] += x * x
			}
		}
	}
	table := Table{Title: "Root mean square error of a running sum, in clipping norms", Columns: []string{"noise", "measured", "exactly"}}
	measured := map[mechanisms.Factorisation]float64{}
	p := Plot{Title: "Error of the running sum after each step", XLabel: "step", YLabel: "standard deviation, in clipping norms"}
	at := make([]float64, steps)
	for t := range at {
		at[t] = float64(t + 1)
	}
	for _, f := range both {
		deviations := make([]float64, steps)
		for t, sum := range squares[f] {
			measured[f] += sum
			deviations[t] = math.Sqrt(sum / float64(runs))
		}
		measured[f] = math.Sqrt(measured[f] / float64(steps*runs))
		table.Rows = append(table.Rows, Row{string(f), []float64{measured[f], rms[f]}})
		p.Series = append(p.Series, Series{Name: string(f) + ", measured", X: at, Y: deviations}, Series{Name: string(f) + ", exactly", X: at, Y: exact[f]})
	}
	tree, root := measured[mechanisms.Tree], measured[mechanisms.SquareRoot]
	s.figure("tree, measured", tree, "over all steps of "+text(float64(runs))+" streams; exactly "+text(rms[mechanisms.Tree]))
	s.figure("square root, measured", root, "the same cost; exactly "+text(rms[mechanisms.SquareRoot]))
	s.figure("tree over square root", tree/root, "how much more the tree errs")
	s.table(table)
	s.plot(p)
	s.say("Both cost one Gaussian release with μ = %[1]s. A record is in %[2]s nodes of the tree, so each needs √%[2]s times the noise of one, and a running sum adds up as many nodes as its number has ones in binary: the error jumps. The square root spreads the same cost evenly.",
		text(mu), text(math.Ceil(math.Log2(float64(steps)+1))))
	s.spend("running sums", "matrix", param.Values{"factorisation": param.ChoiceValue(string(mechanisms.SquareRoot)),
		"steps": param.WholeValue(float64(steps)), "noise_multiplier": param.NumberValue(rootScale(steps) / mu)}, 1)
}

// matrixAt is a factorisation with as much noise as makes it cost μ.
func matrixAt(f mechanisms.Factorisation, steps int, mu float64) mechanisms.Matrix {
	scale := math.Sqrt(math.Ceil(math.Log2(float64(steps) + 1))) // nodes that hold a record
	if f == mechanisms.SquareRoot {
		scale = rootScale(steps)
	}
	return must(mechanisms.New("matrix", param.Values{"factorisation": param.ChoiceValue(string(f)),
		"steps": param.WholeValue(float64(steps)), "noise_multiplier": param.NumberValue(scale / mu)})).(mechanisms.Matrix)
}

// rootScale is the norm of the first column of the square root.
func rootScale(steps int) float64 {
	c, sum := 1.0, 0.0
	for k := 1; k <= steps; k++ {
		sum += c * c
		c *= 1 - 1/(2*float64(k))
	}
	return math.Sqrt(sum)
}

// treeNoise is the noise of every running sum: that of the finished nodes which make it up.
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

// rootNoise is the noise of every running sum: fresh noise at every step, weighted by the
// terms of (1−x)^{−1/2}.
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
