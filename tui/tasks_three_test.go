package tui

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// Three tasks from the first screen to their end, with the keys that they may take. What is typed as an answer
// (words in B, numbers in B and C) is not counted; every other key is.

// RunCommand runs a command of the program as a shell would and returns what it prints; commands_test.go sets it.
var RunCommand func(command string) (string, error)

// newShellScript is for tasks that go on in a shell: the explorer goes by the machine's clock, as the commands do,
// since a ledger refuses what is asked before its last record was written.
func newShellScript(t *testing.T) *script {
	t.Helper()
	gauge.Sequential(t)
	return &script{t: t, a: start(t, 120, 36, setup{
		scenario: scenarios.New(), accountant: accountants(), clock: time.Now,
	})}
}

// pasteIntoShell runs the command that the last key copied: two keys, to paste it and to run it.
func (s *script) pasteIntoShell(clip *bytes.Buffer) string {
	s.t.Helper()
	_, text, _ := strings.Cut(strings.TrimRight(clip.String(), "\a\x1b\\"), ";c;")
	command, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(command) == 0 {
		s.t.Fatalf("%q is no copied command: %v", clip.String(), err)
	}
	clip.Reset()
	s.keys += 2
	printed, err := RunCommand(string(command))
	if err != nil {
		s.t.Fatal(err)
	}
	return printed
}

// A: a student has the slides on composition and asks from which K on advanced composition beats basic: opened by
// letters of the scenario's name, it is on the chart. Six keys at most, all counted. Then the best α, both noises at
// equal variance, and what the exponential mechanism makes of five candidates of the student's own: 25 keys at most
// beside those candidates.
func TestThreeTasksAStudent(t *testing.T) {
	s := newChartScript(t, "", rememberedCharts()).press("open").typing("avs").press("enter", "chart.1")
	if got := s.a.Doc.Bundle; got != "adv-vs-basic-small" {
		t.Fatalf("avs opened %q", got)
	}
	s.within(6).sees("K = 35", "advanced beats basic from K = 35 on")
	s.press("chart.2").sees("best α =").press("chart.4", "chart.4").sees("variance", "Laplace", "Gaussian")
	s.press("stack.add").typing("exp").press("enter", "enter", "tab", "tab", "tab").numbers("red: 9, blue: 8, green: 5, black: 4, white: 1").press("enter", "chart.5")
	s.within(25).sees("red", "blue", "green", "black", "white")
	t.Logf("%d keys", s.keys)
}

// B: a steward plans a year of three kinds of release by the guided start, saves the plan, opens the ledger that
// grants it and reserves its first release. Forty keys at most beside what is typed.
func TestThreeTasksBSteward(t *testing.T) {
	t.Chdir(t.TempDir())
	s := newShellScript(t)
	var clip bytes.Buffer
	s.a.Out = &clip
	s.press("new", "tab").numbers("52", "120").press("ctrl+a", "t", "tab").numbers("4", "", "500")
	s.press("ctrl+a", "right", "right", "tab").numbers("12", "6", "50000", "3")
	s.press("up", "up", "up", "up").sees("of 3 ✓")
	s.press("enter").sees("the scenario is built")
	s.press("screen.statement").sees("is right at most", "satisfy (ε, δ)-differential privacy")
	s.press("save", "enter", "screen.ledger").sees("grants every release of the scenario", "enter open it").press("enter", "y").sees("52 more Gaussian")
	s.press("ledger.ask").sees("Every release of", "It fits").press("ledger.one-release").sees("One release of entry 1", "It fits").press("ledger.copy")
	s.pasteIntoShell(&clip)
	drain(s.a, s.a.ledger.Open("a-release-of-counts-totals-and-a-choice.ledger")) // the file is followed: TestLive
	s.sees("51 more Gaussian", "held 1", "left 67")
	s.within(40)
	t.Logf("%d keys", s.keys)
}

// C: an engineer prices a training whose loader shuffles, by the guided start. Twelve keys at most beside numbers.
func TestThreeTasksCEngineer(t *testing.T) {
	s := newScript(t, "")
	s.press("new", "m", "tab").numbers("60", "256").press("tab", "s", "tab").numbers("1.12", "60000", "8")
	s.press("enter").sees("DP-SGD", "shuffled", "blank one record")
	s.within(12)
	t.Logf("%d keys", s.keys)
}

// D: a reviewer opens a stranger's file: the verdict is on the screen without a key, whether the claim holds or not.
func TestThreeTasksDReviewer(t *testing.T) {
	const file = "version: 1\nname: A stranger's\nunit: person\nbudget: {epsilon: %s, delta: 1e-6}\nclaim: {epsilon: %s, delta: 1e-6}\nstack:\n  - {mechanism: laplace, epsilon: 0.1, count: 20}\n"
	for claimed, want := range map[string]string{"3": "holds", "0.5": "does not hold"} {
		path := filepath.Join(t.TempDir(), "claim.yaml")
		if err := os.WriteFile(path, fmt.Appendf(nil, file, claimed, claimed), 0o600); err != nil {
			t.Fatal(err)
		}
		loaded, err := scenarios.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 55}} {
			s := &script{t: t, a: start(t, size[0], size[1], setup{
				scenario: loaded.Clone(), path: path, accountant: accountants(),
			})}
			s.within(0).sees(want)
		}
	}
}
