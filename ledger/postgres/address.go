package postgres

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5/pgconn"
)

// Address names the place of a ledger: a server, a database, and the schema of the ledger.
type Address struct {
	Text   string // as it was given; it has no password
	Schema string
	// Weak says in words how the connection is less than verified; "" if the server proves who it is, or is on this
	// machine.
	Weak   string
	config *pgconn.Config
}

// IsAddress reports whether a text is the address of a ledger on a server, not the path of a file.
func IsAddress(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// nameCharacters lists the characters of a schema's name. Roles are named after it, and nothing in it needs quotes.
const nameCharacters = "abcdefghijklmnopqrstuvwxyz_0123456789"

// checkSchema refuses a name that a ledger's schema cannot have.
func checkSchema(name string) error {
	switch {
	case name == "" || len(name) > 40 || strings.Trim(name, nameCharacters) != "" || name[0] < 'a':
		return fmt.Errorf("%q cannot be the name of a ledger on a server: it has up to 40 small letters, digits and underscores, and starts with a letter", name)
	case strings.HasPrefix(name, "pg_") || name == "public" || name == "information_schema":
		return fmt.Errorf("%q cannot be the name of a ledger on a server: it belongs to the server", name)
	}
	return nil
}

// errAddress refuses an address that cannot be read, without repeating it.
var errAddress = errors.New("the address of the ledger cannot be read; it has the form postgres://user@host/database#schema")

// errPassword refuses an address with a password, which it does not repeat.
var errPassword = errors.New("the address of the ledger has a password in it, which other users of this machine can read in the list of processes. Leave it out of the address, and keep it in the file ~/.pgpass, in that of PGPASSFILE, or in PGPASSWORD")

// ParseAddress reads an address such as postgres://user@host/database#schema. A server that is not on this machine must prove
// who it is (sslmode=verify-full); anything weaker has to be asked for in the address itself.
func ParseAddress(text string) (*Address, error) {
	rest, schema, named := strings.Cut(text, "#")
	base, rawQuery, _ := strings.Cut(rest, "?")
	query, err := url.ParseQuery(rawQuery)
	switch {
	case hasPassword(base) || query.Has("password") || query.Has("sslpassword"):
		return nil, errPassword
	case err != nil || strings.ContainsFunc(text, unicode.IsControl): // the text may hold a password
		return nil, errAddress
	case !named || schema == "":
		return nil, fmt.Errorf("%s: which ledger? Name its schema behind a #, as in %s#prod", text, rest)
	}
	if err := checkSchema(schema); err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	a := &Address{Text: text, Schema: schema}
	asked := query.Has("sslmode") || query.Has("ssl")
	if a.config, err = pgconn.ParseConfig(rest); err == nil && !asked && !isLocal(a.config) {
		query.Set("sslmode", "verify-full")
		a.config, err = pgconn.ParseConfig(base + "?" + query.Encode())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s", text, parseReason(err))
	}
	a.Weak = weakness(a.config)
	if a.Weak != "" && !asked { // cannot be: verify-full was set above
		return nil, fmt.Errorf("%s: %s", text, a.Weak)
	}
	if a.config.RuntimeParams["application_name"] == "" {
		a.config.RuntimeParams["application_name"] = "epsiloscope"
	}
	return a, nil
}

// hasPassword reports whether the part of an address before its query has a password: postgres://user:secret@host.
func hasPassword(base string) bool {
	_, rest, _ := strings.Cut(base, "://")
	user, _, found := cutLast(rest, "@")
	return found && strings.Contains(user, ":")
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// parseReason words why an address was refused, without the address itself.
func parseReason(err error) string {
	if inner := errors.Unwrap(err); inner != nil {
		return inner.Error()
	}
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) {
		return errAddress.Error()
	}
	return err.Error()
}

// isLocal reports whether every host of an address is a socket, or this machine itself.
func isLocal(c *pgconn.Config) bool {
	if !isLocalHost(c.Host) {
		return false
	}
	for _, f := range c.Fallbacks {
		if !isLocalHost(f.Host) {
			return false
		}
	}
	return true
}

func isLocalHost(host string) bool {
	if network, _ := pgconn.NetworkAddress(host, 5432); network == "unix" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// weakness says how some connection that the address allows is less than verified; "" if none is. It judges the
// configuration itself, not the words of the address.
func weakness(c *pgconn.Config) string {
	all := []*pgconn.FallbackConfig{{Host: c.Host, TLSConfig: c.TLSConfig}}
	text := ""
	for _, f := range append(all, c.Fallbacks...) {
		switch {
		case isLocalHost(f.Host):
		case f.TLSConfig == nil:
			return "the connection may be in plain text: anyone on the way can read and change what is sent"
		case f.TLSConfig.InsecureSkipVerify || f.TLSConfig.ServerName != f.Host:
			text = "the server need not prove that it is the one named: another may answer in its place"
		}
	}
	return text
}

// String returns the address as it was given. It has no password.
func (a *Address) String() string { return a.Text }

// User returns the name under which the address connects.
func (a *Address) User() string { return a.config.User }
