package labs

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/mechanisms/param"
	"epsiloscope/report/chart"
)

// adaptiveGaussian: averaging the subsets that looked best overfits even pure
// noise; choosing them through private answers does not. On the slide the final average is exact: it
// generalises but is not private. Here it has noise of its own, unless the slide's version is asked for.
var adaptiveGaussian = Lab{
	Name: "adaptive-gaussian", Title: "The unrealistic example", Decks: "Bassi",
	Summary:   "n standard normals in small blocks: random blocks, picked blocks, and blocks picked through private answers",
	Adjacency: mechanisms.Replace, Unit: "data point",
	Params: []param.Param{
		whole("n", "n", "samples, in blocks of ln n", 10_000, 100, 1_000_000),
		number("epsilon", "ε", "privacy loss of the block means, which are disjoint, so it is paid once, and again of a noisy final average; "+
			"by the slide's rule √(ln(1/β)/(2 ln n)) with β = 2Q(√ln n)", 0.5721, 1e-3, 100),
		choice("final", "how the average of the picked blocks is released: with noise of its own, or exact as on the slide, which is not private", noisyFinal, exactFinal),
		number("clip", "", "values beyond ±clip are cut off, or the answers would not be private", 3, 0.5, 20),
		whole("trials", "", "fresh data sets", 200, 10, 20_000),
	},
	run: runAdaptiveGaussian,
}

// The values of the parameter "final".
const (
	noisyFinal = "noisy"
	exactFinal = "exact"
)

func runAdaptiveGaussian(s *trial) {
	n, clip := s.number("n"), s.number("clip")
	size := math.Floor(math.Log(n))                // samples per block
	groups := int(math.Floor(math.Sqrt(n / size))) // groups of as many blocks each
	// Replacing one record moves the mean of its block by at most 2·clip/size.
	m := mechanisms.Laplace{Epsilon: s.number("epsilon"), Sensitivity: 2 * clip / size}
	// Whichever blocks were picked, it moves their average by at most that over their number.
	final := mechanisms.Laplace{Epsilon: m.Epsilon, Sensitivity: m.Sensitivity / float64(groups)}
	noise, finalNoise, r, trials := m.Noise(), final.Noise(), s.rand(0), s.whole("trials")
	results, tops := [3][]float64{}, []float64{}
	s.startSequence(Sequence{Columns: []string{"random", "picked", "private", "best block", "noisy pick"}, CurveCount: 3})
	for t := range trials {
		s.reportProgress(t, trials)
		var averages [3]float64
		for group := range groups {
			random, picked, private := 0.0, math.Inf(-1), 0.0
			best := math.Inf(-1)
			for b := range groups {
				mean := 0.0
				for i := range int(size) {
					x := math.Max(-clip, math.Min(clip, r.NormFloat64()))
					if s.isNeighbour() && group == 0 && b == 0 && i == 0 {
						x = math.Copysign(clip, -x)
					}
					mean += x / size
				}
				if b == 0 {
					random = mean
				}
				picked = math.Max(picked, mean)
				if noisy := s.randomizeOne(mean, mean+noise.Rand(r), m.Sensitivity); noisy > best {
					best, private = noisy, mean
				}
			}
			if len(tops) < 20_000 {
				tops = append(tops, picked)
			}
			for i, x := range []float64{random, picked, private} {
				averages[i] += x / float64(groups)
			}
			if t == 0 {
				part := float64(groups) / float64(group+1)
				s.addStep(false, []float64{averages[0] * part, averages[1] * part, averages[2] * part, picked, private},
					"Group %d of %d: its largest block mean is %s. The block whose noisy mean is largest has a mean of %s. All true means are 0.", group+1, groups, text(picked), text(private))
			}
		}
		if s.choice("final") == noisyFinal {
			averages[2] = s.randomizeOne(averages[2], averages[2]+finalNoise.Rand(r), final.Sensitivity)
		}
		s.publish(averages[2])
		for i, x := range averages {
			results[i] = append(results[i], x)
		}
	}
	names := []string{"random blocks", "picked", "picked privately"}
	table := Table{Title: "Mean of the chosen blocks; the truth is 0", Columns: []string{"choice", "average", "deviation"}}
	plot := chart.Chart{Title: "Final estimate over fresh data", X: chart.Axis{Label: "estimate"}, Y: chart.Axis{Label: "density"},
		Marks: []chart.Mark{chart.Vertical(0, "truth")}}
	lo, hi := quantile(results[0], 0.001), quantile(results[1], 0.999)
	lo, hi = lo-0.1*(hi-lo), hi+0.1*(hi-lo)
	for i, name := range names {
		mean, dev := stat.MeanStdDev(results[i], nil)
		table.Rows = append(table.Rows, Row{name, []float64{mean, dev}})
		xs, ys := histogram(results[i], lo, hi, 60)
		plot.Series = append(plot.Series, chart.Series{Name: name, X: xs, Y: ys, Step: true})
	}
	s.addTable(table)
	s.addChart(plot)
	s.addChart(largestBlock(tops, size, float64(groups)))
	s.addFigure("bias without privacy", table.Rows[1].Values[0], "picking the best of each group")
	s.addFigure("bias with privacy", table.Rows[2].Values[0], "picking the best noisy answer")
	s.addFigure("variance of random blocks", table.Rows[0].Values[1]*table.Rows[0].Values[1], "the slide's 1/√(n ln n): "+text(1/math.Sqrt(n*math.Log(n))))
	s.addFigure("noise scale", m.Scale(), "a block's mean has deviation "+text(1/math.Sqrt(size)))
	s.addSentence("Picking what looked best shifts the estimate to %s; picking through ε = %s answers to %s.",
		text(table.Rows[1].Values[0]), text(m.Epsilon), text(table.Rows[2].Values[0]))
	s.addSentence("The slide takes Δ = 3/ln n \"with high probability\"; clipped, and with n fixed, it is 2·clip/ln n for certain.")
	s.chargeAdaptiveGaussian(m, final, float64(groups))
}

