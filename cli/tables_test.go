package cli

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/report/chart"
	"epsiloscope/report/sheet"
	"epsiloscope/scenarios"
	"epsiloscope/teach/labs"
)

// header returns the first line of a command's CSV.
func header(t *testing.T, args string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Main(append(strings.Fields(args), "-o", "csv"), strings.NewReader(""), &out, &errs); status != 0 {
		t.Errorf("%s: status %d: %s", args, status, &errs)
		return nil
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Errorf("%s: %v", args, err)
		return nil
	}
	seen := map[string]bool{}
	for _, name := range rows[0] {
		if !sheet.IsIdentifier(name) {
			t.Errorf("%s: the column %q is no identifier", args, name)
		}
		if seen[name] {
			t.Errorf("%s: two columns are called %q", args, name)
		}
		seen[name] = true
	}
	return rows[0]
}

// writesCSV reports whether a command can print a table for programs.
func writesCSV(cmd *cobra.Command) bool {
	f := cmd.Flags().Lookup("output")
	return f != nil && strings.Contains(f.Usage, asCSV)
}

// documentedColumns reads the tables of a page: the columns of every first cell, with those of the lines below it
// whose first cell is empty. Two commands in one cell share their columns.
func documentedColumns(text string) map[string][]string {
	names := regexp.MustCompile("`([^`]+)`")
	documented := map[string][]string{}
	var of []string
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 {
			continue
		}
		if first := names.FindAllStringSubmatch(cells[1], -1); first != nil {
			of = nil
			for _, m := range first {
				of = append(of, m[1])
			}
		}
		for _, m := range names.FindAllStringSubmatch(cells[2], -1) {
			for _, command := range of {
				documented[command] = append(documented[command], m[1])
			}
		}
	}
	return documented
}

// curveOfAnyScenario returns a call that draws a chart of the first bundled scenario that has it.
func curveOfAnyScenario(t *testing.T, kind string) string {
	t.Helper()
	problem := new(bytes.Buffer)
	for _, s := range scenarios.LibraryInfos() {
		call := "curve " + s.Name + " " + kind + " --points 3"
		problem.Reset()
		if Main(append(strings.Fields(call), "-o", "csv"), strings.NewReader(""), io.Discard, problem) == 0 {
			return call
		}
	}
	t.Fatalf("no bundled scenario has the chart %s: %s", kind, problem)
	return ""
}

// fewestRuns are flags with which a lab repeats what it does as few times as it may: its columns are the same.
func fewestRuns(lab labs.Lab) (flags string) {
	for _, p := range lab.Params {
		if slices.Contains([]string{"samples", "trials", "runs", "surveys", "people"}, p.Name) {
			flags += fmt.Sprintf(" --set %s=%g", p.Name, p.Min)
		}
	}
	return flags
}

// Every column that a program reads is an identifier, and docs/tables.md says what it means beside its command. No
// command that writes CSV, no chart and no lab with steps is left out, nor is one in the quick form: a mistake in an
// addition would be seen late.
func TestColumnsAreDocumented(t *testing.T) {
	text := page(t, "../docs/tables.md")
	documented := documentedColumns(text)
	_, last, _ := strings.Cut(text, "## Steps of the labs")
	played := documentedColumns(last)
	ledger := filepath.Join(t.TempDir(), "a.ledger")
	if status := Main([]string{"ledger", "new", ledger, "--epsilon", "1", "--delta", "1e-6", "--unit", "person"}, strings.NewReader(""), io.Discard,
		io.Discard); status != 0 {
		t.Fatal("no ledger")
	}
	calls := []string{
		"compare hair-colour", "compare hair-colour laplace-count", "plan hair-colour --solve count", "plan hair-colour --solve count --all",
		"explain hair-colour", "proof", "proof advanced-composition", "statement hair-colour", "ledger statement " + ledger, "person hair-colour",
		"split adv-vs-basic-small --epsilon 1", "explain hair-colour --margin", "validate testdata/tables.yaml", "scenarios list", "lectures", "lectures bassi",
		"lab", "lab composition", "exercise", "paths", "selfcheck",
	}
	calls = callEach(calls, "hair-colour", writesCSV)
	for scenario, kinds := range map[string]string{
		"hair-colour": "epsilon-k profile tradeoff utility utility-epsilon cumulative", "laplace-count": "renyi loss tpr bayes noise", "gaussian-zcdp": "noise",
		"dp-sgd": "epochs bands bands-cost tpr", "dp-ftrl": "running-sums", "group-by-report": "kept", "telemetry-oracles": "oracles",
	} {
		for kind := range strings.FieldsSeq(kinds) {
			calls = append(calls, "curve "+scenario+" "+kind+" --points 3")
		}
	}
	for _, kind := range chart.Kinds() {
		if !slices.ContainsFunc(calls, func(c string) bool { return strings.Contains(c, " "+kind.Name+" ") }) {
			calls = append(calls, curveOfAnyScenario(t, kind.Name))
		}
	}
	others := 0 // whose steps have no columns; to say so a lab is run
	for _, lab := range labs.All() {
		call, problem := "lab "+lab.Name+" --steps"+fewestRuns(lab), new(bytes.Buffer)
		if _, ok := played[lab.Name]; ok {
			calls = append(calls, call)
			continue
		}
		if others++; others%gauge.Cases(3, 1) > 0 {
			continue
		}
		if Main(strings.Fields(call), strings.NewReader(""), io.Discard, problem) == 0 ||
			!strings.Contains(problem.String(), "no steps of its own") {
			t.Errorf("docs/tables.md does not have the columns of %s %s", call, problem)
		}
	}
	var methods []string
	digits := regexp.MustCompile("[0-9]+") // a number in a name is N on the page
	for _, m := range accounting.Methods() {
		methods = append(methods, string(m.Method))
	}
	for _, call := range calls {
		if strings.HasPrefix(call, "selfcheck") && !gauge.All() {
			continue // takes seconds
		}
		words := strings.Fields(call)
		var known []string
		for command, columns := range documented {
			if own := strings.Fields(command); own[0] == words[0] ||
				len(words) > 2 && (command == words[2] || command == words[1]) || strings.HasPrefix(call, command+" ") {
				known = append(known, columns...)
			}
		}
		if words[0] == "curve" {
			known = append(known, methods...)
		}
		for _, name := range header(t, call) {
			if !slices.Contains(known, name) && !slices.Contains(known, digits.ReplaceAllString(name, "N")) {
				t.Errorf("%s: docs/tables.md does not say what %q is", call, name)
			}
		}
	}
	called := func(path string) bool {
		return slices.ContainsFunc(calls, func(c string) bool { return strings.HasPrefix(c+" ", path+" ") })
	}
	var walk func(cmd *cobra.Command, path string)
	walk = func(cmd *cobra.Command, path string) {
		if writesCSV(cmd) && !cmd.Hidden && !called(path) {
			t.Errorf("%s writes CSV, and its columns are not checked", path)
		}
		for _, c := range cmd.Commands() {
			walk(c, strings.TrimSpace(path+" "+c.Name()))
		}
	}
	walk((&app{}).root(nil), "")
}
