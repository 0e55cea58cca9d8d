package ledger

import (
	"math/big"
	"slices"
	"time"
)

// Point is what was left in a block after a record.
type Point struct {
	At   time.Time
	Seq  int // of the record
	Left *big.Int
}

// History is how the budget of a block was used up, oldest first, at no more than so
// many points: the first and the last always, the others evenly over the records that
// changed it.
func (l *Ledger) History(block string, most int) ([]Point, error) {
	changes := func(r Record) bool {
		return r.Kind == KindOpen || r.Kind == KindAmend || (r.Cost != nil && r.Kind != KindRefuse || r.Kind == KindCancel || r.Kind == KindCommit) &&
			(block == "" || slices.Contains(r.Blocks, block) || r.ID != "" && l.reserves[r.ID] != nil && slices.Contains(l.reserves[r.ID].record.Blocks, block))
	}
	total := 0
	for _, r := range l.Records {
		if changes(r) {
			total++
		}
	}
	every := max(1, (total+most-1)/max(1, most-1))
	past := newLedger(l.Path)
	past.evaluator = l.evaluator
	var points []Point
	seen := 0
	for _, r := range l.Records {
		if err := past.replay(r); err != nil {
			return nil, err
		}
		if !changes(r) {
			continue
		}
		if seen++; (seen-1)%every == 0 || seen == total {
			past.expire(r.time())
			points = append(points, Point{r.time(), r.Seq, past.balance(block).Left})
		}
	}
	return points, nil
}
