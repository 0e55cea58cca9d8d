package certificate_test

import (
	"context"
	"fmt"

	"epsiloscope/certificate"
)

// A claim about a hundred randomized responses of ε = 1 at δ = 10⁻⁶: their tight ε is 83.5307, found by adding up the
// 101 terms of the binomial distribution. The check proves it without the accountant.
func ExampleCertificate_Check() {
	claim := certificate.Certificate{
		Format:   certificate.Format,
		About:    certificate.About{"a hundred answers", "person", "replace", "1", "1", "0"},
		Releases: []certificate.Release{{Kind: "pure", Count: "100", Epsilon: "1", Offset: "-1e-15"}},
		Delta:    "1e-6", Upper: "83.5308", Lower: "83.53",
		Step: "1", Digits: "24", Cut: "1e-16", Tests: "4", LowerWay: "remove",
	}
	verdict, err := claim.Check(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(verdict.Line)
	// Output: proved: ε ≤ 83.53070168 at δ = 1e-6 and ε ≥ 83.53070167
}
