package mechanisms

import (
	"errors"
	"math"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/mechanisms/param"
)

// Shuffle releases the local reports of many people in random order (the shuffle model): who sent
// which is not known, so a report hides among those of the others. The shuffler itself sees a
// report with its sender, and there only the local ε protects.
type Shuffle struct {
	Of     Mechanism // what each person runs: randomized-response, frequency or pure
	People float64   // honest reporters, whose coins stay secret
}

func shuffleSpec() Spec {
	return Spec{
		Name: "shuffle", Title: "Shuffled reports",
		Summary: "randomized reports of many people in random order (shuffle model)",
		Params: []param.Param{
			{
				Name: runKind, Symbol: "of", Help: "what every person runs on her own value, the same for all, with coins of her own for every report", Type: param.Choice, Required: true, Initial: param.ChoiceValue("randomized-response"),
				Else: ": reports must be pure ε-DP, each with one message",
			},
			withReason(reasonPeople, withAlias("n", natural("people", "n", "how many of those who report are honest: their coins stay secret, and they do not collude. Not all who report", maxCount, 100_000, 1.25))),
		},
		Varies: runKind, build: buildShuffle, inner: []string{"randomized-response", "frequency", "pure"},
		Mappings:   runMappings("{mechanism: randomized-response, epsilon: 2}"),
		Source:     "Feldman, McMillan, Talwar 2021; Cheu, Smith, Ullman, Zeber, Zhilyaev 2019",
		SizePublic: true, Records: "people",
		NoError: "the error is that of the reports, shuffled or not", NoAddRemoveNumber: problemCounted,
		Notes: []string{
			"The number of reports is public: the guarantee is for replacing a record. Each person sends exactly one message, whatever the data.",
			"Nothing is gained against the shuffler, which sees the local ε; nor for more people than are honest, as known reports can be subtracted.",
			"Rounds compose if every report is randomized and shuffled anew. Memoised reports are not supported: who leaves or joins shows by the difference.",
			"Row, hash or cohort must be drawn anew for every report. One that belongs to a person is not hidden by shuffling.",
			"The upper end is the bound by clones or, for up to 1024 people with binary reports, over all inputs of the others; the lower end is an attack with all others alike.",
		},
	}
}

func buildShuffle(r reader) (Mechanism, error) {
	kind, values, _ := RunOf(Shuffle{}.Kind(), r.values)
	of, err := New(kind, values)
	if err != nil {
		return nil, ofRun(err)
	}
	if f, ok := of.(Frequency); ok && f.People > 0 {
		return nil, param.Errorf(runPrefix+"people", "is said once, for the shuffle: give people there")
	} else if ok && f.Memoised {
		return nil, param.Errorf(runPrefix+"reports", "memoised reports are not supported in a shuffle: if one person joins, leaves or changes her value, the difference of two shuffled sets is her report. Say fresh if every report is randomized anew; else price the local reports")
	}
	return Shuffle{of, r.number("people")}, nil
}

// Kind returns "shuffle".
func (Shuffle) Kind() string { return "shuffle" }

// LocalEpsilon returns the ε of one report before it is shuffled: what the shuffler sees.
func (s Shuffle) LocalEpsilon() float64 { return s.reports().Epsilon }

// reports describes the local randomizer.
func (s Shuffle) reports() pairs.Reports {
	switch of := s.Of.(type) {
	case RandomizedResponse:
		f := Frequency{Protocol: GRR, Epsilon: of.Epsilon, Domain: of.Categories}
		own, other := f.support()
		return pairs.Reports{Epsilon: of.Epsilon, Weight: f.Weight(), Own: own, Other: other}
	case Frequency:
		if of.AnyHash || of.Hashes > 1 { // ratios of a Bloom filter have more than three values
			return pairs.Reports{Epsilon: of.Epsilon}
		}
		own, other := of.support()
		return pairs.Reports{Epsilon: of.Epsilon, Weight: of.Weight(), Own: own, Other: other}
	case Pure: // which may be binary randomized response
		far := math.Exp(-of.Epsilon)
		return pairs.Reports{Epsilon: of.Epsilon, Own: 1 / (1 + far), Other: far / (1 + far)}
	}
	return pairs.Reports{Epsilon: math.NaN()}
}

// Releases returns one round; for k records a chain of k changes.
func (s Shuffle) Releases(k float64) []accounting.Entry {
	return releasesOf(s, k, func() []accounting.Entry {
		return oneRelease(accounting.GroupPrivacy(accounting.ShuffledReports(s.reports(), s.People), k))
	})
}

func (s Shuffle) validate() error {
	if err := because(requireWhole(1, maxCount, field{"People", s.People}), reasonPeople); err != nil {
		return err
	}
	switch of := s.Of.(type) {
	case RandomizedResponse:
		return of.validate()
	case Frequency:
		if of.Memoised {
			return errors.New("field Of must not be a memoised report: the difference of two shuffled sets may be one person's")
		}
		return of.validate()
	case Pure:
		return of.validate()
	}
	return errors.New("field Of must be RandomizedResponse, Frequency or Pure: reports of pure ε-DP")
}

// entriesIn returns the cost under replace, or under zero-out if a zeroed record still answers.
func (s Shuffle) entriesIn(at Setting, group float64) ([]accounting.Entry, []Note, error) {
	var notes []Note
	switch {
	case at.Adjacency == AddRemove || at.Adjacency == "":
		return nil, nil, param.Errorf("mechanism", "shuffled reports are not supported under add-remove: they can be counted, so it shows whether a person reports. Use the adjacency replace")
	case at.Sampling > 0 && at.Sampling < 1:
		return nil, nil, param.Errorf("sampling", "a sample of the people is not supported for shuffled reports: fewer people hide less, and how many there are varies. Give the least number that report as people")
	case at.Also.AddRemove:
		return nil, nil, param.Errorf("also", "%s", problemCounted)
	case at.Adjacency == ZeroOut:
		notes = append(notes, NoteZeroAnswer)
	}
	if group > 1 {
		notes = append(notes, NoteGroup)
	}
	return s.Releases(group), notes, nil
}

func (s Shuffle) notes(_ param.Values, at Setting) (list []Note) {
	local := s.LocalEpsilon()
	list = append(list, Note{"local-epsilon", "Two guarantees hold: the analyst sees shuffled reports and the ε shown; the shuffler, and anyone who reads its input, sees reports of ε = " + numeral.Format(numeral.RoundUp(local, 4)) + " each."})
	if s.People*math.Exp(-local) < 10 {
		list = append(list, Note{"few-clones", "With this ε hardly any report of the others looks like hers (people × e^−ε is below 10): shuffling hides little or nothing."})
	}
	return list
}

func (s Shuffle) zeroingRemoves() bool { return false }

func (s Shuffle) boundsAddRemove() bool { return false }

func (s Shuffle) equivalents(given param.Values) map[string]float64 {
	_, values, _ := RunOf(Shuffle{}.Kind(), given)
	known := map[string]float64{}
	for name, x := range Equivalents(s.Of.Kind(), values) {
		known[runPrefix+name] = x
	}
	return known
}
