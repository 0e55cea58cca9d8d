package scenarios

import (
	"errors"

	"epsiloscope/mechanisms"
)

// mayMove reports whether a record that changes may leave one branch of a block for
// another. It is an error if a record may move and an entry does not bound its absence:
// then the answers of a branch, or their number, reveal who is in it.
func mayMove(s *Scenario, e *Entry) (bool, error) {
	if e.Moves == "never" || len(e.Parallel) < 2 || s.Adjacency == mechanisms.AddRemove {
		return false, nil
	}
	zeroed := true // a record that is zeroed is as good as gone, wherever it was
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

// addRemoveBranches returns the branches with each entry's number for absence in place of its
// number for a changed record.
func addRemoveBranches(branches [][]Entry) ([][]Entry, error) {
	block, err := Map([]Entry{{Parallel: branches}}, func(e *Entry) (err error) {
		if e.Also.AddRemove && e.Also.Number != 0 {
			e.Values, err = mechanisms.AddRemoveValues(e.Mechanism, e.Values, e.Also.Number)
		}
		e.Also = mechanisms.Also{}
		return err
	})
	if err != nil {
		return nil, err
	}
	return block[0].Parallel, nil
}
