package mechanisms

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// SamplingScheme is the scheme by which the batches of a training are sampled.
type SamplingScheme string

const (
	Poisson   SamplingScheme = "poisson"   // each record on its own, for every step
	Fixed     SamplingScheme = "fixed"     // a fixed number of records, sampled anew for every step
	Shuffled  SamplingScheme = "shuffled"  // the data in random order, cut into batches
	Allocated SamplingScheme = "allocated" // each record to one batch of the pass, on its own
	Truncated SamplingScheme = "truncated" // Poisson, each batch cut to a maximum size
)

func drawings() []string {
	return []string{string(Poisson), string(Fixed), string(Shuffled), string(Allocated), string(Truncated)}
}

// entriesIn returns the cost of training in its setting, by its sampling scheme.
func (d DPSGD) entriesIn(s Setting, group float64) (entries []accounting.Entry, notes []Note, err error) {
	d, err = d.Resolve(s.Records)
	if err != nil {
		return nil, nil, err
	}
	release, count, err := d.stepRelease(s.Adjacency, group)
	if err != nil {
		return nil, nil, err
	}
	if s.Sampling > 0 && s.Sampling < 1 {
		notes = append(notes, NoteOwnSampling)
	}
	absent := d.Batches == Poisson || d.Batches == Allocated
	switch {
	case s.Adjacency == Replace && d.Batches == Poisson:
		notes = append(notes, NoteSGDReplace)
	case s.Adjacency == ZeroOut && absent:
		notes = append(notes, NoteZeroOut)
	}
	if group > 1 && accounting.UsesGenericGroupBound(release) {
		notes = append(notes, NoteGroup)
	}
	if fewest, most, cut := d.batchesPerPass(); cut && fewest != most {
		notes = append(notes, batchesNote(d.Batches, fewest, most))
	}
	whole := math.Floor(count)
	certain := whole
	if _, most, cut := d.batchesPerPass(); cut { // with more batches per pass there are fewer passes
		certain = math.Min(whole, math.Floor(d.Steps/most))
	}
	broken := 0.0
	if count > certain { // steps are left after the passes that certainly take place
		broken = 1
	}
	if certain > 0 {
		entries = append(entries, accounting.Entry{Release: release, Count: certain})
	}
	if possible := math.Ceil(count) - certain - broken; possible > 0 {
		entries = append(entries, accounting.Entry{Release: accounting.PossiblePass(release), Count: possible})
	}
	if broken > 0 {
		last := d.brokenPass(release, certain, s.Adjacency, group)
		entries = append(entries, accounting.Entry{Release: last, Count: 1})
	}
	return entries, notes, nil
}

// brokenPass returns the release of the steps that are left after passes that certainly are whole. It may be whole
// itself if 1/q is not.
//
// Of allocated batches it is known exactly: a record is in one of its batches with probability
// s = batches/t, and is allocated evenly among them then; else it leaves no trace. With P and Q the distributions
// of a pass over these batches alone, with and without the record, that is (1−s)·Q + s·P against Q, a
// Poisson sample of such a pass.
//
// Of shuffled ones, and if 1/q is not whole, the upper end is a whole pass. The lower end has the steps
// that are left if every pass before had the most batches, no more than fewest: with fewer batches per
// pass, too, a pass begins with so many, and it holds a record at least as probably.
func (d DPSGD) brokenPass(whole accounting.Release, certain float64, a Adjacency, group float64) accounting.Release {
	fewest, most, _ := d.batchesPerPass()
	left := math.Min(d.Steps-certain*most, fewest)
	if !(left >= 1) {
		return accounting.PossiblePass(whole)
	}
	if d.Batches == Shuffled {
		part := accounting.ShuffledPass(left, d.NoiseMultiplier, d.SamplingRate, group, a == Replace)
		return accounting.PartOf(whole, part)
	}
	part := accounting.Subsample(accounting.AllocatedPass(left, d.NoiseMultiplier), left/most)
	if a == Replace {
		part = accounting.AddRemoveToReplace(part)
	}
	if part = accounting.GroupPrivacy(part, group); fewest == most {
		return part
	}
	return accounting.PartOf(whole, part)
}

