//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/internal/pgserver"
	"epsiloscope/ledger/postgres"
)

// release is a running `ledger spend … -- sh`, whose command says its pid, waits to be told to release, says that it
// has, and waits to be told to end.
type release struct {
	cmd        *exec.Cmd
	tell       *os.File // the stdin of both
	lines      chan string
	id         string // of the reservation; "" until the command runs
	child      int
	thousandth int // of ε
	released   bool
	parentDead bool
	forced     bool // somebody cancelled it by force
}

const releaseScript = `echo pid $$ $EPSILOSCOPE_SPEND; read go || exit 7; echo released; read go || exit 7; exit 0`

// killer plays processes that spend one promise of ε 1, and kills them: the program, its command, both as a group, the
// server. It counts what was really released, in thousandths of ε.
type killer struct {
	t        *testing.T
	rand     *rand.Rand
	folder   string
	spend    string // the ledger as the spenders name it
	owner    string // … and its owner
	restart  func() // kills the server and starts it again; nil for a file
	running  []*release
	released int
	kills    int // of the server
	played   []string
}

// run runs a command of the program to its end.
func (k *killer) run(args ...string) (stdout string, status int) {
	cmd := exec.Command("epsiloscope", args...)
	cmd.Dir = k.folder
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	if strings.Contains(errs.String(), "panic") {
		k.t.Fatalf("%v: %s", args, errs.String())
	}
	return out.String() + errs.String(), cmd.ProcessState.ExitCode()
}

// start starts a release, and kills it at once if asked to, whatever it is doing then. It returns once the command
// runs, or all has ended.
func (k *killer) start(killed bool) {
	cost := []int{100, 300, 600}[k.rand.IntN(3)]
	r := &release{thousandth: cost, lines: make(chan string, 10)}
	in, tell, err := os.Pipe()
	if err != nil {
		k.t.Fatal(err)
	}
	read, out, err := os.Pipe()
	if err != nil {
		k.t.Fatal(err)
	}
	r.tell = tell
	r.cmd = exec.Command("epsiloscope", "ledger", "spend", k.spend, fmt.Sprintf("%d.yaml", cost), "--", "sh", "-c", releaseScript)
	r.cmd.Dir, r.cmd.Stdin, r.cmd.Stdout = k.folder, in, out
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := r.cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	in.Close()
	out.Close()
	go func() {
		defer read.Close()
		for s := bufio.NewScanner(read); s.Scan(); {
			r.lines <- s.Text()
		}
		close(r.lines) // program and command have ended
	}()
	if killed {
		for range k.rand.IntN(4) { // a little later each time, by what else is done
			k.run("version")
		}
		k.kill(r.cmd.Process.Pid)
		r.parentDead = true
	}
	for line := range r.lines {
		if _, err := fmt.Sscanf(line, "pid %d %s", &r.child, &r.id); err == nil {
			k.running = append(k.running, r)
			return
		}
	}
	r.tell.Close()
	_ = r.cmd.Wait() // refused, or killed before its command ran
}

func (k *killer) kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }

// release tells a command to make its release, and waits until it has.
func (k *killer) release(r *release) {
	fmt.Fprintln(r.tell, "go")
	for line := range r.lines {
		if line == "released" {
			r.released = true
			k.released += r.thousandth
			return
		}
	}
}

// end waits until the program and its command have ended. A command that is not told to go on ends with a failure.
func (k *killer) end(r *release, success bool) {
	if success {
		if !r.released {
			k.release(r)
		}
		fmt.Fprintln(r.tell, "go")
	}
	r.tell.Close()
	for range r.lines {
	}
	_ = r.cmd.Wait()
	for i, other := range k.running {
		if other == r {
			k.running = append(k.running[:i:i], k.running[i+1:]...)
			return
		}
	}
}

