package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Conn holds one connection to the server of a ledger. It prepares nothing by name and sets nothing beyond its
// transaction, so it may go through a pooler in transaction mode.
type Conn struct {
	pg      *pgconn.PgConn
	schema  string
	warning string // of the server, since the last statement was sent
}

// Connect connects to the server of an address.
func (a *Address) Connect(ctx context.Context) (*Conn, error) {
	c := &Conn{schema: a.Schema}
	config := a.config.Copy()
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		if n.SeverityUnlocalized == "WARNING" || n.Severity == "WARNING" {
			c.warning = n.Message
		}
	}
	var err error
	if c.pg, err = pgconn.ConnectConfig(ctx, config); err != nil {
		return nil, fmt.Errorf("%s: no connection: %w", a.Text, connectReason(err))
	}
	return c, nil
}

// connectReason drops the library's own words before the reason.
func connectReason(err error) error {
	var refused *pgconn.ConnectError
	if errors.As(err, &refused) {
		return errors.Unwrap(refused)
	}
	return err
}

// Close ends the connection; an open transaction is rolled back by the server.
func (c *Conn) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.pg.Close(ctx)
}

// exec runs one statement without parameters and returns its command tag.
func (c *Conn) exec(ctx context.Context, sql string) (tag string, err error) {
	c.warning = ""
	results, err := c.pg.Exec(ctx, sql).ReadAll()
	if err == nil && len(results) > 0 {
		tag = results[len(results)-1].CommandTag.String()
	}
	return tag, err
}

// param is a parameter of a query: text, or bytes as they are.
type param struct {
	value  []byte
	binary bool
}

func text(s string) param  { return param{value: []byte(s)} }
func bytea(b []byte) param { return param{value: b, binary: true} }

// query runs one statement with parameters and calls row for each row of the result, with its columns as text, or as
// they are if binary is set. The values are valid until row returns.
func (c *Conn) query(ctx context.Context, sql string, binary bool, row func([][]byte) error, params ...param) error {
	c.warning = ""
	values, formats := make([][]byte, len(params)), make([]int16, len(params))
	for i, p := range params {
		if values[i] = p.value; p.binary {
			formats[i] = 1
		}
	}
	format := []int16{0}
	if binary {
		format[0] = 1
	}
	result := c.pg.ExecParams(ctx, sql, values, nil, formats, format)
	var failed error
	for result.NextRow() {
		if failed == nil {
			failed = row(result.Values())
		}
	}
	if _, err := result.Close(); err != nil {
		return err
	}
	return failed
}

// queryRow runs a statement and returns the columns of its only row.
func (c *Conn) queryRow(ctx context.Context, sql string, params ...param) (columns []string, err error) {
	err = c.query(ctx, sql, false, func(values [][]byte) error {
		columns = columns[:0]
		for _, v := range values {
			columns = append(columns, string(v))
		}
		return nil
	}, params...)
	if err == nil && columns == nil {
		err = errors.New("the server answered without a row")
	}
	return columns, err
}

// table returns the name of something in the schema of the ledger.
func (c *Conn) table(name string) string { return `"` + c.schema + `".` + name }

// Begin starts a transaction that waits at most wait for a lock.
func (c *Conn) Begin(ctx context.Context, wait time.Duration) error {
	_, err := c.exec(ctx, fmt.Sprintf("begin isolation level read committed read write; set local lock_timeout = %d; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0", max(1, wait.Milliseconds())))
	return err
}

// Head is the last line of a ledger on a server. One without lines has the number -1 and no hash.
type Head struct {
	Seq   int
	Hash  string
	Clock time.Time // of the server
}

// LockHead locks the last line until the transaction ends, and returns it.
func (c *Conn) LockHead(ctx context.Context) (Head, error) {
	return c.head(ctx, "select seq, hash, extract(epoch from clock) from "+c.table("lock_head()"))
}

// Head returns the last line.
func (c *Conn) Head(ctx context.Context) (Head, error) {
	return c.head(ctx, "select seq, hash, extract(epoch from clock_timestamp()) from "+c.table("head"))
}

func (c *Conn) head(ctx context.Context, sql string) (Head, error) {
	row, err := c.queryRow(ctx, sql)
	if err != nil {
		return Head{}, err
	}
	seq, err := strconv.Atoi(row[0])
	seconds, err2 := strconv.ParseFloat(row[2], 64)
	if err = errors.Join(err, err2); err != nil {
		return Head{}, err
	}
	return Head{seq, row[1], time.UnixMilli(int64(seconds * 1000)).UTC()}, nil
}

