package accounting

import (
	"cmp"
	"math"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/special"
)

// composeSelections replaces equal releases of bounded range by one pair, which covers the worst
// adaptive choice of each and comes from a recursion. An attacker may leave one kind of them to
// the last, to aim by the losses of all others: that is taken to be the costliest kind. A
// sampled release has no bounded range that would still hold. It reports whether there are any.
func (l *preparedStack) composeSelections(parts []pld.Part) bool {
	const beyond = 1e-30 // below which the grid of the recursion ends
	ranges := map[int]boundedRange{}
	costliest, most, all := -1, 0.0, 0.0
	for i, e := range l.entries {
		if rho, err := e.Release.Concentrated(); err == nil {
			all += e.Count * rho
		}
		if b, ok := unwrapAs[boundedRange](e.Release); ok && b.epsilon > 0 {
			ranges[i] = b
			if cost := e.Count * b.epsilon * b.epsilon; cost > most && !b.fixed {
				costliest, most = i, cost
			}
		}
	}
	width := l.width()
	order := 1 + math.Sqrt(special.Log(1/math.Max(l.target.Delta, beyond))/all) // about the best Rényi order
	for i, b := range ranges {
		count := l.entries[i].Count
		var pair pld.Pair
		ok := false
		if b.fixed && width < 1e-2 {
			pair, ok = pld.FixedRange(b.epsilon, count)
		}
		switch {
		case ok:
		case i == costliest:
			pair, ok = pld.AdaptiveRange(b.epsilon, count, width)
		default: // the bound for adaptive choices holds for fixed ones too
			t := b.epsilon - math.Min(b.epsilon, math.Max(0, boundedRangeGap(b.epsilon, order)))
			if pair, ok = pld.AdaptiveRangeAt(t, b.epsilon, count, width); ok && b.fixed && count > pld.MaxFixed {
				pair = pld.Bracket(pair, pair, "there are too many selections for the bound of fixed ones: they are composed as if each were chosen adaptively")
			}
		}
		if ok && !(l.target.Delta > 0 && l.target.Delta < beyond) {
			parts[i] = pld.Part{Pair: pair, Count: 1}
		} else {
			parts[i].Pair = pld.IndividualRange(b.epsilon)
		}
	}
	return len(ranges) > 0
}

// aimOnce gives selections that are sampled, in a block or run several times a lower end of
// randomized response, all but one. They have the pair of one that is aimed anew at every loss,
// and an attacker can aim only one by all other answers: the last. Several are dominated by that
// pair and do not attain it. What is [Picked] does not attain it even once.
func (l *preparedStack) aimOnce(parts []pld.Part, aimed bool) []pld.Part {
	for i, e := range l.entries {
		note := ""
		response, some := attainedRelease(e.Release, &note)
		if _, plain := unwrapAs[boundedRange](e.Release); plain && note == "" || !some {
			continue
		}
		one := parts[i]
		if !aimed && note == "" {
			aimed = true
			if one.Count == 1 {
				continue
			}
			parts = append(parts, pld.Part{Pair: one.Pair, Count: 1})
			one.Count--
		}
		if lower, err := pairOf(response); err == nil {
			note = cmp.Or(note, "of selections that are sampled or in blocks each is taken by itself; the lower end is that of randomized response")
			parts[i] = pld.Part{Count: one.Count, Pair: pld.Bracket(one.Pair, lower, note)}
		}
	}
	return parts
}

// DominatedSelection returns a selection that another release dominates, and that dominates attained; the note
// says why they differ.
func DominatedSelection(dominating, attained Release, note string) Release {
	return picked{checkAnswers(dominating), checkAnswers(attained), note}
}

type picked struct {
	Release
	attained Release
	note     string
}

func (p picked) Key() string     { return "picked(" + KeyOf(p.Release) + "," + KeyOf(p.attained) + ")" }
func (picked) ownKey()           {}
func (p picked) Unwrap() Release { return p.Release }

// attainedRelease returns a release with randomized response of ε/2, whose range is ε, in the place of
// what has bounded range, and with what is attained in the place of what is [Picked]; some is
// false if there is nothing of either in r, and note becomes that of the second.
func attainedRelease(r Release, note *string) (out Release, some bool) {
	if p, ok := unwrapAs[picked](r); ok {
		*note = p.note
		return p.attained, true
	}
	all := func(entries []Entry) (out []Entry) {
		for _, e := range entries {
			one, is := attainedRelease(e.Release, note)
			out, some = append(out, Entry{one, e.Count}), some || is
		}
		return out
	}
	if b, ok := unwrapAs[boundedRange](r); ok {
		return PureDP(b.epsilon / 2), true
	}
	if s, ok := unwrapAs[sampled](r); ok {
		inner, some := attainedRelease(s.inner, note)
		absent, too := attainedRelease(s.addRemove, note)
		if s.replace {
			return SampledReplaceBy(absent, inner, s.q), some || too
		}
		return Subsample(inner, s.q), some
	}
	if b, ok := unwrapAs[*bestOf](r); ok {
		inner, some := attainedRelease(b.inner, note)
		return BestOf(inner, b.runs), some
	}
	if g, ok := unwrapAs[group](r); ok {
		inner, some := attainedRelease(g.inner, note)
		if *note != "" { // of several steps of what is picked one is known to be attained
			return inner, some
		}
		return GroupPrivacy(inner, g.k), some
	}
	if c, ok := unwrapAs[composite](r); ok {
		return Composite(all(c.entries)), some
	}
	if p, ok := unwrapAs[parallel](r); ok {
		branches := make([][]Entry, len(p.branches))
		for i, b := range p.branches {
			branches[i] = all(b)
		}
		return Parallel(branches, p.replace), some
	}
	if m, ok := unwrapAs[revealed](r); ok {
		parts := make([]Release, len(m.parts))
		for i, p := range m.parts {
			one, is := attainedRelease(p, note)
			parts[i], some = one, some || is
		}
		if len(parts) > maxRevealed+1 { // the last stands for all larger numbers, from above
			return PureDP(0), some
		}
		return newRevealed(m.Label, m.weights, parts, nil, ""), some
	}
	return r, false
}
