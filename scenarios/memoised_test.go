package scenarios

import (
	"context"
	"strings"
	"testing"
)

// A memoised report is one release, however often it is sent: neither count nor rounds price it
// twice. Attacker: a hurried user who sets rounds to the days of a month.
func TestMemoisedReportsArePricedOnce(t *testing.T) {
	s, err := LoadBundled("rappor-chrome")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Evaluate(context.Background(), s, Options{}); err != nil {
		t.Fatal(err)
	}
	s.Rounds = 30
	if _, err := Evaluate(context.Background(), s, Options{}); err == nil || !strings.Contains(err.Error(), "made once and priced once") {
		t.Errorf("thirty rounds of a memoised report: %v", err)
	}
	s.Rounds, s.Stack[0].Count = 1, 2
	if _, err := Evaluate(context.Background(), s, Options{}); err == nil || !strings.Contains(err.Error(), "made once and priced once") {
		t.Errorf("a memoised report twice: %v", err)
	}
	branch := []Entry{s.Stack[0]}
	s.Stack = []Entry{{Count: 1, Parallel: [][]Entry{branch}}}
	if _, err := Evaluate(context.Background(), s, Options{}); err == nil || !strings.Contains(err.Error(), "made once and priced once") {
		t.Errorf("a memoised report twice in a branch: %v", err)
	}
}
