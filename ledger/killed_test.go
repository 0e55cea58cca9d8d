package ledger

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

const killedFile, killedAt = "EPSILOSCOPE_KILLED_LEDGER", "EPSILOSCOPE_KILLED_AT"

// deadly is a locked file whose owner is killed: after so many bytes of a write, before
// a sync, or after it.
type deadly struct {
	handle
	at string
}

func (d *deadly) Write(p []byte) (int, error) {
	if n, err := strconv.Atoi(d.at); err == nil {
		_, _ = d.handle.Write(p[:min(n, len(p))])
		killMyself()
	}
	return d.handle.Write(p)
}

func (d *deadly) Sync() error {
	if d.at == "before sync" {
		killMyself()
	}
	err := d.handle.Sync()
	if d.at == "after sync" {
		killMyself()
	}
	return err
}

func killMyself() {
	p, _ := os.FindProcess(os.Getpid())
	_ = p.Kill()
	select {} // the signal is on its way
}

// In a process of its own: reserves and commits one request after the other, tells of
// each, and is killed, by itself in the middle of one or from outside.
func spendUntilKilled(path, at string) {
	f := NewFile(path)
	request, err := Read(path)
	if err != nil {
		fmt.Println("error", err)
		return
	}
	s, err := Request{Stack: []byte(`[{"mechanism":"pure","epsilon":0.001}]`)}.Scenario(request.Open.Adjacency, request.Open.Unit)
	for n := 0; err == nil; n++ {
		g := f
		if at != "" && n == 2 {
			g = f.opening(func(path string, flag int) (handle, error) {
				h, err := openLocked(path, flag, LockWait{})
				return &deadly{h, at}, err
			})
		}
		var id string
		if id, _, err = g.Reserve(s, nil, "killed", ""); err != nil {
			break
		}
		fmt.Println("reserved", id)
		if n%2 == 0 {
			if _, err = g.Commit(id, nil, ""); err == nil {
				fmt.Println("committed", id)
			}
		}
	}
	fmt.Println("error", err)
}

// A spending process is killed outright, in the middle of a line, around its sync and
// at random moments. Every reserve it told of is there, the sum is exact, and no more is
// granted than was promised. 1,000 kills in the long form.
func TestSpendKilled(t *testing.T) {
	if path := os.Getenv(killedFile); path != "" {
		spendUntilKilled(path, os.Getenv(killedAt))
		return
	}
	kills := gauge.Cases(14, 24)
	if gauge.Long() {
		kills = 1000
	}
	f, _ := create(t, basicTerms(1, 0))
	f.now = NewFile("").now
	told := map[string]State{}
	torn, full := 0, 0
	for n := range kills {
		at := []string{"", "before sync", "after sync", strconv.Itoa(1 + rand.IntN(300)), ""}[n%5]
		refused := killSpender(t, f, at, 1+rand.IntN(6), told)
		if _, err := Read(f.Path); err != nil {
			l, err := f.Repair()
			if err != nil {
				t.Fatal(err)
			}
			if r := l.UndecidedRecord(); r != nil {
				mustCancel(t, f, r.ID)
			}
			torn++
		}
		l := mustRead(t, f)
		for id, state := range told {
			if got := l.State(id); got != state && !(state == Held && got == Committed) {
				t.Fatalf("kill %d at %q: %s was %s when it was told, and is %q", n, at, id, state, got)
			}
		}
		if refused { // the promise is used up to the last unit
			if s := l.Status(context.Background(), f.clock()); s.Left.Sign() != 0 {
				t.Fatalf("refused with %s left", s.Left)
			}
			verifySum(t, f, told)
			f, _ = create(t, basicTerms(1, 0))
			f.now = NewFile("").now
			clear(told)
			full++
		}
	}
	verifySum(t, f, told)
	t.Logf("%d kills, %d torn lines, %d ledgers filled; every acknowledged reserve was there", kills, torn, full)
}

// verifySum replays a ledger: what was told is a part of what was charged, each 0.001.
func verifySum(t *testing.T, f *Stored, told map[string]State) {
	t.Helper()
	l, err := Verify(context.Background(), f.Path, "")
	if err != nil {
		t.Fatal(err)
	}
	s := l.Status(context.Background(), f.clock())
	sum := s.Spent.Add(s.Spent, s.Held)
	want := int64(len(l.reservations)) * 1_000_000_000_000
	if sum.Int64() != want || s.Left.Sign() < 0 || len(l.reservations) < len(told) {
		t.Fatalf("%d reserves, %d told of, sum %s", len(l.reservations), len(told), sum)
	}
}

// killSpender runs a process that spends until it dies by itself, or from outside after
// so many lines at whatever it is doing then.
func killSpender(t *testing.T, f *Stored, at string, after int, told map[string]State) (refused bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestSpendKilled$")
	cmd.Env = append(os.Environ(), killedFile+"="+f.Path, killedAt+"="+at)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 1; lines.Scan(); n++ {
		switch word, rest, _ := strings.Cut(lines.Text(), " "); word {
		case "reserved":
			told[rest] = Held
		case "committed":
			told[rest] = Committed
		case "error":
			if refused = strings.HasPrefix(rest, "refused"); !refused {
				t.Errorf("the other process says %q", rest)
			}
		}
		if at == "" && n == after {
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait()
	return refused
}
