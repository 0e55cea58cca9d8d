package pgserver

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"testing"
)

// Tenant is a schema of its own on a server, with logins of its own: steward, who owns it, the spenders ana and bob,
// eve, who reads, and nobody.
type Tenant struct {
	Server   *Server
	Schema   string
	database string
}

// NewTenant makes a schema by the SQL that makes one of a name, and its logins.
func (s *Server) NewTenant(t testing.TB, sql func(name string) (string, error)) *Tenant {
	t.Helper()
	n := s.Reserve(t)
	text, err := sql(n.Schema)
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, text)
	s.Exec(t, fmt.Sprintf(`create role %[1]s_steward login in role %[1]s_owner, %[1]s_spender;
		create role %[1]s_ana login in role %[1]s_spender;
		create role %[1]s_bob login in role %[1]s_spender;
		create role %[1]s_eve login in role %[1]s_reader;
		create role %[1]s_nobody login`, n.Schema))
	return n
}

// Reserve returns a tenant whose schema and logins are not made yet.
func (s *Server) Reserve(t testing.TB) *Tenant {
	t.Helper()
	var b [4]byte
	_, _ = rand.Read(b[:])
	return &Tenant{s, "t" + hex.EncodeToString(b[:]), s.Database(t)}
}

// Address returns the address of the ledger for a login.
func (n *Tenant) Address(user string) string {
	return n.Server.Address(n.Schema+"_"+user, n.database) + "#" + n.Schema
}

// WithServer returns the tenant on a copy of its server.
func (n *Tenant) WithServer(s *Server) *Tenant { return &Tenant{s, n.Schema, n.database} }

// Database returns the name of the database.
func (n *Tenant) Database() string { return n.database }
