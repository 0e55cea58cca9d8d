package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"
)

const tenCounts = "version: 1\nname: Ten counts\nbudget: {epsilon: 1, delta: 0}\nstack: [{mechanism: pure, epsilon: 0.1, count: 10}]\n"

// brokenPipe fails as a closed pipe does.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("the pipe is closed") }

// What cannot be written is neither success nor wrong input.
func TestOutputThatCannotBeWritten(t *testing.T) {
	for _, args := range [][]string{
		{"compare", "-"}, {"compare", "-", "-o", "json"}, {"compare", "-", "-o", "csv"}, {"compare", "-", "-o", "markdown"},
		{"explain", "-"}, {"curve", "-", "epsilon-k"}, {"plan", "-", "--solve", "count"}, {"validate", "-"},
		{"scenarios", "list"}, {"scenarios", "show", "welcome"}, {"paths"}, {"explain", "-", "-o", "csv"}, {"statement", "-", "-o", "csv"},
		{"--help"}, {"--version"}, {"plan", "--help"}, {"help", "plan"}, {"lab"}, {"schema"},
	} {
		var stderr bytes.Buffer
		status := Main(args, strings.NewReader(tenCounts), brokenPipe{}, &stderr)
		if status != statusOther || strings.Count(stderr.String(), "epsiloscope: the pipe is closed\n") != 1 {
			t.Errorf("%v: status %d, %q", args, status, stderr.String())
		}
	}
}

// faulty stands for a fault of ours anywhere below.
type faulty struct{}

func (faulty) Read([]byte) (int, error) { panic("index out of range") }

func TestAFaultIsNoStackTrace(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := Main([]string{"compare", "-"}, faulty{}, &stdout, &stderr)
	if status != statusOther || strings.Contains(stderr.String(), "goroutine") || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("status %d, %q", status, stderr.String())
	}
}

// Input that cannot be read is the input's fault.
func TestInputThatCannotBeRead(t *testing.T) {
	r, w := io.Pipe()
	w.CloseWithError(errors.New("the disk is gone"))
	var stderr bytes.Buffer
	if status := Main([]string{"compare", "-"}, r, io.Discard, &stderr); status != statusInput ||
		!strings.Contains(stderr.String(), "the disk is gone") {
		t.Errorf("status %d, %q", status, stderr.String())
	}
}

// Every problem is a line of its own, and the status is that of the failure inside.
func TestFinish(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		said   string
	}{
		{nil, statusDone, ""},
		{errors.New("a\nb"), statusOther, "epsiloscope: a\nepsiloscope: b\n"},
		{wrong(errors.New("a")), statusInput, "epsiloscope: a\n"},
		{fmt.Errorf("b: %w", wrong(errors.New("a"))), statusInput, "epsiloscope: b: a\n"},
		{&failure{statusExceeded, errors.New("over")}, statusExceeded, "epsiloscope: over\n"},
	} {
		var stderr bytes.Buffer
		if got := (&app{stderr: &stderr}).finish(c.err); got != c.status || stderr.String() != c.said {
			t.Errorf("%v: status %d, %q", c.err, got, stderr.String())
		}
	}
}

func ExampleMain() {
	plan := strings.NewReader(tenCounts)
	status := Main([]string{"plan", "-", "--solve", "count", "--method", "basic", "--epsilon", "2"}, plan, os.Stdout, os.Stderr)
	fmt.Println("status", status)
	// Output:
	// count of entry 1 = 20
	// ε = 2.000 at δ = 0 by basic
	// status 0
}

// The tables people read, kept letter by letter.
func TestTables(t *testing.T) {
	const mixed = `version: 1
name: City open data
unit: resident-year
budget: {epsilon: 1.5, delta: 1e-6}
stack:
  - {mechanism: laplace, label: districts, epsilon: 0.05, count: 20}
  - {mechanism: gaussian, label: weekly, sigma: 60, count: 52}
`
	for _, args := range [][]string{
		{"compare", "--precision", "1e-5"}, {"compare", "--precision", "1e-5", "-o", "markdown"}, {"explain", "--method", "advanced"},
		{"curve", "cumulative"}, {"plan", "--solve", "count", "--entry", "1", "--method", "rdp"},
	} {
		t.Run(strings.Join(args, "_"), func(t *testing.T) {
			call := append([]string{args[0], "-"}, args[1:]...)
			status, stdout, stderr := run(mixed, call...)
			if status != statusDone {
				t.Fatalf("status %d: %s", status, stderr)
			}
			golden.RequireEqual(t, []byte(stdout))
		})
	}
}
