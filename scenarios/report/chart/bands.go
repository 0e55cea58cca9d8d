package chart

import (
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios/report"
)

// Bands is the error of a running sum of gradients against the number of bands over which
// noise is correlated, at the cost of a training with Poisson batches: more bands correlate
// better and are amplified less. One band is the training itself. Records are divided into
// as many groups as there are bands, without looking at them, and each step draws from the
// next group (Choquette-Choo et al. 2023): ⌈T/p⌉ steps at rate p·q, with the noise of a
// column of the matrix.
var Bands = Kind{"bands", "error of running sums by bands, at the cost of a training", false, bands}

func bands(v *view) (Chart, error) {
	i, built, err := entryOf(v, "trains on no Poisson batches", func(d mechanisms.DPSGD) bool {
		return d.Batches == mechanisms.Poisson || d.Batches == ""
	})
	if err != nil {
		return Chart{}, err
	}
	d, err := built.Resolve(v.Records)
	switch {
	case err != nil:
		return Chart{}, err
	case !(v.Budget.Delta > 0):
		return Chart{}, fmt.Errorf("bands are compared at equal ε, which needs a δ above 0")
	case d.Steps > 1e5:
		return Chart{}, fmt.Errorf("the error of so many steps takes too long")
	case v.Adjacency == mechanisms.Replace || v.Group > 1:
		return Chart{}, fmt.Errorf("bands with amplification are compared where one record comes or goes, or is zeroed")
	}
	target := accounting.Target{Delta: v.Budget.Delta}
	cost := func(z, q, steps float64) float64 {
		step := accounting.Subsample(accounting.GaussianDP(1/z), math.Min(1, q))
		return epsilonOf(v, accounting.RDP, []accounting.Entry{{Release: step, Count: steps}}, target)
	}
	budget := cost(d.NoiseMultiplier, d.SamplingRate, d.Steps)
	if math.IsInf(budget, 1) {
		return Chart{}, fmt.Errorf("this training has no finite ε to compare at")
	}
	needed := func(q, steps float64) float64 { // the noise at which these steps cost the same, to one part in ten thousand
		here, far := math.Log(d.NoiseMultiplier), math.Log(1e3)
		_, log := special.Bisect(here-far, here+far, 1e-4, func(log float64) bool { return cost(math.Exp(log), q, steps) > budget })
		return math.Exp(log)
	}
	unsampled := needed(1, math.Max(1, math.Ceil(d.Steps*d.SamplingRate*(1-1e-9)))) // once an epoch, in a fixed order
	series := Series{Name: "amplified"}
	plain := Series{Name: "no amplification", Faint: true}
	best := 0
	most := int(math.Min(d.Steps, math.Min(1/d.SamplingRate*(1+1e-9), 2e8/d.Steps))) // no more than an epoch has steps
	for bands, last := 1, false; !last; bands = min(2*bands, most) {
		last = bands == most || v.Err() != nil
		column, rms := mechanisms.BandedRootError(int(d.Steps), bands)
		p := float64(bands)
		z := needed(p*d.SamplingRate, math.Ceil(d.Steps/p))
		series.X, series.Y = append(series.X, p), append(series.Y, z*column*rms)
		plain.X, plain.Y = append(plain.X, p), append(plain.Y, unsampled*column*rms)
		if series.Y[len(series.Y)-1] < series.Y[best] {
			best = len(series.Y) - 1
		}
	}
	return Chart{
		Title:  fmt.Sprintf("error of the running sums of entry %d against bands, at ε = %s", i+1, report.Upper(budget)),
		X:      Axis{Label: "bands", Log: true, Min: 1, Max: unset},
		Y:      Axis{Label: "root mean square, in clipping norms", Log: true},
		Series: []Series{series, plain},
		Read:   1,
		Notes: []string{
			fmt.Sprintf("least at %s bands: %s, against %s with independent noise (1 band)", report.Short(series.X[best]), report.Figure(series.Y[best]), report.Figure(series.Y[0])),
			"at the ε of this training by RDP; with amplification records are put into groups without looking at them",
		},
	}, nil
}
