package ledger

import (
	"slices"
	"time"

	"epsiloscope/accounting/adaptive"
)

// A merge writes the lines of another branch with its own time. Where it matters when a
// release was made, as in a window, the times of the branches themselves decide.

// branchReleases returns the releases that one branch has made or may have made. The state from the
// other branch is used if it is newer: the end of a reservation that is held here, and the times
// of imported releases.
func branchReleases(l, other *Ledger) []*reservation {
	var list []*reservation
	for id, r := range l.reservations {
		there := other.reservations[id]
		if there != nil && (r.state == Held || r.state == Committed && r.From != "" && there.state == Committed) {
			r = there
		}
		if r.state != Cancelled {
			list = append(list, r)
		}
	}
	return list
}

// overlaps reports whether a reservation was held at the same time as one of the other branch.
func (m *merger) overlaps(r *reservation) bool {
	return slices.ContainsFunc(m.made, func(o *reservation) bool {
		return (r.state == Held || o.earliestTime().Before(r.settled)) && (o.state == Held || r.earliestTime().Before(o.settled))
	})
}

// canMergeLater reports whether a merge at a later time would need no breach: by the times of their own branches, the
// releases of both together kept the promise, and those of the other branch alone fit into an empty window.
func (m *merger) canMergeLater() bool {
	if m.to.Promise.window == 0 || m.theirs.breach != nil {
		return false
	}
	together, alone, seen := merger{to: m.to, made: branchReleases(m.from, m.theirs)}, merger{to: m.to}, map[string]bool{}
	for _, r := range m.all {
		was, ours := m.theirs.reservations[r.ID], m.from.reservations[r.ID]
		if was == nil || was.state == Cancelled || seen[r.ID] || m.isMerged(r) || ours != nil && ours.state != Cancelled {
			continue
		}
		seen[r.ID] = true
		held := *was
		held.state = Held
		a := &Answer{Cost: was.Cost.Cost}
		var err error
		if a.accounts, err = m.to.blocksOf(was.Blocks); err != nil || together.checkWindows(a, was) != nil || alone.checkWindows(a, &held) != nil ||
			!m.to.Filter.Describe().Concurrent && together.overlaps(was) {
			return false
		}
		together.made, alone.made = append(together.made, was), append(alone.made, &held)
	}
	return true
}

// checkWindows returns an error if, in some block and at some time either branch reserved something, the
// releases of both branches in the window break the promise.
func (m *merger) checkWindows(a *Answer, r *reservation) error {
	window := m.to.Promise.window
	if window == 0 {
		return nil
	}
	type change struct {
		at   time.Time
		cost adaptive.Cost
		ends bool
	}
	for _, block := range a.accounts {
		changes := []change{}
		for _, o := range append(m.made, r) {
			if block != "" && !slices.Contains(o.Blocks, block) {
				continue
			}
			if changes = append(changes, change{o.earliestTime(), o.Cost.Cost, false}); o.state != Held {
				changes = append(changes, change{o.settled.Add(window), o.Cost.Cost, true})
			}
		}
		slices.SortFunc(changes, func(x, y change) int { // what ends at a time is still in the window
			if c := x.at.Compare(y.at); c != 0 || x.ends == y.ends {
				return c
			}
			if x.ends {
				return 1
			}
			return -1
		})
		sum := m.to.zero()
		for _, c := range changes {
			if c.ends {
				sum = sum.Minus(c.cost)
				continue
			}
			sum = sum.Plus(c.cost)
			if c.at.Before(r.earliestTime()) || r.state != Held && c.at.After(r.settled.Add(window)) {
				continue
			}
			with := adaptive.Cost{Parts: sum.Parts, Failures: m.to.failuresOf(a.Cost, a.accounts)}
			with.Failures.Add(with.Failures, m.to.failures)
			if err := m.to.Filter.Fits(with); err != nil {
				return err
			}
		}
	}
	return nil
}
