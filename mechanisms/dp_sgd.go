package mechanisms

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// Records, batch size, epochs and the noise multiplier come in; the sampling rate, the number of steps and the
// release of each step go out.

// DPSGD trains by gradient descent with clipped, noised gradients over batches: each step
// is a Gaussian release with σ = z·(clipping norm) (Abadi et al. 2016). What it costs
// depends on how the batches are drawn; see [SamplingScheme].
type DPSGD struct {
	NoiseMultiplier float64 // z
	SamplingRate    float64 // q in (0, 1]; 0 if Batch is given
	Steps           float64 // 0 if Epochs is given
	Batches         SamplingScheme
	Batch           float64 // records in a batch, on average
	Epochs          float64 // passes over the data
	Records         float64 // 0 if the scenario says it
	MaxBatch        float64 // truncated batches only
}

func dpsgdSpec() Spec {
	return Spec{
		Name: "dp-sgd", Title: "DP-SGD",
		Summary: "trains a model by noisy gradient steps on random samples",
		Params: []param.Param{
			noiseMultiplierParam(1.1),
			upTo(1, optional(positive("sampling_rate", "q", "share of the records in a step's batch: batch / records", 0.01, 1.1))),
			optional(natural("batch", "B", "records in a step's batch, on average if each is sampled independently; needs records", 1e15, 256, 1.25)),
			optional(natural("steps", "T", "how many steps are taken: epochs × records / batch", maxCount, 1000, 1.25)),
			upTo(maxCount, optional(positive("epochs", "E", "passes over the data: steps × batch / records", 10, 1.25))),
			{
				Name: "batches", Help: "how batches are drawn; most loaders shuffle", Type: param.Choice, Choices: drawings(), Means: schemeDescriptions,
				Default: param.ChoiceValue(string(Poisson)), Initial: param.ChoiceValue(string(Poisson)),
			},
			optional(natural("max_batch", "Bₘ", "most records kept of a truncated batch", 1e15, 512, 1.1)),
			optional(natural("records", "n", "records trained on, if not those of the scenario: the fewest that the data may have (truncated batches: exactly how many there are)", 1e15, 60_000, 1.25)),
		},
		Alternatives: []param.Alternative{
			{Sets: [][]string{{"sampling_rate"}, {"batch"}}},
			{Sets: [][]string{{"steps"}, {"epochs"}}},
		},
		build:  buildDPSGD,
		Source: "Abadi et al. 2016; Mironov, Talwar, Zhang 2019",
		Rate:   "sampling_rate", Records: "records", NoError: onlyStated, NoAddRemoveNumber: "DP-SGD knows what an absent record costs; leave the number out",
		Notes: []string{
			"batches: poisson is the default of the theory, and not what most loaders do; at noise 1, 100 batches, one pass and δ = 1e-6 shuffled batches cost 4.7 to 4.9, Poisson batches 0.95.",
			"The central-limit value (GDP) is an approximation, not a bound: at q = 0.01, z = 1.1, 10⁴ steps, δ = 1e-5 it says 5.065 and the truth is 5.1926.",
		},
	}
}

func buildDPSGD(r reader) (Mechanism, error) {
	d := DPSGD{
		NoiseMultiplier: r.number("noise_multiplier"), SamplingRate: r.number("sampling_rate"), Steps: r.number("steps"),
		Batches: SamplingScheme(r.choice("batches")), Batch: r.number("batch"), Epochs: r.number("epochs"),
		Records: r.number("records"), MaxBatch: r.number("max_batch"),
	}
	if d.Batches == Truncated && !r.has("max_batch") {
		return nil, param.Errorf("max_batch", "is missing; truncated batches need the most records a batch may hold")
	}
	if _, err := d.Resolve(d.Records); err != nil && d.Records > 0 {
		return nil, err
	}
	return d, checkLoss("noise_multiplier", d.Step().Mu())
}

// Resolve returns the training with its rate and its steps filled in, from whichever fields were
// given. records is the number of records of the data, used if the training states none.
func (d DPSGD) Resolve(records float64) (DPSGD, error) {
	if d.Records == 0 {
		d.Records = records
	}
	if d.Batches == "" {
		d.Batches = Poisson
	}
	if d.Batch > 0 {
		switch {
		case d.Records == 0:
			return d, param.Errorf("batch", problemRecords)
		case d.Batch > d.Records:
			return d, param.Errorf("batch", "must be at most the number of records, %s, got %s", numeral.Format(d.Records), numeral.Format(d.Batch))
		}
		d.SamplingRate = d.Batch / d.Records
	}
	if d.Batches == Truncated && d.Records == 0 {
		return d, param.Errorf("max_batch", problemRecords)
	}
	if d.Epochs > 0 {
		d.Steps = math.Ceil(d.Epochs * d.perPass() * (1 - 1e-12))
	}
	return d, nil
}

// perPass returns the number of steps per pass over the data: whole ones if batches are cut from
// the data.
func (d DPSGD) perPass() float64 {
	if fewest, _, cut := d.batchesPerPass(); cut {
		return fewest
	}
	return 1 / d.SamplingRate
}

// batchesPerPass returns the fewest and the most batches that a pass may have, which differ if 1/q is
// not whole; cut is false for batches that are not cut from the data.
func (d DPSGD) batchesPerPass() (fewest, most float64, cut bool) {
	const margin = 1e-12 // of a rate that is a quotient
	fewest = math.Max(1, math.Floor(1/d.SamplingRate*(1+margin)))
	most = math.Max(fewest, math.Ceil(1/d.SamplingRate*(1-margin)))
	return fewest, most, d.Batches == Shuffled || d.Batches == Allocated
}

