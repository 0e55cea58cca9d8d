package interop

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// Records written to mislead: unusual but legal Python, numbers of every spelling, null
// and lists in the wrong place, shadowed names, foreign modules. Each line holds one, and
// what it is read as; those without are refused. What Python records say was compared
// with what Python 3.11 makes of them with dp_accounting 0.6.0 at hand.
func TestHostileRecords(t *testing.T) {
	file, err := os.Open("testdata/hostile.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var c struct{ Format, Text, Reads string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		reads := ""
		if rec, err := Import(c.Format, []byte(c.Text)); err == nil {
			reads = string(rec.Scenario.Adjacency) + ", " + py(rec.Scenario.Rounds) + " times: " + summary(rec.Scenario)
		}
		if reads != c.Reads {
			t.Errorf("%s %q:\n got  %s\n want %s", c.Format, c.Text, reads, c.Reads)
		}
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
}
