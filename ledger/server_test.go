package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/pgserver"
	"epsiloscope/ledger/postgres"
	"epsiloscope/scenarios"
)

// served opens a ledger on a server as its steward, and returns the tenant.
func served(t testing.TB, server *pgserver.Server, promise Promise) *pgserver.Tenant {
	t.Helper()
	n := server.NewTenant(t, postgres.Schema)
	if _, err := at(t, n, "steward").Create(context.Background(), opening(promise), nil, 0); err != nil {
		t.Fatal(err)
	}
	return n
}

// at returns the ledger of a tenant for a login, on a machine of its own.
func at(t testing.TB, n *pgserver.Tenant, user string) *Stored {
	t.Helper()
	return stored(t, n.Address(user))
}

func stored(t testing.TB, address string) *Stored {
	t.Helper()
	f, err := Open(address, LockWait{Limit: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	f.store.(*ServerStore).state = filepath.Join(t.TempDir(), "state")
	return f
}

func basic(epsilon string) Promise {
	p := zcdp()
	p.Filter, p.Epsilon = "basic", epsilon
	return p
}

func laplace(t testing.TB, epsilon string) string {
	return "{mechanism: laplace, epsilon: " + epsilon + "}"
}

// ownServer leaves a test that starts servers of its own, which takes seconds, to the form with all cases.
func ownServer(t *testing.T) {
	t.Helper()
	if !gauge.All() {
		t.Skip("starts servers of its own: EPSILOSCOPE_ALL=1")
	}
}

func TestServerLedger(t *testing.T) {
	n := served(t, pgserver.SharedServer(t), basic("1"))
	ana, bob := at(t, n, "ana"), at(t, n, "bob")
	six := scenarioOf(t, laplace(t, "0.6"))
	id := mustReserve(t, ana, six)
	var refused *Refused
	if _, _, err := bob.Reserve(six, nil, "", ""); !errors.As(err, &refused) {
		t.Fatalf("0.6 and 0.6 of 1: %v", err)
	}
	if _, err := bob.Commit(id, nil, ""); err == nil || !strings.Contains(err.Error(), "another role") {
		t.Errorf("another role commits: %v", err)
	}
	if _, err := bob.Cancel(id, "never read", false); err == nil || !strings.Contains(err.Error(), "another role") {
		t.Errorf("another role cancels: %v", err)
	}
	for range 2 {
		if _, err := ana.Commit(id, nil, ""); err != nil {
			t.Errorf("commit: %v", err)
		}
	}
	for _, user := range []string{"ana", "bob", "eve", "steward"} {
		l, err := at(t, n, user).Verify(context.Background())
		if err != nil || len(l.Records) != 4 || l.State(id) != Committed {
			t.Errorf("%s: %v", user, err)
		}
	}
	if _, _, err := at(t, n, "eve").Reserve(six, nil, "", ""); err == nil || !strings.Contains(err.Error(), "not spend") {
		t.Errorf("a reader spends: %v", err)
	}
	if _, err := at(t, n, "nobody").Read(); !errors.Is(err, postgres.ErrNoLedger) {
		t.Errorf("a stranger reads: %v", err)
	}
	if _, err := at(t, n, "steward").Create(context.Background(), opening(basic("9")), nil, 0); err == nil ||
		!strings.Contains(err.Error(), "already there") {
		t.Errorf("opened twice: %v", err)
	}
}

// What was reserved with a command is cancelled by the owner alone, by force.
func TestServerCancel(t *testing.T) {
	n := served(t, pgserver.SharedServer(t), basic("1"))
	ana := at(t, n, "ana")
	small := scenarioOf(t, laplace(t, "0.1"))
	ana.Command = true
	id, own := mustReserve(t, ana, small), mustReserve(t, ana, small)
	if _, err := ana.Cancel(id, "never read", false); err == nil {
		t.Error("cancelled without force")
	}
	if _, err := ana.Cancel(id, "never read", true); err == nil || !strings.Contains(err.Error(), "owner") {
		t.Errorf("a spender cancels by force: %v", err)
	}
	if l, err := at(t, n, "steward").Cancel(id, "the machine never started", true); err != nil || l.State(id) != Cancelled {
		t.Errorf("the owner cancels by force: %v", err)
	}
	if l, err := ana.GiveBack(own); err != nil || l.State(own) != Cancelled {
		t.Errorf("a command that could not be started: %v", err)
	}
}

// 16 writers at once: the sum is exact, and never above the promise.
func TestServerWriters(t *testing.T) {
	n := served(t, pgserver.SharedServer(t), basic("1"))
	small := scenarioOf(t, laplace(t, "0.03"))
	var writers []*Stored
	for i := range 16 {
		writers = append(writers, at(t, n, []string{"ana", "bob"}[i%2]))
	}
	granted := reserveAll(t, small, writers)
	if l, err := at(t, n, "eve").Verify(context.Background()); granted != 33 || err != nil || l.held != 33 {
		t.Errorf("%d granted, %v", granted, err)
	}
}

// reserveAll lets all writers at once reserve until they are refused, and returns how often they were granted.
func reserveAll(t *testing.T, s *scenarios.Scenario, writers []*Stored) int {
	t.Helper()
	var wait sync.WaitGroup
	var mu sync.Mutex
	granted := 0
	for _, f := range writers {
		wait.Go(func() {
			for {
				_, _, err := f.Reserve(s, nil, "", "")
				if refused := new(Refused); errors.As(err, &refused) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				granted++
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return granted
}

// proxy passes bytes between clients and a server, and drops the connection when told to.
type proxy struct {
	listener net.Listener
	mu       sync.Mutex
	drop     func(sent []byte) bool // whether the answer to what the client has sent is lost
}

func newProxy(t testing.TB, server *pgserver.Server) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("no loopback here:", err)
	}
	p := &proxy{listener: listener}
	t.Cleanup(func() { listener.Close() })
	network, address := server.Dial()
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go p.pass(client, network, address)
		}
	}()
	return p
}

// pass forwards one connection. What a client sends is handed on; if its answer is to be lost, the answer is awaited
// and thrown away with the connection.
func (p *proxy) pass(client net.Conn, network, address string) {
	defer client.Close()
	server, err := net.Dial(network, address)
	if err != nil {
		return
	}
	defer server.Close()
	var mu sync.Mutex
	lost := false
	go func() {
		buffer := make([]byte, 1<<16)
		for {
			n, err := client.Read(buffer)
			if err != nil {
				server.Close()
				return
			}
			p.mu.Lock()
			drop := p.drop != nil && p.drop(buffer[:n])
			p.mu.Unlock()
			if drop {
				mu.Lock()
				lost = true
				mu.Unlock()
			}
			if _, err := server.Write(buffer[:n]); err != nil {
				return
			}
		}
	}()
	buffer := make([]byte, 1<<16)
	for {
		n, err := server.Read(buffer)
		mu.Lock()
		over := lost
		mu.Unlock()
		if over || err != nil {
			return
		}
		if _, err := client.Write(buffer[:n]); err != nil && !errors.Is(err, io.EOF) {
			return
		}
	}
}

// address returns the address of a tenant through the proxy.
func (p *proxy) address(n *pgserver.Tenant, user string) string {
	return fmt.Sprintf("postgres://%s_%s@%s/%s#%s", n.Schema, user, p.listener.Addr(), n.Database(), n.Schema)
}

// dropFirst loses the answers to the first n messages that contain a text.
func (p *proxy) dropFirst(n int, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop = func(sent []byte) bool {
		if n > 0 && strings.Contains(string(sent), text) {
			n--
			return true
		}
		return false
	}
}

// The answer to a commit, or to a line, is lost: the reservation is made once, and its process learns that it is.
func TestLostAnswers(t *testing.T) {
	server := pgserver.SharedServer(t)
	n := served(t, server, basic("1"))
	p := newProxy(t, server)
	small := scenarioOf(t, laplace(t, "0.1"))
	ana := stored(t, p.address(n, "ana"))
	reserved := 0
	for _, lost := range []struct {
		text  string
		times int
	}{{"commit\x00", 1}, {"commit\x00", 3}, {"append(", 1}, {"append(", 3}, {"begin isolation", 0}} {
		p.dropFirst(lost.times, lost.text)
		id, _, err := ana.Reserve(small, nil, "", "")
		if err != nil {
			t.Fatalf("%q lost %d times: %v", lost.text, lost.times, err)
		}
		reserved++
		l, err := at(t, n, "eve").Verify(context.Background())
		if err != nil || l.State(id) != Held || l.held != reserved {
			t.Errorf("%q lost %d times: %d held, %v", lost.text, lost.times, l.held, err)
		}
	}
}

// Another process appends while an answer is lost before the commit: the decision is made again, on what is there now.
func TestLostAnswerThenMoved(t *testing.T) {
	server := pgserver.SharedServer(t)
	n := served(t, server, basic("1"))
	p := newProxy(t, server)
	ana, bob := stored(t, p.address(n, "ana")), at(t, n, "bob")
	six := scenarioOf(t, laplace(t, "0.6"))
	lost, first := false, error(nil)
	p.drop = func(sent []byte) bool {
		switch {
		case !lost && strings.Contains(string(sent), "append("):
			lost = true
			return true
		case lost && bob != nil && strings.Contains(string(sent), "pg_is_in_recovery"): // the new connection: another process is first
			_, _, first = bob.Reserve(six, nil, "", "")
			bob = nil
		}
		return false
	}
	_, _, err := ana.Reserve(six, nil, "", "")
	l, verr := at(t, n, "eve").Verify(context.Background())
	var refused *Refused
	if !errors.As(err, &refused) || first != nil || verr != nil || l.held != 1 || len(l.Records) != 3 {
		t.Fatalf("%v, %v; %v", err, first, verr)
	}
}

// The server is killed in the middle of work, again and again: what was acknowledged is there afterwards.
func TestServerKilled(t *testing.T) {
	ownServer(t)
	server := pgserver.Start(t)
	n := served(t, server, basic("100"))
	small := scenarioOf(t, laplace(t, "0.1"))
	acknowledged := map[string]bool{}
	for range 3 {
		var wait sync.WaitGroup
		var mu sync.Mutex
		stop := make(chan struct{})
		some := make(chan struct{}, 100)
		for range 4 {
			f := at(t, n, "ana")
			f.store.(*ServerStore).Wait.Limit = time.Millisecond * 200
			wait.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					id, _, err := f.Reserve(small, nil, "", "")
					if err != nil {
						return
					}
					mu.Lock()
					acknowledged[id] = true
					mu.Unlock()
					select {
					case some <- struct{}{}:
					default:
					}
				}
			})
		}
		for range 8 {
			<-some
		}
		server.Kill(t)
		close(stop)
		wait.Wait()
		server.Restart(t)
	}
	l, err := at(t, n, "eve").Verify(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for id := range acknowledged {
		if l.State(id) != Held {
			t.Errorf("%s was acknowledged and is %q", id, l.State(id))
		}
	}
	t.Logf("%d acknowledged, %d in the ledger", len(acknowledged), l.held)
}