// batchesNote says how many batches a pass was taken to have if 1/q is not whole.
func batchesNote(scheme SamplingScheme, fewest, most float64) Note {
	return Note{"batches-per-pass", fmt.Sprintf("The sampling rate does not divide the data into whole batches: a pass of %s batches has %s or %s of them. "+
		"The upper end takes %s, which hides less, the lower end %s.", scheme, numeral.Format(fewest), numeral.Format(most), numeral.Format(fewest), numeral.Format(most))}
}

// stepRelease returns the release of one step or pass, and how many there are.
func (d DPSGD) stepRelease(a Adjacency, group float64) (r accounting.Release, count float64, err error) {
	z, q := d.NoiseMultiplier, d.SamplingRate
	stays := a == Replace || a == ZeroOut
	switch {
	case d.Batches == Fixed:
		shift := map[Adjacency]float64{ZeroOut: 1, Replace: 2}[a]
		return accounting.GroupPrivacy(accounting.FixedBatch(z, q, shift), group), d.Steps, nil
	case d.Batches == Shuffled && !stays:
		return nil, 0, param.Errorf("batches", "%s", problemShuffled)
	case d.Batches == Shuffled:
		return accounting.ShuffledPass(d.perPass(), z, q, group, a == Replace), d.passes(), nil
	case d.Batches == Truncated && a == ZeroOut:
		return nil, 0, param.Errorf("batches", "%s", problemTruncated)
	case d.Batches == Truncated && group > 1:
		return nil, 0, errors.New(problemTruncatedGroup)
	case d.Batches == Truncated:
		r, count = accounting.TruncatedBatch(z, q, d.Records, d.MaxBatch), d.Steps
	case d.Batches == Allocated:
		fewest, most, _ := d.batchesPerPass()
		r, count = accounting.AllocatedPassBetween(fewest, most, z), d.passes()
	default:
		r, count = accounting.Subsample(accounting.GaussianDP(1/z), q), d.Steps
	}
	if a == Replace {
		r = accounting.AddRemoveToReplace(r)
	}
	return accounting.GroupPrivacy(r, group), count, nil
}

const (
	problemShuffled = "shuffled batches are not supported under add-remove: every later batch would shift, and the number of records would reveal the change. " +
		"Use zero-out or replace, or another sampling scheme"
	problemTruncated = "truncated batches are not supported under zero-out: a zeroed record still takes a place in a full batch, which the proof does not cover. " +
		"Use add-remove or replace"
	problemRecords = "needs the number of records: give records to this entry, or to the scenario if the entry is in no parallel branch " +
		"(a branch has only part of them)"
	problemTruncatedGroup = "group: truncated batches are supported for one record per person only; no proof covers several"
)

// BatchAssumption says how batches are drawn from the given number of records (0 if unknown), how many a pass
// has if they are cut from the data, and what the user must ensure. It is "" for Poisson samples, whose
// wording is the caller's.
func (d DPSGD) BatchAssumption(records float64) string {
	switch d.Batches {
	case Poisson, "":
		return ""
	case Truncated:
		return strings.Replace(schemeDescriptions[string(Truncated)], "max_batch", numeral.Format(d.MaxBatch), 1)
	}
	means := schemeDescriptions[string(d.Batches)]
	if of, err := d.Resolve(records); err == nil {
		fewest, most, cut := of.batchesPerPass()
		switch {
		case cut && fewest == most:
			means += "; a pass has " + numeral.Format(fewest) + " batches"
		case cut:
			means += "; a pass has " + numeral.Format(fewest) + " or " + numeral.Format(most) + " batches"
		}
	}
	return means
}

