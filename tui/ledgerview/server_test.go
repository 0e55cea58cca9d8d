package ledgerview

import (
	"context"
	"strings"
	"testing"
	"time"

	"epsiloscope/accounting/adaptive"
	"epsiloscope/internal/pgserver"
	"epsiloscope/ledger"
	"epsiloscope/ledger/postgres"
	"epsiloscope/mechanisms"
)

// A ledger on a server is shown as one in a file is; what others spend there is heard of by its head, and a server that
// is gone leaves nothing that could be quoted.
func TestLedgerOnServer(t *testing.T) {
	server := pgserver.Start(t)
	n := server.NewTenant(t, postgres.Schema)
	stored := func(user string) *ledger.Stored {
		f, err := ledger.Open(n.Address(user), ledger.LockWait{})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	promise := &ledger.Promise{Filter: adaptive.ZCDP, Epsilon: "3", Delta: "1e-6"}
	open := ledger.Record{Data: "trips", Unit: "person-day", Adjacency: string(mechanisms.AddRemove), Promise: promise}
	if _, err := stored("steward").Create(context.Background(), open, nil, 0); err != nil {
		t.Fatal(err)
	}
	ana := stored("ana")
	reserve(t, ana, "stats", "first")
	address := n.Address("eve") // who may only read
	s, st, sh := opened(t, address, tables, 120, 33)
	sees(t, st.View(), "trips", "first", "held", "✓")
	changes := follow(sh.Jobs.Ctx, address)
	hear := func(of string) {
		t.Helper()
		select {
		case <-changes:
		case <-time.After(time.Minute):
			t.Fatal("the screen never hears of " + of)
		}
	}
	again := func() string {
		st.Run(sh.Jobs.Start(&s.job, 0, func(ctx context.Context, tell func(func())) {
			s.read(ctx, address, s.file, s.snapshot, time.Now(), tell)
		}))
		return st.View()
	}
	hear("the ledger itself")
	reserve(t, ana, "ads", "second")
	hear("a reservation")
	sees(t, again(), "second", "Records")
	st.Press("ledger.ask")
	st.Run(s.Refresh())
	sees(t, st.View(), "It fits")
	st.Press("esc")
	server.Kill(t)
	hear("the end of the server")
	if view := again(); !strings.Contains(view, "✗ Nothing may be quoted") || strings.Contains(view, "✓") {
		t.Errorf("a server that is gone:\n%s", view)
	}
	server.Restart(t)
	hear("its return")
	sees(t, again(), "second", "✓")
}
