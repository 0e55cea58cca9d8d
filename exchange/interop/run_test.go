package interop

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/scenarios"
)

// Exports run: with dp_accounting at hand, every export of the library is run by
// Python, and some of stacks drawn at random, and no figure lies below ours but those
// that are marked as too small.
// EPSILOSCOPE_PYTHON is the Python to use, if not python3.
func TestExportsRun(t *testing.T) {
	if !gauge.Long() {
		t.Skip("takes minutes: EPSILOSCOPE_LONG=1")
	}
	python := cmp.Or(os.Getenv("EPSILOSCOPE_PYTHON"), "python3")
	if err := exec.Command(python, "-c", "import dp_accounting").Run(); err != nil {
		t.Skip("no Python with dp_accounting here")
	}
	figure := regexp.MustCompile(`^(rdp|pld)\.\w+Accountant(, too small .*)?: (?:` + replaceReading + ` )?(\S+)$`)
	runs, figures, marked := 0, 0, 0
	for name, s := range libraryAndDrawn(t) {
		program, _, err := Export("dp-accounting", s)
		if err != nil {
			continue
		}
		file := filepath.Join(t.TempDir(), "export.py")
		if err := os.WriteFile(file, program, 0o644); err != nil {
			t.Fatal(err)
		}
		var wrong bytes.Buffer // warnings too
		run := exec.Command(python, file)
		run.Stderr = &wrong
		out, err := run.Output()
		if err != nil {
			t.Errorf("%s: %s\n%s", name, wrong.Bytes(), program)
			continue
		}
		runs++
		ours, err := scenarios.Evaluate(context.Background(), s, scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
			m := figure.FindStringSubmatch(lines.Text())
			if m == nil {
				t.Errorf("%s: printed %q", name, lines.Text())
				continue
			}
			theirs, err := strconv.ParseFloat(m[3], 64)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if figures++; m[2] != "" {
				marked++
				continue
			}
			below(t, name, map[string]accounting.Method{"rdp": "rdp", "pld": "numerical"}[m[1]], theirs, ours)
		}
	}
	t.Logf("%d exports run, %d figures, %d of them marked as too small", runs, figures, marked)
}

// libraryAndDrawn returns the scenarios of the library and forty stacks drawn at random.
func libraryAndDrawn(t *testing.T) map[string]*scenarios.Scenario {
	t.Helper()
	all := map[string]*scenarios.Scenario{}
	for _, info := range scenarios.LibraryInfos() {
		s, err := scenarios.LoadBundled(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		all[info.Name] = s
	}
	for seed := range uint64(40) {
		all[fmt.Sprintf("drawn %d", seed)] = recordKinds[0].drawScenario(rand.New(rand.NewPCG(seed, 16)))
	}
	return all
}

// below complains about a figure of the peer that is smaller than ours.
func below(t *testing.T, name string, method accounting.Method, theirs float64, ours *scenarios.Result) {
	t.Helper()
	for _, b := range ours.Bounds {
		if b.Method != method || !b.Finite() {
			continue
		}
		least := b.Epsilon
		if method == "numerical" {
			least = b.Lower
		}
		if theirs < least*(1-1e-4) {
			t.Errorf("%s: dp_accounting says %v by %s, we say %v: %s", name, theirs, method, least, strings.TrimSpace(b.Note))
		}
	}
}
