package mechanisms

import (
	"errors"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/mechanisms/param"
)

// PartitionSelection releases which groups of a GROUP BY exist, if enough people are in them:
// a key that one person alone has must hardly ever show.
//
// A group's decision depends on its number of people only, so one person changes the decisions
// of at most Partitions groups, each taken with coins of its own. Each decision is
// (ε/k, 1−(1−δ)^{1/k})-DP, and k of them compose as a product to (ε, δ).
type PartitionSelection struct {
	Epsilon    float64 // > 0, for all groups of one person
	Delta      float64 // in (0, 1)
	Partitions float64 // k: groups one person may be in, a whole number ≥ 1
	Strategy   Strategy
	Output     SelectionOutput // "" is NamesAndCounts

	sigma float64 // of Gaussian noise
}

// SelectionOutput names what a selection releases of the groups that are shown.
type SelectionOutput string

const (
	NamesAndCounts SelectionOutput = "names-and-counts" // the noisy numbers of people that decided may be released too
	NamesOnly      SelectionOutput = "names"            // those numbers are thrown away
)

// Strategy is the rule by which a group is selected.
type Strategy string

const (
	OptimalSelection Strategy = "optimal"   // the largest probability that (ε, δ) allows
	LaplaceThreshold Strategy = "laplace"   // a noisy count against a threshold
	GaussThreshold   Strategy = "gaussian"  // with Gaussian noise
	GeometricCount   Strategy = "geometric" // with noise on whole numbers
)

// Strategies lists the ways to select groups.
func Strategies() []Strategy {
	return []Strategy{OptimalSelection, LaplaceThreshold, GaussThreshold, GeometricCount}
}

func partitionSelectionSpec() Spec {
	return Spec{
		Name: "partition-selection", Title: "Partition selection",
		Summary: "releases which groups exist, only those with enough people in them",
		Params: []param.Param{
			scalesWithNoise(-1, positive("epsilon", "ε", "privacy loss of the whole selection, for all groups of one person", 0.5, 1.1)),
			withReason(reasonGroupDelta, lessThan(1, positive("delta", "δ", "probability that a group with one person in it is shown, over all groups of that person", 1e-8, 10))),
			withReason(reasonPartitions, withDefault(natural("partitions", "k", "groups one person may be in; people are cut to that many before anything is selected", 1e9, 1, 1))),
			{
				Name: "strategy", Help: "how a group is selected by its number of people", Type: param.Choice,
				Choices: []string{
					string(OptimalSelection), string(LaplaceThreshold), string(GaussThreshold), string(GeometricCount),
				},
				Default: param.ChoiceValue(string(OptimalSelection)),
				Initial: param.ChoiceValue(string(OptimalSelection)),
				Means: map[string]string{
					string(OptimalSelection): "the largest probability that ε and δ allow (Google's and PipelineDP's truncated geometric)",
					string(LaplaceThreshold): "Laplace noise on the number of people, compared with a threshold; the noisy number may be released too",
					string(GaussThreshold):   "Gaussian noise on the number of people, compared with a threshold; the noisy number may be released too",
					string(GeometricCount):   "two-sided geometric noise on the number of people, compared with a threshold; the noisy number may be released too",
				},
			},
			{
				Name: "releases", Help: "what is released of a group that is shown; strategy: optimal has no noisy number, so that it releases names only", Type: param.Choice,
				Choices: []string{string(NamesAndCounts), string(NamesOnly)},
				Default: param.ChoiceValue(string(NamesAndCounts)), Initial: param.ChoiceValue(string(NamesAndCounts)),
				Means: map[string]string{
					string(NamesAndCounts): "its name, and the noisy number of people that was compared with the threshold",
					string(NamesOnly):      "its name alone: the noisy number is thrown away, and the threshold is exactly the one stated here",
				},
			},
		},
		build:            buildPartitionSelection,
		Source:           "Desfontaines, Voss, Gipson, Mandayam 2022 (optimal); Wilson et al. 2020 (Laplace threshold); Wilkins, Kifer, Zhang, Karrer 2024 (Gaussian threshold)",
		ZeroOutIsRemoval: true, NoAddRemoveNumber: numberAmbiguousBesideDelta,
		NoError: "a group is shown or not: the chart kept has the chance for every number of people",
		Notes: []string{
			"What is counted is people, not rows: a person with a thousand rows in a group counts once.",
			"People are cut to k groups before the selection, and the k are chosen without looking at what others have.",
			"Keys taken from the data without a selection give a person away with certainty: δ is then 1.",
			"With releases: names the cost is that of the names alone, at exactly the threshold that the entry's note names: another threshold, even a larger one, has another cost. With names-and-counts that threshold and any larger one are covered.",
			"Every query that selects its groups anew pays for it anew; a threshold chosen after looking at the counts has no ε.",
		},
	}
}

