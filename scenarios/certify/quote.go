package certify

import (
	"context"
	"errors"

	"epsiloscope/accounting/certificate"
	"epsiloscope/scenarios"
)

// Quote is what may be quoted of a certificate that was checked: the proved ends, not the claimed ones, and what
// is needed to repeat the check.
type Quote struct {
	Upper, Lower, Delta      string // Lower is empty if none was proved
	Certificate, CheckerHash string // SHA-256 of the certificate and of check.py
}

// Verify checks a certificate and returns what may be quoted of it. It is an error if the file is not a certificate,
// is about something else than the scenario, or is not proved.
func Verify(ctx context.Context, data []byte, s *scenarios.Scenario) (Quote, error) {
	c, err := certificate.Parse(data)
	if err != nil {
		return Quote{}, errors.New("not a certificate: " + err.Error())
	}
	if err := Matches(c, s); err != nil {
		return Quote{}, err
	}
	v, err := c.Check(ctx)
	switch {
	case err != nil:
		return Quote{}, err
	case !v.Proved:
		return Quote{}, errors.New(v.Line)
	}
	return Quote{Upper: v.Upper, Lower: v.Lower, Delta: c.Delta, Certificate: certificate.Hash(data), CheckerHash: CheckerHash()}, nil
}

// CheckerHash returns the SHA-256 of check.py.
func CheckerHash() string { return certificate.Hash(certificate.Checker()) }
