package param_test

import (
	"fmt"
	"math"

	"epsiloscope/mechanisms/param"
)

// A parameter is declared once; the decoder, the form and the schema ask it what is wrong with a value.
func ExampleParam_CheckNumber() {
	sigma := param.Param{Name: "sigma", Symbol: "σ", Type: param.Number, Max: math.Inf(1), OpenMin: true, Required: true}
	fmt.Printf("%q\n%s\n", sigma.CheckNumber(2), sigma.CheckNumber(-1))
	// Output:
	// ""
	// must be greater than 0, got -1
}
