package scenarios

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

// A plan of ten thousand different lines (fewer where time is short) is read, priced, changed and saved.
func TestTenThousandEntriesAreSaved(t *testing.T) {
	n := gauge.Cases(1_000, 10_000)
	var b strings.Builder
	b.WriteString("version: 1\nbudget: {epsilon: 1, delta: 1e-6}\nstack:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {mechanism: laplace, label: entry %d, epsilon: %.8f}\n", i, 1e-4*(1+float64(i)/float64(n)))
	}
	s, err := Parse("large.yaml", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Evaluate(context.Background(), s, Options{ClosedFormsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Best < 0 || len(r.Entries) != n {
		t.Fatalf("best %d, %d entries", r.Best, len(r.Entries))
	}
	s.Stack[n/2].Count = 7
	path := filepath.Join(t.TempDir(), "large.yaml")
	if err := s.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := Load(path)
	if err != nil || back.Stack[n/2].Count != 7 || len(back.Stack) != n {
		t.Fatalf("%v", err)
	}

	if changed := strings.Count(contents(t, path), "\n") - strings.Count(b.String(), "\n"); changed != 0 {
		t.Errorf("saving one change moved %d lines", changed)
	}
}

// A hundred different branches, of which any two may matter under replace where their
// numbers bound absence too.
func TestManyBranchesUnderReplace(t *testing.T) {
	for name, odd := range map[string]string{"one kind": "laplace, epsilon: %v", "two kinds": "geometric, sensitivity: 3, epsilon: %v"} {
		var b strings.Builder
		b.WriteString("version: 1\nadjacency: replace\nbudget: {delta: 1e-6}\nstack:\n  - parallel:\n")
		for i := range 100 {
			line := "laplace, epsilon: %v"
			if i%2 == 1 {
				line = odd
			}
			fmt.Fprintf(&b, "      - [{mechanism: "+line+"}]\n", 0.1+0.001*float64(i))
		}
		s, err := Parse("", []byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		vouched(s.Stack)
		r, err := Evaluate(context.Background(), s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := r.Bounds[0].Epsilon, 0.199+0.198; got < want*(1-1e-12) || got > want*(1+1e-12) {
			t.Errorf("%s: basic = %v, want the two dearest, %v", name, got, want)
		}
		if last := r.Bounds[len(r.Bounds)-1]; last.Status != accounting.Valid {
			t.Errorf("%s: numerical is %s: %s", name, last.Status, last.Note)
		}
	}
}

// What cannot be priced is refused with the place it has in the file, as what cannot
// be read is.
func TestPriceErrorsHaveAPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plan.yaml")
	if err := os.WriteFile(path, []byte("version: 1\nstack:\n  - {mechanism: pure, epsilon: 1}\n  - {mechanism: pure, epsilon: 2}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	s.Stack[1].Values["epsilon"] = param.NumberValue(-1)
	s.Stack = s.Stack[1:] // the entry is still where it stood
	_, err = Evaluate(context.Background(), s, Options{ClosedFormsOnly: true})
	if want := path + ":4:32: stack[1].epsilon: must be greater than 0, got -1"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