// DescribeScheme returns how a sampling scheme draws batches, and what the user must ensure; "" for an
// unknown scheme.
func DescribeScheme(d SamplingScheme) string { return schemeDescriptions[string(d)] }

// schemeDescriptions says for each sampling scheme how batches are drawn, and what the user must ensure.
var schemeDescriptions = map[string]string{
	string(Poisson):   "every record is sampled independently with the stated rate for every step; who is sampled stays secret, and the divisor is a constant, not the number of sampled records",
	string(Fixed):     "every step draws a batch of fixed size uniformly from all records, anew and without replacement; who is sampled stays secret; the size of a batch is a public constant, and it is the divisor",
	string(Shuffled):  "the records are shuffled and cut into batches of fixed size, so that each is in one batch per pass; no amplification by shuffling is applied, because none is proven; the number of records is public, and the divisor is a constant",
	string(Allocated): "every pass assigns each record to one of its batches, uniformly, independently and anew (balls and bins); the assignment stays secret, and the divisor is a constant, not the number of records in a batch",
	string(Truncated): "every record is sampled independently with the stated rate for every step, and a batch of more than max_batch records is cut to max_batch of them, chosen uniformly at random (truncated Poisson sampling); who is sampled stays secret, the divisor is a constant, and the number of records is public: the bound holds for exactly that number",
}

// overflow returns at least the probability that one of the batches is cut, of truncated ones; 0 of
// others, and where the number of records is not known.
func (d DPSGD) overflow(records float64) float64 {
	d, err := d.Resolve(records)
	if err != nil || d.Batches != Truncated {
		return 0
	}
	more, _, ok := accounting.Overflow(d.Records+1, d.SamplingRate, d.MaxBatch+1)
	if !ok {
		return 1
	}
	return math.Min(1, d.Steps*more)
}

// CutNote says what cutting batches is worth to an accounting that does not know of it: at ε, the
// probability that a batch is cut times 1+e^ε (Chua et al. 2024, "Scalable DP-SGD"). "" where
// none is cut.
func (d DPSGD) CutNote(records, epsilon float64) string {
	cut := d.overflow(records)
	if cut == 0 {
		return ""
	}
	up := func(x float64) string { return numeral.Format(numeral.RoundUp(x, 4)) }
	added := "1 or more"
	if x := cut * (1 + math.Exp(epsilon)); x < 1 {
		added = up(x)
	}
	return fmt.Sprintf("a batch is cut with a probability of at most %s in all steps of a training together; an accounting of plain Poisson samples has to add 1+e^ε times that to δ, %s at ε = %s; here it is part of the cost",
		up(cut), added, up(epsilon))
}

// zeroingRemoves reports whether a zeroed record has the same effect as an absent one. It has not
// in batches of fixed size, in which a zeroed record takes a place.
func (d DPSGD) zeroingRemoves() bool {
	return d.Batches == "" || d.Batches == Poisson || d.Batches == Allocated
}

// boundsAddRemove holds as what one record adds to a gradient is clipped.
func (DPSGD) boundsAddRemove() bool { return true }

// LargestBatch returns all records, and about twice the size that batches have.
func (d DPSGD) LargestBatch(records float64) (all, likely float64, err error) {
	of, err := d.Resolve(records)
	switch {
	case err != nil:
		return 0, 0, err
	case of.Records == 0:
		return 0, 0, param.Errorf("max_batch", problemRecords)
	case of.Batches != Poisson && of.Batches != Truncated:
		return 0, 0, param.Errorf("max_batch", "cuts Poisson samples; the batches here are %s", string(of.Batches))
	}
	return of.Records, math.Min(of.Records, 2*of.SamplingRate*of.Records+10), nil
}

// WithMaxBatch returns the values with batches cut to at most `most` records.
func (DPSGD) WithMaxBatch(v param.Values, most float64) param.Values {
	v = v.Clone()
	v["max_batch"], v["batches"] = param.WholeValue(most), param.ChoiceValue(string(Truncated))
	return v
}
