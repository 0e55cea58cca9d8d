package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrNoLedger means that the database has no schema of that name, or that the role may not see it.
var ErrNoLedger = errors.New("there is no ledger of that name in this database, or this role may not read it")

// ErrStandby means that a server only follows another one: it can be read from.
var ErrStandby = errors.New("this server is a standby: it can be read, and grants nothing. Name the primary in the address, or several hosts with target_session_attrs=read-write")

// Server describes a server by its own answers.
type Server struct {
	Place   string // the name of this place; "" on a standby
	Standby bool
	Role    string // the role that is logged in
	Owner   bool   // a member of the ledger's owner
	Ready   bool   // the schema is there, and may be read
}

// Inspect returns what the server says of itself.
func (c *Conn) Inspect(ctx context.Context) (Server, error) {
	row, err := c.queryRow(ctx, `select pg_is_in_recovery(), session_user,
		coalesce((select true from pg_catalog.pg_roles where rolname = $1 || '_owner' and pg_has_role(session_user, oid, 'member')), false),
		coalesce(has_table_privilege(to_regclass(quote_ident($1) || '.line'), 'select') and has_table_privilege(to_regclass(quote_ident($1) || '.head'), 'select'), false)`,
		text(c.schema))
	switch {
	case errorCode(err) == "42501": // the schema is there, and is not for this role
		row, err = []string{"f", "", "f", "f"}, nil
	case err != nil:
		return Server{}, err
	}
	s := Server{Standby: row[0] == "t", Role: row[1], Owner: row[2] == "t", Ready: row[3] == "t"}
	if s.Standby {
		return s, nil
	}
	// The timeline is read from the write-ahead log: the control file lags behind a promotion.
	row, err = c.queryRow(ctx, `select system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), current_database() from pg_control_system()`)
	if err != nil {
		return s, err
	}
	s.Place = fmt.Sprintf("postgres:%s/%s/%s/%s", row[0], strings.TrimLeft(row[1], "0"), row[2], c.schema)
	return s, nil
}

// CheckFormat refuses a schema that was made by another version of [Schema].
func (c *Conn) CheckFormat(ctx context.Context) error {
	row, err := c.queryRow(ctx, `select format from `+c.table("head"))
	if err != nil {
		return err
	}
	if row[0] != fmt.Sprint(Format) {
		return fmt.Errorf("its schema is of format %s, and this program knows format %d: use the program that made it, or export the ledger and move it to a new schema", row[0], Format)
	}
	return nil
}

// CheckDurable refuses a server that may forget what it has acknowledged, or on which a lock can outlive its session.
func (c *Conn) CheckDurable(ctx context.Context) error {
	row, err := c.queryRow(ctx, `select current_setting('fsync'), current_setting('full_page_writes'), current_setting('max_prepared_transactions'),
		(select string_agg(relpersistence::text, '' order by relname) from pg_catalog.pg_class where oid in (to_regclass(quote_ident($1) || '.line'), to_regclass(quote_ident($1) || '.head'))),
		current_setting('server_version_num')::integer >= 140000, pg_is_in_recovery()`, text(c.schema))
	if err != nil {
		return err
	}
	for _, rule := range []struct {
		broken bool
		reason string
	}{
		{row[5] == "t", ErrStandby.Error()},
		{row[4] != "t", "the server is older than PostgreSQL 14"},
		{row[0] != "on", "the server runs with fsync = off: it may forget what it has acknowledged when its machine stops"},
		{row[1] != "on", "the server runs with full_page_writes = off: it may lose pages when its machine stops"},
		{row[2] != "0", "the server allows prepared transactions (max_prepared_transactions = " + row[2] + "), which could hold the ledger's lock without a session. Set it to 0"},
		{row[3] != "pp", "a table of the ledger is unlogged, and empty after a crash: alter it to be logged"},
	} {
		if rule.broken && rule.reason == ErrStandby.Error() {
			return ErrStandby
		}
		if rule.broken {
			return errors.New(rule.reason)
		}
	}
	return nil
}

// Install makes the schema of the ledger, its roles and its functions.
func (c *Conn) Install(ctx context.Context) error {
	sql, err := Schema(c.schema)
	if err != nil {
		return err
	}
	if _, err = c.exec(ctx, sql); err != nil {
		c.Rollback(ctx)
	}
	return err
}

// IsForbidden reports whether the server refused something because the role may not do it.
func IsForbidden(err error) bool { return errorCode(err) == "42501" || errorCode(err) == codeRole }

// IsTimeout reports whether the lock of the head was not given in time.
func IsTimeout(err error) bool { return errorCode(err) == "55P03" }

// Holder words who holds the lock of the head, as far as this role may see; "another session" else.
func (c *Conn) Holder(ctx context.Context) string {
	row, err := c.queryRow(ctx, `select a.pid, a.usename, coalesce(a.application_name, ''), coalesce(host(a.client_addr), ''), coalesce(extract(epoch from clock_timestamp() - a.xact_start)::integer, 0)
		from pg_catalog.pg_locks l join pg_catalog.pg_stat_activity a using (pid)
		where l.relation = $1::text::regclass and l.granted and l.pid <> pg_backend_pid() and l.mode in ('RowShareLock', 'RowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
		and not exists (select from pg_catalog.pg_locks w where w.pid = l.pid and not w.granted) limit 1`, text(c.table("head")))
	if err != nil {
		return "another session"
	}
	who := fmt.Sprintf("the session with process %s of role %s", row[0], row[1])
	if row[2] != "" {
		who += " (" + row[2] + ")"
	}
	if row[3] != "" {
		who += " from " + row[3]
	}
	if row[4] != "0" {
		who += ", whose transaction is open for " + row[4] + " seconds"
	}
	return who
}

// HashAt returns the hash of a line by its number; "" if there is no such line.
func (c *Conn) HashAt(ctx context.Context, seq int) (hash string, err error) {
	err = c.query(ctx, "select hash from "+c.table("line")+" where seq = $1::text::integer", false, func(row [][]byte) error {
		hash = string(row[0])
		return nil
	}, text(fmt.Sprint(seq)))
	return hash, err
}

// Import writes lines into a schema without any, as they are: their times are the past. Only the owner may. Lines
// that are reserved in them can be settled by the owner alone.
func (c *Conn) Import(ctx context.Context, lines []Line) error {
	head, err := c.LockHead(ctx)
	if err != nil {
		return err
	}
	if head.Seq != -1 {
		return errors.New("it has lines already")
	}
	for i, l := range lines {
		key := "nonce " + l.Nonce
		switch l.Kind {
		case "reserve", "breach", "torn":
			if l.ID != "" {
				key = l.ID
			}
		case "commit", "cancel":
			key = "end " + l.ID
		}
		hash := l.Hash()
		if _, err := c.queryRow(ctx, "insert into "+c.table("line")+" values ($1::text::integer, $2, $3, $4, $5, $6::text::timestamptz, session_user) returning seq",
			text(fmt.Sprint(i)), text(hash), text(key), text(l.Nonce), bytea(l.Bytes), text(l.At)); err != nil {
			return err
		}
		if i == len(lines)-1 {
			_, err := c.queryRow(ctx, "update "+c.table("head")+" set seq = $1::text::integer, hash = $2, at = $3::text::timestamptz returning seq", text(fmt.Sprint(i)), text(hash), text(l.At))
			return err
		}
	}
	return errors.New("there are no lines")
}
