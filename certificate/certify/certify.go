// Package certify makes the certificate of a scenario: it names the dominating pair of each release, chooses lattice
// step, digits, tests and offsets with which the check is narrow and quick, and claims the ends that the check will
// prove.
//
// Choices and claims come from an estimate in floating point (estimate.go), which computes what a checker does, about a
// hundred times as fast. Nothing of it is believed: a checker proves the claim anew, or refuses it.
package certify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"time"

	"epsiloscope/accounting/numeral"
	"epsiloscope/certificate"
	"epsiloscope/scenarios"
)

// Expectation predicts what the check of a certificate will say, and about how long it takes.
type Expectation struct {
	Upper, Lower string // Lower is empty if none is claimed
	Delta        string
	Duration     time.Duration
}

// String returns the expectation as a sentence.
func (e Expectation) String() string {
	text := "ε ≤ " + e.Upper + " at δ = " + e.Delta
	if e.Lower != "" {
		text += " and ε ≥ " + e.Lower
	}
	return fmt.Sprintf("expects the checker to prove %s, within about %.0f s", text, math.Max(1, math.Ceil(e.Duration.Seconds())))
}

// Make returns the certificate of a scenario and what its check will prove. Its error is an [UnsupportedError]
// if a release has no pair that the checker knows.
func Make(ctx context.Context, s *scenarios.Scenario) (*certificate.Certificate, Expectation, error) {
	if err := refuseOpenSensitivity(s); err != nil {
		return nil, Expectation{}, err
	}
	c, list, err := certificateOutline(s)
	if err != nil {
		return nil, Expectation{}, err
	}
	if c.Delta == "0" || isLoneApprox(c) {
		return claimClosedForm(ctx, c, allTight(list))
	}
	chooseParameters(c, list)
	chooseOffsets(c)
	return claim(ctx, c, allTight(list))
}

// refuseOpenSensitivity refuses a scenario with a sensitivity that is not stated and has two readings: the pair of the
// smaller one need not dominate the release.
func refuseOpenSensitivity(s *scenarios.Scenario) error {
	if open := s.OpenSensitivities(); len(open) > 0 {
		return scenarios.Errors(open)
	}
	return nil
}

func allTight(list []namedRelease) bool {
	for _, n := range list {
		if !n.tight {
			return false
		}
	}
	return true
}

// certificateOutline returns the certificate of a scenario without its claim and its choices.
func certificateOutline(s *scenarios.Scenario) (*certificate.Certificate, []namedRelease, error) {
	target, err := s.Target(0)
	if err != nil {
		return nil, nil, err
	}
	list, err := stackOf(s)
	switch {
	case err != nil:
		return nil, nil, err
	case len(list) == 0:
		return nil, nil, &UnsupportedError{"the scenario", "nothing is released that costs anything"}
	case len(list) > 50:
		return nil, nil, &UnsupportedError{"the scenario", "a certificate lists at most 50 different releases"}
	case target.Delta != 0 && target.Delta < 1e-30 || target.Delta > 0.5:
		return nil, nil, &UnsupportedError{"the scenario", "δ must be 0 or from 1e-30 to 0.5"}
	}
	hash, err := stackHash(s)
	if err != nil {
		return nil, nil, err
	}
	c := &certificate.Certificate{Format: certificate.Format, Step: "1", Digits: "26", Cut: "1e-18", Tests: "4", LowerWay: "remove",
		Delta: decimalDown(target.Delta), Upper: "99999", Lower: "0",
		About: certificate.About{Scenario: certificate.FitText(s.Name), Unit: certificate.FitText(s.Unit),
			Adjacency: string(s.Adjacency),
			Group:     numeral.Format(s.Group), Rounds: numeral.Format(s.Rounds), Stack: hash}}
	for _, n := range list {
		c.Releases = append(c.Releases, n.Release)
	}
	return c, list, nil
}

// decimalDown returns δ as a decimal that is not above it: a smaller δ is the stronger claim.
func decimalDown(delta float64) string {
	if delta == 0 {
		return "0"
	}
	return roundDecimalDown(delta)
}

// stackHash returns a hash of what a guarantee depends on: stack, adjacency, unit, group, rounds and the
// number of records, without names, labels and scores, and without what is said of the deployment.
func stackHash(s *scenarios.Scenario) (string, error) {
	data, err := s.GuaranteeJSON()
	return certificate.Hash(data), err
}

