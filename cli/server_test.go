package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"epsiloscope/internal/pgserver"
	"epsiloscope/ledger/postgres"
)

// The commands on a ledger on a server, by the logins of a tenant: $STEWARD owns it, $ANA and $BOB spend, $EVE reads.
// $FRESH has no schema yet and its role may make one; $POOR may not.
func TestServerScripts(t *testing.T) {
	startQuickly(t)
	server := pgserver.SharedServer(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/server",
		Setup: func(e *testscript.Env) error {
			n := server.NewTenant(t, postgres.Schema)
			for _, who := range []string{"steward", "ana", "bob", "eve"} {
				e.Setenv(strings.ToUpper(who), n.Address(who))
			}
			fresh := server.Reserve(t).Schema
			e.Setenv("FRESH", server.Admin()+"#"+fresh)
			e.Setenv("POOR", strings.ReplaceAll(n.Address("ana"), "#"+n.Schema, "#"+fresh+"x"))
			e.Setenv("HOME", "/nonexistent")
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, ".state"))
			e.Setenv("TERM", "dumb")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "json": jsonField},
	})
}

// The Python client takes an address wherever it takes a file.
func TestPythonClientOnServer(t *testing.T) {
	n := pgserver.SharedServer(t).NewTenant(t, postgres.Schema)
	python := pythonHere(t)
	script := filepath.Join(t.TempDir(), "run.py")
	t.Setenv("ADDRESS", n.Address("steward"))
	if err := os.WriteFile(script, []byte(`import os, epsiloscope
request = epsiloscope.Scenario([{"mechanism": "laplace", "epsilon": 0.6}], delta=1e-6, unit="person")
ledger = epsiloscope.Ledger.new(os.environ["ADDRESS"], epsilon=1, delta=1e-6, unit="person", filter="basic")
with ledger.spend(request, by="stats") as reservation:
    pass
assert reservation.state == "committed", reservation.state
assert not ledger.ask(request)["fits"]
again = epsiloscope.Ledger(os.environ["ADDRESS"])
assert abs(again.show()["spent"] - 0.6) < 1e-9, again.show()
try:
    with ledger.spend(request):
        raise SystemExit("released twice")
except epsiloscope.Refused:
    print("refused")
`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := python(script); err != nil || strings.TrimSpace(string(out)) != "refused" {
		t.Errorf("%v\n%s", err, out)
	}
}
