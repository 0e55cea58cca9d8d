package cli

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Before main runs, the program makes little: the catalogue of mechanisms, the tables of fields and patterns are made
// when they are first asked for, and no file that is bundled is read.
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
		own := modulePath(t) + "/"
		if !strings.HasPrefix(m[1], own) || slices.Contains([]string{own + "cli", own + "internal/gauge"}, m[1]) {
			// what tests make
			continue
		}
		made, _ := strconv.Atoi(m[3])
		if made > 150 {
			t.Errorf("package %s makes %d objects at every start: make them when they are asked for", m[1], made)
		}
		total, packages = total+made, packages+1
	}
	if packages == 0 || total > 1000 {
		t.Errorf("%d packages make %d objects at every start", packages, total)
	}
}

// A command makes itself and what it prints, and nothing else: neither the other commands nor the decks nor the schema
// nor the scenarios for a command that is not about them.
func TestCommandsMakeLittle(t *testing.T) {
	for _, c := range []struct {
		args string
		most int
	}{
		{"version", 300}, {"paths", 300}, {"schema", 300}, {"client python", 300}, {"completion bash", 700},
		{"--help", 5000}, {"help compare", 5000},
	} {
		made := int(testing.AllocsPerRun(3, func() {
			if status := Main(strings.Fields(c.args), strings.NewReader(""), io.Discard, io.Discard); status != 0 {
				t.Errorf("%s: status %d", c.args, status)
			}
		}))
		if made > c.most {
			t.Errorf("%s makes %d objects, more than %d", c.args, made, c.most)
		}
	}
}

// A command is found by its own name, and is then the only one that is made. Everything else gets all of them.
func TestOneCommandIsMade(t *testing.T) {
	all := new(app).root(nil)
	listed := 0
	for _, g := range commands() {
		for _, c := range g.commands {
			made := new(app).root([]string{c.name}).Commands()
			if len(made) != 1 || made[0].Name() != c.name {
				t.Errorf("asked for %s, %d commands are made, the first is %s", c.name, len(made), made[0].Name())
			}
			if full, _, err := all.Find([]string{c.name}); err != nil || full.GroupID != g.title {
				t.Errorf("%s is not below %s in the list of all: %v", c.name, g.title, err)
			}
			listed++
		}
	}
	for _, args := range [][]string{nil, {"--help"}, {"help"}, {"man"}, {"__complete", ""}, {"compair"}, {"a.yaml"}} {
		if n := len(new(app).root(args).Commands()); n < listed {
			t.Errorf("%v: %d commands are made of %d", args, n, listed)
		}
	}
}