// chargeAdaptiveGaussian bills the block means and the final average, with an attack on what was released.
func (s *trial) chargeAdaptiveGaussian(m, final mechanisms.Laplace, groups float64) {
	if s.choice("final") == exactFinal {
		s.addSentence("The final average is released without noise, as on the slide. Nothing is chosen after it, so it generalises, but it is not private.")
		s.refuseGuarantee("the average of the picked blocks is exact: if the block of a changed record is picked, the average is one that the neighbour cannot give")
		s.addLeak(Leak{"an exact average that holds the block of the changed record; by symmetry it is picked with probability 1 over the number of blocks", m.Epsilon, 1 / groups, 0})
		return
	}
	s.addSentence("The average of the picked blocks has noise of scale %s of its own, so the whole run is private; on the slide it is exact, which generalises but is not private (--set final=exact).",
		text(final.Scale()))
	s.addLeak(attackNoisyValue("a noisy block mean above the middle of its two values, with a record at clip against one at −clip", m.Noise(), m.Sensitivity))
	s.spendLaplace("disjoint block means", m, 1)
	s.spendLaplace("average of the picked blocks", final, 1)
}

// largestBlock returns the mean of a group's largest block: as it was seen and by the appendix
// of the slides, (n/σ)·φ(y/σ)·Φ(y/σ)^(n−1), beside that of any block.
func largestBlock(tops []float64, size, blocks float64) chart.Chart {
	sigma := 1 / math.Sqrt(size)
	lo, hi := -3.5*sigma, 5*sigma
	xs, seen := histogram(tops, lo, hi, 60)
	curve := spread(lo, hi, 171)
	return chart.Chart{Title: "The largest block mean of a group", X: chart.Axis{Label: "block mean"}, Y: chart.Axis{Label: "density"},
		Marks: []chart.Mark{chart.Vertical(0, "truth")},
		Series: []chart.Series{
			{Name: "largest, seen", X: xs, Y: seen, Step: true},
			{Name: "largest, exact", X: curve, Y: mapEach(curve, func(y float64) float64 {
				return blocks / sigma * special.NormalPDF(y/sigma) * math.Pow(special.NormalCDF(y/sigma), blocks-1)
			})},
			{Name: "any block", X: curve, Y: mapEach(curve, func(y float64) float64 { return special.NormalPDF(y/sigma) / sigma })},
		}}
}
