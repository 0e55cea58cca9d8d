package kit

import "testing"

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
		if got := Clause(c.note, c.room); got != c.want {
			t.Errorf("Clause(%q, %d) = %q, want %q", c.note, c.room, got, c.want)
		}
	}
}

// Of what fits no more is promised than does.
func TestCompactFit(t *testing.T) {
	for n, want := range map[float64]string{149_999: "140k", 999_999: "990k", 1_990_000: "1.9e6", 1.99e9: "1.9e9", 1.96e15: "1e15"} {
		if got := CompactFit(n); got != want {
			t.Errorf("CompactFit(%g) = %q, want %q", n, got, want)
		}
	}
}
