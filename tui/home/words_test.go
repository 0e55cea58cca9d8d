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

// A note ends where a part of it does, never inside a parenthesis or a number.
func TestClause(t *testing.T) {
	for _, c := range []struct {
		note string
		room int
		want string
	}{
		{"Laplace is not Gaussian noise.", 30, "Laplace is not Gaussian noise"},
		{"Sampled pure ε-DP release is not Gaussian noise.", 30, "Not Gaussian noise"},
		{"zCDP needs every Rényi order: a guarantee at orders up to 32 promises no ρ.", 31, "zCDP needs every Rényi order"},
		{"Gaussian noise has no pure ε, only a δ for every ε.", 31, "Gaussian noise has no pure ε"},
		{"ρ-zCDP states no (ε, δ) of its own.", 31, "ρ-zCDP states no (ε, δ) of its…"},
		{"δ is split where ε is least: δ′ = 3.963e-7, and 6.037e-7 for the rest.", 52, "δ is split where ε is least: δ′ = 3.963e-7"},
		{"Yes, but this is so long that little of it fits", 20, "Yes, but this is so…"},
	} {
		if got := clause(c.note, c.room); got != c.want {
			t.Errorf("clause(%q, %d) = %q, want %q", c.note, c.room, got, c.want)
		}
	}
}