// move makes one random move.
func (k *killer) move() {
	moves := []string{"start", "start", "start and kill"}
	// A server that was killed starts again for seconds.
	if k.restart != nil && k.kills < 2 && len(k.played) > 0 && k.played[len(k.played)-1] != "kill the server" {
		moves = append(moves, "kill the server")
	}
	if len(k.running) > 0 {
		moves = append(moves, "release", "release", "end", "fail", "kill the program", "kill the command", "kill both", "cancel", "cancel by force", "commit")
	}
	name := moves[k.rand.IntN(len(moves))]
	var r *release
	if len(k.running) > 0 {
		r = k.running[k.rand.IntN(len(k.running))]
	}
	k.played = append(k.played, name)
	switch name {
	case "start", "start and kill":
		k.start(name == "start and kill")
	case "kill the server":
		k.kills++
		k.restart()
	case "release":
		if !r.released {
			k.release(r)
		}
	case "end", "fail":
		k.end(r, name == "end")
	case "kill the program":
		if !r.forced { // a liar cancels, and what could tell is killed: nobody knows any more
			k.kill(r.cmd.Process.Pid)
			r.parentDead = true
		}
	case "kill the command":
		k.kill(r.child)
		k.end(r, false)
	case "kill both":
		if !r.forced {
			_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
			r.parentDead = true
			k.end(r, false)
		}
	case "cancel":
		if out, status := k.run("ledger", "cancel", k.spend, r.id, "--reason", "it was killed"); status == 0 {
			k.t.Fatalf("cancelled without force after %v: %s", k.played, out)
		}
	case "cancel by force":
		if !r.parentDead {
			_, status := k.run("ledger", "cancel", k.owner, r.id, "--force", "--reason", "never read")
			r.forced = r.forced || status == 0
		}
	case "commit":
		k.run("ledger", "commit", k.spend, r.id)
	}
}

// judge ends everything that runs, and compares what was released with what the ledger says.
func (k *killer) judge() (broken bool) {
	for len(k.running) > 0 {
		k.end(k.running[0], k.rand.IntN(2) == 0)
	}
	if out, _ := k.run("ledger", "verify", k.spend); strings.Contains(out, "ledger repair") {
		k.run("ledger", "repair", k.spend)
	}
	out, status := k.run("ledger", "show", k.spend, "-o", "json")
	var shown struct {
		Spent, Held float64
		Broken      bool
	}
	if status != 0 || json.Unmarshal([]byte(out[:strings.LastIndexByte(out, '}')+1]), &shown) != nil {
		k.t.Fatalf("after %v: status %d, %s", k.played, status, out)
	}
	if charged := int(1000*(shown.Spent+shown.Held) + 0.5); !shown.Broken &&
		(k.released > 1000 || k.released > charged) {
		k.t.Errorf("%d thousandths were released of 1000, %d are charged, and no breach is recorded, after %v", k.released, charged, k.played)
	}
	return shown.Broken
}

// newKiller opens a ledger of ε 1.
func newKiller(t *testing.T, seed uint64, spend, owner string) *killer {
	k := &killer{t: t, rand: rand.New(rand.NewPCG(seed, 1)), folder: t.TempDir(), spend: spend, owner: owner}
	for _, cost := range []int{100, 300, 600} {
		text := fmt.Sprintf("version: 1\nunit: person\nstack:\n  - {mechanism: pure, epsilon: 0.%d}\n", cost)
		if err := os.WriteFile(filepath.Join(k.folder, fmt.Sprintf("%d.yaml", cost)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, status := k.run("ledger", "new", owner, "--epsilon", "1", "--delta", "0", "--filter", "basic", "--unit", "person"); status != 0 {
		t.Fatal(out)
	}
	return k
}

// games returns how many games are played quickly, in .ci/run and in .ci/soak.
func games(few, all, long int) int {
	if gauge.Long() {
		return long
	}
	return gauge.Cases(few, all)
}

func play(t *testing.T, n int, newGame func(seed uint64) *killer) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	first, broken, released := rand.Uint64(), 0, 0
	for i := range n {
		seed := first + uint64(i)
		k := newGame(seed)
		for range 6 + k.rand.IntN(14) {
			k.move()
		}
		if k.judge() {
			broken++
		}
		if released += k.released; t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d games, %d with a breach that is recorded; ε %.1f released", n, broken, float64(released)/1000)
}

// Programs, their commands, both as a group are killed at any moment, reservations are cancelled and committed by
// others: what commands have really released never exceeds the promise unless a breach is recorded, and is charged.
func TestKilledSpenders(t *testing.T) {
	play(t, games(3, 12, 300), func(seed uint64) *killer { return newKiller(t, seed, "m.ledger", "m.ledger") })
}

// The same on a server, which is killed too.
func TestKilledSpendersOnServer(t *testing.T) {
	server := pgserver.Start(t)
	play(t, games(1, 4, 100), func(seed uint64) *killer {
		n := server.NewTenant(t, postgres.Schema)
		k := newKiller(t, seed, n.Address("ana"), n.Address("steward"))
		k.restart = func() { server.Kill(t); server.Restart(t) }
		return k
	})
}
