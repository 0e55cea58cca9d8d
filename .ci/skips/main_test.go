package main

import (
	"io"
	"strings"
	"testing"
)

// A test that is skipped because a program is missing is a failure; one that a longer form runs is not.
func TestReport(t *testing.T) {
	event := func(action, test, output string) string {
		return `{"Action":"` + action + `","Package":"p","Test":"` + test + `","Output":"` + output + `"}` + "\n"
	}
	run := func(test, reason string) string {
		return event("run", test, "") + event("output", test, `=== RUN   `+test+`\n`) + event("output", test, `    a_test.go:28: `+reason+`\n`) +
			event("output", test, `--- SKIP: `+test+` (0.00s)\n`) + event("skip", test, "")
	}
	for _, c := range []struct {
		in    string
		wrong string
	}{
		{run("TestLong", "set EPSILOSCOPE_LONG to run"), ""},
		{run("TestPython", "no Python here: the client for Python was not tested"), "no Python here"},
		{run("TestScripts/bash", "no bash here: its completion script was not tested"), "no bash here"},
		{run("TestServer", "no server"), "no server"},
		{event("output", "TestSilent", `--- SKIP: TestSilent (0.00s)\n`) + event("skip", "TestSilent", ""), "no reason was given"},
		{event("output", "TestBad", `wrong\n`) + event("fail", "TestBad", ""), "failed: p TestBad"},
		{event("fail", "", ""), "failed: p"},
		{event("pass", "TestGood", ""), ""},
	} {
		wrong, _, err := report(strings.NewReader(c.in), io.Discard)
		if got := strings.Join(wrong, "; "); err != nil || c.wrong == "" && got != "" || !strings.Contains(got, c.wrong) {
			t.Errorf("%s\n got %q, %v; want %q", c.in, got, err, c.wrong)
		}
	}
}
