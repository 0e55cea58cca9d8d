package ledger

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/mechanisms"
	"epsiloscope/scenarios"
)

var start = time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)

// tick is a clock that stands until it is moved.
type tick struct{ now time.Time }

func (c *tick) add(d time.Duration) { c.now = c.now.Add(d) }

func scenarioOf(t testing.TB, stack string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("request", []byte("version: 1\nunit: person-day\nstack:\n  - "+stack+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func gaussian(t testing.TB) *scenarios.Scenario {
	return scenarioOf(t, "{mechanism: gaussian, sigma: 40, count: 12}")
}

func create(t testing.TB, promise Promise) (*Stored, *tick) {
	t.Helper()
	clock := &tick{start}
	folder := t.TempDir()
	f := NewStored(&FileStore{Path: filepath.Join(folder, "mobility.ledger"), state: filepath.Join(folder, "state")})
	f.now, f.NewBlocks = func() time.Time { return clock.now }, true
	if _, err := f.Create(context.Background(), opening(promise), nil, 0); err != nil {
		t.Fatal(err)
	}
	return f, clock
}

// onAnotherMachine returns the same file, shared with a machine that has never seen it.
func onAnotherMachine(t testing.TB, f *Stored) *Stored {
	c, store := *f, *f.store.(*FileStore)
	store.state = filepath.Join(t.TempDir(), "state")
	c.store = &store
	return &c
}

func opening(promise Promise) Record {
	return Record{Data: "mobility", Unit: "person-day", Adjacency: "add-remove", Promise: &promise}
}

func zcdp() Promise { return Promise{Filter: adaptive.ZCDP, Epsilon: "3", Delta: "1e-6"} }

func mustReserve(t testing.TB, f *Stored, s *scenarios.Scenario, blocks ...string) string {
	t.Helper()
	id, _, err := f.Reserve(s, blocks, "stats-team", "weekly table 4")
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func mustCommit(t testing.TB, f *Stored, s *scenarios.Scenario, blocks ...string) {
	t.Helper()
	if _, err := f.Commit(mustReserve(t, f, s, blocks...), nil, ""); err != nil {
		t.Fatal(err)
	}
}

func mustRead(t testing.TB, f *Stored) *Ledger {
	t.Helper()
	l, err := Read(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A request of 12 tables with σ 40 costs ρ = 12/3200; 49 of them fit into ρ(3, 1e-6) =
// 0.18507, one by one, and no more.
func TestSpendUntilItIsRefused(t *testing.T) {
	f, _ := create(t, zcdp())
	s := gaussian(t)
	for range 49 {
		id := mustReserve(t, f, s)
		status := 0
		if _, err := f.Commit(id, &status, ""); err != nil {
			t.Fatal(err)
		}
	}
	_, l, err := f.Reserve(s, nil, "ads", "one more")
	var refused *Refused
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	a := refused.Answer
	if a.Spent.String() != "183750000000000" || a.Asked.String() != "3750000000000" || a.Held.Sign() != 0 || a.Largest.Sign() != 0 {
		t.Errorf("spent %s, held %s, asked %s, largest %s", a.Spent, a.Held, a.Asked, a.Largest)
	}
	if last := l.Records[len(l.Records)-1]; last.Kind != KindRefuse || last.By != "ads" {
		t.Errorf("the refusal is not recorded: %+v", last)
	}
	// A cheaper request still passes.
	mustReserve(t, f, scenarioOf(t, "{mechanism: gaussian, sigma: 40}"))
	if _, err := Verify(context.Background(), f.Path, l.Head()); err != nil {
		t.Error(err)
	}
}

func TestCancelGivesBackAndCommitDoesNot(t *testing.T) {
	f, _ := create(t, zcdp())
	a, b := mustReserve(t, f, gaussian(t)), mustReserve(t, f, gaussian(t))
	if _, err := f.Cancel(a, "", true); err == nil {
		t.Error("cancelled without a reason")
	}
	if _, err := f.Cancel(a, "the disk was not there", true); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Commit(b, nil, "sha256:00"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{a, b, "nobody"} {
		if _, err := f.Cancel(id, "again", true); err == nil {
			t.Errorf("%s is cancelled", id)
		}
		if _, err := f.Commit(id, nil, ""); (err == nil) != (id != "nobody") { // a is charged again
			t.Error(id, err)
		}
	}
	s := mustRead(t, f).Status(context.Background(), start)
	if s.Spent.String() != "7500000000000" || s.Held.Sign() != 0 || s.Records != 7 {
		t.Errorf("spent %s, held %s, %d records", s.Spent, s.Held, s.Records)
	}
	if s.Odometer == nil || *s.Odometer < *s.FixedPlan {
		t.Errorf("odometer %v, plan %v", s.Odometer, s.FixedPlan)
	}
}

// The unit and the adjacency of a request are the ledger's.
func TestOtherData(t *testing.T) {
	f, _ := create(t, zcdp())
	other := gaussian(t)
	other.Unit = "person-month"
	if _, _, err := f.Reserve(other, nil, "", ""); err == nil {
		t.Error("another unit is taken")
	}
	other = gaussian(t)
	other.Adjacency = mechanisms.Replace
	if _, _, err := f.Reserve(other, nil, "", ""); err == nil {
		t.Error("another adjacency is taken")
	}
	if _, _, err := f.Reserve(gaussian(t), []string{"2026-11-14"}, "", ""); err == nil {
		t.Error("a block is taken where there are none")
	}
	if l := mustRead(t, f); len(l.Records) != 1 {
		t.Error("a wrong question is recorded")
	}
	if _, err := f.Create(context.Background(), opening(zcdp()), nil, 0); err == nil {
		t.Error("a ledger is opened over another")
	}
	if _, err := os.Stat(f.Path); err != nil {
		t.Error(err)
	}
}

// What could not be recorded is not said to fit.
func TestAskRefusesWhatCannotBeRecorded(t *testing.T) {
	terms := basicTerms(1, 0)
	terms.Blocks = "weekday"
	f, _ := create(t, terms)
	l := mustRead(t, f)
	l.NewBlocks = true
	for _, c := range []struct{ block, by string }{{"mon\x1b[2J", "me"}, {"mon", "me\x1b[2J"}, {"mon", strings.Repeat("m", 1001)}} {
		if a, err := l.Ask(pureOf(t, "0.1"), []string{c.block}, c.by, time.Now()); err == nil {
			t.Errorf("%q for %q: fits is %v, want an error", c.block, c.by, a.Fits)
		}
	}
	if _, err := l.Ask(pureOf(t, "0.1"), []string{"mon"}, "me", time.Now()); err != nil {
		t.Error(err)
	}
}

// The opening is told of a ledger whose last line is torn, too.
func TestOpening(t *testing.T) {
	f, _ := create(t, zcdp())
	mustReserve(t, f, gaussian(t))
	l := mustRead(t, f)
	data, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path, append(data, "{\"v\":1"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if open, err := ReadFirstRecord(f.Path); err != nil || open.Hash != l.Open.Hash {
		t.Errorf("the opening is %q, %v", open.Hash, err)
	}
	if _, err := Read(f.Path); err == nil {
		t.Error("a torn line was not told")
	}
}