// passes counts the passes over the data; part of one is a fraction.
func (d DPSGD) passes() float64 { return d.Steps / d.perPass() }

func (d DPSGD) equivalents(param.Values) map[string]float64 {
	of, err := d.Resolve(0)
	if err != nil {
		return map[string]float64{}
	}
	known := map[string]float64{"sampling_rate": of.SamplingRate, "steps": of.Steps, "epochs": of.Steps / of.perPass()}
	if of.Records > 0 {
		known["batch"] = math.Round(of.SamplingRate * of.Records)
	}
	return known
}

func (DPSGD) Kind() string { return "dp-sgd" }

// Step returns the Gaussian release of one step, in units of the clipping norm, before
// sampling.
func (d DPSGD) Step() Gaussian { return Gaussian{Sigma: d.NoiseMultiplier, Sensitivity: 1} }

// Releases returns the cost of training under add-remove or, if that is not known, under
// zero-out. It is unsupported if the rate of a batch is not known.
func (d DPSGD) Releases(k float64) []accounting.Entry {
	return releasesOf(d, k, func() []accounting.Entry {
		return defaultEntries(d, k, "DP-SGD", "the number of records is not known, so neither is the rate")
	})
}

// validate leaves to [DPSGD.Resolve] what follows from the number of records.
func (d DPSGD) validate() error {
	known := d.Batches == "" || slices.Contains(drawings(), string(d.Batches))
	switch {
	case !known:
		return fmt.Errorf("field Batches must be a sampling scheme, got %s", numeral.Quote(string(d.Batches)))
	case d.Batches == Truncated && !(d.MaxBatch >= 1):
		return fmt.Errorf("MaxBatch must be at least 1 for truncated batches, got %s", numeral.Format(d.MaxBatch))
	case !(d.SamplingRate > 0) && !(d.Batch > 0):
		return errors.New("one of SamplingRate and Batch must be given, above 0")
	case d.SamplingRate > 1:
		return fmt.Errorf("SamplingRate must be at most 1, got %s", numeral.Format(d.SamplingRate))
	case !(d.Steps > 0) && !(d.Epochs > 0):
		return errors.New("one of Steps and Epochs must be given, above 0")
	case d.Epochs > maxCount:
		return errors.New("Epochs must be at most " + numeral.Format(maxCount))
	}
	err := cmp.Or(requirePositive(field{"NoiseMultiplier", d.NoiseMultiplier}),
		requireAtLeastZero(field{"SamplingRate", d.SamplingRate}, field{"Epochs", d.Epochs}),
		requireWhole(0, 1e15, field{"Batch", d.Batch}, field{"Records", d.Records}, field{"MaxBatch", d.MaxBatch}),
		requireWhole(0, maxCount, field{"Steps", d.Steps}),
		checkLoss("NoiseMultiplier", d.Step().Mu()))
	if err != nil {
		return err
	}
	// What is given twice must be the same, as after Resolve.
	of, err := d.Resolve(0)
	if err == nil && (d.SamplingRate > 0 && of.SamplingRate != d.SamplingRate || d.Steps > 0 && of.Steps != d.Steps) {
		return errors.New("SamplingRate contradicts Batch, or Steps contradict Epochs: give one of each")
	}
	if err != nil && d.Batch > 0 && d.SamplingRate > 0 {
		return errors.New("SamplingRate and Batch are both given: give one of them")
	}
	return nil
}

// FullBatch returns the values of a training with the same number of steps, each on all the
// data, and whether that costs more. Shuffled batches have no amplification to lose.
func (d DPSGD) FullBatch(records float64) (param.Values, bool, error) {
	of, err := d.Resolve(records)
	whole := param.Values{
		"noise_multiplier": param.NumberValue(d.NoiseMultiplier),
		"sampling_rate":    param.NumberValue(1),
		"steps":            param.WholeValue(of.Steps),
	}
	return whole, of.SamplingRate < 1 && of.Batches != Shuffled, err
}

// answers returns the noise of one step around the record's contribution and around its
// neighbour's. Under replace the contribution may change sign, and in a batch of fixed size
// another record takes its place.
func (d DPSGD) answers(a Adjacency) (here, neighbour Noise) {
	if a == Replace || d.Batches == Fixed {
		return neighbourNoise(d.Noise(), 2)
	}
	return neighbourNoise(d.Noise(), 1)
}

// Noise returns the noise of one step, in units of the clipping norm.
func (d DPSGD) Noise() Noise { return GaussianNoise(d.NoiseMultiplier) }

func (d DPSGD) notes(_ param.Values, at Setting) (list []Note) {
	d, err := d.Resolve(at.Records)
	if err != nil {
		return nil
	}
	batch := d.SamplingRate * d.Records
	if d.Batches == Truncated && batch > d.MaxBatch {
		list = append(list, Note{"most-batches-cut", fmt.Sprintf(
			"Batches hold %.6g records on average, and %s are kept: most are cut. The bound is for exactly %s records; with fewer it can be larger.",
			batch, numeral.Format(d.MaxBatch), numeral.Format(d.Records))})
	}
	if batch > 0 && batch < 1 {
		list = append(list, Note{"batch-below-one", "With this sampling rate and number of records a batch holds less than one record on average."})
	}
	if off := math.Abs(batch - math.Round(batch)); batch >= 1 && off > 1e-6*batch && batch < 1e6 {
		list = append(list, Note{"batch-not-whole", fmt.Sprintf(
			"The sampling rate times the number of records is %.6g, not a whole batch: the rate should be batch/n, as in %s/%s.",
			batch, numeral.Format(math.Max(1, math.Round(batch))), numeral.Format(d.Records))})
	}
	return list
}
