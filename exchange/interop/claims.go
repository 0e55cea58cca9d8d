package interop

import (
	"context"
	"fmt"
	"math"
	"strings"

	"epsiloscope/accounting"
	"epsiloscope/accounting/numeral"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// String returns the claim in words: "ε = 1.199 at δ = 1e-6 (PLD accounting)".
func (c Claim) String() string {
	return fmt.Sprintf("ε = %s at δ = %s (%s)", numeral.Format(c.Epsilon), report.FormatGiven(c.Delta), c.Accountant)
}

// Verdicts compares every claim of the source with the bound computed here for the
// same releases, in one sentence each, and names the reason of a difference.
func (r *Record) Verdicts(ctx context.Context) ([]string, error) {
	var said []string
	for _, c := range r.Claims {
		text, err := r.verdict(ctx, c)
		if err != nil {
			return said, err
		}
		said = append(said, text)
	}
	return said, nil
}

func (r *Record) verdict(ctx context.Context, c Claim) (string, error) {
	claims := "the source claims " + c.String()
	if c.Method == "" {
		return claims + "; not compared: " + c.Why, nil
	}
	at := *r.Scenario
	at.Budget.Delta = c.Delta
	result, err := scenarios.Evaluate(ctx, &at, scenarios.Options{})
	if err != nil {
		return "", err
	}
	if b, _ := result.Bound(accounting.Method(c.Method)); b.Finite() {
		return fmt.Sprintf("%s; here %s gives ε = %s: %s", claims, b.Method, report.Upper(b.Epsilon), difference(c, b.Epsilon)), nil
	}
	return fmt.Sprintf("%s; here %s gives no bound", claims, c.Method), nil
}

const (
	// agreement is the relative difference up to which two values of ε count as equal: sources
	// print three or four digits.
	agreement = 1e-3
	// maxExplicable is the largest relative difference observed between two accountants of the same
	// releases; beyond it the record and the claim probably describe different runs.
	maxExplicable = 0.05
)

func difference(c Claim, ours float64) string {
	relative := (ours - c.Epsilon) / c.Epsilon
	apart := report.Percent(math.Abs(relative)) + " higher"
	if relative < 0 {
		apart = report.Percent(-relative) + " lower"
	}
	switch {
	case math.Abs(relative) <= agreement:
		return "they agree"
	case math.Abs(relative) > maxExplicable:
		return apart + ". That is more than accounting explains: see that the noise, the sampling rate and the steps are those of the run the claim is about"
	}
	return apart + ", which comes from this: " + c.Why
}

// describe returns a description for the scenario with the claims of its source, so that the file
// states them without the record.
func (r *Record) describe() string {
	var lines []string
	for _, c := range r.Claims {
		lines = append(lines, "The source claims "+c.String()+".")
	}
	for _, text := range r.Remarks {
		lines = append(lines, "Note: "+text+".")
	}
	return strings.Join(lines, "\n")
}
