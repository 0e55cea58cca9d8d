package cli

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Before main runs, the program makes little: the catalogue of mechanisms, the readers of other tools, patterns and
// themes are a few hundred objects, and no file that is bundled is read.
func TestStartMakesLittle(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, trace)
	}
	total, packages := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, (\d+) allocs$`).FindAllStringSubmatch(string(trace), -1) {
		if own := modulePath(t) + "/"; !strings.HasPrefix(m[1], own) || m[1] == own+"cli" { // whose tests make some, too
			continue
		}
		made, _ := strconv.Atoi(m[3])
		if made > 800 {
			t.Errorf("package %s makes %d objects at every start: make them when they are asked for", m[1], made)
		}
		total, packages = total+made, packages+1
	}
	if packages == 0 || total > 2000 {
		t.Errorf("%d packages make %d objects at every start", packages, total)
	}
}

// A command makes its tree of commands and what it prints, and nothing else: neither the decks nor the schema nor
// the scenarios for a command that is not about them.
func TestCommandsMakeLittle(t *testing.T) {
	made := func(args ...string) int {
		return int(testing.AllocsPerRun(3, func() {
			if status := Main(args, strings.NewReader(""), io.Discard, io.Discard); status != 0 {
				t.Errorf("%v: status %d", args, status)
			}
		}))
	}
	tree := made("version")
	for _, args := range [][]string{{"--help"}, {"schema"}, {"paths"}, {"client", "python"}, {"help", "compare"}} {
		if n := made(args...); n > 2*tree {
			t.Errorf("%v makes %d objects, and version %d", args, n, tree)
		}
	}
	if tree > 5000 {
		t.Errorf("the tree of commands takes %d objects", tree)
	}
}
