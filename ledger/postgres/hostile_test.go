package postgres

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"epsiloscope/internal/pgserver"
)

// A spender with a client of its own tries what append must refuse. The chain keeps its end each time.
func TestHostileSpender(t *testing.T) {
	n := opened(t)
	ana, bob := n.connect("ana"), n.connect("bob")
	n.mustPut(ana, next(t, ana, "reserve", "a1").line())
	n.mustPut(bob, next(t, bob, "reserve", "b1").line())
	change := func(kind, id string, edit func(*draft)) Line {
		d := next(t, ana, kind, id)
		edit(&d)
		return d.line()
	}
	same := func(*draft) {}
	for name, l := range map[string]Line{
		"a second open":              change("open", "", same),
		"a home by a spender":        change("home", "", same),
		"an unknown kind":            change("amend", "", same),
		"an empty kind":              change("", "", same),
		"a kind with SQL":            change(`refuse' or 1=1 --`, "", same),
		"another kind in the bytes":  change("refuse", "", func(d *draft) { d.lineKind = "cancel" }),
		"another id in the bytes":    change("reserve", "x1", func(d *draft) { d.lineID = "x2" }),
		"an id where none belongs":   change("refuse", "x1", same),
		"no id":                      change("reserve", "", same),
		"an id with SQL":             change("reserve", `x'); drop table line; --`, same),
		"an id with a quote":         change("reserve", `x","kind":"cancel`, same),
		"an id as a settled key":     change("reserve", "end a1", same),
		"an id that is too long":     change("reserve", strings.Repeat("x", 101), same),
		"the id of another":          change("reserve", "b1", same),
		"the commit of another":      change("commit", "b1", same),
		"the cancel of another":      change("cancel", "b1", same),
		"a cancel of nothing":        change("cancel", "zz", same),
		"another number":             change("refuse", "", func(d *draft) { d.seq++ }),
		"a time behind":              change("refuse", "", func(d *draft) { d.middle = `,"x":1`; d.at = d.at.Add(-3 * time.Minute) }),
		"a time ahead":               change("refuse", "", func(d *draft) { d.at = d.at.Add(3 * time.Minute) }),
		"a time that is none":        change("refuse", "", func(d *draft) { d.stamp = "2026-13-45T99:00:00Z" }),
		"a time in words":            change("refuse", "", func(d *draft) { d.stamp = "yesterday allballs   " }),
		"an infinite time":           change("refuse", "", func(d *draft) { d.stamp = "infinity" }),
		"a time with a zone":         change("refuse", "", func(d *draft) { d.stamp = d.at.Format("2006-01-02T15:04:05") + "+09" }),
		"two lines":                  change("refuse", "", func(d *draft) { d.middle = ",\n" + `"x":1` }),
		"10 MB":                      change("refuse", "", func(d *draft) { d.middle = `,"why":"` + strings.Repeat("x", 10<<20) + `"` }),
		"a cancel by force":          change("cancel", "a1", func(d *draft) { d.force = true }),
		"force where none belongs":   change("reserve", "x1", func(d *draft) { d.force = true }),
		"another nonce in the bytes": func() Line { l := change("refuse", "", same); l.Nonce = newNonce(); return l }(),
		"a short nonce":              func() Line { l := change("refuse", "", same); l.Nonce = "1"; return l }(),
		"a wrong hash": func() Line {
			l := change("refuse", "", same)
			l.Bytes = bytes.Replace(l.Bytes, []byte(`"at"`), []byte(`"a":1,"at"`), 1)
			return l
		}(),
		"bytes after the end": func() Line { l := change("refuse", "", same); l.Bytes = append(l.Bytes, ' '); return l }(),
		"no bytes":            func() Line { l := change("refuse", "", same); l.Bytes = []byte{}; return l }(),
		"another line before it": func() Line {
			d := next(t, ana, "refuse", "")
			head := d.prev
			d.prev = strings.Repeat("0", 64)
			l := d.line()
			l.Expect = head
			return l
		}(),
	} {
		before, err := ana.Head(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		o, err := put(ana, l)
		if err == nil {
			t.Errorf("%s: %s", name, o)
		}
		if after, err := ana.Head(context.Background()); err != nil || after.Hash != before.Hash {
			t.Errorf("%s: the end is another (%v)", name, err)
		}
	}
}

// What append cannot see is left to the readers: the bytes stand in the chain as they are.
func TestRepeatedFieldsAreKept(t *testing.T) {
	n := opened(t)
	ana := n.connect("ana")
	d := next(t, ana, "refuse", "")
	d.middle = `,"Kind":"cancel","kind":"cancel"`
	n.mustPut(ana, d.line())
	var last []byte
	if err := ana.Lines(context.Background(), 1,
		func(line []byte) error { last = bytes.Clone(line); return nil }); err != nil || !bytes.Equal(last, d.bytes()) {
		t.Errorf("%s, %v", last, err)
	}
}

// A spender with plain SQL: NULLs, settings of the session, tables and functions that are not for it.
func TestHostileSQL(t *testing.T) {
	n := opened(t)
	ana := n.connect("ana")
	n.mustPut(ana, next(t, ana, "reserve", "a1").line())
	count := func() string {
		return n.Server.Exec(t, fmt.Sprintf("select count(*), max(hash) from %s.line", n.Schema))[0]
	}
	before := count()
	l := next(t, ana, "reserve", "x1").line()
	call := func(args ...string) string {
		return fmt.Sprintf("select %s.append(%s)", n.Schema, strings.Join(args, ", "))
	}
	quoted := []string{"'" + l.Expect + "'", "'reserve'", "'x1'", "'" + l.Nonce + "'", fmt.Sprintf(`'\x%x'`, l.Bytes)}
	var tries []string
	for i := range quoted {
		args := append([]string{}, quoted...)
		args[i] = "null"
		tries = append(tries, call(args...), "set transform_null_equals = on; "+call(args...))
	}
	for _, sql := range []string{
		"insert into S.line values (2, repeat('0', 64), 'k', repeat('0', 32), '', now(), 'x')",
		"update S.line set role = 'bob'", "delete from S.line", "truncate S.line", "update S.head set seq = 0", "delete from S.head",
		"select * from S.head for update", "select * from S.line for share", "lock table S.head in exclusive mode",
		"alter table S.line disable trigger all", "drop table S.line", "drop schema S cascade",
		"create function S.append(text) returns text language sql as 'select 1::text'",
		"create or replace function S.lock_head(out seq integer, out hash text, out at timestamptz, out clock timestamptz) language sql as 'select 1, null, null, null'",
		"set role S_owner", "set session authorization postgres", "set session_replication_role = replica",
		"grant S_owner to S_ana", "select S.keep()",
	} {
		tries = append(tries, strings.ReplaceAll(sql, "S", n.Schema))
	}
	for _, sql := range tries {
		if _, err := pgserver.ExecAs(n.Address("ana"), sql); err == nil {
			t.Errorf("allowed: %s", sql)
		}
	}
	for _, who := range []string{"eve", "nobody"} {
		if _, err := pgserver.ExecAs(n.Address(who), call(quoted...)); err == nil {
			t.Errorf("%s may append", who)
		}
		if _, err := pgserver.ExecAs(n.Address(who), fmt.Sprintf("select * from %s.lock_head()", n.Schema)); err == nil {
			t.Errorf("%s may lock", who)
		}
	}
	if _, err := pgserver.ExecAs(n.Address("nobody"), fmt.Sprintf("select line from %s.line", n.Schema)); err == nil {
		t.Error("a stranger may read")
	}
	if after := count(); after != before {
		t.Errorf("%s lines, then %s", before, after)
	}
}

// No setting of a session changes what append decides, writes or waits for.
func TestSettingsOfTheSession(t *testing.T) {
	n := opened(t)
	ana := n.connect("ana")
	for i, settings := range []string{
		"set search_path = pg_temp; create temp table line (x int); create temp table head (x int)",
		"set standard_conforming_strings = off; set escape_string_warning = off",
		"set timezone = 'Pacific/Kiritimati'; set datestyle = 'SQL, DMY'; set bytea_output = 'escape'",
		"set transform_null_equals = on; set client_encoding = 'LATIN1'",
		"set synchronous_commit = off", "set default_transaction_isolation = 'serializable'",
		"set plpgsql.variable_conflict = 'use_column'", "set row_security = off; set jit = off",
		"create function pg_temp.sha256(bytea) returns bytea language sql as 'select null::bytea'; set search_path = pg_temp, pg_catalog",
		"create function pg_temp.clock_timestamp() returns timestamptz language sql as 'select null::timestamptz'; set search_path = pg_temp, pg_catalog",
	} {
		d := next(t, ana, "reserve", fmt.Sprintf("s%d", i))
		for _, late := range []bool{true, false} {
			if d.at = d.at.Truncate(time.Second); late {
				d.stamp = d.at.Add(-time.Hour).Format("2006-01-02T15:04:05Z")
			} else {
				d.stamp = ""
			}
			l := d.line()
			sql := fmt.Sprintf(`%s; begin; select %s.append('%s', 'reserve', '%s', '%s', '\x%x'); select current_setting('synchronous_commit'); commit`, settings, n.Schema, l.Expect, l.ID, l.Nonce, l.Bytes)
			row, err := pgserver.ExecAs(n.Address("ana"), sql)
			if (err == nil) == late {
				t.Errorf("%s: late %t: %v", settings, late, err)
			}
			if err == nil && row[0] != "on" {
				t.Errorf("%s: synchronous_commit is %s at the commit", settings, row[0])
			}
		}
	}
}

// The same line twice is one line; another process with the same id is refused.
func TestSecondTry(t *testing.T) {
	n := opened(t)
	ana, other, bob := n.connect("ana"), n.connect("ana"), n.connect("bob")
	l := next(t, ana, "reserve", "a1").line()
	n.mustPut(ana, l)
	for range 3 {
		if o, err := put(other, l); o != There || err != nil {
			t.Fatalf("%q, %v", o, err)
		}
	}
	n.mustPut(bob, next(t, bob, "refuse", "").line())
	if o, err := put(other, l); o != There || err != nil {
		t.Errorf("after another line: %q, %v", o, err)
	}
	again := next(t, ana, "reserve", "a1").line()
	if o, err := put(other, again); errorCode(err) != codeTaken {
		t.Errorf("another nonce: %q, %v", o, err)
	}
	if o, err := put(bob, l); errorCode(err) != codeTaken {
		t.Errorf("another role with the nonce: %q, %v", o, err)
	}
	moved := next(t, ana, "reserve", "a2").line()
	n.mustPut(bob, next(t, bob, "refuse", "").line())
	if o, err := put(ana, moved); o != Moved || err != nil {
		t.Errorf("behind another line: %q, %v", o, err)
	}
	settle := next(t, ana, "commit", "a1").line()
	n.mustPut(ana, settle)
	if o, err := put(ana, settle); o != There || err != nil {
		t.Errorf("commit again: %q, %v", o, err)
	}
	if o, err := put(ana, next(t, ana, "cancel", "a1").line()); errorCode(err) != codeTaken {
		t.Errorf("cancel of a committed one: %q, %v", o, err)
	}
	owner := n.connect("steward")
	n.mustPut(bob, next(t, bob, "reserve", "b1").line())
	force := next(t, owner, "cancel", "b1")
	force.force = true
	n.mustPut(owner, force.line())
}

// The owner's triggers are for slips: the owner itself is stopped by them.
func TestSlips(t *testing.T) {
	n := opened(t)
	for _, sql := range []string{"update S.line set role = 'x'", "delete from S.line", "truncate S.line", "delete from S.head", "truncate S.head"} {
		sql = "set role " + n.Schema + "_owner; " + strings.ReplaceAll(sql, "S", n.Schema)
		if _, err := pgserver.ExecAs(n.Server.Admin(), sql); err == nil || !strings.Contains(err.Error(), "only appended to") {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// One tenant cannot read or write the ledger of another.
func TestTenants(t *testing.T) {
	a, b := opened(t), opened(t)
	for _, sql := range []string{"select line from %s.line", "select * from %s.head", "select * from %s.lock_head()"} {
		if _, err := pgserver.ExecAs(a.Address("steward"), fmt.Sprintf(sql, b.Schema)); err == nil {
			t.Errorf(sql, b.Schema)
		}
	}
}

// A commit that the server calls a success with a warning, as after a cancelled wait for a standby, is no answer.
func TestWarningIsNoAnswer(t *testing.T) {
	n := opened(t)
	n.Server.Exec(t, fmt.Sprintf(`create function %[1]s.warn() returns trigger language plpgsql as $$ begin raise warning 'the wait was cancelled'; return null; end $$;
		create constraint trigger warn after insert on %[1]s.line deferrable initially deferred for each row execute function %[1]s.warn()`, n.Schema))
	ana := n.connect("ana")
	l := next(t, ana, "reserve", "a1").line()
	if _, err := put(ana, l); !MayBeWritten(err) {
		t.Fatalf("%v", err)
	}
	if o, err := put(ana, l); o != There || err != nil {
		t.Errorf("%q, %v", o, err)
	}
}