// claim adds to the certificate a claim of the ends that its check is estimated to prove.
func claim(ctx context.Context, c *certificate.Certificate, tight bool) (*certificate.Certificate, Expectation, error) {
	upper, lower := estimate(ctx, c, tight)
	switch {
	case ctx.Err() != nil:
		return nil, Expectation{}, ctx.Err()
	case math.IsInf(upper, 1) || upper > maxClaim:
		return nil, Expectation{}, &UnsupportedError{"the scenario", unprovableReason(c, upper)}
	}
	c.Upper = claimText(upper, numeral.Up)
	e := Expectation{Delta: c.Delta, Upper: c.Upper}
	if c.Lower = claimText(lower, numeral.Down); c.Lower != "0" {
		e.Lower = c.Lower
	}
	e.Duration = estimateWork(c, e.Lower != "").duration()
	return c, e, nil
}

// claimText writes an estimated end on the checker's grid of 1e-8, more than a step to its safe side.
func claimText(x float64, side numeral.Side) string {
	n := math.Floor(x*1e8) - 1
	if side == numeral.Up {
		n = math.Ceil(x*1e8) + 1
	}
	if x == 0 || n <= 0 {
		return "0"
	}
	return plainDecimal(new(big.Rat).SetFrac(new(big.Int).SetUint64(uint64(n)), big.NewInt(1e8)))
}

// maxClaim is the largest ε that a certificate may claim.
const maxClaim = 99999

// unprovableReason words why a check can prove no ε, or only one above maxClaim.
func unprovableReason(c *certificate.Certificate, upper float64) string {
	if !math.IsInf(upper, 1) {
		return fmt.Sprintf("its ε is above %d, the largest that a certificate may claim", maxClaim)
	}
	failures := 0.0
	for _, r := range c.Releases {
		failures += estimatePair(r).failure()
	}
	return fmt.Sprintf("the failure probabilities of its releases add up to %s and leave nothing of δ = %s, so that no finite ε is left once the check "+
		"rounds them up. Give a larger δ: with --delta %s a finite ε can be proved", numeral.Format(numeral.RoundUp(failures, 4)), c.Delta, numeral.Format(numeral.RoundUp(failures*1.001, 4)))
}

// isLoneApprox reports whether a certificate is about one (ε, δ) guarantee at its own δ.
func isLoneApprox(c *certificate.Certificate) bool {
	r := c.Releases[0]
	return len(c.Releases) == 1 && r.Kind == "approx" && r.Count == "1" && r.Delta == c.Delta
}

// claimClosedForm adds a claim that the checker in Go computes quickly: for δ = 0 the sum of the largest losses, and
// the stated ε for one (ε, δ) guarantee at its own δ.
func claimClosedForm(ctx context.Context, c *certificate.Certificate,
	tight bool) (*certificate.Certificate, Expectation, error) {
	upper, lower, err := c.Prove(ctx, tight)
	switch {
	case ctx.Err() != nil:
		return nil, Expectation{}, ctx.Err()
	case err != nil:
		return nil, Expectation{}, &UnsupportedError{"the scenario", err.Error()}
	}
	e := Expectation{Delta: c.Delta, Upper: plainDecimal(upper)}
	if c.Upper = e.Upper; lower != nil && lower.Sign() > 0 {
		e.Lower = plainDecimal(lower)
		c.Lower = e.Lower
	}
	return c, e, nil
}

// CheckMatch returns an error that says what differs if the certificate is not about this scenario: its stack,
// unit, adjacency, group, rounds or δ.
func CheckMatch(c *certificate.Certificate, s *scenarios.Scenario) error {
	want, _, err := certificateOutline(s)
	switch {
	case err != nil:
		return err
	case len(c.Releases) != len(want.Releases):
		return errors.New("the certificate is about another stack")
	case c.About.Adjacency != want.About.Adjacency:
		return fmt.Errorf("the certificate is for adjacency %s, the scenario has %s", c.About.Adjacency, want.About.Adjacency)
	case c.About.Unit != want.About.Unit:
		return fmt.Errorf("the certificate is for the unit %q, the scenario has %q", c.About.Unit, want.About.Unit)
	case c.About.Group != want.About.Group || c.About.Rounds != want.About.Rounds:
		return errors.New("the certificate is for another group or number of rounds")
	case c.About.Stack != want.About.Stack:
		return errors.New("the certificate is about another stack")
	case c.Delta != want.Delta:
		return fmt.Errorf("the certificate is for δ = %s, the scenario has %s", c.Delta, want.Delta)
	}
	for i, r := range c.Releases {
		r.Offset = want.Releases[i].Offset
		if fmt.Sprintf("%+v", r) != fmt.Sprintf("%+v", want.Releases[i]) {
			return errors.New("the certificate lists other releases than the scenario has")
		}
	}
	return refuseOpenSensitivity(s)
}
