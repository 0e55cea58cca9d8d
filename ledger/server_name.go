package ledger

import (
	"path/filepath"
	"strings"

	"epsiloscope/ledger/postgres"
)

// IsAddress reports whether a text names a ledger on a server, not a file.
func IsAddress(text string) bool { return postgres.IsAddress(text) }

// SchemaSQL returns the SQL that makes the schema of a ledger, by its name or by an address.
func SchemaSQL(text string) (string, error) {
	if postgres.IsAddress(text) {
		a, err := postgres.ParseAddress(text)
		if err != nil {
			return "", err
		}
		text = a.Schema
	}
	return postgres.Schema(text)
}

// BaseName returns a short name of a ledger for people: that of its file, or database#schema.
func BaseName(text string) string {
	if !postgres.IsAddress(text) {
		return filepath.Base(text)
	}
	base, schema, _ := strings.Cut(text, "#")
	base, _, _ = strings.Cut(base, "?")
	return base[strings.LastIndex(base, "/")+1:] + "#" + schema
}

// DataName returns what the data of a ledger are called if no name is given: by its file, or by its schema.
func DataName(text string) string {
	if _, schema, _ := strings.Cut(text, "#"); postgres.IsAddress(text) {
		return schema
	}
	return strings.TrimSuffix(filepath.Base(text), filepath.Ext(text))
}

// FirstRecord returns the first record of a ledger, in a file or on a server.
func FirstRecord(text string) (Record, error) {
	if !postgres.IsAddress(text) {
		return ReadFirstRecord(text)
	}
	f, err := Open(text, LockWait{})
	if err != nil {
		return Record{}, err
	}
	session, err := f.store.Read()
	if err != nil {
		return Record{}, err
	}
	defer session.Close()
	line, err := session.(*serverSession).firstLine()
	if err != nil {
		return Record{}, err
	}
	return parseFirst(text, line)
}
