package mechanisms

import (
	"errors"
	"math"

	"epsiloscope/accounting"
)

// Remarks on how a setting was applied; a scenario shows them as lints.
const (
	NoteOwnSampling = "DP-SGD samples records itself; the entry's own sampling is not counted on top of that."
	NoteReplace     = "Poisson sampling is analysed for adding or removing a record; replacing one is charged as a removal and an addition, up to twice the ε."
	NoteSizePublic  = "The guarantee is for replacing a record, as the number of records is public; it is taken as given for add-remove."
	NoteGroup       = "What is known of the mechanism does not scale with the group exactly; the general group bound is used."
)

// grouper is a mechanism that knows what one run costs for a group of records
// better than the general bound does: additive noise, where the sensitivity grows
// with the group, and releases of which only a pure ε is known.
//
// With additive noise and with scores a group of k records moves the answer k times
// as far, while the noise stays. For the exponential mechanism k changes of range ε,
// one after the other, have range kε; that holds for monotone scores too.
type grouper interface {
	releasesFor(group float64) []accounting.Entry
}

// sizePublic marks mechanisms whose guarantee is for replacing a record.
type sizePublic interface{ sizePublic() }

// Entries is what the mechanism costs in its setting, with remarks on how that was
// computed.
//
// Sampling comes first and the group around it: each of a person's records is
// sampled on its own, so a sampled release for k records is not a release for k
// records, sampled.
func Entries(m Mechanism, s Setting) (entries []accounting.Entry, notes []string, err error) {
	group, rate, err := s.checked()
	if err != nil {
		return nil, nil, err
	}
	_, own := m.(DPSGD)
	switch g, knows := m.(grouper); {
	case own:
		entries = m.Releases()
	case rate < 1:
		entries = sampled(m.Releases(), rate)
	case knows:
		entries, group = g.releasesFor(group), 1
	default:
		entries = m.Releases()
	}
	if own && rate < 1 {
		notes = append(notes, NoteOwnSampling)
	}
	if (own || rate < 1) && s.Adjacency == Replace {
		notes = append(notes, NoteReplace)
		entries = transform(entries, accounting.Replaced)
	}
	if _, ok := m.(sizePublic); ok && s.Adjacency != Replace {
		notes = append(notes, NoteSizePublic)
	}
	if group > 1 {
		notes = append(notes, NoteGroup)
		entries = transform(entries, func(r accounting.Release) accounting.Release { return accounting.GroupOf(r, group) })
	}
	return entries, notes, nil
}

// checked reads the setting; what was left zero means one record and no sampling.
func (s Setting) checked() (group, rate float64, err error) {
	group, rate = s.Group, s.Sampling
	if group == 0 {
		group = 1
	}
	if rate == 0 {
		rate = 1
	}
	if !(group >= 1) || group != math.Trunc(group) || math.IsInf(group, 1) {
		return 0, 0, errors.New("group: must be a whole number, at least 1, got " + FormatNumber(group))
	}
	if !(rate > 0 && rate <= 1) {
		return 0, 0, errors.New("sampling rate: must be greater than 0 and at most 1, got " + FormatNumber(rate))
	}
	return group, rate, nil
}

// sampled runs the whole mechanism on one Poisson sample. A run that is a
// composition sees the same sample throughout, so it is amplified as one release.
func sampled(entries []accounting.Entry, rate float64) []accounting.Entry {
	if len(entries) == 1 && entries[0].Count == 1 {
		return once(accounting.Subsample(entries[0].Release, rate))
	}
	return once(accounting.Subsample(accounting.Composite(entries), rate))
}

func transform(entries []accounting.Entry, by func(accounting.Release) accounting.Release) []accounting.Entry {
	list := make([]accounting.Entry, len(entries))
	for i, e := range entries {
		list[i] = accounting.Entry{Release: by(e.Release), Count: e.Count}
	}
	return list
}
