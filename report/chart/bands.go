package chart

import (
	"fmt"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/special"
	"epsiloscope/mechanisms"
	"epsiloscope/report"
	"epsiloscope/report/curve"
)

// Bands is the error of a running sum of gradients against the number of bands over which
// noise is correlated, at the cost of a training with Poisson batches: more bands correlate
// better and are amplified less. One band is the training itself. Records are divided into
// as many groups as there are bands, independently of the data, and each step samples from the
// next group (Choquette-Choo et al. 2023): ⌈T/p⌉ steps at rate p·q, with the noise of a
// column of the matrix.
var Bands = Kind{"bands", "error of running sums by bands: at the cost of a training", "entry", false, bands}

// BandsCost is the error of the running sums of a training against its ε, with independent noise
// (DP-SGD), with amplified bands and with bands without amplification.
var BandsCost = Kind{"bands-cost", "error of running sums against ε: DP-SGD, amplified bands, bands without amplification", "entry", false, bandsCost}

// bandedRun is a training whose noise may be correlated over bands.
type bandedRun struct {
	*view
	steps, rate, noise float64 // T, the share of the records in a batch, z of a column of norm one
	bands              int     // those of the entry; 0 if it is a training with independent noise
	// costs are the ε computed already, by noise, rate and steps: every search for the noise of an ε begins alike.
	costs map[[3]float64]float64
}

// newBandedRun returns the run of an entry, whose number from 0 is i.
func newBandedRun(v *view) (run bandedRun, i int, err error) {
	i, built, err := entryOf(v, "trains on no Poisson batches", func(d mechanisms.DPSGD) bool {
		return d.Batches == mechanisms.Poisson || d.Batches == ""
	})
	run = bandedRun{view: v, costs: map[[3]float64]float64{}}
	if err == nil {
		d, err := built.Resolve(v.Records)
		if err != nil {
			return run, i, err
		}
		run.steps, run.rate, run.noise = d.Steps, d.SamplingRate, d.NoiseMultiplier
	} else {
		at, m, none := entryOf(v, "", func(m mechanisms.Matrix) bool { return m.Cyclic })
		if none != nil {
			return run, i, err
		}
		d, err := m.AsTraining(v.Records)
		if err != nil {
			return run, at, err
		}
		i, run.steps, run.noise, run.bands = at, m.Steps, d.NoiseMultiplier, int(m.Bands)
		run.rate = d.SamplingRate / float64(run.bands)
	}
	switch {
	case !(v.Budget.Delta > 0):
		err = fmt.Errorf("bands are compared at equal ε, which needs a δ above 0")
	case run.steps > 1e5:
		err = fmt.Errorf("the error of this many steps takes too long to compute")
	case v.Adjacency == mechanisms.Replace || v.Group > 1:
		err = fmt.Errorf("bands with amplification are compared under add-remove and zero-out only")
	default:
		err = nil
	}
	return run, i, err
}

// cost returns the ε of the given steps at rate q, with noise z for a column of norm one, by RDP.
func (r bandedRun) cost(z, q, steps float64) float64 {
	at := [3]float64{z, q, steps}
	epsilon, known := r.costs[at]
	if !known {
		step := accounting.Subsample(accounting.GaussianDP(1/z), math.Min(1, q))
		epsilon = epsilonOf(r, accounting.RDP, []accounting.Entry{{Release: step, Count: steps}},
			accounting.Target{Delta: r.Budget.Delta})
		r.costs[at] = epsilon
	}
	return epsilon
}

// groupSteps returns the rate and the steps of a group, given the number of bands.
func (r bandedRun) groupSteps(bands int) (q, steps float64) {
	return float64(bands) * r.rate, math.Ceil(r.steps / float64(bands))
}

// epochSteps returns the rate and the steps of a record that is in one step of every epoch, in a fixed order.
func (r bandedRun) epochSteps() (q, steps float64) {
	return 1, math.Max(1, math.Ceil(r.steps*r.rate*(1-1e-9)))
}

// noiseFor returns the noise at which these steps cost ε, to one part in ten thousand.
func (r bandedRun) noiseFor(epsilon, q, steps float64) float64 {
	here, far := math.Log(r.noise), math.Log(1e3)
	_, log := special.Bisect(here-far, here+far, 1e-4, func(log float64) bool {
		return r.cost(math.Exp(log), q, steps) > epsilon
	})
	return math.Exp(log)
}

// maxBands returns the largest number of bands: no more than an epoch has steps.
func (r bandedRun) maxBands() int {
	return max(1, int(math.Min(r.steps, math.Min(1/r.rate*(1+1e-9), 2e8/r.steps))))
}

// errorFactor returns the error for noise z = 1 of a column of norm one.
func (r bandedRun) errorFactor(bands int) float64 {
	column, rms := mechanisms.BandedRootError(int(r.steps), bands)
	return column * rms
}

// eachBands calls do with 1, 2, 4 … bands, and with the most.
func (r bandedRun) eachBands(do func(bands int)) {
	for bands, last := 1, false; !last; bands = min(2*bands, r.maxBands()) {
		last = bands == r.maxBands() || r.Err() != nil
		do(bands)
	}
}

