package certify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"epsiloscope/accounting/numeral"
	"epsiloscope/certificate"
	"epsiloscope/report"
	"epsiloscope/scenarios"
)

// Quote holds what may be quoted of a certificate that was checked: the proved ends, not the
// claimed ones, and what is needed to repeat the check.
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
	if err := CheckMatch(c, s); err != nil {
		return Quote{}, err
	}
	v, err := c.Check(ctx)
	switch {
	case err != nil:
		return Quote{}, err
	case !v.Proved:
		return Quote{}, errors.New(v.Line)
	}
	return Quote{Upper: v.Upper, Lower: v.Lower, Delta: c.Delta, Certificate: certificate.Hash(data),
		CheckerHash: certificate.Hash(certificate.Checker())}, nil
}

// CertificatePath returns the path of the certificate of a scenario file: plan.cert.json for plan.yaml.
func CertificatePath(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".cert.json"
}

// Verifier checks each certificate once and remembers what it proves. Its zero value is ready to use.
type Verifier struct {
	mu     sync.Mutex
	proved map[string]Quote // by the hash of the certificate
}

// Verify does what the function [Verify] does. A certificate that was proved before is not proved again; whether
// it is about the scenario is checked every time.
func (v *Verifier) Verify(ctx context.Context, data []byte, s *scenarios.Scenario) (Quote, error) {
	hash := certificate.Hash(data)
	v.mu.Lock()
	known, ok := v.proved[hash]
	v.mu.Unlock()
	if !ok {
		q, err := Verify(ctx, data, s)
		if err == nil {
			v.mu.Lock()
			defer v.mu.Unlock()
			if v.proved == nil {
				v.proved = map[string]Quote{}
			}
			v.proved[hash] = q
		}
		return q, err
	}
	c, err := certificate.Parse(data)
	if err == nil {
		err = CheckMatch(c, s)
	}
	if err != nil {
		return Quote{}, err
	}
	return known, nil
}

// AddTo adds what a checked certificate proves to a statement: the proved ends, the hashes of certificate and checker,
// and how to repeat the check. Path is the file that the commands name.
func (q Quote) AddTo(st *report.Statement, path string) {
	proved := fmt.Sprintf("ε ≤ %s at δ = %s", q.Upper, q.Delta)
	if q.Lower != "" {
		proved += fmt.Sprintf(" (and ε ≥ %s for the pairs it names)", q.Lower)
	}
	st.Paragraph += fmt.Sprintf(" A certificate proves %s in exact arithmetic;"+
		" it takes for granted that the pairs it names dominate the mechanisms.", proved)
	repeat := "epsiloscope certify --checker > check.py; python3 check.py " + numeral.Argument(report.Plain(path))
	st.Facts = append(st.Facts,
		report.Fact{Name: "Certificate", Text: proved + ", proved in exact arithmetic from the named pairs alone; SHA-256 of the certificate " +
			q.Certificate},
		report.Fact{Name: "Checker", Text: "check.py, SHA-256 " + q.CheckerHash + "; repeat with: " + repeat},
	)
}