func buildPartitionSelection(r reader) (Mechanism, error) {
	p := PartitionSelection{Epsilon: r.number("epsilon"), Delta: r.number("delta"), Partitions: r.number("partitions"),
		Strategy: Strategy(r.choice("strategy")), Output: SelectionOutput(r.choice("releases"))}
	if err := checkLoss("epsilon", p.Epsilon/p.Partitions); err != nil {
		return nil, err
	}
	_, one := p.share()
	switch {
	case !(one > 1e-300):
		return nil, param.Errorf("delta", "is too small: each of %s groups would get a δ below what a number can hold", numeral.Format(p.Partitions))
	case p.Strategy != OptimalSelection && one > 0.5:
		return nil, param.Errorf("delta", "a threshold needs at most ½ per group, got %s: take strategy: optimal, or a smaller δ", numeral.Format(one))
	case p.Strategy == GaussThreshold:
		var ok bool
		if p.sigma, ok = p.calibrateGaussian(); !ok {
			return nil, param.Errorf("strategy", "no Gaussian noise was found that keeps ε = %s and δ = %s over %s groups: take strategy: laplace or optimal",
				numeral.Format(p.Epsilon), numeral.Format(p.Delta), numeral.Format(p.Partitions))
		}
	}
	return p, nil
}

// Kind returns "partition-selection".
func (PartitionSelection) Kind() string { return "partition-selection" }

// share returns the (ε, δ) of one group's decision: k of them have ε and δ together.
func (p PartitionSelection) share() (epsilon, delta float64) {
	return p.Epsilon / p.Partitions, -math.Expm1(math.Log1p(-p.Delta) / p.Partitions)
}

// Releases returns the decisions about the groups of a person, under add-remove. k people who
// change together are a chain of k steps: they may share groups or not.
func (p PartitionSelection) Releases(k float64) []accounting.Entry {
	return releasesOf(p, k, func() []accounting.Entry { return p.decisions(k, false) })
}

func (p PartitionSelection) validate() error {
	switch {
	case !slices.Contains([]SelectionOutput{"", NamesAndCounts, NamesOnly}, p.Output):
		return errors.New("Output must be what is released of a group, got " + numeral.Quote(string(p.Output)))
	case !slices.Contains(Strategies(), p.Strategy):
		return errors.New("Strategy must be a way to select groups, got " + numeral.Quote(string(p.Strategy)))
	case !(p.Delta > 0 && p.Delta < 1):
		return errors.New("Delta must be above 0 and below 1, got " + numeral.Format(p.Delta) + reasonGroupDelta)
	}
	if err := because(requireWhole(1, 1e9, field{"Partitions", p.Partitions}), reasonPartitions); err != nil {
		return err
	}
	epsilon, delta := p.share()
	switch {
	case !(delta > 1e-300):
		return errors.New("field Delta is too small for this many Partitions")
	case p.Strategy != OptimalSelection && delta > 0.5:
		return errors.New("a threshold needs a δ of at most ½ per group")
	}
	return checkLoss("Epsilon", epsilon)
}

