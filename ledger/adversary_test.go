package ledger

import (
	"bytes"
	"math/big"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// adversary plays processes that are granted releases, and commands that kill their process,
// cancel their reservation, roll the file back, edit it, or put a copy in its place. It counts
// what was really released.
type adversary struct {
	t        *rapid.T
	f        *Stored
	requests map[string]*scenarios.Scenario
	heads    bool     // somebody keeps them
	head     string   // the last one that was printed
	copies   [][]byte // of the file, oldest first
	running  []process
	released *big.Int
	reported bool // a breach, a line that does not hold, or a head that is gone
}

type process struct {
	id        string
	known     *Ledger
	cancelled bool
}

// saw keeps the head that a command prints and notes what it reports.
func (a *adversary) saw(l *Ledger, err error) {
	if err != nil {
		if _, refused := err.(*Refused); !refused {
			a.reported = true
		}
		return
	}
	a.reported = a.reported || l.Breach() != nil || a.heads && l.CheckHead(a.head) != nil
	a.head = l.Head()
}

func (a *adversary) keepCopy() {
	if data, err := os.ReadFile(a.f.Path); err == nil {
		a.copies = append(a.copies, data)
	}
}

func (a *adversary) write(data []byte) {
	if err := os.WriteFile(a.f.Path, data, 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// spend asks for a release, with the head that was printed last.
func (a *adversary) spend() {
	epsilon := rapid.SampledFrom([]string{"0.1", "0.3", "0.6"}).Draw(a.t, "ε")
	a.f.Head = ""
	if a.heads {
		a.f.Head = a.head
	}
	id, l, err := a.f.Reserve(a.requests[epsilon], nil, "", "")
	if a.saw(l, err); err == nil {
		a.running = append(a.running, process{id: id, known: l})
		a.released.Add(a.released, l.reservations[id].Cost.Parts[0]) // its command releases at once
	}
}

// end lets a command end; a process that is killed says nothing.
func (a *adversary) end(killed bool) {
	i := rapid.IntRange(0, len(a.running)-1).Draw(a.t, "process")
	p := a.running[i]
	if killed && p.cancelled { // cancelled by a liar and killed: nothing is left that could tell
		return
	}
	a.running = append(a.running[:i:i], a.running[i+1:]...)
	if killed {
		return
	}
	var status *int
	if rapid.Bool().Draw(a.t, "succeeds") {
		status = new(int)
	}
	l, _, err := a.f.Finish(p.id, p.known, status)
	a.saw(l, err)
}

// edit changes the file as a forger would: cheaper, and hashed again; or at random.
func (a *adversary) edit() {
	data, err := os.ReadFile(a.f.Path)
	if err != nil || len(data) == 0 {
		return
	}
	if rapid.Bool().Draw(a.t, "forged") {
		if l, err := Read(a.f.Path); err == nil {
			data = forgeCosts(a.t, a.f, l)
		}
	} else {
		data = bytes.Clone(data)
		data[rapid.IntRange(0, len(data)-1).Draw(a.t, "byte")] ^= 1
	}
	a.write(data)
}

// forgeCosts writes all records again with every cost divided by a thousand.
func forgeCosts(t *rapid.T, f *Stored, l *Ledger) (data []byte) {
	forged := newLedger(l.Path)
	forged.trusted = true
	for _, r := range l.Records {
		if r.Cost != nil {
			cheap := *r.Cost
			cheap.Parts = []*big.Int{new(big.Int).Quo(r.Cost.Parts[0], big.NewInt(1000))}
			if r.Cost = &cheap; r.After != nil {
				r.After = amounts(l.Filter, forged.account("").sum().Plus(cheap.Cost))
			}
		}
		line, err := f.sealNext(forged, r)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, line...)
	}
	return data
}

// What commands have really released never exceeds the promise unless the ledger reports it.
// If heads are kept, any process may be killed and the file put back at any time. If not, one
// process works at a time, and only its own command puts an older file back: the process then
// remembers what it was granted.
func TestAdversary(t *testing.T) {
	budget := big.NewInt(1e15)
	requests := map[string]*scenarios.Scenario{}
	for _, epsilon := range []string{"0.1", "0.3", "0.6"} {
		requests[epsilon] = pureOf(t, epsilon)
	}
	granted, caught := 0, 0
	gauge.Check(t, gauge.Cases(60, 1000), func(rt *rapid.T) {
		f, _ := create(t, basicTerms(1, 0))
		defer os.Remove(f.Path)
		keepsHead := rapid.Bool().Draw(rt, "keeps heads")
		a := &adversary{t: rt, f: f, requests: requests, heads: keepsHead, released: new(big.Int)}
		a.saw(Read(f.Path))
		a.keepCopy()
		var played []string
		for range rapid.IntRange(1, 14).Draw(rt, "steps") {
			moves := []string{"copy"}
			if keepsHead || len(a.running) == 0 {
				moves = append(moves, "spend", "spend", "spend")
			}
			if len(a.running) > 0 {
				moves = append(moves, "end", "end", "cancel", "cancel", "commit", "commit", "roll back", "edit")
			}
			if keepsHead {
				moves = append(moves, "roll back", "edit")
				if len(a.running) > 0 {
					moves = append(moves, "kill")
				}
			}
			move := rapid.SampledFrom(moves).Draw(rt, "move")
			played = append(played, move)
			switch move {
			case "copy":
				a.keepCopy()
			case "spend":
				a.spend()
			case "end", "kill":
				a.end(move == "kill")
			case "cancel": // on another machine, where it is not known that the command runs
				p := &a.running[rapid.IntRange(0, len(a.running)-1).Draw(rt, "process")]
				if l, err := f.Cancel(p.id, "never read", true); err == nil {
					p.cancelled = true
					a.saw(l, nil)
				}
			case "commit": // by hand, perhaps after a cancel, perhaps again: it is one release
				p := a.running[rapid.IntRange(0, len(a.running)-1).Draw(rt, "process")]
				l, err := f.Commit(p.id, nil, "")
				if err == nil && l.Breach() != nil && a.released.Cmp(budget) <= 0 {
					rt.Fatalf("a breach after %s, with %s of %s released", strings.Join(played, ", "), a.released, budget)
				}
				a.saw(l, err)
			case "roll back":
				a.write(rapid.SampledFrom(a.copies).Draw(rt, "copy"))
			case "edit":
				a.edit()
			}
			if a.reported {
				caught++
				break
			}
			// What was released and is not charged is known to a process that still runs, or the
			// kept head shows that it is gone.
			if a.released.Cmp(budget) > 0 {
				l, err := Read(f.Path)
				gone := err != nil || l.Breach() != nil || keepsHead && l.CheckHead(a.head) != nil
				if !gone && len(a.running) == 0 {
					rt.Fatalf("released %s of %s after %s, and nothing reports it", a.released, budget, strings.Join(played, ", "))
				}
			}
		}
		for len(a.running) > 0 && !a.reported {
			p := a.running[0]
			a.running = a.running[1:]
			l, _, err := f.Finish(p.id, p.known, new(int))
			a.saw(l, err)
		}
		if a.released.Cmp(budget) > 0 && !a.reported {
			l, err := Read(f.Path)
			if err == nil && l.Breach() == nil && (!keepsHead || l.CheckHead(a.head) == nil) {
				rt.Fatalf("released %s of %s after %s, and nothing reports it", a.released, budget, strings.Join(played, ", "))
			}
		}
		if a.released.Sign() > 0 {
			granted++
		}
	})
	t.Logf("%d games with a release, %d with a report", granted, caught)
}
