package scenarios

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"epsiloscope/accounting"
	"epsiloscope/mechanisms"
)

// figure is one scenario of testdata/neighbours.json with what must come out: figures for
// what sampling, blocks and groups make of a stated number under each adjacency, each
// computed by two routes of which neither is this program's.
type figure struct {
	ID       string         `json:"id"`
	Scenario map[string]any `json:"scenario"`
	Delta    float64        `json:"delta"`
	Expect   struct {
		Kind      string            `json:"kind"`
		Method    accounting.Method `json:"method"`
		Epsilon   float64           `json:"epsilon"`
		Tolerance float64           `json:"tolerance_rel"`
	} `json:"expect"`
	AtLeast *float64 `json:"every_valid_column_at_least"`
}

func figures(t *testing.T) []figure {
	t.Helper()
	text, err := os.ReadFile("testdata/neighbours.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Figures []figure }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Figures
}

// claims takes also and moves out of a stack and puts them into the entries.
func claims(list []any) func([]Entry) {
	var put []func([]Entry)
	for i, item := range list {
		m := item.(map[string]any)
		also, moves := m["also"], m["moves"]
		delete(m, "also")
		delete(m, "moves")
		var inner []func([]Entry)
		if branches, ok := m["parallel"].([]any); ok {
			for _, b := range branches {
				inner = append(inner, claims(b.([]any)))
			}
		}
		put = append(put, func(entries []Entry) {
			switch a := also.(type) {
			case string:
				entries[i].Also.AddRemove = true
			case map[string]any:
				entries[i].Also = mechanisms.Also{AddRemove: true, Number: a["add-remove"].(float64)}
			}
			if moves != nil {
				entries[i].Moves = moves.(string)
			}
			for j, f := range inner {
				f(entries[i].Parallel[j])
			}
		})
	}
	return func(entries []Entry) {
		for _, f := range put {
			f(entries)
		}
	}
}

// claimed reads a scenario of JSON with its claims.
func claimed(t *testing.T, fields map[string]any) *Scenario {
	t.Helper()
	put := claims(fields["stack"].([]any))
	adjacency, _ := fields["adjacency"].(string)
	delete(fields, "adjacency")
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse("neighbours", text)
	if err != nil {
		t.Fatal(err)
	}
	s.Adjacency = mechanisms.Adjacency(adjacency)
	put(s.Stack)
	return s
}

func TestNeighbourFigures(t *testing.T) {
	for _, f := range figures(t) {
		r, err := Evaluate(context.Background(), claimed(t, f.Scenario), Options{Delta: &f.Delta})
		if f.Expect.Kind == "refused" {
			if err == nil {
				t.Errorf("%s: %+v, want a refusal", f.ID, r.Bounds)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f.ID, err)
			continue
		}
		if f.AtLeast != nil {
			for _, b := range r.Bounds {
				if b.Status == accounting.Valid && b.Epsilon < *f.AtLeast {
					t.Errorf("%s: %s says %g, an attack reaches %g", f.ID, b.Method, b.Epsilon, *f.AtLeast)
				}
			}
		}
		want, tol := f.Expect.Epsilon, f.Expect.Tolerance
		b, _ := boundOf(r, f.Expect.Method)
		ok := true
		switch f.Expect.Kind {
		case "equals":
			ok = b.Status == accounting.Valid && math.Abs(b.Epsilon-want) <= tol*want
		case "inside":
			ok = b.Status == accounting.Valid && b.Lower <= want*(1+tol) && want*(1-tol) <= b.Epsilon && b.Epsilon <= want*(1+5*tol)
		case "at-most":
			numerical, _ := boundOf(r, accounting.Numerical)
			ok = b.Status == accounting.Valid && b.Epsilon <= want*(1+tol) && (!numerical.Finite() || b.Epsilon >= numerical.Lower)
		case "note":
			ok = slices.ContainsFunc(r.Lints, func(l Lint) bool { return l.Code == "counted-answers" })
		}
		if !ok {
			t.Errorf("%s: %s %s [%g, %g] (%s), want %s %g", f.ID, b.Method, b.Status, b.Lower, b.Epsilon, b.Note, f.Expect.Kind, want)
		}
	}
}