// decisions returns the release of the groups of one person, for so many people, each of whom comes or
// goes; or, with moved, of one person who leaves her groups and enters as many others.
func (p PartitionSelection) decisions(people float64, moved bool) []accounting.Entry {
	const name = "Partition selection"
	epsilon, delta := p.share()
	kind, left := "shown", "left"
	if p.namesOnly() {
		kind, left = "names", "names-left"
	}
	if p.Strategy == GaussThreshold {
		sigma := p.Deviation()
		pair := func() pairs.Pair {
			tau := delta * (1 - thresholdMargin/2)
			if p.namesOnly() {
				return pairs.GaussianNames(p.names(), sigma, tau, p.Partitions, p.Epsilon, p.Delta)
			}
			return pairs.GaussianThreshold(sigma, tau, p.Partitions, p.Epsilon, p.Delta)
		}
		one := accounting.ApproximateWithPair(name, kind+"-gaussian", p.Epsilon, p.Delta, pair, p.Partitions)
		return oneRelease(accounting.GroupPrivacy(one, people))
	}
	pair := func() pairs.Pair {
		switch p.Strategy {
		case LaplaceThreshold, GeometricCount:
			if p.namesOnly() {
				return pairs.NamesPair(p.names())
			}
		}
		switch p.Strategy {
		case LaplaceThreshold:
			return pairs.NoisyThreshold(pairs.Laplace(epsilon), delta)
		case GeometricCount: // two-sided geometric noise moved by one is randomized response
			return pairs.NoisyThreshold(pairs.Pure(epsilon), p.noisyTail(p.Threshold()-1))
		}
		with, without := p.mostTelling()
		return pairs.OptimalDecision(epsilon, delta, with, without)
	}
	entered := accounting.ApproximateWithPair(name, kind, epsilon, delta, pair, string(p.Strategy))
	run := []accounting.Entry{{Release: entered, Count: p.Partitions}}
	if moved {
		reversed := func() pairs.Pair { in := pair(); return pairs.Pair{Remove: in.Add, Add: in.Remove} }
		gone := accounting.ApproximateWithPair(name, left, epsilon, delta, reversed, string(p.Strategy))
		run = append(run, accounting.Entry{Release: gone, Count: p.Partitions})
	}
	if people <= 1 {
		return run
	}
	return oneRelease(accounting.GroupPrivacy(accounting.WithName(accounting.Composite(run), name), people))
}

// namesOnly reports whether the noisy numbers of people that a threshold compares are not released.
func (p PartitionSelection) namesOnly() bool {
	return p.Output == NamesOnly && p.Strategy != OptimalSelection
}

// ReleasedText says what is released of a group that is shown.
func (p PartitionSelection) ReleasedText() string {
	switch {
	case p.namesOnly():
		return "names only, at the threshold " + numeral.Format(p.Threshold())
	case p.Strategy == OptimalSelection:
		return "names only"
	}
	return "names and noisy numbers of people"
}

// entriesIn returns the cost in a setting. A changed person leaves k groups and enters k others.
func (p PartitionSelection) entriesIn(s Setting, group float64) ([]accounting.Entry, []Note, error) {
	rate := s.Sampling
	sampled := rate > 0 && rate < 1
	switch {
	case s.Adjacency == Replace && p.Strategy != OptimalSelection:
		return nil, nil, param.Errorf("strategy", "a threshold is not supported under replace: nothing is proven here for a person who leaves some groups and enters others. Use strategy: optimal, or the adjacency add-remove or zero-out")
	case sampled:
		release := accounting.Subsample(accounting.Composite(p.decisions(1, false)), rate)
		if s.Adjacency == Replace { // one person leaves and another comes in
			release = accounting.AddRemoveToReplace(release)
		}
		return oneRelease(accounting.GroupPrivacy(release, group)), p.zeroNote(s), nil
	}
	notes := p.zeroNote(s)
	if group > 1 {
		notes = append(notes, NoteGroup)
	}
	return p.decisions(group, s.Adjacency == Replace), notes, nil
}

// zeroingRemoves holds if a zeroed record is in no group, as a note says.
func (PartitionSelection) zeroingRemoves() bool { return true }

// boundsAddRemove holds as the stated numbers are those of a person who comes or goes.
func (PartitionSelection) boundsAddRemove() bool { return true }

func (PartitionSelection) zeroNote(s Setting) []Note {
	if s.Adjacency == ZeroOut {
		return []Note{{"zero-out", "This holds if a zeroed record is in no group. If it is in one, choose replace."}}
	}
	return nil
}

func (p PartitionSelection) notes(given param.Values, at Setting) (list []Note) {
	if least := p.PeopleFor(0.5); at.Records > 0 && least > at.Records {
		list = append(list, Note{"never-shown", "Groups need about " + numeral.Format(least) + " people to be shown every second time, more than there are records: no group will be shown."})
	}
	if given.Has("releases") && p.Output == NamesAndCounts && p.Strategy == OptimalSelection {
		list = append(list, Note{"no-counts", "Only the names are priced: strategy: optimal has no noisy number of people to release. Counts need an entry of their own."})
	}
	if p.namesOnly() {
		list = append(list, Note{"names-threshold", "The cost is that of the names alone. It holds if the noisy number of people is thrown away and the threshold is exactly " +
			numeral.Format(p.Threshold()) + ": a larger one, such as this one rounded up, has another cost, which releases: names-and-counts covers, and a smaller one breaks δ."})
	}
	if p.Partitions >= 20 && p.Strategy == OptimalSelection {
		list = append(list, Note{"many-partitions", "With k groups per person ε is divided by k. A Gaussian threshold divides by √k only, and shows smaller groups."})
	}
	return list
}
