package accounting

import (
	"cmp"
	"context"
	"math"
	"sync"

	"epsiloscope/accounting/pld"
	"epsiloscope/accounting/pld/pairs"
	"epsiloscope/accounting/special"
)

// composeSelections replaces equal releases of bounded range by one pair, which covers the worst
// adaptive choice of each and comes from a recursion, and reports whether there are such releases. An
// attacker may leave one kind of them to the last, to aim by the losses of all others: that is taken to
// be the costliest kind. A sampled release is left as it is: it has no bounded range any more. Selections
// with attacks of their own are left to [preparedStack.composeAttackedSelections].
func (l *preparedStack) composeSelections(ctx context.Context, parts []pairs.Part) bool {
	const beyond = 1e-30 // below which the grid of the recursion ends
	ranges := map[int]boundedRange{}
	costliest, most := -1, 0.0
	for i, e := range l.entries {
		if b, ok := unwrapAs[boundedRange](e.Release); ok && b.epsilon > 0 {
			ranges[i] = b
			if cost := e.Count * b.epsilon * b.epsilon; cost > most && !b.fixed {
				costliest, most = i, cost
			}
		}
	}
	width := l.width()
	order := sync.OnceValue(func() float64 { return l.roughOrder(beyond) })
	l.composeAttackedSelections(ctx, parts, order, beyond)
	for i, b := range ranges {
		count := l.entries[i].Count
		var pair pairs.Pair
		ok := false
		if b.fixed && width < 1e-2 {
			pair, ok = pairs.FixedRange(b.epsilon, count)
		}
		switch {
		case ok:
		case i == costliest:
			pair, ok = pairs.AdaptiveRange(b.epsilon, count, width)
		default: // the bound for adaptive choices holds for fixed ones too
			t := b.epsilon - math.Min(b.epsilon, math.Max(0, boundedRangeGap(b.epsilon, order())))
			if pair, ok = pairs.AdaptiveRangeAt(t, b.epsilon, count, width); ok && b.fixed && count > pairs.MaxFixed {
				pair = pairs.Bracket(pair, pair, "there are too many selections for the bound of fixed ones: they are composed as if each were chosen adaptively")
			}
		}
		if ok && !(l.target.Delta > 0 && l.target.Delta < beyond) {
			parts[i] = pairs.Part{Pair: pair, Count: 1}
		} else {
			parts[i].Pair = pairs.IndividualRange(b.epsilon)
		}
	}
	return len(ranges) > 0
}

// roughOrder returns about the best Rényi order of the stack, by the ρ of its releases. Of sampled ones that is a
// search over all orders, so that it is asked only if there are selections.
func (l *preparedStack) roughOrder(least float64) float64 {
	all := 0.0
	for _, e := range l.entries {
		if rho, err := e.Release.Concentrated(); err == nil {
			all += e.Count * rho
		}
	}
	return 1 + math.Sqrt(special.Log(1/math.Max(l.target.Delta, least))/all)
}

// aimOnce lowers the lower end of every selection that is sampled, in a block or run several times, but the last, to
// that of randomized response. They have the pair of one that is aimed anew at every loss, and an attacker can aim only
// one by all other answers: the last. Several are dominated by that pair and do not attain it. A selection with known
// attacks does not attain it even once.
func (l *preparedStack) aimOnce(parts []pairs.Part, aimed bool) []pairs.Part {
	for i, e := range l.entries {
		if p, ok := unwrapAs[dominatedSelection](e.Release); ok && len(p.usableAttacks()) > 0 {
			continue
		}
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
			parts = append(parts, pairs.Part{Pair: one.Pair, Count: 1})
			one.Count--
		}
		if lower, err := pairOf(response); err == nil {
			note = cmp.Or(note, "of selections that are sampled or in blocks each is taken by itself; the lower end is that of randomized response")
			parts[i] = pairs.Part{Count: one.Count, Pair: pairs.Bracket(one.Pair, lower, note)}
		}
	}
	return parts
}

