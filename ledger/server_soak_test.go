package ledger

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/pgserver"
	"epsiloscope/ledger/postgres"
)

// soaks leaves a test to .ci/soak.
func soaks(t *testing.T) {
	t.Helper()
	if !gauge.Long() {
		t.Skip("takes minutes: .ci/soak server")
	}
}

// writersVariable has the address that the writers of a process spend at, and for how long.
const writersVariable = "EPSILOSCOPE_WRITERS"

// TestServerWriterProcess is one of the processes of TestServerMinute: eight writers that print every id that was
// acknowledged.
func TestServerWriterProcess(t *testing.T) {
	address, duration, ok := strings.Cut(os.Getenv(writersVariable), " ")
	if !ok {
		t.Skip("run by TestServerMinute")
	}
	span, err := time.ParseDuration(duration)
	if err != nil {
		t.Fatal(err)
	}
	end := time.Now().Add(span)
	small := scenarioOf(t, laplace(t, "0.01"))
	var wait sync.WaitGroup
	var mu sync.Mutex
	for range 8 {
		f := stored(t, address)
		wait.Go(func() {
			for time.Now().Before(end) {
				id, _, err := f.Reserve(small, nil, "", "")
				if refused := new(Refused); errors.As(err, &refused) {
					return
				}
				if err == nil {
					mu.Lock()
					fmt.Println("acknowledged", id)
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
}

// 32 writers in 4 processes for a minute, while backends are terminated and cancelled: nothing acknowledged is lost,
// and nothing is granted beyond the promise.
func TestServerMinute(t *testing.T) {
	soaks(t)
	server := pgserver.Start(t)
	n := served(t, server, basic("30"))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]bool{}
	var mu sync.Mutex
	var wait sync.WaitGroup
	for i := range 4 {
		cmd := exec.Command(self, "-test.run=^TestServerWriterProcess$")
		cmd.Env = append(os.Environ(), writersVariable+"="+n.Address([]string{"ana", "bob"}[i%2])+" 1m")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			lines := bufio.NewScanner(out)
			for lines.Scan() {
				if id, ok := strings.CutPrefix(lines.Text(), "acknowledged "); ok {
					mu.Lock()
					acknowledged[id] = true
					mu.Unlock()
				}
			}
			_ = cmd.Wait()
		})
	}
	done := make(chan struct{})
	go func() { wait.Wait(); close(done) }()
	for i := 0; ; i++ {
		select {
		case <-done:
		case <-time.After(300 * time.Millisecond):
			what := []string{"pg_terminate_backend", "pg_cancel_backend"}[i%2]
			server.Exec(t, "select "+what+"(pid) from pg_stat_activity where usename like '"+n.Schema+"%' order by random() limit 1")
			continue
		}
		break
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
	s := l.Status(context.Background(), time.Now())
	if s.Left.Sign() < 0 || l.Breach() != nil {
		t.Errorf("%s left", s.Left)
	}
	t.Logf("%d acknowledged, %d held, %d records", len(acknowledged), l.held, len(l.Records))
}

// A synchronous standby that is stopped keeps everything from being acknowledged; a cancelled wait for it is no
// answer; promoted, it has everything that was acknowledged.
func TestServerSynchronousStandby(t *testing.T) {
	soaks(t)
	primary := pgserver.Start(t)
	n := served(t, primary, basic("1"))
	standby := primary.Copy(t, true)
	primary.Exec(t, "alter system set synchronous_standby_names = '*'")
	primary.Exec(t, "select pg_reload_conf()")
	small := scenarioOf(t, laplace(t, "0.1"))
	ana := at(t, n, "ana")
	ids := []string{mustReserve(t, ana, small)}
	standby.Stop(t, "fast")
	impatient := stored(t, n.Address("bob"))
	impatient.store.(*ServerStore).Wait.Limit = time.Second
	// Somebody cancels every wait for the standby: the server then answers success with a warning.
	stop := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
				_, _ = pgserver.ExecAs(primary.Admin(), "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
			}
		}
	})
	_, _, err := impatient.Reserve(small, nil, "", "")
	var unsynced *UnsyncedError
	if !errors.As(err, &unsynced) {
		t.Errorf("acknowledged without the standby: %v", err)
	}
	close(stop)
	wait.Wait()
	standby.Restart(t)
	ids = append(ids, mustReserve(t, ana, small))
	primary.Stop(t, "immediate")
	standby.Exec(t, "alter system set synchronous_standby_names = ''") // it has none itself
	standby.Promote(t)
	after := n.WithServer(standby)
	if _, err := at(t, after, "steward").SetHome("failover"); err != nil {
		t.Fatal(err)
	}
	l, err := at(t, after, "eve").Verify(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if l.State(id) != Held {
			t.Errorf("%s was acknowledged and is %q", id, l.State(id))
		}
	}
	mustReserve(t, at(t, after, "ana"), small)
}

