// Package postgres keeps the lines of a ledger in PostgreSQL: one schema per ledger, with one function through which
// lines come in. It orders lines and keeps them; prices, filters and decisions are those of package ledger, for a
// file and for a server.
//
// An [Address] says where a ledger is. A [Conn] is one connection to it. [Schema] is the SQL that makes a ledger's
// schema, roles and functions.
package postgres

import (
	_ "embed"
	"strings"
)

//go:embed schema.sql
var schemaText string

// Format is the version of the schema; a ledger of another one is refused.
const Format = 1

// Schema returns the SQL that makes the schema of a ledger, its roles and its functions.
func Schema(name string) (string, error) {
	if err := checkSchema(name); err != nil {
		return "", err
	}
	return strings.ReplaceAll(schemaText, "NAME", name), nil
}