// composeAttackedSelections gives every selection with attacks the smaller of two upper ends, that of the release which
// dominates it and that of its span, and as lower end one of the attacks, the same in each.
func (l *preparedStack) composeAttackedSelections(
	ctx context.Context, parts []pairs.Part, order func() float64, beyond float64,
) {
	for i, e := range l.entries {
		p, ok := unwrapAs[dominatedSelection](e.Release)
		if !ok || len(p.usableAttacks()) == 0 {
			continue
		}
		upper := parts[i]
		if p.span > 0 && !(l.target.Delta > 0 && l.target.Delta < beyond) {
			spanned := pairs.Part{Pair: pairs.BoundedRange(p.span), Count: e.Count}
			if run, ok := pairs.AdaptiveRange(p.span, e.Count, l.width()); ok {
				spanned = pairs.Part{Pair: run, Count: 1}
			}
			if l.costsLess(ctx, spanned, upper, order()) {
				upper = spanned
			}
		}
		best := l.findBestAttack(p.usableAttacks(), e.Count, order())
		both := pairs.BracketByAttack(upper.Pair, best, e.Count/upper.Count, p.kind, p.usableAttacks(), p.note)
		parts[i] = pairs.Part{Pair: both, Count: upper.Count}
	}
}

// findBestAttack returns the attack that reaches the largest ε, of all attacks; for more than a thousand releases, or
// without a δ, the one with the largest Rényi divergence at the order given.
func (l *preparedStack) findBestAttack(attacks []Attack, count, order float64) Attack {
	best, most := attacks[0], math.Inf(-1)
	for _, a := range attacks {
		if d := special.DiscreteRenyi(outcomesOf(a), order); d > most {
			best, most = a, d
		}
	}
	if l.target.Delta == 0 || count > 1000 {
		return best
	}
	largest := pairs.AttackEpsilon(best.P, best.Q, count, l.target.Delta, 0)
	for _, a := range attacks {
		if reached := pairs.AttackEpsilon(a.P, a.Q, count, l.target.Delta, largest); reached > largest {
			best, largest = a, reached
		}
	}
	return best
}

// costsLess reports whether one part has by itself a smaller upper end than another. Of many releases, where that takes
// long, and where no δ is given, the Rényi divergence decides.
func (l *preparedStack) costsLess(ctx context.Context, one, other pairs.Part, order float64) bool {
	if l.target.Delta > 0 && math.Max(one.Count, other.Count) <= 1000 {
		a, err := pld.Epsilon(ctx, []pairs.Part{one}, l.target.Delta, l.options())
		b, err2 := pld.Epsilon(ctx, []pairs.Part{other}, l.target.Delta, l.options())
		if err == nil && err2 == nil {
			return a.Upper < b.Upper
		}
	}
	return one.Count*one.Pair.Renyi(order) < other.Count*other.Pair.Renyi(order)
}

// AttainsPair reports whether no better is known of a release than its dominating pair: of a selection that another
// release dominates, the pair is that of the other.
func AttainsPair(r Release) bool {
	note := ""
	attainedRelease(checkAnswers(r), &note)
	return note == ""
}

// attainedRelease returns a release with randomized response of ε/2, whose range is ε, in the place of
// what has bounded range, and with what is attained in the place of a selection with known attacks; some is
// false if there is nothing of either in r, and note becomes that of the second.
func attainedRelease(r Release, note *string) (out Release, some bool) {
	if p, ok := unwrapAs[dominatedSelection](r); ok {
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
		switch {
		case !some && !too:
			return r, false
		case s.replace:
			return SampledReplaceBy(absent, inner, s.q), true
		}
		return Subsample(inner, s.q), some
	}
	if b, ok := unwrapAs[*bestOf](r); ok {
		inner, some := attainedRelease(b.inner, note)
		return BestOf(inner, b.runs), some
	}
	if g, ok := unwrapAs[group](r); ok {
		inner, some := attainedRelease(g.inner, note)
		if *note != "" { // of several steps of a selection one is known to be attained
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