func bands(v *view) (Chart, error) {
	r, i, err := newBandedRun(v)
	if err != nil {
		return Chart{}, err
	}
	q, steps := r.groupSteps(max(1, r.bands))
	budget := r.cost(r.noise, q, steps)
	if math.IsInf(budget, 1) {
		return Chart{}, fmt.Errorf("this training has no finite ε to compare at")
	}
	q, steps = r.epochSteps()
	unsampled := r.noiseFor(budget, q, steps)
	series := Series{Name: "amplified"}
	plain := Series{Name: "no amplification", Faint: true}
	best := 0
	r.eachBands(func(bands int) {
		q, steps := r.groupSteps(bands)
		factor := r.errorFactor(bands)
		series.X, series.Y = append(series.X, float64(bands)), append(series.Y, r.noiseFor(budget, q, steps)*factor)
		plain.X, plain.Y = append(plain.X, float64(bands)), append(plain.Y, unsampled*factor)
		if series.Y[len(series.Y)-1] < series.Y[best] {
			best = len(series.Y) - 1
		}
	})
	return Chart{
		Title:  fmt.Sprintf("error of the running sums of entry %d against bands, at ε = %s", i+1, report.Upper(budget)),
		X:      Axis{Label: "bands", Log: true, Min: 1, Max: unset},
		Y:      Axis{Label: "RMS, in clipping norms", Log: true},
		Series: []Series{series, plain},
		Read:   math.Max(1, float64(r.bands)),
		Notes: []string{
			fmt.Sprintf("least at %s bands: %s, against %s with independent noise (1 band)", report.Short(series.X[best]), report.Nearest(series.Y[best]), report.Nearest(series.Y[0])),
			"at the ε of this training by RDP; with amplification records are put into groups without looking at them",
		},
	}, nil
}

func bandsCost(v *view) (Chart, error) {
	r, i, err := newBandedRun(v)
	if err != nil {
		return Chart{}, err
	}
	q, steps := r.groupSteps(max(1, r.bands))
	now := r.cost(r.noise, q, steps)
	if math.IsInf(now, 1) {
		return Chart{}, fmt.Errorf("this training has no finite ε to compare at")
	}
	number := r.bands
	if number <= 1 { // those with the least error at the present ε
		least := math.Inf(1)
		r.eachBands(func(bands int) {
			q, steps := r.groupSteps(bands)
			if e := r.noiseFor(now, q, steps) * r.errorFactor(bands); bands > 1 && e < least {
				least, number = e, bands
			}
		})
	}
	if number <= 1 {
		return Chart{}, fmt.Errorf("an epoch of this training has one step, so there is nothing to correlate noise over")
	}
	epsilons := curve.LogSpace(math.Max(0.02, now/16), math.Min(200, now*16), 17)
	line := func(name string, bands int, q, steps float64) Series {
		factor := r.errorFactor(bands)
		return Series{Name: name, X: epsilons, Y: v.valuesOver(epsilons,
			func(e float64) float64 { return r.noiseFor(e, q, steps) * factor })}
	}
	q, steps = r.groupSteps(number)
	amplified := line("amplified", number, q, steps)
	q, steps = r.groupSteps(1)
	alone := line("DP-SGD", 1, q, steps)
	q, steps = r.epochSteps()
	plain := line("no amplification", r.maxBands(), q, steps)
	c := Chart{
		Title:  fmt.Sprintf("error of the running sums of entry %d against ε", i+1),
		X:      Axis{Label: "ε", Log: true},
		Y:      Axis{Label: "RMS, in clipping norms", Log: true},
		Series: []Series{alone, amplified, plain},
		Read:   now,
	}
	c.Notes = append(noteLowestCurves(c.Series), fmt.Sprintf("ε by RDP; %d bands with amplification, for which records are put into groups without looking at them; %d without, as many as an epoch has steps, in a fixed order", number, r.maxBands()))
	return c, nil
}

// noteLowestCurves returns notes on which of several curves over the same ε is lowest, and from which ε on.
func noteLowestCurves(list []Series) (notes []string) {
	best := -1
	for i, epsilon := range list[0].X {
		now := 0
		for j := range list {
			if list[j].Y[i] < list[now].Y[i] {
				now = j
			}
		}
		switch {
		case math.IsNaN(list[now].Y[i]) || now == best:
			continue
		case best < 0:
			notes = append(notes, fmt.Sprintf("least error from ε = %s on: %s", report.Short(epsilon), list[now].Name))
		default:
			notes = append(notes, fmt.Sprintf("from about ε = %s on: %s", report.Short(crossing(list[best], list[now], i)), list[now].Name))
		}
		best = now
	}
	return notes
}

// crossing returns the approximate x at which one curve crosses another between points i−1 and i, on logarithmic axes.
func crossing(before, after Series, i int) float64 {
	gap := func(k int) float64 { return math.Log(after.Y[k] / before.Y[k]) }
	share := gap(i-1) / (gap(i-1) - gap(i))
	return math.Exp(math.Log(before.X[i-1]) + share*math.Log(before.X[i]/before.X[i-1]))
}
