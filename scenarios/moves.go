package scenarios

import (
	"errors"

	"epsiloscope/mechanisms"
)

// mayMove reports whether a replaced record may move from one branch of a block to another. It is an
// error if it may and some entry has no add-remove guarantee: then the answers of a branch, or their
// number, can reveal who is in it.
func mayMove(s *Scenario, e *Entry) (bool, error) {
	if e.Moves == "never" || len(e.Parallel) < 2 || s.Adjacency == mechanisms.AddRemove {
		return false, nil
	}
	zeroed := true // in every entry, to zero out a record has the same effect as to remove it: then it cannot move
	var problem error
	for _, inner := range EnabledEntries([]Entry{{Parallel: e.Parallel}}) {
		m, err := mechanisms.New(inner.Mechanism, inner.Values)
		switch {
		case err != nil: // its own error is found where it is priced
		case mechanisms.BoundsAddRemove(m, s.Adjacency):
		case mechanisms.ClaimsAddRemove(m, inner.Also):
			zeroed = false
		default:
			zeroed = false
			problem = errors.New(mechanisms.ProblemMoves(m))
		}
	}
	if problem != nil {
		return false, problem
	}
	return !zeroed, nil
}

// addRemoveBranches returns the branches with the number that each entry states for add-remove in
// place of the one for replace.
func (s *Scenario) addRemoveBranches(branches [][]Entry) ([][]Entry, error) {
	block, err := Map([]Entry{{Parallel: branches}}, func(e *Entry) (err error) {
		if e.Also.AddRemove && e.Also.Number != 0 {
			e.Values, err = mechanisms.AddRemoveValues(e.Mechanism, s.WithSensitivity(e).Values, e.Also.Number)
		}
		e.Also = mechanisms.Also{}
		return err
	})
	if err != nil {
		return nil, err
	}
	return block[0].Parallel, nil
}
