package cli

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// What sampling, blocks and groups make of a stated number, through the command line: every
// scenario of the reference, as a file on standard input, answered in JSON, or refused.
func TestNeighboursOnTheCommandLine(t *testing.T) {
	gauge.Sequential(t)
	data, err := os.ReadFile("../scenarios/testdata/neighbours.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Figures []struct {
			ID       string
			Scenario json.RawMessage
			AtLeast  float64 `json:"every_valid_column_at_least"`
			Expect   struct {
				Kind, Method string
				Epsilon      float64
				Tolerance    float64 `json:"tolerance_rel"`
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for i, f := range file.Figures {
		if i%gauge.Cases(15, 1) != 0 && f.Expect.Kind != "refused" && f.Expect.Kind != "note" {
			continue // the tests of scenarios ask for all of them
		}
		status, stdout, stderr := run(string(f.Scenario), "compare", "-", "-o", "json")
		if f.Expect.Kind == "refused" {
			if status != statusInput || !strings.Contains(stderr, "have no add-remove guarantee") {
				t.Errorf("%s: status %d, %s", f.ID, status, stderr)
			}
			continue
		}
		var c comparison
		if err := json.Unmarshal([]byte(stdout), &c); status != statusDone || err != nil {
			t.Errorf("%s: status %d, %v: %s", f.ID, status, err, stderr)
			continue
		}
		want, tol := f.Expect.Epsilon, f.Expect.Tolerance
		told := f.Expect.Kind == "note" || f.AtLeast > 0 && f.Expect.Kind == "at-least" // of every column
		for _, b := range c.Bounds {
			if b.Status != "valid" {
				continue
			}
			if *b.Epsilon < f.AtLeast {
				t.Errorf("%s: %s says %g, an attack reaches %g", f.ID, b.Method, *b.Epsilon, f.AtLeast)
			}
			if b.Method != f.Expect.Method {
				continue
			}
			ok := told
			told = true
			switch f.Expect.Kind {
			case "equals":
				ok = math.Abs(*b.Epsilon-want) <= tol*want
			case "inside":
				ok = b.Lower <= want*(1+tol) && want*(1-tol) <= *b.Epsilon && *b.Epsilon <= want*(1+5*tol)
			case "at-most":
				ok = *b.Epsilon <= want*(1+tol)
			}
			if !ok {
				t.Errorf("%s: %s says [%g, %g], want %s %g", f.ID, b.Method, b.Lower, *b.Epsilon, f.Expect.Kind, want)
			}
		}
		if !told {
			t.Errorf("%s: there is no valid column %s", f.ID, f.Expect.Method)
		}
		if f.Expect.Kind != "note" {
			continue
		}
		if _, table, warned := run(string(f.Scenario), "compare", "-"); !strings.Contains(table+warned, "hides the answer, not the participation") {
			t.Errorf("%s: nothing is said of counted answers: %s%s", f.ID, table, warned)
		}
	}
}
