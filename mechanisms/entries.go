package mechanisms

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/mechanisms/param"
)

// A mechanism and its setting (adjacency, group, sampling) come in; releases with counts go out, and notes on
// them.

// settingAware is a mechanism that computes its own entries for a setting, because its sampling or adjacency is
// part of the mechanism.
type settingAware interface {
	// entriesIn returns the cost of one run for a group of records.
	entriesIn(s Setting, group float64) (entries []accounting.Entry, notes []Note, err error)
}

// defaultEntries returns the cost of such a mechanism under add-remove or, if that is
// unsupported, under zero-out; if both are, an unsupported release with the reason.
func defaultEntries(m settingAware, group float64, name, reason string) []accounting.Entry {
	for _, a := range []Adjacency{AddRemove, ZeroOut} {
		if entries, _, err := m.entriesIn(Setting{Adjacency: a}, group); err == nil {
			return entries
		}
	}
	return oneRelease(accounting.NewUnsupported(name, reason))
}

// Entries returns the cost of the mechanism in its setting, with notes on how that was computed.
//
// A stated guarantee holds for the setting's adjacency, on every data set. Sampling reduces ε only if the
// guarantee holds under add-remove, or is claimed to (see [Also]); for a guarantee under replace alone,
// sampling reduces only δ.
//
// Sampling is applied before group privacy: each of a person's records is sampled independently, so a sampled
// release for k records differs from the sample of a release for k records.
func Entries(m Mechanism, s Setting) (entries []accounting.Entry, notes []Note, err error) {
	if err := Validate(m); err != nil {
		return nil, nil, err
	}
	if s.AddRemoveMechanism != nil {
		if err := Validate(s.AddRemoveMechanism); err != nil {
			return nil, nil, err
		}
	}
	group, rate, err := s.validate(m)
	if err != nil {
		return nil, nil, err
	}
	own, reads := m.(settingAware)
	absent, public := BoundsAddRemove(m, s.Adjacency), specOf(m).SizePublic
	switch {
	case reads:
		entries, notes, err = own.entriesIn(s, group)
	case rate < 1 && absent && !public:
		entries = sampleRun(m.Releases(1), rate, group, accounting.Subsample)
	case rate < 1 && !absent && s.Also.AddRemove:
		entries = sampleRun(m.Releases(1), rate, group, s.amplifyReplaceClaim)
	case rate < 1 && !absent:
		entries = revealedRun(m, rate, group)
	default:
		entries = m.Releases(group)
	}
	general := false
	for i, e := range entries {
		entries[i].Count *= cmp.Or(s.Count, 1)
		general = general || group > 1 && accounting.UsesGenericGroupBound(e.Release)
	}
	if !reads {
		notes = s.notes(m, rate, general)
	}
	return entries, notes, err
}

// amplifyReplaceClaim amplifies a release with a guarantee under replace that is stated to hold for an absent record
// too.
func (s Setting) amplifyReplaceClaim(r accounting.Release, rate float64) accounting.Release {
	if s.AddRemoveMechanism == nil {
		return accounting.SampledReplace(r, rate)
	}
	return accounting.SampledReplaceBy(accounting.Composite(s.AddRemoveMechanism.Releases(1)), r, rate)
}

// revealedRun runs the mechanism on a sample if the analyst may see how many of a person's records were sampled.
// In randomized response each has a report of its own.
func revealedRun(m Mechanism, rate, group float64) []accounting.Entry {
	if specOf(m).Local {
		one := accounting.RevealedSample(accounting.Composite(m.Releases(1)), rate)
		return []accounting.Entry{{Release: one, Count: group}}
	}
	of := func(records float64) accounting.Release { return accounting.Composite(m.Releases(records)) }
	return oneRelease(accounting.RevealedGroup(of, rate, group))
}

func (s Setting) notes(m Mechanism, rate float64, general bool) (notes []Note) {
	add := func(when bool, note Note) {
		if when {
			notes = append(notes, note)
		}
	}
	spec, sampled, absent := specOf(m), rate < 1, BoundsAddRemove(m, s.Adjacency)
	public, response := spec.SizePublic, spec.Local
	add(s.Also.AddRemove && absent, NoteAlsoIdle)
	add(sampled && !absent && s.Also.AddRemove && s.AddRemoveMechanism == nil, NoteAlso)
	add(sampled && !absent && s.Also.AddRemove && s.AddRemoveMechanism != nil, NoteAlsoNumber)
	add(sampled && !s.Also.AddRemove && s.Adjacency == Replace, NoteRevealed)
	add(sampled && !s.Also.AddRemove && s.Adjacency == ZeroOut && !absent && !response, NoteZeroCounted)
	add(sampled && s.Adjacency == ZeroOut && absent, NoteZeroOut)
	add(response && absent, NoteCountedAnswers)
	add(response && s.Adjacency == ZeroOut, NoteZeroAnswer)
	add(public && !response && (absent || s.Adjacency == ZeroOut) && !sampled, NoteFixedN)
	add(public && !response && sampled, NoteFixedNSampled)
	add(general, NoteGroup)
	return notes
}

// validate reads the setting; what was left zero means one record and no sampling.
func (s Setting) validate(m Mechanism) (group, rate float64, err error) {
	switch {
	case s.Also.AddRemove && specOf(m).Local:
		return 0, 0, param.Errorf("also", "%s", problemCounted)
	case s.Also.Number != 0 && s.AddRemoveMechanism == nil && s.Also.AddRemove:
		return 0, 0, param.Errorf("also", "the number for add-remove needs the mechanism that has it (WithAddRemoveNumber)")
	}
	group, rate = cmp.Or(s.Group, 1), cmp.Or(s.Sampling, 1)
	switch {
	case !slices.Contains([]Adjacency{"", AddRemove, Replace, ZeroOut}, s.Adjacency): // "" is add-remove
		err = errors.New("adjacency: must be one of add-remove, replace, zero-out, got " + numeral.Quote(string(s.Adjacency)))
	case CheckRuns(m, s.Count) != nil:
		err = CheckRuns(m, s.Count)
	case s.Count != 0 && !(s.Count >= 1 && s.Count <= maxCount && s.Count == math.Trunc(s.Count)):
		err = errors.New("count: must be a whole number, at least 1 and at most 1e12, got " + numeral.Format(s.Count))
	case !(group >= 1) || group != math.Trunc(group) || math.IsInf(group, 1):
		err = errors.New("group: must be a whole number, at least 1, got " + numeral.Format(group))
	case !(rate > 0 && rate <= 1):
		err = errors.New("sampling rate: must be greater than 0 and at most 1, got " + numeral.Format(rate))
	}
	return group, rate, err
}

// CheckRuns returns why a mechanism cannot run that often; nil if it can.
func CheckRuns(m Mechanism, runs float64) error {
	if once, ok := m.(interface{ runsOnce() error }); ok && runs > 1 {
		return once.runsOnce()
	}
	return nil
}

// sampleRun runs the whole mechanism on one Poisson sample. A run that is a composition sees the
// same sample throughout, so it is amplified as one release.
func sampleRun(
	run []accounting.Entry, rate, group float64, by func(accounting.Release, float64) accounting.Release,
) []accounting.Entry {
	return oneRelease(accounting.GroupPrivacy(by(accounting.Composite(run), rate), group))
}
