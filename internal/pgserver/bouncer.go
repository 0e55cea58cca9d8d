package pgserver

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// PgBouncer starts a real PgBouncer in a pool mode before the server of a tenant, with a number of connections for each
// login, and returns the tenant's address through it. It skips the test if PgBouncer is not installed, or fails it
// where a server is needed.
func PgBouncer(t testing.TB, n *Tenant, mode string, connections int) (address func(user string) string) {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer"
	}
	_, err = os.Stat(program)
	switch {
	case err != nil && os.Getenv(Needed) != "":
		t.Fatal("PgBouncer is not installed")
	case err != nil || n.Server.Folder == "":
		t.Skip("PgBouncer is not installed, or the server was not started here")
	}
	folder, err := os.MkdirTemp("", "pgbouncer")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := giveAway(folder); err != nil {
		t.Fatal(err)
	}
	var users strings.Builder
	for _, user := range []string{"steward", "ana", "bob", "eve"} {
		fmt.Fprintf(&users, "\"%s_%s\" \"\"\n", n.Schema, user)
	}
	settings := fmt.Sprintf(`[databases]
* = host=%s
[pgbouncer]
listen_port = 6432
unix_socket_dir = %s
auth_type = trust
auth_file = %s
pool_mode = %s
default_pool_size = %d
max_client_conn = 100
`, n.Server.Folder, folder, filepath.Join(folder, "users"), mode, connections)
	for name, text := range map[string]string{"users": users.String(), "ini": settings} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := n.Server.Run(program, "-q", filepath.Join(folder, "ini"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	address = func(user string) string {
		return "postgres:///" + n.database + "?host=" + url.QueryEscape(folder) + "&port=6432&user=" + n.Schema + "_" + user + "#" + n.Schema
	}
	plain, _, _ := strings.Cut(address("eve"), "#")
	for {
		c, err := pgconn.Connect(t.Context(), plain)
		if err == nil {
			_ = c.Close(t.Context())
			return address
		}
		if cmd.ProcessState != nil || t.Context().Err() != nil {
			t.Fatalf("PgBouncer does not answer: %v", err)
		}
	}
}