// Lines calls take for the lines from a number on, in order, each without its newline. The bytes are valid until take
// returns.
func (c *Conn) Lines(ctx context.Context, from int, take func(line []byte) error) error {
	return c.query(ctx, "select line from "+c.table("line")+" where seq >= $1::text::integer order by seq", true, func(row [][]byte) error {
		return take(row[0])
	}, text(strconv.Itoa(from)))
}

// FirstLine calls take for the first line, if there is one.
func (c *Conn) FirstLine(ctx context.Context, take func(line []byte) error) error {
	return c.query(ctx, "select line from "+c.table("line")+" where seq = 0", true, func(row [][]byte) error { return take(row[0]) })
}

// Line is a line to append.
type Line struct {
	Expect string // the hash of the line before it
	Kind   string
	ID     string // "" if its kind has none
	Nonce  string
	At     string // its time, which is read only if it is imported
	Bytes  []byte // without the newline
}

// Hash returns the hash at the end of the line.
func (l Line) Hash() string {
	if len(l.Bytes) < 66 {
		return ""
	}
	return string(l.Bytes[len(l.Bytes)-66 : len(l.Bytes)-2])
}

// Outcome says what became of a line.
type Outcome string

const (
	Written Outcome = "written" // it is the last line now
	There   Outcome = "there"   // it, or another try of it, was written before
	Moved   Outcome = "moved"   // another line was written in its place
)

// Append hands a line to the server. It counts only once the transaction is committed.
func (c *Conn) Append(ctx context.Context, l Line) (Outcome, error) {
	row, err := c.queryRow(ctx, "select "+c.table("append($1, $2, $3, $4, $5)"), text(l.Expect), text(l.Kind), text(l.ID), text(l.Nonce), bytea(l.Bytes))
	if err != nil {
		return "", err
	}
	switch o := Outcome(row[0]); o {
	case Written, There, Moved:
		return o, nil
	default:
		return "", fmt.Errorf("the server answered %q to a line", row[0])
	}
}

// LostAnswer means that it is not known whether the transaction was committed.
type LostAnswer struct{ Err error }

func (l *LostAnswer) Error() string { return "the answer of the server was lost: " + l.Err.Error() }
func (l *LostAnswer) Unwrap() error { return l.Err }

// Commit ends the transaction. Anything but a plain success is a [*LostAnswer]: a warning too, as a server that gives
// up waiting for its standby answers success with a warning.
func (c *Conn) Commit(ctx context.Context) error {
	tag, err := c.exec(ctx, "commit")
	switch {
	case err != nil:
		return &LostAnswer{err}
	case c.warning != "":
		return &LostAnswer{errors.New(c.warning)}
	case tag != "COMMIT":
		return &LostAnswer{fmt.Errorf("the server answered %q to the commit", tag)}
	}
	return nil
}

// Rollback ends the transaction without an effect.
func (c *Conn) Rollback(ctx context.Context) {
	if c.pg.TxStatus() != 'I' {
		_, _ = c.exec(ctx, "rollback")
	}
}

// The errors of append.
const (
	codeTaken   = "EP003"
	codeRole    = "EP004"
	codeUnknown = "EP005"
	codeTime    = "EP006"
)

// errorCode returns the code that the server gave an error; "" for an error that is not the server's.
func errorCode(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// IsRefusal reports whether append itself refused, so that the same line would be refused again.
func IsRefusal(err error) bool { return strings.HasPrefix(errorCode(err), "EP") }

// AppendAll hands lines to the server in the open transaction and commits it. All of them are written, all are there,
// or none is.
func (c *Conn) AppendAll(ctx context.Context, lines []Line) (Outcome, error) {
	var all Outcome
	for i, l := range lines {
		o, err := c.Append(ctx, l)
		if err == nil && (o == Moved || i > 0 && o != all) {
			c.Rollback(ctx)
			return Moved, nil
		}
		if err != nil {
			// the connection is gone, or the server; the commit was never sent
			if code := errorCode(err); code == "" || strings.HasPrefix(code, "57P") {
				return "", &LostAnswer{err}
			}
			c.Rollback(ctx)
			return "", err
		}
		all = o
	}
	return all, c.Commit(ctx)
}

// MayBeWritten reports whether an error leaves open what became of the lines.
func MayBeWritten(err error) bool {
	var lost *LostAnswer
	return errors.As(err, &lost)
}