// The server's disk is full: nothing is acknowledged, and what was is there.
func TestServerFullDisk(t *testing.T) {
	soaks(t)
	server := pgserver.StartWithFileLimit(t, 1<<20)
	n := served(t, server, basic("1000"))
	why := "" // which cannot be compressed
	for len(why) < 900 {
		why += newNonce()
	}
	small := scenarioOf(t, laplace(t, "0.0001"))
	ana := at(t, n, "ana")
	acknowledged := map[string]bool{}
	var failed error
	for range 20000 {
		id, _, err := ana.Reserve(small, nil, why, why)
		if failed = err; err != nil {
			break
		}
		acknowledged[id] = true
	}
	if failed == nil {
		t.Fatal("the disk was never full")
	}
	server.Kill(t)
	server.Restart(t)
	l, err := at(t, n, "eve").Verify(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for id := range acknowledged {
		if l.State(id) != Held {
			t.Errorf("%s was acknowledged and is %q", id, l.State(id))
		}
	}
	t.Logf("%d acknowledged, then %v", len(acknowledged), failed)
}

// Clients share few connections to the server, transaction by transaction, as behind a pooler.
func TestServerPooler(t *testing.T) {
	soaks(t)
	server := pgserver.Start(t)
	n := served(t, server, basic("1"))
	address := pgserver.Pooler(t, n.Address("ana"), 2)
	small := scenarioOf(t, laplace(t, "0.01"))
	var writers []*Stored
	for range 12 {
		writers = append(writers, stored(t, address+"#"+n.Schema))
	}
	granted := reserveAll(t, small, writers)
	l, err := at(t, n, "eve").Verify(context.Background())
	if err != nil || granted != 100 || l.held != 100 {
		t.Errorf("%d granted, %v", granted, err)
	}
	t.Logf("%d granted through 2 connections", granted)
}

// A ledger of 100,000 records is moved to a server: what a spend computes without a mirror, with one, and again in
// the same process.
func TestServerHundredThousand(t *testing.T) {
	soaks(t)
	n := pgserver.SharedServer(t).NewTenant(t, postgres.Schema)
	steward := at(t, n, "steward")
	if _, err := long(t, 100_000).Move(steward); err != nil {
		t.Fatal(err)
	}
	small := pureOf(t, "0.1")
	ana, again := at(t, n, "ana"), at(t, n, "ana")
	again.store.(*ServerStore).state = ana.store.(*ServerStore).state
	for _, step := range []struct {
		name string
		f    *Stored
	}{{"without a mirror", ana}, {"with a mirror", again}, {"again in the same process", again}} {
		before := computing()
		mustReserve(t, step.f, small)
		t.Logf("acknowledged %s: %v of computing", step.name, (computing() - before).Round(time.Millisecond))
	}
}

// A real PgBouncer, in each of its modes. Sessions and transactions may be pooled; pooled statements leave no place
// for a lock, so nothing is granted.
func TestServerPgBouncer(t *testing.T) {
	soaks(t)
	for _, mode := range []string{"session", "transaction", "statement"} {
		t.Run(mode, func(t *testing.T) {
			n := served(t, pgserver.SharedServer(t), basic("1"))
			address := pgserver.PgBouncer(t, n, mode, 2)
			small := scenarioOf(t, laplace(t, "0.05"))
			var wait sync.WaitGroup
			var mu sync.Mutex
			var granted []string
			for i := range 8 {
				f := stored(t, address([]string{"ana", "bob"}[i%2]))
				f.store.(*ServerStore).Wait.Limit = 20 * time.Second
				wait.Go(func() {
					for {
						id, _, err := f.Reserve(small, nil, "", "")
						if refused := new(Refused); errors.As(err, &refused) {
							return
						}
						if err != nil {
							if mode != "statement" {
								t.Error(err)
							}
							return
						}
						mu.Lock()
						granted = append(granted, id)
						mu.Unlock()
					}
				})
			}
			wait.Wait()
			l, err := at(t, n, "eve").Verify(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]int{"session": 20, "transaction": 20, "statement": 0}[mode]
			if len(granted) != want || l.held != want {
				t.Errorf("%d granted, %d held, want %d", len(granted), l.held, want)
			}
			if mode != "statement" { // the same through the pooler: what is read, and what is ended
				if _, err := stored(t, address("ana")).Commit(granted[0], nil, ""); err != nil &&
					!strings.Contains(err.Error(), "another role") {
					t.Error(err)
				}
				if _, err := stored(t, address("eve")).Verify(context.Background()); err != nil {
					t.Error(err)
				}
			}
			t.Logf("%d granted through PgBouncer, pooling %ss", len(granted), mode)
		})
	}
}
