package postgres

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"epsiloscope/internal/pgserver"
)

// tenant is a ledger's schema on the shared server.
type tenant struct {
	*pgserver.Tenant
	t testing.TB
}

func newTenant(t testing.TB, server *pgserver.Server) *tenant {
	t.Helper()
	return &tenant{server.NewTenant(t, Schema), t}
}

func (n *tenant) connect(user string) *Conn {
	n.t.Helper()
	a, err := ParseAddress(n.Address(user))
	if err != nil {
		n.t.Fatal(err)
	}
	c, err := a.Connect(context.Background())
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(c.Close)
	return c
}

func newNonce() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// draft is a line to be, with a place for anything a hostile writer may put there.
type draft struct {
	seq              int
	kind, id, prev   string
	at               time.Time
	stamp            string // in place of at
	middle           string // between at and prev
	lineKind, lineID string // in the bytes, if they are to differ
	force            bool
	nonce            string
}

func (d draft) bytes() []byte {
	force := ""
	if d.force {
		force = `,"force":true`
	}
	kind, id, stamp := d.kind, d.id, d.stamp
	if d.lineKind != "" {
		kind = d.lineKind
	}
	if d.lineID != "" {
		id = d.lineID
	}
	if id != "" {
		id = `,"id":"` + id + `"`
	}
	if stamp == "" {
		stamp = d.at.UTC().Format("2006-01-02T15:04:05Z")
	}
	body := fmt.Sprintf(`{"v":1,"seq":%d,"kind":"%s"%s%s,"nonce":"%s","at":"%s"%s,"prev":"%s"`, d.seq, kind, force, id, d.nonce, stamp, d.middle, d.prev)
	sum := sha256.Sum256([]byte(body))
	return []byte(body + `,"hash":"` + hex.EncodeToString(sum[:]) + `"}`)
}

func (d draft) line() Line {
	return Line{Expect: d.prev, Kind: d.kind, ID: d.id, Nonce: d.nonce, Bytes: d.bytes()}
}

// next returns a draft that follows the last line.
func next(t testing.TB, c *Conn, kind, id string) draft {
	t.Helper()
	h, err := c.Head(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return draft{seq: h.Seq + 1, kind: kind, id: id, prev: h.Hash, at: h.Clock, nonce: newNonce()}
}

// put appends a line in a transaction of its own.
func put(c *Conn, l Line) (Outcome, error) {
	ctx := context.Background()
	if err := c.Begin(ctx, 10*time.Second); err != nil {
		return "", err
	}
	defer c.Rollback(ctx)
	o, err := c.Append(ctx, l)
	if err != nil {
		return "", err
	}
	return o, c.Commit(ctx)
}

func (n *tenant) mustPut(c *Conn, l Line) {
	n.t.Helper()
	if o, err := put(c, l); err != nil || o != Written {
		n.t.Fatalf("%s: %q, %v", l.Bytes, o, err)
	}
}

// opened returns a tenant whose ledger has its first line.
func opened(t testing.TB) *tenant {
	t.Helper()
	n := newTenant(t, pgserver.SharedServer(t))
	c := n.connect("steward")
	n.mustPut(c, next(t, c, "open", "").line())
	return n
}
