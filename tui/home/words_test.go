package home

import (
	"testing"
)

// Parameters go from the end, symbol and value together: no number is ever cut.
func TestFewerParameters(t *testing.T) {
	for _, c := range []struct {
		params string
		w      int
		want   string
	}{
		{"ε 0.1 δ 1e-9 c 10 k 10000", 25, "ε 0.1 δ 1e-9 c 10 k 10000"},
		{"ε 0.1 δ 1e-9 c 10 k 10000", 24, "ε 0.1 δ 1e-9 c 10 …"},
		{"ε 0.1 δ 1e-9 c 10 k 10000", 18, "ε 0.1 δ 1e-9 …"},
		{"ε 0.1 δ 1e-9 c 10 k 10000", 7, "ε 0.1 …"},
	} {
		if got := fewer(c.params, c.w); got != c.want {
			t.Errorf("fewer(%q, %d) = %q, want %q", c.params, c.w, got, c.want)
		}
	}
}
