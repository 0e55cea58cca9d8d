package cli

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// candidates returns how many a list is given: a million, as many as a file may hold, where
// there is time.
func candidates() int {
	if gauge.Long() {
		return 1_000_000
	}
	return gauge.Cases(5_000, 30_000)
}

// manyScores returns a file of one selection among n candidates with scores from 0 to 999.
// A million of them, without spaces, are 3.9 MB: within the 4 MiB a file may have.
func manyScores(t *testing.T, mechanism string, n int) (path string) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nname: many\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n  - {mechanism: %s, epsilon: 0.5, scores: [", mechanism)
	for i := range n {
		fmt.Fprintf(&b, "%d,", i*7919%1000)
	}
	b.WriteString("0]}\n")
	path = filepath.Join(t.TempDir(), "many.yaml")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// As many candidates as a file may hold are read, priced and drawn, and every one of
// them is in the numbers behind the chart, with probabilities that sum to one.
func TestManyCandidates(t *testing.T) {
	n := candidates()
	for _, mechanism := range []string{"exponential", "noisy-max"} {
		path := manyScores(t, mechanism, n-1)
		status, stdout, stderr := run("", "compare", path, "-o", "csv")
		if status != statusDone || !strings.Contains(stdout, "basic,valid,0.5,") {
			t.Fatalf("%s: status %d: %s%s", mechanism, status, stdout, stderr)
		}
		status, stdout, stderr = run("", "curve", path, "utility", "-o", "csv")
		if status != statusDone {
			t.Fatalf("%s: status %d: %s", mechanism, status, stderr)
		}
		rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if err != nil || len(rows) != n+1 {
			t.Fatalf("%s: %d rows, %v", mechanism, len(rows), err)
		}
		total := 0.0
		for _, row := range rows[1:] {
			p, err := strconv.ParseFloat(row[1], 64)
			if err != nil || !(p >= 0 && p <= 1) {
				t.Fatalf("%s: %v", mechanism, row)
			}
			total += p
		}
		if math.Abs(total-1) > 1e-9 {
			t.Errorf("%s: the probabilities sum to %v", mechanism, total)
		}
		picture := filepath.Join(t.TempDir(), "many.svg")
		if status, _, stderr := run("", "curve", path, "utility", "--to", picture); status != statusDone {
			t.Errorf("%s: %s", mechanism, stderr)
		}
		if info, err := os.Stat(picture); err != nil || info.Size() > 1<<20 {
			t.Errorf("%s: the picture: %v", mechanism, err)
		}
	}
	t.Logf("%d candidates", n)
}

// One more than a list may hold is refused in words, as is a file one byte too large.
func TestTooMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	path := filepath.Join(t.TempDir(), "many.yaml")
	text := "version: 1\nstack: [{mechanism: exponential, epsilon: 0.5, scores: [" + strings.Repeat("1,", 1_000_000) + "1]}]\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run("", "validate", path); status != statusInput || !strings.Contains(stderr, "may hold at most 1e6 scores, got 1000001") {
		t.Errorf("status %d: %s", status, stderr)
	}
	const most = 4 << 20
	for extra, want := range map[int]int{0: statusDone, 1: statusInput} {
		text := "version: 1\nstack: []\n#"
		text += strings.Repeat("x", most-len(text)+extra)
		if status, _, stderr := run(text, "compare", "-"); status != want {
			t.Errorf("%d bytes: status %d: %s", len(text), status, stderr)
		}
	}
}

// Scores at the ends of float64, tied, alone or all equal, come out as probabilities,
// and cost what the mechanism says.
func TestExtremeScores(t *testing.T) {
	for i, c := range gauge.Some(2, []struct{ scores, sensitivity, first string }{
		{"[1e308, -1e308, 1e308]", "1", "0.5"},
		{"[1e308, 1e308, 1e308, 1e308]", "1e307", "0.25"},
		{"[-1.7e308]", "1e-9", "1"},
		{"[7, 7, 7, 7, 7]", "1", "0.2"},
		{"[0, -1.7976931348623157e308]", "1", "1"},
	}) {
		for j, mechanism := range []string{"exponential", "noisy-max", "noisy-max, noise: gumbel", "noisy-max, noise: exponential"} {
			text := fmt.Sprintf("version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack: [{mechanism: %s, epsilon: 0.25, sensitivity: %s, scores: %s}]\n", mechanism, c.sensitivity, c.scores)
			for _, args := range [][]string{
				{"compare", "-"}, {"compare", "-", "-o", "json"}, {"explain", "-"}, {"statement", "-"}, {"person", "-"},
				{"curve", "-", "utility"}, {"curve", "-", "utility", "-o", "json"}, {"validate", "-"},
			} {
				if dear := args[0] == "explain" || args[0] == "statement"; dear && (i+j)%gauge.Cases(3, 1) != 0 {
					continue // both ask for the whole curve
				}
				status, stdout, stderr := run(text, args...)
				if status != statusDone || strings.Contains(stdout, "NaN") || strings.Contains(stdout, "Inf") {
					t.Errorf("%s of %s, %v: status %d: %s%s", mechanism, c.scores, args, status, stdout, stderr)
				}
			}
			_, stdout, _ := run(text, "compare", "-", "-o", "csv")
			if !strings.Contains(stdout, "basic,valid,0.25,") {
				t.Errorf("%s of %s: ε is not 0.25:\n%s", mechanism, c.scores, stdout)
			}
			_, stdout, _ = run(text, "curve", "-", "utility", "-o", "csv")
			rows := strings.Split(stdout+"\n,", "\n")
			p, err := strconv.ParseFloat(strings.Split(rows[1]+",", ",")[1], 64)
			want, _ := strconv.ParseFloat(c.first, 64)
			if err != nil || math.Abs(p-want) > 1e-8 {
				t.Errorf("%s of %s: the best has %v, want %s", mechanism, c.scores, p, c.first)
			}
		}
	}
}
