package tui

import (
	"strings"
	"testing"
)

// A list that is wrong says how it would be right, with what was typed, and its example stays.
func TestExampleStaysBesideAWrongList(t *testing.T) {
	s := newScript(t, "hair-colour").press("enter")
	for !onScreen(s.a, "candidates") || !strings.Contains(plainView(s.a), "▸ s   candidates") && !strings.Contains(plainView(s.a), "▸ c   candidates") {
		s.press("tab")
		if s.keys > 20 {
			t.Fatalf("no candidates:\n%s", plainView(s.a))
		}
	}
	s.typing("red 12").sees(`"red 12" needs a colon between name and score, as in red: 12`, "For example river: 520, hills: 310")
}

// No two rows of a form have the same letter.
func TestFormsHaveLettersOfTheirOwn(t *testing.T) {
	for _, name := range []string{"hair-colour", "dpsgd-tfprivacy", "hyperparameter-trials", welcome} {
		a := newScript(t, name).press("enter").a
		seen := map[string]string{}
		for _, l := range strings.Split(plainView(a), "\n") {
			_, row, ok := strings.Cut(l, "┃ ")
			fields := strings.Fields(strings.TrimPrefix(row, "▸"))
			if !ok || len(fields) < 2 || len([]rune(row)) < 6 || strings.TrimSpace(string([]rune(row)[2:4])) == "" ||
				fields[1] == "=" || // "Δ₁ = 1: …" is why Δ is that
				len([]rune(fields[0])) > 2 || strings.Contains(l, "━") {
				continue
			}
			if was := seen[fields[0]]; was != "" {
				t.Errorf("%s: %s is both %s and %s\n%s", name, fields[0], was, fields[1], plainView(a))
			}
			seen[fields[0]] = fields[1]
		}
		if len(seen) < 2 {
			t.Errorf("%s: %v\n%s", name, seen, plainView(a))
		}
	}
}

// The form of Gaussian noise takes its δ from the plan: what its σ means, and what an ε is calibrated to.
func TestGaussianFormTakesTheDeltaOfThePlan(t *testing.T) {
	s := newScript(t, "").press("target.edit").typing("1").press("tab").typing("1e-9").press("enter", "stack.add").typing("gaussian").press("enter", "enter")
	s.sees("= 1e-9")
	s.press("tab").typing("0.5").press("enter")
	row, _ := s.a.Doc.SelectedRow()
	if d := row.Entry.Values["delta"].Number; d != 1e-9 || row.Entry.Values["epsilon"].Number != 0.5 {
		t.Errorf("%v", row.Entry.Values)
	}
}

// An entry added to a full budget keeps its usual noise, and the message says by how much the plan is over
// and what would make it fit.
func TestAddingToAFullBudgetKeepsTheUsualNoise(t *testing.T) {
	s := newScript(t, "").press("target.edit").typing("1").press("tab").typing("1e-6").press("enter", "stack.add").typing("counts100").press("enter")
	s.press("stack.add").typing("average52").press("enter")
	row, _ := s.a.Doc.SelectedRow()
	if sigma := row.Entry.Values["sigma"].Number; !(sigma > 0 && sigma <= 100) || row.Entry.Count != 52 {
		t.Errorf("σ = %v × %v is proposed", sigma, row.Entry.Count)
	}
	said := s.a.Status.Text
	if !strings.Contains(said, "over the budget of 1 by ") ||
		!strings.Contains(said, "any one of these would make it fit") ||
		!strings.Contains(said, "divides it among the entries") {
		t.Errorf("it says %q", said)
	}
}
