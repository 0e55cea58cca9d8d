package scenarios

import (
	"bufio"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios/disk"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// In a process of its own: saves one version after the other, tells of each, and is
// killed, by itself at one call or from outside.
func saveUntilKilled(path, call string) {
	s, err := Load(path)
	for n := 1; err == nil; n++ {
		var d disk.Disk = disk.System{}
		if name, again := strings.CutSuffix(call, " again"); call != "" {
			f := fault{call: name, meanwhile: killMyself}
			if again {
				f.skip = 1
			}
			d = &faulty{fault: f, written: map[string]*faultyFile{}}
		}
		s.Name = fmt.Sprintf("plan %d", n)
		s.Description = strings.Repeat("long ", 200*(n%7))
		if err = s.save(d, path, false); err == nil {
			fmt.Println(n)
		}
	}
	fmt.Println("not killed:", err)
}

func killMyself() {
	p, _ := os.FindProcess(os.Getpid())
	_ = p.Kill()
	select {} // the signal is on its way
}

const killedFile, killedCall = "EPSILOSCOPE_KILLED_FILE", "EPSILOSCOPE_KILLED_CALL"

// The process is killed outright, at every call of a save and at random moments: what
// is on the disk is the last version it told of or the one it was saving, whole, with
// its permissions and behind its link, and the next save clears up.
func TestSaveKilled(t *testing.T) {
	if path := os.Getenv(killedFile); path != "" {
		saveUntilKilled(path, os.Getenv(killedCall))
		return
	}
	rounds := 1
	if gauge.Long() {
		rounds = 50
	}
	calls := slices.Clone(saveCalls)
	calls[slices.Index(calls, "rename")-1] = "read again"
	kills := 0
	for range rounds {
		for _, call := range calls {
			kill(t, place{dir: t.TempDir(), old: version(7), mode: 0o640, link: shape(kills)}, call, 0)
			kills++
		}
		for range gauge.Cases(5, 12) {
			kill(t, place{dir: t.TempDir(), old: version(7), mode: 0o600, link: shape(kills)}, "", 1+rand.IntN(20))
			kills++
		}
	}
	t.Logf("%d kills; the file was whole every time", kills)
}

func shape(n int) string { return []string{"", "relative", "linked folders"}[n%3] }

// kill runs a process that saves; it dies at the call, or after so many saves at
// whatever it is doing then.
func kill(t *testing.T, p place, call string, after int) {
	t.Helper()
	p.prepare(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestSaveKilled$")
	cmd.Env = append(os.Environ(), killedFile+"="+p.path(), killedCall+"="+call)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	told := 0
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var n int
		if _, err := fmt.Sscan(lines.Text(), &n); err != nil {
			t.Fatalf("the other process says %q", lines.Text())
		}
		if told = n; n == after {
			cmd.Process.Kill()
		}
	}
	io.Copy(io.Discard, out)
	if err := cmd.Wait(); err == nil {
		t.Fatal("the process was not killed")
	}
	what := fmt.Sprintf("killed at %q after %d saves, link %q", call, told, p.link)
	judgeKilled(t, p, what, told)
}

func judgeKilled(t *testing.T, p place, what string, told int) {
	t.Helper()
	s, err := Load(p.path())
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	number := 0 // the version of before is the 0th
	fmt.Sscanf(s.Name, "plan %d", &number)
	if contents(t, p.target()) == p.old {
		number = 0
	}
	if number != told && number != told+1 {
		t.Errorf("%s: the file is version %d", what, number)
	}
	if number > 0 && len(s.Description) != len("long ")*200*(number%7) || len(s.Stack) != strings.Count(p.old, "\n  -") {
		t.Errorf("%s: the file is not whole", what)
	}
	if info, err := os.Lstat(p.target()); err != nil || info.Mode().Perm() != p.mode {
		t.Errorf("%s: permissions %v, %v", what, info.Mode(), err)
	}
	p.judgeLinks(t, what)
	s.Name = "after"
	if err := s.Save(p.path()); err != nil {
		t.Errorf("%s: the next save: %v", what, err)
	}
	if left := p.litter(t); len(left) > 0 {
		t.Errorf("%s: after the next save %v is left", what, left)
	}
}
