package report

import (
	"fmt"

	"epsiloscope/accounting/numeral"
	"epsiloscope/scenarios/certify"
)

// AddCertificate adds what a checked certificate proves to the statement: the proved ends, the hashes of certificate
// and checker, and how to repeat the check. Path is the file that the commands name.
func (st *Statement) AddCertificate(q certify.Quote, path string) {
	proved := fmt.Sprintf("ε ≤ %s at δ = %s", q.Upper, q.Delta)
	if q.Lower != "" {
		proved += fmt.Sprintf(" (and ε ≥ %s for the pairs it names)", q.Lower)
	}
	st.Paragraph += fmt.Sprintf(" A certificate proves %s in exact arithmetic; it takes for granted that the pairs it names dominate the mechanisms.", proved)
	st.Facts = append(st.Facts,
		Fact{"Certificate", proved + ", proved in exact arithmetic from the named pairs alone; SHA-256 of the certificate " + q.Certificate},
		Fact{"Checker", "check.py, SHA-256 " + q.CheckerHash + "; repeat with: epsiloscope certify --checker > check.py; python3 check.py " + numeral.Argument(Plain(path))},
	)
}
