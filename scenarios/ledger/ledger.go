// Package ledger keeps what was really spent: a plain file beside the data that
// remembers every release, refuses the one that would break the promise, and shows
// afterwards what was promised. It decides and records; other tools release.
//
// [File.Create] opens a ledger with a [Promise]. [File.Reserve] is asked before the data are
// touched, [File.Commit] told afterwards. [Read] replays a file into a [Ledger], which
// answers [Ledger.Ask] without writing.
//
// # The file
//
// UTF-8, one JSON object a line, only ever appended to. Every line bears its number,
// the hash of the line before and its own: SHA-256 over its bytes without the hash. That
// shows an edit or a change of order to whoever holds a later hash (a head) from
// elsewhere; it cannot show that a file was rolled back to an older end. The kinds of
// lines are listed at [Kind].
//
// Costs are whole multiples of 1e-15 of the filter's quantity, and of 1e-40 of δ: their
// sums are exact.
package ledger

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

// Ledger is a file replayed up to its end.
type Ledger struct {
	Path    string
	Open    Record
	Promise Promise
	Filter  adaptive.Filter
	Records []Record
	Torn    []byte // what stands after the last whole line

	evaluator *scenarios.Evaluator
	amended   adaptive.Filter // what decides since the last amendment; Filter before
	reserves  map[string]*reserve
	accounts  map[string]*account // by block; one called "" without blocks
	failures  *big.Int            // Σδ over all blocks
	askers    map[string]adaptive.Cost
	held      int
	breach    *Record
	size      int64 // of the whole lines
	tail      int   // of the last of them
	strict    bool  // replay prices and decisions too
	prices    map[string]adaptive.Cost
}

// reserve is what became of a reserved request.
type reserve struct {
	record Record
	cost   adaptive.Cost
	state  State
}

// State is what became of a reserved request.
type State string

const (
	Held      State = "held"      // reserved; it may have been released
	Committed State = "committed" // released
	Cancelled State = "cancelled" // never released
)

// account is the sums of one block. In a window only what was committed within it counts.
type account struct {
	spent, held adaptive.Cost
	recent      []charge // committed, oldest first; kept only where there is a window
}

type charge struct {
	at   time.Time
	cost adaptive.Cost
}

func (a *account) sum() adaptive.Cost { return a.spent.Plus(a.held) }

// expire forgets what was committed before a window that ends now.
func (a *account) expire(window time.Duration, now time.Time) {
	for len(a.recent) > 0 && a.recent[0].at.Before(now.Add(-window)) {
		a.spent = a.spent.Minus(a.recent[0].cost)
		a.recent = a.recent[1:]
	}
}

func newLedger(path string) *Ledger {
	return &Ledger{
		Path: path, evaluator: scenarios.NewEvaluator(), reserves: map[string]*reserve{},
		accounts: map[string]*account{}, failures: new(big.Int), askers: map[string]adaptive.Cost{}, prices: map[string]adaptive.Cost{},
	}
}

// Head is the hash of the last record.
func (l *Ledger) Head() string {
	if len(l.Records) == 0 {
		return ""
	}
	return l.Records[len(l.Records)-1].Hash
}

// Breach is the record that broke the promise, nil if none did.
func (l *Ledger) Breach() *Record { return l.breach }

// State is what became of a request, "" if there is none of that id.
func (l *Ledger) State(id string) State {
	if r, ok := l.reserves[id]; ok {
		return r.state
	}
	return ""
}

// Blocks lists the blocks that were charged, sorted.
func (l *Ledger) Blocks() []string {
	var names []string
	for name := range l.accounts {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (l *Ledger) adjacency() mechanisms.Adjacency { return mechanisms.Adjacency(l.Open.Adjacency) }

// last is the time of the last record.
func (l *Ledger) last() time.Time {
	if len(l.Records) == 0 {
		return time.Time{}
	}
	return l.Records[len(l.Records)-1].time()
}

func (l *Ledger) account(block string) *account {
	a, ok := l.accounts[block]
	if !ok {
		a = &account{}
		l.accounts[block] = a
	}
	return a
}

// total is what a block's filter looks at: its own sum, and the δ of all blocks. With
// approximate releases and data that arrive by and by, the largest δ of a block is no
// bound (Henzinger, Safavi & Vadhan 2024); the sum over the blocks is.
func (l *Ledger) total(block string) adaptive.Cost {
	sum := l.account(block).sum()
	sum.Failures = new(big.Int).Set(l.failures)
	return sum
}

// blocksOf are the blocks a request is charged to.
func (l *Ledger) blocksOf(blocks []string) ([]string, error) {
	key := l.Promise.Blocks
	switch {
	case key == "" && len(blocks) > 0:
		return nil, fmt.Errorf("this ledger has no blocks, and the request names %q", blocks[0])
	case key == "":
		return []string{""}, nil
	case len(blocks) == 0:
		return nil, fmt.Errorf("this ledger is kept by %s: name every %s that the request reads", key, key)
	}
	for i, b := range blocks {
		if b == "" || slices.Contains(blocks[:i], b) {
			return nil, fmt.Errorf("the blocks of a request are names, each once, and %q is not", b)
		}
	}
	return blocks, nil
}

func (l *Ledger) charge(cost adaptive.Cost, blocks []string, by string) {
	for _, b := range blocks {
		a := l.account(b)
		a.held = a.held.Plus(cost)
	}
	l.failures.Add(l.failures, l.failuresOf(cost, blocks))
	l.askers[by] = l.askers[by].Plus(cost)
	l.held++
}

func (l *Ledger) failuresOf(cost adaptive.Cost, blocks []string) *big.Int {
	if cost.Failures == nil {
		return new(big.Int)
	}
	return new(big.Int).Mul(cost.Failures, big.NewInt(int64(len(blocks))))
}

// settle takes a reserve out of what is held.
func (l *Ledger) settle(r *reserve, at time.Time, state State) {
	blocks, _ := l.blocksOf(r.record.Blocks)
	for _, b := range blocks {
		a := l.account(b)
		a.held = a.held.Minus(r.cost)
		if state != Committed {
			continue
		}
		a.spent = a.spent.Plus(r.cost)
		if l.Promise.window > 0 {
			a.recent = append(a.recent, charge{at, r.cost})
		}
	}
	if state == Cancelled {
		l.failures.Sub(l.failures, l.failuresOf(r.cost, blocks))
		l.askers[r.record.By] = l.askers[r.record.By].Minus(r.cost)
	}
	r.state = state
	l.held--
}
