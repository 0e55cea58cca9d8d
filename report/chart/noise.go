package chart

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/report/curve"
)

// Noise is the density of one entry's answer on a data set D, where the true
// answer is 0, and on a neighbour D′ where it differs as much as it may, with the
// intervals that hold 50 % and 95 % of the answers. Laplace and Gaussian noise are
// shown beside each other at equal cost.
var Noise = Kind{"noise", "noise on D and on D′: density of an entry's answer", "entry", false, noise}

func noise(v *view) (Chart, error) {
	i, m, err := entryOf(v, "adds no noise to a number", func(m mechanisms.Mechanism) bool {
		_, _, ok := mechanisms.Answers(m, v.Adjacency)
		return ok
	})
	if err != nil {
		return Chart{}, err
	}
	here, there, _ := mechanisms.Answers(m, v.Adjacency)
	shown := []mechanisms.Noise{here, there}
	rival, name, rivalled := equalCost(v, m, v.Stack[i].Count*v.Scenario.Rounds, v.Budget.Delta)
	if v.EqualVariance {
		rival, name, rivalled = equalVariance(m)
	}
	if rivalled {
		shown = append(shown, rival)
	}
	xs := support(shown, v.points())
	spec, _ := mechanisms.Lookup(m.Kind())
	c := Chart{
		Title: fmt.Sprintf("noise on D and on D′ of entry %d, %s", i+1, spec.Title),
		X:     Axis{Label: "answer − truth"},
		Y:     Axis{Label: "density", Min: 0, Max: unset},
	}
	if here.Discrete() {
		c.Y.Label = "probability"
	}
	c.Series = append(c.Series,
		Series{Name: "on D", X: xs, Y: curve.ValuesOver(xs, here.Density), Step: here.Discrete(), Pair: true},
		Series{Name: "on D′", X: xs, Y: curve.ValuesOver(xs, there.Density), Step: there.Discrete(), Broken: true,
			Pair: true})
	if rivalled {
		c.Series = append(c.Series, Series{Name: name, X: xs, Y: curve.ValuesOver(xs, rival.Density), Faint: true})
		c.Notes = append(c.Notes, fmt.Sprintf("95 %% of answers within ±%s; %s ±%s",
			report.Upper(here.Quantile(0.975)), name, report.Upper(rival.Quantile(0.975))))
		if v.EqualVariance {
			c.Notes = append(c.Notes, "at equal variance: noise of the other shape with the same standard deviation, whatever it costs")
		} else {
			c.Notes = append(c.Notes, "at equal cost: as much noise of the other shape as has the same ε at the same δ after all releases")
		}
	}
	if _, ok := m.(mechanisms.Batched); ok {
		c.Notes = slices.Insert(c.Notes, 0, "one step, for a record in the batch")
	}
	if e, ok := pureLoss(m); ok {
		c.Notes = append(c.Notes, fmt.Sprintf("every answer is at most e^%s = %s times as likely on one as on the other", report.FormatGiven(e), report.Upper(math.Exp(e))))
	}
	if spec.Reports != "" {
		c.X.Label = spec.Reports + " reported"
		c.X.Min, c.X.Max = xs[0]-0.5, xs[len(xs)-1]+0.5 // every category is as wide as the others
		return c, nil
	}
	for _, share := range []float64{0.5, 0.95} {
		half := here.Quantile((1 + share) / 2)
		label := fmt.Sprintf("%s within ±%s", report.Percent(share), report.Upper(half))
		c.Marks = append(c.Marks, Vertical(-half, ""), Vertical(half, label))
	}
	return c, nil
}

// pureLoss returns the ε of a mechanism that is one pure release.
func pureLoss(m mechanisms.Mechanism) (float64, bool) {
	list := m.Releases(1)
	if len(list) != 1 || list[0].Count != 1 {
		return 0, false
	}
	e, delta, err := list[0].Release.Approximate()
	return e, err == nil && delta == 0 && e > 0 && e < 20
}

// entryOf returns the entry asked for (from 1), or the first, whose mechanism is of a kind and
// fits.
func entryOf[M any](v *view, lacks string, fits ...func(M) bool) (i int, found M, err error) {
	if v.Entry < 0 || v.Entry > len(v.Stack) {
		return 0, found, fmt.Errorf("there is no entry %d; the stack has %d", v.Entry, len(v.Stack))
	}
	for i, e := range v.Stack {
		if v.Entry > 0 && i != v.Entry-1 {
			continue
		}
		name := "a parallel block"
		if len(e.Parallel) == 0 {
			m, err := v.Mechanism(&e)
			if err != nil {
				return 0, found, fmt.Errorf("entry %d: %w", i+1, err)
			}
			if of, ok := m.(M); ok && !slices.ContainsFunc(fits, func(fit func(M) bool) bool { return !fit(of) }) {
				return i, of, nil
			}
			name = e.Mechanism
		}
		if v.Entry > 0 {
			return 0, found, fmt.Errorf("entry %d: %s %s", v.Entry, name, lacks)
		}
	}
	return 0, found, fmt.Errorf("there is no such chart here: no entry %s", strings.Replace(lacks, " no ", " ", 1))
}

// support returns the points at which the densities are drawn: all but three thousandths of each
// side, with the peaks among the points.
func support(list []mechanisms.Noise, n int) []float64 {
	low, high := math.Inf(1), math.Inf(-1)
	var middles []float64
	for _, noise := range list {
		low = math.Min(low, noise.Quantile(0.003))
		high = math.Max(high, noise.Quantile(0.997))
		middles = append(middles, noise.Quantile(0.5))
	}
	if list[0].Discrete() {
		step := math.Max(1, math.Ceil((high-low)/200))
		var xs []float64
		for x := low; x <= high; x += step {
			xs = append(xs, x)
		}
		return xs
	}
	return curve.SortDistinct(append(curve.LineSpace(low, high, 2*n), middles...))
}

// equalVariance returns noise of the other shape with the same standard deviation, and its name; false if there is
// none.
func equalVariance(m mechanisms.Mechanism) (mechanisms.Noise, string, bool) {
	switch m := m.(type) {
	case mechanisms.Laplace:
		return mechanisms.GaussianNoise(math.Sqrt2 * m.Sensitivity / m.Epsilon), "Gaussian at equal variance", true
	case mechanisms.Gaussian:
		return mechanisms.LaplaceNoise(m.Noise().Quantile(gaussianSigma) / math.Sqrt2), "Laplace at equal variance", true
	}
	return nil, "", false
}

// HasEqualVariance reports whether [Noise] has noise of another shape to compare with at equal variance.
func HasEqualVariance(m mechanisms.Mechanism) bool {
	_, _, ok := equalVariance(m)
	return ok
}

// gaussianSigma is the probability that Gaussian noise is below its standard deviation.
var gaussianSigma = special.NormalCDF(1)

// equalCost returns noise of another shape with the same cost, and its name; false if there is none.
func equalCost(ctx context.Context, m mechanisms.Mechanism, count, delta float64) (mechanisms.Noise, string, bool) {
	r, ok := m.(mechanisms.NoiseComparer)
	if !ok || !(delta > 0) || !(count >= 1) {
		return nil, "", false
	}
	return r.EqualCostNoise(ctx, count, delta)
}