// A server that may forget, or that follows another, grants nothing.
func TestServerChecks(t *testing.T) {
	ownServer(t)
	server := pgserver.Start(t, "fsync = off", "max_prepared_transactions = 2", "full_page_writes = off")
	n := server.NewTenant(t, postgres.Schema)
	steward := at(t, n, "steward")
	for _, step := range []struct{ setting, sql string }{
		{"fsync", "alter system set fsync = on"}, {"full_page_writes", "alter system set full_page_writes = on"}, {"prepared", "alter system set max_prepared_transactions = 0"}, {"", ""},
	} {
		_, err := steward.Create(context.Background(), opening(basic("1")), nil, 0)
		if step.setting == "" {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if err == nil || !strings.Contains(err.Error(), step.setting) {
			t.Errorf("%s: %v", step.setting, err)
		}
		server.Exec(t, step.sql)
		server.Stop(t, "fast")
		server.Restart(t)
	}
	small := scenarioOf(t, laplace(t, "0.1"))
	ana := at(t, n, "ana")
	mustReserve(t, ana, small)
	standby := server.Copy(t, true, "hot_standby = on")
	there := at(t, n.WithServer(standby), "ana")
	if l, err := there.Read(); err != nil || l.held != 1 {
		t.Errorf("a standby is read: %v", err)
	}
	if _, _, err := there.Reserve(small, nil, "", ""); !errors.Is(err, postgres.ErrStandby) {
		t.Errorf("a standby grants: %v", err)
	}
	server.Exec(t, fmt.Sprintf("alter table %s.line set unlogged", n.Schema))
	if _, _, err := ana.Reserve(small, nil, "", ""); err == nil || !strings.Contains(err.Error(), "unlogged") {
		t.Errorf("unlogged: %v", err)
	}
	server.Exec(t, fmt.Sprintf("alter table %s.line set logged; update %s.head set format = 0", n.Schema, n.Schema))
	if _, _, err := ana.Reserve(small, nil, "", ""); err == nil || !strings.Contains(err.Error(), "format 0") {
		t.Errorf("an older schema: %v", err)
	}
}

// A transaction that stays open holds everybody up, for a time, and is named.
func TestOpenTransaction(t *testing.T) {
	n := served(t, pgserver.SharedServer(t), basic("1"))
	ctx := context.Background()
	a, err := postgres.ParseAddress(n.Address("bob"))
	if err != nil {
		t.Fatal(err)
	}
	bob, err := a.Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer bob.Close()
	if err := bob.Begin(ctx, time.Second); err != nil {
		t.Fatal(err)
	}
	if _, err := bob.LockHead(ctx); err != nil {
		t.Fatal(err)
	}
	ana := at(t, n, "ana")
	ana.store.(*ServerStore).Wait.Limit = 50 * time.Millisecond
	small := scenarioOf(t, laplace(t, "0.1"))
	if _, _, err := ana.Reserve(small, nil, "", ""); err == nil || !strings.Contains(err.Error(), n.Schema+"_bob") {
		t.Errorf("%v", err)
	}
	bob.Rollback(ctx)
	mustReserve(t, ana, small)
}

// restored returns a server that runs on a backup, in which the ledger lacks what was reserved since.
func TestRestoredBackup(t *testing.T) {
	ownServer(t)
	server := pgserver.Start(t)
	n := served(t, server, basic("1"))
	six, four := scenarioOf(t, laplace(t, "0.6")), scenarioOf(t, laplace(t, "0.4"))
	ana := at(t, n, "ana")
	if _, err := ana.Read(); err != nil {
		t.Fatal(err)
	}
	old := server.Copy(t, false)
	id := mustReserve(t, ana, six)
	// The machine goes on at the same address, which leads to the old state now.
	away := stored(t, n.WithServer(old).Address("ana"))
	away.store.(*ServerStore).state = ana.store.(*ServerStore).state
	forgotten := new(ForgottenError)
	if _, _, err := away.Reserve(six, nil, "", ""); !errors.As(err, &forgotten) {
		t.Fatalf("spent on a server that forgot 0.6: %v", err)
	}
	if _, err := away.Read(); !errors.As(err, &forgotten) {
		t.Errorf("read from a server that forgot: %v", err)
	}
	bob := at(t, n.WithServer(old), "bob") // who has seen nothing
	mustReserve(t, bob, four)
	l, err := away.Readmit()
	if err != nil || l.State(id) != Held || l.Breach() != nil || l.held != 2 {
		t.Fatalf("readmitted: %v", err)
	}
	var refused *Refused
	if _, _, err := away.Reserve(four, nil, "", ""); !errors.As(err, &refused) {
		t.Errorf("after the readmission: %v", err)
	}
	if _, err := at(t, n.WithServer(old), "eve").Verify(context.Background()); err != nil {
		t.Error(err)
	}
}

// A twin that was started from a base backup is refused by a client that has visited the other one since, and what
// was released on both is a breach.
func TestTwin(t *testing.T) {
	ownServer(t)
	server := pgserver.Start(t)
	n := served(t, server, basic("1"))
	six := scenarioOf(t, laplace(t, "0.6"))
	twin := server.Copy(t, false)
	ana, bob := at(t, n, "ana"), at(t, n.WithServer(twin), "bob")
	mustReserve(t, ana, six)
	mustReserve(t, bob, six) // who knows nothing of the other one: no client can
	visitor := stored(t, n.Address("ana"))
	if _, err := visitor.Read(); err != nil {
		t.Fatal(err)
	}
	other := stored(t, n.WithServer(twin).Address("ana"))
	other.store.(*ServerStore).state = visitor.store.(*ServerStore).state
	forgotten := new(ForgottenError)
	if _, _, err := other.Reserve(scenarioOf(t, laplace(t, "0.1")), nil, "", ""); !errors.As(err, &forgotten) {
		t.Fatalf("%v", err)
	}
	if l, err := other.Readmit(); err != nil || l.Breach() == nil {
		t.Errorf("1.2 of 1 was released: %v", err)
	}
}

// After a promotion the timeline is another one: nothing is granted until the owner names the new place.
func TestPromotedStandby(t *testing.T) {
	ownServer(t)
	server := pgserver.Start(t)
	n := served(t, server, basic("1"))
	standby := server.Copy(t, true)
	small := scenarioOf(t, laplace(t, "0.1"))
	server.Stop(t, "fast")
	standby.Promote(t)
	ana := at(t, n.WithServer(standby), "ana")
	var away *AwayError
	if _, _, err := ana.Reserve(small, nil, "", ""); !errors.As(err, &away) {
		t.Fatalf("%v", err)
	}
	if _, err := ana.SetHome("mine"); err == nil {
		t.Error("a spender names the place")
	}
	if _, err := at(t, n.WithServer(standby), "steward").SetHome("failover"); err != nil {
		t.Fatal(err)
	}
	mustReserve(t, ana, small)
}

// A spender who writes what no reader accepts stops grants, and not the records of what was released.
func TestSettlesAfterBadLine(t *testing.T) {
	n := served(t, pgserver.SharedServer(t), basic("1"))
	ana := at(t, n, "ana")
	small := scenarioOf(t, laplace(t, "0.1"))
	ana.Command = true
	id, granted, err := ana.Reserve(small, nil, "", "")
	if err != nil {
		t.Fatal(err)
	}
	other := mustReserve(t, at(t, n, "bob"), small)
	putBad(t, n, "bob")
	if _, _, err := ana.Reserve(small, nil, "", ""); err == nil {
		t.Error("granted after a line that does not hold")
	}
	zero := 0
	if _, _, err := ana.Finish(id, granted, &zero); err != nil {
		t.Errorf("the release could not be recorded: %v", err)
	}
	if _, err := at(t, n, "bob").Commit(other, nil, ""); err != nil {
		t.Errorf("commit by hand: %v", err)
	}
	key := n.Server.Exec(t, fmt.Sprintf("select count(*) from %s.line where key in ('end %s', 'end %s')", n.Schema, id, other))
	if key[0] != "2" {
		t.Errorf("%s of 2 recorded", key[0])
	}
	var bad *BadLine
	if _, err := at(t, n, "eve").Verify(context.Background()); !errors.As(err, &bad) || bad.Line != 4 {
		t.Errorf("%v", err)
	}
}

// putBad appends a line that append takes and no reader does: a field twice, in another case.
func putBad(t testing.TB, n *pgserver.Tenant, user string) {
	t.Helper()
	ctx := context.Background()
	a, err := postgres.ParseAddress(n.Address(user))
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	h, err := c.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	nonce := newNonce()
	body := fmt.Sprintf(`{"v":1,"seq":%d,"kind":"refuse","nonce":"%s","at":"%s","Kind":"cancel","prev":"%s"`, h.Seq+1, nonce, h.Clock.Format(timeLayout), h.Hash)
	line := body + hashField + hashOf([]byte(body)) + `"}`
	if err := c.Begin(ctx, time.Second); err != nil {
		t.Fatal(err)
	}
	if o, err := c.AppendAll(ctx, []postgres.Line{{Expect: h.Hash, Kind: "refuse", Nonce: nonce,
		Bytes: []byte(line)}}); err != nil || o != postgres.Written {
		t.Fatal(o, err)
	}
}

// A server that lacks lines which this machine has seen grants nothing and cannot be read, until they are readmitted.
func TestForgetfulServer(t *testing.T) {
	server := pgserver.SharedServer(t)
	n := served(t, server, basic("1"))
	six := scenarioOf(t, laplace(t, "0.6"))
	ana := at(t, n, "ana")
	id := mustReserve(t, ana, six)
	// As after a restore: the owner's triggers are gone, and so is the last line.
	server.Exec(t, fmt.Sprintf(`alter table %[1]s.line disable trigger all; delete from %[1]s.line where seq = 1;
		update %[1]s.head set seq = 0, hash = (select hash from %[1]s.line where seq = 0); alter table %[1]s.line enable trigger all`, n.Schema))
	again := stored(t, n.Address("ana"))
	again.store.(*ServerStore).state = ana.store.(*ServerStore).state
	forgotten := new(ForgottenError)
	if _, _, err := again.Reserve(six, nil, "", ""); !errors.As(err, &forgotten) {
		t.Fatalf("%v", err)
	}
	if _, err := again.Verify(context.Background()); !errors.As(err, &forgotten) {
		t.Errorf("%v", err)
	}
	if _, _, err := ana.Reserve(six, nil, "", ""); !errors.As(err, &forgotten) { // a process that is still running
		t.Errorf("%v", err)
	}
	if l, err := again.Readmit(); err != nil || l.State(id) != Held || l.Breach() != nil {
		t.Fatalf("%v", err)
	}
	var refused *Refused
	if _, _, err := again.Reserve(six, nil, "", ""); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
	if _, err := again.Readmit(); !errors.Is(err, ErrNothingForgotten) {
		t.Errorf("%v", err)
	}
}

// The same id twice is one reservation, in a file and on a server; a command is run for it once.
func TestSameID(t *testing.T) {
	folder := t.TempDir()
	file := NewStored(&FileStore{Path: filepath.Join(folder, "a.ledger"), state: filepath.Join(folder, "state")})
	if _, err := file.Create(context.Background(), opening(basic("1")), nil, 0); err != nil {
		t.Fatal(err)
	}
	places := []*Stored{file}
	if server, err := pgserver.Try(); err == nil {
		places = append(places, at(t, served(t, server, basic("1")), "ana"))
	}
	small, large := scenarioOf(t, laplace(t, "0.1")), scenarioOf(t, laplace(t, "0.2"))
	for _, f := range places {
		for range 2 {
			f.ID, f.Command = "job-1", false
			if id, l, err := f.Reserve(small, nil, "", ""); id != "job-1" || err != nil || l.held != 1 {
				t.Errorf("%s: %q, %v", f.Path, id, err)
			}
		}
		if _, _, err := f.Reserve(large, nil, "", ""); err == nil || !strings.Contains(err.Error(), "another request") {
			t.Errorf("%s: another request: %v", f.Path, err)
		}
		f.ID, f.Command = "job-2", true
		if _, _, err := f.Reserve(small, nil, "", ""); err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
		if _, _, err := f.Reserve(small, nil, "", ""); err == nil || !strings.Contains(err.Error(), "started already") {
			t.Errorf("%s: run twice: %v", f.Path, err)
		}
		f.ID = "_x"
		if _, _, err := f.Reserve(small, nil, "", ""); err == nil {
			t.Errorf("%s: an id that starts with a mark", f.Path)
		}
	}
}

// A change needs one connection, also where the ledger is replayed before it is locked; one that the server has ended
// meanwhile is replaced.
func TestServerConnectsOnce(t *testing.T) {
	server := pgserver.SharedServer(t)
	n := served(t, server, basic("1"))
	small := scenarioOf(t, laplace(t, "0.1"))
	ana := at(t, n, "ana")
	store := ana.store.(*ServerStore)
	for want := 1; want <= 3; want++ {
		mustReserve(t, ana, small)
		if store.connected != want || store.spare != nil {
			t.Errorf("%d connections for %d reservations", store.connected, want)
		}
	}
	bob := at(t, n, "bob")
	if bob.replayAhead() == nil {
		t.Fatal("not replayed")
	}
	server.Exec(t, "select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = '"+n.Schema+"_bob'")
	mustReserve(t, bob, small)
	if got := bob.store.(*ServerStore).connected; got != 2 {
		t.Errorf("%d connections", got)
	}
}
