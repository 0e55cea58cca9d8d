package postgres

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	for _, name := range []string{"PGHOST", "PGSSLMODE", "PGSERVICE", "PGUSER", "PGPASSWORD", "PGDATABASE", "PGSSLROOTCERT"} {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
	for text, weak := range map[string]bool{
		"postgres://ana@db.example.org/sales#prod":                                      false,
		"postgresql://ana@db.example.org/sales#prod":                                    false,
		"postgres://ana@db.example.org/sales?sslmode=require#prod":                      true,
		"postgres://ana@db.example.org/sales?sslmode=disable#prod":                      true,
		"postgres://ana@db.example.org/sales?sslmode=prefer#prod":                       true,
		"postgres://ana@db.example.org/sales?sslmode=verify-full#prod":                  false,
		"postgres://ana@192.0.2.1/sales?sslmode=verify-full#prod":                       false,
		"postgres://ana@a.example.org:5432,b.example.org:5433/sales#prod":               false,
		"postgres://ana@localhost,b.example.org/sales#prod":                             false,
		"postgres://ana@localhost,b.example.org/sales?sslmode=prefer#prod":              true,
		"postgres://ana@localhost/sales#prod":                                           false,
		"postgres://ana@127.0.0.1:6432/sales#prod":                                      false,
		"postgres://ana@[::1]/sales#prod":                                               false,
		"postgres:///sales?host=/run/postgresql&user=ana#prod":                          false,
		"postgres://ana@localhost.example.org/sales?sslmode=disable#prod":               true,
		"postgres:///sales?host=db.example.org&user=ana#prod":                           false,
		"postgres:///sales?host=db.example.org&user=ana&sslmode=allow#prod":             true,
		"postgres://ana@db.example.org/sales?sslmode=verify-full&sslmode=disable#prod2": true,
	} {
		a, err := ParseAddress(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if (a.Weak != "") != weak {
			t.Errorf("%s: %q", text, a.Weak)
		}
		if !isLocal(a.config) && !weak && a.config.TLSConfig == nil {
			t.Errorf("%s: plain text", text)
		}
	}
}

// What the environment or a service file says cannot weaken the connection to another machine.
func TestEnvironmentIsNoWish(t *testing.T) {
	t.Setenv("PGSSLMODE", "disable")
	t.Setenv("PGHOST", "db.example.org")
	folder := t.TempDir()
	service := filepath.Join(folder, "service")
	if err := os.WriteFile(service, []byte("[sales]\nhost=other.example.org\ndbname=sales\nsslmode=disable\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PGSERVICEFILE", service)
	for _, text := range []string{"postgres://ana@db.example.org/sales#prod", "postgres:///sales#prod", "postgres:///?service=sales#prod"} {
		a, err := ParseAddress(text)
		if err != nil || a.Weak != "" || a.config.TLSConfig == nil || a.config.TLSConfig.InsecureSkipVerify ||
			len(a.config.Fallbacks) > 0 {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
	t.Setenv("PGSERVICE", "sales")
	if a, err := ParseAddress("postgres://#prod"); err != nil || a.config.Host != "other.example.org" || a.Weak != "" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestRefusedAddresses(t *testing.T) {
	for _, text := range []string{
		"postgres://ana:s3cret@db.example.org/sales#prod", "postgres://ana:s3cret@db.example.org/sales",
		"postgres://db.example.org/sales?user=ana&password=s3cret#prod", "postgres://db.example.org/sales?sslpassword=s3cret#prod",
		"postgres://ana:s3cret@db.example.org:port/sales#prod", "postgres://ana:s3cret@%zz/sales#prod",
		"postgres://ana:s3c@ret@db.example.org/sales#prod", "postgres://ana@db/sales?password=s3cret;x=%#prod",
		"postgres://ana:s3cret@a,b/sales#pro d", "postgres://ana:s3cret@db\x00/sales#prod",
		"postgres://ana@db.example.org/sales", "postgres://ana@db.example.org/sales#", "postgres://ana@db.example.org/sales#Prod",
		"postgres://ana@db.example.org/sales#pg_prod", "postgres://ana@db.example.org/sales#public", `postgres://ana@db/sales#x";drop`,
		"postgres://ana@db.example.org/sales?sslmode=none#prod", "postgres://ana@db.example.org:x/sales#prod",
	} {
		_, err := ParseAddress(text)
		if err == nil {
			t.Errorf("%s is taken", text)
		} else if strings.Contains(err.Error(), "s3c") {
			t.Errorf("%s: the password is printed: %v", text, err)
		}
	}
}

func TestSchemaNames(t *testing.T) {
	for name, good := range map[string]bool{
		"prod": true, "p2_x": true, "select": true, "user": true,
		"": false, "Prod": false, "2p": false, "a b": false, `a"b`: false, "a;b": false, "pg_x": false, "public": false, "pröd": false, strings.Repeat("x", 41): false,
	} {
		sql, err := Schema(name)
		if (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
		if good && strings.Contains(sql, "NAME") {
			t.Errorf("%q: a NAME is left", name)
		}
	}
}
