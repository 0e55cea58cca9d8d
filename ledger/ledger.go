package ledger

import (
	"hash"
	"math/big"
	"slices"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/mechanisms"
)

// Ledger is a file replayed up to its end.
type Ledger struct {
	Path    string
	Open    Record
	Promise Promise
	Filter  adaptive.Filter
	Records []Record
	Torn    []byte // what stands after the last whole line

	terms        adaptive.Promise // the numbers of the promise
	parts        int              // of a cost under the filter
	reservations map[string]*reservation
	again        map[string]string   // the ids of the records that charge a line again, by its hash
	cut          map[string]*Record  // torn records that may have reserved something, until it is decided
	accounts     map[string]*account // by block; one called "" without blocks
	failures     *big.Int            // Σδ over all blocks
	analysts     map[string]adaptive.Cost
	held         int
	now          time.Time // the end of the window
	breach       *Record
	home         Record // the last one that names the place that grants requests
	unplaced     error  // why no request is granted here: it is a copy, or an older end; nil if that is not so
	size         int64  // of the whole lines
	prices       map[requestKey]adaptive.Cost

	// NewBlocks says that a request may name blocks that were never charged; dates may always.
	NewBlocks bool

	planVerified bool   // its plan's bounds were computed again
	place        string // where it was read under its lock
	bad          error  // a line of the server that does not hold; Records end before it
	tail         Record // the server's last line, if there is one that does not hold

	bytes hash.Hash // of the file's bytes, if they are to be recognized; else nil

	progress func(done, total int) // told how many lines were replayed; nil for nobody

	trusted bool // the records were replayed before: prices and decisions are not judged again
}

// reservation is a reserved request with its present state.
type reservation struct {
	*Record
	state   State
	settled time.Time // when it was committed or cancelled
}

// earliestTime returns the time before which the release was not made; zero, as it is not known, for
// one that was charged again, later than it was made.
func (r *reservation) earliestTime() time.Time {
	if r.From != "" {
		return time.Time{}
	}
	return r.Time()
}

// mayLieIn reports whether the release may have been made in a period.
func (r *reservation) mayLieIn(p Period) bool {
	return (p.To.IsZero() || r.earliestTime().Before(p.To)) && (r.state == Held || !r.settled.Before(p.From))
}

// State is the state of a reserved request.
type State string

const (
	Held      State = "held"      // reserved; it may have been released
	Committed State = "committed" // released
	Cancelled State = "cancelled" // never released
)

func newLedger(path string) *Ledger {
	return &Ledger{
		Path: path, reservations: map[string]*reservation{}, again: map[string]string{}, cut: map[string]*Record{},
		accounts: map[string]*account{}, failures: new(big.Int), analysts: map[string]adaptive.Cost{},
		prices: map[requestKey]adaptive.Cost{},
	}
}

// Head returns the hash of the last record.
func (l *Ledger) Head() string {
	if len(l.Records) == 0 {
		return ""
	}
	return l.Records[len(l.Records)-1].Hash
}

// Breach returns the record that broke the promise, nil if none did.
func (l *Ledger) Breach() *Record { return l.breach }

// State returns the state of a request, "" if there is none of that id.
func (l *Ledger) State(id string) State {
	if r, ok := l.reservations[id]; ok {
		return r.state
	}
	if l.cut[id] != nil {
		return Held
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

// lastTime returns the time of the last record.
func (l *Ledger) lastTime() time.Time {
	if len(l.Records) == 0 {
		return time.Time{}
	}
	return l.Records[len(l.Records)-1].Time()
}
